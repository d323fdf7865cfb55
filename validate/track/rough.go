package track

import (
	"maps"
	"slices"

	"vision/internal/money"
	"vision/validate/round"
)

// Chips that could be counted only roughly are told with the amount that fits
// best. A finding is held against all the other amounts that they may have,
// together where several stacks of a seat were counted so.

// loose is a count with the totals that the chips may have.
type loose struct {
	place place
	may   []money.Cents
}

// maxTogether bounds the ways in which the rough counts of a seat are combined.
const maxTogether = 48

// loosen remembers that the chips counted by an item may be others than told.
func (s *story) loosen(item int, p place, may []money.Cents) {
	if len(may) > 1 {
		s.loose[item] = loose{p, may}
	}
}

// tighten takes over what a better count of the same chips tells.
func (s *story) tighten(item int, may []money.Cents) {
	if l, ok := s.loose[item]; ok {
		s.loose[item] = loose{l.place, common(l.may, may)}
	}
}

// hanging are the rough counts that findings about a seat may hang on, in groups
// that hang together. Where all play for one pot, or chips lie that are no
// seat's, all do; else those of the seat, or of every seat by itself.
func (s *story) hanging(seat int) (groups [][]int) {
	one := s.g.held
	for _, l := range s.loose {
		one = one || l.place.Seat == 0
	}
	by := map[int][]int{}
	for _, item := range slices.Sorted(maps.Keys(s.loose)) {
		whose := s.loose[item].place.Seat
		switch {
		case one:
			by[0] = append(by[0], item)
		case seat == 0 || whose == seat:
			by[whose] = append(by[whose], item)
		}
	}
	for _, whose := range slices.Sorted(maps.Keys(by)) {
		groups = append(groups, by[whose])
	}
	return groups
}

// jointly are the worlds in which rough counts are what they may be, in every
// way; ok is false when they are too many to be tried.
func (s *story) jointly(items []int) (ws []world, ok bool) {
	ws = []world{{what: howRough}}
	for _, item := range items {
		may, all := s.loose[item].may, ws
		if len(ws)*len(may) > maxTogether {
			return nil, false
		}
		ws = nil
		for _, w := range all {
			for _, total := range may {
				with := maps.Clone(w.counts)
				if with == nil {
					with = map[int]money.Cents{}
				}
				with[item] = total
				ws = append(ws, world{what: howRough, counts: with})
			}
		}
	}
	return ws, true
}

// roughly adds to what is lost of each finding what the rough counts cost: the
// number of amounts without it, against that of amounts with it. A reader that
// counts roughly vouches for none of them.
func (t *Tracker) roughly(r *ruling, carry carryOver, lost []float64) {
	if len(r.story.loose) == 0 {
		return
	}
	found := map[int][][]round.Finding{} // by seat
	for i, f := range r.verdict.Findings {
		others, ok := found[f.Seat]
		if !ok {
			others = t.supposed(r, carry, f.Seat)
			found[f.Seat] = others
		}
		with, without := 0.0, 0.0
		for _, o := range others {
			if stands(f, o) {
				with++
			} else {
				without++
			}
		}
		lost[i] += without / max(with, 1) / t.cfg.Prior
	}
}

// supposed is what is found with each amount of a seat's rough counts.
func (t *Tracker) supposed(r *ruling, carry carryOver, seat int) (found [][]round.Finding) {
	for _, items := range r.story.hanging(seat) {
		ws, ok := r.story.jointly(items)
		if !ok {
			return [][]round.Finding{nil} // nobody knows: as if nothing were found
		}
		for _, w := range ws {
			if other := t.rule(r.story.sc, w, carry, r.story.final); other.err == nil {
				found = append(found, other.verdict.Findings)
			}
		}
	}
	return found
}
