// Package rulebook holds the norms as data: for each norm the games it has,
// what they pay, what they limit and prescribe, every figure with its article.
//
// A norm is one YAML file. What all games have (name, label, family) is read
// here; the rules of a family are read strictly into that family's own type,
// which the Schema names.
package rulebook

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"vision/internal/text"
)

//go:embed *.yaml
var shipped embed.FS

// Shipped is the folder of the norms that come with the program.
func Shipped() fs.FS { return shipped }

// Rules are the rules of one game as its family has them.
type Rules interface {
	// Check says what the schema cannot: figures that contradict one another.
	Check() error
}

// Schema gives for each family a new, empty value of its type of rules (a
// pointer), and under "supervision" and "session" that of the norm's section on them.
type Schema map[string]func() Rules

// Supervision and Session are the names in the Schema of the norm's sections on
// supervision and on sessions.
const (
	Supervision = "supervision"
	Session     = "session"
)

// Game is one game of one norm.
type Game struct {
	Code   string // "ruleta_francesa"
	Name   text.Text
	Label  string // the norm's own label, "A.1": with the norm's code the stem of every rule cited
	Family string
	Rules  Rules // of the family's type
}

// Norm is one norm.
type Norm struct {
	Code        string // "cantabria-2010"
	Name        text.Text
	Source      string // official title and gazette
	Games       map[string]*Game
	Supervision Rules // nil where the norm says nothing of it
	Session     Rules // of the life of a table between its rounds; nil where the norm says nothing of it
	File        string
}

// Rule is the citation of a game's rules: "cantabria-2010 A.1".
func (n *Norm) Rule(g *Game) string { return n.Code + " " + g.Label }

// Codes are the codes of the norm's games, sorted.
func (n *Norm) Codes() []string { return slices.Sorted(maps.Keys(n.Games)) }

// Books are the norms in force, by code.
type Books struct {
	norms map[string]*Norm
}

// ErrUnknownNorm and ErrUnknownGame tell what a record names that no book has.
var (
	ErrUnknownNorm = errors.New("unknown norm")
	ErrUnknownGame = errors.New("unknown game")
)

// Codes are the codes of the norms, sorted.
func (b *Books) Codes() []string { return slices.Sorted(maps.Keys(b.norms)) }

// Norm is the norm of a code.
func (b *Books) Norm(code string) (*Norm, error) {
	if n := b.norms[code]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("%w %q: known are %s", ErrUnknownNorm, code, strings.Join(b.Codes(), ", "))
}

// Game is a game of a norm.
func (b *Books) Game(norm, code string) (*Norm, *Game, error) {
	n, err := b.Norm(norm)
	if err != nil {
		return nil, nil, err
	}
	if g := n.Games[code]; g != nil {
		return n, g, nil
	}
	if len(n.Games) == 0 {
		return nil, nil, fmt.Errorf("%w %q: %s has no games", ErrUnknownGame, code, norm)
	}
	if near := text.Nearest(code, n.Codes()); near != "" {
		return nil, nil, fmt.Errorf("%w %q: did you mean %s? %s has %s", ErrUnknownGame, code, near, norm, strings.Join(n.Codes(), ", "))
	}
	return nil, nil, fmt.Errorf("%w %q: %s has %s", ErrUnknownGame, code, norm, strings.Join(n.Codes(), ", "))
}

// Load reads every *.yaml of the folders, later folders replacing the norms of
// earlier ones. Its error names every file that is wrong, with line and column.
func Load(schema Schema, folders ...fs.FS) (*Books, error) {
	b := &Books{norms: map[string]*Norm{}}
	var bad []error
	for _, folder := range folders {
		files, err := fs.Glob(folder, "*.yaml")
		if err != nil {
			return nil, fmt.Errorf("rulebook: %w", err)
		}
		for _, name := range files {
			data, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, fmt.Errorf("rulebook: %w", err)
			}
			n, err := Parse(schema, name, data)
			if err != nil {
				bad = append(bad, err)
				continue
			}
			b.norms[n.Code] = n
		}
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	if len(b.norms) == 0 {
		return nil, errors.New("rulebook: no norm found: a norm is a file NORM.yaml")
	}
	return b, nil
}

