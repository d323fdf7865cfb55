package node

import (
	"net/http"
	"testing"
	"time"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/console"
)

// A camera is cut and comes back: it is named and an alert lies on the desk after
// two seconds, the other table goes on, and the alert is resolved.
func TestACameraIsCutAndComesBack(t *testing.T) {
	h := newHouse(t, "")
	cut, other := h.seat("R1", "one", calibrated(t, h.dir, "one", [2]int{picW, picH})), h.seat("R2", "two", "")
	n, _ := h.run()
	feed := func(name string) uint64 { return n.camera(name).feed.Stats().Units }
	h.within(20*time.Second, "pictures of both", func() bool { return feed("one") > 30 && feed("two") > 30 })
	blind := func() (out []alert.Alert) {
		for _, a := range h.alerts() {
			if a.Code == health.CameraBlind {
				out = append(out, a)
			}
		}
		return out
	}
	if a := blind(); len(a) != 0 {
		t.Fatalf("blind already: %+v", a)
	}
	cut.cut()
	before := feed("two")
	took := h.within(6*time.Second, "the alert", func() bool { return len(blind()) > 0 })
	a := blind()
	if took < 1500*time.Millisecond || len(a) != 1 || a[0].Table != "R1" || a[0].Severity != "critical" || !a[0].Resolved.IsZero() {
		t.Errorf("after %v: %+v", took, a)
	}
	h.within(5*time.Second, "the camera is named", func() bool {
		return h.problem(health.CameraBlind, "one") != nil && h.problem(health.CameraDown, "one") != nil
	})
	if p := h.problem(health.CameraBlind, "two"); p != nil {
		t.Errorf("the other camera: %+v", p)
	}
	if d := feed("two") - before; float64(d) < 0.8*fps*took.Seconds() {
		t.Errorf("the other table got %d pictures in %v", d, took)
	}
	cut.plug()
	back := h.within(12*time.Second, "the camera comes back", func() bool { a := blind(); return len(a) == 1 && !a[0].Resolved.IsZero() })
	h.within(5*time.Second, "health", func() bool {
		return h.problem(health.CameraBlind, "one") == nil && h.problem(health.CameraDown, "one") == nil
	})
	t.Logf("alert %v after the cut; resolved %v after the return; %d units of the other", took.Round(time.Millisecond), back.Round(time.Millisecond), other.sent.Load())
	var cams struct {
		Cameras []console.CameraHealth `json:"cameras"`
	}
	if h.call(http.MethodGet, "/api/v1/health", nil, &cams); len(cams.Cameras) != 2 || cams.Cameras[0].AgeMS < 0 {
		t.Errorf("cameras %+v", cams)
	}
}
