// Package deck draws the simulator's own playing cards: several designs of the
// French pack with their own types, pips, courts and backs. Nothing here comes
// from a printed deck.
package deck

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"sync"

	"github.com/fogleman/gg"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationserifbold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"

	"vision/internal/card"
)

// PxPerMM is the resolution of the drawn faces and backs.
const PxPerMM = 6

// Width and Height of a card in millimetres (poker size).
const (
	Width  = 63.0
	Height = 88.0
)

// style is what one design differs in. Lengths are millimetres.
type style struct {
	font       []byte
	index      float64    // size of the index's type
	indexX     float64    // centre of the index from the card's side
	indexY     float64    // centre of the index's rank from the card's top
	small      float64    // height of the suit sign under the index
	four       bool       // an index in all four corners
	pip        float64    // height of a pip
	ace        float64    // height of the ace's pip
	fieldX     float64    // half distance of the outer pip columns
	fieldY     float64    // half distance of the outer pip rows
	frame      bool       // courts stand in a frame
	sign       [3]float64 // court's suit sign: x, y from the field's corner, height
	red, black color.RGBA
	paper      color.RGBA
	court      [4]color.RGBA // robe, second robe, ornament, hair
	back       color.RGBA
	weave      int   // pattern of the back
	bare       bool  // no indices at all
	hand       *hand // of a Spanish design; nil: French
}

