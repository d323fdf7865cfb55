package node

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"vision/stream/acta"
	"vision/stream/verify"
)

// A shift on a real node: a jefe takes the table, rounds are played, the node is stopped and
// comes back. Its acta has all of it, also when nothing ran, and verifies.
func TestAShiftHasItsActa(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	begun := time.Now()
	_, stop := h.run()
	if code := h.call(http.MethodPut, "/api/v1/supervision/jefes/ana", map[string]any{"tables": []string{"R1"}}, nil); code != http.StatusOK {
		t.Fatalf("assigned: %d", code)
	}
	assigned := time.Now()
	var luis struct{ Password string }
	if code := h.call(http.MethodPost, "/api/v1/users", map[string]any{"user": "luis", "role": "jefe", "tables": []string{}}, &luis); code != http.StatusOK {
		t.Fatalf("second person: %d", code)
	}
	step := func(event string, second bool) int {
		t.Helper()
		body := map[string]any{"event": json.RawMessage(event)}
		if second {
			body["second"] = map[string]string{"user": "luis", "password": luis.Password}
		}
		return h.call(http.MethodPost, "/api/v1/tables/R1/session", body, nil)
	}
	if code := step(`{"type":"open","float":5000000,"limits":{"min":500,"max":10000}}`, true); code != http.StatusOK {
		t.Fatalf("opened: %d", code)
	}
	if code := step(`{"type":"limits_changed","min":200,"max":4000}`, false); code != http.StatusConflict {
		t.Errorf("a lower minimum in the session: %d", code)
	}
	spins := func(pockets ...string) {
		t.Helper()
		h.say("R1", "announce", time.Now(), map[string]any{"call": "hagan_juego"})
		for _, p := range pockets {
			h.quickSpin("R1", p)
		}
	}
	rounds := func() (n int) {
		var list []struct{ End time.Time } // once it is in the ledger when they were played
		h.call(http.MethodGet, "/api/v1/tables/R1/rounds", nil, &list)
		for _, r := range list {
			if !r.End.IsZero() {
				n++
			}
		}
		return n
	}
	spins("7", "12")
	h.await("the first rounds", func() bool { return rounds() >= 2 })
	at := func(x acta.Table, when time.Time) (under string, state acta.State) {
		for _, s := range x.Supervision {
			if s.From.Before(when) && when.Before(s.To) {
				under = s.Jefe
			}
		}
		for _, c := range x.Condition {
			if c.From.Before(when) && when.Before(c.To) {
				state = c.State
			}
		}
		return under, state
	}
	stop()
	ended := time.Now()
	time.Sleep(2 * time.Second)
	n, stop := h.run()
	var again time.Time // when she had it again
	h.await("she has it after the start", func() bool {
		again = time.Now()
		a, err := acta.Make(n.ledger.Since(0), acta.Request{Table: "R1", From: begun, To: again.Add(time.Millisecond)})
		if err != nil {
			t.Fatal(err)
		}
		under, state := at(a.Tables[0], again)
		return under == "ana" && state != acta.Unproven && state != ""
	})
	var sitting struct {
		Open  bool
		Steps []any
	}
	if h.call(http.MethodGet, "/api/v1/tables/R1/session", nil, &sitting); !sitting.Open || len(sitting.Steps) < 4 { // opened, a shift, two rounds
		t.Errorf("after the start: %+v", sitting)
	}
	spins("30")
	h.await("a round after the start", func() bool { return rounds() >= 3 })
	var a acta.Acta
	if code := h.call(http.MethodPost, "/api/v1/actas", acta.Request{Table: "R1", From: begun, To: time.Now()}, &a); code != http.StatusOK {
		t.Fatalf("made: %d", code)
	}
	x := a.Tables[0]
	if under, state := at(x, assigned.Add(100*time.Millisecond)); under != "ana" || state == acta.Unproven || state == "" {
		t.Errorf("after the assignment: under %q, condition %q", under, state)
	}
	if _, state := at(x, ended.Add(time.Second)); state != acta.Unproven {
		t.Errorf("while nothing ran: %q", state)
	}
	if under, state := at(x, again); under != "ana" || state == acta.Unproven || state == "" {
		t.Errorf("after the start: under %q, %q", under, state)
	}
	if x.Game != "ruleta_francesa" || x.Rounds.Judged < 3 ||
		x.Rounds.Judged != x.Rounds.InOrder+x.Rounds.WithFindings+x.Rounds.NotVerifiable {
		t.Errorf("%s: %+v", x.Game, x.Rounds)
	}
	if s := x.Session; len(s) != 2 || s[0].By != user+" + luis" || s[0].Refused || !s[1].Refused || len(s[1].Codes) == 0 {
		t.Errorf("session %+v", s)
	}
	if l := x.Limits; len(l) == 0 || l[len(l)-1].Min != 500 || l[len(l)-1].Max != 10000 {
		t.Errorf("limits %+v", l)
	}
	stop()
	r, err := verify.Dir(filepath.Join(h.dir, "data"), verify.Options{})
	if err != nil || !r.OK || r.Actas != 1 {
		t.Errorf("%v: %+v", err, r)
	}
}
