package jornada

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/stream/alert"
	"vision/validate/round"
)

// varied are the alerts about the float as it is read.
func (h *house) varied() []alert.Alert {
	return h.desk.List(func(a *alert.Alert) bool { return a.Code == FloatCode })
}

// What is read of the float is held against what is counted, and against the book after a
// fill; only what is certain is an alert.
func TestTheFloatIsComparedWithTheCount(t *testing.T) {
	const open = `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`
	for what, c := range map[string]struct {
		steps  []string // the last is the one of interest; "" is a round that nobody saw
		read   *Float   // at the last step
		amount int64    // of the alert; 0: none
	}{
		"agrees":                  {[]string{open}, &Float{Low: 500000, High: 500000}, 0},
		"an interval that agrees": {[]string{open}, &Float{Low: 480000, High: 520000}, 0},
		"too few":                 {[]string{open}, &Float{Low: 480000, High: 490000}, 10000},
		"not read":                {[]string{open}, nil, 0},
		"a fill, not there yet":   {[]string{open, `{"type":"fill","amount":100000}`}, &Float{Low: 500000, High: 500000}, 0},
		"a fill, there":           {[]string{open, `{"type":"fill","amount":100000}`}, &Float{Low: 600000, High: 600000}, 0},
		"a fill, another amount":  {[]string{open, `{"type":"fill","amount":100000}`}, &Float{Low: 650000, High: 650000}, 50000},
		"the book is not known":   {[]string{open, "", `{"type":"fill","amount":100000}`}, &Float{Low: 650000, High: 650000}, 0},
		"counted after that":      {[]string{open, "", `{"type":"count","amount":480000}`}, &Float{Low: 470000, High: 470000}, 10000},
		"at the closing":          {[]string{open, `{"type":"close","float":500000}`}, &Float{Low: 505000, High: 505000}, 5000},
		"no money moves":          {[]string{open, `{"type":"shuffle"}`}, &Float{Low: 1, High: 1}, 0},
	} {
		h := newHouse(t, "cantabria-2010")
		for i, step := range c.steps {
			if i == len(c.steps)-1 {
				h.float = c.read
			}
			if step == "" {
				h.played(t, &round.Record{ID: "r1"}, "recording_gap")
				continue
			}
			h.must("luis", step)
		}
		got := h.varied()
		if len(got) != min(1, int(c.amount)) {
			t.Errorf("%s: %+v", what, got)
			continue
		}
		if c.amount > 0 && (int64(got[0].Amount) != c.amount || got[0].Clip == nil || !strings.Contains(got[0].ES, "la cámara lee")) {
			t.Errorf("%s: %+v", what, got[0])
		}
	}
}

// What people say stays on record whatever is read.
func TestTheFloatAsReadCorrectsNothing(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	h.float = &Float{Low: 1000, High: 2000}
	st := h.must("luis", `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`)
	f := st.Float
	if f == nil || f.Low != 1000 || f.High != 2000 || *f.Book != 500000 || len(h.varied()) != 1 ||
		slices.Contains(codes(st.Findings), "float_unbalanced") {
		t.Errorf("%+v, findings %v", st.Float, codes(st.Findings))
	}
}

// The acta's steps that count or move money have what was read of the float beside what the books say, and have it
// still after a restart; a closing has it beside the books before its own count.
func TestTheFloatStandsBesideTheCount(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	var got []string
	for _, c := range []struct {
		step string
		read *Float
	}{
		{`{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`, &Float{Low: 490000, High: 510000}},
		{`{"type":"shuffle"}`, &Float{Low: 490000, High: 510000}},
		{`{"type":"fill","amount":100000}`, &Float{Low: 600000, High: 600500}},
		{`{"type":"count","amount":600000}`, nil},
		{`{"type":"close","float":601000}`, &Float{Low: 602000, High: 602000}},
	} {
		h.float = c.read
		h.must("luis", c.step)
	}
	if err := h.Restore("R1", h.paper.entries); err != nil {
		t.Fatal(err)
	}
	st, err := h.Status("R1")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range st.Steps {
		if f := s.Float; f != nil {
			got = append(got, fmt.Sprint(s.Event.kind(), " ", f.Low, " ", f.High, " ", *f.Book))
		}
	}
	if want := []string{"open 490000 510000 500000", "fill 600000 600500 600000", "close 602000 602000 600000"}; !slices.Equal(got, want) {
		t.Errorf("read at the steps: %q, want %q", got, want)
	}
}
