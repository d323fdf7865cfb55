package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"

	"vision/internal/command"
	"vision/internal/pipeline"
	"vision/validate"
	"vision/validate/explain"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/session"
	"vision/validate/supervision"
)

// normsFlag adds norms of the house to the shipped ones.
type normsFlag struct {
	Norms string `help:"Folder with further norms (NORM.yaml each); one of the same code replaces the shipped one." type:"existingdir" placeholder:"DIR"`
}

func (f normsFlag) books() (*rulebook.Books, error) { return pipeline.Books(f.Norms) }

// CheckCmd judges records of rounds, of supervision, and of sessions.
type CheckCmd struct {
	normsFlag
	Norm  string   `help:"Judge every record by this norm instead of its own." placeholder:"NORM" predictor:"norm"`
	Say   string   `help:"Write a sentence for each finding, in es, en or ca, instead of the verdicts." enum:",es,en,ca" default:"" placeholder:"LANGUAGE"`
	Files []string `arg:"" help:"Files with one record, or one a line; - reads standard input." name:"file"`
}

// Help says what the exit status means.
func (CheckCmd) Help() string {
	return `Judges records of rounds (round/1), of the tables that each jefe de mesa has
(supervision/1) and of the session of a table from its opening to its closing
(session/1: limits, changes of game, float, packs, dice, supervision, last rounds).
A file may mix them; the schema of a record says which it is.

Writes one verdict a line, in the order of the records.

Exit status: 0 no findings; 3 at least one finding; 2 a record is malformed or
names something unknown (one line each on standard error; the others are judged).`
}

// Run judges the files in turn.
func (c *CheckCmd) Run() error {
	books, err := c.books()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	k := &checker{books: books, norm: c.Norm, say: c.Say, out: out, errs: os.Stderr}
	for _, name := range c.Files {
		if err := k.file(name); err != nil {
			return err
		}
	}
	return k.status()
}

// checker judges streams of records and remembers how they came out.
type checker struct {
	books         *rulebook.Books
	norm          string
	say           string // language of the sentences; "": write the verdicts
	out, errs     io.Writer
	found, broken bool
}

func (k *checker) file(name string) error {
	if name == "-" {
		return k.stream(os.Stdin, "standard input")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return k.stream(f, name)
}

func (k *checker) stream(r io.Reader, name string) error {
	return round.ReadLines(r, func(line int, raw []byte) error {
		v, err := k.judge(raw)
		if err != nil {
			k.broken = true
			fmt.Fprintf(k.errs, "%s:%d: %s\n", name, line, err)
			return nil
		}
		k.found = k.found || v.findings > 0
		if err := k.write(v); err != nil {
			return err
		}
		if f, ok := k.out.(interface{ Flush() error }); ok {
			return f.Flush() // a verdict is read as soon as it is there
		}
		return nil
	})
}

// judged is a verdict of any sort.
type judged struct {
	verdict  any
	findings int
	say      func(i int) string // the sentence of a finding
}

// write puts out a verdict, or what it says.
func (k *checker) write(v judged) error {
	if k.say == "" {
		return round.Encode(k.out, v.verdict)
	}
	for i := range v.findings {
		if _, err := fmt.Fprintln(k.out, v.say(i)); err != nil {
			return err
		}
	}
	return nil
}

// judge is the verdict on one record.
func (k *checker) judge(raw []byte) (judged, error) {
	switch round.SchemaOf(raw) {
	case room.Schema:
		return k.supervise(raw)
	case session.Schema:
		return k.session(raw)
	}
	rec, err := round.Parse(raw)
	if err != nil {
		return judged{}, err
	}
	rec.Norm = cmp.Or(k.norm, rec.Norm)
	v, err := validate.Check(k.books, rec)
	say := func(i int) string { return rec.ID + ": " + explain.Sentence(k.say, &v, &v.Findings[i]) }
	return judged{v, len(v.Findings), say}, err
}

func (k *checker) supervise(raw []byte) (judged, error) {
	rec, err := room.Parse(raw)
	if err != nil {
		return judged{}, err
	}
	rec.Norm = cmp.Or(k.norm, rec.Norm)
	v, err := supervision.Check(k.books, rec)
	say := func(i int) string {
		f := &v.Findings[i]
		return fmt.Sprintf("%s: %s (%s)", rec.ID, explain.Duties{Books: k.books}.Say(k.say, rec, f), f.Rule)
	}
	return judged{v, len(v.Findings), say}, err
}

func (k *checker) session(raw []byte) (judged, error) {
	rec, err := session.Parse(raw)
	if err != nil {
		return judged{}, err
	}
	rec.Norm = cmp.Or(k.norm, rec.Norm)
	v, err := session.Check(k.books, rec)
	say := func(i int) string {
		f := &v.Findings[i]
		return fmt.Sprintf("%s: %s (%s)", rec.ID, explain.Happening(k.say, rec.Table, f), f.Rule)
	}
	return judged{v, len(v.Findings), say}, err
}

func (k *checker) status() error {
	switch {
	case k.broken:
		return command.Status(2)
	case k.found:
		return command.Status(3)
	}
	return nil
}
