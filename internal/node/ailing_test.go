package node

import (
	"testing"
	"time"

	"vision/internal/health"
	"vision/stream/alert"
)

// A disk that fills up is an alert before anything is lost and when it is; each
// ends when it is over, not at every flicker, and a restart neither doubles nor
// forgets it.
func TestAFullDiskIsAnAlert(t *testing.T) {
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	cfg, _ := h.config()
	n, err := Open(cfg, Options{Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if n != nil {
			_ = n.Close()
		}
	}()
	now := time.Now()
	a := newAiling(n)
	look := func(after time.Duration) {
		now = now.Add(after)
		a.look(t.Context(), now)
	}
	expect := func(what string, want map[string]alert.State) {
		t.Helper()
		got := map[string]alert.State{}
		for _, x := range n.desk.List(nil) {
			got[x.Code] = x.State()
			if x.ES == "" || x.EN == "" || x.Severity != alarming[x.Code] {
				t.Errorf("%+v", x)
			}
		}
		for code, state := range want {
			if got[code] != state {
				t.Errorf("%s: %s is %q, want %q", what, code, got[code], state)
			}
		}
		if len(n.desk.List(nil)) != len(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	n.board.Set(health.DiskLow, "", "recordings", "little is left")
	n.board.Set(health.CameraDown, "R1", "one", "no route")
	look(time.Second)
	expect("little room", map[string]alert.State{health.DiskLow: alert.Open})
	n.board.Set(health.DiskFull, "", "recordings", "nothing is left")
	n.board.Set(health.RecordingFailed, "R1", "R1/one", "no space left on device")
	look(time.Second)
	all := map[string]alert.State{health.DiskLow: alert.Open, health.DiskFull: alert.Open, health.RecordingFailed: alert.Open}
	expect("no room", all)
	n.board.Clear(health.RecordingFailed, "R1/one")
	look(time.Second)
	n.board.Set(health.RecordingFailed, "R1", "R1/one", "no space left on device")
	look(time.Second)
	expect("a flicker", all)

	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err = Open(cfg, Options{Log: quiet()}); err != nil {
		t.Fatal(err)
	}
	now, a = time.Now(), newAiling(n)
	look(0)
	expect("after a restart", all)
	n.board.Set(health.DiskLow, "", "recordings", "little is left")
	for range 40 {
		look(time.Second)
	}
	all[health.DiskFull], all[health.RecordingFailed] = alert.Over, alert.Over
	expect("what has not come back is over", all)
	n.board.Clear(health.DiskLow, "recordings")
	look(calm)
	all[health.DiskLow] = alert.Over
	expect("room again", all)
}
