package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"vision/capture/onvif"
)

// Who may calibrate is told of the cameras of the network, others are not; that nobody can be
// asked is said.
func TestCamerasAreDiscovered(t *testing.T) {
	r := newRoom(t)
	technician, jefe := r.as(t, "director"), r.as(t, "inspector")
	fail := error(nil)
	r.srv.cfg.Discover = func(ctx context.Context) ([]onvif.Found, error) {
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > discoverFor {
			t.Errorf("asked until %v", end)
		}
		return []onvif.Found{{Address: "http://192.0.2.10/onvif/device_service", Name: "Mesa 1", ID: "urn:uuid:a"}}, fail
	}
	ask := func(c *http.Client) (int, string) { return do(t, c, "GET", r.URL+"/api/v1/cameras/discover", "") }
	status, b := ask(technician)
	var got []onvif.Found
	if err := json.Unmarshal([]byte(b), &got); err != nil || status != http.StatusOK || len(got) != 1 || got[0].Name != "Mesa 1" {
		t.Errorf("%d %s", status, b)
	}
	if status, _ := ask(jefe); status != http.StatusForbidden {
		t.Errorf("an inspector: %d", status)
	}
	fail = errors.New("no network interface")
	if status, b := ask(technician); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, b)
	}
}