var styles = map[string]style{
	"clasica": {
		font: liberationserifbold.TTF, index: 13, indexX: 6.4, indexY: 8, small: 7,
		sign: [3]float64{6.5, 7, 10},
		pip:  13.5, ace: 24, fieldX: 12.5, fieldY: 29, frame: true,
		red: rgb(0xc8, 0x18, 0x20), black: rgb(0x14, 0x14, 0x18), paper: rgb(0xfa, 0xf9, 0xf4),
		court: [4]color.RGBA{rgb(0xc4, 0x24, 0x28), rgb(0x22, 0x3a, 0x8c), rgb(0xf2, 0xc0, 0x2c), rgb(0x8a, 0x5a, 0x20)},
		back:  rgb(0x1c, 0x3c, 0x8c), weave: 0,
	},
	"casino": {
		font: gobold.TTF, index: 17, indexX: 7.6, indexY: 9.8, small: 9.5,
		sign: [3]float64{8.6, 6, 7.5},
		pip:  12, ace: 30, fieldX: 9.5, fieldY: 28,
		red: rgb(0xd8, 0x10, 0x18), black: rgb(0x08, 0x08, 0x0a), paper: rgb(0xff, 0xff, 0xff),
		court: [4]color.RGBA{rgb(0x1e, 0x7a, 0x50), rgb(0xd0, 0x30, 0x24), rgb(0xe8, 0xb0, 0x20), rgb(0x30, 0x24, 0x1c)},
		back:  rgb(0xa8, 0x18, 0x20), weave: 1,
	},
	"estrecha": {
		font: liberationsansbold.TTF, index: 14, indexX: 6, indexY: 8.2, small: 6.4, four: true,
		sign: [3]float64{6.5, 7, 9},
		pip:  15, ace: 20, fieldX: 11, fieldY: 28, frame: true,
		red: rgb(0xb8, 0x20, 0x38), black: rgb(0x20, 0x20, 0x30), paper: rgb(0xf6, 0xf4, 0xec),
		court: [4]color.RGBA{rgb(0x70, 0x30, 0x80), rgb(0xe0, 0x90, 0x30), rgb(0x30, 0xa0, 0xb0), rgb(0xd8, 0xb8, 0x60)},
		back:  rgb(0x20, 0x60, 0x48), weave: 2,
	},
	"tapete": {
		font: gomonobold.TTF, index: 15.5, indexX: 6.6, indexY: 9.2, small: 7.6,
		sign: [3]float64{7, 6.5, 8.5},
		pip:  13, ace: 27, fieldX: 11, fieldY: 27, frame: true,
		red: rgb(0xc4, 0x1c, 0x30), black: rgb(0x18, 0x18, 0x20), paper: rgb(0xfb, 0xfa, 0xf6),
		court: [4]color.RGBA{rgb(0x28, 0x50, 0x80), rgb(0xb8, 0x38, 0x30), rgb(0xe0, 0xb8, 0x38), rgb(0x50, 0x38, 0x20)},
		back:  rgb(0x30, 0x48, 0x70), weave: 1,
	},
	"paño": {
		font: liberationserifbold.TTF, index: 10, bare: true,
		sign: [3]float64{6.5, 7, 11},
		pip:  15, ace: 26, fieldX: 16, fieldY: 31, frame: true,
		red: rgb(0xc0, 0x1c, 0x28), black: rgb(0x18, 0x18, 0x1c), paper: rgb(0xf8, 0xf6, 0xee),
		court: [4]color.RGBA{rgb(0xb8, 0x30, 0x30), rgb(0x28, 0x50, 0x90), rgb(0xe8, 0xc0, 0x40), rgb(0x70, 0x48, 0x20)},
		back:  rgb(0x50, 0x30, 0x78), weave: 0,
	},
	"salón": {
		font: gobold.TTF, index: 10, bare: true,
		sign: [3]float64{7.5, 8, 9},
		pip:  13, ace: 34, fieldX: 14, fieldY: 29,
		red: rgb(0xd0, 0x20, 0x20), black: rgb(0x10, 0x10, 0x14), paper: rgb(0xfc, 0xfc, 0xfa),
		court: [4]color.RGBA{rgb(0x24, 0x6a, 0x60), rgb(0xc8, 0x3a, 0x2c), rgb(0xe0, 0xa8, 0x30), rgb(0x40, 0x30, 0x24)},
		back:  rgb(0x90, 0x20, 0x28), weave: 2,
	},
	"castilla": {
		font: liberationserifbold.TTF, index: 9, indexX: 7.2, indexY: 8.6, ace: 40, fieldX: 17, fieldY: 36,
		black: rgb(0x14, 0x14, 0x1c), paper: rgb(0xf8, 0xf6, 0xec), back: rgb(0x24, 0x48, 0x98), weave: 0,
		hand: &hand{inset: 3.4, double: true, ring: 8, tapered: true, crossed: true,
			gold: rgb(0xf2, 0xc0, 0x2c), cup: rgb(0xc8, 0x28, 0x28), blade: rgb(0x90, 0xb4, 0xd8), wood: rgb(0x3c, 0x88, 0x40),
			robes: [4]color.RGBA{
				rgb(0xc8, 0x2c, 0x2c), rgb(0x28, 0x50, 0xa8), rgb(0xb0, 0x30, 0x30), rgb(0x30, 0x78, 0x40),
			}, horse: rgb(0xe8, 0xe4, 0xdc)},
	},
	"levante": {
		font: liberationsansbold.TTF, index: 8, indexX: 6.4, indexY: 7.6, ace: 46, fieldX: 18, fieldY: 37,
		black: rgb(0x20, 0x20, 0x20), paper: rgb(0xff, 0xff, 0xff), back: rgb(0xb0, 0x20, 0x28), weave: 2,
		hand: &hand{inset: 2.6, ring: 12, three: true,
			gold: rgb(0xe8, 0xa8, 0x20), cup: rgb(0xe8, 0xb0, 0x28), blade: rgb(0x40, 0x70, 0xb8), wood: rgb(0x98, 0x6a, 0x30),
			robes: [4]color.RGBA{
				rgb(0xd8, 0x60, 0x28), rgb(0xa8, 0x24, 0x30), rgb(0x28, 0x58, 0xa0), rgb(0x40, 0x90, 0x38),
			}, horse: rgb(0x8c, 0x60, 0x34), mirrored: true},
	},
	"sevilla": {
		font: gobold.TTF, index: 8.5, indexX: 7.4, indexY: 8.2, ace: 38, fieldX: 16.5, fieldY: 35,
		black: rgb(0x18, 0x18, 0x28), paper: rgb(0xfa, 0xf8, 0xf2), back: rgb(0x28, 0x70, 0x50), weave: 1,
		hand: &hand{inset: 3, double: true, ring: 6, tapered: true, three: true,
			gold: rgb(0xf0, 0xc8, 0x38), cup: rgb(0xd0, 0x40, 0x38), blade: rgb(0x70, 0xa0, 0xc8), wood: rgb(0x58, 0x98, 0x48),
			robes: [4]color.RGBA{
				rgb(0xb8, 0x38, 0x48), rgb(0x30, 0x60, 0x98), rgb(0xc0, 0x48, 0x28), rgb(0x50, 0x80, 0x30),
			}, horse: rgb(0x70, 0x68, 0x60)},
	},
}

