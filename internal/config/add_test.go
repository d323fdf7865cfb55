package config

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func newTable() Table {
	return Table{ID: "BJ9", Game: "blackjack", Min: 500, Max: 50000, Options: map[string]any{"boxes": 7},
		Cameras: []Camera{{URL: "rtsp://user:p%40ss@192.0.2.10/a?b=1&c", Empty: "bj9-empty.png"}}}
}

// A table is put behind the others and nothing else of the file changes.
func TestATableIsAdded(t *testing.T) {
	example, err := os.ReadFile("../../docs/vision.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing":     "",
		"only a norm": "norm: madrid-2021 # ours\ntables:\n",
		"no list":     "# ours\nnorm: madrid-2021",
		"comments":    "# a house without tables\n",
		"at the end":  "# a house\ntables:\n- {id: A, game: boule, min: 1, max: 2, cameras: [{url: a.mp4}]} # first",
		"indented":    "tables:   # all\n    - id: A\n      game: boule\n      min: 1\n      max: 2\n      cameras:\n        - url: a.mp4\n\n# who\nlanguage: en\n  # not more\n",
		"the manual":  string(example),
	} {
		t.Run(name, func(t *testing.T) {
			var before []Table
			if c, err := Parse([]byte(text)); err == nil {
				before = c.Tables
			}
			out, err := AddTable([]byte(text), newTable())
			if err != nil {
				t.Fatal(err)
			}
			c, err := Parse(out)
			if err != nil {
				t.Fatal(err)
			}
			got := c.Tables[len(c.Tables)-1]
			if len(c.Tables) != len(before)+1 || got.ID != "BJ9" || got.Cameras[0].URL != newTable().Cameras[0].URL ||
				got.Cameras[0].Empty != "bj9-empty.png" || got.Options["boxes"] == nil {
				t.Errorf("%+v", got)
			}
			rest := string(out)
			for _, l := range strings.Split(strings.TrimSpace(text), "\n") { // all lines are there, in their order
				i := strings.Index(rest, l)
				if i < 0 {
					t.Fatalf("%q is gone:\n%s", l, out)
				}
				rest = rest[i+len(l):]
			}
		})
	}
}

// An empty list in a line becomes one that tables are put into.
func TestATableIsAddedToAnEmptyList(t *testing.T) {
	for text, want := range map[string]string{
		"tables: []\n":              "tables:\n  - id: BJ9\n",
		"tables: [ ] # none yet":    "tables: # none yet\n  - id: BJ9\n",
		"tables: ~\nlanguage: en\n": "tables:\n  - id: BJ9\n",
	} {
		out, err := AddTable([]byte(text), newTable())
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%q became %q, %v", text, out, err)
		}
	}
}

func TestATableThatCannotBeAdded(t *testing.T) {
	const one = "tables:\n  - {id: BJ9, game: boule, min: 1, max: 2, cameras: [{url: a.mp4}]}\n"
	for name, c := range map[string]struct {
		text, want string
		is         error
	}{
		"a list in one line": {"tables: [{id: A, game: boule, min: 1, max: 2, cameras: [{url: a.mp4}]}]\n", "by hand", ErrByHand},
		"no list":            {"tables:\n  BJ1: {}\n", "by hand", ErrByHand},

		"twice the same id": {one, "BJ9", nil},
		"not YAML":          {"tables:\n  - {id: [\n", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := AddTable([]byte(c.text), newTable())
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if err != nil && strings.Contains(err.Error(), "p%40ss") {
				t.Errorf("%v tells the password", err)
			}
		})
	}
}

func FuzzAddTable(f *testing.F) {
	f.Add("tables:\n  - {id: A}\n")
	f.Add("a: 1\ntables: # x\n- id: A\n")
	f.Fuzz(func(t *testing.T, text string) {
		out, err := AddTable([]byte(text), newTable())
		if err != nil {
			return
		}
		if c, err := Parse(out); err != nil || c.Tables[len(c.Tables)-1].ID != "BJ9" {
			t.Errorf("%q became %q: %v", text, out, err)
		}
	})
}
