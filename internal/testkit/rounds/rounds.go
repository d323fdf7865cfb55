// Package rounds is what the tests of the engines share: records written in short or
// read from a file, their verdicts under the shipped norms, findings and settlements
// as one line of text, and properties that hold for the rounds of every game.
package rounds

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/cited"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
)

// T is what is needed of a test: a *testing.T, B or F, or a *rapid.T.
type T interface {
	books.T
	Fatalf(format string, args ...any)
}

// Rules are a norm's rules of a game, of the engine's type.
func Rules[R any](t T, norm, game string) R {
	t.Helper()
	_, g, err := books.Shipped(t).Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Rules.(R)
}

// Parse reads a record from JSON.
func Parse(t T, raw string) *round.Record {
	t.Helper()
	rec, err := round.Parse([]byte(raw))
	if err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return rec
}

// Of is a record of one game: the table and the events are JSON, without the brackets
// around the events.
func Of(t T, norm, game, table, events string) *round.Record {
	t.Helper()
	return Parse(t, `{"schema":"round/1","id":"t","norm":"`+norm+`","game":"`+game+`","table":`+table+`,"carry":{},"events":[`+events+`]}`)
}

// File reads a file of records, one a line.
func File(t T, name string) []*round.Record {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*round.Record
	err = round.ReadLines(f, func(_ int, raw []byte) error {
		rec, err := round.Parse(raw)
		out = append(out, rec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Verdict is the verdict on a record under the shipped norms.
func Verdict(t T, rec *round.Record) round.Verdict {
	t.Helper()
	v, err := validate.Check(books.Shipped(t), rec)
	if err != nil {
		t.Fatalf("%s %s %s: %v", rec.ID, rec.Norm, rec.Game, err)
	}
	return v
}

// Cited is the verdict on a record all of which the test compares: its articles are
// noted as judged by the test.
func Cited(t testing.TB, rec *round.Record) round.Verdict {
	t.Helper()
	return cited.Judged(t, Verdict(t, rec))
}

// FindsUnder demands a finding of a code under a rule, and notes the rule as judged.
func FindsUnder(t testing.TB, rec *round.Record, code finding.Code, rule string) {
	t.Helper()
	v := Verdict(t, rec)
	k := slices.IndexFunc(v.Findings, func(f round.Finding) bool { return f.Code == code && f.Rule == rule })
	if k < 0 {
		t.Errorf("%s: no %s under %s: %+v", JSON(rec), code, rule, v.Findings)
		return
	}
	v.Findings, v.Settlement = v.Findings[k:k+1], nil
	cited.Judged(t, v)
}

// Retime numbers the events' times from 0.
func Retime(rec *round.Record) {
	for i := range rec.Events {
		rec.Events[i].T = float64(i)
	}
}

// Settle collects and pays what a verdict says, losers first, and clears the table.
func Settle(rec *round.Record, v round.Verdict) {
	var pays []round.Event
	for _, l := range v.Settlement {
		if lost := l.Stake - l.Returns; lost > 0 && l.Outcome != round.Stay {
			rec.Events = append(rec.Events, round.Event{Type: round.Collect, Seat: l.Seat, Spot: l.Spot, Amount: lost})
		}
		if l.Pays > 0 {
			pays = append(pays, round.Event{Type: round.Pay, Seat: l.Seat, Spot: l.Spot, Amount: l.Pays})
		}
	}
	rec.Events = append(append(rec.Events, pays...), round.Event{Type: round.Clear})
	Retime(rec)
}

// JSON is a value as it is written.
func JSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// Norms are the shipped norms that have card games of points.
var Norms = []string{"nacional-1979", "balears-2005", "andalucia-2010", "cantabria-2010"}

// Catalogues are those of Norms whose sections have the same headings in every game.
var Catalogues = []string{"andalucia-2010", "cantabria-2010"}
