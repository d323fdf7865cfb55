package dice

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// search is one reading of one picture.
type search struct {
	hint Hint
	w, h int
	pix  []byte // BGR
	// felt is its colour, BGR.
	felt   [3]float64
	corner image.Point // of the picture in that of the zone
	grey   []byte      // least channel, blurred: white spots stand out on any colour
	fore   []byte      // 255 where the picture is not felt
	// points of the last body, kept between calls.
	points []fact.Point
}

func newSearch(img gocv.Mat, corner image.Point, felt [3]float64, hint Hint) (*search, error) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		return nil, err
	}
	s := &search{hint: hint, w: img.Cols(), h: img.Rows(), pix: pix, felt: felt, corner: corner}
	s.grey = make([]byte, s.w*s.h)
	for i := range s.grey {
		s.grey[i] = min(pix[3*i], pix[3*i+1], pix[3*i+2])
	}
	if err := s.blur(); err != nil {
		return nil, err
	}
	s.fore, err = foreground(pix, s.w, s.h, felt, hint.Edge)
	return s, err
}

// blur averages over about a third of a spot.
func (s *search) blur() error {
	m, err := gocv.NewMatFromBytes(s.h, s.w, gocv.MatTypeCV8U, s.grey)
	if err != nil {
		return err
	}
	defer m.Close()
	k := int(s.hint.Edge/faceBlur)*2 + 1
	gocv.Blur(m, &m, image.Pt(k, k))
	s.grey = m.ToBytes()
	return nil
}

// soft is the brightness at a point; false outside the picture.
func (s *search) soft(x, y float64) (float64, bool) {
	if !(x >= 0 && y >= 0 && x < float64(s.w-1) && y < float64(s.h-1)) {
		return 0, false
	}
	i, j := int(x), int(y)
	a, b := x-float64(i), y-float64(j)
	at := j*s.w + i
	top := float64(s.grey[at])*(1-a) + float64(s.grey[at+1])*a
	low := float64(s.grey[at+s.w])*(1-a) + float64(s.grey[at+s.w+1])*a
	return top*(1-b) + low*b, true
}

func (s *search) isFore(x, y float64) bool {
	i, j := int(x+0.5), int(y+0.5)
	return i >= 0 && j >= 0 && i < s.w && j < s.h && s.fore[j*s.w+i] != 0
}

// bodied reports whether a face is filled by something that is not felt.
func (s *search) bodied(f *face) bool {
	in, b := 0, faceBodyAt
	for _, p := range [9]fact.Point{{0, 0}, {-b, -b}, {b, -b}, {b, b}, {-b, b}, {-b, 0}, {b, 0}, {0, -b}, {0, b}} {
		if p = s.at(f, p); s.isFore(p[0], p[1]) {
			in++
		}
	}
	return in >= faceLeastBody
}

// run finds the faces, best first, and boxes round what is there besides.
func (s *search) run() ([]face, []fact.Quad) {
	cands := s.candidates()
	var out []face
	for _, c := range cands {
		near := func(o face) bool { return math.Hypot(o.x-c.x, o.y-c.y) < faceNear*s.hint.Edge }
		i := slices.IndexFunc(out, near)
		if i >= 0 && (out[i].tries >= faceTries || c.value() == out[i].value()) {
			continue
		}
		if c = s.refine(c); c.score < faceAccepted || c.worth < faceLeastWorth {
			continue
		}
		if i = slices.IndexFunc(out, near); i < 0 {
			out = append(out, c)
			continue
		}
		out[i] = betterOf(out[i], c)
	}
	out = s.suppress(out)
	out = s.classify(out)
	return out, s.rest(out)
}

// betterOf keeps the better of two readings of one die that differ; where both are
// worth nearly the same, neither is believed.
func betterOf(a, b face) face {
	tries := a.tries + 1
	if b.worth > a.worth {
		a, b = b, a
	}
	a.tries = tries
	a.doubtful = a.doubtful || a.value() != b.value() && a.worth-b.worth < faceMargin
	return a
}

// candidates are the places where a face may be, best first.
func (s *search) candidates() []face {
	var cands []face
	step := s.hint.Edge / faceStep
	for y := 0.0; y < float64(s.h); y += step {
		for x := 0.0; x < float64(s.w); x += step {
			if !s.isFore(x, y) {
				continue
			}
			best := face{worth: math.Inf(-1)}
			for k := range faceTurns {
				f := face{x: x, y: y, angle: float64(k) * math.Pi / float64(2*faceTurns)}
				if s.rate(&f) && f.score > faceCoarse {
					if s.weigh(&f); f.worth > best.worth {
						best = f
					}
				}
			}
			if best.score > faceCoarse {
				cands = append(cands, best)
			}
		}
	}
	slices.SortFunc(cands, func(a, b face) int { return cmp.Compare(b.worth, a.worth) })
	return cands
}

// refine climbs to the best place and turn nearby.
func (s *search) refine(f face) face {
	for _, step := range faceSteps {
		for range faceMoves {
			best := f
			for dx := -1.0; dx <= 1; dx++ {
				for dy := -1.0; dy <= 1; dy++ {
					for da := -1.0; da <= 1; da++ {
						g := face{x: f.x + dx*step*s.hint.Edge, y: f.y + dy*step*s.hint.Edge, angle: f.angle + da*step}
						if !s.rate(&g) {
							continue
						}
						if s.weigh(&g); g.worth > best.worth {
							best = g
						}
					}
				}
			}
			if best.x == f.x && best.y == f.y && best.angle == f.angle {
				break
			}
			f = best
		}
	}
	return f
}

// rest are boxes round foreground as large as a face that no face explains.
func (s *search) rest(faces []face) []fact.Quad {
	m, err := gocv.NewMatFromBytes(s.h, s.w, gocv.MatTypeCV8U, s.fore)
	if err != nil {
		return nil
	}
	defer m.Close()
	contours := gocv.FindContours(m, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer contours.Close()
	var out []fact.Quad
	for i := range contours.Size() {
		c := contours.At(i)
		box := gocv.BoundingRect(c)
		if gocv.ContourArea(c) < faceUnread*s.hint.Edge*s.hint.Edge {
			continue
		}
		if r := gocv.MinAreaRect(c); float64(min(r.Width, r.Height)) < faceNarrow*s.hint.Edge {
			continue
		}
		grown := box.Inset(-int(s.hint.Edge / faceGrown))
		if slices.ContainsFunc(faces, func(f face) bool { return image.Pt(int(f.x), int(f.y)).In(grown) }) {
			continue
		}
		low, high := fact.Point{float64(box.Min.X), float64(box.Min.Y)}, fact.Point{float64(box.Max.X), float64(box.Max.Y)}
		out = append(out, geometry.Upright(low, high))
	}
	return out
}
