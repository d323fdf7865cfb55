// Package cited keeps account of which test judges a round by which article of
// a norm. Tests note what they compare; Main compares the account with the one that
// is kept beside the tests. From all of them docs/norms.md is made.
package cited

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"vision/validate"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// File is the account of a package, below its folder.
const File = "testdata/articles.txt"

// Line is one article of one game with the tests that judge by it.
type Line struct {
	Norm, Game string
	Rule       string   // as findings cite it
	Tests      []string // names of test functions, sorted
}

var (
	mu    sync.Mutex
	tests = map[string]map[string]bool{} // by "norm game|rule"
)

func key(norm, game, rule string) string { return norm + " " + game + "|" + rule }

// Judged notes what a test has compared of a verdict: the whole, or the findings
// and lines that are left in it. It gives the verdict back.
func Judged(t testing.TB, v round.Verdict) round.Verdict {
	name, _, _ := strings.Cut(t.Name(), "/")
	mu.Lock()
	defer mu.Unlock()
	note(name, v)
	return v
}

func note(name string, v round.Verdict) {
	add := func(rule string) {
		k := key(v.Norm, v.Game, rule)
		if tests[k] == nil {
			tests[k] = map[string]bool{}
		}
		tests[k][name] = true
	}
	for i := range v.Findings {
		add(v.Findings[i].Rule)
	}
	for i := range v.Settlement {
		add(v.Settlement[i].Rule)
	}
}

// Main runs a package's tests and, when all of them ran, compares the account of what
// they judge with the one that the package keeps in testdata/articles.txt.
// VISION_UPDATE=1 writes it.
func Main(m *testing.M) int {
	code := m.Run()
	for _, name := range []string{"test.run", "test.fuzz", "test.list", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return code
		}
	}
	if code != 0 && os.Getenv("VISION_UPDATE") == "" {
		return code
	}
	books, err := validate.Books()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	got := write(books)
	if os.Getenv("VISION_UPDATE") != "" {
		if err := os.WriteFile(File, []byte(got), 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	want, err := os.ReadFile(File)
	if err != nil || string(want) != got {
		fmt.Printf("%s is not what the tests judge by (%v): VISION_UPDATE=1 writes it\n", File, err)
		return 1
	}
	return code
}

// Without says why no test can judge by an article; "" where one has to.
func Without(g *rulebook.Game, article string) string {
	of := reflect.ValueOf(g.Rules).Elem().FieldByName("Articles")
	if g.Family == "circle" && of.MapIndex(reflect.ValueOf("game")).String() == article {
		return "the game as a whole, for what has no article of its own: all has"
	}
	return ""
}

// write is the account of the tests that ran: the articles that a rulebook cites.
func write(books *rulebook.Books) string {
	var b strings.Builder
	for _, norm := range books.Codes() {
		n, _ := books.Norm(norm)
		for _, code := range n.Codes() {
			for _, rule := range Rules(n, n.Games[code]) {
				if names := slices.Sorted(maps.Keys(tests[key(norm, code, rule)])); len(names) > 0 {
					fmt.Fprintf(&b, "%s %s | %s | %s\n", norm, code, rule, strings.Join(names, " "))
				}
			}
		}
	}
	return b.String()
}

// Read reads an account.
func Read(data string) ([]Line, error) {
	var out []Line
	for i, text := range strings.Split(strings.TrimSpace(data), "\n") {
		parts := strings.Split(text, " | ")
		head := strings.Fields(parts[0])
		if len(parts) != 3 || len(head) != 2 {
			return nil, fmt.Errorf("line %d: %q", i+1, text)
		}
		out = append(out, Line{head[0], head[1], parts[1], strings.Fields(parts[2])})
	}
	return out, nil
}

// Rules are the citations that the rulebook gives a game, sorted.
func Rules(n *rulebook.Norm, g *rulebook.Game) []string {
	found := map[string]bool{}
	collect(reflect.ValueOf(g.Rules), found)
	out := map[string]bool{}
	for a := range found {
		switch g.Family {
		case "circle":
			out[n.Code+" "+a] = true
		case "banked":
			out[n.Rule(g)+" "+a] = true
		default:
			out[n.Rule(g)+"."+a] = true
		}
	}
	if len(out) == 0 {
		out[n.Rule(g)] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// collect finds the articles in a family's rules, whatever their shape.
func collect(v reflect.Value, found map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), found)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			collect(it.Value(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case !f.IsExported():
			case f.Name == "Article", f.Name == "TotalArticle", f.Name == "Articles":
				texts(v.Field(i), found)
			default:
				collect(v.Field(i), found)
			}
		}
	}
}

// texts are the words in a value: one, or those of a map or a struct.
func texts(v reflect.Value, found map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			found[v.String()] = true
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			texts(it.Value(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts(v.Field(i), found)
		}
	}
}
