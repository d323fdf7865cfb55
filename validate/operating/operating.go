// Package operating owns the measured operating curve of the tracker and the rates of mistakes: how many
// false alerts and how many found mistakes there are at each strength of evidence, how often tables err, and
// the threshold that follows from a budget of false alerts.
package operating

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"vision/validate/finding"
)

// Shift is for how long a budget of false alerts is, in rounds of a table: eight hours, a round a minute.
const Shift = 480

// StandardBudget is the budget of a house that has chosen none: false alerts per table and shift.
const StandardBudget = 1.0

// Class is how findings of one class were measured.
type Class struct {
	Wanted int    `json:"wanted"` // mistakes that were made
	Steps  []Step `json:"steps"`  // by falling evidence
}

// Step is what was measured from a strength of evidence on.
type Step struct {
	Evidence float64 `json:"evidence"`
	Found    int     `json:"found"` // mistakes
	False    int     `json:"false"` // clean rounds with a finding of the class
}

// Curve is an operating curve as it was measured.
type Curve struct {
	Rounds  int                     `json:"rounds"` // clean ones
	Seeds   string                  `json:"seeds"`
	Classes map[finding.Class]Class `json:"classes"`
}

//go:embed curve.json
var file []byte

// Measured is the curve of the tracker as it is built.
var Measured = sync.OnceValue(func() *Curve {
	c, err := Read(file)
	if err != nil {
		panic(fmt.Sprint("operating: ", err)) // built in, and held by a test
	}
	return c
})

// Read reads a curve and checks it.
func Read(data []byte) (*Curve, error) {
	var c Curve
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("operating curve: %w", err)
	}
	if c.Rounds <= 0 {
		return nil, fmt.Errorf("operating curve: %d clean rounds", c.Rounds)
	}
	for name, k := range c.Classes {
		falls := func(a, before Step) int {
			if a.Evidence >= before.Evidence || a.Found < before.Found || a.False < before.False {
				return -1
			}
			return 1
		}
		if !slices.Contains(finding.Classes, name) || !slices.IsSortedFunc(k.Steps, falls) {
			return nil, fmt.Errorf("operating curve: class %q: want steps by falling evidence, with no fewer found or false", name)
		}
	}
	return &c, nil
}

// Point is where on the curve a house works.
type Point struct {
	Threshold float64                   // probability from which a finding is an alert
	Found     float64                   // share of the mistakes that are alerts then
	False     float64                   // false alerts per 1,000 clean rounds then
	By        map[finding.Class]float64 // the share that is found, by class
}

// At is the point at which a table that errs by rates stays within a budget of false alerts per table and shift.
func (c *Curve) At(rates Rates, budget float64) Point {
	p := Point{Threshold: 1}
	for _, threshold := range c.thresholds(rates) {
		next := c.point(rates, threshold)
		if next.False > 1000*budget/Shift {
			break
		}
		p = next
	}
	return p
}

// thresholds are all at which something changes, falling.
func (c *Curve) thresholds(rates Rates) (all []float64) {
	for name, k := range c.Classes {
		for _, s := range k.Steps {
			odds := math.Pow(10, s.Evidence) * rates.Odds(name)
			all = append(all, odds/(1+odds))
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all)
}

// point is what comes of a threshold. False alerts of several classes in one round count as several.
func (c *Curve) point(rates Rates, threshold float64) Point {
	p := Point{Threshold: threshold, By: map[finding.Class]float64{}}
	mistakes := 0.0
	for _, name := range finding.Classes {
		k := c.Classes[name]
		mistakes += rates[name]
		var at Step
		for _, s := range k.Steps {
			if odds := math.Pow(10, s.Evidence) * rates.Odds(name); odds/(1+odds) < threshold {
				break
			}
			at = s
		}
		p.False += 1000 * float64(at.False) / float64(c.Rounds)
		p.By[name] = float64(at.Found) / float64(max(1, k.Wanted))
		p.Found += rates[name] * p.By[name]
	}
	p.Found /= mistakes
	return p
}

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
