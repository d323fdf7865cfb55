package eval

import (
	"cmp"
	"maps"
	"slices"
)

// Told is a reading of a calibrated still with its probabilities.
type Told struct {
	Number  int // of the readings of the picture: a zone and a place in it may show the same
	Kind    Kind
	Best    string   // the likeliest label, of an abstention too; "": there is none
	Chips   []string // of a stack: palette ids from the foot to the top, also where they are not told
	Lie     string   // of a die that does not lie flat
	P       []float64
	Weighed []float64 // the same before the reader's temperature

	Accepted bool
}

// Judged is a reading whose likeliest label is known to be right or wrong: accepted ones
// and abstentions, which have a probability too.
type Judged struct {
	Picture  string    `json:"picture"`
	P        []float64 `json:"p"`       // of the likeliest label and of others, as told
	Weighed  []float64 `json:"weighed"` // the same before the reader's temperature
	Right    bool      `json:"right"`
	Accepted bool      `json:"accepted"`
}

// judge says of the readings of a photograph which are right. What the truth leaves open
// is left out: readings of nothing where it is not complete, and stacks whose number it
// does not say.
func judge(m *Image, k Kind, readings []Reading) (out []Judged) {
	named := [2][]Reading{} // accepted, abstained
	for _, r := range readings {
		if r.Best == "" || len(r.P) == 0 || slices.ContainsFunc(m.Ignore, func(b Box) bool { return b.Holds(r.Box.Centre()) }) {
			continue
		}
		which := 0
		if r.Label == Abstained {
			which = 1
		}
		r.Label = r.Best
		named[which] = append(named[which], r)
	}
	add := func(r Reading, which int, right bool) {
		out = append(out, Judged{m.Image, r.P, r.Weighed, right, which == 0})
	}
	left := m.Items(k)
	byLabel := len(left) > 0 && left[0].Box == nil && left[0].Point == nil
	if k == Chips && byLabel {
		judgeColours(left, named, m.complete(k), add)
		return out
	}
	for which, list := range named {
		var o outcome
		o.assign(left, list, scorer(k, byLabel))
		for _, p := range o.pairs {
			if k != Chips || p.item.Count != nil {
				add(p.reading, which, p.right(k) || k == Chips && p.within())
			}
		}
		for _, r := range o.spurious {
			if m.complete(k) {
				add(r, which, false)
			}
		}
		left = o.missed
	}
	return out
}

// within reports whether a stack of the right colour is only said to have at least and at
// most so many chips, and has.
func (p pair) within() bool {
	return p.reading.Count == 0 && p.reading.Low <= *p.item.Count && *p.item.Count <= p.reading.High &&
		(p.item.Color == "" || p.item.Color == p.reading.Label)
}

// judgeColours judges stacks of a picture of which the truth says only how many chips of
// each colour it shows.
func judgeColours(items []Item, named [2][]Reading, complete bool, add func(r Reading, which int, right bool)) {
	left := map[string]int{}
	for _, it := range items {
		if it.Count != nil {
			left[it.Color] += *it.Count
		}
	}
	for which, list := range named {
		slices.SortStableFunc(list, func(a, b Reading) int { return cmp.Compare(b.P[0], a.P[0]) })
		for _, r := range list {
			n := max(r.Count, 1)
			if r.Low < r.High { // the truth does not say how many stand in one stack
				continue
			}
			right := left[r.Label] >= n
			if right {
				left[r.Label] -= n
			}
			if right || complete {
				add(r, which, right)
			}
		}
	}
}

// judge says of the readings of a still which are right: of each zone that the truth
// speaks of. Dice that do not lie flat are left out, as is what the truth leaves open.
func (t *StillTally) judge(s *Still, seen map[string]Seen, worth map[string]int64) {
	if t.judged == nil {
		t.judged = map[Kind][]Judged{}
	}
	done := map[int]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Zones)) {
		z := s.Zones[name]
		for _, k := range [...]Kind{Cards, Chips, Dice} {
			if _, said := z.count(k); !t.wants(k) || !said && !s.complete(z, k) {
				continue
			}
			var list []Told
			for _, r := range seen[name].Told {
				if r.Kind == k && !done[r.Number] && r.Best != "" && len(r.P) > 0 && r.Lie == "" {
					done[r.Number] = true
					list = append(list, r)
				}
			}
			t.judgeZone(s, z, k, list, worth)
		}
	}
}

func (t *StillTally) judgeZone(s *Still, z StillZone, k Kind, list []Told, worth map[string]int64) {
	left, open := z.labels(k, worth)
	slices.SortStableFunc(list, func(a, b Told) int {
		if a.Accepted != b.Accepted {
			return map[bool]int{true: -1, false: 1}[a.Accepted]
		}
		return cmp.Compare(b.P[0], a.P[0])
	})
	for _, r := range list {
		label := r.Best
		if k == Chips {
			label = amountOf(r.Chips, worth)
		}
		i := slices.Index(left, label)
		if i < 0 {
			i = slices.IndexFunc(left, func(l string) bool { return sameLabel(l, label) })
		}
		right := i >= 0
		if right {
			left = slices.Delete(left, i, i+1)
		}
		if right || !open && s.complete(z, k) {
			t.judged[k] = append(t.judged[k], Judged{s.Image, r.P, r.Weighed, right, r.Accepted})
		}
	}
}

// labels are those of the things of a kind in the zone; open: of some nobody can say it.
func (z StillZone) labels(k Kind, worth map[string]int64) (out []string, open bool) {
	switch k {
	case Cards:
		for _, l := range z.Cards {
			if l == unread {
				open = true
			} else {
				out = append(out, l)
			}
		}
	case Dice:
		for i, f := range z.Dice {
			if f == 0 || z.lie(i) != Lies[0] {
				open = true
			} else {
				out = append(out, string(rune('0'+f)))
			}
		}
	case Chips:
		for _, s := range z.Stacks {
			out = append(out, amountOf(s.Chips, worth))
		}
	}
	return out, open
}
