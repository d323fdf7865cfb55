package narrate

import (
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/track/scene"
)

// withoutHeaps are the movements without what the house raked together on the layout: chips
// that came to a place after the outcome, under its hands alone as they took others, and went
// with what lay there.
func (s *Narration) withoutHeaps(out time.Time) []Move {
	moves := slices.Clone(s.Moves)
	for i := range moves {
		m := &moves[i]
		taking := func(o Move) bool { return o.Delta < 0 && o.At.Equal(m.At) && o.by(fact.Bank) }
		if m.Delta <= 0 || !m.At.After(out) || !m.by(fact.Bank) || !scene.Bettable(m.Place) || s.pushedBack(*m) ||
			!slices.ContainsFunc(moves, taking) {
			continue
		}
		heap := m.Delta
		m.Delta = 0
		for k := i + 1; k < len(moves) && heap > 0; k++ {
			if o := &moves[k]; o.Place == m.Place && o.Delta < 0 {
				with := min(heap, -o.Delta)
				o.Delta, heap = o.Delta+with, heap-with
			}
		}
	}
	return slices.DeleteFunc(moves, func(m Move) bool { return m.Delta == 0 && !m.unread })
}
