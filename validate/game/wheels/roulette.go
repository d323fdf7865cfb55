package wheels

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Roulette is what the roulettes differ in.
type Roulette struct {
	DoubleZero bool          `yaml:"double_zero" json:"double_zero,omitempty"`
	Zero       string        `yaml:"zero" json:"zero"`               // simple chances on zero: "half", or "prison" at the player's choice
	Bets       []RouletteBet `yaml:"bets" json:"bets"`               // by class
	Combos     []string      `yaml:"combos" json:"combos,omitempty"` // admitted combinations with a zero
	Options    ComboOptions  `yaml:"option" json:"option,omitzero"`  // those that an option admits
	Maximum    []int         `yaml:"maximum" json:"maximum"`         // of a pleno, times the minimum; three where the house chooses a level
	Short      Short         `yaml:"short" json:"short,omitzero"`    // the abreviada

	spots map[string]*rouletteSpot // the vocabulary, made by check
}

// RouletteBet is one class of bets.
type RouletteBet struct {
	Class  string `yaml:"class" json:"class"` // "pleno" … "simple"
	Pay    `yaml:",inline"`
	Factor int      `yaml:"factor" json:"factor,omitempty"` // its maximum, times that of a pleno
	Parts  []string `yaml:"parts" json:"parts,omitempty"`   // announced bets: one spot for each chip
	Around int      `yaml:"around" json:"around,omitempty"` // announced bets: neighbours on each side
}

// ComboOptions are combinations with a zero by the options that admit them.
type ComboOptions struct {
	Cero map[string][]string `yaml:"combinaciones_cero" json:"combinaciones_cero,omitempty"`
	Doce []string            `yaml:"combinaciones_00" json:"combinaciones_00,omitempty"`
}

// Short is the abreviada: a norm's label for it and the classes that it keeps.
type Short struct {
	Label string   `yaml:"label" json:"label,omitempty"`
	Bets  []string `yaml:"bets" json:"bets,omitempty"`
}

// check joins the layout with the norm's bets.
func (r *Roulette) check() error {
	if r.Zero != "half" && r.Zero != "prison" {
		return fmt.Errorf("roulette.zero: %q: want half or prison", r.Zero)
	}
	if len(r.Maximum) != 1 && len(r.Maximum) != 3 {
		return errors.New("roulette.maximum: want one figure, or three levels")
	}
	r.spots = layout()
	bets := map[string]*RouletteBet{}
	for i := range r.Bets {
		b := &r.Bets[i]
		if bets[b.Class] != nil {
			return fmt.Errorf("roulette.bets: %s is there twice", b.Class)
		}
		if b.Pays.Den == 0 && b.Around == 0 && len(b.Parts) == 0 {
			return fmt.Errorf("roulette.bets: %s: pays: missing", b.Class)
		}
		bets[b.Class] = b
	}
	for _, s := range r.spots {
		s.bet = bets[s.class]
		if s.bet != nil {
			s.bet.Factor = max(s.bet.Factor, 1)
		}
	}
	for class := range bets {
		if !slices.ContainsFunc(r.all(), func(s *rouletteSpot) bool { return s.class == class }) {
			return fmt.Errorf("roulette.bets: no layout has a bet %q", class)
		}
	}
	for _, name := range slices.Concat(r.Combos, r.Options.Doce, r.Options.Cero["caballos"], r.Options.Cero["todas"]) {
		if s := r.spots[name]; s == nil || !s.combo {
			return fmt.Errorf("roulette: %q is no combination with a zero", name)
		}
	}
	return r.announced()
}

func (r *Roulette) play(s settings) play { return &roulettePlay{r: r, set: s} }

func (r *Roulette) all() []*rouletteSpot { return slices.Collect(maps.Values(r.spots)) }

// announced joins the announced bets with the spots that their chips stand for.
func (r *Roulette) announced() error {
	for id, s := range r.spots {
		if s.bet == nil || s.bet.Around == 0 && len(s.bet.Parts) == 0 {
			if s.cover == 0 && s.bet != nil {
				return fmt.Errorf("roulette.bets: %s needs parts or around", s.class)
			}
			continue
		}
		parts := s.bet.Parts
		if s.bet.Around > 0 {
			_, centre, _ := strings.Cut(id, ":")
			parts = neighbours(centre, s.bet.Around)
		}
		for _, p := range parts {
			part := r.spots[p]
			if part == nil || part.bet == nil || part.cover == 0 {
				return fmt.Errorf("roulette.bets: %s: no bet %q to stand for", s.class, p)
			}
			s.parts = append(s.parts, part)
		}
		s.chips = len(s.parts)
	}
	return nil
}
