// Package blackjack judges blackjack: a record is walked once, hands change as
// cards and actions come (play.go); then the deal, the bank and the calls (deal.go), the
// settlement and its order (settle.go) are judged. Odds, boxes and what may be doubled
// are data of the rulebook.
package blackjack

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
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

// window is the state of a bet on its spot.
func (g *blackjack) window(i int, e *round.Event) game.BetState {
	name, arg, has := strings.Cut(e.Spot, ":")
	n := game.Ordinal(arg)
	if has && n == 0 {
		return game.UnknownSpot
	}
	open := game.Until(i, g.Close)
	switch {
	case name == "main" && !has:
		return g.onBox(open, e.Seat)
	case name == "main" && n == e.Seat:
		return game.Refused
	case name == "main":
		return g.onBox(open, n)
	case name == "split" && has && n >= 2:
		if g.actions["split"+strconv.Itoa(e.Seat)+"/0"] < n-1 {
			return game.Refused
		}
		return game.Plays
	case name == "double" && (!has || n >= 2):
		if g.actions["double"+strconv.Itoa(e.Seat)+"/"+strconv.Itoa(max(n, 1))] == 0 {
			return game.Refused
		}
		return game.Plays
	case e.Spot == "seguro":
		if ace, known := g.bankAce(); known && !ace {
			return game.Refused
		}
		return game.Until(i, g.choices)
	case e.Spot == "bolsa" || e.Spot == "jackpot":
		if e.Spot != g.r.SideSpot || !g.sideOffered {
			return game.Refused
		}
		return open
	}
	return game.UnknownSpot
}

func (g *blackjack) onBox(open game.BetState, box int) game.BetState {
	if box > g.opt.boxes {
		return game.Refused
	}
	return open
}

// boxOf is the box that a stake plays on; 0 for side bets and insurance.
func boxOf(c game.Place) int {
	name, arg, has := strings.Cut(c.Spot, ":")
	if name == "main" && has {
		n, _ := strconv.Atoi(arg)
		return n
	}
	if name == "main" || name == "split" || name == "double" {
		return c.Seat
	}
	return 0
}

func isMain(spot string) bool { return spot == "main" || strings.HasPrefix(spot, "main:") }

// seats lists the boxes with a stake and refuses bettors above the number that a box takes.
func (g *blackjack) seats() {
	bettors := map[int]int{}
	for _, c := range g.s.List {
		if !isMain(c.Spot) || c.Refused || c.AtDeal() == 0 {
			continue
		}
		b := boxOf(c.Place)
		if bettors[b]++; g.r.MaxBettors > 0 && bettors[b] > g.r.MaxBettors {
			c.Refused = true
		}
		if !slices.Contains(g.boxes, b) {
			g.boxes = append(g.boxes, b)
		}
	}
	slices.Sort(g.boxes)
	if len(g.boxes) < g.r.MinBoxes && g.FirstDealt < len(g.Events) {
		g.At(g.FirstDealt, finding.OtherProcedure)
	}
}

func (g *blackjack) limits() {
	tab := g.Rec.Table
	for _, c := range g.s.List {
		switch {
		case c.Refused || c.Stake == 0:
		case isMain(c.Spot):
			g.Limit(c, tab.Min, tab.Max)
		case c.Spot == "seguro":
			if most := g.ownStake(c.Seat) / 2; c.Stake > most {
				g.OnStake(c, finding.SideBetLimit, most)
			}
			if least := money.MulDiv(tab.Min, 1, 2); g.r.SeguroMin && c.Stake < least {
				g.OnStake(c, finding.BetBelowMin, least)
			}
		case c.Spot == "bolsa" && g.opt.sideStake > 0 && c.Stake != g.opt.sideStake:
			g.OnStake(c, finding.RaiseWrong, g.opt.sideStake)
		case c.Spot == g.r.SideSpot && g.r.SideHalfMin && tab.Min > 0 && c.Stake > tab.Min/2:
			g.OnStake(c, finding.SideBetLimit, tab.Min/2)
		}
	}
}

// ownStake is the stake that a player may insure: on his own box, else on those of others.
func (g *blackjack) ownStake(seat int) money.Cents {
	if own := g.s.Of(seat, "main"); own > 0 {
		return own
	}
	var sum money.Cents
	for _, c := range g.s.List {
		if c.Seat == seat && isMain(c.Spot) && !c.Refused {
			sum += c.Stake
		}
	}
	return sum
}
