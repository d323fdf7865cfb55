package wheels

import (
	"fmt"
	"slices"

	"vision/internal/money"
)

// Craps is the table of bets of the dice game.
type Craps struct {
	Bets []DiceBet `yaml:"bets" json:"bets"`

	spots map[string]*crapsSpot
}

// DiceBet is one bet, or one for each of its Numbers.
//
// Line bets (Wins, Loses, Push) are decided by those sums on the first throw
// that counts for them and afterwards by their number: For it before the
// seven, or against it. A Once bet loses on every sum that it does not win.
type DiceBet struct {
	Spot    string             `yaml:"spot" json:"spot"`                   // without number
	Numbers map[int]money.Odds `yaml:"numbers" json:"numbers,omitempty"`   // a spot "spot:n" for each, with its odds
	Pays    money.Odds         `yaml:"pays" json:"pays,omitzero"`          // where Numbers does not say
	Except  map[int]money.Odds `yaml:"except" json:"except,omitempty"`     // sums that pay otherwise
	ByPoint map[int]money.Odds `yaml:"by_point" json:"by_point,omitempty"` // odds by the point
	At      string             `yaml:"at" json:"at,omitempty"`             // when new chips are admitted: "" any throw, come_out, point, never
	Base    string             `yaml:"base" json:"base,omitempty"`         // the bet that must be in play for it
	Wins    []int              `yaml:"wins" json:"wins,omitempty"`         // sums
	Loses   []int              `yaml:"loses" json:"loses,omitempty"`       // sums
	Push    []int              `yaml:"push" json:"push,omitempty"`         // sums
	Once    bool               `yaml:"once" json:"once,omitempty"`         // decided by one throw
	Stance  string             `yaml:"stance" json:"stance,omitempty"`     // "for" or "against" its number
	Hard    bool               `yaml:"hard" json:"hard,omitempty"`         // wins only as a double
	Moves   bool               `yaml:"moves" json:"moves,omitempty"`       // to the box of the sum when undecided
	Fixed   bool               `yaml:"fixed" json:"fixed,omitempty"`       // may not be taken back once the point is on
	Limit   string             `yaml:"limit" json:"limit"`                 // simple, gain, base, percent
	Percent map[int]int        `yaml:"percent" json:"percent,omitempty"`   // of the base, or of the simple maximum, by number
	Option  string             `yaml:"option" json:"option,omitempty"`     // a house option that changes it: juego_7_pays, place_8
	Article string             `yaml:"article" json:"article,omitempty"`
}

// crapsSpot is one spot of the table.
type crapsSpot struct {
	*DiceBet
	number int // 0 where the spot has none, or the point is its number
}

const seven = 7

// points are the sums that may be a point.
var points = []int{4, 5, 6, 8, 9, 10}

func (c *Craps) check() error {
	c.spots = map[string]*crapsSpot{}
	add := func(name string, s *crapsSpot) error {
		if c.spots[name] != nil {
			return fmt.Errorf("craps.bets: %s is there twice", name)
		}
		c.spots[name] = s
		return nil
	}
	for i := range c.Bets {
		b := &c.Bets[i]
		if err := b.check(); err != nil {
			return fmt.Errorf("craps.bets: %s: %w", b.Spot, err)
		}
		var err error
		switch {
		case len(b.Numbers) > 0:
			for n := range b.Numbers {
				err = add(fmt.Sprintf("%s:%d", b.Spot, n), &crapsSpot{b, n})
			}
		default:
			err = add(b.Spot, &crapsSpot{b, 0})
		}
		if err != nil {
			return err
		}
	}
	for _, s := range c.spots {
		if s.Base != "" && c.base(s) == nil {
			return fmt.Errorf("craps.bets: %s: no bet %q to stand on", s.Spot, s.Base)
		}
		if s.Moves && c.spots[fmt.Sprintf("%s:%d", s.Spot, 4)] == nil {
			return fmt.Errorf("craps.bets: %s: moves, but has no boxes", s.Spot)
		}
	}
	return nil
}

func (c *Craps) play(s settings) play { return &crapsPlay{r: c, set: s} }

func (b *DiceBet) check() error {
	switch {
	case !slices.Contains([]string{"", "come_out", "point", "never"}, b.At):
		return fmt.Errorf("at: %q: want come_out, point or never", b.At)
	case !slices.Contains([]string{"", "for", "against"}, b.Stance):
		return fmt.Errorf("stance: %q: want for or against", b.Stance)
	case !slices.Contains([]string{"simple", "gain", "base", "percent"}, b.Limit):
		return fmt.Errorf("limit: %q: want simple, gain, base or percent", b.Limit)
	case !b.Once && b.Stance == "":
		return fmt.Errorf("stance: missing: only a bet of one throw has none")
	case len(b.Numbers) == 0 && len(b.ByPoint) == 0 && b.Pays.Den == 0:
		return fmt.Errorf("pays: missing")
	case b.Option != "" && b.Option != "juego_7_pays" && b.Option != "place_8":
		return fmt.Errorf("option: unknown %q", b.Option)
	}
	return nil
}

// base is the bet that an odds bet needs.
func (c *Craps) base(s *crapsSpot) *crapsSpot { return c.spots[s.baseName()] }

func (s *crapsSpot) baseName() string {
	if s.number > 0 {
		return fmt.Sprintf("%s:%d", s.Base, s.number)
	}
	return s.Base
}

func (s *crapsSpot) percent(n int) int {
	if v, ok := s.Percent[n]; ok {
		return v
	}
	return 100
}
