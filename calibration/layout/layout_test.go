package layout

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

func mustNew(t *testing.T, game string, d Dims) Layout {
	t.Helper()
	l, err := New(game, d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Every template, for every plausible number of seats, is a calibration that
// passes the check under a camera from straight above.
func TestTemplatesPassTheCheck(t *testing.T) {
	for _, game := range Games {
		for seats := 1; seats <= 4; seats++ {
			l := mustNew(t, game, Dims{Seats: seats})
			c := calibration.Table{
				Schema: calibration.Schema, Table: game, Camera: "top",
				Size:  [2]int{int(l.Width), int(l.Depth)},
				Plane: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
				Zones: l.Zones, Card: [2]float64{63, 88}, Die: 20,
				Palette: []calibration.Chip{{ID: "a", Face: "#ff0000", Edge: "#ffffff", Diameter: 39, Thickness: 3.3}},
			}
			if err := c.Check(); err != nil {
				t.Errorf("%s with %d seats: %v", game, seats, err)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	cases := []struct {
		game string
		d    Dims
		want string
	}{
		{"ajedrez", Dims{}, `no template for "ajedrez"`},
		{"blackjack", Dims{Seats: -1}, "-1 seats"},
		{"blackjack", Dims{Seats: 12, Width: 900}, "too small"},
	}
	for _, c := range cases {
		if _, err := New(c.game, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: error %v, want one with %q", c.game, c.d, err, c.want)
		}
	}
}

// The places of a single-zero cloth are exactly its bets.
func TestRouletteHasEveryBetOnce(t *testing.T) {
	spots := map[string]bool{}
	count := map[string]int{}
	for _, z := range mustNew(t, "ruleta_francesa", Dims{}).Zones {
		if len(z.Reads) > 0 || spots[z.Spot] {
			continue
		}
		spots[z.Spot] = true
		kind, _, _ := strings.Cut(z.Spot, ":")
		count[kind]++
	}
	want := map[string]int{"pleno": 37, "caballo": 60, "transversal": 14, "cuadro": 23, "seisena": 11,
		"columna": 3, "docena": 3, "doble_columna": 2, "doble_docena": 2,
		"rojo": 1, "negro": 1, "par": 1, "impar": 1, "falta": 1, "pasa": 1}
	for kind, n := range want {
		if count[kind] != n {
			t.Errorf("%s: %d different spots, want %d", kind, count[kind], n)
		}
		delete(count, kind)
	}
	if len(count) > 0 {
		t.Errorf("unknown kinds %v", count)
	}
	for _, s := range []string{"caballo:0-2", "caballo:1-2", "caballo:1-4", "caballo:33-36", "cuadro:25-26-28-29",
		"cuadro:0-1-2-3", "transversal:34-35-36", "transversal:0-2-3", "seisena:31-36", "doble_columna:2-3"} {
		if !spots[s] {
			t.Errorf("%s is missing", s)
		}
	}
}

// A chip lies on one place at most: no two places of a cloth overlap.
func TestPlacesDoNotOverlap(t *testing.T) {
	for _, game := range Games {
		l := mustNew(t, game, Dims{})
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			p := fact.Point{rnd.Float64() * l.Width, rnd.Float64() * l.Depth}
			var in []string
			for _, z := range l.Zones {
				if len(z.Reads) == 0 && z.Contains(p) {
					in = append(in, z.Name)
				}
			}
			if len(in) > 1 {
				t.Fatalf("%s: %v lies on %q", game, p, in)
			}
		}
	}
}

// Where the corner of four numbers is printed, there is their cuadro.
func TestRoulettePositions(t *testing.T) {
	l := mustNew(t, "ruleta_francesa", Dims{Width: 1200})
	c := calibration.Table{Zones: l.Zones}
	cell := map[string]Rect{}
	for _, x := range l.Cells {
		cell[x.Text] = x.Rect
	}
	seventeen, one, two := cell["17"], cell["1"], cell["2"]
	cases := []struct {
		at   fact.Point
		spot string
	}{
		{seventeen.Centre(), "pleno:17"},
		{fact.Point{seventeen[2], seventeen.Centre()[1]}, "caballo:17-20"},
		{fact.Point{seventeen.Centre()[0], seventeen[1]}, "caballo:17-18"},
		{fact.Point{seventeen[2], seventeen[3]}, "cuadro:16-17-19-20"},
		{fact.Point{one.Centre()[0], one[3]}, "transversal:1-2-3"},
		{fact.Point{one[2], one[3]}, "seisena:1-6"},
		{fact.Point{one[0], one.Centre()[1]}, "caballo:0-1"},
		{fact.Point{one[0], one[1]}, "transversal:0-1-2"},
		{fact.Point{two[0], two[1]}, "transversal:0-2-3"},
		{cell["0"].Centre(), "pleno:0"},
		{cell["rojo"].Centre(), "rojo"},
		{cell["2ª docena"].Centre(), "docena:2"},
		{cell["col 3"].Centre(), "columna:3"},
	}
	places := calibration.NewPlaces(c.Zones)
	for _, x := range cases {
		if z, ok := places.At("layout", x.at); !ok || z.Spot != x.spot {
			t.Errorf("%v is %q, want %q", x.at, z.Spot, x.spot)
		}
	}
}

// Seat 1 sits at the croupier's left, which is the players' right.
func TestSeatsRunFromTheRight(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
		l := mustNew(t, game, Dims{Seats: 3})
		last := l.Width
		for seat := 1; seat <= 3; seat++ {
			for _, z := range l.Zones {
				if z.Seat == seat && z.Wants("chips") {
					if x := z.Centre()[0]; x >= last {
						t.Errorf("%s: seat %d is not left of seat %d", game, seat, seat-1)
					} else {
						last = x
					}
					break
				}
			}
		}
	}
}
