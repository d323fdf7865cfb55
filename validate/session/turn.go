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

func (j *judge) turnEvent(i int, e *Event) {
	switch {
	case e.Type == GameChange && e.Game != j.game:
		j.turn.made++
		j.turned(i, e)
	case e.Type == Open && j.turn.pending:
		j.turn.pending = false
		if e.Float == nil {
			j.add(Finding{Code: finding.FloatMissing, Event: i, Rule: j.turn.rule}, "")
		}
		if b := j.turn.before; b != nil && b.cloth != nil && e.Cloth != nil && *b.cloth == *e.Cloth {
			j.add(Finding{Code: finding.ClothNumberRepeated, Event: i, Observed: *e.Cloth, Rule: j.turn.rule}, "")
		}
	}
}

func (j *judge) turned(i int, e *Event) {
	rule := j.rules.Turn
	if rule == nil {
		return
	}
	cite := ""
	if lines, ok := rule.fits(e.Game, e.Variant); ok {
		cite = j.cite(e.Game, lines)
	}
	if lines, ok := rule.fits(j.game, j.variant); ok {
		cite = j.cite(j.game, lines)
	}
	if cite == "" {
		return
	}
	if j.run != nil {
		j.add(Finding{Code: finding.GameChangeWithoutClose, Event: i, Expected: "closed", Observed: "open", Rule: cite}, "")
	}
	if k := j.rec.Carry.GameChanges + j.turn.made; rule.Once && k > 1 {
		j.add(Finding{Code: finding.GameChangeRepeated, Event: i, Expected: int64(1), Observed: k, Rule: cite}, "")
	}
	j.turn.pending, j.turn.rule, j.turn.before = true, cite, nil
	if n := len(j.runs); n > 0 {
		j.turn.before = j.runs[n-1]
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
