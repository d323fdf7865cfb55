package finding

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vision/internal/shared"
)

var quoted = regexp.MustCompile("`([a-z_]+)`")

// section is what the contract writes between a heading and the next.
func section(t *testing.T, file, heading string) string {
	t.Helper()
	raw, err := os.ReadFile(shared.Dir(t, "spec", file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("%s has no %q", file, heading)
	}
	level := heading[:strings.IndexByte(heading, ' ')]
	out, _, _ := strings.Cut(rest, "\n"+level+" ")
	return out
}

// codesIn are the words in backquotes that have the form of a code.
func codesIn(text string) (codes []Code) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		codes = append(codes, Code(m[1]))
	}
	return codes
}

// The list of the round record is the catalogue's, save for what cannot be observed,
// which it names with the verdict.
func TestCodesOfTheRoundRecord(t *testing.T) {
	want := append(codesIn(section(t, "round-record.md", "## Finding codes")), NotObservable)
	want = append(want, codesIn(section(t, "rack.md", "## Balance"))...)
	for _, c := range want {
		if Of(c).Round.Severity == "" {
			t.Errorf("%s: no round raises it", c)
		}
	}
	for _, k := range All() {
		if k.Round.Severity != "" && !slices.Contains(want, k.Code) {
			t.Errorf("%s is no code of the round record", k.Code)
		}
	}
}

// The contract of sessions lists the severities; a code that it does not list is major.
func TestSeveritiesOfSessions(t *testing.T) {
	list := section(t, "session.md", "### 4.11 Severity")
	critical, rest, _ := strings.Cut(list, "minor:")
	minor, _, _ := strings.Cut(rest, "major:")
	grave, light := codesIn(critical), codesIn(minor)
	if len(grave) < 3 || len(light) < 15 {
		t.Fatalf("read %q and %q", grave, light)
	}
	for _, c := range slices.Concat(grave, light) {
		if Of(c).Session.Severity == "" {
			t.Errorf("%s: no session raises it", c)
		}
	}
	for _, k := range All() {
		want := Major
		switch {
		case k.Session.Severity == "":
			continue
		case slices.Contains(grave, k.Code):
			want = Critical
		case slices.Contains(light, k.Code):
			want = Minor
		}
		if k.Session.Severity != want {
			t.Errorf("%s: %s in a session, want %s", k.Code, k.Session.Severity, want)
		}
	}
}

// Every kind is named by the part of the contract whose judge raises it.
func TestEveryKindIsInTheContract(t *testing.T) {
	named := func(file string) []Code {
		raw, err := os.ReadFile(shared.Dir(t, "spec", file))
		if err != nil {
			t.Fatal(err)
		}
		return codesIn(string(raw))
	}
	room, session := named("supervision.md"), named("session.md")
	for _, k := range All() {
		if k.Room.Severity != "" && !slices.Contains(room, k.Code) {
			t.Errorf("%s is not in supervision.md", k.Code)
		}
		// What sessions take over of the room is said there by reference.
		if k.Session.Severity != "" && !slices.Contains(session, k.Code) && !slices.Contains(room, k.Code) {
			t.Errorf("%s is not in session.md", k.Code)
		}
	}
}

// The cases of the contract find nothing that the catalogue lacks, and each under the judge
// whose it is.
func TestCodesOfTheCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Dir(t, "cases"), "*.jsonl"))
	if err != nil || len(files) < 6 {
		t.Fatalf("cases %q: %v", files, err)
	}
	raised := map[string]func(*Kind) Severity{
		"round/1":       func(k *Kind) Severity { return k.Round.Severity },
		"supervision/1": func(k *Kind) Severity { return k.Room.Severity },
		"session/1":     func(k *Kind) Severity { return k.Session.Severity },
	}
	found := map[string]int{}
	for _, file := range files {
		for _, c := range casesOf(t, file) {
			for _, x := range c.Expect.Findings {
				found[c.Record.Schema]++
				if of := raised[c.Record.Schema]; of == nil || of(Of(x.Code)) == "" {
					t.Errorf("%s: %s is not registered for %s", c.Case, x.Code, c.Record.Schema)
				}
			}
		}
	}
	for schema := range raised {
		if found[schema] < 20 {
			t.Errorf("only %d findings read of %s", found[schema], schema)
		}
	}
}

// expected is what a case of the contract says of its findings.
type expected struct {
	Case   string
	Record struct{ Schema string }
	Expect struct{ Findings []struct{ Code Code } }
}

func casesOf(t *testing.T, file string) (cases []expected) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c expected
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return cases
}
