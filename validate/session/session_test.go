package session_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/session"
)

const (
	nac = "nacional-1979"
	bal = "balears-2005"
	and = "andalucia-2010"
	can = "cantabria-2010"
	cyl = "castilla-y-leon-2013"
)

// written makes a record of events written as "T TYPE FIELD=VALUE …", joined by
// ";". Values that read as JSON are JSON, others are strings. Fields of the
// record itself stand in extra.
func written(t testing.TB, norm, game, events string, extra map[string]any) []byte {
	t.Helper()
	rec := map[string]any{"schema": session.Schema, "id": "s", "norm": norm, "table": "T1", "date": "2026-03-14", "game": game}
	list := []any{}
	for text := range strings.SplitSeq(events, ";") {
		w := strings.Fields(text)
		if len(w) == 0 {
			continue
		}
		e := map[string]any{"t": value(w[0]), "type": w[1]}
		for _, field := range w[2:] {
			k, v, _ := strings.Cut(field, "=")
			e[k] = value(v)
		}
		list = append(list, e)
	}
	rec["events"] = list
	for k, v := range extra {
		rec[k] = v
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func value(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

func check(raw []byte, b *rulebook.Books) (session.Verdict, error) {
	rec, err := session.Parse(raw)
	if err != nil {
		return session.Verdict{}, err
	}
	return session.Check(b, rec)
}

func judged(t testing.TB, norm, game, events string, extra map[string]any) session.Verdict {
	t.Helper()
	v, err := check(written(t, norm, game, events, extra), books.Shipped(t))
	if err != nil {
		t.Fatalf("%s %s: %v", norm, game, err)
	}
	return v
}

// brief writes findings as "code what expected/observed @event from-to; …".
func brief(list []session.Finding) string {
	var out []string
	for _, f := range list {
		words := []string{string(f.Code)}
		for _, w := range []string{f.Jefe, f.Table, f.Role, f.What, f.Card} {
			if w != "" {
				words = append(words, w)
			}
		}
		if f.Expected != nil || f.Observed != nil {
			words = append(words, fmt.Sprintf("%s/%s", text(f.Expected), text(f.Observed)))
		}
		words = append(words, fmt.Sprintf("@%d", f.Event))
		if f.From != nil {
			words = append(words, fmt.Sprintf("%d-%d", *f.From, *f.To))
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "; ")
}

func text(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		return string(raw)
	}
	switch v.(type) {
	case nil:
		return "-"
	case session.Verdict, session.Carry:
		raw, _ := json.Marshal(v)
		return string(raw)
	}
	return fmt.Sprint(v)
}

// told is one session with what the norm says of it; cites is found in the rule of each finding.
type told struct {
	name, norm, game string
	events           string
	extra            map[string]any
	want, cites      string
}

func runTold(t *testing.T, list []told) {
	t.Helper()
	for _, c := range list {
		t.Run(c.norm+" "+c.name, func(t *testing.T) {
			v := judged(t, c.norm, c.game, c.events, c.extra)
			if got := brief(v.Findings); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, f := range v.Findings {
				if !strings.Contains(f.Rule, c.cites) || !strings.HasPrefix(f.Rule, c.norm+" ") {
					t.Errorf("%s cites %q, want %q", f.Code, f.Rule, c.cites)
				}
			}
		})
	}
}

func with(kv ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	return m
}

func options(kv ...any) map[string]any { return with("options", with(kv...)) }

// eva is on shift at this table alone.
const eva = `0 shift_start jefe=eva tables=[{"id":"T1"}];`

// TestCases runs the conformance cases of the contract.
func TestCases(t *testing.T) {
	data, err := os.ReadFile(shared.Dir(t, "cases", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct {
			Case, Why string
			Record    json.RawMessage
			Expect    map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if round.SchemaOf(c.Record) != session.Schema {
			continue // one table at the authorised minimum: a rule of the room
		}
		n++
		t.Run(c.Case, func(t *testing.T) {
			v, err := check(c.Record, books.Shipped(t))
			if refused := c.Expect["exit"] == 2.0; refused || err != nil {
				if !refused || err == nil {
					t.Fatalf("%s: error %v, want exit %v", c.Why, err, c.Expect["exit"])
				}
				return
			}
			raw, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			if list, ok := c.Expect["findings"].([]any); ok { // the contract lists them as a set
				slices.SortStableFunc(list, func(a, b any) int {
					x, y := a.(map[string]any), b.(map[string]any)
					return cmp.Or(cmp.Compare(x["event"].(float64), y["event"].(float64)), cmp.Compare(x["code"].(string), y["code"].(string)))
				})
			}
			for part, want := range c.Expect {
				for _, d := range differences(part, want, got[part]) {
					t.Errorf("%s: %s", c.Why, d)
				}
			}
		})
	}
	if n == 0 {
		t.Error("no cases")
	}
}

// differences compares what is wanted with what there is, list by list and field by field.
func differences(at string, want, got any) []string {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		var out []string
		for k, v := range w {
			out = append(out, differences(at+"."+k, v, g[k])...)
		}
		return out
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			return []string{fmt.Sprintf("%s: got %v, want %v", at, got, want)}
		}
		var out []string
		for i := range w {
			out = append(out, differences(fmt.Sprintf("%s[%d]", at, i), w[i], g[i])...)
		}
		return out
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s: got %v, want %v", at, got, want)}
	}
	return nil
}

func TestRefuses(t *testing.T) {
	const base = `0 open min=1; `
	clean := `0 open float=5 limits={"min":200,"max":4000}; 0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T2","game":"boule","open":true,"recording":"ok"}]; 60 round ref=r money={"in":1,"out":0}; 90 close`
	if _, err := check(written(t, can, "ruleta_americana", clean, nil), books.Shipped(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, game, events string
		extra              map[string]any
		path               string
	}{
		{"schema", "boule", clean, with("schema", "session/2"), "schema"},
		{"norm", "boule", clean, with("norm", "cantabria-2011"), "norm"},
		{"no table", "boule", clean, with("table", ""), "table"},
		{"date", "boule", clean, with("date", "14-3-2026"), "date"},
		{"game", "bola", clean, nil, "game"},
		{"variant", "boule", clean, with("variant", "three_layouts"), "variant"},
		{"cloths", "boule", clean, with("cloths", 3), "cloths"},
		{"recording", "boule", clean, with("recording", "maybe"), "recording"},
		{"field", "boule", clean, with("tables", 1), "tables"},
		{"option", "boule", clean, options("most", 4), "options.most"},
		{"option's value", "boule", clean, options("grace_s", -1), "options.grace_s"},
		{"floats", "boule", clean, options("floats", with("2.5", 1)), "options.floats.2.5"},
		{"not recorded", "boule", clean, options("not_recorded", []string{"shuffle", "mix"}), "options.not_recorded[1]"},
		{"carry", "boule", clean, with("carry", with("limits", with("max", 4))), "carry.limits.min"},
		{"no events", "boule", "", nil, "events"},
		{"type", "boule", "0 opened", nil, "events[0].type"},
		{"no time", "boule", "null open", nil, "events[0].t"},
		{"time runs back", "boule", "5 open; 4 round ref=a", nil, "events[1].t"},
		{"fraction", "boule", "0.5 open", nil, "events[0].t"},
		{"unknown field", "boule", base, nil, "events[0].min"},
		{"no minimum", "boule", `0 open limits={"max":5}`, nil, "events[0].limits.min"},
		{"negative amount", "boule", "0 open; 1 fill amount=-5", nil, "events[1].amount"},
		{"no amount", "boule", "0 open; 1 credit", nil, "events[1].amount"},
		{"money of a round", "boule", `0 round ref=a money={"in":-1,"out":0}`, nil, "events[0].money.in"},
		{"pozo", "boule", `0 round ref=a money={"in":1,"out":0,"pozo":-1}`, nil, "events[0].money.pozo"},
		{"reason", "boule", "0 round ref=a verifiable=false reason=rain", nil, "events[0].reason"},
		{"outcome", "boule", `0 round ref=a findings=[{"code":"late_bet","outcome":"forgotten"}]`, nil, "events[0].findings[0].outcome"},
		{"a code of no catalogue", "boule", `0 round ref=a findings=[{"code":"late_bets","outcome":"open"}]`, nil, "events[0].findings[0].code"},
		{"a neighbour of no shift", "boule", eva + `5 shift_start jefe=ana tables=[{"id":"T1","adjacent":["T2","T9"]},{"id":"T2","game":"boule","open":true,"recording":"ok"}]`, nil, "events[1].tables[0].adjacent[1]"},
		{"twice open", "boule", "0 open; 1 open", nil, "events[1].type"},
		{"twice closed", "boule", "0 close; 1 close", nil, "events[1].type"},
		{"a shift without this table", "boule", `0 shift_start jefe=eva tables=[{"id":"T2","game":"boule","open":true,"recording":"ok"}]`, nil, "events[0].tables"},
		{"a table without its game", "boule", `0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T2","open":true,"recording":"ok"}]`, nil, "events[0].tables[1].game"},
		{"a table twice", "boule", `0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T1"}]`, nil, "events[0].tables[1].id"},
		{"game of a table", "boule", `0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T2","game":"bola","open":true,"recording":"ok"}]`, nil, "events[0].tables[1].game"},
		{"who is not on", "boule", eva + "5 shift_end jefe=ana", nil, "events[1].jefe"},
		{"a table of nobody", "boule", eva + "5 table_state table=T9 open=true", nil, "events[1].table"},
		{"a recording of nobody", "boule", eva + "5 recording_lost table=T9", nil, "events[1].table"},
		{"after the shift", "boule", `0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T2","game":"boule","open":true,"recording":"ok"}]; 5 shift_end jefe=eva; 6 recording_restored table=T2`, nil, "events[2].table"},
		{"a changed game", "boule", "0 game_change game=bola", nil, "events[0].game"},
		{"its variant", "boule", "0 game_change game=blackjack variant=mini", nil, "events[0].variant"},
		{"staff", "boule", `0 staff source=stated staff={"pitboss":1}`, nil, "events[0].staff.pitboss"},
		{"no staff", "boule", `0 staff source=stated`, nil, "events[0].staff"},
		{"no persons", "boule", `0 staff source=counted`, nil, "events[0].persons"},
		{"sign", "boule", `0 limits_shown`, nil, "events[0].min"},
		{"a card", "boule", `0 talla_end seen={"Ax":1}`, nil, "events[0].seen.Ax"},
		{"an unseen card among the seen", "boule", `0 talla_end seen={"??":1}`, nil, "events[0].seen.??"},
		{"a replaced card", "boule", `0 deck_changed reason=wear card=1s`, nil, "events[0].card"},
		{"why the dice", "boule", `0 dice_changed dice=6`, nil, "events[0].reason"},
		{"seal", "boule", `0 sealed what=photo hash=a`, nil, "events[0].what"},
		{"cover", "boule", `0 close cover=blanket`, nil, "events[0].cover"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := check(written(t, can, c.game, c.events, c.extra), books.Shipped(t))
			var e *round.Error
			if !errors.As(err, &e) || e.Path != c.path || e.Problem == "" {
				t.Fatalf("got %v, want an error at %s", err, c.path)
			}
			if e.Record != "s" {
				t.Errorf("names record %q", e.Record)
			}
		})
	}
	for _, raw := range []string{`[]`, `{"schema":"session/1"`, `null`, `{"schema":"session/1","id":7}`} {
		if _, err := check([]byte(raw), books.Shipped(t)); err == nil {
			t.Errorf("%s is read", raw)
		}
	}
}
