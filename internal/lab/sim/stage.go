package sim

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
	"vision/internal/geometry"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
)

// stage is what stands still at one simulated table: cloth, zones, camera,
// chips, and where people reach from. Lengths are millimetres of the plane.
type stage struct {
	game     string
	layout   layout.Layout
	seats    int
	view     scene.View
	palette  []calibration.Chip
	cloth    [3]float64
	deck     string // design of the pack; "" where no cards are used
	min, max money.Cents
	shoe     [2]float64        // where cards come from
	tray     [2]float64        // the bank's chips
	rack     *calibration.Rack // nil: the bank's chips are painted
	aside    bool              // the camera looks from a side, not over the players
}

// cardW, cardH and dieEdge are sizes in millimetres.
const (
	cardW   = 63.0
	cardH   = 88.0
	dieEdge = 20.0
	clothW  = 1200.0
)

// stages are what the tables differ in.
var stages = map[string]stage{
	"blackjack":       {seats: 3, cloth: [3]float64{22, 92, 58}, deck: "clasica", max: 50000},
	"punto_banco":     {seats: 4, cloth: [3]float64{24, 66, 104}, deck: "casino", max: 50000},
	"dados_craps":     {seats: 3, cloth: [3]float64{30, 88, 50}, max: 50000},
	"ruleta_francesa": {seats: 4, cloth: [3]float64{16, 84, 66}, max: 10000},

	"ruleta_americana":            {seats: 4, cloth: [3]float64{20, 60, 96}, max: 10000},
	"ruleta_americana_doble_cero": {seats: 4, cloth: [3]float64{18, 82, 60}, max: 10000},
	"boule":                       {seats: 4, cloth: [3]float64{20, 88, 56}, max: 50000},
	"ruleta_fortuna":              {seats: 4, cloth: [3]float64{36, 60, 92}, max: 10000},
	"sic_bo":                      {seats: 3, cloth: [3]float64{26, 86, 54}, max: 50000},
	"banca_francesa_dados":        {seats: 4, cloth: [3]float64{22, 80, 64}, max: 50000},
	"treinta_cuarenta":            {seats: 4, cloth: [3]float64{24, 84, 52}, deck: "paño", max: 50000},
	"baccara_chemin_de_fer":       {seats: 4, cloth: [3]float64{26, 70, 96}, deck: "paño", max: 50000},
	"baccara_dos_panos":           {seats: 4, cloth: [3]float64{22, 84, 60}, deck: "paño", max: 50000},
	"monte_banca":                 {seats: 4, cloth: [3]float64{34, 76, 58}, deck: "castilla", max: 50000},
	"casino_monte":                {seats: 3, cloth: [3]float64{28, 64, 98}, deck: "casino", max: 50000},

	"poker_sin_descarte":   {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "clasica", max: 50000},
	"poker_trijoker":       {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "casino", max: 50000},
	"tripoker":             {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "clasica", max: 50000},
	"pai_gow_poker":        {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "casino", max: 50000},
	"poker_holdem_bonus":   {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "clasica", max: 50000},
	"poker_holdem_banca":   {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "casino", max: 50000},
	"poker_cuatro_cartas":  {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "clasica", max: 50000},
	"poker_con_descarte":   {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "casino", max: 50000},
	"texas_poker":          {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "clasica", max: 50000},
	"holdem_circulo":       {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "casino", max: 50000},
	"omaha_circulo":        {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "clasica", max: 50000},
	"omaha_5_circulo":      {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "casino", max: 50000},
	"omaha_hilo_circulo":   {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "clasica", max: 50000},
	"doble_holdem_circulo": {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "casino", max: 50000},
	"poker_sintetico":      {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "clasica", max: 50000},
	"poker_descubierto_5":  {seats: 2, cloth: [3]float64{22, 88, 58}, deck: "casino", max: 50000},
	"poker_descubierto_7":  {seats: 2, cloth: [3]float64{26, 70, 100}, deck: "clasica", max: 50000},
	"poker_cubierto_5":     {seats: 2, cloth: [3]float64{24, 80, 60}, deck: "casino", max: 50000},
}

// Games lists the games that can be shown.
func Games() []string { return slices.Sorted(maps.Keys(stages)) }