type normFile struct {
	Norm        string               `yaml:"norm"`
	Name        text.Text            `yaml:"name"`
	Source      string               `yaml:"source"`
	Games       map[string]gameEntry `yaml:"games"`
	Supervision ast.Node             `yaml:"supervision"`
	Session     ast.Node             `yaml:"session"`
}

type gameEntry struct {
	Name   text.Text `yaml:"name"`
	Label  string    `yaml:"label"`
	Family string    `yaml:"family"`
	Rules  ast.Node  `yaml:"rules"`
}

// Parse reads one norm. Its errors name file, line and column.
func Parse(schema Schema, name string, data []byte) (*Norm, error) {
	fail := func(where string, err error) (*Norm, error) {
		if where != "" {
			where = " " + where + ":"
		}
		return nil, fmt.Errorf("rulebook %s:%s %w", name, where, err)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return fail("", err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return fail("", errors.New("want exactly one document"))
	}
	var f normFile
	if err := decode(file.Docs[0].Body, &f); err != nil {
		return fail("", err)
	}
	n := &Norm{Code: f.Norm, Name: f.Name, Source: f.Source, Games: map[string]*Game{}, File: name}
	if want := strings.TrimSuffix(path.Base(name), ".yaml"); f.Norm != want {
		return fail("norm", fmt.Errorf("is %q: the file of %q is %s.yaml", f.Norm, f.Norm, f.Norm))
	}
	for _, code := range slices.Sorted(maps.Keys(f.Games)) {
		g, err := game(schema, code, f.Games[code])
		if err != nil {
			return fail("games."+code, err)
		}
		n.Games[code] = g
	}
	for _, section := range []struct {
		name string
		node ast.Node
		p    *Rules
	}{{Supervision, f.Supervision, &n.Supervision}, {Session, f.Session, &n.Session}} {
		if section.node == nil {
			continue
		}
		if *section.p, err = rules(schema, section.name, section.node); err != nil {
			return fail(section.name, err)
		}
	}
	return n, nil
}

func game(schema Schema, code string, e gameEntry) (*Game, error) {
	switch {
	case e.Label == "":
		return nil, errors.New("label: missing: write the norm's own label of the game")
	case e.Name.ES == "" || e.Name.EN == "":
		return nil, errors.New("name: write it in es and en")
	}
	r, err := rules(schema, e.Family, e.Rules)
	if err != nil {
		return nil, err
	}
	return &Game{Code: code, Name: e.Name, Label: e.Label, Family: e.Family, Rules: r}, nil
}

func rules(schema Schema, family string, node ast.Node) (Rules, error) {
	fresh := schema[family]
	if fresh == nil {
		return nil, fmt.Errorf("family: unknown %q: known are %s", family, strings.Join(slices.Sorted(maps.Keys(schema)), ", "))
	}
	r := fresh()
	if node != nil {
		if err := decode(node, r); err != nil {
			return nil, err
		}
	}
	return r, r.Check()
}

// decode reads a node strictly: unknown and repeated keys are errors, and
// errors name line and column of the file.
func decode(node ast.Node, v any) error {
	if err := yaml.NodeToValue(node, v, yaml.Strict()); err != nil {
		text := oneLine(yaml.FormatError(err, false, false))
		if !strings.HasPrefix(text, "[") { // an error of a value's own reader has no place
			text = locate(node, text) + text
		}
		return errors.New(text)
	}
	return nil
}

// locate finds the place of the value that an error quotes, "[11:13] ", or "".
func locate(node ast.Node, text string) string {
	parts := strings.SplitN(text, `"`, 3)
	if len(parts) < 3 {
		return ""
	}
	f := finder{value: parts[1]}
	ast.Walk(&f, node)
	return f.place
}

// finder looks for a scalar of some value.
type finder struct{ value, place string }

// Visit implements ast.Visitor.
func (f *finder) Visit(n ast.Node) ast.Visitor {
	if s, ok := n.(*ast.StringNode); ok && s.Value == f.value && f.place == "" {
		p := s.GetToken().Position
		f.place = fmt.Sprintf("[%d:%d] ", p.Line, p.Column)
	}
	return f
}

// oneLine keeps "[12:5] message" of an error of the YAML library.
func oneLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
