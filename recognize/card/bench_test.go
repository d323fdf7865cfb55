package card

import (
	"image"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/cv"
	"vision/internal/lab/sim/deck"
	"vision/internal/shared"
)

// BenchmarkFrame reads a whole 1080p photograph of a blackjack table from cold,
// and a zone of it.
func BenchmarkFrame(b *testing.B) {
	img, err := cv.ReadImage(shared.Dir(b, "data", "nickreisner-blackjack", "images", "6237_hand1-1.jpg"))
	if err != nil {
		b.Fatal(err)
	}
	defer img.Close()
	r := benchReader(b)
	b.Run("read", func(b *testing.B) { benchRead(b, r, img, Hint{}) })
	b.Run("stages", func(b *testing.B) { benchStages(b, r, img) })
	zone := img.Region(image.Rect(850, 600, 1300, 900))
	defer zone.Close()
	patch := zone.Clone()
	defer patch.Close()
	b.Run("zone", func(b *testing.B) { benchRead(b, r, patch, Hint{Short: 135}) })
}

// BenchmarkDrawn is the same on a drawn frame: ten cards of 90 px apart.
func BenchmarkDrawn(b *testing.B) {
	d, err := deck.New("tapete")
	if err != nil {
		b.Fatal(err)
	}
	tb := render(b, d, []vocab.Card{vocab.Unseen, 1, 7, 13, 20, 26, 30, 39, 44, 52}, 90, 3)
	defer tb.img.Close()
	frame := gocv.NewMat()
	defer frame.Close()
	gocv.CopyMakeBorder(tb.img, &frame, 0, 1080-tb.img.Rows(), 0, 1920-tb.img.Cols(), gocv.BorderReplicate, blank)
	r := benchReader(b)
	b.Run("read", func(b *testing.B) { benchRead(b, r, frame, Hint{}) })
	b.Run("stages", func(b *testing.B) { benchStages(b, r, frame) })
}

// BenchmarkHand reads a zone of five new cards side by side, at the size and in a
// patch as a table's zones have them: 48 × 17 cm.
func BenchmarkHand(b *testing.B) {
	d, err := deck.New("tapete")
	if err != nil {
		b.Fatal(err)
	}
	const short, w, h = 63.5 * 1.8, 860, 300
	tb := table{img: gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), h, w, gocv.MatTypeCV8UC3)}
	defer tb.img.Close()
	rng := rand.New(rand.NewPCG(4, 1))
	for i, c := range []vocab.Card{1, 13, 20, 39, 52} {
		q := turned(w/2+1.35*short*float64(i-2), h/2+10*rng.NormFloat64(), short, 0.06*rng.NormFloat64())
		lay(b, &tb.img, d.Face(c), q)
		tb.cards = append(tb.cards, laid{c, q})
	}
	gocv.GaussianBlur(tb.img, &tb.img, image.Pt(3, 3), 0.6, 0.6, gocv.BorderDefault)
	grain(tb.img, rng)
	r, hint := benchReader(b), Hint{Short: short, Deck: "french"}
	if n := tb.read(b, r, hint); n != len(tb.cards) {
		b.Fatalf("%d of %d cards read", n, len(tb.cards))
	}
	b.ResetTimer()
	benchRead(b, r, tb.img, hint)
}

// BenchmarkFan reads a photograph of a fan of 13 of which nothing is known.
func BenchmarkFan(b *testing.B) {
	tb := drawnFan(b)
	r := benchReader(b)
	if n := tb.read(b, r, Hint{}); n < len(tb.cards)-1 {
		b.Fatalf("%d of %d cards read", n, len(tb.cards))
	}
	b.Run("read", func(b *testing.B) { benchRead(b, r, tb.img, Hint{}) })
	b.Run("stages", func(b *testing.B) { benchStages(b, r, tb.img) })
}

// drawnFan is a fan of 13, its cards from the lowest on.
func drawnFan(t testing.TB) table {
	t.Helper()
	d, err := deck.New("tapete")
	if err != nil {
		t.Fatal(err)
	}
	const short, side, radius = 105, 1280, 1.7
	tb := table{img: gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), side, side, gocv.MatTypeCV8UC3)}
	t.Cleanup(func() { tb.img.Close() })
	for i := range 13 {
		turn := 0.15 * float64(i-6)
		sin, cos := math.Sincos(turn)
		q := turned(side/2+radius*short*sin, side/2+radius*short*(1-cos), short, turn)
		c := vocab.Card(1 + 4*i)
		lay(t, &tb.img, d.Face(c), q)
		tb.cards = append(tb.cards, laid{c, q})
	}
	gocv.GaussianBlur(tb.img, &tb.img, image.Pt(3, 3), 0.6, 0.6, gocv.BorderDefault)
	grain(tb.img, rand.New(rand.NewPCG(4, 1)))
	return tb
}

// read returns how many cards of a table are read right.
func (tb table) read(t testing.TB, r *Reader, hint Hint) int {
	t.Helper()
	read, err := r.Read(tb.img, hint)
	if err != nil {
		t.Fatal(err)
	}
	var s tally
	s.add(tb, read)
	return s.right
}

// BenchmarkNano runs another network on one 640 × 640 picture, to compare with:
// VISION_NANO names its ONNX file (models/train/nano.py writes one of the class of
// YOLO-nano detectors).
func BenchmarkNano(b *testing.B) {
	path := os.Getenv("VISION_NANO")
	if path == "" {
		b.Skip("VISION_NANO names no network")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	net, err := cv.NewNet(data)
	if err != nil {
		b.Fatal(err)
	}
	defer net.Close()
	in := make([]byte, 3*640*640)
	began := spent()
	for range b.N {
		if _, _, err := net.Pictures(in, 1, 640, 640); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(perOp(b, spent()-began), "cpu-ms/op")
}

func benchReader(b *testing.B) *Reader {
	b.Helper()
	r, err := NewReader(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	return r
}

func benchRead(b *testing.B, r *Reader, img gocv.Mat, hint Hint) {
	began := spent()
	for range b.N {
		if _, err := r.Read(img, hint); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(perOp(b, spent()-began), "cpu-ms/op")
}

// benchStages reports the processor time of each stage of Read.
func benchStages(b *testing.B, r *Reader, img gocv.Mat) {
	names := []string{"outlines", "faces", "corners", "indices"}
	sums := make([]time.Duration, len(names))
	for range b.N {
		lap, k := spent(), 0
		next := func(err error) {
			if err != nil {
				b.Fatal(err)
			}
			now := spent()
			sums[k] += now - lap
			lap, k = now, k+1
		}
		pic := newPicture(img)
		found, err := find(pic, Hint{})
		next(err)
		views, err := r.look(img, found.outlines)
		kept := r.suppress(views)
		next(err)
		marks, err := r.corners.marks(pic, Hint{}, r.spanOf(kept))
		next(err)
		_, err = r.under(img, append(found.edged(img, kept, Hint{}), marks...), kept)
		pic.close()
		next(err)
	}
	for i, n := range names {
		b.ReportMetric(perOp(b, sums[i]), n+"-cpu-ms/op")
	}
}

func perOp(b *testing.B, d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000 / float64(b.N)
}

// spent is the processor time of the process: on a busy machine it says more
// than the clock does.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
