package rounds

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"vision/validate/round"
)

// Edited is the round of an id in a file, under some norm, with a few events changed:
//
//	drop N · swap N M · N FIELD=VALUE … · at N TYPE FIELD=VALUE …
//
// joined by ";". Values that read as JSON are JSON, others are strings.
func Edited(t T, file, id, norm, edits string) *round.Record {
	t.Helper()
	rec := lineOf(t, file, id)
	rec["norm"] = norm
	events := rec["events"].([]any)
	for _, edit := range strings.Split(edits, ";") {
		w := strings.Fields(edit)
		switch {
		case len(w) == 0:
		case w[0] == "drop":
			n := number(t, w[1])
			events = slices.Delete(events, n, n+1)
		case w[0] == "swap":
			a, b := number(t, w[1]), number(t, w[2])
			events[a], events[b] = events[b], events[a]
		case w[0] == "at":
			e := map[string]any{"type": w[2]}
			setFields(e, w[3:])
			events = slices.Insert(events, number(t, w[1]), any(e))
		default:
			setFields(events[number(t, w[0])].(map[string]any), w[1:])
		}
	}
	for i, e := range events {
		e.(map[string]any)["t"] = i
	}
	rec["events"] = events
	return Parse(t, JSON(rec))
}

// lineOf is the line of a file with an id.
func lineOf(t T, file, id string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var rec map[string]any
		if json.Unmarshal(line, &rec) == nil && rec["id"] == id {
			return rec
		}
	}
	t.Fatalf("%s has no round %s", file, id)
	return nil
}

// setFields sets an event's fields from words FIELD=VALUE.
func setFields(e map[string]any, words []string) {
	for _, w := range words {
		k, text, _ := strings.Cut(w, "=")
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text
		}
		e[k] = v
	}
}

// Slip is a clean round with a mistake in it: the article that is in every rule that its
// findings cite, what is wrong, the edits as Edited reads them, and the findings as Brief
// writes their zone, seat, spot and amounts.
type Slip [4]string

// Slips judges mistakes in one round of a file under each of the norms.
func Slips(t *testing.T, file, id string, norms []string, list []Slip) {
	t.Helper()
	for _, c := range list {
		article, what, edits, want := c[0], c[1], c[2], c[3]
		for _, norm := range norms {
			t.Run(norm+" "+what, func(t *testing.T) {
				v := Cited(t, Edited(t, file, id, norm, edits))
				if got := Brief(v.Findings, Zone, Seat, Spot, Amounts); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				for _, f := range v.Findings {
					if !strings.Contains(f.Rule, article) {
						t.Errorf("%s cites %s, want %s", f.Code, f.Rule, article)
					}
				}
			})
		}
	}
}
