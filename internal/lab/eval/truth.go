// Package eval measures readers on photographs with known content: it loads an
// evaluation set, matches what a reader says with the truth, and sums it up as
// the evaluation specification asks (precision, recall, abstentions, intervals).
// It knows no image and no reader: readings come in as plain values.
package eval

import (
	"fmt"
	"io"
	"slices"

	"vision/internal/fact"
)

// Kind is what is read in a picture.
type Kind string

// The kinds of reading.
const (
	Cards Kind = "cards"
	Dice  Kind = "dice"
	Chips Kind = "chips"
)

// Box is x, y, width, height in pixels, the origin at the top left.
type Box = fact.Box

// Item is one thing that is in a picture. Cards and dice carry Label; chips
// carry Color and Count, either of which may be unknown. Box and Point are optional.
type Item struct {
	Label string      `json:"label"`
	Color string      `json:"color"`
	Count *int        `json:"count"`
	Box   *Box        `json:"box"`
	Point *[2]float64 `json:"point"`
	Owner string      `json:"owner"`
}

// Image is one line of truth.jsonl: a picture and what is in it.
type Image struct {
	Image    string   `json:"image"`
	Tags     []string `json:"tags"`
	Cards    []Item   `json:"cards"`
	Dice     []Item   `json:"dice"`
	Chips    []Item   `json:"chips"`
	Ignore   []Box    `json:"ignore"`
	Complete []Kind   `json:"complete"`
}

// Items are the things of one kind in the picture.
func (m *Image) Items(k Kind) []Item {
	switch k {
	case Cards:
		return m.Cards
	case Dice:
		return m.Dice
	}
	return m.Chips
}

// Has reports whether the picture speaks of the kind: it has instances of it, or
// says that there are none.
func (m *Image) Has(k Kind) bool { return len(m.Items(k)) > 0 || m.complete(k) }

func (m *Image) complete(k Kind) bool { return slices.Contains(m.Complete, k) }

// Parse reads lines of truth of photographs; an error names the line.
func Parse(r io.Reader) ([]Image, error) { return parseLines(r, (*Image).check) }

func (m *Image) check() error {
	if err := below("image", m.Image); err != nil {
		return err
	}
	for _, k := range []Kind{Cards, Dice} {
		for i, it := range m.Items(k) {
			if it.Label == "" {
				return fmt.Errorf("%s[%d]: no label", k, i)
			}
		}
	}
	for i, it := range m.Chips {
		if it.Color == "" && it.Box == nil {
			return fmt.Errorf("chips[%d]: neither color nor box", i)
		}
		if it.Count != nil && *it.Count < 0 {
			return fmt.Errorf("chips[%d]: count %d", i, *it.Count)
		}
	}
	return nil
}
