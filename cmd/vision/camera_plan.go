package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"vision/calibration"
	"vision/calibration/density"
	"vision/calibration/layout"
)

// PlanCmd says how well a camera would see a table, or which camera sees it as wanted.
type PlanCmd struct {
	Game        string  `help:"Game code of the layout's template, like punto_banco." predictor:"game"`
	Norm        string  `help:"Norm in force, where cloths differ by it (ruleta_fortuna)." predictor:"norm"`
	Seats       int     `help:"Betting positions; 0: the template's default."`
	Width       float64 `placeholder:"MM" help:"Width of the layout in millimetres; 0: the template's default."`
	Size        string  `default:"1920x1080" help:"The camera's picture, pixels."`
	Height      float64 `placeholder:"M" help:"Height of the camera above the felt, metres."`
	Distance    float64 `placeholder:"M" help:"Distance of the camera from the layout's middle towards the players, along the felt, metres; negative: behind the croupier."`
	Side        float64 `placeholder:"M" help:"Distance of the camera from the layout's middle to the players' right, metres."`
	View        float64 `placeholder:"DEGREES" help:"Horizontal angle of view; without it, and without --focal, the layout fills the picture."`
	Focal       float64 `placeholder:"MM" help:"Focal length instead of the angle of view, with --sensor."`
	Sensor      string  `default:"1/2.8" help:"Format of the sensor, like 1/2.8 or 1/1.8."`
	Want        string  `placeholder:"KIND=GRADE,…" help:"List the pictures, lenses and places that give this, like cards=good,chips=poor, instead of measuring one place; --height and --size limit them where they are given."`
	Calibration string  `type:"existingfile" placeholder:"FILE" help:"Measure a table's calibration file instead of a plan."`
	Out         string  `type:"path" placeholder:"FILE.svg" help:"Draw the layout with its densities."`
	JSON        bool    `name:"json" help:"Print one JSON object."`
}

// Run prints the densities of all zones, or the places that are as wanted.
func (c *PlanCmd) Run() error {
	if c.Calibration != "" {
		t, err := calibration.Load(c.Calibration)
		if err != nil {
			return err
		}
		return c.print(t)
	}
	if c.Game == "" {
		return fmt.Errorf("name the table's --game (%s), or a file with --calibration", strings.Join(layout.Games, ", "))
	}
	l, err := layout.New(c.Game, layout.Dims{Seats: c.Seats, Width: c.Width, Norm: c.Norm})
	if err != nil {
		return err
	}
	sensor, ok := density.Sensors[strings.TrimSuffix(c.Sensor, `"`)]
	if !ok {
		return fmt.Errorf("--sensor %q: want one of %s", c.Sensor, strings.Join(slices.Sorted(maps.Keys(density.Sensors)), ", "))
	}
	m := density.Mount{Height: c.Height * 1000, Distance: c.Distance * 1000, Side: c.Side * 1000, View: c.View}
	if _, err := fmt.Sscanf(c.Size, "%dx%d", &m.Size[0], &m.Size[1]); err != nil {
		return fmt.Errorf("--size %q: want WIDTHxHEIGHT like 1920x1080", c.Size)
	}
	if c.Want != "" {
		return c.search(l, sensor, m)
	}
	if c.Height == 0 {
		return fmt.Errorf("where is the camera? Give --height above the felt and --distance from the layout's middle, in metres; or ask with --want cards=good,chips=good")
	}
	if c.Focal != 0 {
		if c.View != 0 {
			return fmt.Errorf("--view and --focal: give one of them")
		}
		m.View = density.ViewOf(c.Focal, sensor)
	}
	t, err := m.Over(l)
	if err != nil {
		return err
	}
	return c.print(t)
}

// planned is what --json prints of a place.
type planned struct {
	Size    [2]int         `json:"size"`
	View    float64        `json:"view"`            // degrees across the picture
	Focal   float64        `json:"focal,omitempty"` // millimetres, with the sensor that was named
	Height  float64        `json:"height"`          // of the camera above the felt, metres
	Zones   []density.Zone `json:"zones"`
	Problem string         `json:"problem,omitempty"`
}

