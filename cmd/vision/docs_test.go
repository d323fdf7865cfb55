package main

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/alecthomas/kong"
)

const root = "../.."

// pages are the texts of README.md and docs, by their path in the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	out := map[string]string{}
	for _, file := range append(files, root+"/README.md") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(filepath.ToSlash(file), root+"/")] = string(b)
	}
	return out
}

var (
	link   = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	inline = regexp.MustCompile("`([^`\n]+)`")
	header = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// Every link leads to a file that is there and to a heading that it has, and whatever
// lies in docs is reached from the README.
func TestTheLinksOfTheDocs(t *testing.T) {
	all := pages(t)
	leads := map[string][]string{}
	for page, text := range all {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
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
	for _, m := range header.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
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
	for page, text := range pages(t) {
		for _, m := range inline.FindAllStringSubmatch(text, -1) {
			for _, r := range route.FindAllString(m[1], -1) {
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
	for page, text := range pages(t) {
		for _, m := range inline.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			top, _, _ := strings.Cut(m[1], "/")
			if !form.MatchString(m[1]) || !slices.Contains(tops, top) || top == "bin" {
				continue
			}
			n++
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: %s is not there", page, m[1])
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
	for page, text := range pages(t) {
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			if m[1] != "sh" && m[1] != "ini" && m[1] != "" {
				continue
			}
			for line := range strings.Lines(strings.ReplaceAll(m[2], "\\\n", " ")) {
				for _, words := range commands(line) {
					n++
					typed(t, page, words, true)
				}
			}
		}
		for _, m := range inline.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			for _, words := range commands(m[1]) {
				n++
				typed(t, page, words, false)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d commands were found: the search is wrong", n)
	}
}

// Each bad day has a test that is named (TestTheCommandsOfTheDocs finds it).
func TestEveryBadDayOfTheDocsHasItsTest(t *testing.T) {
	rows := 0
	for l := range strings.Lines(pages(t)["docs/reliability.md"]) {
		if !strings.HasPrefix(l, "| ") || strings.HasPrefix(l, "| what happens") {
			continue
		}
		rows++
		if !strings.Contains(l, "`go test ./") || !strings.Contains(l, " -run Test") {
			t.Errorf("no test: %s", l)
		}
	}
	if rows < 15 {
		t.Errorf("%d rows", rows)
	}
}

// typed checks one command of a page; whole: with everything that it needs.
func typed(t *testing.T, page string, words []string, whole bool) {
	t.Helper()
	say := "`" + strings.Join(words, " ") + "`"
	switch {
	case path.Base(words[0]) == "vision" && len(words) > 1:
		if err := parses(t, words[1:], whole); err != "" {
			t.Errorf("%s: %s: %s", page, say, err)
		}
	case words[0] == "make" && len(words) > 1:
		makefile, err := os.ReadFile(root + "/Makefile")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(makefile), "\n"+words[1]+":") {
			t.Errorf("%s: %s: the Makefile has no such target", page, say)
		}
	case words[0] == "go" && len(words) > 2 && words[1] == "test":
		for _, err := range tests(t, words[2:]) {
			t.Errorf("%s: %s: %s", page, say, err)
		}
	}
}

// signed are words that stand after "vision" in texts that are signed, not commands.
var signed = []string{"case", "ledger"}

// parses says what is wrong with the arguments of vision.
func parses(t *testing.T, args []string, whole bool) string {
	t.Helper()
	file := kong.MapperFunc(anyFile)
	p, err := newParser(
		kong.NamedMapper("existingfile", file),
		kong.NamedMapper("existingdir", file),
		kong.Writers(io.Discard, io.Discard),
		kong.Exit(func(int) {}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if whole && !slices.Contains(args, "--help") {
		if _, err := p.Parse(args); err != nil {
			return err.Error()
		}
		return ""
	}
	if !whole && slices.Contains(signed, args[0]) {
		return ""
	}
	at := p.Model.Node
	for _, w := range args {
		i := slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == w })
		switch flag, ok := strings.CutPrefix(w, "-"); {
		case i >= 0:
			at = at.Children[i]
		case at == p.Model.Node && !ok:
			return "there is no such command"
		case ok && flag != "" && !has(at, flag):
			return "there is no " + w
		}
	}
	return ""
}

// anyFile reads the name of a file that need not be there.
func anyFile(ctx *kong.DecodeContext, target reflect.Value) error {
	for more := true; more; more = target.Kind() == reflect.Slice && ctx.Value.Flag == nil && ctx.Scan.Peek().IsValue() {
		var name string
		if err := ctx.Scan.PopValueInto("file", &name); err != nil {
			return err
		}
		if target.Kind() == reflect.Slice {
			target.Set(reflect.Append(target, reflect.ValueOf(name)))
		} else {
			target.SetString(name)
		}
	}
	return nil
}

// has reports whether a command, or one of those below it, knows a flag: "-x", "--long".
func has(n *kong.Node, flag string) bool {
	long, ok := strings.CutPrefix(flag, "-")
	long, _, _ = strings.Cut(long, "=")
	for _, f := range n.AllFlags(true) {
		for _, x := range f {
			if ok && x.Name == long || !ok && string(x.Short) == flag {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.Children, func(c *kong.Node) bool { return has(c, flag) })
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

// commands are the commands of a line of a shell, as words: without the prompt, remarks,
// redirections, variables that are set before them and sudo.
func commands(line string) (out [][]string) {
	var words []string
	away := false // into a file
	end := func() {
		for len(words) > 0 && (words[0] == "$" || words[0] == "sudo" || strings.Contains(words[0], "=") &&
			!strings.HasPrefix(words[0], "-")) {
			words = words[1:]
		}
		if len(words) > 1 && words[0] == "-u" {
			words = words[2:]
		}
		if len(words) > 0 {
			out = append(out, words)
		}
		words, away = nil, false
	}
	for _, w := range split(strings.TrimPrefix(line, "ExecStart=")) {
		switch {
		case w == "&&" || w == "|" || w == ";":
			end()
		case w == ">":
			away = true
		case !away:
			words = append(words, w)
		}
	}
	end()
	return out
}

// split is a line as a shell splits it, up to a remark.
func split(line string) (words []string) {
	var quote rune
	word, in := "", false
	end := func() {
		if in {
			words = append(words, word)
		}
		word, in = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == '#' && !in:
			return words
		case unicode.IsSpace(r):
			end()
		default:
			word, in = word+string(r), true
		}
	}
	end()
	return words
}
