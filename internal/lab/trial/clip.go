package trial

import (
	"slices"
	"time"

	"vision/internal/lab/eval"
	"vision/internal/lab/sim/script"
	"vision/validate"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Film compares what a tracker said of a film of one whole round with the record and the
// findings that are expected; without findings those that the rules find in the record.
func Film(
	books *rulebook.Books,
	rec round.Record,
	want []script.Finding,
	said []track.Out,
) (Round, eval.FindingCounts, error) {
	if want == nil {
		v, err := validate.Check(books, &rec)
		if err != nil {
			return Round{}, eval.FindingCounts{}, err
		}
		for _, f := range v.Findings {
			want = append(want, script.Finding{Code: f.Code, Seat: f.Seat, Spot: f.Spot, Zone: f.Zone, Expected: f.Expected,
				Observed: f.Observed})
		}
	}
	// All that is told is told of this round.
	truths := []truth{{to: time.Unix(1<<40, 0)}}
	truths[0].Record = rec
	r := &Result{Game: rec.Game, Rounds: []Round{{Played: lines(rec.Events)}}}
	ids := map[string]int{}
	for _, o := range said {
		if o, ok := o.(*track.Round); ok {
			r.told(o, o.End, truths, ids)
		}
	}
	for _, o := range said {
		if a, ok := o.(*track.Alert); ok && a.State == track.Raised {
			r.alerted(a, false, a.At, truths, ids)
		}
	}
	one := r.Rounds[0]
	c := one.count(want)
	c.False += len(r.Stray)
	if one.Exact {
		one.Played, one.Record = nil, nil
	}
	return one, c, nil
}

// count counts what came of the findings that are expected, each met once.
func (r Round) count(want []script.Finding) eval.FindingCounts {
	c := eval.FindingCounts{Wanted: len(want)}
	got, notes := slices.Clone(r.Got), slices.Clone(r.Notes)
	take := func(list *[]Finding, w script.Finding) bool {
		i := slices.IndexFunc(*list, func(f Finding) bool { return claims(w, f) })
		if i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
		return i >= 0
	}
	for _, w := range want {
		switch {
		case take(&got, w):
			c.Found++
		case take(&notes, w):
			c.Noted++
		default:
			c.Missed++
		}
	}
	c.False = len(got)
	return c
}
