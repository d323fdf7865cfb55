package main

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
)

// Every subcommand can be parsed, has a sentence, and refuses a flag that is not there.
func TestTheCommandLineHolds(t *testing.T) {
	p, err := newParser()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var walk func(*kong.Node)
	walk = func(c *kong.Node) {
		for _, k := range c.Children {
			n++
			if k.Help == "" && !k.Hidden {
				t.Errorf("%s has no help", k.FullPath())
			}
			walk(k)
		}
	}
	walk(p.Model.Node)
	if n < 12 {
		t.Errorf("%d subcommands", n)
	}
	if _, err := p.Parse([]string{"run", "--no-such-flag"}); err == nil || !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("unknown flag: %v", err)
	}
	for _, line := range []string{"check -", "check --say es -", "check --norm nacional-1979 --say en -", "version --json"} {
		if _, err := p.Parse(strings.Fields(line)); err != nil {
			t.Errorf("vision %s: %v", line, err)
		}
	}
}

// The shell is told commands, flags, norms and games.
func TestTheShellCompletes(t *testing.T) {
	for line, want := range map[string]string{
		"vision verif":                          "verify",
		"vision vers":                           "version",
		"vision verify --k":                     "--key",
		"vision check --norm can":               "cantabria-2010",
		"vision calibrate table --game punto_b": "punto_banco",
		"vision calibrate board --o":            "--out",
		"vision completion ":                    "",
		"vision detect --kind d":                "dice",
	} {
		t.Setenv("COMP_LINE", line)
		t.Setenv("COMP_POINT", strconv.Itoa(len(line)))
		var out bytes.Buffer
		p, err := newParser(kong.Writers(&out, &out))
		if err != nil {
			t.Fatal(err)
		}
		done := -1
		kongcompletion.Register(p, append(predictors(), kongcompletion.WithExitFunc(func(code int) { done = code }))...)
		if got := strings.Fields(out.String()); done != 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q: %q (%d); want %q among it", line, got, done, want)
		}
	}
}

// Whoever asks for the version, by flag or command, is told the commit's place and the
// libraries that were found here.
func TestTheVersionIsTold(t *testing.T) {
	var said bytes.Buffer
	left := -1
	p, err := newParser(kong.Writers(&said, &said), kong.Exit(func(code int) { left = code }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse([]string{"--version"}); left != 0 {
		t.Fatalf("the program goes on: %v, exit %d", err, left)
	}
	for _, want := range []string{`^vision \S`, `(?m)^(commit|of an unknown commit)`, `(?m)^go1\.\d+.* linux/`,
		`(?m)^OpenCV 4\.\d`, `(?m)^FFmpeg \d`, `(?m)^ONNX Runtime 1\.\d`} {
		if !regexp.MustCompile(want).MatchString(said.String()) {
			t.Errorf("%q does not say %s", &said, want)
		}
	}
}
