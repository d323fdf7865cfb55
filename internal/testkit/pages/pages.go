// Package pages reads README.md, docs and the laboratory's notes for tests that hold them
// against the programs.
package pages

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/alecthomas/kong"
)

// Read gives the texts by their path in the repository, of which root is the folder.
func Read(t testing.TB, root string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	notes, err := filepath.Glob(root + "/internal/lab/*.md")
	if err != nil || len(notes) == 0 {
		t.Fatal(notes, err)
	}
	out := map[string]string{}
	for _, file := range slices.Concat(files, notes, []string{root + "/README.md"}) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(filepath.ToSlash(file), root+"/")] = string(b)
	}
	return out
}

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	inline = regexp.MustCompile("`([^`\n]+)`")
)

// Prose is a page without its blocks of code.
func Prose(page string) string { return fence.ReplaceAllString(page, "") }

// Code is what stands as code within the sentences of a text.
func Code(text string) (out []string) {
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// Command is a command that a page shows.
type Command struct {
	Words []string // without prompt, remarks, redirections, variables set before it and sudo
	Whole bool     // it stands in a block, with everything that it needs
}

func (c Command) String() string { return "`" + strings.Join(c.Words, " ") + "`" }

// Commands are all that a page shows.
func Commands(page string) (out []Command) {
	for _, m := range fence.FindAllStringSubmatch(page, -1) {
		if m[1] != "sh" && m[1] != "ini" && m[1] != "" {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(m[2], "\\\n", " ")) {
			for _, words := range commands(line) {
				out = append(out, Command{words, true})
			}
		}
	}
	for _, code := range Code(Prose(page)) {
		for _, words := range commands(code) {
			out = append(out, Command{words, false})
		}
	}
	return out
}

// Options make a parser that neither prints nor exits, for which every file is there.
func Options() []kong.Option {
	file := kong.MapperFunc(anyFile)
	return []kong.Option{
		kong.NamedMapper("existingfile", file),
		kong.NamedMapper("existingdir", file),
		kong.Writers(io.Discard, io.Discard),
		kong.Exit(func(int) {}),
	}
}

// Wrong says what is wrong with a command of the program that p parses, made with Options: one
// in a block is parsed, one within a sentence names commands and flags that there are.
func (c Command) Wrong(p *kong.Kong) string {
	args := c.Words[1:]
	if c.Whole && !slices.Contains(args, "--help") {
		if _, err := p.Parse(args); err != nil {
			return err.Error()
		}
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
