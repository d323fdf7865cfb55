package eval

import (
	"cmp"
	"fmt"
	"slices"
)

// Sight is a picture of a table by one of its cameras, and what is known of that camera: files below the set's folder.
type Sight struct {
	Image       string `json:"image"`
	Calibration string `json:"calibration"` // "": calibration.yaml
	Empty       string `json:"empty"`       // picture of the bare table; "": empty.jpg of that camera, where there is one
}

func (s Sight) check() error {
	return cmp.Or(below("image", s.Image), belowIf("calibration", s.Calibration), belowIf("empty", s.Empty))
}

// Still is one line of truth of a set of calibrated stills: a picture and what lies in
// zones of its table. A zone that is not named is not judged.
type Still struct {
	Image       string               `json:"image"`
	Calibration string               `json:"calibration"` // as those of a Sight
	Empty       string               `json:"empty"`
	Views       []Sight              `json:"views,omitempty"` // the same moment by the table's other cameras
	Tags        []string             `json:"tags"`
	Zones       map[string]StillZone `json:"zones"`
	// Complete are the kinds whose every instance in the named zones is in the truth. Where
	// it is left out, those are the kinds that a zone speaks of.
	Complete []Kind `json:"complete"`
}

// StillZone is what lies in a zone. A kind of which nothing is said is nil, one of which
// it is said that nothing lies there empty.
type StillZone struct {
	Cards  []string    `json:"cards"` // in the order of dealing, BK for a back
	Stacks []ChipStack `json:"stacks"`
	Dice   []Face      `json:"dice"`
	Lie    []string    `json:"lie"` // of every die; without it all lie flat
}

// ChipStack is chips that stand on one another, palette ids from the foot to the top.
type ChipStack struct {
	Chips []string `json:"chips"`
	Spot  string   `json:"spot"` // "": not said
}

// count is how many things of a kind the truth has in the zone, and whether it speaks
// of the kind.
func (z StillZone) count(k Kind) (n int, said bool) {
	switch k {
	case Cards:
		return len(z.Cards), z.Cards != nil
	case Dice:
		return len(z.Dice), z.Dice != nil
	}
	return len(z.Stacks), z.Stacks != nil
}

// silent reports whether nothing at all lies in the zone.
func (z StillZone) silent() bool { return z.Cards == nil && z.Stacks == nil && z.Dice == nil }

// complete reports whether a reading of the kind beyond the truth of a zone is one too many.
func (s *Still) complete(z StillZone, k Kind) bool {
	n, said := z.count(k)
	if said && n == 0 || z.silent() {
		return true
	}
	if s.Complete == nil {
		return said
	}
	return slices.Contains(s.Complete, k)
}

// Of reports whether any of the picture's zones says something of the kind.
func (s *Still) Of(k Kind) bool {
	for _, z := range s.Zones {
		if _, said := z.count(k); said || s.complete(z, k) {
			return true
		}
	}
	return false
}

// Sights are the pictures of the moment, the main camera's first.
func (s *Still) Sights() []Sight {
	return append([]Sight{{Image: s.Image, Calibration: s.Calibration, Empty: s.Empty}}, s.Views...)
}

func (s *Still) check() error {
	for i, v := range s.Sights() {
		if err := v.check(); i > 0 && err != nil {
			return fmt.Errorf("views[%d]: %w", i-1, err)
		} else if err != nil {
			return err
		}
	}
	if s.Zones == nil {
		return fmt.Errorf("image %q has no zones, as other lines of the set do: a set has one form", s.Image)
	}
	for _, k := range s.Complete {
		if k != Cards && k != Dice && k != Chips {
			return fmt.Errorf("complete: %q: want some of cards, chips, dice", k)
		}
	}
	for name, z := range s.Zones {
		if err := z.check(); err != nil {
			return fmt.Errorf("zones, %q: %w", name, err)
		}
	}
	return nil
}

func (z StillZone) check() error {
	for i, c := range z.Cards {
		if err := checkCard(c); err != nil {
			return fmt.Errorf("cards[%d]: %w", i, err)
		}
	}
	for i, s := range z.Stacks {
		if len(s.Chips) == 0 || slices.Contains(s.Chips, "") {
			return fmt.Errorf("stacks[%d]: want the palette id of each chip, from the foot to the top", i)
		}
	}
	if len(z.Lie) > 0 && len(z.Lie) != len(z.Dice) {
		return fmt.Errorf("lie: of %d dice it says how %d lie: want one word of each, or none", len(z.Dice), len(z.Lie))
	}
	for i, l := range z.Lie {
		if !slices.Contains(Lies, l) {
			return fmt.Errorf("lie[%d]: %q: want one of %q", i, l, Lies)
		}
	}
	return nil
}

// lie is how a die lies.
func (z StillZone) lie(i int) string {
	if len(z.Lie) == 0 {
		return Lies[0]
	}
	return z.Lie[i]
}
