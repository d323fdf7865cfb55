package chip

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// onKnownFelt is the search of a picture in which n chips of a kind stand on felt that is
// known, and their face where it is, found a little aside.
func (b *bench) onKnownFelt(t *testing.T, kind, n int, aside fact.Point) (*search, top, fact.Point) {
	t.Helper()
	b.clear()
	bare := b.shoot(85)
	defer bare.Close()
	felt := NewFelt(bare.Cols(), bare.Rows())
	felt.Bare(bare.ToBytes())
	at := fact.Point{300 + 600*b.rnd.Float64(), 200 + 200*b.rnd.Float64()}
	b.lay(palette[kind].ID, n, at[0], at[1])
	img := b.shoot(85)
	t.Cleanup(func() { img.Close() })
	s, err := b.reader.search(img, Hint{View: b.view, Palette: palette, Zone: about(at[0], at[1]), Felt: felt})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.run(b.reader); err != nil {
		t.Fatal(err)
	}
	s.taken = s.scratch.taken
	d := disc{at: b.view.ToTableAt(b.view.ToImageAt(at, float64(n)*palette[kind].Thickness), s.ground.tall),
		tall: s.ground.tall, kind: kind}
	d.at = fact.Point{d.at[0] + aside[0], d.at[1] + aside[1]}
	found := top{kind: kind, disc: d, px: b.view.ToImageAt(d.at, d.tall)}
	s.outline(found)
	return s, found, at
}

// The height that hides the known felt best is that of the stack, whatever its kind, but
// for chips of the felt's colour. Its outlines are where the picture of its true height has
// them, and by more than a chip's height nowhere else.
func TestSilhouetteAndBordersTellTheHeight(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 3)
	for kind, c := range palette {
		if c.ID == "25" {
			continue
		}
		for _, n := range []int{1, 2, 3, 6, 11, 17} {
			s, found, _ := b.onKnownFelt(t, kind, n, fact.Point{})
			best := func(weigh func(height int) float64) (at int, most float64) {
				most = math.Inf(-1)
				for m := 1; m <= s.opts.Most; m++ {
					if v := weigh(m); v > most {
						at, most = m, v
					}
				}
				return at, most
			}
			if m, _ := best(func(m int) float64 { return s.hides(s.unlike()|1<<kind, found.px, m) }); m != n {
				t.Errorf("%d chips of %s hide the felt as %d do", n, c.ID, m)
			}
			m, most := best(func(m int) float64 { return s.borders(kind, found.px, m) })
			if m != n {
				t.Errorf("%d chips of %s end where %d do", n, c.ID, m)
			}
			if most < par.outline.leastBorder/2 {
				t.Errorf("%d chips of %s: log odds %.1f", n, c.ID, most)
			}
		}
	}
}

// A face that was found too low, in the stack's side, comes back to where it is; chips
// that nearer stacks cover say nothing.
func TestCentred(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 4)
	for _, aside := range []fact.Point{{0, 0}, {2, 3}, {-3, 4}, {0, 14}} { // towards the camera
		s, found, at := b.onKnownFelt(t, 3, 8, aside)
		c := s.centred(found)
		foot := s.foot(c, c.px, 8)
		if d := math.Hypot(foot[0]-at[0], foot[1]-at[1]); d > 2.5 {
			t.Errorf("found %v mm aside: %.1f mm from where it stands", aside, d)
		}
		s.cover([]fact.Point{{0, 0}, {float64(s.w), 0}, {float64(s.w), float64(s.h)}, {0, float64(s.h)}})
		s.outline(found)
		if v := s.hides(s.unlike(), found.px, 8); v != 0 {
			t.Errorf("what nothing can be seen of hides %v", v)
		}
	}
}

// Where the bare felt is not known nothing can be said of what hides it.
func TestNoSilhouetteWithoutFelt(t *testing.T) {
	s := searchOf(t, palette)
	if v := s.hides(1, fact.Point{100, 100}, 3); v != 0 {
		t.Errorf("hides %v", v)
	}
}
