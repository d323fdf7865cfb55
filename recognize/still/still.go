// Package still reads single pictures: it puts the readers of cards, dice and
// chips behind one face for the commands that look at photographs.
package still

import (
	"fmt"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/recognize/card"
	"vision/recognize/dice"
	"vision/recognize/stack"
)

// Kind is what is read in a picture.
type Kind string

// The kinds of reading.
const (
	Cards Kind = "cards"
	Dice  Kind = "dice"
	Chips Kind = "chips"
)

// Abstained is the label of what was found and not read.
const Abstained = "?"

// Found is one reading in a picture. Label is "?" for what was found and not
// read; Reason then has why. Count is the height of a stack of chips.
type Found struct {
	Label      string    `json:"label"`
	Confidence float64   `json:"confidence"`
	Count      int       `json:"count,omitempty"`
	Low        int       `json:"low,omitempty"` // at least so many chips, and at most High, where Count is unknown or only the likeliest
	High       int       `json:"high,omitempty"`
	Quad       fact.Quad `json:"quad"` // pixels, clockwise from the thing's own top left
	Box        fact.Box  `json:"box"`  // round Quad; of a card round what is seen of it
	Reason     string    `json:"reason,omitempty"`
	Maybe      string    `json:"maybe,omitempty"` // the likeliest label of an abstention

	Best    string    `json:"-"` // the likeliest label, of an abstention too
	P       []float64 `json:"-"` // probabilities, that label's first
	Weighed []float64 `json:"-"` // the same before the reader's temperature
}

// Reader reads the things of one kind in a picture. Close frees what it holds.
type Reader interface {
	Read(img gocv.Mat) ([]Found, error)
	Close()
}

// New makes the reader of a kind. Chips are named by their colour; those that lie
// flat are stacks of one. edge is that of a die in pixels, in a picture rectified to
// their upper faces; 0: it is not known.
func New(k Kind, edge float64) (Reader, error) {
	switch k {
	case Dice:
		r, err := dice.NewReader(nil)
		if err != nil {
			return nil, err
		}
		c, err := stack.NewPhotographs(nil)
		if err != nil {
			r.Close()
			return nil, err
		}
		return dies{r, c, edge}, nil
	case Chips:
		r, err := stack.NewPhotographs(nil)
		if err != nil {
			return nil, err
		}
		return chips{r}, nil
	case Cards:
		r, err := card.NewReader(nil)
		if err != nil {
			return nil, err
		}
		return cards{r}, nil
	}
	return nil, fmt.Errorf("kind %q: no reader of single pictures", k)
}

type cards struct{ *card.Reader }

func (c cards) Read(img gocv.Mat) ([]Found, error) {
	list, err := c.Reader.Read(img, card.Hint{})
	if err != nil {
		return nil, err
	}
	out := make([]Found, 0, len(list))
	for _, k := range list {
		f := found(k.Guesses, k.Weighed, k.Abstain, k.Quad)
		f.Box = rounded(k.Seen)
		out = append(out, f)
	}
	return out, nil
}

type dies struct {
	*dice.Reader
	chips *stack.Photographs
	edge  float64
}

func (d dies) Read(img gocv.Mat) ([]Found, error) {
	list, err := d.Reader.Read(img, dice.Hint{Edge: d.edge})
	if err != nil {
		return nil, err
	}
	out := make([]Found, 0, len(list))
	read := false
	for _, k := range list {
		out = append(out, found(k.Guesses, k.Weighed, k.Abstain, k.Quad))
		read = read || k.Abstain == ""
	}
	if !read || d.edge > 0 {
		return out, nil
	}
	stacks, err := d.chips.Faces(img)
	if err != nil {
		return nil, err
	}
	refusePrint(out, stacks)
	return out, nil
}

func (d dies) Close() {
	d.Reader.Close()
	d.chips.Close()
}

// refusePrint takes back the dice that are printed on chips: a die is about half
// as wide as a chip, its print an eighth.
func refusePrint(all []Found, stacks []fact.Quad) {
	const printed = 0.25 // of a stack's width
	for i := range all {
		f := &all[i]
		x, y := f.Box[0]+f.Box[2]/2, f.Box[1]+f.Box[3]/2
		if f.Reason == "" && slices.ContainsFunc(stacks, func(q fact.Quad) bool {
			return x > q[0][0] && x < q[2][0] && y > q[0][1] && y < q[2][1] &&
				max(f.Box[2], f.Box[3]) < printed*(q[2][0]-q[0][0])
		}) {
			f.Label, f.Maybe, f.Reason = Abstained, f.Label, "print"
		}
	}
}

type chips struct{ *stack.Photographs }

func (c chips) Read(img gocv.Mat) ([]Found, error) {
	list, err := c.Photograph(img)
	if err != nil {
		return nil, err
	}
	out := make([]Found, 0, len(list))
	for _, k := range list {
		// one chip that may be several is a colour that nobody counted
		out = append(out, stackFound(k, k.Low == k.High || len(k.Chips) > 1))
	}
	return out, nil
}

// stackFound makes a reading of a stack, named by its uppermost chip: with the likeliest
// number of chips where that is counted, and with the least and the most where it is not sure.
func stackFound(k fact.Stack, counted bool) Found {
	var g []fact.Guess
	if len(k.Chips) > 0 {
		g = []fact.Guess{{Label: k.Chips[len(k.Chips)-1], P: k.P}}
	}
	f := found(g, k.Weighed, k.Abstain, k.Quad)
	if counted {
		f.Count = len(k.Chips)
	}
	if k.Low < k.High && f.Label != Abstained {
		f.Low, f.High = k.Low, k.High
	}
	if n := len(k.Weighed.Chips); n > 0 {
		f.Best, f.P = k.Weighed.Chips[n-1], []float64{k.P}
	}
	return f
}

// found makes a reading of guesses: abstained ones keep their best guess in Maybe.
func found(g []fact.Guess, w fact.Weighed, abstain string, q fact.Quad) Found {
	label, p := fact.Best(g)
	f := Found{Label: label, Confidence: round(p), Quad: q, Box: rounded(q.Box()), Reason: abstain}
	if abstain != "" || label == "" {
		f.Label, f.Maybe = Abstained, label
	}
	for _, k := range g {
		f.P = append(f.P, k.P)
	}
	f.Best, f.Weighed = label, w.P
	for i := range f.Quad {
		f.Quad[i] = fact.Point{round(q[i][0]), round(q[i][1])}
	}
	return f
}

func rounded(b fact.Box) fact.Box {
	for i, v := range b {
		b[i] = round(v)
	}
	return b
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
