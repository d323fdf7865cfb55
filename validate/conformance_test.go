package validate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// conformance is one conformance case: a record and what is expected of its verdict.
type conformance struct {
	Case   string          `json:"case"`
	Norm   string          `json:"norm"`
	Game   string          `json:"game"`
	Why    string          `json:"why"`
	Record json.RawMessage `json:"record"`
	Expect map[string]any  `json:"expect"`
}

func readCases(t testing.TB, file string) []conformance {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []conformance
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var c conformance
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// TestConformance runs the conformance cases of the contract. The games of a
// family that no rulebook has yet are skipped, and the test says so.
func TestConformance(t *testing.T) {
	books := books.Shipped(t)
	for _, family := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
		t.Run(family, func(t *testing.T) {
			cases := readCases(t, shared.Dir(t, "cases", family+".jsonl"))
			absent := map[string]int{}
			for _, c := range cases {
				if !someNormHas(books, c.Game) {
					absent[c.Game]++
					continue
				}
				t.Run(c.Case, func(t *testing.T) {
					for _, d := range c.differences(books) {
						t.Error(d)
					}
					if t.Failed() {
						t.Log(c.Norm, c.Game, c.Why)
					}
				})
			}
			for game, n := range absent {
				t.Logf("SKIPPED: %d cases of %s: no rulebook has this game", n, game)
			}
		})
	}
}

func someNormHas(books *rulebook.Books, game string) bool {
	for _, n := range books.Codes() {
		if _, _, err := books.Game(n, game); err == nil {
			return true
		}
	}
	return false
}

// differences compares a verdict with what is expected, as the contract says:
// the settlement and the findings are complete, of all else the given fields count.
func (c conformance) differences(books *rulebook.Books) []string {
	rec, err := round.Parse(c.Record)
	var v round.Verdict
	if err == nil {
		v, err = validate.Check(books, rec)
	}
	if c.Expect["exit"] == 2.0 {
		if err == nil {
			return []string{"want an error: the record is malformed"}
		}
		return nil
	}
	if err != nil {
		return []string{err.Error()}
	}
	got := plain(v)
	d := compareSettlement(c.Expect["settlement"], got["settlement"])
	d = append(d, compareFindings(c.Expect["findings"], got["findings"])...)
	for _, part := range []string{"result", "next"} {
		if want, ok := c.Expect[part]; ok && want != nil {
			d = append(d, subset(want, got[part], part)...)
		}
	}
	if want, ok := c.Expect["void"]; ok && want != got["void"] {
		d = append(d, fmt.Sprintf("void: want %v", want))
	}
	for _, want := range list(c.Expect["hands"]) {
		d = append(d, oneOf(want, list(got["hands"]), "zone")...)
	}
	for _, f := range v.Findings {
		if !finding.Known(f.Code) || f.Rule == "" {
			d = append(d, fmt.Sprintf("finding %s: no sentence, or no rule", f.Code))
		}
	}
	return d
}

// plain is a value as its JSON reads.
func plain(v any) map[string]any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

func list(v any) []map[string]any {
	var out []map[string]any
	items, _ := v.([]any)
	for _, x := range items {
		out = append(out, x.(map[string]any))
	}
	return out
}

func subset(want, got any, at string) []string {
	w, ok := want.(map[string]any)
	if !ok {
		if !reflect.DeepEqual(want, got) {
			return []string{fmt.Sprintf("%s: want %v, got %v", at, want, got)}
		}
		return nil
	}
	g, _ := got.(map[string]any)
	var d []string
	for k, x := range w {
		d = append(d, subset(x, g[k], at+"."+k)...)
	}
	return d
}

func oneOf(want map[string]any, got []map[string]any, key string) []string {
	for _, g := range got {
		if g[key] == want[key] {
			return subset(want, g, fmt.Sprint(key, " ", want[key]))
		}
	}
	return []string{fmt.Sprintf("%s %v: missing", key, want[key])}
}

func compareSettlement(want, got any) []string {
	if want == nil {
		return nil
	}
	rest := list(got)
	var d []string
	for _, w := range list(want) {
		found := -1
		for i, g := range rest {
			if g["seat"] == w["seat"] && g["spot"] == w["spot"] {
				found = i
			}
		}
		if found < 0 {
			d = append(d, fmt.Sprintf("settlement %v %v: missing", w["seat"], w["spot"]))
			continue
		}
		d = append(d, subset(w, rest[found], fmt.Sprint("settlement ", w["seat"], " ", w["spot"]))...)
		rest = append(rest[:found:found], rest[found+1:]...)
	}
	for _, g := range rest {
		d = append(d, fmt.Sprintf("settlement %v %v: not in play", g["seat"], g["spot"]))
	}
	return d
}

func compareFindings(want, got any) []string {
	if want == nil {
		return nil
	}
	wants, rest := list(want), list(got)
	// the most specific expectations choose first
	for i := range wants {
		for k := i + 1; k < len(wants); k++ {
			if len(wants[k]) > len(wants[i]) {
				wants[i], wants[k] = wants[k], wants[i]
			}
		}
	}
	var d []string
	for _, w := range wants {
		found := -1
		for i, g := range rest {
			if found < 0 && len(subset(w, g, "")) == 0 {
				found = i
			}
		}
		if found < 0 {
			d = append(d, fmt.Sprintf("finding missing: %v", w))
			continue
		}
		rest = append(rest[:found:found], rest[found+1:]...)
	}
	for _, g := range rest {
		d = append(d, fmt.Sprintf("finding unexpected: %v", g))
	}
	return d
}
