package operating

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"vision/validate/finding"
)

// Rates are how often tables err: mistakes per 1,000 rounds, by class.
type Rates map[finding.Class]float64

// Usual are the rates of a house that did not state its own.
func Usual() Rates {
	return Rates{finding.ClassMoney: 3, finding.ClassCard: 1, finding.ClassProcedure: 10, finding.ClassCall: 20}
}

// Odds are those of a mistake of a class in a round.
func (r Rates) Odds(c finding.Class) float64 {
	share := r[c] / 1000
	return share / (1 - share)
}

// With are rates of which those of other are put in the place of their own.
func (r Rates) With(other Rates) Rates {
	out := maps.Clone(r)
	maps.Copy(out, other)
	return out
}

// String says them in a line.
func (r Rates) String() string {
	s := ""
	for _, c := range slices.Sorted(maps.Keys(r)) {
		s += fmt.Sprintf("%s %v ", c, r[c])
	}
	return strings.TrimSpace(s)
}

// Weight is how many rounds a stated rate is worth beside those of a house.
const Weight = 2000

// Learned is a rate as a house's own decided alerts correct it, per 1,000 rounds.
type Learned struct {
	Class     finding.Class
	Stated    float64
	Rate      float64
	Low       float64 // of an interval of 95 %
	High      float64
	Confirmed int // alerts
	False     int
}

// Learn corrects stated rates by the confirmed alerts of so many rounds: a gamma prior of Weight rounds, the
// interval by Wilson and Hilferty (1931).
func (r Rates) Learn(rounds int, confirmed, false_ map[finding.Class]int) (all []Learned) {
	for _, c := range finding.Classes {
		shape, scale := r[c]*Weight/1000+float64(confirmed[c]), 1000/float64(Weight+rounds)
		at := func(z float64) float64 {
			cube := 1 - 1/(9*shape) + z/(3*math.Sqrt(shape))
			return shape * math.Pow(max(0, cube), 3) * scale
		}
		all = append(all, Learned{c, r[c], min(shape*scale, 500), at(-1.96), at(1.96), confirmed[c], false_[c]})
	}
	return all
}
