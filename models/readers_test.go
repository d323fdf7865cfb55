package models

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

type testValues struct {
	Accept struct {
		Least float64
		Pairs [2]float64
	}
}

const testFitted = `{"dice": {"accept": {"on": "drawn dice", "by": "no script", "values": {"least": 0.5, "pairs": [1, 2]}}}}`

func TestFitted(t *testing.T) {
	v, err := fittedIn[testValues]([]byte(testFitted), "dice")
	if err != nil {
		t.Fatal(err)
	}
	if v.Accept.Least != 0.5 || v.Accept.Pairs != [2]float64{1, 2} {
		t.Errorf("read %+v", *v)
	}
}

// What is missing, unknown or no number is refused by name.
func TestFittedIsStrict(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"dice"`, `"cards"`, "dice"},
		{`"accept"`, `"find"`, "accept: missing"},
		{`"least": 0.5, `, ``, "accept: least: missing"},
		{`"least": 0.5`, `"least": 0.5, "most": 1`, "accept: most: unknown"},
		{`"least": 0.5`, `"least": "half"`, "accept: least"},
		{`"least": 0.5`, `"least": null`, "accept: least: null"},
		{`[1, 2]`, `[1]`, "accept: pairs"},
		{`[1, 2]`, `[1, 2, 3]`, "accept: pairs"},
		{`"by": "no script"`, `"by": ""`, "accept: on and by"},
		{`"on": "drawn dice"`, `"of": "drawn dice"`, "accept"},
		{`"on": "drawn dice"`, `"on": "drawn dice", "fits": {"least": {"set": []}}`, "accept"},
		{`}}}}`, `}}, "more": {}}}`, "more: unknown"},
		{testFitted, `[]`, "readers.json"},
	} {
		data := strings.Replace(testFitted, c.old, c.new, 1)
		if data == testFitted {
			t.Fatalf("%s is not in %s", c.old, testFitted)
		}
		v, err := fittedIn[testValues]([]byte(data), "dice")
		if !errors.Is(err, ErrFitted) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", data, err, c.want)
		}
		if v == nil {
			t.Errorf("%s: no values at all: who reads them before the error would fall", data)
		}
	}
}

// Every value that is shipped says on what it was fitted and how.
func TestShippedFittedValues(t *testing.T) {
	var readers map[string]map[string]group
	if err := json.Unmarshal(fitted, &readers); err != nil {
		t.Fatal(err)
	}
	for _, reader := range []string{"card", "plaque", "dice"} {
		if len(readers[reader]) == 0 {
			t.Errorf("nothing of the reader of %s", reader)
		}
	}
	for reader, groups := range readers {
		for name, g := range groups {
			if g.On == "" || g.By == "" || len(g.Values) == 0 {
				t.Errorf("%s, %s: on %q by %q: want the data and what fits it", reader, name, g.On, g.By)
			}
		}
	}
}

// The manifest registers the fitted values; VISION_UPDATE=1 registers others.
func TestFittedValuesAreThoseOfTheManifest(t *testing.T) {
	raw, err := os.ReadFile("readers.json")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("VISION_UPDATE") != "" {
		if manifest, err = Register(manifest, raw); err == nil {
			err = os.WriteFile("manifest.json", manifest, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := sealedBy(manifest, raw); err != nil {
		t.Error(err)
	}
	for _, m := range []string{"{", "{}", `{"readers":{"sha256":"00"}}`} {
		if err := sealedBy([]byte(m), raw); err == nil {
			t.Errorf("manifest %s: readers.json is taken for its file", m)
		}
	}
	again, err := Register(manifest, append(raw, '\n'))
	if err != nil {
		t.Fatal(err)
	}
	if sealedBy(again, raw) == nil || sealedBy(again, append(raw, '\n')) != nil {
		t.Error("other values are not registered")
	}
}

// A group that is put in is read again, and what stands beside it stays.
func TestRefitted(t *testing.T) {
	data, err := Refitted(
		[]byte(testFitted),
		"dice",
		"heat",
		"drawn dice",
		"a command",
		map[string]float64{"placed": 1.5},
		map[string]Fit{
			"placed": {
				Sets:      []string{"drawn"},
				Readings:  20,
				Wrong:     2,
				Fitted:    []float64{1.5},
				Intervals: [][2]float64{{1.1, 2}},
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	v, err := fittedIn[struct {
		Accept struct {
			Least float64
			Pairs [2]float64
		}
		Heat struct{ Placed float64 }
	}](data, "dice")
	if err != nil || v.Heat.Placed != 1.5 || v.Accept.Least != 0.5 {
		t.Errorf("%v: %+v of %s", err, v, data)
	}
	if _, err := Refitted([]byte(testFitted), "cards", "heat", "-", "-", nil, nil); err == nil {
		t.Error("values of an unknown reader are put in")
	}
}
