package density

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
)

func cloth(t *testing.T, game string) layout.Layout {
	t.Helper()
	l, err := layout.New(game, layout.Dims{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A camera straight above has the pixels of the pinhole camera: focal length over height.
func TestStraightAbove(t *testing.T) {
	l := cloth(t, "blackjack")
	m := Mount{Height: 2000, View: 60, Size: [2]int{1920, 1080}}
	c, err := m.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	want := 960 / math.Tan(30*math.Pi/180) / 2000
	zones, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range zones {
		if math.Abs(z.Along-want) > 1e-6 || math.Abs(z.Across-want) > 1e-6 {
			t.Errorf("%s: %.4f, %.4f px/mm, want %.4f", z.Name, z.Along, z.Across, want)
		}
		if q, has := z.Quality["chips"]; has && q != Not {
			t.Errorf("%s: chips %s from straight above", z.Name, q)
		}
	}
}

// At a slant of 45° the felt is foreshortened by cos 45° away from the camera, a chip's side by
// sin 45°.
func TestSlant(t *testing.T) {
	m := Mount{Height: 2000, Distance: 2000, View: 60, Size: [2]int{1920, 1080}}
	l := layout.Layout{Width: 2, Depth: 2, Zones: []calibration.Zone{{
		Name: "spot", Reads: []string{"chips"}, Polygon: []fact.Point{{0, 0}, {2, 0}, {2, 2}, {0, 2}},
	}}}
	c, err := m.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	zones, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	perMM := 960 / math.Tan(30*math.Pi/180) / math.Hypot(2000, 2000)
	z := zones[0]
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"along", z.Along, perMM}, {"across", z.Across, perMM * math.Sqrt2 / 2},
		{"angle", z.Angle, 45}, {"chip", z.Chip, 3.3 * perMM * math.Sqrt2 / 2},
	} {
		if math.Abs(x.got/x.want-1) > 0.005 {
			t.Errorf("%s: %.4f, want %.4f", x.name, x.got, x.want)
		}
	}
}

// Every layout fits into the picture of the lens that is chosen for it, and nearly fills it.
func TestFits(t *testing.T) {
	for _, game := range layout.Games {
		l := cloth(t, game)
		m := Mount{Height: 1900, Distance: 1500, Side: -300, Size: [2]int{1920, 1080}}
		c, err := m.Over(l)
		if err != nil {
			t.Fatalf("%s: %v", game, err)
		}
		zones, err := Of(c)
		if err != nil {
			t.Fatalf("%s: %v", game, err)
		}
		for _, z := range zones {
			if !z.Inside {
				t.Errorf("%s: %s is not in the picture", game, z.Name)
			}
		}
		m.View = ViewOf(c.Lens.Fx, float64(m.Size[0]))
		again, err := m.Over(l)
		if err != nil {
			t.Fatalf("%s: %v", game, err)
		}
		if math.Abs(again.Lens.Fx/c.Lens.Fx-1) > 1e-9 {
			t.Errorf("%s: the angle of view %g° gives another lens", game, m.View)
		}
	}
}

// A table's file that was made from a plan is measured as the plan was.
func TestSurvivesTheFile(t *testing.T) {
	l := cloth(t, "punto_banco")
	c, err := Mount{Height: 2500, Distance: 2300, Size: [2]int{3840, 2160}}.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	c.Pose = calibration.Pose{} // as where only lens and plane are known
	planned, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Lens = calibration.Lens{} // as where the lens was not measured: it is estimated
	measured, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, z := range measured {
		p := planned[i]
		if math.Abs(z.Across/p.Across-1) > 0.05 || math.Abs(z.Angle-p.Angle) > 3 ||
			p.Chip > 0 && math.Abs(z.Chip/p.Chip-1) > 0.05 {
			t.Errorf(
				"%s: planned %.3f px/mm, %.1f°, %.2f px/chip; measured %.3f, %.1f°, %.2f",
				z.Name,
				p.Across,
				p.Angle,
				p.Chip,
				z.Across,
				z.Angle,
				z.Chip,
			)
		}
	}
}

// Measurements are in order, and more pixels are never graded worse.
func TestMeasured(t *testing.T) {
	for _, what := range []string{"cards", "chips", "dice"} {
		rows := Measured[what]
		if len(rows) < 3 {
			t.Errorf("%s: %d measurements", what, len(rows))
		}
		for i, r := range rows {
			if i > 0 && r.Pixels <= rows[i-1].Pixels || r.Of <= 0 || r.Right < 0 || r.Right > r.Of {
				t.Errorf("%s: measurement %d is %+v", what, i, r)
			}
		}
		poor, ok := From(what, Poor)
		if !ok {
			t.Errorf("%s: never read poorly", what)
		}
		if good, ok := From(what, Good); ok && good < poor {
			t.Errorf("%s: good from %g, poor from %g pixels", what, good, poor)
		}
		last := Not
		for px := 0.5; px < 300; px *= 1.1 {
			z := Zone{Reads: []string{what}, Inside: true, Angle: 45, Chip: px, Card: px, Die: px}
			z.judge()
			if z.Quality[what] < last {
				t.Fatalf("%s: %.1f pixels are %s, fewer %s", what, px, z.Quality[what], last)
			}
			last = z.Quality[what]
		}
	}
}

// What Search finds serves, and nothing is found for what no picture gives.
func TestSearch(t *testing.T) {
	l := cloth(t, "blackjack")
	want := map[string]Quality{"cards": Good}
	found, err := Search(l, want, Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no camera reads the cards of blackjack well")
	}
	for _, p := range found {
		c, err := p.Over(l)
		if err != nil {
			t.Fatal(err)
		}
		zones, err := Of(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range zones {
			if q, has := z.Quality["cards"]; has && q != Good {
				t.Errorf("%+v: cards of %s %s", p.Mount, z.Name, q)
			}
		}
	}
	none, err := Search(l, want, Bounds{Sizes: [][2]int{{160, 90}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(none) > 0 {
		t.Errorf("%d places for 160×90 pixels", len(none))
	}
}

func TestMountRefuses(t *testing.T) {
	l := cloth(t, "blackjack")
	for _, m := range []Mount{
		{Height: 0, Size: [2]int{1920, 1080}},
		{Height: -2000, Size: [2]int{1920, 1080}},
		{Height: math.NaN(), Size: [2]int{1920, 1080}},
		{Height: 2000, Distance: math.Inf(1), Size: [2]int{1920, 1080}},
		{Height: 2000, View: 200, Size: [2]int{1920, 1080}},
		{Height: 2000, Size: [2]int{0, 1080}},
	} {
		if c, err := m.Over(l); err == nil {
			t.Errorf("%+v: %+v, want an error", m, c.Lens)
		}
	}
}

func TestSentence(t *testing.T) {
	l := cloth(t, "blackjack")
	c, err := Mount{Height: 5500, Distance: 300, Size: [2]int{1920, 1080}}.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	zones, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	if s := Sentence(zones, Poor); !strings.Contains(s, "chips are not read in ") || !strings.Contains(s, "straight down") {
		t.Errorf("from above: %q", s)
	}
	for i := range zones {
		for what := range zones[i].Quality {
			zones[i].Quality[what] = Good
		}
	}
	if s := Sentence(zones, Good); s != "" {
		t.Errorf("all good: %q", s)
	}
}

// The drawing is XML and names every zone that is read.
func TestSVG(t *testing.T) {
	l := cloth(t, "dados_craps")
	c, err := Mount{Height: 2000, Distance: 1800, Size: [2]int{1920, 1080}}.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	zones, err := Of(c)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := SVG(c, zones, English)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := tok.(xml.CharData); ok {
			texts[strings.TrimSpace(string(text))] = true
		}
	}
	for _, z := range zones {
		if !texts[z.Name] {
			t.Errorf("%s is not drawn", z.Name)
		}
	}
}

// What one camera does not read another of the table may: from straight above chips are not
// counted, from the side they are, and the main camera's lack is none.
func TestBeside(t *testing.T) {
	l := cloth(t, "blackjack")
	var cals []*calibration.Table
	for _, m := range []Mount{
		{Height: 2000, View: 60, Size: [2]int{1920, 1080}},
		{Height: 1500, Distance: 2200, View: 40, Size: [2]int{3840, 2160}},
	} {
		c, err := m.Over(l)
		if err != nil {
			t.Fatal(err)
		}
		cals = append(cals, c)
	}
	alone, err := Beside(cals[0])
	if err != nil || !strings.Contains(Sentence(alone, Good), "chips are not read") {
		t.Errorf("alone: %v, %q", err, Sentence(alone, Good))
	}
	both, err := Beside(cals[0], cals[1])
	if err != nil || strings.Contains(Sentence(both, Poor), "chips") {
		t.Errorf("beside another: %v, %q", err, Sentence(both, Poor))
	}
	if both[0].Across != alone[0].Across {
		t.Error("the pixels are another camera's")
	}
}
