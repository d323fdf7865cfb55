package blackjack

import (
	"vision/internal/money"
	"vision/validate/round"
)

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
