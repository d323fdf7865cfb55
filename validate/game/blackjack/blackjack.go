// Package blackjack judges blackjack: a record is walked once, hands change as
// cards and actions come. Odds, boxes and what may be doubled are data of the rulebook.
package blackjack

import (
	"strconv"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// blackjack is one round of blackjack: the record is walked once, hands change
// as cards and actions come.
type blackjack struct {
	*table.Table
	r     *Rules
	opt   options
	s     *table.Stakes
	hands []*box
	bank  []table.Dealt

	bankAt      int          // event of the bank's first card; len(Events) without one
	bankSecond  int          // of its second card
	third       int          // first card to a box beyond its first two
	thirdBy     map[int]bool // boxes that took one
	boxes       []int        // boxes with a stake, ascending
	actions     map[string]int
	bankTotal   int
	sideOffered bool
}

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
	if g.r.SideSpot != "" {
		g.opt.pool = r.Cents(g.r.SideSpot+"_pool", 0)
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

// Judge is the verdict of a round of blackjack.
func (r *Rules) Judge(in game.Input, common *table.Rules) (round.Verdict, error) {
	t, err := table.New(in, common, table.Kind{Zones: func(z string) bool {
		_, _, ok := table.BoxZone(z)
		return ok || z == "bank"
	}})
	if err != nil {
		return round.Verdict{}, err
	}
	g := &blackjack{Table: t, r: r, thirdBy: map[int]bool{}, actions: map[string]int{}, bankTotal: -1}
	if err := g.options(); err != nil {
		return round.Verdict{}, err
	}
	if err := g.check(); err != nil {
		return round.Verdict{}, err
	}
	return g.Done(), nil
}

func (g *blackjack) check() error {
	g.marks()
	var err error
	if g.s, err = g.Gather(table.Windows{Bet: g.window}); err != nil {
		return err
	}
	g.seats()
	if err := g.Shoe(nil); err != nil {
		return err
	}
	g.walk()
	g.finish()
	g.dealing()
	g.bankPlay()
	g.announcements()
	g.limits()
	g.SettleMoney(g.Entries(g.s, g.settle))
	g.order()
	return nil
}

// marks finds the bank's cards and the first third card, on which windows depend.
func (g *blackjack) marks() {
	n := len(g.Events)
	g.bankAt, g.bankSecond, g.third = n, n, n
	given := map[int]int{}
	for _, i := range g.Order {
		seat, _, ok := table.BoxZone(g.Events[i].Zone)
		switch {
		case !ok && g.bankAt == n:
			g.bankAt = i
		case !ok && g.bankSecond == n:
			g.bankSecond = i
		case ok:
			if given[seat]++; given[seat] > 2 {
				g.third = min(g.third, i)
			}
		}
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Type == round.Action && (e.Action == "split" || e.Action == "double") {
			seat, k, ok := g.actionZone(e)
			if !ok {
				continue
			}
			name := "double"
			if e.Action == "split" {
				name, k = "split", 0
			}
			g.actions[name+strconv.Itoa(seat)+"/"+strconv.Itoa(k)]++
		}
	}
}

func (g *blackjack) actionZone(e *round.Event) (seat, k int, ok bool) {
	if e.Zone == "" {
		return e.Seat, 1, e.Seat > 0
	}
	return table.BoxZone(e.Zone)
}
