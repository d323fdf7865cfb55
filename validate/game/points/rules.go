// Package points judges the card games that are decided by points or card
// value: blackjack, treinta y cuarenta, punto y banca, the two baccarat circle
// games, casino monte and monte o banca.
//
// What the family has in common stands in table.go (cards and time marks),
// stakes.go, money.go, calls.go, shoe.go and draw.go; each game adds its own
// settlement in a file of its own. What a game pays, limits, prescribes and how
// it draws is data of the rulebook.
package points

import (
	"errors"
	"fmt"

	"vision/internal/money"
)

// Rules are the rules of one game of the family in one norm. Exactly one of
// the games is set.
type Rules struct {
	Decks    int               `yaml:"decks" json:"decks"`       // packs in play unless the table says otherwise
	Articles map[string]string `yaml:"articles" json:"articles"` // section of the norm by topic, after the game's label
	Calls    map[string]Call   `yaml:"calls" json:"calls"`       // the calls that the game has
	Burn     Burn              `yaml:"burn" json:"burn"`         // cards put aside at the start of a shoe

	Blackjack   *Blackjack   `yaml:"blackjack" json:"blackjack,omitempty"`
	Treinta     *Treinta     `yaml:"treinta_cuarenta" json:"treinta_cuarenta,omitempty"`
	PuntoBanco  *PuntoBanco  `yaml:"punto_banco" json:"punto_banco,omitempty"`
	Chemin      *Chemin      `yaml:"chemin_de_fer" json:"chemin_de_fer,omitempty"`
	Panos       *Panos       `yaml:"dos_panos" json:"dos_panos,omitempty"`
	CasinoMonte *CasinoMonte `yaml:"casino_monte" json:"casino_monte,omitempty"`
	MonteBanca  *MonteBanca  `yaml:"monte_banca" json:"monte_banca,omitempty"`
}

