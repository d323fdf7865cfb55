package session

import (
	"slices"

	"vision/validate/finding"
)

// lastRounds follows the announcement of the last rounds of the day, and the
// charges per session of circle poker (section 4.8).
type lastRounds struct {
	said    int    // last announcement of the run, -1
	charged *int64 // when the session was last charged in the run
}

func (x *examination) closingEvent(i int, e *Event) {
	switch e.Type {
	case Open:
		x.last = lastRounds{said: -1}
	case LastRoundsSaid:
		if x.run != nil {
			x.last.said = i
		}
	case SessionCharged:
		if x.run != nil {
			x.charged(i, e)
		}
	case Close:
		if e.Reason == endOfDay {
			x.lastRounds(i)
			x.leftOver(i, e)
		}
	}
}

// lastRounds judges how many last rounds were announced, by whom, and played.
func (x *examination) lastRounds(i int) {
	rule, lines := of(x.rules.LastRounds, x.game)
	if rule == nil {
		return
	}
	said := x.last.said
	if said < 0 {
		x.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "last_rounds"}, lines)
		return
	}
	a, n := &x.rec.Events[said], int64(rule.Last)
	if a.Last != n {
		x.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "last", Expected: n, Observed: a.Last}, lines)
	}
	if a.By != "" && a.By != rule.By {
		x.add(Finding{Code: finding.OtherProcedure, Event: said, Expected: rule.By, Observed: a.By}, lines)
	}
	if k := x.run.count(said); k != n {
		x.add(Finding{Code: finding.LastRoundsWrong, Event: i, Expected: n, Observed: k}, lines)
	}
}

// charged judges whether a session was over when the next was charged: its time,
// and the last hands after it.
func (x *examination) charged(i int, e *Event) {
	before := x.last.charged
	t := e.T
	x.last.charged = &t
	rule := x.rules.Charge
	if rule == nil || rule.Family != x.family() || before == nil {
		return
	}
	length := rule.Seconds
	if length == 0 {
		if x.rec.Options.CircleS == nil {
			return
		}
		length = *x.rec.Options.CircleS
	}
	if d := t - *before; d < length {
		x.add(Finding{Code: finding.SessionChargedEarly, Event: i, What: "time", Expected: length, Observed: d}, rule.Lines)
		return
	}
	hands := int64(0)
	for _, p := range x.run.rounds {
		if p.t >= *before+length && !p.void {
			hands++
		}
	}
	if hands < int64(rule.Hands) {
		x.add(Finding{Code: finding.SessionChargedEarly, Event: i, What: "hands", Expected: int64(rule.Hands), Observed: hands},
			rule.Lines)
	}
}

// leftOver judges how wheel and shoe are left over night.
func (x *examination) leftOver(i int, e *Event) {
	if lines, ok := x.rules.Cover.has(x.game); ok && e.Cover == "none" {
		x.add(Finding{Code: finding.WheelNotCovered, Event: i}, lines)
	}
	rule, lines := of(x.rules.ShoeLeft, x.game)
	if rule == nil || e.ShoeLeft == "" || slices.Contains(rule.Allow, e.ShoeLeft) {
		return
	}
	if len(rule.Kinds) == 0 || slices.Contains(rule.Kinds, x.talla.kind) {
		x.add(Finding{Code: finding.ShoeNotSecured, Event: i, Observed: e.ShoeLeft}, lines)
	}
}

// meter follows the sum that a progressive or fixed prize shows (section 4.10).
type meter struct {
	last *int64 // in the run
}

func (x *examination) meterEvent(i int, e *Event) {
	if e.Type == Open {
		x.meter = meter{}
	}
	if e.Type != MeterShown {
		return
	}
	if rule, lines := of(x.rules.Meters, x.game); rule != nil {
		m := &e.Meter
		floor := rule.Always * m.Coin
		switch {
		case rule.Fixed > 0 && m.Fixed:
			floor = rule.Fixed * m.Coin
		case rule.Start > 0 && m.Start:
			if floor = rule.Start * m.Coin; rule.Cents > 0 {
				floor = min(floor, rule.Cents)
			}
		}
		if e.Amount < floor {
			x.add(Finding{Code: finding.MeterStartLow, Event: i, Expected: floor, Observed: e.Amount}, lines)
		}
		if rule.Share > 0 && m.Coins != nil && x.run != nil && x.meter.last != nil {
			// exact, rounded half up
			if due := *x.meter.last + (rule.Share**m.Coins*2+10000)/20000 - m.Prizes; due != e.Amount {
				x.add(amounts(Finding{Code: finding.MeterWrong, Event: i}, due, e.Amount), lines)
			}
		}
	}
	if x.run != nil {
		x.meter.last = new(e.Amount)
	}
}
