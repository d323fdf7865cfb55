package hypothesis

import (
	"encoding/json"
	"strings"
	"testing"
)

// A file of priors has of each what it counts and where it is from, and has all of them.
func TestPriors(t *testing.T) {
	good, err := States(priorsFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		prior  Prior
		is     any
		leaves Prior // out
		want   string
	}{
		"no number":     {prior: Another, is: map[string]any{"value": "much", "unit": "u", "source": "s"}, want: "priors"},
		"no share":      {prior: Another, is: Stated{1.5, "u", "s"}, want: "another is 1.5"},
		"no unit":       {prior: GivenMistake, is: Stated{0.1, "", "s"}, want: "given has no unit"},
		"no source":     {prior: GivenMistake, is: Stated{0.1, "u", ""}, want: "given has no unit or no source"},
		"a strange one": {prior: "yet_another", is: Stated{0.1, "u", "s"}, want: `"yet_another" is none`},
		"a field more":  {prior: Another, is: map[string]any{"value": 0.1, "unit": "u", "source": "s", "note": ""}, want: "note"},
		"one too few":   {leaves: Whole, want: "whole is missing"},
	} {
		file := map[Prior]any{}
		for name, s := range good {
			file[name] = s
		}
		if delete(file, c.leaves); c.prior != "" {
			file[c.prior] = c.is
		}
		raw, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPriors(raw); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, bad := range []string{"{}", "["} {
		if _, err := ReadPriors([]byte(bad)); err == nil {
			t.Errorf("%s is taken for all priors", bad)
		}
	}
}

func FuzzPriors(f *testing.F) {
	f.Add(priorsFile)
	f.Add([]byte(`{"given": {"value": 0.1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ReadPriors(data); (p == nil) == (err == nil) {
			t.Errorf("priors %v and error %v", p, err)
		}
	})
}
