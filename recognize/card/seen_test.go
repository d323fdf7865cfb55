package card

import (
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

func upright(x, y, w, h float64) fact.Quad {
	return fact.Quad{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}

// lie draws blank cards, the last one on top, and gives them as they were read.
func lie(t *testing.T, quads ...fact.Quad) (gocv.Mat, []fact.Card) {
	t.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 90, 30, 0), 300, 400, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	var cards []fact.Card
	for _, q := range quads {
		b := q.Box()
		r := image.Rect(int(b[0]), int(b[1]), int(b[0]+b[2]), int(b[1]+b[3]))
		gocv.Rectangle(&img, r, color.RGBA{235, 235, 235, 0}, -1)
		gocv.Rectangle(&img, r, color.RGBA{150, 150, 150, 0}, 2)
		cards = append(cards, fact.Card{Quad: q})
	}
	return img, cards
}

func seenBoxes(t *testing.T, img gocv.Mat, cards []fact.Card, marks []mark, want ...fact.Box) {
	t.Helper()
	shown(img, cards, marks)
	for i, c := range cards {
		for k := range c.Seen {
			if math.Abs(c.Seen[k]-want[i][k]) > 4 {
				t.Errorf("of card %d %v is seen, want %v", i, c.Seen, want[i])
				break
			}
		}
	}
}

// Where no corner tells, the sides that are seen do.
func TestSeenBesideACardThatLiesOver(t *testing.T) {
	under, over := upright(50, 50, 100, 150), upright(100, 45, 110, 160)
	img, cards := lie(t, under, over)
	seenBoxes(t, img, cards, nil, fact.Box{50, 50, 50, 150}, over.Box())
	img, cards = lie(t, over, under)
	seenBoxes(t, img, cards, nil, fact.Box{150, 45, 60, 160}, under.Box())
}

// The card of which a corner is seen on the other lies above, whatever its sides show.
func TestSeenCornerTellsWhichLiesAbove(t *testing.T) {
	left, right := upright(50, 50, 100, 150), upright(100, 45, 110, 160)
	img, cards := lie(t, left, right)
	sign := mark{apex: right[0], cornerScore: 0.8}.within(right)
	seenBoxes(t, img, cards, []mark{sign}, fact.Box{50, 50, 50, 150}, right.Box())
	sign = mark{apex: left[2], cornerScore: 0.8}.within(left)
	seenBoxes(t, img, cards, []mark{sign}, left.Box(), fact.Box{150, 45, 60, 160})
}

// A corner is that of one card, even where another one's lies near.
func TestASeenCornerIsOfTheCardItFits(t *testing.T) {
	a, b := upright(50, 50, 100, 150), upright(57, 58, 100, 150)
	m := mark{apex: fact.Point{56, 57}, cornerScore: 0.7}.within(b)
	got := cornerScores([]fact.Card{{Quad: a}, {Quad: b}}, []mark{m})
	if want := [4]float64{0.7}; got[0] != [4]float64{} || got[1] != want {
		t.Errorf("heats %v, want the corner to be the second card's", got)
	}
	turned := mark{apex: a[0], cornerScore: 0.7, short: fact.Point{0, 100}, long: fact.Point{150, 0}}
	if got := cornerScores([]fact.Card{{Quad: a}}, []mark{turned}); got[0] != [4]float64{} {
		t.Errorf("heats %v of a corner that runs otherwise", got)
	}
}

// Of a card of which little is seen, and of those of a fan, the whole is reported; and no more
// than lies in the picture.
func TestSeenWhole(t *testing.T) {
	under, over := upright(50, 50, 100, 150), upright(70, 40, 110, 170)
	img, cards := lie(t, under, over)
	seenBoxes(t, img, cards, nil, under.Box(), over.Box())

	var fan []fact.Quad
	var whole, strips []fact.Box
	for i := range seenFan {
		fan = append(fan, upright(20+40*float64(i), 50, 100, 150))
		whole = append(whole, fan[i].Box())
		strips = append(strips, fact.Box{fan[i][0][0], 50, 40, 150})
	}
	img, cards = lie(t, fan...)
	seenBoxes(t, img, cards, nil, whole...)
	strips[seenFan-2] = whole[seenFan-2]
	img, cards = lie(t, fan[:seenFan-1]...)
	seenBoxes(t, img, cards, nil, strips...)

	img, cards = lie(t, upright(-30, 50, 100, 150))
	seenBoxes(t, img, cards, nil, fact.Box{0, 50, 70, 150})
}

// A card that was not read hides nothing: it may be none.
func TestNothingIsHiddenByWhatWasNotRead(t *testing.T) {
	under, over := upright(50, 50, 100, 150), upright(100, 45, 110, 160)
	img, cards := lie(t, under, over)
	cards[1].Abstain = "unsure"
	seenBoxes(t, img, cards, nil, under.Box(), over.Box())
}
