package acta

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vision/internal/money"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/validate/finding"
	"vision/validate/room"
)

var dawn = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

func minute(m int) time.Time { return dawn.Add(time.Duration(m) * time.Minute) }

// day is what happened in a room, by the minute, and the entries that a node writes of it.
type day struct {
	t       testing.TB
	minutes int
	tables  []string
	open    map[string][]bool
	jefe    map[string][]string
	broken  map[string][]string // the code against it; "" where nothing is
	taped   map[string][]bool
	off     []bool
	money   map[string]*Money
	rounds  map[string]*Rounds
	alerts  map[string]int
	waiting int
	entries []ledger.Entry
}

func (d *day) put(at time.Time, kind ledger.Kind, table string, payload any) {
	b, err := json.Marshal(payload)
	if err != nil {
		d.t.Fatal(err)
	}
	d.entries = append(d.entries, ledger.Entry{Time: at, Kind: kind, Table: table, Payload: b})
}

// since gives the entries in the order of time, numbered.
func (d *day) since(after uint64) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for i, e := range d.entries {
			if e.Seq = uint64(i + 1); e.Seq > after && !yield(e, nil) {
				return
			}
		}
	}
}

// played makes a day of four tables: changes of duty and jefes, breaches, lost recordings,
// a node that dies and comes back, rounds and what was found of them.
func played(t testing.TB, seed uint64) *day {
	rng := rand.New(rand.NewPCG(seed, 31))
	d := &day{
		t: t, minutes: 240, tables: []string{"BJ1", "PB1", "R1", "R2"}, open: map[string][]bool{}, jefe: map[string][]string{},
		broken: map[string][]string{}, taped: map[string][]bool{}, money: map[string]*Money{}, rounds: map[string]*Rounds{},
		alerts: map[string]int{},
	}
	d.off = make([]bool, d.minutes)
	dies := 60 + rng.IntN(100)
	back := dies + 2 + rng.IntN(10)
	for m := dies; m < back; m++ {
		d.off[m] = true
	}
	for _, id := range d.tables {
		d.open[id], d.taped[id] = make([]bool, d.minutes), make([]bool, d.minutes)
		d.jefe[id], d.broken[id] = make([]string, d.minutes), make([]string, d.minutes)
		d.money[id], d.rounds[id] = &Money{}, &Rounds{}
	}
	open, jefe, broken, taped := map[string]bool{}, map[string]string{}, map[string]string{}, map[string]bool{}
	for m := range d.minutes {
		change := m == 3
		if m == back {
			d.put(minute(m), ledger.Node, "", map[string]string{"action": ledger.Started})
		}
		for _, id := range d.tables {
			if d.off[m] {
				d.open[id][m], d.jefe[id][m], d.broken[id][m] = open[id], jefe[id], broken[id]
				continue
			}
			if rng.IntN(40) == 0 {
				open[id], change = !open[id], true
			}
			if rng.IntN(40) == 0 {
				jefe[id], change = []string{"ana", "luis", ""}[rng.IntN(3)], true
			}
			if rng.IntN(60) == 0 {
				broken[id], change = []string{"", "no_recording"}[rng.IntN(2)], true
			}
			if rng.IntN(30) == 0 || m == 0 {
				taped[id] = rng.IntN(4) > 0
			}
			d.taped[id][m] = taped[id]
		}
		for _, id := range d.tables {
			d.open[id][m], d.jefe[id][m], d.broken[id][m] = open[id], jefe[id], broken[id]
			if m < 3 { // nobody has said anything yet: what is is not known
				open[id], jefe[id], broken[id] = false, "", ""
				d.open[id][m], d.jefe[id][m], d.broken[id][m] = false, "", ""
				change = false
			}
		}
		if change {
			d.step(minute(m), open, jefe, broken)
		}
		for i, id := range d.tables {
			at := minute(m).Add(time.Duration(i) * time.Second)
			if d.taped[id][m] {
				d.put(at, ledger.Segment, id, record.SegmentNote{Segment: record.Segment{
					Camera: record.Camera{Table: id, Camera: "over"}, From: minute(m), To: minute(m + 1), File: fmt.Sprintf("%s-%d", id, m),
				}})
			}
			if !d.off[m] && open[id] && rng.IntN(3) == 0 {
				d.round(rng, id, m, at.Add(20*time.Second))
			}
			if !d.off[m] && i == len(d.tables)-1 && (m+1 == dies) {
				// the last word before it died is written at the minute's end
				d.put(minute(m+1), ledger.Health, "", map[string]bool{"on": true})
			}
		}
	}
	return d
}

