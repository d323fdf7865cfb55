package chip

import (
	"cmp"
	"math"
	"slices"
)

// ring is what the ring of a disc shows where chips carry their inserts.
type ring struct {
	body, other rgb
	share       float64 // of the ring that is body
	inserts     bool    // pieces of two colours follow one another regularly
	order       float64 // how well they repeat round the ring
	face        *rgb    // body further in, where the inserts are at the rim alone
}

const ringSamples = 96

// ring looks at the rings within a disc's outline, at the outermost only where
// those further in show no inserts.
func (p *picture) ring(e ellipse) ring {
	out := p.band(e, par.ring.bands[0])
	for _, b := range par.ring.bands[1:] {
		if out.inserts {
			break
		}
		if r := p.band(e, b); r.inserts {
			face := out.body
			out, out.face = r, &face
		}
	}
	return out
}

// band looks at one ring of a disc.
func (p *picture) band(e ellipse, at [3]float64) ring {
	var around []rgb
	for k := range ringSamples {
		var sum rgb
		n := 0.0
		for _, f := range at {
			if i, _, ok := p.at(e.point(2*math.Pi*float64(k)/ringSamples, f)); ok {
				sum[0] += float64(p.pix[3*i+2])
				sum[1] += float64(p.pix[3*i+1])
				sum[2] += float64(p.pix[3*i])
				n++
			}
		}
		if n == 0 {
			return ring{}
		}
		around = append(around, rgb{sum[0] / n, sum[1] / n, sum[2] / n})
	}
	a, b, first := twoColors(around)
	a, b = pure(around, first, a, b)
	out := ring{body: a, other: b, share: share(first)}
	if out.share < 0.5 {
		out.body, out.other, out.share = b, a, 1-out.share
	}
	// Where both take about half, the more colourful one names the chip, or of
	// two that are alike in that the darker: inserts are mostly light.
	lead, clear := saturation(out.other)-saturation(out.body), par.ring.colourful
	if out.share < par.ring.half && (lead > clear || lead > -clear && luminance(out.other) < luminance(out.body)) {
		out.body, out.other, out.share = out.other, out.body, 1-out.share
	}
	out.order = repeats(first)
	out.inserts = apart(a, b) > par.ring.apart && (regular(first) || out.order > par.ring.order)
	return out
}

// repeats says how well what lies round a ring comes again when it is turned by a
// part of a circle, a third to a sixteenth: 1 exactly, 0 no better than by chance.
func repeats(first []bool) float64 {
	n := len(first)
	at := share(first)
	chance := at*at + (1-at)*(1-at)
	if chance > par.ring.chance {
		return 0
	}
	best := 0.0
	for parts := 3; parts <= par.ring.mostParts; parts++ {
		same, of := 0.0, 0.0
		for j := 1; j < parts; j++ {
			shift := (j*n + parts/2) / parts
			for i := range first {
				of++
				if first[i] == first[(i+shift)%n] {
					same++
				}
			}
		}
		best = max(best, (same/of-chance)/(1-chance))
	}
	return best
}

func apart(a, b rgb) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func share(v []bool) float64 {
	n := 0
	for _, b := range v {
		if b {
			n++
		}
	}
	return float64(n) / float64(len(v))
}

// twoColors divides samples in two by colour: the means and who belongs to the first.
func twoColors(ring []rgb) (a, b rgb, first []bool) {
	first = make([]bool, len(ring))
	a = ring[0]
	b = slices.MaxFunc(ring, func(p, q rgb) int { return int(apart(p, a) - apart(q, a)) })
	a = slices.MaxFunc(ring, func(p, q rgb) int { return int(apart(p, b) - apart(q, b)) })
	for range 6 {
		var sa, sb rgb
		var na, nb float64
		for i, c := range ring {
			first[i] = apart(c, a) < apart(c, b)
			for k := range 3 {
				if first[i] {
					sa[k] += c[k]
				} else {
					sb[k] += c[k]
				}
			}
			if first[i] {
				na++
			} else {
				nb++
			}
		}
		for k := range 3 {
			a[k], b[k] = sa[k]/max(na, 1), sb[k]/max(nb, 1)
		}
	}
	return a, b, first
}

