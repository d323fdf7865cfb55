package round

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
)

const whole = `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T","min":100,"max":5000,"decks":6,"options":{"a":true}},
"carry":{"point":4},"events":[
{"t":0,"type":"bet","seat":1,"spot":"main","amount":500},
{"t":0.5,"type":"card","zone":"seat:1","card":"As","face":"up","conf":0.9},
{"t":1,"type":"card","zone":"bank","card":"??","face":"down"},
{"t":2,"type":"announce","by":"croupier","call":"punto","points":0,"ok":false,"number":17},
{"t":3,"type":"incident","kind":"cards_touch","seats":[2,3]},
{"t":4,"type":"reveal","zone":"bank","cards":["Td","Jk"]},
{"t":5,"type":"dice","faces":[1,0],"irregular":"cocked"},
{"t":5,"type":"dice","faces":[],"irregular":"off_table"},
{"t":5,"type":"clear"}]}`

func TestParse(t *testing.T) {
	r, err := Parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if r.Table.Min != 100 || r.Table.Max != 5000 || r.Table.Decks != 6 || string(r.Carry) != `{"point":4}` || len(r.Events) != 9 {
		t.Errorf("read %+v", r)
	}
	if c := r.Events[1].Confidence(); c != 0.9 || r.Events[0].Conf != nil || r.Events[0].Confidence() != 1 {
		t.Error("confidence: written 0.9 reads", c, "; absent is nil and counts 1")
	}
	e := r.Events[3]
	if e.Points == nil || *e.Points != 0 || e.OK == nil || *e.OK || e.Number != "17" {
		t.Errorf("arguments that are 0 or false are there: %+v", e)
	}
	if i := r.Events[4]; !slices.Equal(i.Seats, []int{2, 3}) {
		t.Errorf("what the incident concerns: %+v", i)
	}
	if got := r.Events[5].Cards; len(got) != 2 || got[1] != card.Joker {
		t.Error("cards:", got)
	}
}

// TestRoundTrip: a record that is written reads as the same record.
func TestRoundTrip(t *testing.T) {
	first, err := Parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Encode(&out, first); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(out.Bytes())
	if err != nil {
		t.Fatalf("%v in %s", err, &out)
	}
	if !reflect.DeepEqual(first, again) {
		t.Errorf("wrote %+v\nread  %+v", first, again)
	}
}

