package sim

import (
	"image"
	"math"

	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// flight is how long thrown dice tumble before they rest, seconds.
const flight = script.Flight

// diceRest is where a die of a throw comes to rest: in the dice zone, wherever
// chance has it, but not on its neighbour.
func (d *director) diceRest(a *script.Act, i int) [2]float64 {
	z := d.stage.zone("dice")
	x0, y0, x1, y1 := box(z.Polygon)
	h := hash(a.Tag, 0)
	x := x0 + 120 + (x1-x0-320)*h
	y := y0 + 45 + (y1-y0-90)*hash(a.Tag, 1)
	if i == len(a.Dice)-1 && a.Irregular == "stacked" {
		i--
	}
	if i > 0 {
		x += 45 + 60*hash(a.Tag, 2)
		y = y0 + 45 + (y1-y0-90)*hash(a.Tag, 3)
	}
	if i > 1 { // a third lies on the other side
		x -= 2 * (45 + 60*hash(a.Tag, 2))
		y = y0 + 45 + (y1-y0-90)*hash(a.Tag, 6)
	}
	return [2]float64{x, y}
}

// dieAtRest draws a die as it came to lie: the last one of a bad throw leans on
// the wall or stands on the one before it.
func (d *director) dieAtRest(a *script.Act, i, face int, at [2]float64) *scene.Sprite {
	turn := diceTurn(a, i)
	if i > 0 && i == len(a.Dice)-1 {
		switch a.Irregular {
		case "cocked":
			return d.scene.Lean(face, at[0], at[1], turn, 0, math.Pi/7, 2*math.Pi*hash(a.Tag, 7), dieEdge)
		case "stacked":
			return d.scene.Lean(face, at[0], at[1], turn, dieEdge, 0, 0, dieEdge)
		}
	}
	return d.scene.Die(face, at[0], at[1], turn, dieEdge)
}

func diceTurn(a *script.Act, i int) float64 { return 2 * math.Pi * hash(a.Tag+i, 4) }

// hash is a fixed number from 0 to 1 for a tag and a purpose.
func hash(tag, purpose int) float64 {
	h := uint64(tag)*0x9e3779b97f4a7c15 + uint64(purpose)*0xbf58476d1ce4e5b9
	h ^= h >> 31
	h *= 0x94d049bb133111eb
	h ^= h >> 29
	return float64(h>>11) / (1 << 53)
}

// drawThrow shows dice in the air and rolling, from the hand to their rest.
func (d *director) drawThrow(now float64) {
	for i := d.next; i < len(d.round.Acts); i++ {
		a := &d.round.Acts[i]
		if a.At-now > flight+script.Apart {
			return
		}
		for k, face := range a.Dice {
			switch left := landing(a, k) - now; {
			case left <= 0:
				d.scene.Carry(d.dieAtRest(a, k, face, d.diceRest(a, k)), image.Point{})
			case left <= flight:
				d.drawFlying(a, k, 1-left/flight)
			}
		}
	}
}

// landing is when a die of a throw comes to rest.
func landing(a *script.Act, i int) float64 {
	if a.Irregular == "not_thrown_together" && i < len(a.Dice)-1 {
		return a.At - script.Apart
	}
	return a.At
}

// drawFlying shows one die at a share k of its flight.
func (d *director) drawFlying(a *script.Act, i int, k float64) {
	ease := 1 - (1-k)*(1-k)
	from := [2]float64{d.stage.seatX(int(a.Who)) + 30*float64(i), d.stage.near() - 160}
	at := between(from, d.diceRest(a, i), ease)
	hop := math.Abs(math.Sin(k*3*math.Pi)) * 70 * (1 - k)
	axis := [3]float64{9 * (1 - ease) * (1 + hash(a.Tag+i, 5)), 7 * (1 - ease), 5 * (1 - ease)}
	d.scene.Carry(d.scene.Tumble(axis, at[0], at[1], hop, dieEdge), image.Point{})
}
