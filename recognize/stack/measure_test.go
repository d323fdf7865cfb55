package stack_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/lab/eval"
	"vision/models"
	"vision/recognize/stack"
)

// Measures this reader, by networks that are not shipped, on sets of calibrated stills as `lab eval` measures the
// shipped one: STACKS_MODELS is the folder of the networks with their manifest.json, STACKS_SETS the folders of
// the sets. STACKS_ACCEPT is the least probability of what is accepted, if not the default: with 0.001 likeliest
// contents are counted.
func TestMeasure(t *testing.T) {
	folder, sets := os.Getenv("STACKS_MODELS"), os.Getenv("STACKS_SETS")
	if folder == "" || sets == "" {
		t.Skip("measures only networks (STACKS_MODELS) and sets (STACKS_SETS) that are named")
	}
	opts := stack.Options{Models: models.Dir(folder)}
	if v := os.Getenv("STACKS_ACCEPT"); v != "" {
		var err error
		if opts.Accept, err = strconv.ParseFloat(v, 64); err != nil {
			t.Fatal(err)
		}
	}
	r, err := stack.NewReader(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, dir := range strings.Split(sets, ":") {
		set, err := eval.LoadSet(dir)
		if err != nil {
			t.Fatal(err)
		}
		tally := eval.StillTally{Only: eval.Chips}
		for i := range set.Stills {
			if err := measured(r, dir, &set.Stills[i], &tally); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		res := tally.Result(filepath.Base(dir))
		if err := res.Write(&b); err != nil {
			t.Fatal(err)
		}
		t.Log("\n" + b.String())
	}
}

// measured reads the zones of one still.
func measured(r *stack.Reader, dir string, one *eval.Still, tally *eval.StillTally) error {
	cal, err := calibration.Load(filepath.Join(dir, one.Calibration))
	if err != nil {
		return err
	}
	view, err := cal.View()
	if err != nil {
		return err
	}
	img, err := cv.ReadImage(filepath.Join(dir, one.Image))
	if err != nil {
		return err
	}
	defer img.Close()
	palette := slices.DeleteFunc(slices.Clone(cal.Palette), calibration.Chip.Plaque)
	worth, seen, start := map[string]int64{}, map[string]eval.Seen{}, time.Now()
	for _, c := range palette {
		worth[c.ID] = c.Value
	}
	for name := range one.Zones {
		z, _ := cal.Zone(name)
		list, err := r.Read(img, stack.Hint{View: view, Palette: palette, Zone: z.Polygon})
		if err != nil {
			return err
		}
		a, b := view.ToImage(z.Centre()), view.ToImageAt(z.Centre(), palette[0].Thickness)
		s := eval.Seen{Pixels: max(a[1]-b[1], b[1]-a[1])}
		for _, st := range list {
			s.Stacks = append(
				s.Stacks,
				eval.SeenStack{
					Chips:   st.Chips,
					Low:     st.Low,
					High:    st.High,
					Counted: st.Counted(),
					Spots:   []string{name},
				},
			)
		}
		seen[name] = s
	}
	tally.Add(one, seen, worth, time.Since(start))
	return nil
}
