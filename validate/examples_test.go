package validate_test

import (
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/round"
)

// TestWorkedExamples judges the worked examples of the contract and compares
// whole verdicts, but for three things: the citation may be finer, the zone of a
// finding is an addition, and its event has since been clarified (the movement
// that made it so, where point-cards print the record's last event).
func TestWorkedExamples(t *testing.T) {
	books := books.Shipped(t)
	n := 0
	for _, family := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
		text, err := os.ReadFile(shared.Dir(t, "spec", "games-"+family+".md"))
		if err != nil {
			t.Fatal(err)
		}
		records := map[string]*round.Record{}
		for _, raw := range examples(t, string(text)) {
			var head struct{ Schema, ID string }
			if err := json.Unmarshal(raw, &head); err != nil {
				t.Fatal(err)
			}
			switch {
			case head.Schema == "round/1":
				rec, err := round.Parse(raw)
				if err != nil {
					t.Fatalf("%s: %v", head.ID, err)
				}
				records[head.ID] = rec
			case records[head.ID] != nil:
				v, err := validate.Check(books, records[head.ID])
				if err != nil {
					t.Fatalf("%s: %v", head.ID, err)
				}
				n++
				sameExample(t, head.ID, raw, v)
			}
		}
	}
	if n < 30 {
		t.Errorf("%d examples found, want all of them", n)
	}
}

// examples are the JSON values of a page's code blocks.
func examples(t *testing.T, page string) []json.RawMessage {
	t.Helper()
	var out []json.RawMessage
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page, -1) {
		for d := json.NewDecoder(strings.NewReader(block[1])); ; {
			var raw json.RawMessage
			if err := d.Decode(&raw); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			out = append(out, raw)
		}
	}
	return out
}

// sameExample compares a verdict with a printed one. What an example leaves out
// of a line counts as not there.
func sameExample(t *testing.T, id string, printed json.RawMessage, v round.Verdict) {
	t.Helper()
	var want map[string]any
	if err := json.Unmarshal(printed, &want); err != nil {
		t.Fatal(err)
	}
	for _, f := range list(want["findings"]) {
		delete(f, "event")
		delete(f, "rule")
	}
	for _, s := range list(want["settlement"]) {
		delete(s, "rule")
	}
	for _, h := range list(want["hands"]) {
		delete(h, "cards") // a suit's order among equal ranks is free
	}
	got := plain(v)
	d := append(compareSettlement(want["settlement"], got["settlement"]), compareFindings(want["findings"], got["findings"])...)
	for _, h := range list(want["hands"]) {
		d = append(d, oneOf(h, list(got["hands"]), "zone")...)
	}
	d = append(d, subset(want["result"], got["result"], "result")...)
	d = append(d, subset(want["next"], got["next"], "next")...)
	for _, part := range []string{"result", "next"} {
		w, _ := want[part].(map[string]any)
		g, _ := got[part].(map[string]any)
		for k := range g {
			if _, ok := w[k]; !ok {
				d = append(d, part+": "+k+" is not in the example")
			}
		}
	}
	if len(list(want["hands"])) != len(list(got["hands"])) || want["void"] != got["void"] {
		d = append(d, "other hands, or another void")
	}
	for _, x := range d {
		t.Errorf("%s: %s", id, x)
	}
}
