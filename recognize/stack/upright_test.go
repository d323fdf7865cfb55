package stack

import (
	"math"
	"testing"

	"gocv.io/x/gocv"
	"pgregory.net/rapid"

	"vision/internal/fact"
)

// In its own picture a face shows as the ellipse that it was in the photograph, upright, before a camera that would
// show a chip so; and places go to and fro between the two.
func TestCut(t *testing.T) {
	img := gocv.NewMatWithSize(600, 800, gocv.MatTypeCV8UC3)
	defer img.Close()
	p := newPyramid(img)
	defer p.close()
	rapid.Check(t, func(t *rapid.T) {
		turn := rapid.Float64Range(-0.7, 0.7).Draw(t, "turn")
		a := rapid.Float64Range(14, 240).Draw(t, "a")
		q := proposal{
			px:   fact.Point{rapid.Float64Range(50, 750).Draw(t, "x"), rapid.Float64Range(50, 550).Draw(t, "y")},
			down: fact.Point{math.Sin(turn), math.Cos(turn)}, a: a, b: a * rapid.Float64Range(0.1, 0.95).Draw(t, "flat"), p: 1,
		}
		q.foot = q.px
		u, err := p.cut(q)
		if err != nil {
			t.Fatal(err)
		}
		back := u.from(u.to(fact.Point{123, 45}))
		if math.Hypot(back[0]-123, back[1]-45) > 1e-6 {
			t.Errorf("123, 45 comes back as %v", back)
		}
		k := math.Hypot(u.turn[0], u.turn[1])
		stand := u.face.Stands(u.view)
		low, high := fact.Point{1e9, 1e9}, fact.Point{-1e9, -1e9}
		for i := range 64 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 32)
			c := u.view.ToImageAt(fact.Point{stand.At[0] + stand.R*cos, stand.At[1] + stand.R*sin}, stand.Tall)
			for j := range c {
				low[j], high[j] = min(low[j], c[j]), max(high[j], c[j])
			}
		}
		// the nearer half of a circle shows larger: about half of that is allowed for
		slack := 0.05 + anyDiameter/2/u.reach
		if w, h := (high[0]-low[0])/2, (high[1]-low[1])/2; math.Abs(w/(k*q.a)-1) > slack || math.Abs(h/(k*q.b)-1) > 2*slack {
			t.Errorf("half axes %.1f, %.1f: shows %.1f, %.1f", k*q.a, k*q.b, w, h)
		}
		if 2*k*q.a > fineDisc+1e-9 {
			t.Errorf("%.0f pixels wide", 2*k*q.a)
		}
	})
}

// What shows on the side of a stack, and stands no lower, is a part of it; a stack before it is another.
func TestOn(t *testing.T) {
	box := func(x, y, w, h float64) fact.Stack {
		return fact.Stack{Quad: fact.Quad{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}}
	}
	at := func(x, y float64) *upright {
		q := proposal{px: fact.Point{x, y}, a: 20, b: 10, down: fact.Point{0, 1}}
		return &upright{proposal: q, turn: [4]float64{1, 0, 0, 1}}
	}
	whole := box(100, 100, 50, 120)
	for _, c := range []struct {
		name string
		u    *upright
		st   fact.Stack
		want bool
	}{
		{"a spot on its side", at(120, 160), box(112, 155, 16, 20), true},
		{"its side taken for a face", at(125, 150), box(100, 140, 50, 78), true},
		{"a stack before it", at(130, 190), box(105, 180, 52, 90), false},
		{"a stack beside it", at(180, 150), box(155, 140, 50, 80), false},
	} {
		if got := c.u.on(whole, c.st); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
