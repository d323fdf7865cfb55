package density

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/calibration"
	"vision/calibration/layout"
)

// Question asks how well a camera would see a table, or, with Want, which cameras see it so
// well. Lengths are metres, but for the layout's width and the focal length, in millimetres.
type Question struct {
	Game     string  `json:"game"`
	Norm     string  `json:"norm,omitempty"`
	Seats    int     `json:"seats,omitempty"` // 0: the template's default
	Width    float64 `json:"width,omitempty"` // 0: the template's default
	Size     string  `json:"size,omitempty"`  // of the picture, like 1920x1080; empty: that, or all that are usual
	Height   float64 `json:"height,omitempty"`
	Distance float64 `json:"distance,omitempty"` // towards the players
	Side     float64 `json:"side,omitempty"`     // to the players' right
	View     float64 `json:"view,omitempty"`     // degrees; 0 without Focal: the layout fills the picture
	Focal    float64 `json:"focal,omitempty"`
	Sensor   string  `json:"sensor,omitempty"` // format; empty: 1/2.8
	// Want is the quality wanted of "cards", "chips" and "dice". Height and Size limit the
	// places then.
	Want map[string]Quality `json:"want,omitempty"`
}

// Seen is how a camera sees a table from its place.
type Seen struct {
	Size     [2]int  `json:"size"`
	View     float64 `json:"view"`               // degrees across the picture
	Focal    float64 `json:"focal,omitempty"`    // millimetres, with the sensor that was named
	Height   float64 `json:"height"`             // of the camera above the felt, metres
	Distance float64 `json:"distance,omitempty"` // towards the players, metres
	Zones    []Zone  `json:"zones"`
	Problem  string  `json:"problem,omitempty"`
}

// UsualSize and UsualSensor are meant where a question names none.
const (
	UsualSize   = "1920x1080"
	UsualSensor = "1/2.8"
)

// Answer computes what a camera sees from the place of the question, and the table as it would
// be calibrated there. Its errors say what to write instead.
func (q Question) Answer() (Seen, *calibration.Table, error) {
	l, sensor, err := q.read()
	if err != nil {
		return Seen{}, nil, err
	}
	if q.Height == 0 {
		return Seen{}, nil, errors.New("where is the camera? Give its height above the felt and its distance from the layout's middle, in metres; or the quality that is wanted, like cards=good,chips=good")
	}
	if q.View != 0 && q.Focal != 0 {
		return Seen{}, nil, errors.New("the angle of view and the focal length: give one of them")
	}
	m := Mount{Height: q.Height * 1000, Distance: q.Distance * 1000, Side: q.Side * 1000, View: q.View}
	if m.Size, err = size(q.Size); err != nil {
		return Seen{}, nil, err
	}
	if q.Focal != 0 {
		m.View = ViewOf(q.Focal, sensor)
	}
	t, err := m.Over(l)
	if err != nil {
		return Seen{}, nil, err
	}
	seen, err := See(t)
	seen.Distance, seen.Focal = q.Distance, FocalOf(seen.View, sensor)
	return seen, t, err
}

// Places lists the places from which a table is seen as wanted, as Search orders them.
func (q Question) Places() ([]Seen, error) {
	l, sensor, err := q.read()
	if err != nil {
		return nil, err
	}
	for _, what := range slices.Sorted(maps.Keys(q.Want)) {
		if !slices.Contains(kinds, what) || q.Want[what] == Not {
			return nil, fmt.Errorf("wanted quality of %q: want cards, chips or dice, each good or poor", what)
		}
	}
	var b Bounds
	if q.Height != 0 {
		b.Heights = []float64{q.Height * 1000}
	}
	if q.Size != "" {
		one, err := size(q.Size)
		if err != nil {
			return nil, err
		}
		b.Sizes = [][2]int{one}
	}
	found, err := Search(l, q.Want, b)
	if err != nil {
		return nil, err
	}
	out := []Seen{}
	for _, p := range found {
		out = append(out, Seen{
			Size: p.Size, View: p.View, Focal: FocalOf(p.View, sensor), Height: p.Height / 1000,
			Distance: p.Distance / 1000, Zones: p.Zones, Problem: Sentence(p.Zones, Good),
		})
	}
	return out, nil
}

// read is the layout of a question, and the width of its sensor in millimetres.
func (q Question) read() (layout.Layout, float64, error) {
	sensor, ok := Sensors[cmp.Or(strings.TrimSuffix(q.Sensor, `"`), UsualSensor)]
	if !ok {
		return layout.Layout{}, 0, fmt.Errorf("sensor %q: want one of %s", q.Sensor,
			strings.Join(slices.Sorted(maps.Keys(Sensors)), ", "))
	}
	l, err := layout.New(q.Game, layout.Dims{Seats: q.Seats, Width: q.Width, Norm: q.Norm})
	return l, sensor, err
}

// size reads the width and height of a picture.
func size(text string) (size [2]int, err error) {
	text = cmp.Or(text, UsualSize)
	var rest string
	if n, _ := fmt.Sscanf(text+" .", "%dx%d %s", &size[0], &size[1], &rest); n != 3 || rest != "." {
		return size, fmt.Errorf("picture %q: want WIDTHxHEIGHT like %s", text, UsualSize)
	}
	return size, nil
}

// See measures a table by its calibration.
func See(t *calibration.Table) (Seen, error) {
	zones, err := Of(t)
	if err != nil {
		return Seen{}, err
	}
	s := Seen{Size: t.Size, Zones: zones, Problem: Sentence(zones, Good)}
	if v, err := t.View(); err == nil && v.Raised() {
		s.Height = v.Eye()[2] / 1000
	}
	if t.Lens.Known() {
		s.View = ViewOf(t.Lens.Fx, float64(t.Size[0]))
	}
	return s, nil
}