// Call is one call that the game has.
type Call struct {
	Mandatory bool   `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding where the game's section demands it
	Words     string `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Burn says how many cards are put aside at the start of a shoe.
type Burn struct {
	Count  int  `yaml:"count" json:"count,omitempty"`     // a fixed number; 0: none
	ByCard bool `yaml:"by_card" json:"by_card,omitempty"` // the value of the first, shown card
}

// Blackjack are the rules of blackjack.
type Blackjack struct {
	Boxes       []int         `yaml:"boxes" json:"boxes"`                           // numbers of boxes that a table may have, the usual first
	MinBoxes    int           `yaml:"min_boxes" json:"min_boxes"`                   // boxes with a stake without which nobody plays
	MaxBettors  int           `yaml:"max_bettors" json:"max_bettors,omitempty"`     // bettors on one box; 0: no limit
	Pays        BlackjackPays `yaml:"pays" json:"pays"`                             //
	Double      Double        `yaml:"double" json:"double"`                         //
	Surrender   bool          `yaml:"surrender" json:"surrender,omitempty"`         // half may be saved
	SeguroMin   bool          `yaml:"seguro_min" json:"seguro_min,omitempty"`       // an insurance is at least half the table minimum
	BankNeeds   bool          `yaml:"bank_needs_hand" json:"bank_needs_hand"`       // the bank does not draw when no hand is alive
	BankStands  int           `yaml:"bank_stands" json:"bank_stands"`               // total on which the bank stands
	ThreeSevens bool          `yaml:"three_sevens" json:"three_sevens,omitempty"`   // three 7s have a price of their own
	SideSpot    string        `yaml:"side_spot" json:"side_spot,omitempty"`         // "bolsa", "jackpot"; empty: none
	SidePays    SidePays      `yaml:"side_pays" json:"side_pays,omitempty"`         // odds to one; empty: the house's table
	SideHalfMin bool          `yaml:"side_half_min" json:"side_half_min,omitempty"` // the side stake is at most half the table minimum
}

// BlackjackPays are the odds of blackjack's bets.
type BlackjackPays struct {
	Hand        money.Odds `yaml:"hand" json:"hand"`
	Blackjack   money.Odds `yaml:"blackjack" json:"blackjack"`
	Seguro      money.Odds `yaml:"seguro" json:"seguro"`
	EvenMoney   money.Odds `yaml:"even_money" json:"even_money"`     // 0:0: not offered
	ThreeSevens money.Odds `yaml:"three_sevens" json:"three_sevens"` // read when three_sevens is true
}

// Double says which hands may be doubled.
type Double struct {
	Totals      []int `yaml:"totals" json:"totals,omitempty"`     // empty: any
	NotAces     bool  `yaml:"not_aces" json:"not_aces,omitempty"` // two aces may not
	NotSplitAce bool  `yaml:"not_split_ace" json:"not_split_ace"` // hands of split aces may not
}

// SidePays are the odds to one of the bet on the first cards being sevens.
type SidePays map[string]int64

// sideKeys are the combinations from the highest down.
var sideKeys = []string{"777s", "777", "77s", "77", "7"}

// Treinta are the rules of treinta y cuarenta.
type Treinta struct {
	Target     int        `yaml:"target" json:"target"`           // 31
	Pays       money.Odds `yaml:"pays" json:"pays"`               // every chance
	Insurance  money.Odds `yaml:"insurance" json:"insurance"`     // 1:100 of the stake
	SeguroMin  bool       `yaml:"seguro_min" json:"seguro_min"`   // the house fixes the least insured stake
	MaxTimes   int64      `yaml:"max_times" json:"max_times"`     // maximum as a multiple of the minimum
	LastBurned int        `yaml:"last_burned" json:"last_burned"` // cards counted after the red card
}

// PuntoBanco are the rules of punto y banca.
type PuntoBanco struct {
	Mesas      []string              `yaml:"mesas" json:"mesas"` // "grande" first
	Pays       map[string]money.Odds `yaml:"pays" json:"pays"`   // by spot; a spot without odds is not offered
	Commission Commission            `yaml:"commission" json:"commission"`
	EmpateMax  money.Odds            `yaml:"empate_max" json:"empate_max"` // part of the maximum; 0:0: no special limit
	Draw       Draw                  `yaml:"draw" json:"draw"`
}

// Commission is what the house keeps of the bank's winnings.
type Commission struct {
	Part   money.Odds `yaml:"part" json:"part"`               // 5:100
	Points *int       `yaml:"points" json:"points,omitempty"` // only when the bank wins with these points
}

// Chemin are the rules of baccará, chemin de fer.
type Chemin struct {
	Commission money.Odds `yaml:"commission" json:"commission"`
	Abonos     int        `yaml:"abonos" json:"abonos"`         // bets in favour of the bank; 0: not offered
	BankTimes  int64      `yaml:"bank_times" json:"bank_times"` // bank's maximum as a multiple of the minimum
	Garaje     Garaje     `yaml:"garaje" json:"garaje"`
	Draw       Draw       `yaml:"draw" json:"draw"`
}

// Garaje says when a banker may take part of the bank away.
type Garaje struct {
	GainTimes int64      `yaml:"gain_times" json:"gain_times,omitempty"` // the gain exceeds this multiple of the minimum
	Passes    int        `yaml:"passes" json:"passes,omitempty"`         // passes won
	Part      money.Odds `yaml:"part" json:"part"`                       // at most this part of the bank
}

// Panos are the rules of baccará a dos paños.
type Panos struct {
	Commission map[string]money.Odds `yaml:"commission" json:"commission"` // by modalidad
	Draw       Draw                  `yaml:"draw" json:"draw"`
}

// CasinoMonte are the rules of casino monte.
type CasinoMonte struct {
	Places    int        `yaml:"places" json:"places"`
	Inicial   money.Odds `yaml:"inicial" json:"inicial"`
	Empate    money.Odds `yaml:"empate" json:"empate"`
	Revancha  money.Odds `yaml:"revancha" json:"revancha"`
	SecondTie money.Odds `yaml:"second_tie" json:"second_tie"`
	QuemaFrom int        `yaml:"quema_from" json:"quema_from"`
	QuemaTo   int        `yaml:"quema_to" json:"quema_to"`
}

// MonteBanca are the rules of monte o banca.
type MonteBanca struct {
	Vis        int64            `yaml:"vis" json:"vis"`           // to one, less one for each doubled or burned card
	Relation   int64            `yaml:"relation" json:"relation"` // camo, anti, viudo: to one, less one for each doubled card
	Salto      money.Odds       `yaml:"salto" json:"salto"`
	Cartas     money.Odds       `yaml:"cartas" json:"cartas"`
	Segundas   money.Odds       `yaml:"segundas" json:"segundas"` // camo, anti, viudo of the second phase
	Commission money.Odds       `yaml:"commission" json:"commission"`
	MaxTimes   map[string]int64 `yaml:"max_times" json:"max_times"` // by kind of bet; "s2" for the second phase
	Relations  map[string]int   `yaml:"relations" json:"relations"` // steps round the circle of suits
	Circle     string           `yaml:"circle" json:"circle"`       // the circle of suits
}

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	if r.Decks < 1 {
		return errors.New("decks: want at least 1")
	}
	var err error
	n := 0
	for _, g := range []interface{ check() error }{r.Blackjack, r.Treinta, r.PuntoBanco, r.Chemin, r.Panos, r.CasinoMonte, r.MonteBanca} {
		if isSet(g) {
			n++
			err = errors.Join(err, g.check())
		}
	}
	if n != 1 {
		return errors.New("want the rules of exactly one of blackjack, treinta_cuarenta, punto_banco, chemin_de_fer, dos_panos, casino_monte, monte_banca")
	}
	return err
}

