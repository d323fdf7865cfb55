package stack

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
	"vision/recognize/network"
)

// belief is the posterior of a stack: how likely each number of chips is, and of each chip from the upper one down the
// log likelihoods of the kinds, if there are so many.
type belief struct {
	real  float64       // probability that a face is there
	count [Most]float64 // probabilities
	kinds func(n int) [][]float64
	edges func(n int) (rim, foot float64) // rows at which they are expected, if there are so many
}

// most is the likeliest number of chips.
func (b *belief) most() int { return 1 + slices.Index(b.count[:], slices.Max(b.count[:])) }

// content is a stack from the upper chip down, with its probability among all.
type content struct {
	kinds  []int
	p      float64 // of the number and the kinds
	kindsP float64 // of the kinds, if the number is right
}

// likeliest are contents of a belief, the likeliest of each number, most likely first.
func (b *belief) likeliest() []content {
	var out []content
	for n := 1; n <= Most; n++ {
		if b.count[n-1] < par.negligible {
			continue
		}
		kinds, p := path(b.kinds(n), math.Log(par.foreign))
		out = append(out, content{kinds, b.real * b.count[n-1] * p, p})
	}
	slices.SortFunc(out, func(a, b content) int { return cmp.Compare(b.p, a.p) })
	return out
}

// interval are the fewest numbers on end, n among them, that hold a share of the belief.
func (b *belief) interval(n int, share float64) (low, high int) {
	low, high = 1, Most
	for from := 1; from <= n; from++ {
		sum := 0.0
		for to := from; to <= Most && to-from < high-low; to++ {
			if sum += b.count[to-1]; to >= n && sum >= share {
				low, high = from, to
				break
			}
		}
	}
	return low, high
}

// path is the likeliest sequence of kinds, and its probability among all. Most stacks are of one kind; in the others a
// chip mostly lies on its like. Last are the log odds of the last kind, wherever a run of it begins.
func path(layers [][]float64, last float64) ([]int, float64) {
	k := len(layers[0])
	stay, turn := math.Log(1-par.turn), math.Inf(-1)
	if k > 1 {
		turn = math.Log(par.turn / float64(k-1))
	} else {
		stay = 0
	}
	prior := make([]float64, k)
	prior[k-1] = last
	best, all := slices.Clone(layers[0]), slices.Clone(layers[0])
	best[k-1], all[k-1] = best[k-1]+last, all[k-1]+last
	from := make([][]int, len(layers))
	for l := 1; l < len(layers); l++ {
		from[l] = make([]int, k)
		next, sum := make([]float64, k), make([]float64, k)
		for j := range k {
			next[j] = math.Inf(-1)
			ways := make([]float64, k)
			for i := range k {
				step := turn + prior[j]
				if i == j {
					step = stay
				}
				if v := best[i] + step; v > next[j] {
					next[j], from[l][j] = v, i
				}
				ways[i] = all[i] + step
			}
			next[j] += layers[l][j]
			sum[j] = logSum(ways) + layers[l][j]
		}
		best, all = next, sum
	}
	pure, mixed := math.Log(par.pure), math.Log(1-par.pure)
	whole, alone := make([]float64, k), make([]float64, k) // of one kind; the same contents, of whichever sort of stack
	for j := range k {
		whole[j] = prior[j]
		for _, l := range layers {
			whole[j] += l[j]
		}
		alone[j] = whole[j] + logSum([]float64{pure, mixed + float64(len(layers)-1)*stay})
	}
	at, one := largest(best), largest(alone)
	total := logSum([]float64{pure + logSum(whole), mixed + logSum(all)})
	if p := mixed + best[at]; p <= alone[one] {
		return slices.Repeat([]int{one}, len(layers)), math.Exp(alone[one] - total)
	}
	p := math.Exp(mixed + best[at] - total)
	kinds := make([]int, len(layers))
	for l := len(layers) - 1; l >= 0; l-- {
		kinds[l] = at
		if l > 0 {
			at = from[l][at]
		}
	}
	return kinds, p
}

// largest is the index of the largest value.
func largest(v []float64) int { return slices.Index(v, slices.Max(v)) }

func logSum(v []float64) float64 {
	most := slices.Max(v)
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum)
}

// softmax are the probabilities of logits.
func softmax(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return network.Softmax(out)
}

// thousandths rounds a probability as it is reported.
func thousandths(v float64) float64 { return math.Round(1000*v) / 1000 }

// named is a content by palette ids from the felt upwards; nil where a chip is of none of its kinds.
func (c content) named(ids []string) []string {
	if slices.Contains(c.kinds, len(ids)) {
		return nil
	}
	var out []string
	for _, k := range slices.Backward(c.kinds) {
		out = append(out, ids[k])
	}
	return out
}

// reading is the likeliest content as a fact; false where nothing is likely.
func (b *belief) reading(ids []string, hidden bool) (fact.Stack, bool) {
	all := b.likeliest()
	if len(all) == 0 {
		return fact.Stack{}, false
	}
	best := all[0]
	out := fact.Stack{P: thousandths(best.p)}
	out.Weighed.Chips = best.named(ids)
	for _, c := range all {
		out.Weighed.P = append(out.Weighed.P, c.p)
	}
	for _, c := range all[1:] {
		if c.p >= par.other && c.named(ids) != nil {
			out.Others = append(out.Others, fact.Content{Chips: c.named(ids), P: thousandths(c.p)})
		}
	}
	out.Low, out.High = len(best.kinds), len(best.kinds)
	if best.p < par.accept || out.Weighed.Chips == nil {
		out.Abstain = "unsure"
		if hidden {
			out.Abstain = "occluded"
		}
		out.Low, out.High = b.interval(len(best.kinds), par.interval)
		if best.kindsP < par.accept || out.Weighed.Chips == nil {
			return out, true
		}
	}
	out.Chips = slices.Clone(out.Weighed.Chips)
	return out, true
}