// newStage sets a table up for a camera of the given size.
func newStage(game string, size [2]int) (*stage, error) {
	s, ok := stages[game]
	if !ok {
		return nil, fmt.Errorf("simulated game %q: want one of %q", game, Games())
	}
	s.game, s.min = game, 500
	var err error
	if s.layout, err = layout.New(game, layout.Dims{Seats: s.seats, Width: clothW}); err != nil {
		return nil, fmt.Errorf("simulated table: %w", err)
	}
	s.palette = euros
	if s.zone("layout") != nil {
		s.palette = append(append([]calibration.Chip{}, euros...), colours[:s.seats]...)
	}
	s.shoe = [2]float64{clothW - 60, -40}
	s.tray = [2]float64{clothW / 2, -70}
	if script.Racked(game) {
		s.rack = s.newRack()
	}
	s.view = viewOf(s.layout.Depth, size)
	return &s, nil
}

// viewOf puts the camera so that the near edge of the cloth fills the picture's
// width and a chip's thickness shows with four pixels or nearly.
func viewOf(depth float64, size [2]int) scene.View {
	const tilt, distance = 0.965, 3000
	near := 1 - depth/2*math.Sin(tilt)/distance
	return scene.View{
		Size:     size,
		Target:   [2]float64{clothW / 2, depth/2 - 60},
		Distance: distance,
		Tilt:     tilt,
		Yaw:      0.02,
		Roll:     0.006,
		Scale:    float64(size[0]) / (clothW + 40) * near,
		Dist:     [5]float64{-0.09, 0.05, 0.0004, -0.0003, 0},
	}
}

// area is what is painted round the cloth, millimetres.
func (s *stage) area() image.Rectangle {
	return image.Rect(-300, -700, clothW+300, int(s.layout.Depth)+450)
}

// near and far are the edges of the cloth towards players and croupier.
func (s *stage) near() float64 { return s.layout.Depth + 12 }
func (s *stage) far() float64  { return -130 }

// zone finds a zone by its name, or else by its spot; nil when there is none.
func (s *stage) zone(name string) *calibration.Zone {
	for i := range s.layout.Zones {
		if s.layout.Zones[i].Name == name {
			return &s.layout.Zones[i]
		}
	}
	for i := range s.layout.Zones {
		if z := &s.layout.Zones[i]; z.Seat == 0 && z.Spot == name {
			return z
		}
	}
	return nil
}

// seatX is where the player of a seat sits.
func (s *stage) seatX(n int) float64 {
	return clothW - (float64(n)-0.5)*clothW/float64(s.seats)
}

// Distances between things laid side by side.
const (
	cardPitch = 70.0
	chipPitch = 44.0
)

// cardAt is the centre of the n-th card of a zone, from the left.
func (s *stage) cardAt(zone string, n int, across bool) ([2]float64, error) {
	z := s.zone(zone)
	if z == nil {
		return [2]float64{}, fmt.Errorf("simulated table %s: no zone %q on the layout", s.game, zone)
	}
	x0, y0, _, y1 := box(z.Polygon)
	x := x0 + 8 + cardW/2 + float64(n)*cardPitch
	if across {
		x += (cardH - cardW) / 2
	}
	return [2]float64{x, (y0 + y1) / 2}, nil
}

// chipsAt is the centre of the n-th stack of a zone: from the left in a zone
// that is read by itself, in rows of as many as fit; about the middle of a place
// of a larger layout.
func (s *stage) chipsAt(zone string, n int) ([2]float64, error) {
	z := s.zone(zone)
	if z == nil {
		return [2]float64{}, fmt.Errorf("simulated table %s: no zone %q on the layout", s.game, zone)
	}
	x0, y0, x1, y1 := box(z.Polygon)
	if len(z.Reads) == 0 {
		off := float64((n+1)/2) * chipPitch * float64(1-2*(n%2))
		return [2]float64{(x0+x1)/2 + off, (y0 + y1) / 2}, nil
	}
	perRow := max(1, int((x1-x0-2)/chipPitch))
	y := (y0 + y1) / 2
	if y1-y0 > 2*chipPitch {
		y = y0 + 0.3*(y1-y0) + s.rowPitch()*float64(n/perRow)
	}
	return [2]float64{x0 + 2 + chipPitch*(float64(n%perRow)+0.5), y}, nil
}