func TestParseRefuses(t *testing.T) {
	event := func(e string) string {
		return `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T"},"events":[{"t":1,"type":"clear"},` + e + `]}`
	}
	for _, c := range []struct{ name, text, path, says string }{
		{"no JSON", `{"id":`, "", "no JSON"},
		{"an array", `[1]`, "", "no object"},
		{"null", `null`, "", "null"},
		{"no id", `{"schema":"round/1"}`, "id", "missing"},
		{"schema", `{"schema":"round/9","id":"r1","norm":"n","game":"g"}`, "schema", "unknown schema"},
		{"unknown field", `{"schema":"round/1","id":"r1","norm":"n","game":"g","tabel":{}}`, "tabel", "unknown field"},
		{"no table", `{"schema":"round/1","id":"r1","norm":"n","game":"g","events":[]}`, "table", "missing"},
		{"negative minimum", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T","min":-1},"events":[]}`, "table.min", "out of range"},
		{"no packs", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T","decks":0},"events":[]}`, "table.decks", "out of range"},
		{"fraction", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T","max":1.5},"events":[]}`, "table.max", "no integer"},
		{"carry", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T"},"carry":[],"events":[]}`, "carry", "no object"},
		{"no events", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T"}}`, "events", "missing"},
		{"events null", `{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T"},"events":null}`, "events", "no array"},
		{"type", event(`{"t":2,"type":"bett"}`), "events[1].type", "unknown event type"},
		{"no time", event(`{"type":"clear"}`), "events[1].t", "missing"},
		{"time text", event(`{"t":"2","type":"clear"}`), "events[1].t", "no number"},
		{"time runs back", event(`{"t":0.5,"type":"clear"}`), "events[1].t", "backwards"},
		{"no amount", event(`{"t":2,"type":"bet","seat":1,"spot":"x"}`), "events[1].amount", "missing"},
		{"amount zero", event(`{"t":2,"type":"bet","seat":1,"spot":"x","amount":0}`), "events[1].amount", "range"},
		{"amount negative", event(`{"t":2,"type":"pay","seat":1,"spot":"x","amount":-5}`), "events[1].amount", "range"},
		{"amount huge", event(`{"t":2,"type":"pay","seat":1,"spot":"x","amount":9000000000000000000}`), "events[1].amount", "range"},
		{"amount fraction", event(`{"t":2,"type":"pay","seat":1,"spot":"x","amount":1e2}`), "events[1].amount", "no integer"},
		{"nothing burned", event(`{"t":2,"type":"burn","count":0}`), "events[1].count", "is 0"},
		{"seat zero", event(`{"t":2,"type":"bet","seat":0,"spot":"x","amount":5}`), "events[1].seat", "range"},
		{"neither seat nor zone", event(`{"t":2,"type":"action","action":"hit"}`), "events[1].seat or zone", "missing"},
		{"card", event(`{"t":2,"type":"card","zone":"bank","card":"1s","face":"up"}`), "events[1].card", "unknown card"},
		{"face", event(`{"t":2,"type":"card","zone":"bank","card":"As","face":"sideways"}`), "events[1].face", "unknown face"},
		{"cards", event(`{"t":2,"type":"reveal","zone":"bank","cards":["As","8O","9O"]}`), "events[1].cards[1]", "unknown card"},
		{"faces", event(`{"t":2,"type":"dice","faces":[1,7]}`), "events[1].faces[1]", "range"},
		{"confidence", event(`{"t":2,"type":"clear","conf":1.2}`), "events[1].conf", "range"},
		{"empty spot", event(`{"t":2,"type":"bet","seat":1,"spot":"","amount":5}`), "events[1].spot", "empty"},
		{"spot null", event(`{"t":2,"type":"bet","seat":1,"spot":null,"amount":5}`), "events[1].spot", "no string"},
		{"ok text", event(`{"t":2,"type":"announce","by":"jefe","call":"x","ok":"yes"}`), "events[1].ok", "no boolean"},
		{"incident: seat as a zone", event(`{"t":2,"type":"incident","kind":"cards_touch","with":"seat:4"}`), "events[1].with", "no seat"},
		{"incident: no seat in it", event(`{"t":2,"type":"incident","kind":"cards_touch","seats":{}}`), "events[1].seats", "no seat"},
		{"incident: seats as text", event(`{"t":2,"type":"incident","kind":"cards_touch","seats":["2"]}`), "events[1].seats[0]", "no seat"},
		{"incident: a seat below one", event(`{"t":2,"type":"incident","kind":"cards_touch","with":[0]}`), "events[1].with[0]", "no seat"},
		{"incident: a fraction", event(`{"t":2,"type":"incident","kind":"cards_touch","with":2.5}`), "events[1].with", "no seat"},
		{"incident: null", event(`{"t":2,"type":"incident","kind":"cards_touch","with":null}`), "events[1].with", "no seat"},
		{"incident: empty", event(`{"t":2,"type":"incident","kind":"cards_touch","seats":[]}`), "events[1].seats", "empty"},
		{"incident: a seat twice", event(`{"t":2,"type":"incident","kind":"cards_touch","seats":[2,2]}`), "events[1].seats[1]", "twice"},
		{"incident: by", event(`{"t":2,"type":"incident","kind":"card_floor","by":"dealer"}`), "events[1].by", "unknown speaker"},
		{"incident: count", event(`{"t":2,"type":"incident","kind":"cards_stuck","count":0}`), "events[1].count", "range"},
		{"incident: number of card", event(`{"t":2,"type":"incident","kind":"card_exposed","card_no":0}`), "events[1].card_no", "range"},
		{"incident: number of card as text", event(`{"t":2,"type":"incident","kind":"card_exposed","card_no":"1"}`), "events[1].card_no", "no integer"},
		{"incident: card", event(`{"t":2,"type":"incident","kind":"card_exposed","card":"Xx"}`), "events[1].card", "unknown card"},
		{"incident: thrown", event(`{"t":2,"type":"incident","kind":"card_into_basket","thrown":1}`), "events[1].thrown", "no boolean"},
		{"incident: another argument", event(`{"t":2,"type":"incident","kind":"cards_touch","hands":[2,4]}`), "events[1].hands", "unknown field"},
		{"incident: an argument of other events", event(`{"t":2,"type":"incident","kind":"overchip","amount":5}`), "events[1].amount", "unknown field"},
		{"number list", event(`{"t":2,"type":"announce","by":"jefe","call":"x","number":[1]}`), "events[1].number", "no number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			var e *Error
			if !errors.As(err, &e) || e.Path != c.path || !strings.Contains(e.Problem, c.says) {
				t.Fatalf("got %v, want %q at %s", err, c.says, c.path)
			}
			if strings.Contains(c.text, `"r1"`) && e.Record != "r1" {
				t.Errorf("the error names no record: %v", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

// TestUnknownFields: no type of event takes a field that is not its own: a misspelt one, one
// of another type, or one that it must hold and that is therefore missing, too. The error
// names the field and those that there may be.
func TestUnknownFields(t *testing.T) {
	for _, c := range []struct{ event, field, allowed string }{
		{`"type":"dice","faces":[1,2],"irregullar":"off_table"`, "irregullar", "conf, faces, irregular, t, type"},
		{`"type":"ball","pocket":"0","irregular":"off_table"`, "irregular", "conf, pocket, t, type"},
		{`"type":"bet","seat":1,"spot":"x","ammount":5`, "ammount", "amount, conf, seat, spot, t, type"},
		{`"type":"withdraw","seat":1,"spot":"x","amount":5,"by":"player"`, "by", "amount, conf, seat, spot, t, type"},
		{`"type":"pay","seat":1,"spot":"x","amount":5,"zone":"seat:1"`, "zone", "amount, conf, seat, spot, t, type"},
		{`"type":"commission","seat":1,"amount":5,"rate":5`, "rate", "amount, conf, seat, spot, t, type, zone"},
		{`"type":"move","seat":1,"from":"a","to":"b","amount":5,"spot":"a"`, "spot", "amount, conf, from, seat, t, to, type"},
		{`"type":"action","seat":1,"action":"draw","discards":["As"]`, "discards", "action, amount, conf, discard, seat, spot, t, type, zone"},
		{`"type":"card","zone":"bank","card":"As","facing":"up"`, "facing", "card, conf, face, t, type, zone"},
		{`"type":"reveal","zone":"bank","cards":["As"],"card":"As"`, "card", "cards, conf, t, type, zone"},
		{`"type":"arrange","zone":"bank","high":["As"],"low":["Ks"],"hihg":["As"]`, "hihg", "conf, high, low, seat, t, type, zone"},
		{`"type":"burn","count":1,"cards":["As"]`, "cards", "card, conf, count, t, type"},
		{`"type":"shuffle","by":"croupier"`, "by", "conf, t, type"},
		{`"type":"clear","note":1`, "note", "conf, t, type"},
		{`"type":"announce","by":"jefe","call":"number","colour":"rojo"`, "colour", "amount, by, call, category, color, combination, conf"},
		{`"type":"incident","kind":"cards_touch","hands":[2,4]`, "hands", "by, card, card_no, conf, count, kind, seat, seats, t, thrown, type, with, zone"},
	} {
		_, err := Parse([]byte(`{"schema":"round/1","id":"r1","norm":"n","game":"g","table":{"id":"T"},"events":[{"t":1,` + c.event + `}]}`))
		var e *Error
		if !errors.As(err, &e) || e.Path != "events[0]."+c.field || e.Problem != "unknown field" || !strings.Contains(e.Fix, "one of "+c.allowed) {
			t.Errorf("%s: got %v, want the field %s and those allowed: %s", c.event, err, c.field, c.allowed)
		}
	}
}

func TestReadLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		lines      []int
	}{
		{"lines", "{\"a\":1}\n\n{\"a\":2}\n", []string{`{"a":1}`, `{"a":2}`}, []int{1, 3}},
		{"no newline at the end", `{"a":1}`, []string{`{"a":1}`}, []int{1}},
		{"indented", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n{\"a\":2}\n", []string{"{\n  \"a\": {\n    \"b\": 1\n  }\n}", `{"a":2}`}, []int{1, 6}},
		{"a broken line does not swallow the next", "{\"a\":\n{\"a\":2}\nnonsense\n{\"a\":3}", []string{`{"a":`, `{"a":2}`, "nonsense", `{"a":3}`}, []int{1, 2, 3, 4}},
		{"windows", "{\"a\":1}\r\n{\"a\":2}\r\n", []string{`{"a":1}`, `{"a":2}`}, []int{1, 2}},
		{"empty", "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			var lines []int
			err := ReadLines(strings.NewReader(c.text), func(n int, raw []byte) error {
				lines = append(lines, n)
				got = append(got, string(raw))
				return nil
			})
			if err != nil || !reflect.DeepEqual(got, c.want) || !slices.Equal(lines, c.lines) {
				t.Errorf("got %q of lines %v, %v, want %q of %v", got, lines, err, c.want, c.lines)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	o := Options{"b": json.RawMessage("true"), "i": json.RawMessage("3"), "w": json.RawMessage(`"k"`), "f": json.RawMessage("0.25")}
	r := o.Reader()
	if v := r.Bool("b", false); !v {
		t.Error("bool", v)
	}
	if v := r.Bool("absent", true); !v {
		t.Error("default", v)
	}
	if v := r.OneInt("i", 1, 1, 3); v != 3 {
		t.Error("int", v)
	}
	if v := r.Float("f", 1, 0, 1); v != 0.25 {
		t.Error("float", v)
	}
	if r.Err() != nil {
		t.Error(r.Err())
	}
	for what, read := range map[string]func(r *OptionReader){
		"3 is no boolean":       func(r *OptionReader) { r.Bool("i", true) },
		"3 is not in the list":  func(r *OptionReader) { r.OneInt("i", 1, 1, 2) },
		"k is not in the list":  func(r *OptionReader) { r.Word("w", "k-1", "k-1") },
		"true is no number":     func(r *OptionReader) { r.Float("b", 1, 0, 1) },
		"true is no list":       func(r *OptionReader) { r.Decode("b", new([]int)) },
		"3 is not from 4 to 5":  func(r *OptionReader) { r.Int("i", 4, 4, 5) },
		"0.25 is no amount":     func(r *OptionReader) { r.Cents("f", 0) },
		"a later value is good": func(r *OptionReader) { r.Bool("i", true); r.Bool("b", true) },
	} {
		r := o.Reader()
		if read(r); r.Err() == nil {
			t.Error(what)
		}
	}
	if err := o.Known("b", "i", "w"); err == nil || !strings.Contains(err.Error(), "table.options.f") {
		t.Error("unknown option:", err)
	}
}

// TestVerdictShape: the order of fields is the contract's and no list is null.
func TestVerdictShape(t *testing.T) {
	v := Verdict{Settlement: []Settlement{{Seat: 2, Spot: "b"}, {Seat: 2, Spot: "a"}, {Seat: 1, Spot: "z"}},
		Findings: []Finding{{Code: "b", Event: 3}, {Code: "a", Event: 3, Seat: 2}, {Code: "a", Event: 3, Seat: 1, Expected: Null},
			{Code: "z", Event: 1}}}
	v.Seal(&Record{ID: "i<>", Norm: "n", Game: "g"})
	var out bytes.Buffer
	if err := Encode(&out, v); err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"verdict/1","id":"i<>","norm":"n","game":"g","void":false,"hands":[],"result":{},` +
		`"settlement":[{"seat":1,"spot":"z","stake":0,"outcome":"","pays":0,"commission":0,"returns":0,"rule":""},` +
		`{"seat":2,"spot":"a","stake":0,"outcome":"","pays":0,"commission":0,"returns":0,"rule":""},` +
		`{"seat":2,"spot":"b","stake":0,"outcome":"","pays":0,"commission":0,"returns":0,"rule":""}],` +
		`"findings":[{"code":"z","severity":"","event":1,"rule":""},{"code":"a","severity":"","seat":1,"expected":null,"event":3,"rule":""},` +
		`{"code":"a","severity":"","seat":2,"event":3,"rule":""},{"code":"b","severity":"","event":3,"rule":""}],"next":{}}` + "\n"
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", &out, want)
	}
	if c, err := v.Carry(); c != nil || err != nil {
		t.Error("an empty next is no carry:", string(c), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"schema":"round/1","id":"x","norm":"n","game":"g","table":{"id":"T"},"events":[]}`))
	f.Add([]byte(`{"id":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !bytes.Contains(data, []byte("\\n")) && !bytes.Contains(data, []byte("\n")) {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		var out bytes.Buffer
		if err := Encode(&out, r); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(out.Bytes())
		if err != nil {
			t.Fatalf("%v in %s", err, &out)
		}
		var second bytes.Buffer
		_ = Encode(&second, again)
		if out.String() != second.String() {
			t.Errorf("written %s, then %s", &out, &second)
		}
	})
}

// TestOptionReader: the first error is kept, and what follows is read all the same.
func TestOptionReader(t *testing.T) {
	r := Options{"a": []byte("true"), "b": []byte("7"), "c": []byte(`"x"`), "d": []byte("900"), "e": []byte(`{"k":1}`)}.Reader()
	var e struct{ K int }
	if !r.Bool("a", false) || r.Int("b", 1, 0, 9) != 7 || r.Word("c", "y", "x", "y") != "x" || r.Cents("d", 0) != 900 || !r.Decode("e", &e) ||
		e.K != 1 || r.OneInt("z", 3, 1, 3) != 3 || !r.Has("a") || r.Has("z") || r.Err() != nil {
		t.Fatalf("%+v %v", e, r.Err())
	}
	r.Int("b", 1, 0, 5)
	r.Bool("c", true)
	r.Keep(nil)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "table.options.b") {
		t.Errorf("kept %v", err)
	}
}

// TestUnreadCarry: what does not fit is named as the record names it.
func TestUnreadCarry(t *testing.T) {
	type bet struct {
		Seat int    `json:"seat"`
		Spot string `json:"spot"`
	}
	var v struct {
		Point int   `json:"point"`
		Bets  []bet `json:"bets"`
	}
	for carry, want := range map[string]string{
		`{"points":4}`:             `carry: unknown field "points"`,
		`{"point":"4"}`:            `carry.point: string is no integer`,
		`{"point":4.5}`:            `carry.point: number 4.5 is no integer`,
		`{"bets":{}}`:              `carry.bets: object is no array`,
		`{"bets":[3]}`:             `carry.bets: number is no object`,
		`{"bets":[{"seat":[1]}]}`:  `carry.bets.seat: array is no integer`,
		`{"bets":[{"spot":true}]}`: `carry.bets.spot: bool is no string`,
	} {
		rec := Record{Carry: json.RawMessage(carry)}
		err := rec.ReadCarry(&v)
		if err == nil || !strings.HasPrefix(err.Error(), want+";") {
			t.Errorf("%s: %v, want %s", carry, err, want)
		}
	}
}