func (d *day) step(at time.Time, open map[string]bool, jefe, broken map[string]string) {
	rec, v := room.Record{Norm: "cantabria-2010"}, room.Verdict{}
	of := map[string][]string{}
	for _, id := range d.tables {
		rec.Tables = append(rec.Tables, room.Table{ID: id, Game: "blackjack", Open: open[id]})
		if jefe[id] != "" {
			of[jefe[id]] = append(of[jefe[id]], id)
		}
		if broken[id] != "" {
			v.Findings = append(v.Findings, room.Finding{Code: finding.Code(broken[id]), Table: id, Rule: "cantabria-2010 art. 9"})
		}
	}
	for _, j := range []string{"ana", "luis"} {
		if len(of[j]) > 0 {
			rec.Assignments = append(rec.Assignments, room.Assignment{Jefe: j, Tables: of[j]})
		}
	}
	d.put(at, ledger.Supervision, "", map[string]any{"action": "assign", "records": []room.Record{rec}, "verdicts": []room.Verdict{v}})
}

// round plays one that ends within the minute.
func (d *day) round(rng *rand.Rand, id string, m int, at time.Time) {
	name := fmt.Sprintf("%s-%d", id, m)
	collected, paid := rng.IntN(50)*500, rng.IntN(50)*500
	d.put(at, ledger.Round, id, map[string]any{"id": name, "table": map[string]int{"min": 500, "max": 50000}, "events": []map[string]any{
		{"type": "collect", "amount": collected}, {"type": "pay", "amount": paid}, {"type": "bet", "amount": 77}}})
	mo, n := d.money[id], d.rounds[id]
	n.Judged++
	kept := map[string]any{"round": name, "start": minute(m), "end": at, "findings": []any{}}
	what := rng.IntN(5)
	if what != 0 { // what was not seen is not counted
		mo.Collected += money.Cents(collected)
		mo.Paid += money.Cents(paid)
	}
	switch what {
	case 0:
		kept["not_verifiable"] = "the camera sent nothing"
		n.NotVerifiable++
	case 1:
		code, delta := finding.PayoutOver, 500*(1+rng.IntN(4))
		gain := -delta
		if rng.IntN(2) == 0 {
			code, gain = finding.CollectedWinner, delta
		}
		kept["findings"] = []map[string]any{{"code": code, "seat": 2, "spot": "main", "alert": true, "delta": delta}}
		n.WithFindings++
		outcome := []string{"", "corrected", falseAlarm}[rng.IntN(3)]
		a := map[string]any{"id": fmt.Sprintf("%s/%s/%s/2/main/", id, name, code), "kind": "finding", "code": code, "at": at, "state": "open"}
		d.put(at, ledger.Alert, id, a)
		d.alerts[id]++
		if outcome == "" {
			d.waiting++
		} else {
			a["ack"] = map[string]any{"by": "vera", "at": at.Add(time.Second), "outcome": outcome}
			d.put(at.Add(time.Second), ledger.Alert, id, a)
		}
		if outcome != falseAlarm {
			mo.ForHouse += money.Cents(max(gain, 0))
			mo.AgainstHouse += money.Cents(max(-gain, 0))
		}
	default:
		n.InOrder++
	}
	d.put(at.Add(2*time.Second), ledger.Judged, id, kept)
}