// pure is the colour of each side without the pixels in which both mix: the mean
// of the half that lies furthest from the other side.
func pure(ring []rgb, first []bool, a, b rgb) (rgb, rgb) {
	side := func(want bool, from rgb) rgb {
		var own []rgb
		for i, c := range ring {
			if first[i] == want {
				own = append(own, c)
			}
		}
		slices.SortFunc(own, func(p, q rgb) int { return cmp.Compare(apart(q, from), apart(p, from)) })
		own = own[:(len(own)+1)/2]
		var sum rgb
		for _, c := range own {
			for k := range 3 {
				sum[k] += c[k] / float64(len(own))
			}
		}
		return sum
	}
	return side(true, b), side(false, a)
}

// regular reports whether pieces follow one another round the ring as inserts do:
// four to sixteen, at nearly equal distances but for a quarter that may be hidden.
func regular(first []bool) bool {
	n := len(first)
	var starts []int
	for i := range first {
		if first[i] && !first[(i+n-1)%n] {
			starts = append(starts, i)
		}
	}
	if len(starts) < par.ring.leastParts || len(starts) > par.ring.mostParts {
		return false
	}
	var gaps []float64
	for i, s := range starts {
		gaps = append(gaps, float64((starts[(i+1)%len(starts)]-s+n)%n))
	}
	sorted := slices.Clone(gaps)
	slices.Sort(sorted)
	usual := sorted[len(sorted)/2]
	even := 0.0
	for _, g := range gaps {
		if math.Abs(g-usual) <= max(par.ring.even*usual, par.ring.evenLeast) {
			even += g
		}
	}
	return even >= par.ring.evenShare*float64(n)
}

// whitePoint is the light of a photograph: what its brightest hundredth shows,
// per channel, over the brightest of them.
func whitePoint(p picture) rgb {
	var count [3][256]int
	for i := 0; i+2 < len(p.pix); i += 3 * 5 {
		for c := range 3 {
			count[2-c][p.pix[i+c]]++
		}
	}
	var out rgb
	for c := range 3 {
		rest := len(p.pix) / 3 / 5 / par.ring.whiteShare
		v := 255
		for ; v > par.ring.whiteLeast && rest > 0; v-- {
			rest -= count[c][v]
		}
		out[c] = float64(v)
	}
	m := max(out[0], out[1], out[2])
	for c := range 3 {
		out[c] = max(out[c]/m, par.ring.whiteRange)
	}
	return out
}

func luminance(c rgb) float64 { return 0.3*c[0] + 0.59*c[1] + 0.11*c[2] }

func saturation(c rgb) float64 {
	high := max(c[0], c[1], c[2])
	if high < 1 {
		return 0
	}
	return (high - min(c[0], c[1], c[2])) / high
}

// Colours by hue in degrees: each name up to its limit.
var hues = []struct {
	limit float64
	name  string
}{
	{20, "red"}, {32, "orange"}, {68, "yellow"}, {190, "green"}, {246, "blue"}, {318, "purple"}, {360, "red"},
}

// name says the colour of a chip's body in the light of white, "" where it lies
// between two names or is another at the rim than further in.
func (r ring) name(white rgb) string {
	name := nameOf(r.body, white)
	if r.face == nil {
		return name
	}
	switch face := nameOf(*r.face, white); {
	case name == "":
		return face
	case face != "" && face != name:
		return ""
	}
	return name
}

// nameOf says what colour is meant in the light of white.
func nameOf(body, white rgb) string {
	c := rgb{min(body[0]/white[0], 255), min(body[1]/white[1], 255), min(body[2]/white[2], 255)}
	s, v, h := saturation(c), max(c[0], c[1], c[2]), hue(c)
	pale := par.ring.pale
	if w, k := par.ring.warm, par.ring.cold; h > w[0] && h < w[1] || h > k[0] && h < k[1] {
		pale = par.ring.paleTinted
	}
	switch {
	case v < par.ring.blackGrey && s < par.ring.grey || v < par.ring.black:
		return "black"
	case s < pale && v > par.ring.white:
		return "white"
	case s < pale+par.ring.paleDoubt:
		return ""
	}
	for i, k := range hues {
		if h < k.limit {
			next := hues[(i+1)%len(hues)].name
			if k.limit-h < par.ring.hueDoubt && next != k.name || i > 0 && h-hues[i-1].limit < par.ring.hueDoubt {
				return ""
			}
			return k.name
		}
	}
	return "red"
}

// hue of a colour in degrees.
func hue(c rgb) float64 {
	high, low := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
	d := max(high-low, 1e-9)
	var h float64
	switch high {
	case c[0]:
		h = math.Mod((c[1]-c[2])/d+6, 6)
	case c[1]:
		h = (c[2]-c[0])/d + 2
	default:
		h = (c[0]-c[1])/d + 4
	}
	return 60 * h
}