// rowPitch is the distance of two rows of stacks in a zone.
func (s *stage) rowPitch() float64 {
	if slices.ContainsFunc(s.palette, calibration.Chip.Plaque) {
		return chipPitch + 10
	}
	return chipPitch
}

// pileAt is the centre of a pile of the script. Plaques lie over two of their slots
// that are beside one another.
func (s *stage) pileAt(p script.Pile) ([2]float64, error) {
	at, err := s.chipsAt(p.Zone, p.Slot)
	if err != nil || !p.Plaques {
		return at, err
	}
	for n := p.Slot + 1; n <= p.Slot+2; n++ {
		next, err := s.chipsAt(p.Zone, n)
		if err != nil || next[1] == at[1] && next[0]-at[0] < 1.5*chipPitch {
			return between(at, next, 0.5), err
		}
		at = next
	}
	return at, nil
}

// box is the rectangle that holds a polygon.
func box(p []fact.Point) (x0, y0, x1, y1 float64) {
	low, high := geometry.Bounds(p)
	return low[0], low[1], high[0], high[1]
}

// euros is the palette of money chips; values are cents.
var euros = []calibration.Chip{
	{ID: "e0.5", Face: "#c9b08a", Edge: "#5a3a1c", Diameter: 39, Thickness: 3.4, Value: 50},
	{ID: "e1", Face: "#e8e6df", Edge: "#2a4fa0", Diameter: 39, Thickness: 3.4, Value: 100},
	{ID: "e2.5", Face: "#e58fb0", Edge: "#f4f0e8", Diameter: 39, Thickness: 3.4, Value: 250},
	{ID: "e5", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500},
	{ID: "e25", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.4, Value: 2500},
	{ID: "e100", Face: "#26262b", Edge: "#e9c34a", Diameter: 39, Thickness: 3.4, Value: 10000},
	{ID: "e500", Face: "#6b3fa0", Edge: "#f0c9e0", Diameter: 39, Thickness: 3.4, Value: 50000},
}

// plaques are what a table of high stakes has as well.
var plaques = []calibration.Chip{
	{ID: "p500", Face: "#c9607a", Edge: "#6e2c86", Length: 78, Width: 49, Thickness: 4, Value: 50000},
	{ID: "p1000", Face: "#d9b44a", Edge: "#7a2230", Length: 78, Width: 49, Thickness: 4, Value: 100000},
	{ID: "p5000", Face: "#3f74b8", Edge: "#e8e2c8", Length: 78, Width: 49, Thickness: 4, Value: 500000},
}

// high is how many times as high the stakes are where plaques are used.
const high = 50

// raise makes the table one of high stakes, with plaques.
func (s *stage) raise() {
	s.palette = slices.Concat(s.palette, plaques)
	s.min, s.max = high*s.min, high*s.max
}

// colours are the roulette players' own chips, all marked at five euro.
var colours = []calibration.Chip{
	{ID: "azul", Face: "#2f62c8", Edge: "#f4f4f4", Diameter: 39, Thickness: 3.4, Value: 500, Seat: 1},
	{ID: "naranja", Face: "#ec7a1c", Edge: "#2b2b2b", Diameter: 39, Thickness: 3.4, Value: 500, Seat: 2},
	{ID: "amarillo", Face: "#ecd21e", Edge: "#a02020", Diameter: 39, Thickness: 3.4, Value: 500, Seat: 3},
	{ID: "turquesa", Face: "#2ec4c4", Edge: "#403060", Diameter: 39, Thickness: 3.4, Value: 500, Seat: 4},
}

// House is how a simulated game's table must be set up in vision.yaml: its
// limits in cents and the house options that the norm leaves open.
func House(game string) (min, max int64, options map[string]any, err error) {
	st, err := newStage(game, [2]int{1920, 1080})
	if err != nil {
		return 0, 0, nil, err
	}
	min, max, options = st.house()
	return min, max, options, nil
}

func (s *stage) house() (min, max int64, options map[string]any) {
	options = script.House(s.game)
	if options == nil {
		options = map[string]any{}
	}
	return int64(s.min), int64(s.max), options
}
