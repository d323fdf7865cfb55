package dice

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"vision/internal/fact"
)

// face is a candidate for a die's upper face.
type face struct {
	x, y  float64 // middle
	angle float64 // of its sides
	score float64 // correlation with the best pattern
	fits  [6]float64
	worth float64 // score less what the die's outline lacks
	// doubtful: another value elsewhere on the same die is worth nearly as much.
	doubtful  bool
	tries     int    // other values weighed
	irregular string // how, if not flat on the felt: a word of the round record
}

// faceCorners are those of a face, in half edges.
var faceCorners = [4]fact.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}

// at is a point of the face's plane, in half edges from its middle.
func (f *face) at(p fact.Point, edge float64) fact.Point {
	sin, cos := math.Sincos(f.angle)
	h := edge / 2
	return fact.Point{f.x + h*(p[0]*cos-p[1]*sin), f.y + h*(p[0]*sin+p[1]*cos)}
}

// value is the likeliest, 1 to 6.
func (f *face) value() int {
	best := 0
	for v := range f.fits {
		if f.fits[v] > f.fits[best] {
			best = v
		}
	}
	return best + 1
}

// The places where spots can be, in half edges.
var places = [7]fact.Point{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0}, {0, 0}, {0.5, 0}, {-0.5, 0.5}, {0.5, 0.5}}

// patterns are the sets of places, a bit each, that make a value in one of the
// two ways that a quarter turn allows.
var patterns = []struct {
	value int
	bits  uint8
}{
	{1, 0b0001000},
	{2, 0b1000001}, {2, 0b0100010},
	{3, 0b1001001}, {3, 0b0101010},
	{4, 0b1100011},
	{5, 0b1101011},
	{6, 0b1110111},
}

// across is the six turned by a quarter: its middle spots lie above and below.
var across = [2]fact.Point{{0, -0.5}, {0, 0.5}}

// blankPoints are places where a face never has a spot.
var blankPoints = []fact.Point{
	{-0.25, -0.25}, {0.25, -0.25}, {-0.25, 0.25}, {0.25, 0.25},
	{-0.8, -0.8}, {0.8, -0.8}, {-0.8, 0.8}, {0.8, 0.8},
	{-0.8, -0.25}, {-0.8, 0.25}, {0.8, -0.25}, {0.8, 0.25},
	{-0.25, -0.8}, {0.25, -0.8}, {-0.25, 0.8}, {0.25, 0.8},
}

// likelier orders guesses, the likeliest first.
func likelier(a, b fact.Guess) int { return cmp.Compare(b.P, a.P) }

// guesses are the values by probability: the softmax of their correlations.
func (f face) guesses() []fact.Guess {
	var sum float64
	var out []fact.Guess
	for v, fit := range f.fits {
		p := math.Exp(fitted.Correlations.Sharp * (fit - f.score))
		sum += p
		out = append(out, fact.Guess{Label: strconv.Itoa(v + 1), P: p})
	}
	for i := range out {
		out[i].P /= sum
	}
	slices.SortStableFunc(out, likelier)
	return out[:3]
}

// rate fits the patterns to the picture at the face's place: the correlation of
// the brightness at the places of spots and between them with each pattern.
func (s *search) rate(f *face) bool {
	f.score, f.fits = -1, [6]float64{}
	at := func(p fact.Point) (float64, bool) {
		p = s.at(f, p)
		return s.soft(p[0], p[1])
	}
	var spots [9]float64
	for i, p := range places {
		v, ok := at(p)
		if !ok {
			return false
		}
		spots[i] = v
	}
	spots[7], _ = at(across[0])
	spots[8], _ = at(across[1])
	var sum, squares float64
	for _, p := range blankPoints {
		v, ok := at(p)
		if !ok {
			return false
		}
		sum += v
		squares += v * v
	}
	n := float64(len(blankPoints))
	body := sum / n
	noise := math.Max(squares/n-body*body, 0)
	if !s.bodied(f) {
		return false
	}
	for _, p := range patterns {
		bits := uint16(p.bits)
		f.fit(p.value, correlate(spots, bits, body, noise))
		if p.value == 6 {
			// Turned by a quarter: corners and the two across.
			f.fit(6, correlate(spots, 0b110000000|0b1100011, body, noise))
		}
	}
	return true
}

func (f *face) fit(value int, c float64) {
	f.fits[value-1] = max(f.fits[value-1], c)
	f.score = max(f.score, c)
}

// correlate is the correlation of the nine places and the bare ones with a
// pattern of light spots on a darker body or the reverse.
func correlate(spots [9]float64, bits uint16, body, noise float64) float64 {
	n := float64(len(blankPoints))
	k := 0.0
	var sx, sxx, sxy float64
	sx, sxx = body*n, (noise+body*body)*n
	for i, v := range spots {
		sx += v
		sxx += v * v
		if bits>>i&1 == 1 {
			k++
			sxy += v
		}
	}
	n += float64(len(spots))
	cov := sxy/n - sx/n*k/n
	vx, vy := sxx/n-sx/n*sx/n, k/n-k/n*k/n
	if vx < faceLeastContrast*faceLeastContrast {
		return 0
	}
	return math.Abs(cov) / math.Sqrt(vx*vy)
}
