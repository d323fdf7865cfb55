package narrate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// Hands lie over a zone for some seconds, and when they leave something has changed there:
// it came about at any time since they came, on either side of what was seen elsewhere
// meanwhile. At a table one kind of thing is done at a time, and seat by seat: all hands
// are dealt, then the board; all hands are turned, then it is called who wins. So the
// likeliest time is that with which the whole is done in the fewest kinds and turns, and of
// those alike when hands left.

// doing is a kind of thing that is done at a table.
type doing string

// The kinds that are more than one zone or call.
const (
	dealing  doing = "deal"
	turning  doing = "turn"
	moving   doing = "chips" // laying, taking and giving up
	throwing doing = "throw"
	burning  doing = "burn"
)

// act is one thing of the course of a round: what it is, and whose turn, 0 for nobody's.
type act struct {
	doing
	turn     int
	called   bool // announced, not done
	dealt    bool // a card
	taken    bool // chips, where hands of both sides were
	house    bool // under the hands of the house alone
	zone     string
	names    string // the zone of which a call speaks
	from, at time.Time
	seen     time.Time // when hands had left: at the latest
	event    int       // of the scene; below 0 where cards were taken
	track    int       // the first of those
}

// together reports whether two acts were seen at once when hands left a zone.
func (a *act) together(b *act) bool {
	return a.zone == b.zone && a.from.Equal(b.from) && a.seen.Equal(b.seen) && a.event >= 0 == (b.event >= 0) &&
		a.taken == b.taken
}

// acts are the things of the scene in the order in which they were seen.
func (s *Narration) acts() (as []*act) {
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		a := &act{zone: h.Zone, from: h.From, at: h.At, seen: h.At, event: i}
		switch h.Kind {
		case scene.CardSeen, scene.CardMoved:
			a.doing, a.turn = s.Game.dealtTo(h.Zone)
			a.dealt = true
		case scene.CardTurned:
			_, a.turn = s.Game.dealtTo(h.Zone)
			a.doing = turning
		case scene.ChipsSeen:
			a.doing, a.turn = moving, h.Place.Seat
			a.taken = h.TakenAmong()
			a.house = len(h.Hands) == 1 && h.Hands[0] == fact.Bank
		case scene.DiceSeen:
			a.doing = throwing
		case scene.Heard:
			a.doing, a.turn = calledAct(&h.Line), max(h.Line.Seat, scene.SeatOf(h.Line.Zone))
			a.called = h.Line.Type == round.Announce
			a.zone, a.names = "", h.Zone // it is made while hands are over the zone that it names
		}
		as = append(as, a)
	}
	for i := range s.Scene.Tracks {
		sl := &s.Scene.Tracks[i]
		a := &act{doing: moving, zone: sl.Zone, from: sl.Gone, at: sl.Left, seen: sl.Left, event: -1, track: i}
		if sl.OnTable || sl.Earlier || sl.Left.IsZero() || slices.ContainsFunc(as, a.together) {
			continue
		}
		a.turn = scene.SeatOf(sl.Zone)
		as = append(as, a)
	}
	slices.SortStableFunc(as, func(a, b *act) int { return a.at.Compare(b.at) })
	return as
}

func calledAct(e *round.Event) doing {
	switch e.Type {
	case round.Action:
		return moving
	case round.Ball, round.Dice:
		return throwing
	case round.Announce:
		return doing(e.Call)
	}
	return doing(e.Type)
}

// dealtTo is what it is to deal a card to a zone, and whose turn: the hands are dealt in turn,
// seats before the bank or as the deal has them, and other zones one by one.
func (g *Game) dealtTo(zone string) (doing, int) {
	const last = 1000 // of all hands
	if zone == burnZone {
		return burning, 0
	}
	if seat := scene.SeatOf(zone); seat > 0 {
		return dealing, seat
	}
	if k := slices.Index(g.deal, zone); k >= 0 || zone == "bank" {
		return dealing, last + k
	}
	name, number, _ := strings.Cut(zone, ":")
	turn, _ := strconv.Atoi(number)
	return doing(name), turn
}

// breaks is what speaks against one act that follows another: that it is of another kind, and,
// half as much, an earlier turn, for turns go round, and that the house moved chips and the card
// that decides came only then. What is put aside goes with the cards that are dealt after it,
// and there are some.
func breaks(a, b *act) (n int) {
	const kind, less = 2, 1
	if a.doing == burning && b.dealt && b.doing != burning {
		return 0
	}
	switch {
	case b.called && a.doing == moving && a.turn > 0 && a.turn == b.turn: // it speaks of what was just done there
		n -= less
	case a.doing != b.doing || b.doing == burning:
		n += kind
	}
	if a.doing == burning {
		n += kind
	}
	if a.turn > 0 && b.turn > 0 && b.turn < a.turn {
		n += less
	}
	if a.house && (b.dealt || b.doing == turning) {
		n += less
	}
	return n
}

// broken is what speaks against some acts that follow one another among others before the k-th.
func broken(others, block []*act, k int) (n int) {
	if k > 0 {
		n += breaks(others[k-1], block[0])
	}
	if k < len(others) {
		n += breaks(block[len(block)-1], others[k])
	}
	if k > 0 && k < len(others) {
		n -= breaks(others[k-1], others[k])
	}
	return n
}

// inOrder are acts in their likeliest order, with the times of it.
func inOrder(as []*act) []*act {
	const passes = 3 // another may follow what was moved
	for range passes {
		moved := false
		for _, a := range slices.Clone(as) {
			as = settled(as, a, &moved)
		}
		if !moved {
			break
		}
	}
	for i := len(as) - 2; i >= 0; i-- {
		if a, next := as[i], as[i+1].at; a.at.After(next) {
			a.at = scene.Latest(shortlyBefore(next, a.from), a.from.Add(next.Sub(a.from)/2))
		}
	}
	return as
}

// settled puts what was seen at once from an act on, or only the first of it, where it makes
// the fewest breaks.
func settled(as []*act, first *act, moved *bool) []*act {
	at := slices.Index(as, first)
	n := 1
	for at+n < len(as) && as[at+n].together(first) {
		n++
	}
	for ; n > 0; n-- {
		block := slices.Clone(as[at : at+n])
		others := slices.Delete(slices.Clone(as), at, at+n)
		best, least := at, broken(others, block, at)
		for k := at - 1; k >= 0 && others[k].at.After(first.from); k-- {
			if others[k].together(first) {
				break
			}
			if b := broken(others, block, k); b < least && others[k].zone != first.zone {
				best, least = k, b
			}
		}
		if best != at {
			*moved = true
			return slices.Insert(others, best, block...)
		}
	}
	return as
}
