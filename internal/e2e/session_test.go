package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vision/stream/acta"
)

// A table is opened, played at, changed and closed by touch, and its acta says so.
func (h *house) session(t *testing.T) {
	var s struct {
		Alone, Opened, Filled, Forbidden, Allowed, Last, Closed string
		Rounds                                                  int
		Acta                                                    acta.Acta
		Bytes                                                   int64 // of the printed page
	}
	h.day(t, "session", &s)
	if !strings.Contains(s.Alone, "contraseña") {
		t.Errorf("opened with a second person whose password is wrong: %q", s.Alone)
	}
	for step, answer := range map[string]string{"open": s.Opened, "fill": s.Filled, "limits": s.Allowed, "last rounds": s.Last, "close": s.Closed} {
		if answer != "said" {
			t.Errorf("%s: %q", step, answer)
		}
	}
	if !strings.Contains(s.Forbidden, "cantabria-2010 A.1") {
		t.Errorf("a lower minimum in the session: %q; want the article", s.Forbidden)
	}
	if len(s.Acta.Tables) != 1 {
		t.Fatalf("acta %+v", s.Acta)
	}
	x := s.Acta.Tables[0]
	var said []string
	for _, step := range x.Session {
		if step.Refused {
			said = append(said, "refused")
		}
		var e struct{ Type string }
		if err := json.Unmarshal(step.Event, &e); err != nil {
			t.Errorf("step %s: %v", step.Event, err)
		}
		said = append(said, e.Type)
	}
	want := []string{"open", "fill", "refused", "limits_changed", "limits_changed", "last_rounds_announced", "close"}
	if !slices.Equal(said, want) {
		t.Errorf("the acta has the steps %v, want %v", said, want)
	}
	if s.Rounds < 2 || x.Rounds.Judged < s.Rounds {
		t.Errorf("%d rounds were played, the acta has %+v", s.Rounds, x.Rounds)
	}
	if l := x.Limits; len(l) == 0 || l[len(l)-1].Min != 1000 || l[len(l)-1].Max != 20000 {
		t.Errorf("limits %+v", l)
	}
	if !slices.ContainsFunc(x.Supervision, func(s acta.Supervision) bool { return s.Jefe == "luis" }) {
		t.Errorf("supervision %+v", x.Supervision)
	}
	if s.Bytes < 10000 {
		t.Errorf("the printed acta has %d bytes", s.Bytes)
	}
}
