package card

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// one lays a card on a felt and does something to the picture.
func one(t *testing.T, style string, c vocab.Card, short float64, harm func(*gocv.Mat)) (gocv.Mat, fact.Quad) {
	t.Helper()
	d, err := deck.New(style)
	if err != nil {
		t.Fatal(err)
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), 300, 300, gocv.MatTypeCV8UC3)
	q := turned(150, 150, short, 0.3)
	lay(t, &img, d.Face(c), q)
	grain(img, rand.New(rand.NewPCG(4, 1)))
	harm(&img)
	return img, q
}

func blur(sigma float64) func(*gocv.Mat) {
	return func(m *gocv.Mat) { gocv.GaussianBlur(*m, m, image.Point{}, sigma, sigma, gocv.BorderDefault) }
}

// shine burns out a disc, as a lamp does on a glossy card.
func shine(r int) func(*gocv.Mat) {
	return func(m *gocv.Mat) {
		gocv.GaussianBlur(*m, m, image.Pt(3, 3), 0.6, 0.6, gocv.BorderDefault)
		lamp := gocv.NewMatWithSize(m.Rows(), m.Cols(), gocv.MatTypeCV8UC3)
		defer lamp.Close()
		gocv.Circle(&lamp, image.Pt(150, 150), r, color.RGBA{R: 255, G: 255, B: 255}, -1)
		gocv.GaussianBlur(lamp, &lamp, image.Point{}, 4, 4, gocv.BorderDefault)
		gocv.AddWeighted(*m, 0.85, lamp, 1.2, 0, m)
	}
}

func TestExplainsWhyACardIsNotRead(t *testing.T) {
	over := fact.Card{Quad: turned(185, 150, 90, 0), Guesses: []fact.Guess{{Label: "4c", P: 1}}}
	beside := fact.Card{Quad: turned(260, 150, 90, 0), Guesses: []fact.Guess{{Label: "4c", P: 1}}}
	for _, style := range []string{"clasica", "tapete", "salón", "sevilla"} {
		d, err := deck.New(style)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{0, 6, 30} {
			c := d.Cards()[k]
			for name, w := range map[string]struct {
				short  float64
				harm   func(*gocv.Mat)
				others []fact.Card
				want   string
			}{
				"sharp and whole":       {90, blur(0.6), []fact.Card{beside}, "unsure"},
				"few pixels":            {38, blur(0.6), nil, "small"},
				"another card over it":  {90, blur(0.6), []fact.Card{over}, "occluded"},
				"out of focus":          {90, blur(5), nil, "blurred"},
				"out of focus, smaller": {60, blur(4), nil, "blurred"},
				"a lamp's reflection":   {110, shine(48), nil, "glare"},
			} {
				img, q := one(t, style, c, w.short, w.harm)
				cards := append([]fact.Card{{Quad: q, Abstain: "unsure"}}, w.others...)
				if err := explain(img, cards); err != nil {
					t.Fatal(err)
				}
				if got := cards[0].Abstain; got != w.want {
					patch, err := rectified(img, q)
					if err != nil {
						t.Fatal(err)
					}
					t.Errorf("%s %v, %s: %q, want %q (edges %.2f px, glare %.2f)", style, c, name, got, w.want, edgeWidth(patch)*w.short/rectW, glare(patch))
					patch.Close()
				}
				img.Close()
			}
		}
	}
}

// What was read, and what already has a better reason, is left as it is.
func TestExplainsOnlyAbstentions(t *testing.T) {
	img, q := one(t, "clasica", 5, 90, blur(6))
	defer img.Close()
	cards := []fact.Card{{Quad: q}, {Quad: turned(40, 40, 50, 0), Abstain: "occluded"}}
	if err := explain(img, cards); err != nil {
		t.Fatal(err)
	}
	if cards[0].Abstain != "" || cards[1].Abstain != "occluded" {
		t.Errorf("reasons %q, %q", cards[0].Abstain, cards[1].Abstain)
	}
}
