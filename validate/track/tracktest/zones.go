package tracktest

import (
	"fmt"
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
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

// Zones is a game's template for so many seats, and the spots that its scripts
// use beyond it.
func Zones(game string, seats int) []calibration.Zone {
	l, err := layout.New(game, layout.Dims{Seats: seats})
	if err != nil {
		panic(err)
	}
	zs := l.Zones
	for seat := 1; seat <= seats; seat++ {
		for i, spot := range map[string][]string{"dados_craps": {"any_craps", "place:6", "place:8"}}[game] {
			name := fmt.Sprintf("seat:%d %s", seat, spot)
			if slices.ContainsFunc(zs, func(z calibration.Zone) bool { return z.Name == name }) {
				continue
			}
			x, y := float64(seat)*200, 2000+float64(i)*100
			zs = append(zs, calibration.Zone{
				Name: name, Reads: []string{"chips"}, Seat: seat, Spot: spot,
				Polygon: []fact.Point{{x, y}, {x + 180, y}, {x + 180, y + 90}, {x, y + 90}},
			})
		}
	}
	return zs
}
