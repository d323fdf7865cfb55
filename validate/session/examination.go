package session

import (
	"errors"
	"fmt"
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/supervision"
)

// examination follows one record. Its parts hold what each section of the rules has to
// remember; the fields here are the state of the table that all of them read.
type examination struct {
	rec   *Record
	norm  *rulebook.Norm
	rules *Rules
	room  supervision.Room

	game, variant string
	run           *run   // nil while the table is closed
	runs          []*run // so far
	limits        *Limits
	down          int64 // seconds for which the table's own recording was down so far

	change   limitChanges
	turn     turning
	talla    talla
	dice     diceSets
	last     lastRounds
	meter    meter
	watch    watch
	summary  Summary
	findings []Finding
	part     int // of the contract's section 4 that is at work
}

// run is the table from an opening to its closing, or to the end of the record.
type run struct {
	from    int // event
	game    string
	cloth   *string
	limits  *Limits // in force when it ended
	rounds  []played
	pending bool // the float is to be compared at the next round
	account
}

// played is a round of a run.
type played struct {
	event int
	t     int64
	void  bool
}

// count is the number of rounds that count, from an event on.
func (r *run) count(from int) int64 {
	n := int64(0)
	for _, p := range r.rounds {
		if p.event >= from && !p.void {
			n++
		}
	}
	return n
}

// Check judges a record by the norm it names. Its error is a *round.Error.
func Check(books *rulebook.Books, rec *Record) (Verdict, error) {
	x, err := newExamination(books, rec)
	if err == nil {
		err = rec.ordered()
	}
	if err == nil {
		err = x.known()
	}
	if err != nil {
		err.Record = rec.ID
		return Verdict{}, err
	}
	x.follow()
	v := Verdict{Schema: VerdictSchema, ID: rec.ID, Norm: rec.Norm, Table: rec.Table, Findings: sorted(x.findings)}
	v.Summary, v.Next = x.acta(v.Findings), x.carryOn()
	return v, nil
}

func newExamination(books *rulebook.Books, rec *Record) (*examination, *round.Error) {
	norm, err := books.Norm(rec.Norm)
	if err != nil {
		return nil, round.Malformed("norm", "", "%v", err)
	}
	rules, ok := norm.Session.(*Rules)
	if !ok {
		return nil, round.Malformed("norm", "add one to "+norm.File, "%s has no section on sessions", norm.Code)
	}
	room, bad := supervision.RoomOf(norm, rec.Options.Options)
	if bad != nil {
		return nil, bad
	}
	if _, _, err := books.Game(rec.Norm, rec.Game); err != nil {
		if errors.Is(err, rulebook.ErrUnknownGame) {
			return nil, round.Malformed("game", "", "%v", err)
		}
		return nil, round.Malformed("norm", "", "%v", err)
	}
	return &examination{rec: rec, norm: norm, rules: rules, room: room}, nil
}

