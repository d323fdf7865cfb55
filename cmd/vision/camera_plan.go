package main

import (
	"errors"
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
	Size        string  `placeholder:"WIDTHxHEIGHT" help:"The camera's picture, pixels; without it 1920x1080, and with --want all usual ones."`
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
		seen, err := density.See(t)
		if err != nil {
			return err
		}
		return c.print(seen, t)
	}
	if c.Game == "" {
		return fmt.Errorf("name the table's --game (%s), or a file with --calibration", strings.Join(layout.Games, ", "))
	}
	q := density.Question{
		Game: c.Game, Norm: c.Norm, Seats: c.Seats, Width: c.Width, Size: c.Size, Height: c.Height,
		Distance: c.Distance, Side: c.Side, View: c.View, Focal: c.Focal, Sensor: c.Sensor,
	}
	if c.Want != "" {
		want, err := wanted(c.Want)
		if err != nil {
			return err
		}
		q.Want = want
		found, err := q.Places()
		if err != nil {
			return err
		}
		return c.list(found)
	}
	seen, t, err := q.Answer()
	if err != nil {
		return err
	}
	return c.print(seen, t)
}

// wanted reads --want.
func wanted(text string) (map[string]density.Quality, error) {
	want := map[string]density.Quality{}
	for w := range strings.SplitSeq(text, ",") {
		what, grade, _ := strings.Cut(w, "=")
		var q density.Quality
		if err := q.UnmarshalText([]byte(grade)); err != nil {
			return nil, fmt.Errorf("--want %q: %w, like cards=good,chips=poor", w, err)
		}
		want[what] = q
	}
	return want, nil
}

func (c *PlanCmd) print(seen density.Seen, t *calibration.Table) error {
	if c.Out != "" {
		svg, err := density.SVG(t, seen.Zones, density.English)
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.Out, svg, 0o644); err != nil {
			return err
		}
	}
	if c.JSON {
		return writeJSON(os.Stdout, seen)
	}
	fmt.Printf("%d×%d", seen.Size[0], seen.Size[1])
	if seen.View > 0 {
		fmt.Printf(", %.0f° wide", seen.View)
	}
	if seen.Focal > 0 {
		fmt.Printf(" (%.1f mm on a %s″ sensor)", seen.Focal, strings.TrimSuffix(c.Sensor, `"`))
	}
	fmt.Println()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ZONE\tPX/MM\tPX/M\tANGLE\tPX/CHIP\tCARD PX\tINDEX PX\tDIE PX\tREAD")
	for _, z := range seen.Zones {
		fmt.Fprintf(w, "%s\t%.2f\t%.0f\t%.0f°\t%s\t%s\t%s\t%s\t%s\n", z.Name, z.Across, z.PerMetre(), z.Angle,
			figure(z.Chip), figure(z.Card), figure(z.Index), figure(z.Die), qualities(z))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if seen.Problem == "" {
		fmt.Println("\nEverything is read well.")
	} else {
		fmt.Println("\n" + strings.ReplaceAll(seen.Problem, "; ", "\n"))
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

// list prints the places that are as wanted.
func (c *PlanCmd) list(found []density.Seen) error {
	if c.JSON {
		return writeJSON(os.Stdout, found)
	}
	if len(found) == 0 {
		return errors.New("no place with these pictures gives " + c.Want +
			": allow a larger picture, another height, or want less; several cameras may share the zones of one table")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "PICTURE\tHEIGHT\tDISTANCE\tANGLE OF VIEW\tLENS (%s″)\tLEAST PX/MM\tLEAST PX/CHIP\n", strings.TrimSuffix(c.Sensor, `"`))
	for _, p := range found {
		least, chip := p.Zones[0].Across, 0.0
		for _, z := range p.Zones {
			least = min(least, z.Across)
			if z.Chip > 0 && (chip == 0 || z.Chip < chip) {
				chip = z.Chip
			}
		}
		fmt.Fprintf(w, "%d×%d\t%.1f m\t%.1f m\t%.0f°\t%.1f mm\t%.2f\t%s\n",
			p.Size[0], p.Size[1], p.Height, p.Distance, p.View, p.Focal, least, figure(chip))
	}
	return w.Flush()
}
