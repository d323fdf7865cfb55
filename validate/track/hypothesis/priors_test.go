package hypothesis

import (
	"strings"
	"testing"
)

// A file of priors says of each what it counts and where it is from, and has all of them.
func TestPriors(t *testing.T) {
	if _, err := ReadPriors(priorsFile); err != nil {
		t.Fatal(err)
	}
	good := string(priorsFile)
	for name, c := range map[string]struct{ from, to, want string }{
		"no number":     {`"value": 0.15`, `"value": "much"`, "priors"},
		"no share":      {`"value": 0.15`, `"value": 1.5`, "another is 1.5"},
		"no unit":       {`"unit": "share of rounds with a mistake of the table"`, `"unit": ""`, "mistake has no unit"},
		"a strange one": {`"another"`, `"yet_another"`, `"yet_another" is none`},
		"a field more":  {`"value": 0.15`, `"value": 0.15, "note": ""`, "note"},
		"no JSON":       {"{", "[", "priors"},
	} {
		if _, err := ReadPriors([]byte(strings.Replace(good, c.from, c.to, 1))); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadPriors([]byte("{}")); err == nil {
		t.Error("no priors are taken for all")
	}
}

func FuzzPriors(f *testing.F) {
	f.Add(priorsFile)
	f.Add([]byte(`{"mistake": {"value": 0.1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ReadPriors(data); (p == nil) == (err == nil) {
			t.Errorf("priors %v and error %v", p, err)
		}
	})
}
