package node

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vision/stream/acta"
	"vision/stream/jornada"
	"vision/stream/verify"
)

// Four tables through a jornada of an hour, in quick time: what their actas state is what
// was played, to the minute and the cent.
func TestTheActaOfAJornadaIsTheJornada(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays an hour of four tables")
	}
	q := &quick{t: t}
	for i, game := range []string{"blackjack", "blackjack", "punto_banco", "punto_banco"} {
		p := q.seat(fmt.Sprintf("%s%d", map[string]string{"blackjack": "BJ", "punto_banco": "PB"}[game], i%2+1), game)
		p.play(t, 3*minute, uint64(100+i), 8, 500, 50000)
		p.play(t, 32*minute, uint64(200+i), 8, 500, 50000)
	}
	cut := q.tables[0]
	cut.from, cut.to = 15*minute, 20*minute
	dir := t.TempDir()
	cfg := q.configuration(dir)
	const floatOpen = 5_000_000
	synctest.Test(t, func(t *testing.T) {
		q.t = t
		time.Sleep(18 * time.Hour)
		stop := q.open(cfg)
		q.until(minute)
		q.assign("ana", "BJ1", "BJ2", "PB1", "PB2")
		q.until(2 * minute)
		for _, p := range q.tables {
			q.say(p.id, jornada.Event{"type": "open", "float": floatOpen, "limits": map[string]any{"min": 500, "max": 50000}}, false)
		}
		q.until(25 * minute)
		q.say("BJ2", jornada.Event{"type": "fill", "amount": 250_000}, false)
		q.say("BJ2", jornada.Event{"type": "limits_changed", "min": 200, "max": 20000}, true)
		q.until(30 * minute)
		q.assign("luis", "PB1", "PB2")
		q.until(50 * minute)
		for _, p := range q.tables {
			counted := floatOpen + q.truth(p).tray
			switch p.id {
			case "BJ2":
				counted += 250_000
			case "PB2":
				counted -= 2500
			}
			q.say(p.id, jornada.Event{"type": "close", "float": counted, "reason": "end_of_day"}, false)
		}
		q.until(52 * minute)
		for _, p := range q.tables {
			q.compare(p)
		}
		stop()
	})
	if r, err := verify.Dir(filepath.Join(dir, "data"), verify.Options{}); err != nil || !r.OK {
		t.Errorf("%v: %+v", err, r)
	}
}

// compare holds a table's acta against what was played at it.
func (q *quick) compare(p *playing) {
	t, want := q.t, q.truth(p)
	t.Helper()
	a, err := acta.Make(
		q.n.ledger.Since(0),
		acta.Request{Table: p.id, From: q.begun, To: q.begun.Add(50*minute + time.Second)},
	)
	if err != nil {
		t.Fatal(err)
	}
	x := a.Tables[0]
	if n := x.Rounds; n.Judged != want.rounds || n.WithFindings != want.wrong || n.NotVerifiable != 0 {
		t.Errorf("%s: rounds %+v, played %d, %d of them wrong", p.id, n, want.rounds, want.wrong)
	}
	if x.Money != want.money {
		t.Errorf("%s: money %+v, want %+v", p.id, x.Money, want.money)
	}
	var found, others []string
	for _, f := range x.Findings {
		if f.Kind == "finding" {
			found = append(found, f.Code)
		} else {
			others = append(others, f.Code)
		}
	}
	slices.Sort(found)
	slices.Sort(others)
	if !slices.Equal(found, want.found) {
		t.Errorf("%s: found %v, planted %v", p.id, found, want.found)
	}
	// A camera that shows nothing, a recording that the norm asks for, a count that does not agree.
	if also := map[string][]string{"BJ1": {"camera_blind", "recording_required"}, "PB2": {"float_unbalanced"}}[p.id]; !slices.Equal(others, also) {
		t.Errorf("%s: other alerts %v, want %v", p.id, others, also)
	}
	for m := 2 * minute; m < 50*minute; m += minute {
		q.minute(&x, p, m+minute/2)
	}
	q.recorded(&x, p)
	var steps []string
	for _, s := range x.Session {
		var e struct {
			Type  string
			Float int64
		}
		if err := json.Unmarshal(s.Event, &e); err != nil {
			t.Fatal(err)
		}
		steps = append(
			steps,
			strings.TrimSpace(fmt.Sprint(e.Type, " ", map[bool]string{true: "refused "}[s.Refused], strings.Join(s.Codes, " "))),
		)
	}
	said := []string{"open", "close"}
	switch p.id {
	case "BJ2":
		said = []string{"open", "fill", "limits_changed refused limit_change_not_allowed", "close"}
	case "PB2":
		said[1] = "close float_unbalanced"
	}
	if !slices.Equal(steps, said) {
		t.Errorf("%s: steps %q, want %q", p.id, steps, said)
	}
}

// minute compares who had the table at a moment and whether the norm's condition held.
func (q *quick) minute(x *acta.Table, p *playing, at time.Duration) {
	q.t.Helper()
	jefe, tables, state, when := "ana", 4, acta.Held, q.begun.Add(at)
	if at > 30*minute {
		tables = 2
		if p.game == "punto_banco" {
			jefe = "luis"
		}
	}
	if p.from <= at && at < p.to {
		state = acta.Broken
	}
	within := func(s acta.Span) bool { return !when.Before(s.From) && when.Before(s.To) }
	i := slices.IndexFunc(x.Supervision, func(s acta.Supervision) bool { return within(s.Span) })
	j := slices.IndexFunc(x.Condition, func(s acta.Condition) bool { return within(s.Span) })
	if i < 0 || j < 0 {
		q.t.Errorf("%s at %v: the acta has no word", p.id, at)
		return
	}
	if s, c := x.Supervision[i], x.Condition[j]; s.Jefe != jefe || s.Tables != tables || c.State != state {
		q.t.Errorf("%s at %v: under %q with %d tables, %s; want %q, %d, %s", p.id, at, s.Jefe, s.Tables, c.State, jefe, tables, state)
	}
	if c := x.Condition[j]; state == acta.Broken && (len(c.Breaches) != 1 || c.Breaches[0].Code != "recording_required") {
		q.t.Errorf("%s at %v: %+v", p.id, at, c.Breaches)
	}
}

// recorded compares the gaps of the table's camera with when its cable was cut.
func (q *quick) recorded(x *acta.Table, p *playing) {
	q.t.Helper()
	if len(x.Cameras) != 1 {
		q.t.Errorf("%s: cameras %+v", p.id, x.Cameras)
		return
	}
	c := x.Cameras[0]
	if p.to == 0 {
		if len(c.Gaps) > 0 || c.Lossy > 0 {
			q.t.Errorf("%s: gaps %v, %d segments with losses", p.id, c.Gaps, c.Lossy)
		}
		return
	}
	near := func(a time.Time, at time.Duration) bool { return a.Sub(q.begun.Add(at)).Abs() <= 2*time.Second }
	if len(c.Gaps) != 1 || !near(c.Gaps[0].From, p.from) || !near(c.Gaps[0].To, p.to) {
		q.t.Errorf("%s: gaps %v, want one of %v to %v", p.id, c.Gaps, p.from, p.to)
	}
}
