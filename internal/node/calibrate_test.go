package node

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/health"
	"vision/internal/testkit/simulated"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/stream/record"
)

// A camera that is bumped is an alert and suspends verdicts; a new calibration or
// a person's word ends it, while the recording goes on without a gap.
func TestABumpedCameraIsCalibratedAnew(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about twenty seconds")
	}
	h := newHouse(t, "")
	cam := h.seat("R1", "bump", simulated.Calibration(t, h.dir, "bump", [2]int{picW, picH}))
	n, _ := h.run()
	h.await("the reader", func() bool { s := n.camera("bump").Reader(); return s != nil && s.Read > 10 })

	moved := func() *alert.Alert {
		for _, a := range h.alerts() {
			if a.Code == health.CameraMoved && a.Resolved.IsZero() {
				return &a
			}
		}
		return nil
	}
	bump := func() {
		t.Helper()
		h.await("the alert of a bumped camera", func() bool { cam.flash.Store(true); return moved() != nil })
		time.Sleep(1500 * time.Millisecond) // the last flash is over
		cam.flash.Store(false)
	}
	bump()
	if p := h.problem(health.CameraMoved, "bump"); p == nil || !strings.Contains(p.Detail, "12 px") {
		t.Errorf("health %+v", p)
	}
	if a := moved(); a.Severity != "critical" || a.Clip == nil {
		t.Errorf("alert %+v", a)
	}
	begun := time.Now()
	if code := h.call(http.MethodPost, "/api/v1/cameras/bump/confirm", map[string]any{}, nil); code != http.StatusOK {
		t.Fatalf("confirm: %d", code)
	}
	h.await("it is over", func() bool { return moved() == nil && h.problem(health.CameraMoved, "bump") == nil })

	bump()
	var got struct {
		Calibration calibration.Table `json:"calibration"`
		Versions    []console.Version `json:"versions"`
	}
	const url = "/api/v1/cameras/bump/calibration"
	if code := h.call(http.MethodGet, url, nil, &got); code != http.StatusOK {
		t.Fatalf("calibration: %d", code)
	}
	cal := got.Calibration
	for i := range cal.Zones[0].Polygon {
		cal.Zones[0].Polygon[i][0] += 3
	}
	if code := h.call(http.MethodPut, url, cal, &got); code != http.StatusOK || len(got.Versions) != 2 ||
		!got.Versions[0].Current {
		t.Fatalf("saved: %d, %+v", code, got.Versions)
	}
	h.await("the new one ends it", func() bool { return moved() == nil })
	h.await("the new reader", func() bool { s := n.camera("bump").Reader(); return s != nil && s.Read > 10 })
	kept, err := calibration.Load(n.camera("bump").CalibrationFile())
	if err != nil || kept.Zones[0].Polygon[0] != cal.Zones[0].Polygon[0] || len(kept.Zones) != len(cal.Zones) {
		t.Errorf("the file does not hold what was saved: %v", err)
	}
	var old calibration.Table // the first version can be brought back
	if code := h.call(http.MethodGet, url+"/versions/"+got.Versions[1].ID, nil, &old); code != http.StatusOK ||
		old.Zones[0].Polygon[0][0] != cal.Zones[0].Polygon[0][0]-3 {
		t.Errorf("the old version: %d, %+v", code, old.Zones)
	}
	cal.Size = [2]int{}
	if code := h.call(http.MethodPut, url, cal, nil); code != http.StatusBadRequest {
		t.Errorf("a calibration of no picture: %d", code)
	}
	for _, s := range n.store.Timeline(record.Camera{Table: "R1", Camera: "bump"}, begun, time.Now().Add(-2*time.Second)) {
		if s.Kind != record.Recorded {
			t.Errorf("the recording has a gap of %v", s.To.Sub(s.From))
		}
	}
}
