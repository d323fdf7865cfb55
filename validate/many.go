package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"vision/validate/round"
	"vision/validate/rulebook"
)

// Weighted is one reading of a round with its probability.
type Weighted struct {
	Record *round.Record
	P      float64
}

// FindingP is a finding with the probability that it holds.
type FindingP struct {
	round.Finding
	P float64 `json:"p"`
}

// ErrNoReading is that not one of the readings could be judged.
var ErrNoReading = errors.New("no reading of the round can be judged")

// CheckMany judges a round of which a few readings are possible. A finding has
// the sum of the probabilities of the readings in which it holds, over that of
// all readings that can be judged: a reading that is no round (a malformed
// record) is ruled out. Two findings are the same when code, seat, spot, zone,
// event, expected and observed are. They are sorted most likely first, then as
// in a verdict.
func CheckMany(books *rulebook.Books, readings []Weighted) ([]FindingP, error) {
	var total float64
	sums := map[string]*FindingP{}
	var failed error
	for _, r := range readings {
		v, err := Check(books, r.Record)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		total += r.P
		seen := map[string]bool{}
		for _, f := range v.Findings {
			id := identity(&f)
			if seen[id] {
				continue // the same thing twice in one reading is one thing
			}
			seen[id] = true
			if sums[id] == nil {
				sums[id] = &FindingP{Finding: f}
			}
			sums[id].P += r.P
		}
	}
	if total <= 0 {
		return nil, errors.Join(ErrNoReading, failed)
	}
	out := make([]FindingP, 0, len(sums))
	for _, f := range sums {
		f.P /= total
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b FindingP) int {
		return cmp.Or(cmp.Compare(b.P, a.P), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Code, b.Code),
			cmp.Compare(identity(&a.Finding), identity(&b.Finding)))
	})
	return out, nil
}

// identity tells findings apart.
func identity(f *round.Finding) string {
	return fmt.Sprintf("%s|%d|%s|%s|%d|%v|%v", f.Code, f.Seat, f.Spot, f.Zone, f.Event, f.Expected, f.Observed)
}
