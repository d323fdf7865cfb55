package main

import (
	"path"
	"testing"

	"github.com/alecthomas/kong"

	"vision/internal/testkit/pages"
)

// Every subcommand has a sentence, but for those by which the program starts itself.
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
}

// Every command of the laboratory that the pages show can be typed.
func TestTheCommandsOfTheDocs(t *testing.T) {
	n := 0
	for page, text := range pages.Read(t, "../..") {
		for _, c := range pages.Commands(text) {
			if path.Base(c.Words[0]) != "lab" || len(c.Words) < 2 {
				continue
			}
			n++
			p, err := newParser(pages.Options()...)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Wrong(p); err != "" {
				t.Errorf("%s: %s: %s", page, c, err)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d commands were found: the search is wrong", n)
	}
}
