package card

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// walk is the contour of a polygon, every pixel.
func walk(corners ...image.Point) []image.Point {
	var out []image.Point
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		n := max(abs(b.X-a.X), abs(b.Y-a.Y))
		for k := range n {
			out = append(out, image.Pt(a.X+(b.X-a.X)*k/n, a.Y+(b.Y-a.Y)*k/n))
		}
	}
	return out
}

func abs(n int) int { return max(n, -n) }

func TestTwoCardsExplainTheirHeap(t *testing.T) {
	for name, c := range map[string]struct {
		border []image.Point
		size   size
		want   []fact.Point // middles
	}{
		"one lower right of the other": {
			walk(image.Pt(0, 0), image.Pt(60, 0), image.Pt(60, 50), image.Pt(90, 50), image.Pt(90, 134), image.Pt(30, 134),
				image.Pt(30, 84), image.Pt(0, 84)),
			size{60, 84}, []fact.Point{{30, 42}, {60, 92}}},
		"one across": {
			walk(image.Pt(0, 0), image.Pt(60, 0), image.Pt(60, 24), image.Pt(114, 24), image.Pt(114, 84), image.Pt(0, 84)),
			size{60, 84}, []fact.Point{{30, 42}, {72, 54}}},
		"larger than two can fill": {
			walk(image.Pt(0, 0), image.Pt(160, 0), image.Pt(160, 84), image.Pt(60, 84), image.Pt(60, 130), image.Pt(0, 130)),
			size{60, 84}, nil},
		"a card with a bite out of it": {
			walk(image.Pt(0, 0), image.Pt(60, 0), image.Pt(60, 70), image.Pt(45, 70), image.Pt(45, 84), image.Pt(0, 84)),
			size{60, 84}, nil},
	} {
		corners, _ := freeCorners(c.border, c.size.short)
		h := heap{corners: corners, sizes: []size{c.size}}
		var border []fact.Point
		for _, p := range c.border {
			border = append(border, toPoint(p))
		}
		got := h.tile(border)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want cards at %v", name, got, c.want)
			continue
		}
		for _, m := range c.want {
			if d := min(norm(sub(centre(got[0]), m)), norm(sub(centre(got[1]), m))); d > 3 {
				t.Errorf("%s: no card at %v (%.1f px off)", name, m, d)
			}
		}
	}
}

// Of two cards that hardly touch the middle lies in neither; two contours of them, one within the
// other, are still one heap.
func TestAHeapIsExplainedOnce(t *testing.T) {
	around := func(in int) []image.Point {
		return walk(image.Pt(in, in), image.Pt(60-in, in), image.Pt(60-in, 40), image.Pt(66+in, 40), image.Pt(66+in, 6+in),
			image.Pt(126-in, 6+in), image.Pt(126-in, 90-in), image.Pt(66+in, 90-in), image.Pt(66+in, 44), image.Pt(60-in, 44),
			image.Pt(60-in, 84-in), image.Pt(in, 84-in))
	}
	for _, heaps := range [][][]image.Point{{around(0)}, {around(1)}, {around(0), around(1)}} {
		s := scene{heaps: heaps, k: 1}
		if got := s.tilings(nil, Hint{Short: 59}); len(got) != 1 || len(got[0]) != 2 {
			t.Errorf("%d contours: %v, want one heap of two cards", len(heaps), got)
		}
	}
}

// Two backs over one another are two where faces tell the size; two pieces of
// plain felt of that size are none.
func TestReadsBacksThatOverlap(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	for _, cloth := range []bool{false, true} {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(120, 170, 190, 0), 420, 700, gocv.MatTypeCV8UC3)
		for i, c := range []vocab.Card{3, 17, 31} {
			lay(t, &img, d.Face(c), turned(100+150*float64(i), 310, 100, 0.05))
		}
		for _, q := range []fact.Quad{turned(180, 110, 100, 0.2), turned(225, 130, 100, -0.35)} {
			if !cloth {
				lay(t, &img, d.Face(vocab.Unseen), q)
				continue
			}
			poly := gocv.NewPointsVectorFromPoints([][]image.Point{{px(q[0]), px(q[1]), px(q[2]), px(q[3])}})
			gocv.FillPoly(&img, poly, color.RGBA{R: 30, G: 40, B: 120})
			poly.Close()
		}
		grain(img, rand.New(rand.NewPCG(2, 1)))
		read, err := r.Read(img, Hint{})
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		backs := 0
		for i := range read {
			if acceptedBack(&read[i]) {
				backs++
			}
		}
		if want := map[bool]int{false: 2, true: 0}[cloth]; backs != want {
			t.Errorf("cloth %v: %d backs are read, want %d", cloth, backs, want)
		}
	}
}

func px(p fact.Point) image.Point { return image.Pt(int(p[0]+0.5), int(p[1]+0.5)) }

// A corner that is put some pixels and degrees off is moved to the card's edges.
func TestCornersAreMovedToTheEdges(t *testing.T) {
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []vocab.Card{0, 20, 51} {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), 300, 300, gocv.MatTypeCV8UC3)
		q := turned(150, 150, 100, 0.4)
		lay(t, &img, d.Face(c), q)
		grain(img, rand.New(rand.NewPCG(5, 1)))
		short, long := sub(q[1], q[0]), sub(q[3], q[0])
		turn := func(v fact.Point, a float64) fact.Point {
			s, k := math.Sincos(a)
			return fact.Point{k*v[0] - s*v[1], s*v[0] + k*v[1]}
		}
		m := mark{apex: add(q[0], fact.Point{2, -3}), short: turn(short, 0.06), long: turn(long, -0.05)}.refined(img)
		img.Close()
		if e := norm(sub(m.apex, q[0])); e > 1.5 {
			t.Errorf("%v: the apex is %.1f px off", c, e)
		}
		if e := max(math.Abs(cross(unit(m.short), unit(short))), math.Abs(cross(unit(m.long), unit(long)))); e > 0.03 {
			t.Errorf("%v: a side is %.3f rad off", c, e)
		}
	}
	plain := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), 100, 100, gocv.MatTypeCV8UC3)
	defer plain.Close()
	m := mark{apex: fact.Point{20, 20}, short: fact.Point{50, 0}, long: fact.Point{0, 70}}
	if got := m.refined(plain); got != m {
		t.Errorf("without edges: %v, want it as it was", got)
	}
}
