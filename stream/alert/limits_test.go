package alert

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vision/internal/testkit/paper"
	"vision/validate/finding"
)

func TestThresholds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "thresholds.json")
	l, err := OpenLimits(path)
	if err != nil || l.Of(finding.LateBet) != 0.8 || l.Escalate() != time.Minute {
		t.Fatalf("%+v, %v", l, err)
	}
	want := Thresholds{Default: 0.9, Codes: map[finding.Code]float64{finding.LateBet: 0.6}, Escalate: 120}
	if err := l.Set("eva", want); err != nil {
		t.Fatal(err)
	}
	want.Codes[finding.LateBet] = 0.99 // the caller's map is the caller's
	if l, err = OpenLimits(path); err != nil || l.Of(finding.LateBet) != 0.6 || l.Of(finding.PayoutUnder) != 0.9 ||
		l.Escalate() != 2*time.Minute {
		t.Errorf("after a restart %+v, %v", l.Now(), err)
	}
	for name, bad := range map[string]Thresholds{
		"a guess": {Default: 0.4, Escalate: 60}, "never": {Default: 1, Escalate: 60}, "no number": {Default: math.NaN(), Escalate: 60},
		"unknown":    {Default: 0.8, Codes: map[finding.Code]float64{"x": 0.8}, Escalate: 60},
		"no finding": {Default: 0.8, Codes: map[finding.Code]float64{"camera_blind": 0.8}, Escalate: 60},
		"of a code":  {Default: 0.8, Codes: map[finding.Code]float64{finding.LateBet: 0}, Escalate: 60},
		"at once":    {Default: 0.8}, "too late": {Default: 0.8, Escalate: 4000},
	} {
		if err := l.Set("eva", bad); !errors.Is(err, ErrThreshold) || l.Of(finding.LateBet) != 0.6 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"default":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLimits(path); err == nil {
		t.Error("nonsense on the disk is taken")
	}
}

// A critical alert is escalated after the time that is in force then.
func TestEscalationFollowsTheThresholds(t *testing.T) {
	l, err := OpenLimits("")
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
	if err := l.Set("eva", Thresholds{Default: 0.8, Escalate: 120}); err != nil {
		t.Fatal(err)
	}
	if now = now.Add(90 * time.Second); escalated() {
		t.Error("after the time of before")
	}
	if now = now.Add(31 * time.Second); !escalated() {
		t.Error("not after its time")
	}
}