// A day's acta is the day, to the minute and the cent.
func TestAnActaIsTheDay(t *testing.T) {
	for seed := range uint64(30) {
		d := played(t, seed)
		for _, id := range d.tables {
			a, err := Make(d.since(0), Request{Table: id, From: dawn, To: minute(d.minutes)})
			if err != nil {
				t.Fatal(err)
			}
			x := a.Tables[0]
			for m := range d.minutes {
				at := minute(m).Add(30 * time.Second)
				d.minute(seed, &x, id, m, at)
			}
			if want := *d.money[id]; x.Money != want {
				t.Errorf("seed %d, %s: money %+v, want %+v", seed, id, x.Money, want)
			}
			n, got := d.rounds[id], x.Rounds
			if got.Judged != n.Judged || got.InOrder != n.InOrder || got.WithFindings != n.WithFindings ||
				got.NotVerifiable != n.NotVerifiable || len(x.Findings) != d.alerts[id] {
				t.Errorf("seed %d, %s: rounds %+v and %d findings, want %+v and %d", seed, id, got, len(x.Findings), n, d.alerts[id])
			}
			if a.Totals.Open != a.Totals.Held+a.Totals.Broken+a.Totals.Unproven {
				t.Errorf("seed %d, %s: totals %+v", seed, id, a.Totals)
			}
			if err := a.Again(d.since); err != nil {
				t.Errorf("seed %d, %s: made again: %v", seed, id, err)
			}
		}
	}
}

// minute compares one minute of a table with what the acta states of it.
func (d *day) minute(seed uint64, x *Table, id string, m int, at time.Time) {
	d.t.Helper()
	in := func(s Span) bool { return covers([]Span{s}, at) }
	i := slices.IndexFunc(x.Supervision, func(s Supervision) bool { return in(s.Span) })
	if i < 0 {
		d.t.Fatalf("seed %d, %s: minute %d is in no stretch of supervision", seed, id, m)
	}
	if s := x.Supervision[i]; s.Open != d.open[id][m] || s.Jefe != d.jefe[id][m] {
		d.t.Fatalf("seed %d, %s, minute %d: open %v under %q, want %v under %q", seed, id, m, s.Open, s.Jefe, d.open[id][m], d.jefe[id][m])
	}
	k := slices.IndexFunc(x.Condition, func(c Condition) bool { return in(c.Span) })
	if (k >= 0) != d.open[id][m] {
		d.t.Fatalf("seed %d, %s, minute %d: a condition is stated: %v", seed, id, m, k >= 0)
	}
	if k < 0 {
		return
	}
	want := Held
	switch {
	case d.off[m]:
		want = Unproven
	case d.broken[id][m] != "":
		want = Broken
	}
	c := x.Condition[k]
	if c.State != want || want == Broken && (len(c.Breaches) != 1 || c.Breaches[0].Rule != "cantabria-2010 art. 9") {
		d.t.Fatalf("seed %d, %s, minute %d: %s with %v, want %s", seed, id, m, c.State, c.Breaches, want)
	}
	if c.Recorded != d.taped[id][m] {
		d.t.Fatalf("seed %d, %s, minute %d: recorded %v", seed, id, m, c.Recorded)
	}
	gap := slices.ContainsFunc(x.Cameras, func(c Camera) bool { return covers(c.Gaps, at) })
	if len(x.Cameras) > 0 && gap == d.taped[id][m] {
		d.t.Fatalf("seed %d, %s, minute %d: gap %v, recorded %v", seed, id, m, gap, d.taped[id][m])
	}
}

