package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vision/internal/testkit/pages"
)

const root = "../.."

var (
	link   = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	header = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// Every link leads to a file that is there and to a heading that it has, and whatever
// lies in docs is reached from the README.
func TestTheLinksOfTheDocs(t *testing.T) {
	all := pages.Read(t, root)
	leads := map[string][]string{}
	for page, text := range all {
		for _, m := range link.FindAllStringSubmatch(pages.Prose(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = path.Join(path.Dir(page), file)
			}
			leads[page] = append(leads[page], to)
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: %s: there is no such file", page, m[1])
			} else if anchor != "" && !slices.Contains(anchors(all[to]), anchor) {
				t.Errorf("%s: %s: there is no such heading", page, m[1])
			}
		}
	}
	seen := map[string]bool{}
	var walk func(string)
	walk = func(page string) {
		if !seen[page] {
			seen[page] = true
			for _, to := range leads[page] {
				walk(to)
			}
		}
	}
	walk("README.md")
	entries, err := os.ReadDir(root + "/docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		led := seen["docs/"+e.Name()]
		for page := range seen { // into a folder
			led = led || strings.HasPrefix(page, "docs/"+e.Name()+"/")
		}
		if !led {
			t.Errorf("docs/%s: nothing leads there from README.md", e.Name())
		}
	}
}

// anchors are the names by which a page's headings are linked to.
func anchors(text string) (out []string) {
	for _, m := range header.FindAllStringSubmatch(pages.Prose(text), -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return out
}

// Routes that the pages name are those of the API's description.
func TestTheRoutesOfTheDocs(t *testing.T) {
	api, err := os.ReadFile(root + "/stream/console/assets/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	any := regexp.MustCompile(`\{[^}]*\}|<[^>]*>|…`)
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  (/[^:\s]*):`).FindAllStringSubmatch(string(api), -1) {
		known[any.ReplaceAllString(m[1], "{}")] = true
	}
	found := 0
	route := regexp.MustCompile(`/(?:api/v1|whep|preview)/[^\s?'"]*`)
	for page, text := range pages.Read(t, root) {
		for _, code := range pages.Code(text) {
			for _, r := range route.FindAllString(code, -1) {
				found++
				if !known[any.ReplaceAllString(r, "{}")] {
					t.Errorf("%s: %s: there is no such route", page, r)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d routes were found", found)
	}
}

// Files and folders that the pages name are there.
func TestThePathsOfTheDocs(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var tops []string
	for _, e := range entries {
		if e.IsDir() {
			tops = append(tops, e.Name())
		}
	}
	form := regexp.MustCompile(`^[\w.-]+/[\w./-]*$`)
	n := 0
	for page, text := range pages.Read(t, root) {
		for _, code := range pages.Code(pages.Prose(text)) {
			top, _, _ := strings.Cut(code, "/")
			if !form.MatchString(code) || !slices.Contains(tops, top) || top == "bin" {
				continue
			}
			n++
			if _, err := os.Stat(filepath.Join(root, code)); err != nil {
				t.Errorf("%s: %s is not there", page, code)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d paths were found: the search is wrong", n)
	}
}

// Every command that the pages show can be typed: those in blocks are parsed whole,
// those within a sentence name commands and flags that there are; of `make` the target,
// of `go test` the packages and tests.
func TestTheCommandsOfTheDocs(t *testing.T) {
	n := 0
	for page, text := range pages.Read(t, root) {
		for _, c := range pages.Commands(text) {
			n++
			typed(t, page, c)
		}
	}
	if n < 60 {
		t.Errorf("only %d commands were found: the search is wrong", n)
	}
}

// Each bad day names a test, and there are all that it names.
func TestEveryBadDayOfTheDocsHasItsTest(t *testing.T) {
	have, err := funcs(filepath.Clean(root), true)
	if err != nil {
		t.Fatal(err)
	}
	rows, name := 0, regexp.MustCompile(`\bTest[A-Z]\w+`)
	for l := range strings.Lines(pages.Read(t, root)["docs/reliability.md"]) {
		if !strings.HasPrefix(l, "| ") || strings.HasPrefix(l, "| what happens") {
			continue
		}
		rows++
		named := name.FindAllString(l, -1)
		if len(named) == 0 {
			t.Errorf("no test: %s", l)
		}
		for _, n := range named {
			if !slices.Contains(have, n) {
				t.Errorf("there is no %s", n)
			}
		}
	}
	if rows < 15 {
		t.Errorf("%d rows", rows)
	}
}

// signed are words that stand after "vision" in texts that are signed, not commands.
var signed = []string{"case", "ledger"}

// typed checks one command of a page; those of the laboratory are checked beside it.
func typed(t *testing.T, page string, c pages.Command) {
	t.Helper()
	words := c.Words
	switch {
	case path.Base(words[0]) == "vision" && len(words) > 1:
		if !c.Whole && slices.Contains(signed, words[1]) {
			return
		}
		p, err := newParser(pages.Options()...)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Wrong(p); err != "" {
			t.Errorf("%s: %s: %s", page, c, err)
		}
	case words[0] == "make" && len(words) > 1:
		makefile, err := os.ReadFile(root + "/Makefile")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(makefile), "\n"+words[1]+":") {
			t.Errorf("%s: %s: the Makefile has no such target", page, c)
		}
	case words[0] == "go" && len(words) > 2 && words[1] == "test":
		for _, err := range tests(t, words[2:]) {
			t.Errorf("%s: %s: %s", page, c, err)
		}
	}
}

// tests says what is wrong with the arguments of go test: packages that are not there,
// and names that no test or benchmark of them has.
func tests(t *testing.T, args []string) (errs []string) {
	t.Helper()
	patterns := map[string]string{} // by the first word of what they name
	var have []string
	for i, a := range args {
		switch {
		case a == "-run" && i+1 < len(args):
			patterns["Test"] = args[i+1]
		case a == "-bench" && i+1 < len(args):
			patterns["Benchmark"] = args[i+1]
		case strings.HasPrefix(a, "./"):
			dir, below := strings.CutSuffix(a, "...")
			names, err := funcs(filepath.Join(root, dir), below)
			if err != nil || len(names) == 0 {
				errs = append(errs, a+": no tests are there")
			}
			have = append(have, names...)
		}
	}
	for kind, pattern := range patterns {
		for p := range strings.SplitSeq(pattern, "|") {
			re, err := regexp.Compile(p)
			if err != nil {
				errs = append(errs, err.Error())
				continue
			}
			is := func(name string) bool { return strings.HasPrefix(name, kind) && re.MatchString(name) }
			if p != "xxx" && p != "^$" && !slices.ContainsFunc(have, is) {
				errs = append(errs, "no "+kind+" is called like "+p)
			}
		}
	}
	return errs
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)

// funcs are the tests and benchmarks of a package, or of all below it.
func funcs(dir string, below bool) (names []string, err error) {
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && !below && file != filepath.Clean(dir):
			return fs.SkipDir
		case !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		b, err := os.ReadFile(file)
		for _, m := range testFunc.FindAllStringSubmatch(string(b), -1) {
			names = append(names, m[1])
		}
		return err
	})
	return names, err
}
