// Package points judges the card games that are decided by points or card
// value. Each game has a package of its own: blackjack, treinta y cuarenta
// (treinta), punto y banca and the two baccarat circle games (baccarat), casino
// monte and monte o banca (monte). What they have in common, the cards and chips
// on a table, is in package table. Here is which of them a rulebook means.
package points

import (
	"errors"
	"fmt"

	"vision/validate/game"
	"vision/validate/game/baccarat"
	"vision/validate/game/blackjack"
	"vision/validate/game/monte"
	"vision/validate/game/table"
	"vision/validate/game/treinta"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Rules are the rules of one game of the family in one norm. Exactly one of
// the games is set.
type Rules struct {
	table.Rules `yaml:",inline"`

	Blackjack   *blackjack.Rules     `yaml:"blackjack" json:"blackjack,omitempty"`
	Treinta     *treinta.Rules       `yaml:"treinta_cuarenta" json:"treinta_cuarenta,omitempty"`
	PuntoBanco  *baccarat.PuntoBanco `yaml:"punto_banco" json:"punto_banco,omitempty"`
	Chemin      *baccarat.Chemin     `yaml:"chemin_de_fer" json:"chemin_de_fer,omitempty"`
	Panos       *baccarat.Panos      `yaml:"dos_panos" json:"dos_panos,omitempty"`
	CasinoMonte *monte.Casino        `yaml:"casino_monte" json:"casino_monte,omitempty"`
	MonteBanca  *monte.Banca         `yaml:"monte_banca" json:"monte_banca,omitempty"`
}

// variant are the rules of one game.
type variant interface {
	// Check refuses rules by which no round can be judged.
	Check() error
	// Judge reads and judges the round on a table. Its error is a *round.Error.
	Judge(t *table.Table) error
}

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	if r.Decks < 1 {
		return errors.New("decks: want at least 1")
	}
	one, err := game.One[variant](r)
	if err != nil {
		return err
	}
	return one.Check()
}

// Family is the name by which rulebooks refer to this engine: point cards in the contract.
const Family = "points"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	r := in.Game.Rules.(*Rules)
	one, err := game.One[variant](r)
	if err != nil {
		return round.Verdict{}, fmt.Errorf("points: %s: %w", in.Game.Code, err)
	}
	t := table.New(in, &r.Rules)
	return t.Done(one.Judge(t))
}
