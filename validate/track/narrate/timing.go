package narrate

import (
	"slices"
	"time"

	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What is seen when hands leave a zone came about at any time since they came. Where
// something else happened meanwhile nobody knows which was first, and it is a choice:
// the likeliest is when hands left, the alternatives are just before each of the others.

// maxTimes bounds the times at which one thing may have come about instead.
const maxTimes = 4

// retime gives every event of the scene its number, and to those of which the
// hypothesis says so, another time.
func (s *Narration) retime() {
	sc := *s.Scene
	sc.Events = slices.Clone(sc.Events)
	for i := range sc.Events {
		sc.Events[i].Number = i
	}
	moments := sc.Moments()
	late := false
	for i, h := range sc.Events {
		if h.Kind == scene.Heard || i > 0 && sc.Events[i-1].SameMotion(&h) {
			continue
		}
		at, moved := s.cameAbout(hypothesis.Choice{Kind: hypothesis.CameAbout, Item: i}, h.Zone, h.From, h.At, moments)
		for k := i; moved && k < len(sc.Events) && (k == i || sc.Events[k].SameMotion(&h)); k++ {
			sc.Events[k].At, late = at, true
		}
	}
	if late {
		slices.SortStableFunc(sc.Events, func(a, b scene.Event) int { return a.At.Compare(b.At) })
	}
	seen := s.Scene.Tracks
	sc.Tracks = slices.Clone(seen)
	for i, sl := range seen {
		together := func(o scene.Track) bool {
			return o.Zone == sl.Zone && o.Left.Equal(sl.Left) && !o.OnTable && !o.Earlier
		}
		if sl.OnTable || sl.Earlier || sl.Left.IsZero() || slices.ContainsFunc(seen[:i], together) {
			continue
		}
		at, moved := s.cameAbout(
			hypothesis.Choice{Kind: hypothesis.TakenAway, Item: i},
			sl.Zone,
			sl.Gone,
			sl.Left,
			moments,
		)
		for k := i; moved && k < len(seen); k++ {
			if together(seen[k]) {
				sc.Tracks[k].Left = at
			}
		}
	}
	s.Scene = &sc
}

// cameAbout comes to the choice of when something came about that was seen in a zone
// after hands had been there.
func (s *Narration) cameAbout(
	c hypothesis.Choice,
	zone string,
	from, at time.Time,
	moments []scene.Moment,
) (time.Time, bool) {
	var times []time.Time
	for _, m := range moments {
		if m.Zone != zone && m.At.After(from) && m.At.Before(at) &&
			(len(times) == 0 || m.At.After(times[len(times)-1])) {
			times = append(times, m.At)
		}
	}
	if len(times) == 0 {
		return at, false
	}
	for n := len(times); n > maxTimes; n-- { // the first and the last ones stay
		times = slices.Delete(times, n/2, n/2+1)
	}
	var as []hypothesis.Alternative
	for _, t := range times {
		as = append(as, hypothesis.Alternative{
			Odds: s.prior().Against(hypothesis.AtTheEnd), By: hypothesis.AtTheEnd, At: t.Add(-time.Millisecond),
		})
	}
	a, ok := s.pick(c, as...)
	return a.At, ok
}
