package alert

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vision/internal/health"
	"vision/internal/testkit/paper"
)

// sources in the order in which the catalogue has them.
var sources = []string{"finding", "supervision", "session", "variance", "health"}

func TestTheCatalogueIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Catalogue() {
		if seen[k.Code] {
			t.Errorf("%s stands twice", k.Code)
		}
		seen[k.Code] = true
		if k.ES == "" || k.EN == "" || k.ES == k.Code || k.Severity == "" || !slices.Contains(sources, k.Source) {
			t.Errorf("incomplete: %+v", k)
		}
		if (k.Source == "health" || k.Source == "variance") && (k.AdviceES == "" || k.AdviceEN == "") {
			t.Errorf("%s: no advice", k.Code)
		}
	}
	if k, ok := Find(health.CameraMoved); !ok || k.Source != "health" {
		t.Errorf("%+v", k)
	}
	if _, ok := Find("of another world"); ok {
		t.Error("found what is not there")
	}
}

// What packages call problems and variances by is in the catalogue: their
// constants and literals are looked for in the sources.
func TestWhatIsSaidIsInTheCatalogue(t *testing.T) {
	found := 0
	for form, prefix := range map[string]string{`\b(?:[hH]ealth|board)\.(?:Set|Clear)\("([a-z_]+)", `: "", `\t[A-Z]\w+ += "((?:camera|disk|replica|witness|push|bus)_[a-z]+)"\n`: "",
		`Variance\{\s*Fact:\s+"([a-z_]+)"`: "variance_", `health\.Kind\{\s*Code: "([a-z_]+)"`: ""} {
		re := regexp.MustCompile(form)
		for _, dir := range []string{"capture", "internal", "recognize", "stream", "validate"} {
			err := filepath.WalkDir(filepath.Join("../..", dir), func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
					return err
				}
				text, err := os.ReadFile(path)
				for _, m := range re.FindAllStringSubmatch(string(text), -1) {
					found++
					if _, ok := Find(prefix + m[1]); !ok {
						t.Errorf("%s says %q, which is not in the catalogue", path, prefix+m[1])
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d codes were found in the sources: the search is wrong", found)
	}
}

// docs/alerts.md is the catalogue. VISION_UPDATE=1 writes it again.
func TestTheAlertsPageIsTrue(t *testing.T) {
	const path = "../../docs/alerts.md"
	want := page()
	if os.Getenv("VISION_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/alerts.md is not the catalogue; VISION_UPDATE=1 go test ./stream/alert writes it")
	}
}

// page is the catalogue for people: by source, the gravest first. Advice is in the
// page's language; the console has it in both.
func page() string {
	var b strings.Builder
	b.WriteString("# Alerts and problems\n\nEverything that the console can report, by code. `GET /api/v1/catalogue` has the same list.\n")
	heads := map[string]string{
		"finding":     "## Findings\n\nA round against its norm; the alert adds amounts, place and article. A game's rules may set another severity.\n",
		"session":     "## Session\n\nWhat happens at a table between its rounds, against the norm: limits, float, packs and dice, closing.\n",
		"supervision": "## Supervision\n\nWho supervises which tables, against the norm. The alert names the article and ends with its cause.\n",
		"variance":    "## Variances\n\nOne fact read twice with different results.",
		"health":      "## Health\n\nProblems of the node, at `/health`. Those that keep a table from being verified or recorded are alerts on the wall too.\n",
	}
	for _, source := range sources {
		of := slices.DeleteFunc(Catalogue(), func(k Kind) bool { return k.Source != source })
		slices.SortStableFunc(of, func(x, y Kind) int { return gravity(x) - gravity(y) })
		fmt.Fprintf(&b, "\n%s", heads[source])
		advice := slices.ContainsFunc(of, func(k Kind) bool { return k.AdviceEN != of[0].AdviceEN })
		if !advice && of[0].AdviceEN != "" {
			fmt.Fprintf(&b, " %s\n", of[0].AdviceEN)
		}
		severity := ""
		for _, k := range of {
			if k.Severity != severity {
				severity = k.Severity
				fmt.Fprintf(&b, "\n| %s | español | English |%s\n|---|---|---|%s\n", severity, map[bool]string{true: " what to do |"}[advice], map[bool]string{true: "---|"}[advice])
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |", k.Code, k.ES, k.EN)
			if advice {
				fmt.Fprintf(&b, " %s |", k.AdviceEN)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// gravity orders severities, the gravest first.
func gravity(k Kind) int {
	return slices.Index([]string{"critical", "major", "warning", "minor", "info"}, k.Severity)
}

func TestRaisedIsCounted(t *testing.T) {
	d := NewDesk(Config{Ledger: &paper.Ledger{}})
	for i, code := range []string{"payout_under", "payout_under", "camera_moved"} {
		if err := d.Raise(t.Context(), Alert{ID: fmt.Sprint(i), Code: code}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Raise(t.Context(), Alert{ID: "0", Code: "payout_under"}); err != nil { // is there already
		t.Fatal(err)
	}
	got := d.Raised()
	if got["payout_under"] != 2 || got["camera_moved"] != 1 || len(got) != len(Catalogue()) {
		t.Errorf("%v", got)
	}
	if n, ok := got["late_bet"]; n != 0 || !ok {
		t.Error("what was never raised is not counted as none")
	}
}
