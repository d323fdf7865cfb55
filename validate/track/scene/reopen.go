package scene

import (
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
)

// The croupier may open the bets while the hands with which he clears the table are still
// over it: that the cards are gone is seen only when hands have left, though they went before
// he spoke.

// opened is a call that opened the bets before the table was seen to be clear.
type opened struct {
	at    time.Time
	event int             // the call's number in the scene
	lay   map[Place]Count // chips that lay there then
}

// reopen ends the round at the call that opened the next one, where hands had come to all of
// its cards by then and all are gone. What hands of players laid since is the next round's;
// what the house moved under hands that came before the call settles this one.
func (f *Felt) reopen() {
	sc := f.Scene
	o := sc.opened
	if o == nil || slices.ContainsFunc(sc.Tracks, func(s Track) bool { return !s.Earlier && !s.Gone.Before(o.at) }) {
		return
	}
	settled, opening, next := slices.Clone(sc.Events[:o.event]), maps.Clone(o.lay), []Event(nil)
	for _, h := range sc.Events[o.event:] {
		switch {
		case h.Kind != Heard && h.Kind != ChipsSeen:
			return
		case h.Kind == ChipsSeen && h.From.Before(o.at) && (len(h.Hands) == 0 || slices.Contains(h.Hands, fact.Bank)):
			opening[h.Place], h.At = h.Chips, o.at
			settled = append(settled, h)
		default:
			next = append(next, h)
		}
	}
	occlusions := sc.Occlusions
	sc.Events, sc.Cleared = settled, o.at
	sc.Occlusions = slices.DeleteFunc(slices.Clone(occlusions), func(x Occlusion) bool { return !x.From.Before(o.at) })
	for i := range sc.Tracks {
		if s := &sc.Tracks[i]; s.Left.After(o.at) {
			s.Left = o.at
		}
	}
	f.end(o.at, "the next round was opened")
	f.Scene.Opening, f.Scene.Events = opening, next
	f.Scene.Occlusions = slices.DeleteFunc(slices.Clone(occlusions), func(x Occlusion) bool { return !x.At.After(o.at) })
}
