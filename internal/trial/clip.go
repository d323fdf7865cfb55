package trial

import (
	"slices"
	"time"

	"vision/validate"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Wanted is a finding that is expected: zero fields are not claimed.
type Wanted struct {
	Code     string `json:"code"`
	Seat     int    `json:"seat"`
	Spot     string `json:"spot"`
	Zone     string `json:"zone"`
	Expected any    `json:"expected"`
	Observed any    `json:"observed"`
}

// meets tells whether a finding is the one that is expected.
func (w Wanted) meets(f Finding) bool {
	return w.Code == f.Code && (w.Seat == 0 || w.Seat == f.Seat) && (w.Spot == "" || w.Spot == f.Spot) &&
		(w.Zone == "" || w.Zone == f.Zone) && (w.Expected == nil || text(w.Expected) == f.Expected) &&
		(w.Observed == nil || text(w.Observed) == f.Observed)
}

// Count is what came of the findings of a round.
type Count struct{ Wanted, Found, Noted, Missed, False int }

// Film compares what a tracker said of a film of one whole round with the record and the
// findings that are expected; without findings those that the rules find in the record.
func Film(books *rulebook.Books, rec round.Record, want []Wanted, said []track.Out) (Round, Count, error) {
	if want == nil {
		v, err := validate.Check(books, &rec)
		if err != nil {
			return Round{}, Count{}, err
		}
		for _, f := range v.Findings {
			want = append(want, Wanted{f.Code, f.Seat, f.Spot, f.Zone, f.Expected, f.Observed})
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
func (r Round) count(want []Wanted) Count {
	c := Count{Wanted: len(want)}
	got, notes := slices.Clone(r.Got), slices.Clone(r.Notes)
	take := func(list *[]Finding, w Wanted) bool {
		i := slices.IndexFunc(*list, w.meets)
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
