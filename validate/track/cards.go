package track

import (
	"sort"
	"time"

	"vision/internal/fact"
)

// Distances in millimetres by which readings of one card are told from
// readings of two. Cards are dealt at least about twenty apart.
const (
	sameSpot  = 12 // another face here is a better reading of the same card
	nearby    = 45 // an unread card here is the one that lay there
	turnReach = 90 // a card that is turned may travel so far
)

// readCards compares the cards of a zone with those that lay there before.
func (f *felt) readCards(z *zone, cards []fact.Card, r rest) {
	if f.newDeal(cards, r.at) {
		f.end(r.at, "the next round was dealt")
	}
	sc := f.scene
	matched := sc.match(z.name, cards)
	lying := map[int]bool{}
	for _, s := range matched {
		lying[s] = true
	}
	for i := range sc.slots {
		if sl := &sc.slots[i]; sl.zone == z.name {
			if sl.here && !lying[i] {
				sl.gone, sl.left, sl.alone = r.from, r.at, len(lying) == 0 && !r.again
				sl.aside = f.game.laid != "" && len(lying) == 0
				sc.retire(sl, r.at)
			}
			sl.here = lying[i]
		}
	}
	for _, i := range leftToRight(cards) {
		if s, ok := matched[i]; ok {
			sc.nudged(s, cards[i], r.at)
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
	sc.touched(z.name, r)
	laid := f.game.laid == "" || sc.last(func(h *happening) bool { return h.isCall(f.game.laid) }) >= 0
	if dealt, left := sc.dealt(); dealt > 0 && left == 0 && laid {
		if sc.cleared.IsZero() {
			sc.cleared = r.at
		}
	} else {
		sc.cleared = time.Time{}
	}
}

// leftToRight are the indices of cards in the order in which they were dealt.
func leftToRight(cards []fact.Card) []int {
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return cards[order[i]].At[0] < cards[order[j]].At[0] })
	return order
}

// newDeal tells that these cards belong to the next round: the table was
// cleared some time ago.
func (f *felt) newDeal(cards []fact.Card, at time.Time) bool {
	const covered = 3 * time.Second // cards under a hand come back sooner
	if f.game.held && f.scene.last(func(h *happening) bool { return h.kind == chipsSeen && h.place.Spot == paySpot }) < 0 {
		return false
	}
	return len(cards) > 0 && !f.scene.cleared.IsZero() && at.Sub(f.scene.cleared) > covered
}

// appear takes in a card that was not there: dealt, or moved over in a split.
func (f *felt) appear(z *zone, c fact.Card, r rest) {
	sc := f.scene
	if s := sc.splitFrom(z.name, c); s >= 0 {
		source := sc.slots[s].zone
		sc.slots[s].zone, sc.slots[s].here = z.name, true
		sc.slots[s].improve(c)
		f.put(happening{kind: cardMoved, from: r.from, at: r.at, zone: source, to: z.name, slot: s})
		return
	}
	if len(sc.slots) >= maxSlots {
		sc.mark("too many cards for one round")
		return
	}
	if s := sc.covered(z.name, c, r.at); s >= 0 {
		sc.slots[s].retired = time.Time{}
		w := sc.swaps[z.name]
		w.left++
		sc.swaps[z.name] = w
		f.reread(s, c, r)
		return
	}
	label, _ := fact.Best(c.Guesses)
	if label == back && sc.unturn(z.name, c) {
		return
	}
	sc.slots = append(sc.slots, slot{
		zone: z.name, at: c.At, guesses: c.Guesses, abstain: c.Abstain,
		back: label == back, here: true, came: r.at,
	})
	f.put(happening{kind: cardSeen, from: r.from, at: r.at, zone: z.name, slot: len(sc.slots) - 1})
}

// splitFrom is the card that a split takes to zone: the first card of a second
// hand comes from the seat's other hands, never from the shoe. -1: none.
func (sc *scene) splitFrom(zone string, c fact.Card) int {
	seat, hand := handOf(zone)
	if hand < 2 {
		return -1
	}
	label, _ := fact.Best(c.Guesses)
	inZone := map[string]int{}
	for _, s := range sc.slots {
		if s.zone == zone && !s.stale {
			return -1
		}
		inZone[s.zone]++
	}
	best, weight := -1, 0
	for i, s := range sc.slots {
		if n, _ := handOf(s.zone); n != seat || s.stale || inZone[s.zone] < 2 {
			continue
		}
		w := 1
		if l, _ := fact.Best(s.guesses); l == label && label != "" {
			w += 2
		}
		if !s.here {
			w++
		}
		if w >= weight {
			best, weight = i, w
		}
	}
	return best
}

