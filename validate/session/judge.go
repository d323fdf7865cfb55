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

// judge follows one record. Its parts hold what each section of the rules has to
// remember; the fields here are the state of the table that all of them read.
type judge struct {
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
	from    int  // event
	opened  bool // in this record; otherwise it was open before
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
	j, err := newJudge(books, rec)
	if err == nil {
		err = rec.ordered()
	}
	if err == nil {
		err = j.known()
	}
	if err != nil {
		err.Record = rec.ID
		return Verdict{}, err
	}
	j.follow()
	v := Verdict{Schema: VerdictSchema, ID: rec.ID, Norm: rec.Norm, Table: rec.Table, Findings: sorted(j.findings)}
	v.Summary, v.Next = j.acta(v.Findings), j.carryOn()
	return v, nil
}

func newJudge(books *rulebook.Books, rec *Record) (*judge, *round.Error) {
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
	return &judge{rec: rec, norm: norm, rules: rules, room: room}, nil
}

// known refuses games and variants that the norm does not have, and fills in the
// variants that are not told.
func (j *judge) known() *round.Error {
	var err *round.Error
	if j.rec.Variant, err = j.room.Variant("", j.rec.Game, j.rec.Variant); err != nil {
		return err
	}
	for i := range j.rec.Events {
		e := &j.rec.Events[i]
		at := fmt.Sprintf("events[%d].", i)
		switch e.Type {
		case GameChange:
			if j.norm.Games[e.Game] == nil {
				return round.Malformed(at+"game", "write a game of the norm", "%s has no game %q", j.norm.Code, e.Game)
			}
			if e.Variant, err = j.room.Variant(at, e.Game, e.Variant); err != nil {
				return err
			}
		case ShiftStart:
			for k := range e.Tables {
				t := &e.Tables[k]
				if t.ID == j.rec.Table {
					continue
				}
				if t.Variant, err = j.room.Variant(fmt.Sprintf("%stables[%d].", at, k), t.Game, t.Variant); err != nil {
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
func (j *judge) follow() {
	j.game, j.variant = j.rec.Game, j.rec.Variant
	j.start()
	if j.rec.openBefore() {
		j.run = &run{game: j.game, limits: j.rec.Carry.Limits}
		j.runs = append(j.runs, j.run)
		j.limits = j.rec.Carry.Limits
		j.limitsFrom(j.rec.Events[0].T)
		j.summary.begin(j.rec.Events[0].T, j.run)
	}
	for i := range j.rec.Events {
		e := &j.rec.Events[i]
		if e.Type == Open {
			j.opens(i, e)
		}
		j.parts(i, e)
		j.apply(i, e)
		if i+1 < len(j.rec.Events) && j.rec.Events[i+1].T > e.T {
			j.interval(i, e.T, j.rec.Events[i+1].T)
		}
	}
	j.finish()
}

// parts has each section of the rules judge an event, in their order.
func (j *judge) parts(i int, e *Event) {
	for part, judge := range []func(int, *Event){j.limitEvent, j.ratioEvent, j.turnEvent, j.floatEvent, j.packEvent, j.tallaEvent, j.diceEvent, j.closingEvent, nil, j.meterEvent} {
		if j.part = part + 1; judge != nil {
			judge(i, e)
		}
	}
}

// opens begins a run.
func (j *judge) opens(i int, e *Event) {
	j.run = &run{from: i, opened: true, game: j.game, cloth: e.Cloth}
	j.run.open(e)
	j.runs = append(j.runs, j.run)
	j.limits = e.Limits
	j.limitsFrom(e.T)
	j.summary.begin(e.T, j.run)
	j.summary.gear(e)
}

// apply does to the state what an event does.
func (j *judge) apply(i int, e *Event) {
	switch e.Type {
	case LimitsChanged:
		if j.run != nil {
			j.limitsTo(e.T)
			j.limits = e.Limits
			j.limitsFrom(e.T)
		}
	case GameChange:
		j.limitsTo(e.T)
		j.game, j.variant, j.limits = e.Game, e.Variant, nil
	case Close:
		j.limitsTo(e.T)
		j.run.limits, j.run, j.limits = j.limits, nil, nil
		j.summary.end(e.T)
	case Round:
		if j.run != nil {
			j.run.rounds = append(j.run.rounds, played{i, e.T, e.Round.Void})
		}
	}
	j.watchEvent(e)
	j.summary.event(i, e, j.run)
}

// finish ends what the record leaves open.
func (j *judge) finish() {
	last := j.rec.Events[len(j.rec.Events)-1].T
	j.limitsTo(last)
	if j.run != nil {
		j.summary.end(last)
	}
	j.part = 9
	j.watchFindings()
}

// add keeps a finding of the current game, by some lines of the norm.
func (j *judge) add(f Finding, lines string) {
	if f.Rule == "" {
		f.Rule = j.cite(j.game, lines)
	}
	f.Severity, f.part = finding.Of(f.Code).Session.Severity, j.part
	j.findings = append(j.findings, f)
}

// cite is a rule of a game: norm, label, lines.
func (j *judge) cite(game, lines string) string {
	rule := j.norm.Rule(j.norm.Games[game])
	if lines != "" {
		rule += " " + lines
	}
	return rule
}

// house is the rule of what no norm prints.
func (j *judge) house() string { return j.norm.Code + " (house control)" }

// family is the family of the game that is played.
func (j *judge) family() string { return j.norm.Games[j.game].Family }

// carryOn is what the next part of the session has to know.
func (j *judge) carryOn() Carry {
	c := Carry{LimitChanges: j.rec.Carry.LimitChanges + j.change.made, GameChanges: j.rec.Carry.GameChanges + j.turn.made,
		DiceSets: slices.Concat(j.rec.Carry.DiceSets, j.dice.used), LastDiceSets: j.rec.Carry.LastDiceSets}
	slices.Sort(c.DiceSets)
	c.DiceSets = slices.Compact(c.DiceSets)
	if j.run != nil {
		c.Limits = j.limits
	}
	return c
}

func amounts(f Finding, expected, observed int64) Finding {
	delta := observed - expected
	f.Expected, f.Observed, f.Delta = expected, observed, &delta
	return f
}
