package rack

import "math"

// cells is into how many each channel of a colour is parted.
const cells = 12

// colours is how often each colour, coarsely, has shown on chips of a tube, or on the tube without chips: shares
// that add up to 1.
type colours [cells * cells * cells]float32

// cell is that of a colour.
func cell(c []float32) (at int) {
	for _, v := range c[:3] {
		at = cells*at + max(0, min(cells-1, int(v*cells/256)))
	}
	return at
}

// take blends in what some bins of a strip show; nothing where there are none.
func (c *colours) take(s strip, from, to int, rate float32) {
	if from >= to {
		return
	}
	var n colours
	each := 1 / float32((to-from)*angles)
	for i := 3 * angles * from; i < 3*angles*to; i += 3 {
		n[cell(s[i:])] += each
	}
	for step := 1; step < len(n); step *= cells { // a colour varies into the cells beside its own
		smooth := n
		for i := range n {
			low, high := i, i
			if at := i / step % cells; at > 0 {
				low = i - step
			}
			if at := i / step % cells; at < cells-1 {
				high = i + step
			}
			smooth[i] = (n[low] + 2*n[i] + n[high]) / 4
		}
		n = smooth
	}
	for i, v := range n {
		c[i] += rate * (v - c[i])
	}
}

// colourEvidence is the log likelihood, by bin, that a strip shows chips there, by their colours, and no empty tube.
// Colours that neither has shown are no evidence.
func (t *tube) colourEvidence(s strip) []float32 {
	out := make([]float32, t.bins)
	for j := range out {
		sum := 0.0
		for i := 3 * angles * j; i < 3*angles*(j+1); i += 3 {
			k := cell(s[i:])
			sum += math.Log((float64(t.own[k]) + unforeseen) / (float64(t.background[k]) + unforeseen))
		}
		out[j] = max(-float32(mostOfBin), min(t.weigh*float32(sum/float64(angles)), float32(mostOfBin)))
	}
	return out
}
