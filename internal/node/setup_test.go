package node

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/testkit/simulated"
	"vision/stream/console"
)

// A node without tables gets its first one by the API, step by step: what is refused says
// why, nothing of it is live before the last step, and then all of it is.
func TestATableIsSetUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	lens := newLens(t, h.srv, "felt")
	_, path := h.config()
	changed := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	opts := Options{Log: quiet(), ReaderEnv: h.env, Settle: time.Second, Reread: func() { changed <- struct{}{} }}
	go func() {
		over <- Keep(ctx, func() (*config.Config, error) { return config.Load(path) }, changed, opts, nil)
	}()
	defer func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("keep: %v", err)
		}
	}()
	h.login()
	const root = "/api/v1/setup"
	want := func(code int, method, path string, body, v any) {
		t.Helper()
		if got := h.call(method, path, body, v); got != code {
			t.Errorf("%s %s: %d, want %d", method, path, got, code)
		}
	}
	var room console.SetupRoom
	want(200, http.MethodGet, root, nil, &room)
	if room.Problem != "" || len(room.Norms) < 5 || len(room.Norms[0].Games) < 5 || len(room.Drafts) != 0 {
		t.Fatalf("%+v", room)
	}
	want(400, http.MethodPost, root, map[string]string{"url": "/etc/passwd"}, nil)
	want(422, http.MethodPost, root, map[string]string{"url": h.srv.URL("none")}, nil)
	var d console.Draft
	want(200, http.MethodPost, root, map[string]string{"url": lens.url()}, &d)
	of, cam := root+"/"+d.ID, "/api/v1/cameras/"+d.Camera
	want(400, http.MethodPost, of+"/live", map[string]string{}, nil)
	table := console.NewTable{ID: "R9", Game: "ruleta_francesa", Norm: "cantabria-2010", Min: 500, Max: 100}
	want(400, http.MethodPut, of, table, nil)
	table.Max, table.Options = 50000, map[string]any{"panos": 7}
	want(400, http.MethodPut, of, table, nil)
	table.Options = map[string]any{"panos": 1}
	want(200, http.MethodPut, of, table, &d)
	want(404, http.MethodGet, cam+"/empty", nil, nil)
	want(200, http.MethodPost, cam+"/empty", map[string]string{}, nil)
	want(200, http.MethodGet, cam+"/empty", nil, nil)
	cal, err := calibration.Load(simulated.Calibration(t, t.TempDir(), "one", [2]int{picW, picH}))
	if err != nil {
		t.Fatal(err)
	}
	want(200, http.MethodPut, cam+"/calibration", cal, nil)
	want(200, http.MethodGet, of, nil, &d)
	if !d.Chosen || strings.Contains(strings.Join(d.Lacks, " "), "empty") || d.Size != [2]int{picW, picH} {
		t.Errorf("%+v", d)
	}
	var tables []console.Table
	if want(200, http.MethodGet, "/api/v1/tables", nil, &tables); len(tables) != 0 {
		t.Errorf("live before the last step: %+v", tables)
	}
	want(200, http.MethodPost, of+"/live", map[string]string{}, nil)
	h.await("the table is live", func() bool {
		res, err := h.client.Get("http://" + h.addr + "/api/v1/tables") // nobody answers for a moment
		if err != nil {
			return false
		}
		defer res.Body.Close()
		return json.NewDecoder(res.Body).Decode(&tables) == nil && len(tables) == 1 && tables[0].Cameras[0].Size[0] > 0
	})
	if c := tables[0].Cameras[0]; tables[0].ID != "R9" || c.Name != "R9-1" || c.Size != [2]int{picW, picH} {
		t.Errorf("%+v", tables[0])
	}
	want(404, http.MethodGet, of, nil, nil)
	want(200, http.MethodGet, "/api/v1/cameras/R9-1/empty", nil, nil)
	before, err := os.ReadFile(path + config.Before)
	if err != nil || string(before) != h.yaml.String() {
		t.Errorf("the last configuration: %q, %v", before, err)
	}
	var trail []struct{ Payload json.RawMessage }
	want(200, http.MethodGet, "/api/v1/audit", nil, &trail)
	for _, act := range []string{"camera_tried", "empty_taken", "calibrate", "table_added"} {
		found := false
		for _, e := range trail {
			found = found || strings.Contains(string(e.Payload), `"`+act+`"`)
		}
		if !found {
			t.Errorf("the audit trail has no %s", act)
		}
	}
}
