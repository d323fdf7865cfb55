// Package supervision judges which open tables stand under which jefe de mesa
// and whether each has the staff that the norm asks for. Like the rules of
// play it is a pure function: rulebook and record in, findings out.
package supervision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Check judges a record by the norm it names. Its error is a *round.Error.
func Check(books *rulebook.Books, rec *room.Record) (room.Verdict, error) {
	norm, err := books.Norm(rec.Norm)
	if err != nil {
		return room.Verdict{}, &round.Error{Record: rec.ID, Path: "norm", Problem: err.Error()}
	}
	rules, bad := RoomOf(norm, rec.Options)
	if bad == nil {
		x := &examination{Room: rules, rec: rec, tables: slices.Clone(rec.Tables)}
		if bad = x.known(); bad == nil {
			x.assignments()
			x.each()
			x.room()
			return room.Verdict{Schema: room.VerdictSchema, ID: rec.ID, Norm: rec.Norm,
				Findings: append([]room.Finding{}, x.found...)}, nil
		}
	}
	bad.Record = rec.ID
	return room.Verdict{}, bad
}

// examination is one record while it is judged.
type examination struct {
	Room
	rec    *room.Record
	tables []room.Table // with their variants filled in
	found  []room.Finding
	class  string // rule of the class, or of the span, by which the last group was judged
}

// known fills in each table's variant and refuses games and variants that the
// norm does not have.
func (x *examination) known() *round.Error {
	for i := range x.tables {
		t := &x.tables[i]
		v, err := x.Variant(fmt.Sprintf("tables[%d].", i), t.Game, t.Variant)
		if err != nil {
			return err
		}
		t.Variant = v
	}
	return x.minimumGames()
}

// cite is a rule of the norm; without one the norm's own label, or that the limit is the house's.
func (j Room) cite(rule string) string {
	rule = cmp.Or(rule, j.rules.Label)
	if rule == "" {
		return j.norm.Code + " (house limit)"
	}
	return j.norm.Code + " " + rule
}

func (x *examination) add(f room.Finding) { x.found = append(x.found, f) }

func (x *examination) assignments() {
	for _, a := range x.rec.Assignments {
		var group []*room.Table
		for i := range x.tables {
			t := &x.tables[i]
			if t.Open && x.Counts(t.Game) && slices.Contains(a.Tables, t.ID) {
				group = append(group, t)
			}
		}
		x.group(a, group)
	}
}

// group judges the open tables of one jefe (steps 1 to 4 of the sharing rules).
func (x *examination) group(a room.Assignment, group []*room.Table) {
	switch {
	case len(group) < 2 || x.rules.Jefe.Nowhere:
		x.limit(a, group, Term{Max: len(group)})
	case x.rules.Spans != nil:
		least := x.span(group[0])
		for _, t := range group[1:] {
			if s := x.span(t); s.Max < least.Max {
				least = s
			}
		}
		x.class = x.cite(least.Rule)
		x.limit(a, group, Term{Max: least.Max, Rule: least.Rule})
	default:
		x.shared(a, group)
	}
}

// span is the number of tables of a table's game.
func (j Room) span(t *room.Table) Span {
	s := j.rules.Spans.span(t)
	s.Rule = cmp.Or(s.Rule, j.gameRule(t))
	return s
}

// shared judges two or more tables where the norm says which may be together.
func (x *examination) shared(a room.Assignment, group []*room.Table) {
	oneGame, oneClass, none := true, true, true
	class := x.rules.class(group[0])
	for _, t := range group {
		c := x.rules.class(t)
		oneGame = oneGame && t.Game == group[0].Game
		oneClass = oneClass && c == class && c >= 0
		none = none && c < 0
	}
	var term *Term
	if oneClass {
		term = x.rules.Classes[class].term(group)
	}
	switch {
	case term != nil:
		x.class = x.cite(term.Rule)
		x.terms(a, group, *term)
	case !oneGame:
		x.add(room.Finding{Code: finding.MixedGamesNotAllowed, Jefe: a.Jefe, Rule: x.cite(x.groupRule(group))})
	case !none:
		x.add(room.Finding{Code: finding.NotHomogeneous, Jefe: a.Jefe, Rule: x.cite(x.groupRule(group))})
	default:
		x.limit(a, group, Term{Max: 1, Rule: x.groupRule(group)})
	}
}

// groupRule is what a forbidden group is cited by: the clause of the first
// class that one of its tables belongs to, or the first table's game.
func (j Room) groupRule(group []*room.Table) string {
	for _, t := range group {
		if c := j.rules.class(t); c >= 0 {
			return j.rules.Classes[c].Terms[0].Rule
		}
	}
	return j.gameRule(group[0])
}

