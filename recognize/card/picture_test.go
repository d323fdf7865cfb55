package card

import (
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// TestPicture writes a drawn table with what is read of it, for the documents:
// VISION_PICTURE=docs/cards.jpg go test ./recognize/card -run Picture
func TestPicture(t *testing.T) {
	path := os.Getenv("VISION_PICTURE")
	if path == "" {
		t.Skip("VISION_PICTURE names no file")
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 100, 45, 0), 700, 1250, gocv.MatTypeCV8UC3)
	defer img.Close()
	put := func(style string, c vocab.Card, x, y, angle float64) {
		d, err := deck.New(style)
		if err != nil {
			t.Fatal(err)
		}
		lay(t, &img, d.Face(c), turned(x, y, 95, angle))
	}
	for i, c := range []vocab.Card{3, 17, 31, 50} { // held-out French deck: apart, a pair, a fan
		put("tapete", c, 90+130*float64(i), 110, 0.1*float64(i)-0.15)
	}
	put("tapete", 9, 130, 330, 0.1)
	put("tapete", 24, 165, 345, 0.35)
	for i, c := range []vocab.Card{0, 14, 28, 40, 5} {
		put("tapete", c, 330+34*float64(i), 340+6*float64(i*i-4*i), 0.16*float64(i)-0.3)
	}
	put("clasica", vocab.Unseen, 120, 570, 0.2)
	put("clasica", vocab.Unseen, 165, 590, -0.35)
	spanish, err := deck.New("sevilla")
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range []int{0, 8, 13, 25, 39, 19} {
		put("sevilla", spanish.Cards()[k], 720+150*float64(i%3), 130+200*float64(i/3), 0.2*float64(i)-0.4)
	}
	for i, c := range []vocab.Card{6, 22, 37, 12} {
		put("salón", c, 480+150*float64(i), 580, 0.15-0.1*float64(i))
	}
	gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.6, 0.6, gocv.BorderDefault)
	grain(img, rand.New(rand.NewPCG(9, 1)))
	read, err := reader(t).Read(img, Hint{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range read {
		col, text := color.RGBA{R: 255, G: 170, B: 30}, "? "+c.Abstain
		if label, _ := fact.Best(c.Guesses); c.Abstain == "" {
			col, text = color.RGBA{R: 60, G: 255, B: 80}, label
		}
		for i, p := range c.Quad {
			gocv.Line(&img, px(p), px(c.Quad[(i+1)%4]), col, 2)
		}
		at := px(c.Quad[0]).Add(image.Pt(-6, -6))
		gocv.PutText(&img, text, at, gocv.FontHersheySimplex, 0.7, blank, 5)
		gocv.PutText(&img, text, at, gocv.FontHersheySimplex, 0.7, col, 2)
	}
	if !gocv.IMWriteWithParams(path, img, []int{gocv.IMWriteJpegQuality, 82}) {
		t.Fatalf("%s is not written", path)
	}
}