// What comes after the last closed segment is no gap while the next may be open, and one
// after that.
func TestASegmentThatIsStillOpenIsNoGap(t *testing.T) {
	for until, want := range map[int]struct{ gaps, pending int }{11: {0, 1}, 15: {1, 0}} {
		d := &day{t: t, tables: []string{"BJ1"}}
		d.step(minute(0), map[string]bool{"BJ1": true}, map[string]string{"BJ1": "ana"}, map[string]string{})
		for m := range 10 {
			d.put(minute(m+1), ledger.Segment, "BJ1", record.SegmentNote{Segment: record.Segment{
				Camera: record.Camera{Table: "BJ1", Camera: "over"}, From: minute(m), To: minute(m + 1), File: fmt.Sprint(m),
			}})
		}
		d.put(minute(until), ledger.Operator, "", map[string]string{"user": "ana"})
		a, err := Make(d.since(0), Request{Table: "BJ1", From: dawn, To: minute(11)})
		if err != nil {
			t.Fatal(err)
		}
		c, last := a.Tables[0].Cameras[0], a.Tables[0].Condition
		if len(c.Gaps) != want.gaps || len(c.Pending) != want.pending || last[len(last)-1].Recorded != (want.pending > 0) {
			t.Errorf("at minute %d: gaps %v, pending %v, %+v", until, c.Gaps, c.Pending, last)
		}
	}
}

// The acta of a jefe has the tables that were his, and of them only the time in which they were.
func TestAnActaOfAJefe(t *testing.T) {
	for seed := range uint64(20) {
		d := played(t, seed)
		had := map[string]int64{}
		for _, id := range d.tables {
			for m := range d.minutes {
				if d.jefe[id][m] == "ana" && d.open[id][m] {
					had[id]++
				}
			}
		}
		a, err := Make(d.since(0), Request{Jefe: "ana", From: dawn, To: minute(d.minutes)})
		if errors.Is(err, ErrNothing) && len(had) == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		open := int64(0)
		for _, n := range had {
			open += n
		}
		if a.Totals.Open != 60*open {
			t.Errorf("seed %d: %d seconds open under ana, want %d", seed, a.Totals.Open, 60*open)
		}
		for _, x := range a.Tables {
			for _, f := range x.Findings {
				if m := int(f.At.Sub(dawn) / time.Minute); d.jefe[x.ID][m] != "ana" {
					t.Errorf("seed %d: %s of minute %d is not hers", seed, f.Alert, m)
				}
			}
		}
	}
}

// What was changed in an acta, or in the entries under it, shows when it is made again.
func TestAChangedActaIsFound(t *testing.T) {
	d := played(t, 5)
	r := Request{Table: "BJ1", From: dawn, To: minute(d.minutes)}
	a, err := Make(d.since(0), r)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Acta){
		"a cent":        func(a *Acta) { a.Tables[0].Money.Paid++ },
		"a minute":      func(a *Acta) { a.Tables[0].Supervision[0].To = a.Tables[0].Supervision[0].To.Add(time.Minute) },
		"a finding":     func(a *Acta) { a.Tables[0].Findings = a.Tables[0].Findings[1:] },
		"another time":  func(a *Acta) { a.To = a.To.Add(-time.Hour) },
		"fewer entries": func(a *Acta) { a.Source.Last -= 40 },
		"no source":     func(a *Acta) { a.Source.First = 0 },
	} {
		b, err := Make(d.since(0), r)
		if err != nil {
			t.Fatal(err)
		}
		change(b)
		if b.Again(d.since) == nil {
			t.Errorf("%s: not found", name)
		}
	}
	d.entries = slices.Delete(d.entries, 20, 25)
	if a.Again(d.since) == nil {
		t.Error("entries are missing, and it is the same acta")
	}
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	now := minute(600)
	good := Request{Table: "BJ1", From: dawn, To: minute(60)}
	if err := good.Check(now); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Request{
		"neither":   {From: dawn, To: minute(60)},
		"both":      {Table: "BJ1", Jefe: "ana", From: dawn, To: minute(60)},
		"backwards": {Table: "BJ1", From: minute(60), To: dawn},
		"no time":   {Table: "BJ1"},
		"a year":    {Table: "BJ1", From: dawn.AddDate(-1, 0, 0), To: dawn},
		"to come":   {Table: "BJ1", From: dawn, To: minute(601)},
	} {
		if r.Check(now) == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	d := played(t, 1)
	if _, err := Make(d.since(0), Request{Table: "XX", From: dawn, To: minute(60)}); !errors.Is(err, ErrNothing) {
		t.Errorf("a table that nobody knows: %v", err)
	}
}
