package session

import "vision/validate/finding"

// account is the float of one run (section 4.4), in cents.
type account struct {
	counted *int64 // opening float; nil when it was not counted
	fills   int64
	credits int64
	changes int64  // effect of changes on the book
	book    *int64 // nil while it is not known
	closing *int64 // counted at the closing
	hidden  bool   // since the last count something moved that was not seen
	downAt  int64  // seconds of lost recording at the last count
	cloths  int64  // open now
}

// open begins the account of a run.
func (a *account) open(e *Event) {
	a.counted = e.Float
	if e.Float != nil {
		book := *e.Float
		a.book = &book
	}
}

func (a *account) move(by int64) {
	if a.book != nil {
		*a.book += by
	}
}

func (j *judge) floatEvent(i int, e *Event) {
	if e.Type == Change && e.Chips != nil && *e.Chips != e.Told {
		j.changeWrong(i, e)
	}
	if j.run == nil {
		return
	}
	a := &j.run.account
	switch e.Type {
	case Open:
		a.cloths, a.downAt = j.rec.Cloths, j.down
		if e.ClothsOpen != nil {
			a.cloths = *e.ClothsOpen
		}
		j.run.pending = j.twoCloths()
	case ClothOpened, ClothClosed:
		a.cloths = map[Type]int64{ClothOpened: 2, ClothClosed: 1}[e.Type]
		j.run.pending = j.run.pending || j.twoCloths()
	case Fill:
		a.fills += e.Amount
		a.move(e.Amount)
	case Credit:
		a.credits += e.Amount
		a.move(-e.Amount)
	case Change:
		j.changeMoves(a, e)
	case Round:
		j.short(i)
		if m := e.Round.Money; m != nil {
			a.move(m.In - m.Out)
		} else {
			a.hidden = true
		}
	case CountFloat, Close:
		j.counted(i, e)
	}
}

// changeMoves does to the book what a change of money does.
func (j *judge) changeMoves(a *account, e *Event) {
	if e.Chips == nil {
		a.hidden = true
		return
	}
	by := -*e.Chips
	if e.Kind == "chips" {
		by += e.Told
	}
	a.changes += by
	a.move(by)
}

// changeWrong finds a change that was not what was told. Where the norm says
// nothing of changes at the game's table it is the house's own control.
func (j *judge) changeWrong(i int, e *Event) {
	f := amounts(Finding{Code: finding.ChangeWrong, Event: i}, e.Told, *e.Chips)
	lines, ok := j.rules.Change[j.game]
	if !ok {
		f.Rule = j.house()
	}
	j.add(f, lines)
}

// counted compares the book with a count; from then on the book is the count.
func (j *judge) counted(i int, e *Event) {
	if e.Float == nil {
		return
	}
	a, got := &j.run.account, *e.Float
	if a.book != nil && *a.book != got {
		f := amounts(Finding{Code: finding.FloatUnbalanced, Event: i, Rule: j.house()}, *a.book, got)
		if a.hidden || j.down > a.downAt {
			f.Code, f.Delta = finding.NotObservable, nil
		}
		j.add(f, "")
	}
	if e.Type == Close {
		a.closing = &got
		return
	}
	a.book, a.hidden, a.downAt = &got, false, j.down
}

// twoCloths reports whether a half float is enough while one cloth is open.
func (j *judge) twoCloths() bool {
	if j.rules.HalfFloat == nil || j.rec.Cloths != 2 {
		return false
	}
	_, ok := j.rules.HalfFloat.has(j.game)
	return ok
}

// short judges the float that a table was given against what its minimum asks
// for, before the first round after either changed.
func (j *judge) short(i int) {
	r := j.run
	if !r.pending {
		return
	}
	r.pending = false
	if r.counted == nil || j.limits == nil {
		return
	}
	required, ok := j.rec.Options.Floats[j.limits.Min]
	if !ok {
		return
	}
	_, lines := of(j.rules.LimitChange, j.game)
	if j.twoCloths() {
		lines = j.rules.HalfFloat.Games[j.game]
		if r.cloths == 1 {
			required = (required + 1) / 2
		}
	}
	if given := *r.counted + r.fills - r.credits; given < required {
		j.add(Finding{Code: finding.FloatShort, Event: i, Expected: required, Observed: given}, lines)
	}
}
