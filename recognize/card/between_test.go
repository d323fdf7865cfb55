package card

import (
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

func TestBetweenNeighbours(t *testing.T) {
	at := func(x float64) mark {
		return mark{cornerScore: 0.8, apex: fact.Point{x, 50}, short: fact.Point{100, 0}, long: fact.Point{0, 140}}
	}
	far := at(400)
	turned := at(230)
	turned.short, turned.long = fact.Point{0, 100}, fact.Point{-140, 0}
	got := between([]mark{at(100), at(130), at(133), far, turned})
	var xs []float64
	for _, m := range got {
		xs = append(xs, m.apex[0])
		if m.cornerScore > acceptCorner || m.apex[1] != 50 || m.long != far.long {
			t.Errorf("expected %+v", m)
		}
	}
	want := []float64{100 - 17, 100 + 17, 130 + 17, 130 - 17, 133 + 17, 133 - 17}
	if len(xs) != len(want) {
		t.Fatalf("corners expected at %v, want %v", xs, want)
	}
	for i := range want {
		if d := xs[i] - want[i]; d*d > 1e-9 {
			t.Errorf("corners expected at %v, want %v", xs, want)
		}
	}
}

// Rows in which each index lies hardly free of the next card, of a deck that never
// trained: the network that sees the whole picture finds fewer of their corners than
// are read.
func TestReadsCloseRows(t *testing.T) {
	d, err := deck.New("tapete")
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t)
	rng := rand.New(rand.NewPCG(3, 16))
	corners, s := 0, tally{}
	for range 4 {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 100, 40, 0), 400, 640, gocv.MatTypeCV8UC3)
		tb := table{img: img}
		short := 80 + 20*rng.Float64()
		for k, c := range rng.Perm(52)[:10] {
			q := turned(150+float64(k)*0.17*short, 200, short, 0.04*(float64(k)-4.5))
			face := d.Face(vocab.Card(c))
			lay(t, &tb.img, face, q)
			tb.cards = append(tb.cards, laid{card: vocab.Card(c), quad: q})
		}
		grain(tb.img, rng)
		pic := newPicture(tb.img)
		marks, err := r.corners.marks(pic, Hint{}, span{})
		pic.close()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tb.cards {
			for _, m := range marks {
				if norm(sub(m.apex, c.quad[0])) < 0.07*short {
					corners++
					break
				}
			}
		}
		read, err := r.Read(tb.img, Hint{})
		if err != nil {
			t.Fatal(err)
		}
		s.add(tb, read)
		tb.img.Close()
	}
	t.Logf("%d of 40 corners seen, %+v", corners, s)
	if s.wrong > 0 || s.right < 25 {
		t.Errorf("%+v of 40 cards", s)
	}
}
