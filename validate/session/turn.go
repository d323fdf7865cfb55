package session

import (
	"slices"

	"vision/validate/finding"
)

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
