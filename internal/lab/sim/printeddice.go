package sim

import (
	"strconv"

	"vision/calibration/layout"
)

// dieDots are the places of a die face's dots, in halves of the distance of the outer ones.
var dieDots = [7][][2]float64{
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {1, 1}, {0, 0}},
	4: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}},
	5: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {0, 0}},
	6: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, 0}, {1, 0}},
}

// dieFace prints the outline of a die's face and its dots.
func (i *ink) dieFace(x, y, edge float64, value int, c [3]float64) {
	i.frame(x-edge/2, y-edge/2, x+edge/2, y+edge/2, edge/8, 1.5*edge/40, c)
	i.dots(x, y, edge, value, c)
}

func (i *ink) dots(x, y, edge float64, value int, c [3]float64) {
	i.paint(c)
	for _, d := range dieDots[value] {
		i.DrawCircle(x+d[0]*edge/4, y+d[1]*edge/4, 0.075*edge)
	}
	i.Fill()
}

// dieFaces prints flat faces of dice in a row about x, y.
func (i *ink) dieFaces(values []int, x, y, edge float64) {
	n := float64(len(values))
	for k, value := range values {
		at := x + 1.2*edge*(float64(k)-(n-1)/2)
		if !i.solid {
			i.dieFace(at, y, edge, value, cream)
			continue
		}
		i.paint(cream)
		i.DrawRoundedRectangle(at-edge/2, y-edge/2, edge, edge, edge/7)
		i.Fill()
		dot := coal
		if value == 1 || value == 4 {
			dot = crimson // as the dice of sic bo have it
		}
		i.dots(at, y, edge, value, dot)
	}
	i.taken = append(i.taken, layout.Rect{x - 0.6*edge*n, y - edge/2, x + 0.6*edge*n, y + edge/2})
}

// die is a row of faces of dice.
func (p *printer) die(values []int, edge float64) *motif {
	return &motif{
		"die",
		about(1.2*edge*float64(len(values)), edge),
		p.worn(func(x, y float64) { p.dieFaces(values, x, y, edge) }),
	}
}

// named are the faces of dice that a field's text names, as "doble:2".
func named(c layout.Cell) []int { return diceNames[c.Text] }

var diceNames = func() map[string][]int {
	out := map[string][]int{"ases": {1, 1, 1}}
	for a := 1; a <= 6; a++ {
		s := strconv.Itoa(a)
		out["unica:"+s], out["doble:"+s], out["triple:"+s] = []int{a}, []int{a, a}, []int{a, a, a}
		for b := a + 1; b <= 6; b++ {
			out["combinacion:"+s+"-"+strconv.Itoa(b)] = []int{a, b}
		}
	}
	return out
}()