func rgb(r, g, b uint8) color.RGBA { return color.RGBA{r, g, b, 255} }

// Styles names the French designs with indices.
func Styles() []string { return []string{"clasica", "casino", "estrecha", "tapete"} }

// Indexless names the French designs without indices, as treinta y cuarenta and
// chemin de fer are dealt with; Spanish those of the pack of forty.
func Indexless() []string { return []string{"paño", "salón"} }

// Spanish names the designs of the Spanish pack.
func Spanish() []string { return []string{"castilla", "levante", "sevilla"} }

// Kind is the kind of pack of a design, as calibrations name it.
func Kind(name string) string {
	switch s := styles[name]; {
	case s.hand != nil:
		return "spanish"
	case s.bare:
		return "french-no-index"
	}
	return "french"
}

// HeldOut reports whether a design never trains: readers are measured on it.
func HeldOut(name string) bool { return name == "tapete" || name == "salón" || name == "sevilla" }

// Deck is one design. Faces are drawn when asked for, and the last ones are kept; a Deck
// may be used by several goroutines.
type Deck struct {
	style style
	ranks font.Face

	mu    sync.Mutex
	faces map[card.Card]*image.RGBA
	used  []card.Card // whose faces are kept, the one not asked for longest in front
}

// keptFaces is how many faces are kept, 0.8 MB each: the back, and those of cards that are moved
// about. A face is drawn in 2 ms, and a table that is played for hours asks for all of them.
const keptFaces = 4

