package node

import (
	"strings"
	"testing"

	"vision/internal/health"
	"vision/internal/testkit/simulated"
	"vision/stream/alert"
)

// A camera whose picture freezes goes on sending: it is named with an alert and the rounds
// are not verified, until new pictures come; the other table notices nothing.
func TestAFrozenCameraIsNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	cam := h.seat("R1", "one", simulated.Calibration(t, h.dir, "one", [2]int{picW, picH}))
	h.seat("R2", "two", simulated.Calibration(t, h.dir, "two", [2]int{picW, picH}))
	n, _ := h.run()
	h.await("the reader", func() bool { s := n.camera("one").Reader(); return s != nil && s.Read > fps })
	frozen := func() (out []alert.Alert) {
		for _, a := range h.alerts() {
			if a.Code == health.CameraFrozen {
				out = append(out, a)
			}
		}
		return out
	}
	cam.still.Store(true)
	h.await("the alert", func() bool { return len(frozen()) > 0 })
	if a := frozen(); len(a) != 1 || a[0].Table != "R1" || a[0].Severity != "critical" || a[0].Clip == nil || !a[0].Resolved.IsZero() {
		t.Errorf("%+v", a)
	}
	if p := h.problem(health.CameraFrozen, "one"); p == nil || !strings.Contains(p.Detail, "since") {
		t.Errorf("health %+v", p)
	}
	if p := h.problem(health.CameraBlind, "one"); p != nil {
		t.Errorf("it sends pictures: %+v", p)
	}
	cam.still.Store(false)
	h.await("it is over", func() bool {
		a := frozen()
		return len(a) == 1 && !a[0].Resolved.IsZero() && h.problem(health.CameraFrozen, "one") == nil
	})
}
