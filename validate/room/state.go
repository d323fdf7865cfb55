package room

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Place is a table of a room in operation, as it is configured.
type Place struct {
	ID       string
	Game     string
	Norm     string
	Variant  string // "" is the game's first
	Position *int
	Adjacent []string
	// AuthorisedMin is the authorised minimum of the table's game, in cents; 0 is not known.
	AuthorisedMin int
	Duty          Duty // until somebody says otherwise
}

// Duty is how a table is staffed at the moment.
type Duty struct {
	Open bool `json:"open"`
	// Staff are persons by role; nil means that nobody has said, and then the
	// least staff is not judged.
	Staff  map[string]int `json:"staff,omitempty"`
	Waived []string       `json:"waived,omitempty"` // roles that the Dirección de juegos dispenses with
}

// Check says what makes no sense about a duty, whatever the norm.
func (d Duty) Check() error {
	for role, n := range d.Staff {
		if !slices.Contains(Roles, role) {
			return fmt.Errorf("staff: unknown role %q; roles are %v", role, Roles)
		}
		if n < 0 || n > 100 {
			return fmt.Errorf("staff.%s: %d is no number of persons", role, n)
		}
	}
	for _, role := range d.Waived {
		if role != "subjefe" && role != "extremo" {
			return fmt.Errorf("waived: %q cannot be dispensed with; want subjefe or extremo", role)
		}
	}
	return nil
}

// State is all that people have said of a room in operation; the ledger keeps it.
type State struct {
	Duty        map[string]Duty `json:"duty"` // of the tables of which somebody has said it
	Assignments []Assignment    `json:"assignments"`
	// Minimum is that in force at each table, in cents, where it is known.
	Minimum map[string]int `json:"-"`    // the records that are judged have it
	Used    bool           `json:"used"` // somebody has assigned a table at some time
}

// Clone is a state that can be altered by itself.
func (s State) Clone() State {
	out := State{Duty: maps.Clone(s.Duty), Used: s.Used}
	for _, a := range s.Assignments {
		out.Assignments = append(out.Assignments, Assignment{Jefe: a.Jefe, Tables: slices.Clone(a.Tables)})
	}
	return out
}

// Of is a jefe's tables.
func (s State) Of(jefe string) []string {
	for _, a := range s.Assignments {
		if a.Jefe == jefe {
			return a.Tables
		}
	}
	return nil
}

// DutyOf is what was last said of a table, or else is configured.
func (s State) DutyOf(p Place) Duty {
	if d, ok := s.Duty[p.ID]; ok {
		return d
	}
	return p.Duty
}

// Ruling is what one norm says of the tables under it, with the record that was judged,
// so that it can be judged again.
type Ruling struct {
	Record  Record
	Verdict Verdict
}

// Breach is a finding that holds now, with the norm that it breaks.
type Breach struct {
	Finding
	Norm string `json:"norm"`
}

// Key tells breaches apart; what the numbers in them are does not matter.
func (b Breach) Key() string {
	return strings.Join([]string{b.Norm, string(b.Code), b.Jefe, b.Table, b.Role}, "/")
}