// known refuses games and variants that the norm does not have, and fills in the
// variants that are not told.
func (x *examination) known() *round.Error {
	var err *round.Error
	if x.rec.Variant, err = x.room.Variant("", x.rec.Game, x.rec.Variant); err != nil {
		return err
	}
	for i := range x.rec.Events {
		e := &x.rec.Events[i]
		at := fmt.Sprintf("events[%d].", i)
		switch e.Type {
		case GameChange:
			if x.norm.Games[e.Game] == nil {
				return round.Malformed(at+"game", "write a game of the norm", "%s has no game %q", x.norm.Code, e.Game)
			}
			if e.Variant, err = x.room.Variant(at, e.Game, e.Variant); err != nil {
				return err
			}
		case ShiftStart:
			for k := range e.Tables {
				t := &e.Tables[k]
				if t.ID == x.rec.Table {
					continue
				}
				if t.Variant, err = x.room.Variant(fmt.Sprintf("%stables[%d].", at, k), t.Game, t.Variant); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// openBefore reports whether the table was open when the record begins.
func (r *Record) openBefore() bool {
	for i := range r.Events {
		switch r.Events[i].Type {
		case Open:
			return false
		case Close:
			return true
		}
	}
	return true
}

// follow goes through the events. Between two times, with all that happened at
// the first, the state is constant.
func (x *examination) follow() {
	x.game, x.variant = x.rec.Game, x.rec.Variant
	x.start()
	if x.rec.openBefore() {
		x.run = &run{game: x.game, limits: x.rec.Carry.Limits}
		x.runs = append(x.runs, x.run)
		x.limits = x.rec.Carry.Limits
		x.limitsFrom(x.rec.Events[0].T)
		x.summary.begin(x.rec.Events[0].T, x.run)
	}
	for i := range x.rec.Events {
		e := &x.rec.Events[i]
		if e.Type == Open {
			x.opens(i, e)
		}
		x.parts(i, e)
		x.apply(i, e)
		if i+1 < len(x.rec.Events) && x.rec.Events[i+1].T > e.T {
			x.interval(i, e.T, x.rec.Events[i+1].T)
		}
	}
	x.finish()
}

// parts has each section of the rules judge an event, in their order.
func (x *examination) parts(i int, e *Event) {
	for part, follow := range []func(int, *Event){x.limitEvent, x.ratioEvent, x.turnEvent, x.floatEvent, x.packEvent,
		x.tallaEvent, x.diceEvent, x.closingEvent, nil, x.meterEvent} {
		if x.part = part + 1; follow != nil {
			follow(i, e)
		}
	}
}

// opens begins a run.
func (x *examination) opens(i int, e *Event) {
	x.run = &run{from: i, game: x.game, cloth: e.Cloth}
	x.run.open(e)
	x.runs = append(x.runs, x.run)
	x.limits = e.Limits
	x.limitsFrom(e.T)
	x.summary.begin(e.T, x.run)
	x.summary.gear(e)
}

// apply does to the state what an event does.
func (x *examination) apply(i int, e *Event) {
	switch e.Type {
	case LimitsChanged:
		if x.run != nil {
			x.limitsTo(e.T)
			x.limits = e.Limits
			x.limitsFrom(e.T)
		}
	case GameChange:
		x.limitsTo(e.T)
		x.game, x.variant, x.limits = e.Game, e.Variant, nil
	case Close:
		x.limitsTo(e.T)
		x.run.limits, x.run, x.limits = x.limits, nil, nil
		x.summary.end(e.T)
	case Round:
		if x.run != nil {
			x.run.rounds = append(x.run.rounds, played{i, e.T, e.Round.Void})
		}
	}
	x.watchEvent(e)
	x.summary.event(i, e, x.run)
}

// finish ends what the record leaves open.
func (x *examination) finish() {
	last := x.rec.Events[len(x.rec.Events)-1].T
	x.limitsTo(last)
	if x.run != nil {
		x.summary.end(last)
	}
	x.part = 9
	x.watchFindings()
}

// add keeps a finding of the current game, by some lines of the norm.
func (x *examination) add(f Finding, lines string) {
	if f.Rule == "" {
		f.Rule = x.cite(x.game, lines)
	}
	f.Severity, f.part = finding.Of(f.Code).Session.Severity, x.part
	x.findings = append(x.findings, f)
}

// cite is a rule of a game: norm, label, lines.
func (x *examination) cite(game, lines string) string {
	rule := x.norm.Rule(x.norm.Games[game])
	if lines != "" {
		rule += " " + lines
	}
	return rule
}

// house is the rule of what no norm prints.
func (x *examination) house() string { return x.norm.Code + " (house control)" }

// family is the family of the game that is played.
func (x *examination) family() string { return x.norm.Games[x.game].Family }

// carryOn is what the next part of the session has to know.
func (x *examination) carryOn() Carry {
	c := Carry{LimitChanges: x.rec.Carry.LimitChanges + x.change.made, GameChanges: x.rec.Carry.GameChanges + x.turn.made,
		DiceSets: slices.Concat(x.rec.Carry.DiceSets, x.dice.used), LastDiceSets: x.rec.Carry.LastDiceSets}
	slices.Sort(c.DiceSets)
	c.DiceSets = slices.Compact(c.DiceSets)
	if x.run != nil {
		c.Limits = x.limits
	}
	return c
}

func amounts(f Finding, expected, observed int64) Finding {
	f.Expected, f.Observed, f.Delta = expected, observed, new(observed-expected)
	return f
}
