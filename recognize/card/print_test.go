package card

import (
	"errors"
	"image"
	"image/color"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
	"vision/models"
)

// asPrint is a card's face in one ink on a felt's white, within a frame of that ink.
func asPrint(face *image.RGBA, ink, white [3]float64) *image.RGBA {
	out := image.NewRGBA(face.Bounds())
	w, h := face.Bounds().Dx(), face.Bounds().Dy()
	for y := range h {
		for x := range w {
			p := face.RGBAAt(x, y)
			cover := 1 - float64(min(p.R, p.G, p.B))/255
			if edge := min(x, y, w-1-x, h-1-y); edge < w/20 || edge > w/14 && edge < w/11 {
				cover = 1
			}
			mix := func(k int) uint8 { return uint8(cover*ink[k] + (1-cover)*white[k]) }
			out.SetRGBA(x, y, color.RGBA{mix(0), mix(1), mix(2), p.A})
		}
	}
	return out
}

// What is printed on a felt as a card is none, and is reported as none; cards beside and on it are read.
func TestPrintedCardsAreNotRead(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	cream := [3]float64{222, 205, 165}
	for name, ink := range map[string][3]float64{"blue": {70, 95, 140}, "red": {205, 60, 55}} {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 62, 60, 0), 500, 900, gocv.MatTypeCV8UC3)
		defer img.Close()
		for i, c := range []vocab.Card{1, 14, 27, 40} {
			lay(t, &img, asPrint(d.Face(c), ink, cream), turned(110+130*float64(i), 150, 95, 0.1*float64(i)))
		}
		lying := map[vocab.Card]fact.Quad{
			5: turned(700, 160, 95, 0.3), 36: turned(780, 370, 95, -0.2), 22: turned(190, 300, 95, 1.2),
		}
		for c, q := range lying {
			lay(t, &img, d.Face(c), q)
		}
		gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
		grain(img, rand.New(rand.NewPCG(7, 1)))
		read, err := r.Read(img, Hint{})
		if err != nil {
			t.Fatal(err)
		}
		got, prints := map[string]bool{}, 0
		for _, c := range read {
			label, _ := fact.Best(c.Guesses)
			switch c.Abstain {
			case "":
				got[label] = true
			case printClass:
				prints++
			}
		}
		for c := range lying {
			if !got[c.String()] {
				t.Errorf("%s: the card %s is not read", name, c)
			}
			delete(got, c.String())
		}
		if len(got) > 0 || prints == 0 {
			t.Errorf("%s: read of print: %v; told as print: %d", name, got, prints)
		}
	}
}

func TestAPaperNetworkNeedsItsClass(t *testing.T) {
	manifest, err := fs.ReadFile(models.Shipped(), "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	net, err := fs.ReadFile(models.Shipped(), "paper.onnx")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		manifest string
		ok       bool
	}{"as shipped": {string(manifest), true}, "another class": {strings.ReplaceAll(string(manifest), `"print"`, `"ink"`), false}} {
		p, err := loadPaper(fstest.MapFS{"manifest.json": {Data: []byte(c.manifest)}, "paper.onnx": {Data: net}})
		if (err == nil) != c.ok || err != nil && !errors.Is(err, models.ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			p.Close()
		}
	}
}

// A white that is another print's speaks for print, that of a card for paper, and no farther
// than one whole.
func TestNearestWhite(t *testing.T) {
	cards := make([]fact.Card, 3)
	at := func(i int, blue, green float64) sheet {
		return sheet{card: &cards[i], tint: [2]float64{blue, green}, white: true}
	}
	me := at(0, -0.1, 0)
	for name, c := range map[string]struct {
		others []sheet
		want   float64
	}{
		"none":              {nil, 1},
		"itself alone":      {[]sheet{me}, 1},
		"the same":          {[]sheet{me, at(1, -0.1, 0)}, 0},
		"half way":          {[]sheet{at(1, -0.1, paperApart/2)}, 0.5},
		"far off":           {[]sheet{at(1, 0.4, 0)}, 1},
		"the nearer of two": {[]sheet{at(1, 0.4, 0), at(2, -0.1-paperApart/4, 0)}, 0.25},
	} {
		if got := me.nearest(c.others); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.3f, want %.3f", name, got, c.want)
		}
	}
}
