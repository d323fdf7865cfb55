package scene

import (
	"cmp"
	"slices"
	"time"

	"vision/internal/fact"
)

// Distances in millimetres by which readings of one card are distinguished from readings of two,
// by the height of cards, which bridge and poker size have in common, and the width of an index
// with its margin, which shows at least of a card that lies under another.
const (
	sameSpot   = 12             // another face here is a better reading of the same card
	cardHeight = 88             // a card that is turned may travel so far
	nearby     = cardHeight / 2 // an unread card here is the one that lay there
)

// readCards compares the cards of a zone with those that lay there before.
func (f *Felt) readCards(z *Zone, cards []fact.Card, r rest) {
	if f.newDeal(cards, r.at) {
		f.end(r.at)
	}
	sc := f.Scene
	matched := sc.match(z.name, cards, r)
	lying := map[int]bool{}
	for _, s := range matched {
		lying[s] = true
	}
	for i := range sc.Tracks {
		if sl := &sc.Tracks[i]; sl.Zone == z.name {
			if sl.OnTable && !lying[i] {
				sl.Gone, sl.Left, sl.alone = r.from, r.at, len(lying) == 0 && !r.again
				sl.under = sl.Back && len(lying) > 0 && slices.Equal(r.hands, []string{fact.Players})
				if sl.Gone.Before(sl.Came) {
					sl.Gone = sl.Came // it was glimpsed after the zone began to move
				}
				sl.aside = f.course.Laid != "" && len(lying) == 0
				sc.retire(sl, r.at)
			}
			sl.OnTable = lying[i]
		}
	}
	for _, i := range leftToRight(cards) {
		if s, ok := matched[i]; ok {
			sc.noteShift(s, cards[i], r.at)
			f.reread(s, cards[i], r)
		}
	}
	for _, i := range leftToRight(cards) {
		if _, ok := matched[i]; ok {
			continue
		}
		if r.first {
			sc.mark(underWay)
		}
		f.appear(z, cards[i], r)
	}
	sc.atRest(z.name, r)
	laid := f.course.Laid == "" || sc.Last(func(h *Event) bool { return h.IsCall(f.course.Laid) }) >= 0
	if dealt, left := sc.dealt(); dealt > 0 && left == 0 && laid {
		if sc.Cleared.IsZero() {
			sc.Cleared = r.at
			f.reopen()
		}
	} else {
		sc.Cleared = time.Time{}
	}
}

// leftToRight are the indices of cards in the order in which they were dealt.
func leftToRight(cards []fact.Card) []int {
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(cards[i].At[0], cards[j].At[0]) })
	return order
}

// newDeal reports whether these cards belong to the next round: the table was
// cleared some time ago.
func (f *Felt) newDeal(cards []fact.Card, at time.Time) bool {
	if f.course.Held &&
		f.Scene.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place.Spot == PaySpot }) < 0 {
		return false
	}
	return len(cards) > 0 && !f.Scene.Cleared.IsZero() && at.Sub(f.Scene.Cleared) > OneGo
}

// appear takes in a card that was not there: dealt, or moved over in a split.
func (f *Felt) appear(z *Zone, c fact.Card, r rest) {
	sc := f.Scene
	if s := sc.splitFrom(z.name, c); s >= 0 {
		source := sc.Tracks[s].Zone
		sc.Tracks[s].Zone, sc.Tracks[s].OnTable = z.name, true
		sc.Tracks[s].improve(c)
		f.put(Event{Kind: CardMoved, From: r.from, At: r.at, Zone: source, To: z.name, Track: s})
		return
	}
	if len(sc.Tracks) >= maxTracks {
		sc.mark("too many cards for one round")
		return
	}
	if s := sc.covered(z.name, c, r.at); s >= 0 {
		sc.Tracks[s].Retired = time.Time{}
		w := sc.Exchanges[z.name]
		w.Left++
		sc.Exchanges[z.name] = w
		f.reread(s, c, r)
		return
	}
	if backUp(c) && sc.unturn(z.name, c) {
		return
	}
	if s := sc.ofHand(z.name, c, r); s >= 0 {
		f.reread(s, c, r)
		return
	}
	sc.Tracks = append(sc.Tracks, Track{
		Zone: z.name, at: c.At, Guesses: c.Guesses, Abstain: c.Abstain,
		Back: backUp(c), OnTable: true, Came: r.at,
	})
	f.put(Event{Kind: CardSeen, From: r.from, At: r.at, Zone: z.name, Track: len(sc.Tracks) - 1})
}

