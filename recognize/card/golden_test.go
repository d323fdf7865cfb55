package card

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// laid is a card in a rendered picture.
type laid struct {
	card vocab.Card // Unseen: seen from its back
	quad fact.Quad
}

func (l laid) label() string {
	if l.card == vocab.Unseen {
		return "BK"
	}
	return l.card.String()
}

// table is a rendered picture and what lies in it.
type table struct {
	img   gocv.Mat
	cards []laid
}

// render lays cards in a grid on a felt, each turned at random, seen obliquely.
// short is the shorter side of a card in pixels.
func render(t testing.TB, d *deck.Deck, cards []vocab.Card, short float64, seed uint64) table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	const cols = 5
	cell := 2.1 * short
	rows := (len(cards) + cols - 1) / cols
	w, h := int(cell*(cols+1.2)), int(cell*(float64(rows)+1.2))
	felt := gocv.NewScalar(60+40*rng.Float64(), 70+50*rng.Float64(), 30+30*rng.Float64(), 0)
	out := table{img: gocv.NewMatWithSizeFromScalar(felt, h, w, gocv.MatTypeCV8UC3)}
	lean := 0.06 * rng.Float64()
	for i, c := range cards {
		x, y := cell*(float64(i%cols)+1.1), cell*(float64(i/cols)+1.1)
		q := turned(x, y, short, rng.Float64()*2*math.Pi)
		for k, p := range q { // far things are smaller
			f := 1 + lean*(p[1]-float64(h)/2)/float64(h)
			q[k] = fact.Point{float64(w)/2 + (p[0]-float64(w)/2)*f, float64(h)/2 + (p[1]-float64(h)/2)*f*(1-lean)}
		}
		lay(t, &out.img, d.Face(c), q)
		out.cards = append(out.cards, laid{c, q})
	}
	gocv.GaussianBlur(out.img, &out.img, image.Pt(3, 3), 0.6, 0.6, gocv.BorderDefault)
	grain(out.img, rng)
	return out
}

func turned(x, y, short, angle float64) fact.Quad {
	w, h := short/2, short*deck.Height/deck.Width/2
	var q fact.Quad
	for i, p := range [4][2]float64{{-w, -h}, {w, -h}, {w, h}, {-w, h}} {
		s, c := math.Sincos(angle)
		q[i] = fact.Point{x + c*p[0] - s*p[1], y + s*p[0] + c*p[1]}
	}
	return q
}

// lay warps the face onto the picture.
func lay(t testing.TB, dst *gocv.Mat, face *image.RGBA, q fact.Quad) {
	t.Helper()
	src, err := gocv.ImageToMatRGBA(face)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	short, _ := sides(q)
	k := min(1, 2*short/float64(src.Cols()))
	gocv.Resize(src, &src, image.Point{}, k, k, gocv.InterpolationArea)
	w, h := float32(src.Cols()), float32(src.Rows())
	from := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{{}, {X: w}, {X: w, Y: h}, {Y: h}})
	defer from.Close()
	to := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{pt(q[0]), pt(q[1]), pt(q[2]), pt(q[3])})
	defer to.Close()
	m := gocv.GetPerspectiveTransform2f(from, to)
	defer m.Close()
	warped := gocv.NewMat()
	defer warped.Close()
	gocv.WarpPerspectiveWithParams(src, &warped, m, image.Pt(dst.Cols(), dst.Rows()), gocv.InterpolationArea,
		gocv.BorderConstant, color.RGBA{})
	ch := gocv.Split(warped)
	defer func() {
		for _, c := range ch {
			c.Close()
		}
	}()
	gocv.Threshold(ch[3], &ch[3], 127, 255, gocv.ThresholdBinary)
	bgr := gocv.NewMat()
	defer bgr.Close()
	gocv.Merge(ch[:3], &bgr)
	bgr.CopyToWithMask(dst, ch[3])
}

func grain(img gocv.Mat, rng *rand.Rand) {
	px, err := img.DataPtrUint8()
	if err != nil {
		return
	}
	for i := range px {
		px[i] = uint8(max(0, min(255, float64(px[i])*0.93+rng.NormFloat64()*3)))
	}
}

// score counts what a reader says of a rendered table.
type tally struct{ cards, right, wrong, abstained int }

