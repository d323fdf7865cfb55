package tracktest

import (
	"fmt"

	"vision/calibration"
	"vision/internal/fact"
)

// Palette are money chips and one colour per seat.
func Palette(seats int) []calibration.Chip {
	p := []calibration.Chip{
		{ID: "e0.5", Value: 50}, {ID: "e1", Value: 100}, {ID: "e2.5", Value: 250}, {ID: "e5", Value: 500},
		{ID: "e25", Value: 2500}, {ID: "e100", Value: 10000}, {ID: "e500", Value: 50000},
	}
	for n := 1; n <= seats; n++ {
		p = append(p, calibration.Chip{ID: fmt.Sprintf("color%d", n), Value: 500, Seat: n})
	}
	return p
}

func box(name string, x, y, w, h float64, reads ...string) calibration.Zone {
	return calibration.Zone{Name: name, Reads: reads, Polygon: []fact.Point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}}
}

// Zones is a table of a game for so many seats: not to scale, but with every
// zone and place that the game's scripts use.
func Zones(game string, seats int) []calibration.Zone {
	var zs []calibration.Zone
	spots := func(names ...string) {
		for seat := 1; seat <= seats; seat++ {
			for i, name := range names {
				z := box(fmt.Sprintf("seat:%d %s", seat, name), float64(seat)*400, 1000+float64(i)*200, 350, 150, "chips")
				z.Seat, z.Spot = seat, name
				zs = append(zs, z)
			}
		}
	}
	switch game {
	case "blackjack":
		zs = append(zs, box("bank", 0, 0, 400, 150, "cards"))
		for seat := 1; seat <= seats; seat++ {
			zs = append(zs, box(fmt.Sprintf("seat:%d", seat), float64(seat)*400, 200, 350, 150, "cards"),
				box(fmt.Sprintf("seat:%d/2", seat), float64(seat)*400, 400, 350, 150, "cards"))
		}
		spots("main", "double", "split:2", "seguro")
	case "punto_banco":
		zs = append(zs, box("punto", 0, 0, 350, 150, "cards"), box("banca", 500, 0, 350, 150, "cards"))
		spots("punto", "banca", "empate")
	case "dados_craps":
		zs = append(zs, box("dice", 0, 0, 400, 300, "dice"))
		spots("win", "dont_win", "field", "any_craps", "place:6", "place:8", "come", "come:6")
	case "ruleta_francesa":
		zs = append(zs, box("layout", 0, 0, 2000, 900, "chips"))
		zs = append(zs, layout()...)
		spots("pay")
	}
	return zs
}

// layout is the places of a roulette's cloth, apart from one another.
func layout() (zs []calibration.Zone) {
	n := 0
	add := func(spot string) {
		z := box(spot, float64(n%20)*90+5, float64(n/20)*60+5, 80, 50)
		z.Spot = spot
		zs = append(zs, z)
		n++
	}
	for i := 0; i <= 36; i++ {
		add(fmt.Sprintf("pleno:%d", i))
	}
	for i := 1; i <= 36; i++ {
		if i%3 != 0 {
			add(fmt.Sprintf("caballo:%d-%d", i, i+1))
		}
		if i <= 33 {
			add(fmt.Sprintf("caballo:%d-%d", i, i+3))
		}
		if i%3 != 0 && i <= 32 {
			add(fmt.Sprintf("cuadro:%d-%d-%d-%d", i, i+1, i+3, i+4))
		}
	}
	for i := 1; i <= 3; i++ {
		add(fmt.Sprintf("docena:%d", i))
		add(fmt.Sprintf("columna:%d", i))
	}
	for _, s := range []string{"rojo", "negro", "par", "impar", "falta", "pasa"} {
		add(s)
	}
	return zs
}