// splitFrom is the card that a split takes to zone: the first card of a second
// hand comes from the seat's other hands, never from the shoe. -1: none.
func (sc *Scene) splitFrom(zone string, c fact.Card) int {
	seat, hand := HandOf(zone)
	if hand < 2 {
		return -1
	}
	label, _ := fact.Best(c.Guesses)
	inZone := map[string]int{}
	for _, s := range sc.Tracks {
		if s.Zone == zone && !s.Earlier {
			return -1
		}
		inZone[s.Zone]++
	}
	best, weight := -1, 0
	for i, s := range sc.Tracks {
		if SeatOf(s.Zone) != seat || s.Earlier || inZone[s.Zone] < 2 {
			continue
		}
		w := 1
		if l, _ := fact.Best(s.Guesses); l == label && label != "" {
			w += 2
		}
		if !s.OnTable {
			w++
		}
		if w >= weight {
			best, weight = i, w
		}
	}
	return best
}

// reread takes in another reading of a card that is known.
func (f *Felt) reread(s int, c fact.Card, r rest) {
	sl := &f.Scene.Tracks[s]
	turned := sl.Back && showsFace(c)
	switch {
	case labelOf(c) != "":
		sl.Dulled = Span{}
	case sl.Back && !r.again && sl.Dulled.At.IsZero():
		sl.Dulled = Span{r.from, r.at}
	}
	if turned && !sl.alone && !sl.Left.IsZero() && r.at.Sub(sl.Left) < OneGo {
		r.from, r.at = sl.Gone, sl.Left // its back was gone then, among others that lay there
	}
	if turned && !sl.bared.IsZero() && sl.bared.Before(r.at) {
		r.from, r.at = Earliest(r.from, sl.bared), sl.bared
	}
	sl.bared = time.Time{}
	sl.OnTable, sl.Left = true, time.Time{}
	lay := sl.at
	if turned && c.Abstain != "" {
		sl.at, sl.Back, sl.Guesses, sl.Abstain = c.At, false, c.Guesses, c.Abstain
	}
	if sl.improve(c); sl.Back && sl.Abstain == "" && sl.turn > 0 {
		f.Scene.Events[sl.turn-1].Track, sl.turn = noTrack, 0 // it was not turned: a hand was there
	}
	if turned && !sl.Earlier {
		f.put(Event{Kind: CardTurned, From: r.from, At: r.at, Zone: sl.Zone, Track: s})
		sl.lay, sl.turn = lay, len(f.Scene.Events)
	}
}

// faceGlimpsed takes in that a card of which the back is known was glimpsed, and when: since when other
// cards lie still is no evidence of when it was turned.
func (s *Track) faceGlimpsed(c fact.Card, at time.Time) {
	switch label, _ := fact.Best(c.Guesses); {
	case !s.Back || label == Back:
		s.bared = time.Time{}
	case s.bared.IsZero() && c.Abstain == "" && label != "":
		s.bared = at
	}
}

// noTrack is the track of an event that was taken back.
const noTrack = -1

// faceUp reports whether a reading shows surely a face, though not surely which, whatever
// keeps it from being sure; under another card that card's face may show. What is
// missing of the guesses is no likelier a back than by them, or than the least that they name.
func faceUp(c fact.Card) bool {
	faces, behind, least := 0.0, -1.0, 1.0
	for _, g := range c.Guesses {
		if least = min(least, g.P); g.Label == Back {
			behind = g.P
		} else {
			faces += g.P
		}
	}
	if behind < 0 {
		behind = min(least, 1-faces) // the guesses are sorted
	}
	return c.Abstain != "" && c.Abstain != "occluded" && faces >= Likely && faces >= firm*(faces+behind)
}

