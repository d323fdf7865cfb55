package track

import (
	"slices"
	"strings"
	"time"

	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// showFirst has the bank's cards turned, and those it draws dealt, before the
// players' are turned if the times allow it: the arm that turns theirs lies over
// the bank's, which are read late.
func (b *bankedStory) showFirst() {
	var players time.Time
	for _, c := range b.hand {
		if n, _ := handOf(c.zone); n > 0 {
			players = earliest(players, c.turned)
		}
	}
	last := b.last()
	for i := range b.hand {
		c := &b.hand[i]
		if c.zone != last || players.IsZero() {
			continue
		}
		if !c.turned.Before(players) && c.since.Before(players) {
			c.turned = players.Add(-2 * time.Millisecond)
		}
		if !c.at.Before(players) && c.from.Before(players) {
			c.at = players.Add(-time.Millisecond)
		}
	}
}

// bonusFirst has the cards on which the Texas Bonus goes turned before any of it is
// settled, or if the times do not allow that, before their own seat's: the arms that
// take it lie over them.
func (b *bankedStory) bonusFirst() {
	called := b.firstCall("texas_bonus")
	if called.IsZero() {
		return
	}
	var first time.Time
	own := map[int]time.Time{} // by seat
	for _, m := range b.moves {
		if b.rules.Spots[m.place.Spot].Against == housepoker.AgainstFlop && m.at.After(called) {
			first, own[m.place.Seat] = earliest(first, m.at), earliest(own[m.place.Seat], m.at)
		}
	}
	for i := range b.hand {
		c := &b.hand[i]
		n, _ := handOf(c.zone)
		if own[n].IsZero() || c.turned.IsZero() {
			continue
		}
		for _, at := range []time.Time{first, own[n]} {
			if c.since.Before(at) {
				c.turned = earliest(c.turned, at.Add(-time.Millisecond))
				break
			}
		}
	}
}

// marks finds the end of the deal and the moment from which money is settled.
func (b *bankedStory) marks() {
	d := b.rules.Deal
	count := map[string]int{}
	last := b.last()
	for _, c := range b.hand {
		n, _ := handOf(c.zone)
		count[c.zone]++
		if (n > 0 && count[c.zone] <= d.Own || c.zone == "bank" && count[c.zone] <= d.Bank || slices.Contains(d.Commons, c.zone)) && c.at.After(b.dealt) {
			b.dealt = c.at
		}
		if c.zone == last && !c.turned.IsZero() {
			b.shown = earliest(b.shown, c.turned)
		}
	}
}

// folds tells who gave up: whose cards were taken for good before the bank
// showed its own and who had not gone on, or who lost his ante then and must
// leave his cards for a bonus.
func (b *bankedStory) folds() {
	if !slices.Contains(b.rules.Actions, "fold") {
		return
	}
	for _, zone := range b.dealtSeats() {
		seat, _ := handOf(zone)
		if at := b.saidFold(seat); !at.IsZero() {
			b.fold[seat] = at
			continue
		}
		at, from := b.gaveUp(seat, zone)
		if at.IsZero() || b.wentOn(seat, at) {
			continue
		}
		b.fold[seat] = at
		b.tell(round.Event{Type: round.Action, Seat: seat, Action: "fold"}, from, at, -1)
	}
}

// saidFold is when the terminal reported a seat's giving up; zero when it did not.
func (s *story) saidFold(seat int) time.Time {
	for _, e := range s.told {
		if e.event.Type == round.Action && e.event.Seat == seat && (e.event.Action == "fold" || e.event.Action == "surrender") {
			return e.at
		}
	}
	return time.Time{}
}

// gaveUp is when a seat's cards or its ante were taken before the showdown.
func (b *bankedStory) gaveUp(seat int, zone string) (at, from time.Time) {
	before := func(t time.Time) bool { return b.shown.IsZero() || t.Before(b.shown) }
	taken := b.anteTaken(seat, before)
	left, began, gone := b.left(zone)
	switch {
	case gone && before(left) && (!taken.at.IsZero() || b.final):
		at, from = left, began
		if !taken.at.IsZero() && taken.at.Before(at) && at.Sub(taken.at) < 5*time.Second {
			at, from = taken.at, taken.from
		}
	case !(gone && before(left)) && !taken.at.IsZero() && b.mustShow(seat):
		at, from = taken.at, taken.from
	}
	return at, from
}

// anteTaken is the first time that chips leave the seat's ante after the deal.
func (b *bankedStory) anteTaken(seat int, before func(time.Time) bool) (m move) {
	for _, m := range b.moves {
		if m.place == (place{seat, "ante"}) && m.delta < 0 && m.at.After(b.dealt) && before(m.at) && !b.timely(m) {
			return m
		}
	}
	return move{}
}

// left is when the last card of a zone was taken; gone is false while one lies
// there, or came back, or was shown.
func (s *story) left(zone string) (at, from time.Time, gone bool) {
	n := 0
	for _, c := range s.hand {
		sl := &s.sc.slots[c.slot]
		if sl.zone != zone || !sl.retired.IsZero() {
			continue
		}
		if sl.here || sl.left.IsZero() {
			return time.Time{}, time.Time{}, false
		}
		n++
		if sl.left.After(at) {
			at, from = sl.left, sl.gone
		}
	}
	return at, from, n > 0
}

// mustShow tells that a seat has a bet for which folded cards stay on the table.
func (b *bankedStory) mustShow(seat int) bool {
	return slices.ContainsFunc(b.told, func(e told) bool {
		return e.event.Type == round.Bet && e.event.Seat == seat && b.rules.Spots[e.event.Spot].FoldShows
	})
}

// wentOn tells that a seat laid its second stake before t.
func (b *bankedStory) wentOn(seat int, t time.Time) bool {
	return slices.ContainsFunc(b.moves, func(m move) bool {
		return m.place == (place{seat, b.rules.Second}) && m.delta > 0 && m.at.Before(t)
	})
}

// plays tells the decision that a second stake shows.
func (b *bankedStory) plays() {
	if !slices.Contains(b.rules.Actions, "play") {
		return
	}
	done := map[int]bool{}
	for _, m := range b.moves {
		seat := m.place.Seat
		if m.place.Spot != b.rules.Second || m.delta <= 0 || done[seat] || b.settles(m) || !m.at.After(b.dealt) {
			continue
		}
		done[seat] = true
		if !b.fold[seat].IsZero() || b.actedBefore("play", m.place, m.at.Add(b.slow)) {
			continue
		}
		b.tell(round.Event{Type: round.Action, Seat: seat, Action: "play"}, m.from, m.at, -1)
	}
}

// passes tells the checks of turn and river where the terminal reports none in
// the whole round: who is in play and lays nothing has passed.
func (b *bankedStory) passes() {
	if !b.rules.Deal.Streets || b.heardAction("check") {
		return
	}
	for k, spot := range []string{"turn", "river"} {
		at := b.streetAt(3 + k)
		if at.IsZero() {
			return
		}
		for _, zone := range b.dealtSeats() {
			seat, _ := handOf(zone)
			bet := func(m move) bool {
				return m.place == (place{seat, spot}) && m.delta > 0 && m.at.Before(at)
			}
			if b.fold[seat].IsZero() && !slices.ContainsFunc(b.moves, bet) {
				b.tell(round.Event{Type: round.Action, Seat: seat, Action: "check"}, at, at, 1)
			}
		}
	}
}

// streetAt is just before the board card after the first n, or the burn before it.
func (s *story) streetAt(n int) time.Time {
	var board []time.Time
	for _, c := range s.hand {
		if strings.HasPrefix(c.zone, "board") {
			board = append(board, c.at)
		}
	}
	if len(board) <= n {
		return time.Time{}
	}
	at := board[n]
	for _, e := range s.told {
		if e.event.Type == round.Burn && e.at.After(board[n-1]) && e.at.Before(at) {
			at = e.at
		}
	}
	return at.Add(-time.Millisecond)
}

func (s *story) heardAction(what string) bool {
	return slices.ContainsFunc(s.sc.items, func(h happening) bool { return h.isEvent(round.Action) && h.event.Action == what })
}
