package track

import (
	"slices"

	"vision/validate/round"
)

// A throw that does not count, and is settled as if it did: what the croupier
// pays and collects then is what would be due.

// asCounted is what would be due had the throw of a record counted; false when
// nothing annuls it.
func (s *story) asCounted(r round.Record) (due []round.Settlement, null bool) {
	events := make([]round.Event, 0, len(r.Events))
	for i, e := range r.Events {
		switch {
		case nullMaking(e):
			null = true
			continue
		case e.Type == round.Dice && (e.Irregular != "" || s.g.dice > 0 && len(e.Faces) != s.g.dice):
			null = true
			e.Irregular, e.Faces = "", s.complete(r.Events[i:], e.Faces)
		}
		events = append(events, e)
	}
	if !null {
		return nil, false
	}
	r.Events = events
	v, err := s.check(&r)
	if err != nil {
		return nil, false
	}
	return v.Settlement, true
}

// complete makes a throw of so many dice as are thrown, by the total that was
// called after it.
func (s *story) complete(after []round.Event, faces []int) []int {
	if len(faces) >= s.g.dice {
		if s.g.dice > 0 {
			faces = faces[:s.g.dice]
		}
		return faces
	}
	faces = slices.Clone(faces)
	i := slices.IndexFunc(after, func(e round.Event) bool { return e.Is("total") && e.Points != nil })
	for len(faces) < s.g.dice {
		missing := 0
		if i >= 0 {
			missing = *after[i].Points
		}
		for _, f := range faces {
			missing -= f
		}
		if missing < 1 || missing > 6 {
			missing = 0 // nobody knows
		}
		faces = append(faces, missing)
	}
	return faces
}
