package scene

import (
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

func square(name, spot string, seat int, x, w float64, reads ...string) calibration.Zone {
	return calibration.Zone{
		Name:    name,
		Spot:    spot,
		Seat:    seat,
		Reads:   reads,
		Polygon: []fact.Point{{x, 0}, {x + w, 0}, {x + w, 100}, {x, 100}},
	}
}

func TestLocate(t *testing.T) {
	a := NewLayout([]calibration.Zone{
		square(
			"layout",
			"",
			0,
			0,
			300,
			"chips",
		), square("pleno:1", "pleno:1", 0, 0, 100), square("pleno:2", "pleno:2", 0, 100, 100),
		square("caballo:1-2", "caballo:1-2", 0, 92, 16), square("seat:1 pay", "pay", 1, 400, 100, "chips"),
	}, nil, 500, erring)
	for _, c := range []struct {
		zone string
		x    float64
		want string
	}{{"layout", 50, "pleno:1"}, {"layout", 95, "caballo:1-2"}, {"layout", 150, "pleno:2"}, {"layout", 210, "pleno:2"}, {"layout", 250, ""}, {"seat:1 pay", 999, "pay"}} {
		p, ok := a.locate(a.Zones[c.zone], fact.Point{c.x, 50})
		if p.Spot != c.want || ok != (c.want != "") {
			t.Errorf("%s at %v: %q %v, want %q", c.zone, c.x, p.Spot, ok, c.want)
		}
	}
}
