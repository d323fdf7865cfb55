// Package blackjack judges blackjack: a record is walked once, hands change as
// cards and actions come (play.go); then the deal, the bank and the calls (deal.go), the
// settlement and its order (settle.go) are judged. Odds, boxes and what may be doubled
// are data of the rulebook.
package blackjack

import (
	"cmp"
	"strconv"

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
	choices     int          // where insurance and surrender end: that card, or the second of the bank
	thirdBy     map[int]bool // boxes that took one
	boxes       []int        // boxes with a stake, ascending
	actions     map[string]int
	asked       map[int]int // splits of a box that were asked for, the refused ones too
	said        map[int]int // totals of the hands whose score was called, by event; -1 unknown
	bankTotal   int
	sideOffered bool
}

// Judge judges a round of blackjack.
func (r *Rules) Judge(t *table.Table) error {
	g := &blackjack{Table: t, r: r, thirdBy: map[int]bool{}, actions: map[string]int{}, asked: map[int]int{},
		said: map[int]int{}, bankTotal: -1}
	zones := func(z string) bool {
		_, _, ok := table.BoxZone(z)
		return ok || z == "bank"
	}
	if err := cmp.Or(t.Read(table.Kind{Zones: zones}), g.options()); err != nil {
		return err
	}
	return g.judge()
}

func (g *blackjack) judge() error {
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
	g.CheckMoney(g.Settle(g.s, g.settle))
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
	g.choices = min(g.third, g.bankSecond)
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