// unturn takes back that a card was turned where its back lies again: it was
// covered, and the face seen meanwhile is of another card. False when no card
// of the zone was turned from there.
func (sc *Scene) unturn(zone string, c fact.Card) bool {
	for i := range sc.Tracks {
		sl := &sc.Tracks[i]
		if sl.Zone != zone || sl.turn == 0 || distance(c.At, sl.lay) > sameSpot ||
			distance(sl.at, sl.lay) <= sameSpot ||
			len(sc.Tracks) >= maxTracks {
			continue
		}
		h := &sc.Events[sl.turn-1]
		other := *sl
		other.Back, other.Came, other.turn = false, h.At, 0
		h.Kind, h.Track = CardSeen, len(sc.Tracks)
		*sl = Track{Zone: zone, at: c.At, Guesses: c.Guesses, Back: true, OnTable: true, Came: sl.Came}
		sc.Tracks = append(sc.Tracks, other)
		return true
	}
	return false
}

// improve keeps the better of two readings. A face is never read back into a
// back: a hand or a shadow did that.
func (s *Track) improve(c fact.Card) {
	s.at = c.At
	label, p := fact.Best(c.Guesses)
	known, q := fact.Best(s.Guesses)
	switch {
	case c.Abstain != "" || label == "":
		return
	case s.Abstain != "" || known == "":
		s.Back = label == Back
	case label == Back && known != Back:
		return
	case known == Back && label != Back:
		s.Back = false
	case label == known && p < q:
		return
	case label != known && p <= q:
		return
	}
	s.Guesses, s.Abstain = c.Guesses, ""
}

// match pairs the cards read in a zone at a rest, or glimpsed before one, with the tracks known
// there, best pair first; the result maps a card's index to its track.
func (sc *Scene) match(zone string, cards []fact.Card, r rest) map[int]int {
	if spread := sc.spread(zone, cards); spread != nil {
		return spread
	}
	type pair struct {
		card, slot int
		likeness
	}
	var pairs []pair
	for i, c := range cards {
		for j := range sc.Tracks {
			if sc.Tracks[j].Zone != zone || !sc.Tracks[j].Retired.IsZero() {
				continue
			}
			if (sc.Exchanges.open(zone) || sc.Course.Laid != "") && another(c, &sc.Tracks[j]) {
				continue // the one that lay there was changed for it
			}
			if slices.Equal(r.hands, []string{fact.Bank}) && sc.Tracks[j].beneath(c) {
				continue // the house dealt it beside those that its owner pushed together
			}
			if r.beside(c) && distance(c.At, sc.Tracks[j].at) > sameSpot {
				continue // it was glimpsed with that one in its place
			}
			if l, ok := similarity(c, &sc.Tracks[j]); ok {
				pairs = append(pairs, pair{i, j, l})
			}
		}
	}
	slices.SortStableFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.kind, q.kind), cmp.Compare(p.off, q.off))
	})
	matched, taken := map[int]int{}, map[int]bool{}
	for _, p := range pairs {
		if _, done := matched[p.card]; done || taken[p.slot] {
			continue
		}
		matched[p.card], taken[p.slot] = p.slot, true
	}
	return matched
}

// another reports whether a reading shows surely a face other than that of a track.
func another(c fact.Card, s *Track) bool {
	label, _ := fact.Best(c.Guesses)
	known, _ := fact.Best(s.Guesses)
	return c.Abstain == "" && s.Abstain == "" && label != known && label != Back && known != Back
}

// likeness is how far a reading shows the card of a track.
type likeness struct {
	kind int     // of what speaks for it, the best first
	off  float64 // how far from there it lies
}

// similarity is how far a reading shows the card of a track; false where it cannot.
func similarity(c fact.Card, s *Track) (likeness, bool) {
	label, _ := fact.Best(c.Guesses)
	known, _ := fact.Best(s.Guesses)
	unread, off := c.Abstain != "" || label == "", distance(c.At, s.at)
	switch {
	case unread && s.aside && !s.OnTable:
		return likeness{}, false // nobody knows that it came back
	case unread && off <= sameSpot:
		return likeness{1, off}, true // where one lies, it is that one
	case unread || s.Abstain != "" || known == "":
		return likeness{4, off}, off <= nearby
	case label == known && label != Back:
		return likeness{0, off}, true
	case label == known:
		return likeness{2, off}, off <= cardHeight
	case known == Back || label == Back:
		return likeness{3, off}, off <= cardHeight
	}
	return likeness{4, off}, off <= sameSpot && !s.aside
}
