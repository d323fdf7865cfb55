package lens

import (
	"net/url"
	"strings"
	"testing"
)

func TestABoardByItsQuery(t *testing.T) {
	for query, want := range map[string]Board{
		"":                                     Printed,
		"cols=9&rows=6&square=25.5&plain=true": {Cols: 9, Rows: 6, Square: 25.5, Plain: true},
		"square=40":                            {Cols: Printed.Cols, Rows: Printed.Rows, Square: 40},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := BoardOf(q); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", query, got, err, want)
		}
	}
	for query, want := range map[string]string{"cols=many": "cols: want a number", "square=wide": "square: want millimetres", "rows=3": "want 4 to 20", "square=NaN": "want 5 to 500"} {
		q, _ := url.ParseQuery(query)
		if _, err := BoardOf(q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", query, err, want)
		}
	}
}

func TestAMeasurementIsBounded(t *testing.T) {
	s := Seen{Board: Printed, Views: make([]View, maxViews)}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.Views = append(s.Views, View{})
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "101 views, at most 100") {
		t.Errorf("one too many: %v", err)
	}
	if err := (Seen{}).Check(); err == nil {
		t.Error("no board was refused")
	}
}

// Whatever a page asks, a board is one that can be printed.
func FuzzBoardOf(f *testing.F) {
	f.Add("cols=9&rows=6&square=25.5&plain=true")
	f.Add("square=1e400")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		if b, err := BoardOf(q); err == nil && b.Check() != nil {
			t.Errorf("%q gives %+v", query, b)
		}
	})
}
