package narrate

import (
	"slices"
	"time"

	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What is seen when hands leave a zone came about at any time since they came. Where
// something else happened meanwhile nobody knows which was first, and it is a choice: the
// likeliest is where it makes the course most regular (sequence.go), the alternatives are
// just before each of the others, and when hands left.

// maxTimes bounds the times at which one thing may have come about instead.
const maxTimes = 4

// retime gives every event of the scene its number and its likeliest time, or the one that
// the hypothesis has.
func (s *Narration) retime() {
	sc := *s.Scene
	sc.Events, sc.Tracks = slices.Clone(sc.Events), slices.Clone(sc.Tracks)
	for i := range sc.Events {
		sc.Events[i].Number = i
	}
	acts := s.acts()
	for _, a := range inOrder(acts) {
		if a.event >= 0 {
			sc.Events[a.event].At = a.at
		} else {
			s.taken(&sc, a.track, a.at)
		}
	}
	for i, h := range s.Scene.Events {
		first := i == 0 || !s.Scene.Events[i-1].SameMotion(&h)
		if first && i > 0 && h.At.Before(s.Scene.Events[i-1].At) { // it was read later than others of its motion
			first = !slices.ContainsFunc(s.Scene.Events[:i], func(o scene.Event) bool { return o.SameMotion(&h) })
		}
		if h.Kind == scene.Heard || !first && !(h.Kind == scene.CardSeen && s.dealtMeanwhile(&h)) {
			continue
		}
		from := h.From
		if !first { // of cards seen at once the later ones may have come after what followed the others
			from = scene.Latest(from, sc.Events[i].At)
		}
		c := hypothesis.Choice{Kind: hypothesis.CameAbout, Item: i}
		at, other := s.cameAbout(c, h.Zone, from, h.At, sc.Events[i].At, acts)
		for k := i; other && k < len(sc.Events); k++ {
			if s.Scene.Events[k].SameMotion(&h) {
				sc.Events[k].At = at
			}
		}
	}
	for i, sl := range s.Scene.Tracks {
		if sl.OnTable || sl.Earlier || sl.Left.IsZero() ||
			slices.ContainsFunc(s.Scene.Tracks[:i], func(o scene.Track) bool { return takenTogether(&o, &sl) }) {
			continue
		}
		c := hypothesis.Choice{Kind: hypothesis.TakenAway, Item: i}
		if at, other := s.cameAbout(c, sl.Zone, sl.Gone, sl.Left, sc.Tracks[i].Left, acts); other {
			s.taken(&sc, i, at)
		}
	}
	slices.SortStableFunc(sc.Events, func(a, b scene.Event) int { return a.At.Compare(b.At) })
	s.Scene = &sc
}

// dealtMeanwhile reports whether somebody called something, or another zone got a card, while hands were where
// a card was seen. What is put aside goes with the card that is dealt after it.
func (s *Narration) dealtMeanwhile(card *scene.Event) bool {
	return slices.ContainsFunc(s.Scene.Events, func(h scene.Event) bool {
		other := h.Kind == scene.Heard && h.Line.Type == round.Announce ||
			h.Kind == scene.CardSeen && h.Zone != card.Zone && card.Zone != burnZone
		return other && h.At.After(card.From) && h.At.Before(card.At)
	})
}

// taken gives the cards that were taken with one the time at which that came about.
func (s *Narration) taken(sc *scene.Scene, track int, at time.Time) {
	for i := range s.Scene.Tracks {
		if takenTogether(&s.Scene.Tracks[i], &s.Scene.Tracks[track]) {
			sc.Tracks[i].Left = at
		}
	}
}

// takenTogether reports whether two cards were missed at once when hands left their zone.
func takenTogether(a, b *scene.Track) bool {
	return a.Zone == b.Zone && a.Left.Equal(b.Left) && !a.OnTable && !b.OnTable && !a.Earlier && !b.Earlier
}

// cameAbout comes to the choice of when something came about that was seen in a zone
// after hands had been there.
func (s *Narration) cameAbout(
	c hypothesis.Choice, zone string, from, seen, likeliest time.Time, acts []*act,
) (time.Time, bool) {
	var times, calls []time.Time // calls: on both sides of those that speak of the zone
	for _, a := range acts {
		switch {
		case a.zone == zone || !a.at.After(from) || !a.at.Before(seen):
		case a.called && a.names == zone:
			calls = append(calls, shortlyBefore(a.at, from), a.at.Add(time.Nanosecond))
		default:
			times = append(times, shortlyBefore(a.at, from))
		}
	}
	if len(times)+len(calls) == 0 {
		return seen, false
	}
	slices.SortFunc(times, time.Time.Compare)
	times = slices.DeleteFunc(append(slices.CompactFunc(times, time.Time.Equal), seen), likeliest.Equal)
	for n := len(times); n > max(1, maxTimes-len(calls)); n-- { // the first and the last ones stay
		times = slices.Delete(times, n/2, n/2+1)
	}
	times = append(times, slices.DeleteFunc(calls, likeliest.Equal)...)
	var as []hypothesis.Alternative
	for _, t := range times {
		as = append(as, hypothesis.Alternative{
			Odds: hypothesis.BuiltIn().Against(hypothesis.InCourse), By: hypothesis.InCourse, At: t,
		})
	}
	if s.Times == nil {
		s.Times = map[hypothesis.Choice]time.Time{}
	}
	s.Times[c] = likeliest
	a, ok := s.pick(c, as...)
	return a.At, ok
}

// shortlyBefore is when something came about just before another, if hands had come for it at a time: of two such
// things that for which they came first was first.
func shortlyBefore(other, from time.Time) time.Time {
	return scene.JustBefore(other).Add(-other.Sub(from) / 1e6)
}
