package session

import (
	"strconv"
	"strings"

	"vision/validate/finding"
	"vision/validate/round"
)

// limitChanges follows the changes of the minimum (section 4.1).
type limitChanges struct {
	made      int64 // in games that the clause is printed for
	since     int   // event of the run's opening or of its last change
	said      int   // first announcement since, -1
	waits     bool  // the first round at the new minimum has not been played
	called    bool  // and has been called
	waitLines string
	turned    bool // a cloth was turned since the last opening
}

func (j *judge) limitEvent(i int, e *Event) {
	c := &j.change
	switch e.Type {
	case Open:
		j.reopened(i)
		*c = limitChanges{made: c.made, since: i, said: -1}
	case GameChange:
		c.turned = true
	case ChangeAnnounced:
		if j.run != nil && c.said < 0 {
			c.said = i
		}
	case FirstRound:
		c.called = true
	case LimitsChanged:
		if j.run != nil && j.limits != nil && e.Limits.Min != j.limits.Min {
			j.changed(i, e)
		}
	case Round:
		j.firstRound(i)
	}
}

// changed judges a change of the minimum while the table is open.
func (j *judge) changed(i int, e *Event) {
	c := &j.change
	rule, lines := of(j.rules.LimitChange, j.game)
	if rule != nil {
		if !rule.Told {
			c.made++
		}
		if j.direction(i, rule, lines, j.limits.Min, e.Limits.Min) {
			j.announced(i, rule, lines, e.Limits.Min)
			if rule.FirstRound {
				c.waits, c.waitLines = true, lines
				c.called = j.calledSinceRound(i)
			}
			j.run.pending = j.run.pending || rule.Float
		}
	}
	c.since, c.said = i, -1
}

// direction judges whether, which way and how often the minimum may change (steps
// 1 to 3). It reports whether the change may be made at all.
func (j *judge) direction(i int, rule *LimitChange, lines string, from, to int64) bool {
	if rule.Direction == Never || rule.Direction == Up && to < from {
		j.add(Finding{Code: finding.LimitChangeNotAllowed, Event: i, Expected: from, Observed: to}, lines)
	}
	if n := j.rec.Carry.LimitChanges + j.change.made; rule.Once && n > 1 {
		j.add(Finding{Code: finding.LimitChangeRepeated, Event: i, Expected: int64(1), Observed: n}, lines)
	}
	return rule.Direction != Never
}

// announced judges what was told before the change (steps 4 and 5).
func (j *judge) announced(i int, rule *LimitChange, lines string, to int64) {
	said := j.change.said
	if said < 0 {
		j.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "limits_change"}, lines)
		return
	}
	a := &j.rec.Events[said]
	if n := int64(rule.Last); n > 0 && a.Last != n {
		j.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "last", Expected: n, Observed: a.Last}, lines)
	}
	if a.Min != nil && *a.Min != to {
		j.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "min", Expected: to, Observed: *a.Min}, lines)
	}
	if k := j.run.count(said); k < int64(rule.Last) {
		j.add(Finding{Code: finding.LimitChangeEarly, Event: i, Expected: int64(rule.Last), Observed: k}, lines)
	}
}

// calledSinceRound reports whether the first round at a new minimum was called
// between the run's last round, or its opening, and an event.
func (j *judge) calledSinceRound(i int) bool {
	from := j.run.from
	if n := len(j.run.rounds); n > 0 {
		from = j.run.rounds[n-1].event
	}
	for k := from; k < i; k++ {
		if j.rec.Events[k].Type == FirstRound {
			return true
		}
	}
	return false
}

// firstRound judges the call before the first round at a new minimum (step 6).
func (j *judge) firstRound(i int) {
	c := &j.change
	if j.run == nil || !c.waits {
		return
	}
	if !c.called {
		j.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "first_round"}, c.waitLines)
	}
	c.waits = false
}

// reopened judges an opening at another minimum than the last run ended with.
func (j *judge) reopened(i int) {
	rule, lines := of(j.rules.LimitChange, j.game)
	n := len(j.runs) - 2 // the last one is this
	if rule == nil || !rule.Reopening || j.change.turned || n < 0 || j.limits == nil {
		return
	}
	if before := j.runs[n].limits; before != nil && before.Min != j.limits.Min {
		j.change.made++
		j.direction(i, rule, lines, before.Min, j.limits.Min)
	}
}

// ratioEvent judges maxima, minima and signs (section 4.2).
func (j *judge) ratioEvent(i int, e *Event) {
	switch e.Type {
	case Open, LimitsChanged:
		if e.Limits != nil {
			j.ratio(i, e.Limits)
			j.minimum(i, e.Limits)
		}
	case LimitsShown:
		j.sign(i, e)
	}
}

func (j *judge) ratio(i int, l *Limits) {
	rule, lines := of(j.rules.Ratio, j.game)
	if rule == nil || l.Max == nil || j.rec.Options.MaxAuthorised {
		return
	}
	base := l.Min
	o := &j.rec.Options
	switch {
	case rule.Base == OfAuthorised && o.AuthorisedMin != nil:
		base = *o.AuthorisedMin
	case rule.Base == OfBand && o.BandMin != nil:
		base = *o.BandMin
	}
	if !rule.allows(base, *l.Max) {
		j.add(Finding{Code: finding.LimitRatioWrong, Event: i, Expected: rule.text(), Observed: *l.Max}, lines)
	}
}

func (r *Ratio) allows(base, most int64) bool {
	if len(r.Band) == 2 {
		return r.Band[0]*base <= most && most <= r.Band[1]*base
	}
	for _, n := range r.Times {
		if n*base == most {
			return true
		}
	}
	return false
}

// text is the factors as a finding states them: "10|20|30" or "40-100".
func (r *Ratio) text() string {
	list, between := r.Times, "|"
	if len(r.Band) == 2 {
		list, between = r.Band, "-"
	}
	var words []string
	for _, n := range list {
		words = append(words, strconv.FormatInt(n, 10))
	}
	return strings.Join(words, between)
}

func (j *judge) minimum(i int, l *Limits) {
	rule, lines := of(j.rules.Minimum, j.game)
	authorised := j.rec.Options.AuthorisedMin
	if rule == nil || authorised == nil {
		return
	}
	if a := *authorised; rule.Twice && l.Min != a && l.Min != 2*a || !rule.Twice && l.Min < a {
		j.add(Finding{Code: finding.LimitMinWrong, Event: i, Expected: a, Observed: l.Min}, lines)
	}
}

// sign judges what the sign at the table says against the minimum in force, or,
// where the house tells it, the authorised one.
func (j *judge) sign(i int, e *Event) {
	if j.rules.Sign == nil || j.run == nil || j.limits == nil {
		return
	}
	lines, ok := j.rules.Sign.has(j.game)
	authorised := j.rec.Options.AuthorisedMin
	switch {
	case !ok:
	case e.Min == nil:
		j.add(Finding{Code: finding.LimitSignWrong, Event: i, Expected: j.limits.Min, Observed: round.Null}, lines)
	case authorised != nil && *e.Min != *authorised && *e.Min != j.limits.Min:
		j.add(Finding{Code: finding.LimitSignWrong, Event: i, Expected: j.limits.Min, Observed: *e.Min}, lines)
	}
}
