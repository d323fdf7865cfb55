package card

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// papers are cards beside one another on green felt, each of one colour with an index.
func papers(t *testing.T, colours ...color.RGBA) (gocv.Mat, []fact.Card) {
	t.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 90, 30, 0), 160, 120*len(colours), gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	var cards []fact.Card
	for i, c := range colours {
		x := 120*i + 10
		gocv.Rectangle(&img, image.Rect(x, 10, x+100, 150), c, -1)
		gocv.PutText(&img, "A", image.Pt(x+6, 40), gocv.FontHersheyDuplex, 1, color.RGBA{R: 200, A: 255}, 3)
		l, r := float64(x), float64(x+100)
		cards = append(cards, fact.Card{Quad: fact.Quad{{l, 10}, {r, 10}, {r, 150}, {l, 150}},
			Guesses: []fact.Guess{{Label: "Ah", P: 1}}})
	}
	return img, cards
}

func TestPaperOfAnotherTintIsNoCard(t *testing.T) {
	white, shade := color.RGBA{218, 207, 184, 255}, color.RGBA{131, 124, 110, 255}
	cream, burnt := color.RGBA{217, 198, 163, 255}, color.RGBA{255, 255, 252, 255}
	for name, c := range map[string]struct {
		in   []color.RGBA
		want string // per card: u for one that is doubted
	}{
		"all alike":                 {[]color.RGBA{white, white, white, white, white, white}, "......"},
		"one in shadow":             {[]color.RGBA{white, shade, white, white, white, white}, "......"},
		"a print among cards":       {[]color.RGBA{white, white, cream, white, white, white}, "..u..."},
		"burnt out by a lamp":       {[]color.RGBA{white, white, burnt, white, white, white}, "......"},
		"a lamp of its own each":    {[]color.RGBA{white, cream, {218, 207, 195, 255}, {218, 207, 172, 255}, {218, 207, 195, 255}, cream}, "......"},
		"too few to tell":           {[]color.RGBA{white, white, cream, white, white}, "....."},
		"all of them yellowed":      {[]color.RGBA{cream, cream, cream, cream, cream, cream}, "......"},
		"a white one among yellows": {[]color.RGBA{cream, cream, white, cream, cream, cream}, "..u..."},
	} {
		img, cards := papers(t, c.in...)
		doubtPaper(img, cards)
		got := ""
		for _, k := range cards {
			if k.Abstain == "" {
				got += "."
			} else {
				got += k.Abstain[:1]
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A card at the picture's edge has no tint, and nothing is read beyond it.
func TestTintAtTheEdge(t *testing.T) {
	img, cards := papers(t, color.RGBA{218, 207, 184, 255})
	q := cards[0].Quad
	for i := range q {
		q[i] = add(q[i], fact.Point{-90, 0})
	}
	if _, ok := bitmapOf(img).tint(q); ok {
		t.Error("a card outside of the picture has a tint")
	}
}
