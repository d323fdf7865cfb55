package supervision

import (
	"errors"
	"fmt"
	"slices"

	"vision/validate/room"
	"vision/validate/rulebook"
)

// Rules are what a norm says of the jefes de mesa and the staff of its tables.
type Rules struct {
	Label    string              `yaml:"label" json:"label,omitempty"`       // cited where nothing narrower is known; "" where the norm has no clause
	Variants map[string][]string `yaml:"variants" json:"variants,omitempty"` // of each game that has any; the first is meant where a record names none
	Classes  []Class             `yaml:"classes" json:"classes,omitempty"`   // tables that one jefe may have together
	Spans    *Spans              `yaml:"spans" json:"spans,omitempty"`       // instead of classes: a number for each game
	Jefe     Jefe                `yaml:"jefe" json:"jefe,omitempty"`
	Staff    []Staff             `yaml:"staff" json:"staff,omitempty"` // the first row that fits a table holds
	Servants *Servants           `yaml:"servants" json:"servants,omitempty"`
	Changer  *Changer            `yaml:"changer" json:"changer,omitempty"`
	Minimum  []Minimum           `yaml:"minimum" json:"minimum,omitempty"` // games of which one table must offer the authorised minimum
}

// Kind is a sort of table: a game, and of its variants the listed ones, or all.
type Kind struct {
	Game     string   `yaml:"game" json:"game,omitempty"`
	Variants []string `yaml:"variants" json:"variants,omitempty"`
}

// Class is a set of kinds of table that may be under one jefe.
type Class struct {
	Tables []Kind `yaml:"tables" json:"tables,omitempty"`
	Terms  []Term `yaml:"terms" json:"terms,omitempty"` // the first that fits the group holds
}

// Term is how many tables of a class one jefe may have, and on what conditions.
type Term struct {
	Only       []Kind `yaml:"only" json:"only,omitempty"` // fits groups of one game and one variant, out of these; empty fits any
	From       int    `yaml:"from" json:"from,omitempty"` // fits groups of so many tables or more
	Max        int    `yaml:"max" json:"max,omitempty"`
	Contiguous bool   `yaml:"contiguous" json:"contiguous,omitempty"`
	Recorded   bool   `yaml:"recorded" json:"recorded,omitempty"` // each table
	Rule       string `yaml:"rule" json:"rule,omitempty"`         // article and lines
}

// Spans are the numbers of tables that a norm gives game by game; of tables of
// several games the smallest holds.
type Spans struct {
	Tables []Span `yaml:"tables" json:"tables,omitempty"`
	Other  Span   `yaml:"other" json:"other,omitempty"` // of games that are not listed
}

// Span is how many tables of a kind one jefe may have.
type Span struct {
	Kind `yaml:",inline"`
	Max  int    `yaml:"max" json:"max,omitempty"`
	Rule string `yaml:"rule" json:"rule,omitempty"`
}

// Jefe is which tables need a jefe de mesa.
type Jefe struct {
	Nowhere bool     `yaml:"nowhere" json:"nowhere,omitempty"` // the norm asks for none
	Except  []string `yaml:"except" json:"except,omitempty"`   // games that need none
	Rule    string   `yaml:"rule" json:"rule,omitempty"`
}

// Staff is the least staff of kinds of table.
type Staff struct {
	Games    []string       `yaml:"games" json:"games,omitempty"` // empty fits all
	Variants []string       `yaml:"variants" json:"variants,omitempty"`
	Least    map[string]int `yaml:"least" json:"least,omitempty"`   // persons by role
	Waived   map[string]int `yaml:"waived" json:"waived,omitempty"` // the least of a role that the Dirección dispenses with
	Rule     string         `yaml:"rule" json:"rule,omitempty"`     // "" cites the game as a whole
}

// Servants limits the servants of the tables of a game: one for each so many tables begun.
type Servants struct {
	Game string `yaml:"game" json:"game,omitempty"`
	Each int    `yaml:"each" json:"each,omitempty"`
	Rule string `yaml:"rule" json:"rule,omitempty"`
}

// Changer demands one cambista in the room where a game is open.
type Changer struct {
	Game string `yaml:"game" json:"game,omitempty"`
	Rule string `yaml:"rule" json:"rule,omitempty"`
}

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	if r.Spans != nil && len(r.Classes) > 0 {
		return errors.New("spans: a norm has spans or classes, not both")
	}
	for i, c := range r.Classes {
		if len(c.Tables) == 0 || len(c.Terms) == 0 {
			return fmt.Errorf("classes[%d]: want tables and terms", i)
		}
		for k, t := range c.Terms {
			if t.Max < 1 || t.Rule == "" {
				return fmt.Errorf("classes[%d].terms[%d]: want max of 1 or more, and rule", i, k)
			}
		}
	}
	for i, s := range r.Staff {
		for role := range s.Least {
			if !slices.Contains(room.Roles, role) {
				return fmt.Errorf("staff[%d].least: unknown role %q", i, role)
			}
		}
		if s.Rule == "" && len(s.Games) > 0 {
			return fmt.Errorf("staff[%d]: rule: missing", i)
		}
	}
	for i, m := range r.Minimum {
		if m.Game == "" || m.Rule == "" {
			return fmt.Errorf("minimum[%d]: want game and rule", i)
		}
	}
	if r.Servants != nil && r.Servants.Each < 1 {
		return errors.New("servants: each: want 1 or more")
	}
	return nil
}

// New is a new, empty value for a rulebook to be read into.
func New() rulebook.Rules { return &Rules{} }

func (k Kind) fits(t *room.Table) bool {
	return k.Game == t.Game && (len(k.Variants) == 0 || slices.Contains(k.Variants, t.Variant))
}

func anyFits(kinds []Kind, t *room.Table) bool {
	return slices.ContainsFunc(kinds, func(k Kind) bool { return k.fits(t) })
}

// class is the index of the class that a table belongs to, -1 for none.
func (r *Rules) class(t *room.Table) int {
	return slices.IndexFunc(r.Classes, func(c Class) bool { return anyFits(c.Tables, t) })
}

// term is the row of a class that a group goes by; nil when none fits.
func (c *Class) term(group []*room.Table) *Term {
	alike := true
	for _, t := range group {
		alike = alike && t.Game == group[0].Game && t.Variant == group[0].Variant
	}
	for i := range c.Terms {
		t := &c.Terms[i]
		if len(t.Only) > 0 && !(alike && anyFits(t.Only, group[0])) {
			continue
		}
		if len(group) >= t.From {
			return t
		}
	}
	return nil
}

// span is the number of a table's game.
func (s *Spans) span(t *room.Table) Span {
	for _, x := range s.Tables {
		if x.fits(t) {
			return x
		}
	}
	return s.Other
}

// staff is the row for a table; nil when the norm asks for nothing.
func (r *Rules) staff(t *room.Table) *Staff {
	for i := range r.Staff {
		s := &r.Staff[i]
		if (len(s.Games) == 0 || slices.Contains(s.Games, t.Game)) &&
			(len(s.Variants) == 0 || slices.Contains(s.Variants, t.Variant)) {
			return s
		}
	}
	return nil
}
