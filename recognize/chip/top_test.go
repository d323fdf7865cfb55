package chip

import (
	"testing"

	"vision/internal/fact"
)

// A card's face is white with a few marks, as worn chips' faces are: of those that are found on
// cards that were read only plain ones are chips'.
func TestAFaceOnACard(t *testing.T) {
	b := newBench(t, [3]float64{0.1, 0.25, 0.5}, 3)
	at, tall := fact.Point{600, 300}, 13.6
	px := b.view.ToImageAt(at, tall)
	about := func(dx float64) []fact.Point {
		return []fact.Point{{px[0] + dx - 40, px[1] - 60}, {px[0] + dx + 40, px[1] - 60}, {px[0] + dx + 40, px[1] + 60},
			{px[0] + dx - 40, px[1] + 60}}
	}
	for name, c := range map[string]struct {
		score float64
		cards [][]fact.Point
		want  bool
	}{
		"like a worn chip's, on a card":  {-1.3, [][]fact.Point{about(-300), about(5)}, true},
		"like a worn chip's, beside one": {-1.3, [][]fact.Point{about(90)}, false},
		"like a worn chip's, no card":    {-1.3, nil, false},
		"like a chip's, on a card":       {-0.4, [][]fact.Point{about(0)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &search{hint: Hint{View: b.view, Palette: palette, Cards: c.cards}}
			if got := s.onCard(disc{at: at, tall: tall, score: c.score}); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
