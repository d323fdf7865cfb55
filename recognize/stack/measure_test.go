package stack_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/shared"
	"vision/models"
	"vision/recognize/stack"
)

// Measures this reader, by networks that are not shipped, on sets of calibrated stills as `lab eval` measures the
// shipped one: STACKS_MODELS is the folder of the networks with their manifest.json, STACKS_SETS the folders of
// the sets.
func TestMeasure(t *testing.T) {
	folder, sets := os.Getenv("STACKS_MODELS"), os.Getenv("STACKS_SETS")
	if folder == "" || sets == "" {
		t.Skip("measures only networks (STACKS_MODELS) and sets (STACKS_SETS) that are named")
	}
	r, err := stack.NewReader(models.Dir(folder))
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

// Counts the chips of stacks on photographs that were counted by eye (testdata/counted.jsonl, of the set
// pokersensei-stacks), by the networks of STACKS_MODELS.
func TestMeasureCounts(t *testing.T) {
	folder := os.Getenv("STACKS_MODELS")
	if folder == "" {
		t.Skip("measures only networks (STACKS_MODELS) that are named")
	}
	r, err := stack.NewPhotographs(models.Dir(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := os.ReadFile("testdata/counted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all, found, exact, near, sure, wrong, held int
	for line := range strings.Lines(string(data)) {
		var c struct {
			Image string
			Box   eval.Box
			Count int
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		img, err := cv.ReadImage(filepath.Join(shared.Dir(t), "data", "pokersensei-stacks", c.Image))
		if err != nil {
			t.Fatal(err)
		}
		list, err := r.Photograph(img)
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		all++
		at := slices.IndexFunc(list, func(s fact.Stack) bool { return eval.IoU(c.Box, eval.Box(s.Quad.Box())) >= 0.5 })
		if at < 0 {
			t.Logf("%s: %d chips, not found", c.Image, c.Count)
			continue
		}
		s := list[at]
		n := len(s.Chips)
		t.Logf("%s: %d chips, %d (%d to %d)", c.Image, c.Count, n, s.Low, s.High)
		count := func(n *int, yes bool) {
			if yes {
				*n++
			}
		}
		count(&found, true)
		count(&exact, n == c.Count)
		count(&near, max(n-c.Count, c.Count-n) <= 1)
		count(&sure, s.Low == s.High)
		count(&wrong, s.Low == s.High && n != c.Count)
		count(&held, s.Low < s.High && s.Low <= c.Count && c.Count <= s.High)
	}
	t.Logf("%d stacks: %d found, %d exact, %d within one; %d sure, %d of them wrong; %d intervals hold", all, found, exact, near, sure, wrong, held)
}
