package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/validate/finding"
	"vision/validate/round"
)

// limitChanges follows the changes of the minimum (section 4.1).
type limitChanges struct {
	made      int64 // in games that the clause is printed for
	said      int   // first announcement since the run's opening or its last change, -1
	waits     bool  // the first round at the new minimum has not been played
	called    bool  // and has been called
	waitLines string
	turned    bool // a cloth was turned since the last opening
}

func (x *examination) limitEvent(i int, e *Event) {
	c := &x.change
	switch e.Type {
	case Open:
		x.reopened(i)
		*c = limitChanges{made: c.made, said: -1}
	case GameChange:
		c.turned = true
	case ChangeAnnounced:
		if x.run != nil && c.said < 0 {
			c.said = i
		}
	case FirstRound:
		c.called = true
	case LimitsChanged:
		if x.run != nil && x.limits != nil && e.Limits.Min != x.limits.Min {
			x.changed(i, e)
		}
	case Round:
		x.firstRound(i)
	}
}

// changed judges a change of the minimum while the table is open.
func (x *examination) changed(i int, e *Event) {
	c := &x.change
	rule, lines := of(x.rules.LimitChange, x.game)
	if rule != nil {
		if !rule.Told {
			c.made++
		}
		if x.direction(i, rule, lines, x.limits.Min, e.Limits.Min) {
			x.announced(i, rule, lines, e.Limits.Min)
			if rule.FirstRound {
				c.waits, c.waitLines = true, lines
				c.called = x.calledSinceRound(i)
			}
			x.run.pending = x.run.pending || rule.Float
		}
	}
	c.said = -1
}

// direction judges whether, which way and how often the minimum may change (steps
// 1 to 3). It reports whether the change may be made at all.
func (x *examination) direction(i int, rule *LimitChange, lines string, from, to int64) bool {
	if rule.Direction == Never || rule.Direction == Up && to < from {
		x.add(Finding{Code: finding.LimitChangeNotAllowed, Event: i, Expected: from, Observed: to}, lines)
	}
	if n := x.rec.Carry.LimitChanges + x.change.made; rule.Once && n > 1 {
		x.add(Finding{Code: finding.LimitChangeRepeated, Event: i, Expected: int64(1), Observed: n}, lines)
	}
	return rule.Direction != Never
}

// announced judges what was told before the change (steps 4 and 5).
func (x *examination) announced(i int, rule *LimitChange, lines string, to int64) {
	said := x.change.said
	if said < 0 {
		x.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "limits_change"}, lines)
		return
	}
	a := &x.rec.Events[said]
	if n := int64(rule.Last); n > 0 && a.Last != n {
		x.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "last", Expected: n, Observed: a.Last}, lines)
	}
	if a.Min != nil && *a.Min != to {
		x.add(Finding{Code: finding.AnnouncementWrong, Event: said, What: "min", Expected: to, Observed: *a.Min}, lines)
	}
	if k := x.run.count(said); k < int64(rule.Last) {
		x.add(Finding{Code: finding.LimitChangeEarly, Event: i, Expected: int64(rule.Last), Observed: k}, lines)
	}
}

// calledSinceRound reports whether the first round at a new minimum was called
// between the run's last round, or its opening, and an event.
func (x *examination) calledSinceRound(i int) bool {
	from := x.run.from
	if n := len(x.run.rounds); n > 0 {
		from = x.run.rounds[n-1].event
	}
	for k := from; k < i; k++ {
		if x.rec.Events[k].Type == FirstRound {
			return true
		}
	}
	return false
}

// firstRound judges the call before the first round at a new minimum (step 6).
func (x *examination) firstRound(i int) {
	c := &x.change
	if x.run == nil || !c.waits {
		return
	}
	if !c.called {
		x.add(Finding{Code: finding.AnnouncementMissing, Event: i, Expected: "first_round"}, c.waitLines)
	}
	c.waits = false
}

// reopened judges an opening at another minimum than the last run ended with.
func (x *examination) reopened(i int) {
	rule, lines := of(x.rules.LimitChange, x.game)
	n := len(x.runs) - 2 // the last one is this
	if rule == nil || !rule.Reopening || x.change.turned || n < 0 || x.limits == nil {
		return
	}
	if before := x.runs[n].limits; before != nil && before.Min != x.limits.Min {
		x.change.made++
		x.direction(i, rule, lines, before.Min, x.limits.Min)
	}
}

// ratioEvent judges maxima, minima and signs (section 4.2).
func (x *examination) ratioEvent(i int, e *Event) {
	switch e.Type {
	case Open, LimitsChanged:
		if e.Limits != nil {
			x.ratio(i, e.Limits)
			x.minimum(i, e.Limits)
		}
	case LimitsShown:
		x.sign(i, e)
	}
}

