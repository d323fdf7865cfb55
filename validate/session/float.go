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

func (x *examination) floatEvent(i int, e *Event) {
	if e.Type == Change && e.Chips != nil && *e.Chips != e.Told {
		x.changeWrong(i, e)
	}
	if x.run == nil {
		return
	}
	a := &x.run.account
	switch e.Type {
	case Open:
		a.cloths, a.downAt = x.rec.Cloths, x.down
		if e.ClothsOpen != nil {
			a.cloths = *e.ClothsOpen
		}
		x.run.pending = x.twoCloths()
	case ClothOpened, ClothClosed:
		a.cloths = map[Type]int64{ClothOpened: 2, ClothClosed: 1}[e.Type]
		x.run.pending = x.run.pending || x.twoCloths()
	case Fill:
		a.fills += e.Amount
		a.move(e.Amount)
	case Credit:
		a.credits += e.Amount
		a.move(-e.Amount)
	case Change:
		x.changeMoves(a, e)
	case Round:
		x.short(i)
		if m := e.Round.Money; m != nil {
			a.move(m.In - m.Out)
		} else {
			a.hidden = true
		}
	case CountFloat, Close:
		x.counted(i, e)
	}
}

// changeMoves does to the book what a change of money does.
func (x *examination) changeMoves(a *account, e *Event) {
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
func (x *examination) changeWrong(i int, e *Event) {
	f := amounts(Finding{Code: finding.ChangeWrong, Event: i}, e.Told, *e.Chips)
	lines, ok := x.rules.Change[x.game]
	if !ok {
		f.Rule = x.house()
	}
	x.add(f, lines)
}

// counted compares the book with a count; from then on the book is the count.
func (x *examination) counted(i int, e *Event) {
	if e.Float == nil {
		return
	}
	a, got := &x.run.account, *e.Float
	if a.book != nil && *a.book != got {
		f := amounts(Finding{Code: finding.FloatUnbalanced, Event: i, Rule: x.house()}, *a.book, got)
		if a.hidden || x.down > a.downAt {
			f.Code, f.Delta = finding.NotObservable, nil
		}
		x.add(f, "")
	}
	if e.Type == Close {
		a.closing = &got
		return
	}
	a.book, a.hidden, a.downAt = &got, false, x.down
}

// twoCloths reports whether a half float is enough while one cloth is open.
func (x *examination) twoCloths() bool {
	_, ok := x.rules.HalfFloat.has(x.game)
	return ok && x.rec.Cloths == 2
}

// short judges the float that a table was given against what its minimum asks
// for, before the first round after either changed.
func (x *examination) short(i int) {
	r := x.run
	if !r.pending {
		return
	}
	r.pending = false
	if r.counted == nil || x.limits == nil {
		return
	}
	required, ok := x.rec.Options.Floats[x.limits.Min]
	if !ok {
		return
	}
	_, lines := of(x.rules.LimitChange, x.game)
	if x.twoCloths() {
		lines = x.rules.HalfFloat.Games[x.game]
		if r.cloths == 1 {
			required = (required + 1) / 2
		}
	}
	if given := *r.counted + r.fills - r.credits; given < required {
		x.add(Finding{Code: finding.FloatShort, Event: i, Expected: required, Observed: given}, lines)
	}
}
