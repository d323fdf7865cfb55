package console

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"vision/internal/text"
)

// The room's drafts: one whose camera is shown, whatever is asked of it.
func (r *made) SetupRoom() SetupRoom {
	return SetupRoom{File: "/etc/vision.yaml", Norm: "cantabria-2010", Drafts: []Draft{r.draft()}, Devices: []string{"/dev/video0"}, Files: []string{},
		Norms: []NormGames{{Code: "cantabria-2010",
			Localized: text.Localized{ES: "Cantabria 2010", EN: "Cantabria 2010"},
			Games:     []GameName{{"blackjack", text.Localized{ES: "Black jack", EN: "Blackjack", CA: "Blackjack"}, []string{"french"}}}}}}
}

func (r *made) draft() Draft {
	return Draft{ID: "1", Camera: "setup~1", Address: "rtsp://192.0.2.10/1", Choice: NewTable{Game: "blackjack", Norm: "cantabria-2010"}, Lacks: []string{"calibration", "empty"},
		Report: map[string]any{"codec": "H.264", "width": 1280, "height": 720, "fps": 25.0, "mbps": 4.0, "advice": []any{}}}
}

func (r *made) PlanCamera(raw json.RawMessage) (CameraPlan, error) {
	if !strings.Contains(string(raw), "blackjack") {
		return CameraPlan{}, &Refusal{Problem: errors.New("where is the camera?")}
	}
	return CameraPlan{Places: []any{}, Drawing: "<svg/>"}, nil
}

func (r *made) BeginSetup(_ context.Context, _ string, raw json.RawMessage) (Draft, error) {
	if strings.Contains(string(raw), "nowhere") {
		return Draft{}, &Refusal{Problem: errors.New("connection refused"), Poor: true}
	}
	return r.draft(), nil
}

func (r *made) Setup(id string) (Draft, error) {
	if id != "1" {
		return Draft{}, fs.ErrNotExist
	}
	return r.draft(), nil
}

func (r *made) ChooseSetup(id string, raw json.RawMessage) (Draft, error) {
	d, err := r.Setup(id)
	if e := json.Unmarshal(raw, &d.Choice); e != nil || d.Choice.ID == "" {
		return d, &Refusal{Problem: errors.New("limits: write the least and the greatest stake, above zero and the least not above the greatest")}
	}
	d.Chosen = true
	return d, err
}

func (r *made) GoLive(_ context.Context, _, id string) (string, error) {
	_, err := r.Setup(id)
	return "BJ7", err
}

func (r *made) DropSetup(_ context.Context, _, id string) error {
	_, err := r.Setup(id)
	return err
}

func (r *made) EmptyTable(string) ([]byte, error) { return nil, fs.ErrNotExist }

func (r *made) TakeEmpty(context.Context, string, string) error { return nil }

// Who may set up tables may; what is refused says why, and what is gone is gone.
func TestSettingUpATable(t *testing.T) {
	r := newRoom(t)
	admin, director, jefe := r.as(t, "admin"), r.as(t, "director"), r.as(t, "jefe")
	for _, x := range []struct {
		who          *http.Client
		method, path string
		body         string
		want         int
		says         string
	}{
		{admin, "GET", "/api/v1/setup", "", 200, "setup~1"},
		{director, "GET", "/api/v1/setup", "", 403, ""},
		{jefe, "POST", "/api/v1/setup", "{}", 403, ""},
		{admin, "POST", "/api/v1/setup", `{"url":"rtsp://nowhere/1"}`, 422, "refused"},
		{admin, "POST", "/api/v1/setup", `{"url":"rtsp://x/1"}`, 200, `"id":"1"`},
		{admin, "POST", "/api/v1/setup", `{`, 400, "body"},
		{admin, "POST", "/api/v1/setup/plan", `{"game":"blackjack"}`, 200, "svg"},
		{admin, "POST", "/api/v1/setup/plan", `{}`, 400, "where is the camera?"},
		{director, "POST", "/api/v1/setup/plan", `{"game":"blackjack"}`, 403, ""},
		{admin, "GET", "/api/v1/setup/1", "", 200, "192.0.2.10"},
		{admin, "GET", "/api/v1/setup/9", "", 404, "not being set up"},
		{admin, "PUT", "/api/v1/setup/1", `{"id":""}`, 400, "limits"},
		{admin, "PUT", "/api/v1/setup/1", `{"id":"BJ7"}`, 200, `"chosen":true`},
		{admin, "POST", "/api/v1/setup/1/live", "{}", 200, "BJ7"},
		{admin, "POST", "/api/v1/setup/9/live", "{}", 404, ""},
		{admin, "DELETE", "/api/v1/setup/1", "", 200, ""},
		{admin, "GET", "/api/v1/cameras/setup~1/calibration", "", 200, "blackjack"},
		{director, "GET", "/api/v1/cameras/setup~1/calibration", "", 404, ""},
		{director, "GET", "/api/v1/cameras/bj1/empty", "", 404, "no picture"},
		{director, "POST", "/api/v1/cameras/bj1/empty", "{}", 200, "taken"},
		{jefe, "POST", "/api/v1/cameras/bj1/empty", "{}", 403, ""},
	} {
		code, got := do(t, x.who, x.method, r.URL+x.path, x.body)
		if code != x.want || !strings.Contains(got, x.says) {
			t.Errorf("%s %s %s: %d %.200s; want %d %q", x.method, x.path, x.body, code, got, x.want, x.says)
		}
	}
}
