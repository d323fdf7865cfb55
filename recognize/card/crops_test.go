package card

import (
	"image"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// What several corners measure tells each of them its sides.
func TestACornerWithinItsCard(t *testing.T) {
	q := fact.Quad{{10, 10}, {70, 12}, {66, 100}, {8, 96}}
	for k := range q {
		m := mark{apex: add(q[k], fact.Point{2, -1}), short: fact.Point{90, 0}, long: fact.Point{0, 200}}
		got := m.within(q)
		if want := sub(q[[4]int{1, 0, 3, 2}[k]], q[k]); got.short != want {
			t.Errorf("corner %d: short side %v, want %v", k, got.short, want)
		}
		if want := sub(q[[4]int{3, 2, 1, 0}[k]], q[k]); got.long != want {
			t.Errorf("corner %d: long side %v, want %v", k, got.long, want)
		}
		if got.apex != m.apex {
			t.Errorf("corner %d moved", k)
		}
	}
}

// Two opposite corners whose sides are taken for 1.7 times as long as they are read
// otherwise, one by one, than in the frame that they have together.
func TestCornersAreReadInTheFrameTheyHaveTogether(t *testing.T) {
	d, err := deck.New("tapete")
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t)
	right, alone := 0, 0
	for c := vocab.Card(1); c <= 52; c++ {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 100, 40, 0), 300, 300, gocv.MatTypeCV8UC3)
		q := turned(150, 150, 110, 0.2)
		lay(t, &img, d.Face(c), q)
		gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
		label := laid{card: c}.label()
		s := hypothesis{quad: q, labels: make([]float64, len(r.labels.face))}
		for _, k := range []int{0, 2} {
			m := mark{cornerScore: 1, apex: q[k]}.within(q)
			m.short, m.long = scale(m.short, 1.7), scale(m.long, 1.7)
			s.marks = append(s.marks, m)
		}
		outputs, err := r.indices(img, r.index, s.marks)
		if err != nil {
			t.Fatal(err)
		}
		s.labels = r.labels.of(outputs[0])
		s.take(r.labels.of(outputs[1]))
		if i, p := top(s.labels); r.labels.face[i] == label && p >= acceptPair {
			alone++
		}
		cards := []hypothesis{s}
		if err := r.readCrops(img, r.index, cards, each); err != nil {
			t.Fatal(err)
		}
		switch i, p := top(cards[0].labels); {
		case r.labels.face[i] == label && p >= acceptPair:
			right++
		case p >= acceptPair:
			t.Errorf("%s is read as %s (%.3f)", label, r.labels.face[i], p)
		}
		img.Close()
	}
	t.Logf("%d of 52 read, %d in the frames expected", right, alone)
	if right < 50 {
		t.Errorf("%d of 52 cards read", right)
	}
}
