package fit

import (
	"math"
	"slices"

	"vision/internal/fact"
	"vision/recognize/fusion"
)

// Reading is what one look says of a thing at a place of the table, millimetres.
type Reading struct {
	At    fact.Point
	named map[string]float64
	top   string
}

// named is what a look says.
func named(labelled map[string]float64, _ int) map[string]float64 { return labelled }

// Readings are those of a look at one zone, by kind: "cards", "dice" and "stacks". Of stacks those that were read anew.
func Readings(o fact.Observation) map[string][]Reading {
	out := map[string][]Reading{}
	for _, c := range o.Cards {
		label, _ := fact.Best(c.Guesses)
		out["cards"] = append(out["cards"], Reading{c.At, named(fusion.Cards.Evidence(c)), label})
	}
	for _, d := range o.Dice {
		label, _ := fact.Best(d.Guesses)
		out["dice"] = append(out["dice"], Reading{d.At, named(fusion.Dice.Evidence(d)), label + "\n" + d.Irregular})
	}
	for _, s := range o.Chips {
		if labelled := named(fusion.Stacks.Evidence(s)); labelled != nil {
			out["stacks"] = append(out["stacks"], Reading{s.At, labelled, fusion.ContentOf(s.Chips)})
		}
	}
	return out
}

// Odds are the log odds that each look at a zone gives to what the first says of each thing, by kind: the groups of
// Correlation.
func Odds(looks []fact.Observation) map[string][][]float64 {
	const same, surest = 8.0, 0.999 // millimetres
	out := map[string][][]float64{}
	for kind, first := range Readings(looks[0]) {
		for _, r := range first {
			var odds []float64
			for _, o := range looks {
				again := Readings(o)[kind]
				i := slices.IndexFunc(again, func(a Reading) bool {
					return math.Hypot(a.At[0]-r.At[0], a.At[1]-r.At[1]) < same
				})
				if i >= 0 && r.top != "" {
					p := min(max(again[i].named[r.top], 1-surest), surest)
					odds = append(odds, math.Log(p/(1-p)))
				}
			}
			if len(odds) > 1 {
				out[kind] = append(out[kind], odds)
			}
		}
	}
	return out
}
