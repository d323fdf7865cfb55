package acta

import (
	"slices"
	"time"
)

// trembling is by how much the ends of two segments of one recording may miss one another:
// the wall time of pictures, as the recorder measures it, is no better.
const trembling = time.Second

// join sorts spans and makes one of those that overlap or nearly touch.
func join(spans []Span) (out []Span) {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	for _, s := range spans {
		if n := len(out); n > 0 && !s.From.After(out[n-1].To.Add(trembling)) {
			out[n-1].To = latest(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// both is the time that two lists of spans share.
func both(a, b []Span) (out []Span) {
	for _, x := range a {
		for _, y := range b {
			if s := (Span{latest(x.From, y.From), earliest(x.To, y.To)}); s.From.Before(s.To) {
				out = append(out, s)
			}
		}
	}
	return out
}

// without is the time of a that is not in b.
func without(a, b []Span) (out []Span) {
	for _, x := range a {
		for _, s := range cut(x, b) {
			if len(both([]Span{s}, b)) == 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// cut divides a span wherever one of others begins or ends.
func cut(s Span, at []Span) (out []Span) {
	ends := []time.Time{s.From, s.To}
	for _, o := range at {
		for _, t := range []time.Time{o.From, o.To} {
			if t.After(s.From) && t.Before(s.To) {
				ends = append(ends, t)
			}
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	ends = slices.CompactFunc(ends, time.Time.Equal)
	for i := 1; i < len(ends); i++ {
		out = append(out, Span{ends[i-1], ends[i]})
	}
	return out
}

// covers reports whether a moment lies in one of the spans, their ends excluded.
func covers(spans []Span, at time.Time) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return !at.Before(s.From) && at.Before(s.To) })
}