// New makes the design named in Styles.
func New(name string) (*Deck, error) {
	s, ok := styles[name]
	if !ok {
		return nil, fmt.Errorf("deck style %q: want one of %v, %v, %v", name, Styles(), Indexless(), Spanish())
	}
	f, err := opentype.Parse(s.font)
	if err != nil {
		return nil, fmt.Errorf("deck style %q: font: %w", name, err)
	}
	ranks, err := opentype.NewFace(f, &opentype.FaceOptions{Size: s.index * PxPerMM, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("deck style %q: font: %w", name, err)
	}
	return &Deck{style: s, ranks: ranks, faces: map[card.Card]*image.RGBA{}}, nil
}

// Face is the drawn face of a card of the design's pack or its joker, or the back for all others, with
// rounded transparent corners, Width×Height at PxPerMM. It must not be changed.
func (d *Deck) Face(c card.Card) *image.RGBA {
	d.mu.Lock()
	defer d.mu.Unlock()
	if img := d.faces[c]; img != nil {
		d.used = append(slices.DeleteFunc(d.used, func(o card.Card) bool { return o == c }), c)
		return img
	}
	if len(d.used) == keptFaces {
		delete(d.faces, d.used[0])
		d.used = slices.Delete(d.used, 0, 1)
	}
	g := d.blank()
	switch {
	case c.French() && d.style.hand == nil:
		d.drawFace(g, c)
	case c.Spanish() && d.style.hand != nil:
		d.drawSpanish(g, c)
	case c == card.Joker && d.style.hand == nil:
		d.drawJoker(g)
	default:
		d.drawBack(g)
	}
	img := g.Image().(*image.RGBA)
	d.faces[c], d.used = img, append(d.used, c)
	return img
}

// blank is the empty card; the context's unit is the millimetre with the
// card's centre at the origin.
func (d *Deck) blank() *gg.Context {
	w, h := Width*PxPerMM, Height*PxPerMM
	g := gg.NewContext(int(w), int(h))
	g.DrawRoundedRectangle(0.5, 0.5, w-1, h-1, 3.2*PxPerMM)
	g.SetColor(d.style.paper)
	g.FillPreserve()
	g.SetRGBA(0, 0, 0, 0.25)
	g.SetLineWidth(1)
	g.Stroke()
	g.Translate(w/2, h/2)
	g.Scale(PxPerMM, PxPerMM)
	return g
}

func (d *Deck) ink(c card.Card) color.RGBA {
	if s := c.Suit(); s == 'h' || s == 'd' {
		return d.style.red
	}
	return d.style.black
}

func (d *Deck) drawFace(g *gg.Context, c card.Card) {
	if c.Number() > 10 {
		d.drawCourt(g, c)
	} else {
		d.drawPips(g, c)
	}
	if !d.style.bare {
		d.drawIndices(g, c)
	}
}

// Cards are the cards of the design's pack.
func (d *Deck) Cards() []card.Card {
	var out []card.Card
	for c := card.Card(1); c <= card.Joker+40; c++ {
		if c.French() && d.style.hand == nil || c.Spanish() && d.style.hand != nil {
			out = append(out, c)
		}
	}
	return out
}

func (d *Deck) drawPips(g *gg.Context, c card.Card) {
	g.SetColor(d.ink(c))
	size := d.style.pip
	if c.Number() == 1 {
		size = d.style.ace
	}
	for _, p := range pipPlaces[c.Number()] {
		g.Push()
		g.Translate(p[0]*d.style.fieldX, p[1]*d.style.fieldY)
		if p[1] > 0 {
			g.Rotate(gg.Radians(180))
		}
		Sign(g, c.Suit(), 0, 0, size)
		g.Fill()
		g.Pop()
	}
}

func (d *Deck) drawIndices(g *gg.Context, c card.Card) {
	label := string(c.Rank())
	if c.Number() == 10 {
		label = strconv.Itoa(10)
	}
	bothEnds(g, func() {
		d.drawIndex(g, c, label, -1)
		if d.style.four {
			d.drawIndex(g, c, label, 1)
		}
	})
}

// bothEnds draws twice, the second time upside down.
func bothEnds(g *gg.Context, draw func()) {
	for half := range 2 {
		g.Push()
		g.Rotate(gg.Radians(180 * float64(half)))
		draw()
		g.Pop()
	}
}

// drawIndex writes rank and suit in the upper corner of the given side.
func (d *Deck) drawIndex(g *gg.Context, c card.Card, label string, side float64) {
	s := d.style
	x, y := side*(Width/2-s.indexX), -Height/2+s.indexY
	g.SetColor(d.ink(c))
	g.SetFontFace(d.ranks)
	w, _ := g.MeasureString(label)
	squeeze := min(1, 2*(s.indexX-1.2)*PxPerMM/w)
	drawText(g, label, x, y, squeeze)
	Sign(g, c.Suit(), x, y+s.index*0.42+s.small*0.55, s.small)
	g.Fill()
}

// drawText writes text centred at x, y. Type is set in pixels, so the
// millimetre scale is taken back while it is drawn.
func drawText(g *gg.Context, text string, x, y, squeeze float64) {
	g.Push()
	g.Translate(x, y)
	g.Scale(squeeze/PxPerMM, 1./PxPerMM)
	g.DrawStringAnchored(text, 0, 0, 0.5, 0.36)
	g.Pop()
}
