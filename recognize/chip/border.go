package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// Where the bare felt is known, a stack's outline is seen to a fraction of a pixel: it is
// where the picture is halfway between the chip and the felt. Which pixels a stack hides
// says less, since blur spreads a bright chip over its neighbours.

// profileSteps are the places along a normal at which the picture is looked at.
const profileSteps = 15

// crossing is how many pixels outwards of a place, along a normal, the picture is halfway
// between a thing and the felt; hidden reports whether nearer stacks cover a part of it.
func (s *search) crossing(at, normal fact.Point) (off float64, found, hidden bool) {
	step := 2 * par.outline.profileReach / (profileSteps - 1)
	var d [profileSteps]float64
	inside, outside := 0.0, math.Inf(1)
	for k := range d {
		r := float64(k)*step - par.outline.profileReach
		i, ok := s.index(fact.Point{at[0] + r*normal[0], at[1] + r*normal[1]})
		if !ok || s.taken != nil && s.taken[i] {
			return 0, false, true
		}
		d[k] = s.fromBare(i)
		if k <= profileSteps/2 {
			inside = max(inside, d[k])
		}
		if k >= profileSteps/2 {
			outside = min(outside, d[k])
		}
	}
	if inside < par.outline.plateau || outside > par.outline.openEnd*inside {
		return 0, false, false
	}
	half := (inside + outside) / 2
	for k := profileSteps - 2; k >= 0; k-- {
		if d[k] > half && d[k+1] <= half {
			return (float64(k)+(d[k]-half)/(d[k]-d[k+1]))*step - par.outline.profileReach, true, false
		}
	}
	return 0, false, false
}

// border is the log odds that the third of a chip's rim that is turned by an angle from the
// camera is an outline, against its being none. m is the camera about the chip's middle.
func (s *search) border(m *affine, radius, turned, mean, deviation float64) float64 {
	toward := math.Atan2(s.eye[1]-m.mm[1], s.eye[0]-m.mm[0]) + turned
	var offs [angles]float64
	n, shown := 0, 0
	for k := range angles {
		sin, cos := math.Sincos(toward + (float64(k)-(angles-1)/2)*(2*math.Pi/3)/(angles-1))
		out := fact.Point{cos*m.ex[0] + sin*m.ey[0], cos*m.ex[1] + sin*m.ey[1]}
		l := math.Hypot(out[0], out[1])
		off, found, hidden := s.crossing(fact.Point{m.px[0] + radius*out[0], m.px[1] + radius*out[1]},
			fact.Point{out[0] / l, out[1] / l})
		if !hidden {
			shown++
		}
		if found {
			offs[n] = off
			n++
		}
	}
	sum := par.outline.leastBorder * float64(shown-n)
	if n > 0 {
		slices.Sort(offs[:n])
		z := (offs[n/2] - mean) / deviation
		sum += float64(n) * max(-z*z/2, par.outline.leastBorder)
	}
	return sum / angles
}

// borders is the log odds that the outlines of n chips of a kind under a face at px are
// behind that face and before its foot. 0 where the felt is not known.
func (s *search) borders(kind int, px fact.Point, n int) float64 {
	if s.tones.wear.hiding == 0 {
		return 0
	}
	which := edged{kind, px, n}
	v, known := s.shapes.edged[which]
	if !known {
		v = s.bordersOf(kind, px, n)
		s.shapes.edged[which] = v
	}
	return v
}

// bordersOf looks for the outlines of which borders tells.
func (s *search) bordersOf(kind int, px fact.Point, n int) float64 {
	chip, deviation := s.hint.Palette[kind], footSpread(n)
	tall := float64(n) * chip.Thickness
	middle := s.hint.View.ToTableAt(px, tall)
	face, foot := s.lens(middle, tall), s.lens(middle, 0)
	return s.border(&face, chip.Diameter/2, math.Pi, fitted.Borders.FarMean, fitted.Borders.FarSpread) +
		s.border(&foot, chip.Diameter/2, 0, fitted.Borders.FootMean, deviation) - math.Log(deviation)
}

// footSpread is the standard deviation of where the outline before n chips is seen.
func footSpread(n int) float64 {
	if n == 1 {
		return fitted.Borders.SingleSpread
	}
	return fitted.Borders.FootSpread
}

// bestBorders is the most that borders may say of n chips. 0 where the felt is not known.
func (s *search) bestBorders(n int) float64 {
	if s.tones.wear.hiding == 0 {
		return 0
	}
	return -math.Log(footSpread(n))
}

// shape is the log odds of n chips under a face of a kind at px by what they hide of the
// known felt, some of them of the given kinds, and by their outlines. 0 where it is not known.
func (s *search) shape(kinds uint64, kind int, px fact.Point, n int) float64 {
	return s.hides(kinds, px, n) + s.borders(kind, px, n)
}

// bordered is a face moved along the view to where the stack under it fits best both what
// hides the felt and its outlines.
func (s *search) bordered(t top) top {
	x, y := s.away(t.disc.at)
	kinds := s.unlike() | 1<<t.kind
	decided := 1 - 2*par.outline.leastBorder // odds from which outlines make no difference
	var places []nudged
	for shift := -par.outline.nudge; shift <= par.outline.nudge; shift += par.outline.nudgeStep {
		p := nudged{at: fact.Point{t.disc.at[0] + shift*x, t.disc.at[1] + shift*y}}
		p.px = s.hint.View.ToImageAt(p.at, t.disc.tall)
		p.fit = max(par.outline.straying*shift*shift, par.outline.farthest)
		p.hidden = s.highest(kinds, p.px)
		places = append(places, p)
	}
	// Where most is hidden first: most of the others cannot come up to that, and are not looked at.
	slices.SortStableFunc(places, func(a, b nudged) int { return cmp.Compare(b.fit+b.hidden, a.fit+a.hidden) })
	best, out := math.Inf(-1), t
	for _, p := range places {
		for n := 1; n <= len(s.shapes.spans); n++ {
			v := s.hides(kinds, p.px, n)
			if v < p.hidden-decided || p.fit+v+s.bestBorders(n) <= best {
				continue
			}
			if v += p.fit + s.borders(t.kind, p.px, n); v > best {
				best, out.disc.at, out.px = v, p.at, p.px
			}
		}
	}
	return out
}

// nudged is a place of a face that is moved along the view.
type nudged struct {
	at, px fact.Point
	fit    float64 // log odds of its being so far away
	hidden float64 // what the likeliest height there hides
}

// outlined takes its certainty from a count of chips whose outlines are not where the stack
// would have them: it may be no stack at all, but an arm or a cup.
func (s *search) outlined(c counted) counted {
	if !c.hidden && s.borders(c.kinds[0], c.px, len(c.kinds)) < par.outline.leastBorder {
		c.p = min(c.p, s.opts.Accept/par.count.halved)
	}
	return c
}
