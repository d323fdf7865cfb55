package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/lab/eval"
	"vision/models"
	"vision/recognize/temperature"
)

// What may not be fitted on is not, and no picture is both fitted on and held.
func TestSetsAreKeptApart(t *testing.T) {
	for i := range uint64(50) {
		if firstSeeds[fits]+i == firstSeeds[holds] {
			t.Fatalf("seed %d is drawn to fit on and to hold", firstSeeds[holds])
		}
	}
	names := map[string]bool{}
	for _, s := range sets(2) {
		if names[s.name] {
			t.Errorf("two sets %q", s.name)
		}
		names[s.name] = true
		for _, only := range []string{"nickreisner", "jonasblanc", "jaxon411", "burak"} {
			if s.role != fits || !strings.Contains(s.on, only) {
				continue
			}
			t.Errorf("%s is fitted on, and may only be measured", s.on)
		}
	}
	both := 0
	for i := range 600 {
		m := eval.Image{Image: fmt.Sprintf("images/%03d.jpg", i)}
		if keptBack(m) && halfOf(m.Image) == 1 {
			both++
		}
		m.Tags = []string{"web"}
		if keptBack(m) {
			t.Fatal("a picture of the web may be fitted on")
		}
	}
	if both < 25 || both > 75 {
		t.Errorf("%d of 600 photographs in the held half of those kept back; want about a twelfth", both)
	}
}

// A map is written to readers.json and registered where enough readings tell it from the
// identity; nothing is fitted on held readings, nor on too few.
func TestARefit(t *testing.T) {
	r := &refit{models: t.TempDir(), work: t.TempDir()}
	for _, name := range []string{"readers.json", "manifest.json"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.models, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dice := target{"dice", "photograph", "dice"}
	r.sets = []set{
		{name: "a", reader: "dice", value: "photograph", role: fits, on: "drawn"},
		{name: "b", reader: "dice", value: "photograph", role: holds, on: "others"},
	}
	judged := map[string][]eval.Judged{}
	for i := range 400 { // abstentions weighed at 0.8 of which a tenth is right; accepted ones are all right
		p := []float64{0.8}
		for _, s := range []string{"a", "b"} {
			judged[s] = append(judged[s], eval.Judged{Picture: fmt.Sprint(s, i), P: p, Weighed: p, Right: i%10 == 0},
				eval.Judged{Picture: fmt.Sprint(s, i), P: p, Weighed: p, Right: true, Accepted: true})
		}
	}
	if f, m := r.fit(dice, judged, true); m != temperature.Identity || f.Wrong != 0 || f.Readings != 400 {
		t.Errorf("of readings that are all right: %v, %+v", m, f)
	}
	f, m := r.fit(dice, judged, false)
	p := m.Of([]float64{0.8})[0]
	if p < 0.08 || p > 0.13 || f.Held == nil || f.Held.Before[0] < 0.65 || f.Held.After[0] > 0.05 {
		t.Errorf("a tenth is right of what is said to be 0.8 sure: %v tells %.3f, %+v", m, p, f)
	}
	values := map[string]map[string]temperature.Map{"dice": {"photographAbstained": m}}
	if err := r.write(values, map[string]map[string]models.Fit{"dice": {"photographAbstained": f}}); err != nil {
		t.Fatal(err)
	}
	readers, manifest, err := r.files()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]map[string]struct {
		By     string
		Values map[string]json.RawMessage
	}
	if err := json.Unmarshal(readers, &got); err != nil || got["dice"][group].By != command ||
		len(got["dice"][group].Values) != 1 ||
		len(got["card"]) == 0 {
		t.Errorf("%v: %s", err, readers)
	}
	again, err := models.Register(manifest, readers)
	if err != nil || string(again) != string(manifest) {
		t.Errorf("%v: the manifest does not register readers.json", err)
	}
	key, err := r.keyOf()
	if err != nil {
		t.Fatal(err)
	}
	r.models = filepath.Join("..", "..")
	if same, err := r.keyOf(); err != nil || same != key {
		t.Errorf("%v: readings are read again after a refit", err)
	}
}
