package track

import (
	"maps"
	"slices"
	"time"

	"vision/internal/card"
)

// changed tells the cards that were exchanged for others in the same place
// unseen, as dealt when hands left the zone; those that were there before are
// taken to have lain face down.
func (s *story) changed() {
	for _, zone := range slices.Sorted(maps.Keys(s.sc.swaps)) {
		w := s.sc.swaps[zone]
		if w.at.IsZero() {
			continue
		}
		var laid []dealtCard
		for _, i := range s.exchangedUnseen(zone, w) {
			c := s.hand[i]
			c.from, c.at = w.from, w.at
			if at := s.sc.slots[c.slot].shifted; !at.IsZero() {
				c.from, c.at = earliest(w.from, at), earliest(w.at, at)
			}
			s.hand[i].card, s.hand[i].turned, s.hand[i].replaced = card.Unseen, time.Time{}, c.at
			laid = append(laid, c)
		}
		for _, c := range laid {
			s.lay(c)
		}
	}
}

// exchangedUnseen are the cards of a zone, by their places in the hand, that were most
// likely changed for others in the same place; of cards that lie alike, the last.
func (s *story) exchangedUnseen(zone string, w swap) (may []int) {
	for i, c := range s.hand {
		shown := !c.turned.IsZero() && c.turned.Before(w.at)
		if c.zone == zone && c.down && !shown && c.at.Before(w.from) && s.sc.slots[c.slot].retired.IsZero() {
			may = append(may, i)
		}
	}
	slices.Reverse(may)
	slices.SortStableFunc(may, func(a, b int) int {
		return s.sc.slots[s.hand[a].slot].likelier(&s.sc.slots[s.hand[b].slot])
	})
	may = may[:min(w.left, len(may))]
	slices.Sort(may)
	return may
}

// lay puts a card into the hand before those of its zone that were laid later.
func (s *story) lay(c dealtCard) {
	at := slices.IndexFunc(s.hand, func(o dealtCard) bool { return o.zone == c.zone && o.at.After(c.at) })
	if at < 0 {
		at = len(s.hand)
	}
	s.hand = slices.Insert(s.hand, at, c)
}

// changedAndTaken tells the cards that were laid for others and taken away with the whole
// hand before hands left the zone for the first time: nobody saw them lie there.
func (s *story) changedAndTaken() {
	const layAndTake = 1500 * time.Millisecond // no croupier does both sooner
	retired := map[string][]dealtCard{}
	for _, c := range s.hand {
		if !s.sc.slots[c.slot].retired.IsZero() {
			retired[c.zone] = append(retired[c.zone], c)
		}
	}
	for _, zone := range slices.Sorted(maps.Keys(retired)) {
		since := s.sc.slots[retired[zone][0].slot].retired
		at, from, taken := s.left(zone)
		seen := 0 // of those laid for others
		for _, c := range s.hand {
			sl := &s.sc.slots[c.slot]
			if c.zone != zone || !sl.retired.IsZero() {
				continue
			}
			taken = taken && sl.left.Equal(at)
			if !c.at.Before(since) {
				seen++
			}
		}
		if !taken || at.Sub(from) < layAndTake {
			continue
		}
		for _, c := range retired[zone][min(seen, len(retired[zone])):] {
			c.card, c.turned, c.down = card.Unseen, time.Time{}, true
			c.from, c.at = from, from.Add(at.Sub(from)/2)
			s.hand = append(s.hand, c)
		}
	}
}