// gameRule is the norm's label of a table's game.
func (j Room) gameRule(t *room.Table) string {
	if g := j.norm.Games[t.Game]; g != nil {
		return g.Label
	}
	return ""
}

// limit raises a group that is too large; the house's own limit may be lower
// than the term's. It reports whether the group is small enough.
func (x *examination) limit(a room.Assignment, group []*room.Table, t Term) bool {
	most, rule := t.Max, x.cite(t.Rule)
	if m := x.options.MaxTables; m != nil && *m < most {
		most = *m
		if !strings.HasSuffix(rule, "(house limit)") {
			rule += " (house limit)"
		}
	}
	n := len(group)
	if n > most {
		x.add(room.Finding{Code: finding.TooManyTables, Jefe: a.Jefe, Limit: &most, Actual: &n, Rule: rule})
	}
	return n <= most
}

func (x *examination) terms(a room.Assignment, group []*room.Table, t Term) {
	if !x.limit(a, group, t) {
		return
	}
	for _, table := range group {
		if t.Recorded && !x.recorded(table) {
			x.add(room.Finding{Code: finding.RecordingRequired, Jefe: a.Jefe, Table: table.ID, Rule: x.cite(t.Rule)})
		}
	}
	if t.Contiguous && !connected(group) {
		x.add(room.Finding{Code: finding.NotContiguous, Jefe: a.Jefe, Rule: x.cite(t.Rule)})
	}
}

func (j Room) recorded(t *room.Table) bool {
	return t.Recording == room.RecordingOK || t.Recording == room.RecordingDegraded && !j.options.StrictRecording
}

// connected reports whether tables form one chain in which each touches another.
func connected(group []*room.Table) bool {
	reached := map[*room.Table]bool{group[0]: true}
	queue := []*room.Table{group[0]}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		for _, o := range group {
			if !reached[o] && touch(t, o) {
				reached[o] = true
				queue = append(queue, o)
			}
		}
	}
	return len(reached) == len(group)
}

func touch(a, b *room.Table) bool {
	if slices.Contains(a.Adjacent, b.ID) || slices.Contains(b.Adjacent, a.ID) {
		return true
	}
	if a.Position == nil || b.Position == nil {
		return false
	}
	d := *a.Position - *b.Position
	return d == 1 || d == -1
}

// each judges the open tables one by one: a jefe, and the least staff.
func (x *examination) each() {
	assigned := map[string]bool{}
	for _, a := range x.rec.Assignments {
		for _, id := range a.Tables {
			assigned[id] = true
		}
	}
	for i := range x.tables {
		t := &x.tables[i]
		if !t.Open {
			continue
		}
		if x.NeedsJefe(t.Game) && !assigned[t.ID] {
			x.add(room.Finding{Code: finding.NoJefe, Table: t.ID, Rule: x.JefeRule(t)})
		}
		x.staff(t)
	}
}

// JefeRule is what says that a table needs a jefe.
func (j Room) JefeRule(t *room.Table) string {
	switch {
	case j.rules.Jefe.Rule != "":
		return j.cite(j.rules.Jefe.Rule)
	case j.rules.Spans != nil:
		return j.cite(j.span(t).Rule)
	}
	return j.cite(j.groupRule([]*room.Table{t}))
}

func (x *examination) staff(t *room.Table) {
	for _, need := range x.Least(t) {
		if n := t.Staff[need.Role]; n < need.Least {
			x.add(room.Finding{Code: finding.StaffMissing, Table: t.ID, Role: need.Role, Limit: &need.Least, Actual: &n,
				Rule: need.Rule})
		}
	}
}

// room judges what concerns no single table.
func (x *examination) room() {
	if c := x.rules.Changer; c != nil {
		if open, changers := x.openOf(c.Game, "cambista"); open > 0 && changers == 0 {
			one, none := 1, 0
			x.add(room.Finding{Code: finding.StaffMissing, Role: "cambista", Limit: &one, Actual: &none, Rule: x.cite(c.Rule)})
		}
	}
	if s := x.rules.Servants; s != nil {
		open, servants := x.openOf(s.Game, "servidor")
		if most := (open + s.Each - 1) / s.Each; servants > most {
			x.add(room.Finding{Code: finding.StaffExcess, Role: "servidor", Limit: &most, Actual: &servants, Rule: x.cite(s.Rule)})
		}
	}
	x.minimum()
}

// openOf counts the open tables of a game and the persons of a role at them.
func (x *examination) openOf(game, role string) (tables, persons int) {
	for i := range x.tables {
		if t := &x.tables[i]; t.Open && t.Game == game {
			tables++
			persons += t.Staff[role]
		}
	}
	return tables, persons
}
