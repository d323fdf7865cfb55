package models

import (
	"encoding/json"
	"errors"
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
	for _, reader := range []string{"card", "chip", "dice"} {
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
