package blackjack

import (
	"errors"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/game/table"
	"vision/validate/round"
)

// Rules are the rules of blackjack.
type Rules struct {
	Boxes       []int    `yaml:"boxes" json:"boxes"`                           // numbers of boxes that a table may have, the usual first
	MinBoxes    int      `yaml:"min_boxes" json:"min_boxes"`                   // boxes with a stake without which nobody plays
	MaxBettors  int      `yaml:"max_bettors" json:"max_bettors,omitempty"`     // bettors on one box; 0: no limit
	Pays        Pays     `yaml:"pays" json:"pays"`                             //
	Double      Double   `yaml:"double" json:"double"`                         //
	Surrender   bool     `yaml:"surrender" json:"surrender,omitempty"`         // half may be saved
	SeguroMin   bool     `yaml:"seguro_min" json:"seguro_min,omitempty"`       // an insurance is at least half the table minimum
	BankNeeds   bool     `yaml:"bank_needs_hand" json:"bank_needs_hand"`       // the bank does not draw when no hand is alive
	BankStands  int      `yaml:"bank_stands" json:"bank_stands"`               // total on which the bank stands
	ThreeSevens bool     `yaml:"three_sevens" json:"three_sevens,omitempty"`   // three 7s have a price of their own
	SideSpot    string   `yaml:"side_spot" json:"side_spot,omitempty"`         // "bolsa", "jackpot"; empty: none
	SidePays    SidePays `yaml:"side_pays" json:"side_pays,omitempty"`         // odds to one; empty: the house's table
	SideHalfMin bool     `yaml:"side_half_min" json:"side_half_min,omitempty"` // the side stake is at most half the table minimum
}

// Pays are the odds of blackjack's bets.
type Pays struct {
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

// Check refuses rules by which no round can be judged.
func (b *Rules) Check() error {
	for k := range b.SidePays {
		if sideRank(k) < 0 {
			return fmt.Errorf("side_pays: unknown combination %q", k)
		}
	}
	if len(b.Boxes) == 0 || b.BankStands < 2 || b.BankStands > 21 {
		return errors.New("boxes or bank_stands: missing or out of range")
	}
	err := errors.Join(table.Positive("pays.hand", b.Pays.Hand), table.Positive("pays.blackjack", b.Pays.Blackjack), table.Positive("pays.seguro", b.Pays.Seguro))
	if b.ThreeSevens {
		err = errors.Join(err, table.Positive("pays.three_sevens", b.Pays.ThreeSevens))
	}
	return err
}

// sideRank is how high a combination is, the highest 0; -1 for one that is none.
func sideRank(key string) int { return slices.Index(sideKeys, key) }

// options are the house options of a table.
type options struct {
	boxes     int
	paga      bool // a blackjack against the bank's is paid
	resplit   bool // aces that a split made may be split again
	sideStake money.Cents
	pool      money.Cents
	sidePays  SidePays
}

func (g *blackjack) options() error {
	r := g.Rec.Table.Options.Only("boxes", "bj_contra_bj", "resplit_ases", "bolsa_stake", "bolsa_pool", "jackpot_pool", "jackpot_pays")
	g.opt = options{
		boxes:     r.OneInt("boxes", g.r.Boxes[0], g.r.Boxes...),
		paga:      r.Word("bj_contra_bj", "push", "push", "paga") == "paga",
		resplit:   r.Bool("resplit_ases", true),
		sideStake: r.Cents("bolsa_stake", 0),
	}
	for _, side := range []string{"bolsa", "jackpot"} {
		if pool := r.Cents(side+"_pool", 0); side == g.r.SideSpot {
			g.opt.pool = pool
		}
	}
	g.sideTable(r)
	return r.Err()
}

// sideTable is the side bet's pay table: the norm's, raised by the house's own.
func (g *blackjack) sideTable(r *round.OptionReader) {
	house := SidePays{}
	given := r.Decode("jackpot_pays", &house)
	for k, v := range house {
		if sideRank(k) < 0 || v < 0 || v > 1e6 {
			r.Keep(round.Malformed("table.options.jackpot_pays", "keys are 7, 77, 77s, 777, 777s and odds to one", "unknown combination or odds %q: %d", k, v))
		}
	}
	g.opt.sidePays = g.r.SidePays
	if given && g.r.SideSpot == "jackpot" {
		merged := SidePays{}
		for _, k := range sideKeys {
			v, ok := house[k]
			least, printed := g.r.SidePays[k]
			if ok || printed {
				merged[k] = max(v, least)
			}
		}
		g.opt.sidePays = merged
	}
	g.sideOffered = g.r.SideSpot != "" && len(g.opt.sidePays) > 0
}
