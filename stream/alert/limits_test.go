package alert

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vision/internal/testkit/paper"
)

func TestThresholds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "thresholds.json")
	l, err := OpenLimits(path, 0)
	if err != nil || l.Now().Budget != 1 || l.Escalate() != time.Minute {
		t.Fatalf("%+v, %v", l, err)
	}
	if l, err = OpenLimits(path, 4); err != nil || l.Now().Budget != 4 {
		t.Fatalf("of the configuration: %+v, %v", l, err)
	}
	want := Thresholds{Budget: 0.5, Escalate: 120}
	if err := l.Set("eva", want); err != nil {
		t.Fatal(err)
	}
	if l, err = OpenLimits(path, 4); err != nil || l.Now() != want {
		t.Errorf("after a restart %+v, %v", l.Now(), err)
	}
	for name, bad := range map[string]Thresholds{
		"none": {Escalate: 60}, "any": {Budget: 100, Escalate: 60}, "no number": {Budget: math.NaN(), Escalate: 60},
		"at once": {Budget: 1}, "too late": {Budget: 1, Escalate: 4000},
	} {
		if err := l.Set("eva", bad); !errors.Is(err, ErrThreshold) || l.Now() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"budget":700}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLimits(path, 0); err == nil {
		t.Error("nonsense on the disk is taken")
	}
	// as it was written before there was a budget
	if err := os.WriteFile(path, []byte(`{"default":0.9,"codes":{"late_bet":0.6},"escalate":90}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err = OpenLimits(path, 0); err != nil || l.Now() != (Thresholds{Budget: 1, Escalate: 90}) {
		t.Errorf("of an older file %+v, %v", l.Now(), err)
	}
}

// A critical alert is escalated after the time that is in force then.
func TestEscalationFollowsTheThresholds(t *testing.T) {
	l, err := OpenLimits("", 0)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	d := NewDesk(Config{Ledger: &paper.Ledger{}, Escalate: l.Escalate, Now: func() time.Time { return now }})
	if err := d.Raise(t.Context(), Alert{ID: "1", Severity: "critical"}); err != nil {
		t.Fatal(err)
	}
	escalated := func() bool {
		if err := d.escalate(t.Context()); err != nil {
			t.Fatal(err)
		}
		a, err := d.Get("1")
		return err == nil && a.State() == Escalation
	}
	if err := l.Set("eva", Thresholds{Budget: 1, Escalate: 120}); err != nil {
		t.Fatal(err)
	}
	if now = now.Add(90 * time.Second); escalated() {
		t.Error("after the time of before")
	}
	if now = now.Add(31 * time.Second); !escalated() {
		t.Error("not after its time")
	}
}
