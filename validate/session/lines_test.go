package session_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate/session"
)

var cited = regexp.MustCompile(`^(art\. \d+ )?L\d+(-\d+)?( L\d+(-\d+)?)*$`)

// TestLinesAreInTheText: every rule says in which lines of the norm's text it is
// printed, and the text has those lines.
func TestLinesAreInTheText(t *testing.T) {
	for _, code := range books.Shipped(t).Codes() {
		n, err := books.Shipped(t).Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(shared.Dir(t, "norms", code+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		last := bytes.Count(text, []byte("\n")) + 1
		r := n.Session.(*session.Rules)
		checked := 0
		for _, lines := range r.Lines() {
			checked++
			if !cited.MatchString(lines) {
				t.Errorf("%s: %q names no lines", code, lines)
				continue
			}
			var all []int
			for _, word := range strings.Fields(lines) {
				for _, number := range strings.Split(strings.TrimPrefix(word, "L"), "-") {
					if k, err := strconv.Atoi(number); err == nil && strings.HasPrefix(word, "L") {
						all = append(all, k)
					}
				}
			}
			if len(all) == 0 || !slices.IsSorted(all) || all[len(all)-1] > last {
				t.Errorf("%s: %s is not in the %d lines of the text", code, lines, last)
			}
		}
		if checked == 0 {
			t.Errorf("%s: no lines", code)
		}
	}
}

// TestRulesRefuse: what a rulebook may not say of sessions.
func TestRulesRefuse(t *testing.T) {
	one := session.Clause{Games: map[string]string{"boule": "L1"}}
	for name, r := range map[string]session.Rules{
		"games":      {Ratio: []session.Ratio{{Base: session.OfTable, Times: []int64{20}}}},
		"lines":      {Cover: &session.Clause{Games: map[string]string{"boule": ""}}},
		"direction":  {LimitChange: []session.LimitChange{{Clause: one, Direction: "sideways"}}},
		"base":       {Ratio: []session.Ratio{{Clause: one, Base: "house", Times: []int64{20}}}},
		"times":      {Ratio: []session.Ratio{{Clause: one, Base: session.OfTable}}},
		"band":       {Ratio: []session.Ratio{{Clause: one, Base: session.OfTable, Band: []int64{20, 10}}}},
		"per cent":   {Ratio: []session.Ratio{{Clause: one, Base: session.OfTable, PerCent: []int64{0, 40}}}},
		"two ways":   {Ratio: []session.Ratio{{Clause: one, Base: session.OfTable, Times: []int64{20}, Band: []int64{10, 20}}}},
		"cents":      {Meters: []session.Meter{{Clause: one, Start: 5, Cents: -1}}},
		"backs":      {Packs: []session.Packs{{Clause: one, Packs: 6, Backs: "stripes"}}},
		"last":       {LastRounds: []session.LastRounds{{Clause: one, By: "jefe"}}},
		"charge":     {Charge: &session.Charge{Family: "circle"}},
		"permanent":  {Permanent: []session.Permanent{{Family: "circle"}}},
		"share":      {Meters: []session.Meter{{Clause: one, Share: 10001}}},
		"below zero": {Talla: []session.Talla{{Clause: one, Below: -1}}},
	} {
		if err := r.Check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	good := session.Rules{LimitChange: []session.LimitChange{{Clause: one, Direction: session.Up}},
		Ratio: []session.Ratio{{Clause: one, Base: session.OfBand, Band: []int64{10, 20}}}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
