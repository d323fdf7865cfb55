package narrate

import (
	"maps"
	"slices"
	"time"

	"vision/internal/card"
	"vision/validate/track/scene"
)

// changed adds the cards that were exchanged for others in the same place
// unseen, as dealt when hands left the zone; those that were there before are
// taken to have lain face down.
func (s *Narration) changed() {
	for _, zone := range slices.Sorted(maps.Keys(s.Scene.Exchanges)) {
		w := s.Scene.Exchanges[zone]
		if w.At.IsZero() {
			continue
		}
		var laid []dealtCard
		for _, i := range s.exchangedUnseen(zone, w) {
			c := s.Hand[i]
			c.from, c.at = w.From, s.beforeLaterTurns(zone, w)
			if at := s.Scene.Tracks[c.track].Shifted; !at.IsZero() {
				c.from, c.at = scene.Earliest(c.from, at), scene.Earliest(c.at, at)
			}
			s.Hand[i].card, s.Hand[i].turned, s.Hand[i].replaced = card.Unseen, time.Time{}, c.at
			laid = append(laid, c)
		}
		for _, c := range laid {
			s.lay(c)
		}
	}
}

// beforeLaterTurns is when the cards of a zone were most likely changed: hands go round, so before a
// zone whose turn is later got any while they were there.
func (s *Narration) beforeLaterTurns(zone string, w scene.Exchange) time.Time {
	at := w.At
	_, turn := s.Game.dealtTo(zone)
	for _, o := range s.Hand {
		if _, later := s.Game.dealtTo(o.zone); later > turn && o.at.After(w.From) && o.at.Before(at) {
			at = scene.JustBefore(o.at)
		}
	}
	return at
}

// exchangedUnseen are the cards of a zone, by their places in the hand, that were most
// likely changed for others in the same place; of cards that lie alike, the last.
func (s *Narration) exchangedUnseen(zone string, w scene.Exchange) (may []int) {
	for i, c := range s.Hand {
		shown := !c.turned.IsZero() && c.turned.Before(w.At)
		if c.zone == zone && c.down && !shown && c.at.Before(w.From) && s.Scene.Tracks[c.track].Retired.IsZero() {
			may = append(may, i)
		}
	}
	slices.Reverse(may)
	slices.SortStableFunc(may, func(a, b int) int {
		return s.Scene.Tracks[s.Hand[a].track].Likelier(&s.Scene.Tracks[s.Hand[b].track])
	})
	may = may[:min(w.Left, len(may))]
	slices.Sort(may)
	return may
}

// lay puts a card into the hand before those of its zone that were laid later.
func (s *Narration) lay(c dealtCard) {
	at := slices.IndexFunc(s.Hand, func(o dealtCard) bool { return o.zone == c.zone && o.at.After(c.at) })
	if at < 0 {
		at = len(s.Hand)
	}
	s.Hand = slices.Insert(s.Hand, at, c)
}

// changedAndTaken adds the cards that were laid for others and taken away with the whole
// hand before hands left the zone for the first time: nobody saw them lie there.
func (s *Narration) changedAndTaken() {
	retired := map[string][]dealtCard{}
	for _, c := range s.Hand {
		if !s.Scene.Tracks[c.track].Retired.IsZero() {
			retired[c.zone] = append(retired[c.zone], c)
		}
	}
	for _, zone := range slices.Sorted(maps.Keys(retired)) {
		since := s.Scene.Tracks[retired[zone][0].track].Retired
		at, from, taken := s.left(zone)
		seen := 0 // of those laid for others
		for _, c := range s.Hand {
			sl := &s.Scene.Tracks[c.track]
			if c.zone != zone || !sl.Retired.IsZero() {
				continue
			}
			taken = taken && sl.Left.Equal(at)
			if !c.at.Before(since) {
				seen++
			}
		}
		if !taken || at.Sub(from) < scene.LayAndTake {
			continue
		}
		for _, c := range retired[zone][min(seen, len(retired[zone])):] {
			c.card, c.turned, c.down = card.Unseen, time.Time{}, true
			c.from, c.at = from, from.Add(at.Sub(from)/2)
			s.Hand = append(s.Hand, c)
		}
	}
}