func isSet(g any) bool {
	switch v := g.(type) {
	case *Blackjack:
		return v != nil
	case *Treinta:
		return v != nil
	case *PuntoBanco:
		return v != nil
	case *Chemin:
		return v != nil
	case *Panos:
		return v != nil
	case *CasinoMonte:
		return v != nil
	case *MonteBanca:
		return v != nil
	}
	return false
}

func positive(name string, o money.Odds) error {
	if o.Num <= 0 || o.Den <= 0 {
		return fmt.Errorf("%s: missing or no odds", name)
	}
	return nil
}

func (b *Blackjack) check() error {
	for k := range b.SidePays {
		if sideRank(k) < 0 {
			return fmt.Errorf("side_pays: unknown combination %q", k)
		}
	}
	if len(b.Boxes) == 0 || b.BankStands < 2 || b.BankStands > 21 {
		return errors.New("boxes or bank_stands: missing or out of range")
	}
	err := errors.Join(positive("pays.hand", b.Pays.Hand), positive("pays.blackjack", b.Pays.Blackjack), positive("pays.seguro", b.Pays.Seguro))
	if b.ThreeSevens {
		err = errors.Join(err, positive("pays.three_sevens", b.Pays.ThreeSevens))
	}
	return err
}

func sideRank(key string) int {
	for i, k := range sideKeys {
		if k == key {
			return i
		}
	}
	return -1
}

func (r *Treinta) check() error {
	if r.Target < 1 || r.MaxTimes < 1 || r.LastBurned < 0 {
		return errors.New("target, max_times or last_burned: out of range")
	}
	return errors.Join(positive("pays", r.Pays), positive("insurance", r.Insurance))
}

func (r *PuntoBanco) check() error {
	if len(r.Mesas) == 0 {
		return errors.New("mesas: missing")
	}
	return errors.Join(positive("pays.punto", r.Pays["punto"]), positive("pays.banca", r.Pays["banca"]), positive("commission.part", r.Commission.Part), r.Draw.check(false))
}

func (r *Chemin) check() error {
	return errors.Join(positive("commission", r.Commission), r.Draw.check(true))
}

func (r *Panos) check() error {
	return errors.Join(positive("commission.limitada", r.Commission["limitada"]), positive("commission.libre", r.Commission["libre"]), r.Draw.check(true))
}

func (r *CasinoMonte) check() error {
	if r.Places < 1 || r.QuemaFrom < 1 || r.QuemaTo < r.QuemaFrom {
		return errors.New("places or quema: out of range")
	}
	return errors.Join(positive("inicial", r.Inicial), positive("empate", r.Empate), positive("revancha", r.Revancha), positive("second_tie", r.SecondTie))
}

func (r *MonteBanca) check() error {
	if len(r.Circle) != 4 || len(r.Relations) != 3 || r.Vis < 1 || r.Relation < 1 {
		return errors.New("circle, relations, vis or relation: missing or out of range")
	}
	return errors.Join(positive("salto", r.Salto), positive("cartas", r.Cartas), positive("segundas", r.Segundas), positive("commission", r.Commission))
}
