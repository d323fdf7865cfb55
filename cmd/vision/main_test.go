package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Every subcommand can be parsed, has a sentence, and refuses a flag that is not there.
func TestTheCommandLineHolds(t *testing.T) {
	p, err := kong.New(&cli, kong.Name("vision"))
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
	for _, line := range []string{"check -", "check --say es -", "check --norm nacional-1979 --say en -"} {
		if _, err := p.Parse(strings.Fields(line)); err != nil {
			t.Errorf("vision %s: %v", line, err)
		}
	}
}
