// Package bootstrap draws samples again to tell how far a figure of them varies. What was read in
// one picture is not independent, so whole pictures are drawn.
package bootstrap

import (
	"math/rand/v2"
	"slices"
)

// Draw calls each so often with the samples of as many pictures as there are, drawn with
// replacement. What each gets is valid until the next call.
func Draw[T any](samples []T, picture func(*T) string, draws int, rng *rand.Rand, each func(again []T)) {
	groups, at := [][]T{}, map[string]int{}
	for i := range samples {
		name := picture(&samples[i])
		k, ok := at[name]
		if !ok {
			k = len(groups)
			at[name], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], samples[i])
	}
	var again []T
	for range draws {
		again = again[:0]
		for range groups {
			again = append(again, groups[rng.IntN(len(groups))]...)
		}
		each(again)
	}
}

// Interval holds 95 % of the drawn figures, which it sorts.
func Interval(drawn []float64) [2]float64 {
	slices.Sort(drawn)
	return [2]float64{drawn[len(drawn)*25/1000], drawn[len(drawn)*975/1000]}
}
