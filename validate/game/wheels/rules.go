// Package wheels judges the games of wheels and dice: the roulettes, boule, the
// wheel of fortune, craps, sic bo, banca francesa, and the drawing of bingo.
//
// What the family has in common is the round as it is being judged and what a game adds
// to it (table.go), throws and null throws (throws.go), chips laid and taken (stakes.go,
// late.go), limits (limits.go), calls (calls.go), money (money.go), the order of payment
// (order.go) and stakes that stay for the next round (carry.go). Each game adds its
// spots, its settlement and its state in files of its own name. What a game pays, limits
// and prescribes is data of the rulebook.
package wheels

import (
	"errors"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// Rules are the rules of one game of the family in one norm. Exactly one of
// the games is set.
type Rules struct {
	Articles Articles        `yaml:"articles" json:"articles,omitzero"`
	Calls    map[string]Call `yaml:"calls" json:"calls"` // the calls that the game has
	Null     Null            `yaml:"null_throw" json:"null_throw,omitzero"`
	Order    Order           `yaml:"order" json:"order,omitzero"`
	Late     Late            `yaml:"late" json:"late,omitzero"`
	Options  HouseOptions    `yaml:"options" json:"options,omitzero"`

	Roulette *Roulette `yaml:"roulette" json:"roulette,omitempty"`
	Boule    *Boule    `yaml:"boule" json:"boule,omitempty"`
	Fortuna  *Fortuna  `yaml:"fortuna" json:"fortuna,omitempty"`
	Craps    *Craps    `yaml:"craps" json:"craps,omitempty"`
	SicBo    *SicBo    `yaml:"sic_bo" json:"sic_bo,omitempty"`
	Banca    *Banca    `yaml:"banca_francesa" json:"banca_francesa,omitempty"`
	Bingo    *Bingo    `yaml:"bingo" json:"bingo,omitempty"`
}

// Articles are the sections of the norm, after the game's label, that findings
// of each sort cite. An empty one cites the game as a whole.
type Articles struct {
	Bets     string `yaml:"bets" json:"bets,omitempty"`             // what may be bet and what it pays
	Limits   string `yaml:"limits" json:"limits,omitempty"`         // minima and maxima
	Conduct  string `yaml:"conduct" json:"conduct,omitempty"`       // calls, closing, order of collecting and paying
	Null     string `yaml:"null_throw" json:"null_throw,omitempty"` // null throws
	Zero     string `yaml:"zero" json:"zero,omitempty"`             // simple chances on zero
	Shooting string `yaml:"shooting" json:"shooting,omitempty"`     // the shooter and the change of dice
}

// Call is one call that the game has.
type Call struct {
	By        []string `yaml:"by" json:"by,omitempty"`               // who makes it; empty: anybody
	Mandatory bool     `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding
	Reduced   []string `yaml:"reduced" json:"reduced,omitempty"`     // who also makes it at a reduced craps table
	Words     string   `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Null says what makes a throw null.
type Null struct {
	Incidents []string `yaml:"incidents" json:"incidents,omitempty"`
	Irregular []string `yaml:"irregular" json:"irregular,omitempty"`
	Cycle     bool     `yaml:"cycle" json:"cycle,omitempty"` // the whole cycle is repeated, opening call included
}

// Order is the order of collecting and paying.
type Order struct {
	CollectFirst bool   `yaml:"collect_first" json:"collect_first,omitempty"` // losers are taken before anybody is paid
	First        string `yaml:"first" json:"first,omitempty"`                 // the spot whose losers are taken first
	// "bet": each payment; "seat": a player is paid at once; "amount": ascending
	By    string     `yaml:"by" json:"by,omitempty"`
	Ranks [][]string `yaml:"ranks" json:"ranks,omitempty"` // classes of bets in the order of payment
}

// Late says which chips may still move after the closing call.
type Late struct {
	Accepted  bool `yaml:"accepted" json:"accepted,omitempty"`   // bets accepted aloud by croupier and jefe before it
	Corrected bool `yaml:"corrected" json:"corrected,omitempty"` // the position of chips that lie there
}

// HouseOptions are the options that the norm leaves to the house, with their
// defaults; one that is not set is unknown at this game.
type HouseOptions struct {
	Panos             *int    `yaml:"panos" json:"panos,omitempty"`
	Abreviada         *bool   `yaml:"abreviada" json:"abreviada,omitempty"`
	LastSpin          *bool   `yaml:"last_spin" json:"last_spin,omitempty"`
	PrisonRelease     *string `yaml:"prison_release" json:"prison_release,omitempty"`
	MaxLevel          *int    `yaml:"max_level" json:"max_level,omitempty"`
	MinSimples        *bool   `yaml:"min_simples" json:"min_simples,omitempty"`
	CombinacionesCero *string `yaml:"combinaciones_cero" json:"combinaciones_cero,omitempty"`
	Combinaciones00   *bool   `yaml:"combinaciones_00" json:"combinaciones_00,omitempty"`
	MaxNumero         *Range  `yaml:"max_numero" json:"max_numero,omitempty"`
	MaxSimple         *Range  `yaml:"max_simple" json:"max_simple,omitempty"`
	Juego7            *Choice `yaml:"juego_7_pays" json:"juego_7_pays,omitempty"`
	Place8            *bool   `yaml:"place_8" json:"place_8,omitempty"`
	Reduced           *bool   `yaml:"reduced" json:"reduced,omitempty"`
	PayTable          *bool   `yaml:"pay_table" json:"pay_table,omitempty"`
	Reclose           *bool   `yaml:"reclose_after_null" json:"reclose_after_null,omitempty"`
}

// Range is a number that the house fixes within bounds.
type Range struct {
	Default int `yaml:"default" json:"default"`
	From    int `yaml:"from" json:"from"`
	To      int `yaml:"to" json:"to"`
}

// Choice is a number that the house may choose instead of the printed one.
type Choice struct {
	Of []int `yaml:"of" json:"of"`
}

// Pay is what a bet pays, with its article.
type Pay struct {
	Pays    money.Odds `yaml:"pays" json:"pays"`
	Article string     `yaml:"article" json:"article,omitempty"`
}

// Check implements rulebook.Rules: it prepares the tables that settling reads.
func (r *Rules) Check() error {
	k, err := game.One[section](r)
	if err != nil {
		return err
	}
	for name, c := range r.Calls {
		for _, by := range slices.Concat(c.By, c.Reduced) {
			if !slices.Contains([]string{round.Croupier, round.Jefe, round.Stickman, round.Banquero, round.Player}, by) {
				return fmt.Errorf("calls.%s: unknown speaker %q", name, by)
			}
		}
		if c.Mandatory && len(c.By) == 0 {
			return fmt.Errorf("calls.%s: mandatory, but by names nobody", name)
		}
	}
	if !slices.Contains([]string{"", "bet", "seat", "amount"}, r.Order.By) {
		return fmt.Errorf("order.by: %q: want bet, seat or amount", r.Order.By)
	}
	if on := r.Options.Abreviada; on != nil && (r.Roulette == nil || *on && r.Roulette.Short.Label == "") {
		return errors.New("options.abreviada: only a roulette has it, and true needs roulette.short")
	}
	return k.check()
}

// section is a game's own part of the rules.
type section interface {
	check() error
	play(s settings) play // one round of the game; nil for bingo, which has no bets
}
