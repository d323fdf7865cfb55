package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// doubtPaper abstains from faces of another tint than most.
func doubtPaper(img gocv.Mat, cards []fact.Card) {
	b := bitmapOf(img)
	var at []int
	var tints [][2]float64
	for i := range cards {
		if cards[i].Abstain != "" || acceptedBack(&cards[i]) {
			continue
		}
		if t, ok := b.tint(cards[i].Quad); ok {
			at, tints = append(at, i), append(tints, t)
		}
	}
	if len(at) < paperFew {
		return
	}
	usual := [2]float64{}
	for k := range usual {
		usual[k] = median(tints, func(t [2]float64) float64 { return t[k] })
	}
	off := func(t [2]float64) float64 { return max(math.Abs(t[0]-usual[0]), math.Abs(t[1]-usual[1])) }
	apart := median(tints, off)
	for n, i := range at {
		if off(tints[n]) > max(paperTint, paperLamp*apart) {
			cards[i].Abstain = "unsure"
		}
	}
}

func median(tints [][2]float64, of func([2]float64) float64) float64 {
	var all []float64
	for _, t := range tints {
		all = append(all, of(t))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// tint is that of the paper round the index at the card's top left: blue and green
// over red, logarithms. False where the paper is burnt out or lies outside.
func (m *bitmap) tint(q fact.Quad) ([2]float64, bool) {
	const grid = 12
	var found [][3]float64 // of the palest half
	for y := range grid {
		for x := range grid {
			across, down := paperAcross, paperDown
			u, v := across[0]+across[1]*float64(x)/grid, down[0]+down[1]*float64(y)/grid
			if i, ok := m.at(lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)); ok {
				found = append(found, [3]float64{float64(m.px[i]), float64(m.px[i+1]), float64(m.px[i+2])})
			}
		}
	}
	if len(found) < grid*grid/2 {
		return [2]float64{}, false
	}
	slices.SortFunc(found, func(a, b [3]float64) int { return int(min(b[0], b[1], b[2]) - min(a[0], a[1], a[2])) })
	found = found[:len(found)/2]
	var mid [3]float64
	for k := range mid {
		slices.SortFunc(found, func(a, b [3]float64) int { return int(a[k] - b[k]) })
		mid[k] = max(1, found[len(found)/2][k])
	}
	return [2]float64{math.Log(mid[0] / mid[2]), math.Log(mid[1] / mid[2])}, min(mid[0], mid[1], mid[2]) < paperBurnt
}
