package session

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/room"
)

// watch follows who is in charge of the table and what staff it has (section 4.9).
type watch struct {
	own    room.Table // where this table stands in the row of the shift
	jefe   string     // on shift, "" for nobody
	others []room.Table
	staff  *Event // the last that told it; nil before
	spans  []*span
}

// span is a breach that lasts.
type span struct {
	Finding
	game     string // that was played when it began
	family   string
	croupier bool // of the staff, only the croupier lacks
}

func (w *watch) start(rec *Record) { w.own = room.Table{ID: rec.Table, Recording: rec.Recording} }

// watchEvent does to the shift, the staff and the recordings what an event does.
func (x *examination) watchEvent(e *Event) {
	w := &x.watch
	switch e.Type {
	case ShiftStart:
		w.shift(e)
	case ShiftEnd:
		w.jefe, w.others = "", nil
	case Staff:
		w.staff = e
	case RecordingLost, RecordingRestored:
		if t := w.table(e.Table); t != nil {
			t.Recording = e.Recording
		}
	case TableState:
		if t := w.table(e.Table); t != nil {
			t.Open = e.IsOpen
		}
	}
}

func (w *watch) shift(e *Event) {
	w.jefe, w.others = e.Jefe, nil
	for _, t := range e.Tables {
		if t.ID == w.own.ID {
			w.own.Position, w.own.Adjacent = t.Position, t.Adjacent
			continue
		}
		w.others = append(w.others, t.Table)
	}
}

// table is a table by its id, the record's own for "".
func (w *watch) table(id string) *room.Table {
	if id == "" || id == w.own.ID {
		return &w.own
	}
	if i := slices.IndexFunc(w.others, func(t room.Table) bool { return t.ID == id }); i >= 0 {
		return &w.others[i]
	}
	return nil
}

// interval judges the time between two events, in which the state does not change.
func (x *examination) interval(i int, from, to int64) {
	if x.watch.own.Recording == room.RecordingDown {
		x.down += to - from
	}
	if x.run == nil {
		return
	}
	w := &x.watch
	w.own.Game, w.own.Variant, w.own.Open = x.game, x.variant, true
	sup := &x.summary.Supervision
	d := to - from
	x.summary.OpenS += d
	x.summary.recording(from, to, !x.room.Recorded(w.own.Recording))
	group := x.group()
	var found []room.Finding
	class := ""
	if w.jefe != "" {
		found, class = x.room.Group(w.jefe, group)
		for _, f := range found {
			x.lasts(i, from, to, &span{Finding: Finding{Code: f.Code, Jefe: w.jefe, Table: f.Table, Expected: number(f.Limit),
				Observed: number(f.Actual), Rule: f.Rule}})
		}
		x.summary.under(w.jefe, d, len(group))
	}
	needs := x.room.NeedsJefe(x.game)
	switch {
	case !needs && (w.jefe == "" || !x.room.Nowhere()):
		sup.ExemptS += d
	case w.jefe == "":
		sup.NoJefeS += d
		x.lasts(i, from, to, &span{Finding: Finding{Code: finding.NoJefe, Rule: x.room.JefeRule(&w.own)}})
	case len(group) < 2:
		sup.SingleS += d
	default:
		sup.share(len(group), d, found, class)
	}
	x.staffing(i, from, to)
}

// group are the open tables of the jefe that count.
func (x *examination) group() []*room.Table {
	w := &x.watch
	var group []*room.Table
	if w.jefe == "" {
		return nil
	}
	if x.room.Counts(x.game) {
		group = append(group, &w.own)
	}
	for k := range w.others {
		if t := &w.others[k]; t.Open && x.room.Counts(t.Game) {
			group = append(group, t)
		}
	}
	return group
}

// number is an amount or a number of tables, nil where there is none.
func number(n *int) any {
	if n == nil {
		return nil
	}
	return int64(*n)
}

// staffing compares the staff with the least of the game: by role where it was
// stated, all together where persons were counted, the jefe perhaps among them.
func (x *examination) staffing(i int, from, to int64) {
	w := &x.watch
	if w.staff == nil {
		return
	}
	t := w.own
	t.Waived = w.staff.Waived
	needs := x.room.Least(&t)
	sum, rule, croupierOnly := 0, "", true
	for _, n := range needs {
		sum += n.Least
		rule = n.Rule
		croupierOnly = croupierOnly && n.Role == "croupier"
		if got := w.staff.Staff[n.Role]; !w.staff.Counted && got < n.Least {
			x.lasts(i, from, to, &span{Finding: Finding{Code: finding.StaffMissing, Role: n.Role, Expected: int64(n.Least),
				Observed: int64(got), Rule: n.Rule}, croupier: n.Role == "croupier"})
		}
	}
	if w.staff.Counted && w.staff.Persons < int64(sum) {
		x.lasts(i, from, to, &span{Finding: Finding{Code: finding.StaffMissing, Role: "any", Expected: int64(sum),
			Observed: w.staff.Persons, Rule: rule}, croupier: croupierOnly})
	}
}

// lasts notes a breach of some time; one that goes on is one finding.
func (x *examination) lasts(i int, from, to int64, s *span) {
	for _, b := range x.watch.spans {
		if *b.To == from && b.Code == s.Code && b.Jefe == s.Jefe && b.Table == s.Table && b.Role == s.Role &&
			b.Expected == s.Expected && b.Observed == s.Observed {
			*b.To = to
			return
		}
	}
	s.Event, s.From, s.To = i, &from, &to
	s.game, s.family = x.game, x.family()
	x.watch.spans = append(x.watch.spans, s)
}

// watchFindings makes findings of what lasted. A lack of jefe or staff as short
// as the house allows is none, except where they must be there permanently.
func (x *examination) watchFindings() {
	for _, s := range x.watch.spans {
		short := *s.To-*s.From <= x.rec.Options.GraceS
		if (s.Code == finding.NoJefe || s.Code == finding.StaffMissing) && short && !x.permanent(s) {
			continue
		}
		x.add(s.Finding, "")
	}
}

func (x *examination) permanent(s *span) bool {
	return slices.ContainsFunc(x.rules.Permanent, func(p Permanent) bool {
		_, game := p.has(s.game)
		if !game && (p.Family == "" || p.Family != s.family) {
			return false
		}
		return !p.Croupier || s.Code == finding.StaffMissing && s.croupier
	})
}