func (s *tally) add(tb table, read []fact.Card) {
	s.cards += len(tb.cards)
	for _, c := range read {
		if c.Abstain != "" {
			s.abstained++
			continue
		}
		label, _ := fact.Best(c.Guesses)
		ok := false
		for _, l := range tb.cards {
			ok = ok || l.label() == label && iou(l.quad, c.Quad) > 0.7
		}
		if ok {
			s.right++
		} else {
			s.wrong++
		}
	}
}

func reader(t testing.TB) *Reader {
	t.Helper()
	r, err := NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// The felt's own print is no card: frames, letters, aces and suits.
func TestPrintedFeltIsNoCard(t *testing.T) {
	r := reader(t)
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(50, 100, 30, 0), 600, 900, gocv.MatTypeCV8UC3)
	defer img.Close()
	cream := color.RGBA{R: 220, G: 215, B: 190}
	for i := range 4 {
		x := 40 + 210*i
		gocv.Rectangle(&img, image.Rect(x, 60, x+120, 230), cream, 3)
		gocv.Rectangle(&img, image.Rect(x, 300, x+190, 560), cream, 3)
		gocv.PutText(&img, []string{"A", "K", "7", "BLACKJACK"}[i], image.Pt(x+10, 420), gocv.FontHersheyDuplex, 1.2, cream, 2)
		gocv.Circle(&img, image.Pt(x+60, 140), 40, color.RGBA{R: 200, G: 40, B: 40}, -1)
	}
	grain(img, rand.New(rand.NewPCG(1, 1)))
	for _, hint := range []Hint{{}, {Short: 120}} {
		read, err := r.Read(img, hint)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range read {
			if c.Abstain == "" {
				t.Errorf("hint %+v: the print is read as %v at %v", hint, c.Guesses[0], c.At)
			}
		}
	}
}

// A zone's patch tells the size of a card; what is of another size is none.
func TestHintBoundsTheSize(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	tb := render(t, d, []vocab.Card{1, 20, 40}, 80, 3)
	defer tb.img.Close()
	for _, c := range []struct {
		short float64
		want  int
	}{{80, 3}, {200, 0}} {
		read, err := r.Read(tb.img, Hint{Short: c.short})
		if err != nil {
			t.Fatal(err)
		}
		if len(read) != c.want {
			t.Errorf("cards of 80 px, hint %v px: %d readings, want %d", c.short, len(read), c.want)
		}
	}
}

// The lower of two cards is read by the corner that stays free.
func TestReadsACardUnderAnother(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	under, over := vocab.Of(8, 1), vocab.Of(4, 3)
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), 400, 600, gocv.MatTypeCV8UC3)
	defer img.Close()
	lay(t, &img, d.Face(under), turned(200, 200, 110, 0))
	lay(t, &img, d.Face(over), turned(245, 215, 110, 0.2))
	grain(img, rand.New(rand.NewPCG(2, 1)))
	read, err := r.Read(img, Hint{Short: 110})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range read {
		label, _ := fact.Best(c.Guesses)
		if c.Abstain == "" && label != under.String() && label != over.String() {
			t.Errorf("%s is read and does not lie there", label)
		}
	}
	if len(read) == 0 {
		t.Error("two cards lie there and nothing is said of them")
	}
}

func TestOnlyPicturesAreRead(t *testing.T) {
	r := reader(t)
	empty, grey := gocv.NewMat(), gocv.NewMatWithSize(50, 50, gocv.MatTypeCV8U)
	defer empty.Close()
	defer grey.Close()
	for _, m := range []gocv.Mat{empty, grey} {
		if _, err := r.Read(m, Hint{}); !errors.Is(err, cv.ErrPicture) {
			t.Errorf("error %v, want cv.ErrPicture", err)
		}
	}
	for _, side := range []int{1, 15, 16, 20, 33} {
		m := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(9, 9, 9, 0), side, 3*side, gocv.MatTypeCV8UC3)
		if read, err := r.Read(m, Hint{}); err != nil || len(read) > 0 {
			t.Errorf("%d×%d: %d readings, %v", 3*side, side, len(read), err)
		}
		m.Close()
	}
}

func pt(p fact.Point) gocv.Point2f { return gocv.Point2f{X: float32(p[0]), Y: float32(p[1])} }
