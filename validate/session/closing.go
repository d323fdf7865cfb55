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

func (j *judge) closingEvent(i int, e *Event) {
	switch e.Type {
	case Open:
		j.last = lastRounds{said: -1}
	case LastRoundsSaid:
		if j.run != nil {
			j.last.said = i
		}
	case SessionCharged:
		if j.run != nil {
			j.charged(i, e)
		}
	case Close:
		if e.Reason == endOfDay {
			j.lastRounds(i)
			j.leftOver(i, e)
		}
	}
}

// lastRounds judges how many last rounds were announced, by whom, and played.
func (j *judge) lastRounds(i int) {
	rule, lines := of(j.rules.LastRounds, j.game)
	if rule == nil {
		return
	}
	said := j.last.said
	if said < 0 {
		j.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "last_rounds"}, lines)
		return
	}
	a, n := &j.rec.Events[said], int64(rule.Last)
	if a.Last != n {
		j.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "last", Expected: n, Observed: a.Last}, lines)
	}
	if a.By != "" && a.By != rule.By {
		j.add(Finding{Code: finding.OtherProcedure, Event: said, Expected: rule.By, Observed: a.By}, lines)
	}
	if k := j.run.count(said); k != n {
		j.add(Finding{Code: finding.LastRoundsWrong, Event: i, Expected: n, Observed: k}, lines)
	}
}

// charged judges whether a session was over when the next was charged: its time,
// and the last hands after it.
func (j *judge) charged(i int, e *Event) {
	before := j.last.charged
	t := e.T
	j.last.charged = &t
	rule := j.rules.Charge
	if rule == nil || rule.Family != j.family() || before == nil {
		return
	}
	length := rule.Seconds
	if length == 0 {
		if j.rec.Options.CircleS == nil {
			return
		}
		length = *j.rec.Options.CircleS
	}
	if d := t - *before; d < length {
		j.add(Finding{Code: finding.SessionChargedEarly, Event: i, What: "time", Expected: length, Observed: d}, rule.Lines)
		return
	}
	hands := int64(0)
	for _, p := range j.run.rounds {
		if p.t >= *before+length && !p.void {
			hands++
		}
	}
	if hands < int64(rule.Hands) {
		j.add(Finding{Code: finding.SessionChargedEarly, Event: i, What: "hands", Expected: int64(rule.Hands), Observed: hands}, rule.Lines)
	}
}

// leftOver judges how wheel and shoe are left over night.
func (j *judge) leftOver(i int, e *Event) {
	if j.rules.Cover != nil && e.Cover == "none" {
		if lines, ok := j.rules.Cover.has(j.game); ok {
			j.add(Finding{Code: finding.WheelNotCovered, Event: i}, lines)
		}
	}
	rule, lines := of(j.rules.ShoeLeft, j.game)
	if rule == nil || e.ShoeLeft == "" || slices.Contains(rule.Allow, e.ShoeLeft) {
		return
	}
	if len(rule.Kinds) == 0 || slices.Contains(rule.Kinds, j.talla.kind) {
		j.add(Finding{Code: finding.ShoeNotSecured, Event: i, Observed: e.ShoeLeft}, lines)
	}
}

// meter follows the sum that a progressive or fixed prize shows (section 4.10).
type meter struct {
	last *int64 // in the run
}

func (j *judge) meterEvent(i int, e *Event) {
	if e.Type == Open {
		j.meter = meter{}
	}
	if e.Type != MeterShown {
		return
	}
	if rule, lines := of(j.rules.Meters, j.game); rule != nil {
		m := &e.Meter
		least := rule.Always
		switch {
		case rule.Fixed > 0 && m.Fixed:
			least = rule.Fixed
		case rule.Start > 0 && m.Start:
			least = rule.Start
		}
		if floor := least * m.Coin; e.Amount < floor {
			j.add(Finding{Code: finding.MeterStartLow, Event: i, Expected: floor, Observed: e.Amount}, lines)
		}
		if rule.Share > 0 && m.Coins != nil && j.meter.last != nil {
			// exact, rounded half up
			if due := *j.meter.last + (rule.Share**m.Coins*2+10000)/20000 - m.Prizes; due != e.Amount {
				j.add(amounts(Finding{Code: finding.MeterWrong, Event: i}, due, e.Amount), lines)
			}
		}
	}
	if j.run != nil {
		amount := e.Amount
		j.meter.last = &amount
	}
}
