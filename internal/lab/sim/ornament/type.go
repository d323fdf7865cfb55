// Package ornament is what simulated chips and cloths are printed with: type, emblems
// and the name of the house. It draws where it is told and knows no table.
package ornament

import (
	"fmt"
	"math"
	"sync"

	"github.com/fogleman/gg"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gosmallcaps"
	"golang.org/x/image/font/opentype"
)

// Font is a typeface.
type Font int

// The typefaces.
const (
	Serif Font = iota // the layouts' own
	Sans
	Italic
	Bold // the plain chips' own
	Medium
	SmallCaps
	fonts
)

// Fonts lists the typefaces.
func Fonts() []Font { return []Font{Serif, Sans, Italic, Bold, Medium, SmallCaps} }

var parsed = sync.OnceValues(func() (out [fonts]*opentype.Font, err error) {
	for f, ttf := range [fonts][]byte{
		Serif: liberationserifbold.TTF, Sans: liberationsansbold.TTF, Italic: liberationserifbolditalic.TTF,
		Bold: gobold.TTF, Medium: gomedium.TTF, SmallCaps: gosmallcaps.TTF} {
		if out[f], err = opentype.Parse(ttf); err != nil {
			return out, fmt.Errorf("typeface %d: %w", f, err)
		}
	}
	return out, nil
})

// Face is the typeface at a size in pixels. A face must not be used by two goroutines.
func (f Font) Face(size float64) (font.Face, error) {
	all, err := parsed()
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(all[f], &opentype.FaceOptions{Size: size, DPI: 72})
}

// Value is how a chip shows its value, in cents: in euros, "2,5".
func Value(cents int64) string {
	if cents%100 != 0 {
		return fmt.Sprintf("%d,%d", cents/100, cents%100/10)
	}
	return fmt.Sprint(cents / 100)
}

// rise is by how much of its height text is lowered so that its capitals stand about
// the point at which it is drawn.
const rise = 0.36

// Letter is one letter of a text with where it stands.
type Letter struct {
	Text        string
	X, Y, Angle float64
	Width       float64
}

// Line sets text in the context's typeface along a line about the origin, pixels.
func Line(g *gg.Context, s string) []Letter {
	w, _ := g.MeasureString(s)
	return []Letter{{Text: s, Width: w}}
}

// Arc sets text in the context's typeface along a circle of the radius about the
// origin, pixels: over the middle, or under it.
func Arc(g *gg.Context, s string, radius float64, under bool) []Letter {
	var out []Letter
	whole, _ := g.MeasureString(s)
	at, way := -whole/2, 1.0
	if under {
		way = -1
	}
	for _, r := range s {
		w, _ := g.MeasureString(string(r))
		a := (at + w/2) / radius
		sin, cos := math.Sincos(a)
		out = append(out, Letter{Text: string(r), X: radius * sin, Y: -way * radius * cos, Angle: way * a, Width: w})
		at += w
	}
	return out
}

// Draw draws the letters in the context's typeface and colour.
func Draw(g *gg.Context, letters []Letter) {
	for _, l := range letters {
		g.Push()
		g.Translate(l.X, l.Y)
		g.Rotate(l.Angle)
		g.DrawStringAnchored(l.Text, 0, 0, 0.5, rise)
		g.Pop()
	}
}
