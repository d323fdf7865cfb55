package alert

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"vision/internal/testkit/paper"
	"vision/internal/text"
)

func newDesk(t *testing.T) (*Desk, *paper.Ledger, *time.Time, *[]Alert) {
	t.Helper()
	m, now, shown := &paper.Ledger{}, time.Unix(5000, 0).UTC(), &[]Alert{}
	d := NewDesk(Config{Ledger: m, Keep: 3, Now: func() time.Time { return now },
		Show: func(a Alert) { *shown = append(*shown, a) }})
	return d, m, &now, shown
}

func TestLifeOfAnAlert(t *testing.T) {
	d, m, now, shown := newDesk(t)
	ctx := t.Context()
	a := Alert{ID: "BJ1-7-1", Kind: "finding", Table: "BJ1", Code: "payout_to_loser", Severity: "critical", Localized: text.Localized{ES: "x", EN: "y"}}
	for range 2 { // raised once only
		if err := d.Raise(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	*now = now.Add(59 * time.Second)
	if err := d.escalate(ctx); err != nil || len(*shown) != 1 {
		t.Fatalf("escalated early: %v, shown %d", err, len(*shown))
	}
	*now = now.Add(time.Second)
	if err := d.escalate(ctx); err != nil {
		t.Fatal(err)
	}
	if got, _ := d.Get(a.ID); got.Escalated.IsZero() {
		t.Error("not escalated after a minute")
	}
	if _, err := d.Acknowledge(ctx, a.ID, "ana", "maybe", ""); err == nil {
		t.Error("accepted an outcome that does not exist")
	}
	got, err := d.Acknowledge(ctx, a.ID, "ana", Corrected, "vuelto a pagar")
	if err != nil || got.Ack.By != "ana" || got.Ack.Outcome != Corrected {
		t.Fatalf("ack: %+v, %v", got.Ack, err)
	}
	if _, err := d.Acknowledge(ctx, a.ID, "eva", Noted, ""); !errors.Is(err, ErrDone) {
		t.Errorf("second ack: %v", err)
	}
	if n := d.Acknowledged(); len(n) != 1 || n[CodeOutcome{a.Code, Corrected}] != 1 {
		t.Errorf("acknowledged %v", n)
	}
	if _, err := d.Acknowledge(ctx, "none", "eva", Noted, ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
	if len(m.Entries) != 3 || len(*shown) != 3 {
		t.Errorf("%d entries, %d shown; want 3 of each", len(m.Entries), len(*shown))
	}

	again, _, _, _ := newDesk(t)
	for _, e := range m.Entries {
		if err := again.Restore(e.Kind, e.Payload); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(d.List(nil), again.List(nil)); diff != "" {
		t.Errorf("after a restart: %s", diff)
	}
}

// One more alert of a cause belongs to the incident of that which was raised first, whichever of them it is named with.
func TestDesk_incident(t *testing.T) {
	d, _, _, _ := newDesk(t)
	for _, with := range [][]string{nil, {"0"}, {"gone", "1"}} {
		id := strconv.Itoa(len(d.alerts))
		if err := d.Raise(t.Context(), Alert{ID: id, Incident: d.Incident(with), Table: "BJ1", Severity: "minor"}); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]string{"0": "", "1": "0", "2": "0"} {
		if got, err := d.Get(id); err != nil || got.Incident != want {
			t.Errorf("alert %s belongs to %q, %v; want %q", id, got.Incident, err, want)
		}
	}
	if got := d.Incident([]string{"gone"}); got != "" {
		t.Errorf("of alerts that were not raised: %q", got)
	}
}

// What is known of a finding when its round ends takes the place of what was said first; not once somebody saw it.
func TestAnAlertSaysWhatIsKnownSince(t *testing.T) {
	d, m, now, shown := newDesk(t)
	raise := func(es string) Alert {
		t.Helper()
		a := Alert{ID: "1", Table: "BJ1", Code: "payout_under", Localized: text.Localized{ES: es}, Probability: float64(len(es)) / 100}
		if err := d.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		got, err := d.Get("1")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := raise("paga 20")
	*now = now.Add(time.Second)
	if got := raise("paga 20, salieron 20"); got.ES != "paga 20, salieron 20" || got.Probability != 0.2 ||
		!got.Raised.Equal(first.Raised) || len(*shown) != 2 || d.Raised()["payout_under"] != 1 {
		t.Errorf("%+v, shown %d times, raised %v", got, len(*shown), d.Raised())
	}
	if _, err := d.Acknowledge(t.Context(), "1", "ana", Noted, ""); err != nil {
		t.Fatal(err)
	}
	kept := len(m.Entries)
	if got := raise("otra cosa"); got.ES != "paga 20, salieron 20" || len(m.Entries) != kept {
		t.Errorf("after it was seen: %+v", got)
	}
}

func TestNothingIsSeenThatTheLedgerDoesNotHave(t *testing.T) {
	d, m, _, shown := newDesk(t)
	full := errors.New("disk full")
	m.Fail(full)
	if err := d.Raise(t.Context(), Alert{ID: "1"}); !errors.Is(err, full) {
		t.Fatalf("raise: %v", err)
	}
	m.Fail(nil)
	d.Raise(t.Context(), Alert{ID: "1", Table: "R1"})
	m.Fail(full)
	if _, err := d.Acknowledge(t.Context(), "1", "ana", Noted, ""); !errors.Is(err, full) {
		t.Fatalf("ack: %v", err)
	}
	if got, _ := d.Get("1"); got.Ack != nil || len(*shown) != 1 {
		t.Errorf("seen without the ledger: %+v", got)
	}
}

func TestOrderAndBounds(t *testing.T) {
	d, _, now, _ := newDesk(t)
	for i, sev := range []string{"minor", "critical", "major", "critical", "minor", "minor"} {
		*now = now.Add(time.Second)
		d.Raise(t.Context(), Alert{ID: fmt.Sprint(i), Severity: sev})
	}
	var got []string
	for _, a := range d.List(nil) {
		got = append(got, a.ID)
	}
	if diff := cmp.Diff([]string{"3", "1", "2", "5", "4", "0"}, got); diff != "" {
		t.Error(diff)
	}
	for i := range 6 {
		d.Acknowledge(t.Context(), fmt.Sprint(i), "ana", Noted, "")
	}
	d.Raise(t.Context(), Alert{ID: "new", Severity: "minor"})
	if l := d.List(nil); len(l) != 4 || l[0].ID != "new" {
		t.Errorf("holds %d, first %s", len(l), l[0].ID)
	}
}

// A ledger that refuses entries for a while ends nothing: the alert is escalated
// when it takes them again.
func TestEscalationOutlastsALedgerThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &paper.Ledger{}
		d := NewDesk(Config{Ledger: m})
		for _, id := range []string{"a", "b"} {
			if err := d.Raise(t.Context(), Alert{ID: id, Table: "BJ1", Severity: "critical"}); err != nil {
				t.Fatal(err)
			}
		}
		m.Fail(errors.New("no space left on device"))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		time.Sleep(90 * time.Second)
		synctest.Wait()
		select {
		case err := <-ended:
			t.Fatalf("the desk gave up: %v", err)
		default:
		}
		m.Fail(nil)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for _, a := range d.List(nil) {
			if a.Escalated.IsZero() {
				t.Errorf("%s is not escalated", a.ID)
			}
		}
		cancel()
		<-ended
	})
}