func (x *examination) ratio(i int, l *Limits) {
	rule, lines := of(x.rules.Ratio, x.game)
	if rule == nil || l.Max == nil || x.rec.Options.MaxAuthorised {
		return
	}
	base := l.Min
	o := &x.rec.Options
	switch {
	case rule.Base == OfAuthorised && o.AuthorisedMin != nil:
		base = *o.AuthorisedMin
	case rule.Base == OfBand && o.BandMin != nil:
		base = *o.BandMin
	}
	if !rule.allows(base, *l.Max) {
		x.add(Finding{Code: finding.LimitRatioWrong, Event: i, Expected: rule.text(), Observed: *l.Max}, lines)
	}
}

func (r *Ratio) allows(base, most int64) bool {
	switch {
	case len(r.PerCent) == 2:
		return r.PerCent[0]*most <= 100*base && 100*base <= r.PerCent[1]*most
	case len(r.Band) == 2:
		return r.Band[0]*base <= most && most <= r.Band[1]*base
	}
	return slices.ContainsFunc(r.Times, func(n int64) bool { return n*base == most })
}

// text is the factors as a finding states them: "10|20|30", "40-100" or "2.5-5".
func (r *Ratio) text() string {
	if len(r.PerCent) == 2 {
		return fmt.Sprintf("%g-%g", 100/float64(r.PerCent[1]), 100/float64(r.PerCent[0]))
	}
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

func (x *examination) minimum(i int, l *Limits) {
	rule, lines := of(x.rules.Minimum, x.game)
	authorised := x.rec.Options.AuthorisedMin
	if rule == nil || authorised == nil {
		return
	}
	if a := *authorised; rule.Twice && l.Min != a && l.Min != 2*a || !rule.Twice && l.Min < a {
		x.add(Finding{Code: finding.LimitMinWrong, Event: i, Expected: a, Observed: l.Min}, lines)
	}
}

// sign judges what the sign at the table says against the minimum in force, or,
// where the house tells it, the authorised one.
func (x *examination) sign(i int, e *Event) {
	lines, ok := x.rules.Sign.has(x.game)
	authorised := x.rec.Options.AuthorisedMin
	switch {
	case !ok || x.run == nil || x.limits == nil:
	case e.Min == nil:
		x.add(Finding{Code: finding.LimitSignWrong, Event: i, Expected: x.limits.Min, Observed: round.Null}, lines)
	case authorised != nil && *e.Min != *authorised && *e.Min != x.limits.Min:
		x.add(Finding{Code: finding.LimitSignWrong, Event: i, Expected: x.limits.Min, Observed: *e.Min}, lines)
	}
}

// turning follows the changes of game on a reversible cloth (section 4.3).
type turning struct {
	made    int64
	pending bool   // the next opening is to have a float and a number of its own
	before  *run   // the last run before the change
	rule    string // by which it is judged
}

func (x *examination) turnEvent(i int, e *Event) {
	switch {
	case e.Type == GameChange && e.Game != x.game:
		x.turn.made++
		x.turned(i, e)
	case e.Type == Open && x.turn.pending:
		x.turn.pending = false
		if e.Float == nil {
			x.add(Finding{Code: finding.FloatMissing, Event: i, Rule: x.turn.rule}, "")
		}
		if b := x.turn.before; b != nil && b.cloth != nil && e.Cloth != nil && *b.cloth == *e.Cloth {
			x.add(Finding{Code: finding.ClothNumberRepeated, Event: i, Observed: *e.Cloth, Rule: x.turn.rule}, "")
		}
	}
}

func (x *examination) turned(i int, e *Event) {
	rule := x.rules.Turn
	if rule == nil {
		return
	}
	cite := ""
	if lines, ok := rule.fits(e.Game, e.Variant); ok {
		cite = x.cite(e.Game, lines)
	}
	if lines, ok := rule.fits(x.game, x.variant); ok {
		cite = x.cite(x.game, lines)
	}
	if cite == "" {
		return
	}
	if x.run != nil {
		x.add(Finding{Code: finding.GameChangeWithoutClose, Event: i, Expected: "closed", Observed: "open", Rule: cite}, "")
	}
	if k := x.rec.Carry.GameChanges + x.turn.made; rule.Once && k > 1 {
		x.add(Finding{Code: finding.GameChangeRepeated, Event: i, Expected: int64(1), Observed: k, Rule: cite}, "")
	}
	x.turn.pending, x.turn.rule, x.turn.before = true, cite, nil
	if n := len(x.runs); n > 0 {
		x.turn.before = x.runs[n-1]
	}
}

// fits reports whether a game and variant have the clause, and gives its lines.
func (t *Turn) fits(game, variant string) (string, bool) {
	lines, ok := t.has(game)
	if v := t.Variants[game]; ok && len(v) > 0 {
		ok = slices.Contains(v, variant)
	}
	return lines, ok
}