// reread takes in another reading of a card that is known.
func (f *felt) reread(s int, c fact.Card, r rest) {
	sl := &f.scene.slots[s]
	label, _ := fact.Best(c.Guesses)
	turned := sl.back && (c.Abstain == "" && label != "" && label != back || faceUp(c))
	const found = 4 * time.Second
	if turned && !sl.alone && !sl.left.IsZero() && r.at.Sub(sl.left) < found {
		r.from, r.at = sl.gone, sl.left // its back was gone then, among others that lay there
	}
	sl.here, sl.left = true, time.Time{}
	lay := sl.at
	if turned && c.Abstain != "" {
		sl.at, sl.back, sl.guesses, sl.abstain = c.At, false, c.Guesses, c.Abstain
	}
	if sl.improve(c); sl.back && sl.abstain == "" && sl.turn > 0 {
		f.scene.items[sl.turn-1].slot, sl.turn = nobody, 0 // it was not turned: a hand was there
	}
	if turned && !sl.stale {
		f.put(happening{kind: cardTurned, from: r.from, at: r.at, zone: sl.zone, slot: s})
		sl.lay, sl.turn = lay, len(f.scene.items)
	}
}

// nobody is the slot of a happening that was taken back.
const nobody = -1

// faceUp tells that a reading shows surely a face, though not surely which. What is
// missing of the guesses is hardly a back where they name the back, or others that
// are less likely still.
func faceUp(c fact.Card) bool {
	const surely, mostly, hardly = 0.9, 0.75, 0.05
	label, best := fact.Best(c.Guesses)
	faces, behind, least := 0.0, -1.0, 1.0
	for _, g := range c.Guesses {
		if least = min(least, g.P); g.Label == back {
			behind = g.P
		} else {
			faces += g.P
		}
	}
	if behind < 0 {
		behind = min(least, 1-faces) // the guesses are sorted
	}
	return c.Abstain == "unsure" && label != back && (faces >= surely || best >= likely && faces >= mostly && behind <= hardly*faces)
}

// unturn takes back that a card was turned where its back lies again: it was
// covered, and the face seen meanwhile is of another card. False when no card
// of the zone was turned from there.
func (sc *scene) unturn(zone string, c fact.Card) bool {
	for i := range sc.slots {
		sl := &sc.slots[i]
		if sl.zone != zone || sl.turn == 0 || gap(c.At, sl.lay) > sameSpot || gap(sl.at, sl.lay) <= sameSpot || len(sc.slots) >= maxSlots {
			continue
		}
		h := &sc.items[sl.turn-1]
		other := *sl
		other.back, other.came, other.turn = false, h.at, 0
		h.kind, h.slot = cardSeen, len(sc.slots)
		*sl = slot{zone: zone, at: c.At, guesses: c.Guesses, back: true, here: true, came: sl.came}
		sc.slots = append(sc.slots, other)
		return true
	}
	return false
}

// improve keeps the better of two readings. A face is never read back into a
// back: a hand or a shadow did that.
func (s *slot) improve(c fact.Card) {
	s.at = c.At
	label, p := fact.Best(c.Guesses)
	known, q := fact.Best(s.guesses)
	switch {
	case c.Abstain != "" || label == "":
		return
	case s.abstain != "" || known == "":
		s.back = label == back
	case label == back && known != back:
		return
	case known == back && label != back:
		s.back = false
	case label == known && p < q:
		return
	case label != known && p <= q:
		return
	}
	s.guesses, s.abstain = c.Guesses, ""
}

// match pairs the cards read in a zone with the slots known there, best pair
// first; the result maps a card's index to its slot.
func (sc *scene) match(zone string, cards []fact.Card) map[int]int {
	type pair struct {
		card, slot int
		score      float64
	}
	var pairs []pair
	for i, c := range cards {
		for j := range sc.slots {
			if sc.slots[j].zone != zone || !sc.slots[j].retired.IsZero() {
				continue
			}
			if (sc.swaps.open(zone) || sc.game.laid != "") && another(c, &sc.slots[j]) {
				continue // the one that lay there was changed for it
			}
			if score, ok := likeness(c, &sc.slots[j]); ok {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].score > pairs[j].score })
	matched, taken := map[int]int{}, map[int]bool{}
	for _, p := range pairs {
		if _, done := matched[p.card]; done || taken[p.slot] {
			continue
		}
		matched[p.card], taken[p.slot] = p.slot, true
	}
	return matched
}

// another tells that a reading shows surely a face other than that of a slot.
func another(c fact.Card, s *slot) bool {
	const surely = 0.98
	label, p := fact.Best(c.Guesses)
	known, q := fact.Best(s.guesses)
	return c.Abstain == "" && s.abstain == "" && min(p, q) >= surely && label != known && label != back && known != back
}

// likeness scores that a reading shows the card of a slot.
func likeness(c fact.Card, s *slot) (float64, bool) {
	d := gap(c.At, s.at)
	label, _ := fact.Best(c.Guesses)
	known, _ := fact.Best(s.guesses)
	away := 0.0
	if !s.here {
		away = 0.2
	}
	switch {
	case (c.Abstain != "" || label == "") && d <= sameSpot:
		return 3.2 - d/nearby - away, true // where one lies, it is that one
	case c.Abstain != "" || label == "" || s.abstain != "" || known == "":
		return 1 - d/nearby - away, d <= nearby
	case label == known && label != back:
		return 4 - d/1000 - away, true
	case label == known:
		return 3 - d/100 - away, d <= turnReach
	case known == back || label == back:
		return 2 - d/100 - away, d <= turnReach
	}
	return 1 - d/sameSpot - away, d <= sameSpot && !s.aside
}