func (c *PlanCmd) print(t *calibration.Table) error {
	zones, err := density.Of(t)
	if err != nil {
		return err
	}
	if c.Out != "" {
		svg, err := density.SVG(t, zones)
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.Out, svg, 0o644); err != nil {
			return err
		}
	}
	p := planned{Size: t.Size, Zones: zones, Problem: density.Sentence(zones, density.Good)}
	if v, err := t.View(); err == nil && v.Raised() {
		p.Height = v.Eye()[2] / 1000
	}
	if t.Lens.Known() {
		p.View = density.ViewOf(t.Lens.Fx, float64(t.Size[0]))
		if c.Calibration == "" {
			p.Focal = density.FocalOf(p.View, density.Sensors[strings.TrimSuffix(c.Sensor, `"`)])
		}
	}
	if c.JSON {
		return writeJSON(os.Stdout, p)
	}
	fmt.Printf("%d×%d", t.Size[0], t.Size[1])
	if p.View > 0 {
		fmt.Printf(", %.0f° wide", p.View)
	}
	if p.Focal > 0 {
		fmt.Printf(" (%.1f mm on a %s″ sensor)", p.Focal, strings.TrimSuffix(c.Sensor, `"`))
	}
	fmt.Println()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ZONE\tPX/MM\tPX/M\tANGLE\tPX/CHIP\tCARD PX\tINDEX PX\tDIE PX\tREAD")
	for _, z := range zones {
		fmt.Fprintf(w, "%s\t%.2f\t%.0f\t%.0f°\t%s\t%s\t%s\t%s\t%s\n", z.Name, z.Across, z.PerMetre(), z.Angle,
			figure(z.Chip), figure(z.Card), figure(z.Index), figure(z.Die), qualities(z))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if p.Problem == "" {
		fmt.Println("\nEverything is read well.")
	} else {
		fmt.Println("\n" + strings.ReplaceAll(p.Problem, "; ", "\n"))
	}
	return nil
}

func figure(px float64) string {
	if px == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", px)
}

func qualities(z density.Zone) string {
	if !z.Inside {
		return "not wholly in the picture"
	}
	var out []string
	for _, what := range slices.Sorted(maps.Keys(z.Quality)) {
		out = append(out, what+" "+z.Quality[what].String())
	}
	return strings.Join(out, ", ")
}

// search lists the places that are as wanted.
func (c *PlanCmd) search(l layout.Layout, sensor float64, m density.Mount) error {
	want := map[string]density.Quality{}
	for _, w := range strings.Split(c.Want, ",") {
		what, grade, _ := strings.Cut(w, "=")
		var q density.Quality
		if err := q.UnmarshalText([]byte(grade)); err != nil || !slices.Contains([]string{"cards", "chips", "dice"}, what) {
			return fmt.Errorf("--want %q: want cards, chips or dice, then = and good or poor, like cards=good,chips=poor", w)
		}
		want[what] = q
	}
	var b density.Bounds
	if c.Height != 0 {
		b.Heights = []float64{m.Height}
	}
	if c.Size != "1920x1080" {
		b.Sizes = [][2]int{m.Size}
	}
	found, err := density.Search(l, want, b)
	if err != nil {
		return err
	}
	type place struct {
		planned
		Distance float64 `json:"distance"` // towards the players, metres
	}
	var out []place
	for _, p := range found {
		out = append(
			out,
			place{
				planned{
					Size:   p.Size,
					View:   p.View,
					Focal:  density.FocalOf(p.View, sensor),
					Height: p.Height / 1000,
					Zones:  p.Zones,
				},
				p.Distance / 1000,
			},
		)
	}
	if c.JSON {
		return writeJSON(os.Stdout, out)
	}
	if len(out) == 0 {
		return fmt.Errorf("no place with these pictures gives %s: allow a larger picture, another height, or want less; several cameras may share the zones of one table", c.Want)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "PICTURE\tHEIGHT\tDISTANCE\tANGLE OF VIEW\tLENS (%s″)\tLEAST PX/MM\tLEAST PX/CHIP\n", strings.TrimSuffix(c.Sensor, `"`))
	for _, p := range out {
		least, chip := p.Zones[0].Across, 0.0
		for _, z := range p.Zones {
			least = min(least, z.Across)
			if z.Chip > 0 && (chip == 0 || z.Chip < chip) {
				chip = z.Chip
			}
		}
		fmt.Fprintf(w, "%d×%d\t%.1f m\t%.1f m\t%.0f°\t%.1f mm\t%.2f\t%s\n", p.Size[0], p.Size[1], p.Height, p.Distance, p.View, p.Focal, least, figure(chip))
	}
	return w.Flush()
}
