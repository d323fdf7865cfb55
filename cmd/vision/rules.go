package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/goccy/go-yaml"

	"vision/internal/text"
	"vision/validate"
	"vision/validate/rulebook"
)

// RulesCmd shows and checks rulebooks.
type RulesCmd struct {
	List  RulesListCmd  `cmd:"" help:"List the norms and their games."`
	Show  RulesShowCmd  `cmd:"" help:"Show the rules of a norm, or of one of its games."`
	Check RulesCheckCmd `cmd:"" help:"Check rulebook files; errors name line and column."`
}

// RulesListCmd lists norms and games.
type RulesListCmd struct {
	normsFlag
	JSON bool `help:"Write JSON." name:"json"`
}

// normView is a norm as "rules list" and "rules show" write it.
type normView struct {
	Norm   string     `json:"norm"`
	Name   text.Text  `json:"name"`
	Source string     `json:"source"`
	Games  []gameView `json:"games"`

	Supervision rulebook.Rules `json:"supervision,omitempty"`
	Session     rulebook.Rules `json:"session,omitempty"`
}

type gameView struct {
	Game   string         `json:"game"`
	Name   text.Text      `json:"name"`
	Rule   string         `json:"rule"`
	Family string         `json:"family"`
	Rules  rulebook.Rules `json:"rules,omitempty"`
}

func viewNorm(n *rulebook.Norm, rules bool) normView {
	v := normView{Norm: n.Code, Name: n.Name, Source: n.Source, Games: []gameView{}}
	for _, code := range n.Codes() {
		v.Games = append(v.Games, viewGame(n, n.Games[code], rules))
	}
	if rules {
		v.Supervision, v.Session = n.Supervision, n.Session
	}
	return v
}

func viewGame(n *rulebook.Norm, g *rulebook.Game, rules bool) gameView {
	v := gameView{Game: g.Code, Name: g.Name, Rule: n.Rule(g), Family: g.Family}
	if rules {
		v.Rules = g.Rules
	}
	return v
}

// Run writes the list.
func (c *RulesListCmd) Run() error {
	books, err := c.books()
	if err != nil {
		return err
	}
	var views []normView
	for _, code := range books.Codes() {
		n, err := books.Norm(code)
		if err != nil {
			return err
		}
		views = append(views, viewNorm(n, false))
	}
	if c.JSON {
		return writeJSON(os.Stdout, views)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, n := range views {
		fmt.Fprintf(w, "%s\t\t%s\n", n.Norm, n.Source)
		for _, g := range n.Games {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", g.Game, strings.TrimPrefix(g.Rule, n.Norm+" "), g.Name.ES)
		}
	}
	return w.Flush()
}

// RulesShowCmd shows a norm or a game with every figure and its article.
type RulesShowCmd struct {
	normsFlag
	Norm string `arg:"" help:"Code of the norm."`
	Game string `arg:"" optional:"" help:"Code of the game."`
	JSON bool   `help:"Write JSON instead of YAML." name:"json"`
}

// Run writes the rules.
func (c *RulesShowCmd) Run() error {
	books, err := c.books()
	if err != nil {
		return err
	}
	var view any
	if c.Game == "" {
		n, err := books.Norm(c.Norm)
		if err != nil {
			return err
		}
		view = viewNorm(n, true)
	} else {
		n, g, err := books.Game(c.Norm, c.Game)
		if err != nil {
			return err
		}
		view = viewGame(n, g, true)
	}
	if c.JSON {
		return writeJSON(os.Stdout, view)
	}
	return writeYAML(os.Stdout, view)
}

// RulesCheckCmd checks rulebook files as the program would load them.
type RulesCheckCmd struct {
	Files []string `arg:"" help:"Rulebook files, NORM.yaml each." name:"file" type:"existingfile"`
}

// Run checks each file and names every one that is wrong.
func (c *RulesCheckCmd) Run() error {
	var bad []error
	for _, name := range c.Files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		n, err := rulebook.Parse(validate.Schema(), filepath.Base(name), data)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		fmt.Printf("%s: %s, %d games\n", name, n.Code, len(n.Games))
	}
	return errors.Join(bad...)
}

// writeYAML writes what the JSON would say, in its order and without what is empty.
func writeYAML(w io.Writer, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	out, err := yaml.JSONToYAML(raw)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
