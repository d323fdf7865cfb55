package round

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestFields: an object is read field by field; the first thing wrong is kept
// with its path, and nothing is read after it.
func TestFields(t *testing.T) {
	f := ReadFields([]byte(`{"name":"a","n":7,"none":null,"flag":true,"inner":{"x":1},"counts":{"b":2,"a":0},"list":["u","v"]}`), "top")
	inner := f.Object("inner")
	if n := inner.Count("x", 0); n != 1 || inner.Path("x") != "top.inner.x" {
		t.Error(n, inner.Path("x"))
	}
	f.Close(inner)
	f.Close(f.Object("absent"))
	if f.Text("name") != "a" || *f.Int("n", 0) != 7 || f.IntOrNull("none") != nil || f.IntOrNull("absent") != nil || !f.Bool("flag", false) ||
		!f.Bool("absent", true) {
		t.Error("values", f.Err())
	}
	if c := f.Counts("counts"); c["b"] != 2 || len(c) != 2 || !slices.Equal(f.Texts("list"), []string{"u", "v"}) || f.Texts("absent") != nil {
		t.Error("lists", f.Err())
	}
	if f.Word("absent", "first", "second") != "first" || f.Count("absent", 9) != 9 || f.Flag("absent") != nil {
		t.Error("what is not there", f.Err())
	}
	if err := f.Done(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		text string
		read func(f *Fields)
		path string
	}{
		{`{}`, func(f *Fields) { f.Need("id", "add it") }, "top.id"},
		{`{"id":""}`, func(f *Fields) { f.Text("id") }, "top.id"},
		{`{"n":-1}`, func(f *Fields) { f.Count("n", 0) }, "top.n"},
		{`{"n":1.0}`, func(f *Fields) { f.Int("n", 0) }, "top.n"},
		{`{"n":9e99}`, func(f *Fields) { f.Int("n", 0) }, "top.n"},
		{`{"w":"third"}`, func(f *Fields) { f.Word("w", "first", "second") }, "top.w"},
		{`{"b":null}`, func(f *Fields) { f.Bool("b", true) }, "top.b"},
		{`{"o":[]}`, func(f *Fields) { f.Close(f.Object("o")) }, "top.o"},
		{`{"o":{"y":1}}`, func(f *Fields) { f.Close(f.Object("o")) }, "top.o.y"},
		{`{"c":{"a":-2}}`, func(f *Fields) { f.Counts("c") }, "top.c.a"},
		{`{"l":{}}`, func(f *Fields) { f.Texts("l") }, "top.l"},
		{`{"l":["a",5]}`, func(f *Fields) { f.Texts("l") }, "top.l[1]"},
		{`{"x":1,"n":-1}`, func(f *Fields) { f.Count("n", 0); f.Text("id") }, "top.n"},
		{`{"x":1}`, func(*Fields) {}, "top.x"},
		{`[]`, func(f *Fields) { f.Text("id") }, "top"},
	} {
		f := ReadFields(json.RawMessage(c.text), "top")
		c.read(f)
		if err := f.Done(); err == nil || err.Path != c.path || err.Problem == "" || err.Fix == "" {
			t.Errorf("%s: %v, want an error at %s", c.text, err, c.path)
		}
	}
	if SchemaOf([]byte(`{"schema":"session/1"`)) != "" || SchemaOf([]byte(` {"schema":"session/1"}`)) != "session/1" || SchemaOf([]byte(`[]`)) != "" {
		t.Error("schema of a record")
	}
}

// An announcement without a call closes nothing in games that have no closing call.
func TestIs(t *testing.T) {
	for _, c := range []struct {
		e     Event
		calls []string
		want  bool
	}{
		{Event{Type: Announce, Call: "no_va_mas"}, []string{"hagan_juego", "no_va_mas"}, true},
		{Event{Type: Announce, Call: "no_va_mas"}, []string{""}, false},
		{Event{Type: Announce}, []string{""}, false},
		{Event{Type: Ball, Call: "no_va_mas"}, []string{"no_va_mas"}, false},
	} {
		if got := c.e.Is(c.calls...); got != c.want {
			t.Errorf("%s %q is one of %q: %v", c.e.Type, c.e.Call, c.calls, got)
		}
	}
}
