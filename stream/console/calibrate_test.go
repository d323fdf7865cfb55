package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/calibration/lens"
	"vision/internal/fact"
	"vision/internal/testkit/browser"
)

// The room keeps calibrations in memory.

func (r *made) Calibration(string) (Sheet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Sheet{Versions: []Version{}, Games: layout.Games, Packs: []string{"french"}, Chips: calibration.PlainChips()}
	for i, c := range r.cals {
		out.Calibration = c
		out.Versions = append(
			out.Versions,
			Version{ID: fmt.Sprint(i), Saved: time.Unix(int64(i), 0), Current: i == len(r.cals)-1},
		)
	}
	return out, nil
}

func (r *made) CalibrationVersion(_, id string) (any, error) {
	var i int
	if _, err := fmt.Sscan(id, &i); err != nil || i < 0 || i >= len(r.cals) {
		return nil, fs.ErrNotExist
	}
	return r.cals[i], nil
}

// read takes what the page sent.
func (r *made) read(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &Refusal{Problem: err}
	}
	return nil
}

func (r *made) FitCalibration(camera string, raw json.RawMessage) (any, error) {
	var clicks layout.Clicks
	if err := r.read(raw, &clicks); err != nil {
		return nil, err
	}
	fit, err := clicks.Fit("BJ1", camera, "cantabria-2010", calibration.PlainChips())
	if err != nil {
		return nil, &Refusal{Problem: err}
	}
	return fit, nil
}

func (r *made) PlaceRack(_ string, raw json.RawMessage) (any, error) {
	var in struct {
		Calibration calibration.Table `json:"calibration"`
		calibration.RackPlace
	}
	if err := r.read(raw, &in); err != nil {
		return nil, err
	}
	if err := in.Place(&in.Calibration); err != nil {
		return nil, &Refusal{Problem: err}
	}
	quads, err := in.Calibration.TubeQuads()
	return map[string]any{"calibration": &in.Calibration, "tubes": quads}, err
}

func (r *made) SaveCalibration(_, camera string, raw json.RawMessage) error {
	var cal calibration.Table
	if err := r.read(raw, &cal); err != nil {
		return err
	}
	cal.Table, cal.Camera, cal.Schema = "BJ1", camera, calibration.Schema
	if err := cal.Check(); err != nil {
		return &Refusal{Problem: err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cals = append(r.cals, &cal)
	return nil
}

// FindBoard and MeasureLens are the room's stand-ins for the process: a board is
// seen where the test says so; six views are enough.
func (r *made) FindBoard(_ context.Context, measures url.Values, image []byte) (any, error) {
	b, err := lens.BoardOf(measures)
	if err == nil && !bytes.HasPrefix(image, []byte{0xff, 0xd8}) {
		err = errors.New("no JPEG")
	}
	if err != nil {
		return nil, &Refusal{Problem: err}
	}
	n := float64(r.stills.Add(1))
	v := lens.View{Size: [2]int{1920, 1080}}
	for id := range b.Corners() {
		at := b.At(id)
		v.Corners = append(v.Corners, lens.Corner{ID: id, Px: fact.Point{at[0] + 100*n, at[1] + 50*n}})
	}
	return v, nil
}

func (r *made) MeasureLens(_ context.Context, raw json.RawMessage) (any, error) {
	var seen lens.Seen
	if err := r.read(raw, &seen); err != nil {
		return nil, err
	}
	if err := seen.Check(); err != nil {
		return nil, &Refusal{Problem: err}
	}
	if len(seen.Views) < lens.MinViews {
		return nil, &Refusal{Problem: errors.New("too few"), Poor: true}
	}
	return lens.Result{
		Lens:  calibration.Lens{Fx: 1500, Fy: 1500, Cx: 960, Cy: 540},
		Size:  [2]int{1920, 1080},
		Views: len(seen.Views),
		RMS:   0.12,
		RMSmm: 0.1,
		Cover: 12,
	}, nil
}

// TryCalibration is its stand-in for the process that reads: in the bank's zone there
// lies a card where its middle is by the calibration.
func (r *made) TryCalibration(_ context.Context, _ string, raw json.RawMessage, image []byte) ([]Sight, error) {
	var cal calibration.Table
	if err := r.read(raw, &cal); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(image, []byte{0xff, 0xd8}) {
		return nil, &Refusal{Problem: errors.New("no JPEG")}
	}
	view, err := cal.View()
	bank, _ := cal.Zone("bank")
	if err != nil {
		return nil, &Refusal{Problem: err}
	}
	c := view.ToImage(bank.Centre())
	quad := fact.Quad{{c[0] - 20, c[1] - 30}, {c[0] + 20, c[1] - 30}, {c[0] + 20, c[1] + 30}, {c[0] - 20, c[1] + 30}}
	return []Sight{
		{Zone: "bank", Picture: image, Readings: []map[string]any{{"kind": "card", "label": "As", "p": 0.97, "quad": quad}}},
		{Zone: "seat:1", Picture: image, Readings: []any{}},
	}, nil
}

func (r *made) ConfirmCamera(_, camera string) error {
	if camera != "bj1" {
		return errors.New("no such camera")
	}
	r.confirmed.Add(1)
	return nil
}

// seen is a camera over a blackjack table 1200 mm wide, by its lens and pose.
func seenTable(t *testing.T) (*calibration.Table, layout.Layout) {
	t.Helper()
	l, err := layout.New("blackjack", layout.Dims{Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	cal := &calibration.Table{
		Schema:  calibration.Schema,
		Table:   "BJ1",
		Camera:  "bj1",
		Size:    [2]int{1920, 1080},
		Zones:   l.Zones,
		Card:    [2]float64{63, 88},
		Palette: calibration.PlainChips(),
		Deck:    "french",
		Lens:    calibration.Lens{Fx: 1500, Fy: 1500, Cx: 960, Cy: 540},
		// From the players' side, looking down at 45 degrees: the far edge is further away.
		Pose: calibration.Pose{R: [3]float64{-math.Pi / 4, 0, 0}, T: [3]float64{-l.Width / 2, -200, 1500}}}
	if cal.Plane, err = calibration.PlaneOf(cal.Lens, cal.Pose); err != nil {
		t.Fatal(err)
	}
	return cal, l
}

func TestCalibrationByPoints(t *testing.T) {
	r := newRoom(t)
	admin, inspector := r.as(t, "director"), r.as(t, "inspector")
	truth, l := seenTable(t)
	view, err := truth.View()
	if err != nil {
		t.Fatal(err)
	}
	body := func(names ...string) string {
		var pts []map[string]any
		for _, n := range names {
			px := view.ToImage(fact.Point{layout.Corners[n][0] * l.Width, layout.Corners[n][1] * l.Depth})
			pts = append(pts, map[string]any{"corner": n, "px": px})
		}
		b, _ := json.Marshal(map[string]any{"game": "blackjack", "seats": 3, "card": [2]float64{63, 88}, "deck": "french", "size": truth.Size, "points": pts})
		return string(b)
	}
	const url = "/api/v1/cameras/bj1/calibration"
	all := []string{"far_left", "far_right", "near_right", "near_left", "far_middle", "left_middle"}
	code, got := do(t, admin, "POST", r.URL+url+"/fit", body(all...))
	var fit struct {
		Calibration calibration.Table
		Residual    float64
	}
	if err := json.Unmarshal([]byte(got), &fit); err != nil || code != 200 {
		t.Fatalf("%d %s: %v", code, got, err)
	}
	if fit.Residual > 0.1 || math.Abs(fit.Calibration.Lens.Fx-1500) > 15 || !fit.Calibration.Pose.Known() {
		t.Errorf("residual %.2f mm, focal length %.0f; want 1500", fit.Residual, fit.Calibration.Lens.Fx)
	}
	for _, x := range []struct {
		who          *http.Client
		method, path string
		body         string
		want         int
	}{
		{inspector, "POST", url + "/fit", body(all...), 403}, {inspector, "GET", url, "", 403}, {admin, "GET", "/api/v1/cameras/none/calibration", "", 404},
		{admin, "POST", url + "/fit", body(all[:3]...), 400}, {admin, "POST", url + "/fit", strings.Replace(body(all...), "far_left", "moon", 1), 400},
		{admin, "POST", url + "/fit", strings.Replace(body(all...), "blackjack", "chess", 1), 400},
		{admin, "POST", url + "/fit", strings.Replace(body(all...), "1920", "300", 1), 400},
		{admin, "PUT", url, `{"schema":"x"}`, 400}, {inspector, "POST", url + "/try", "{}", 403},
		{admin, "POST", url + "/try", `{"calibration":{},"image":"AAAA"}`, 400}, {admin, "PUT", url, `{"nonsense":1}`, 400}, {admin, "GET", url + "/versions/7", "", 404},
		{admin, "POST", "/api/v1/cameras/bj1/confirm", "{}", 200}, {inspector, "POST", "/api/v1/cameras/bj1/confirm", "{}", 403},
	} {
		if code, got := do(t, x.who, x.method, r.URL+x.path, x.body); code != x.want {
			t.Errorf("%s %s: %d %.200s; want %d", x.method, x.path, code, got, x.want)
		}
	}
	b, _ := json.Marshal(fit.Calibration)
	if code, got := do(t, admin, "PUT", r.URL+url, string(b)); code != 200 || !strings.Contains(got, `"current":true`) {
		t.Fatalf("%d %s", code, got)
	}
	if code, got := do(t, admin, "GET", r.URL+url+"/versions/0", ""); code != 200 || !strings.Contains(got, "bank") {
		t.Errorf("%d %.100s", code, got)
	}
	if r.confirmed.Load() != 1 {
		t.Errorf("confirmed %d times", r.confirmed.Load())
	}
}

// A technician calibrates a table from nothing on its picture.
func TestCalibrationInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	truth, l := seenTable(t)
	view, err := truth.View()
	if err != nil {
		t.Fatal(err)
	}
	var clicks []fact.Point
	for _, n := range []string{"far_left", "far_right", "near_right", "near_left", "far_middle"} {
		clicks = append(clicks, view.ToImage(fact.Point{layout.Corners[n][0] * l.Width, layout.Corners[n][1] * l.Depth}))
	}
	px, _ := json.Marshal(clicks)
	var corners []fact.Point
	for _, mm := range []fact.Point{{400, -120}, {550, -120}, {550, -45}, {400, -45}} {
		corners = append(corners, view.ToImageAt(mm, 0))
	}
	rack, _ := json.Marshal(corners)
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/hand/read", func(http.ResponseWriter, *http.Request) {
		if err := r.hub.Retain("overlay", "BJ1", "bj1",
			[]map[string]any{{"kind": "chip", "label": "2×25", "amount": 5000, "p": 0.9, "quad": fact.Quad{{1, 1}, {9, 1}, {9, 9}, {1, 9}}}}); err != nil {
			t.Error(err)
		}
	})
	said := browser.Ask(t, robot+fmt.Sprintf(`<script>const clicks = %s, rack = %s;
	say(async () => {
		const w = await visit("director", "/calibrate/bj1"), d = w.document, v = d.querySelector("#video");
		await until("the page's work", () => d.querySelector("#game").value === "blackjack");
		const scene = d.createElement("canvas");
		scene.width = 1920; scene.height = 1080;
		const g = scene.getContext("2d");
		w.setInterval(() => { g.fillStyle = "#1f6b3a"; g.fillRect(0, 0, 1920, 1080); g.fillStyle = "#c02030"; g.fillRect(900, 500, 100, 100); }, 40);
		v.srcObject = scene.captureStream(25); v.play();
		await until("the picture", () => v.videoWidth === 1920);
		const probe = d.createElement("canvas").getContext("2d");
		await until("a drawn picture", () => { probe.drawImage(v, 0, 0); return probe.getImageData(10, 10, 1, 1).data[1] > 60; });
		d.querySelector("#seats").value = 3;
		d.querySelector("#wave").click(); // the lens first: a board is waved
		await until("the lens", () => d.querySelector("#lens").textContent.includes("px"), 30000);
		const lens = d.querySelector("#lens").textContent;
		d.querySelector("#still").click();
		const c = d.querySelector("#picture");
		await until("the still", () => !c.hidden && c.width === 1920);
		const at = ([x, y], type) => {
			const b = c.getBoundingClientRect(), k = Math.min(b.width / c.width, b.height / c.height);
			c.dispatchEvent(new w.PointerEvent(type, {bubbles: true, pointerId: 1, clientX: b.left + (b.width - c.width * k) / 2 + x * k, clientY: b.top + (b.height - c.height * k) / 2 + y * k}));
		};
		c.setPointerCapture = () => {};
		for (const [i, p] of clicks.entries()) {
			at(p, "pointerdown"); at(p, "pointerup");
			if (i >= 3) await until("the fit", () => d.querySelectorAll("#zone option").length > 3 && (i < 4 || d.querySelector("#residual").textContent.includes("mm")));
		}
		const out = {lens, residual: d.querySelector("#residual").textContent, zones: d.querySelectorAll("#zone option").length};
		d.querySelector("#zone").value = "bank";
		d.querySelector("#zone").dispatchEvent(new w.Event("change"));
		c.focus();
		for (let i = 0; i < 5; i++) c.dispatchEvent(new w.KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true}));
		d.querySelector("#chips button").click();
		at([950, 550], "pointerdown"); at([950, 550], "pointerup");
		out.colour = d.querySelector("#chips button").textContent;
		// The rack, by its corners.
		d.querySelector("#tubes").value = "e25, e5, *";
		d.querySelector("#capacity").value = 20;
		d.querySelector("#rack").click();
		for (const p of rack) { at(p, "pointerdown"); at(p, "pointerup"); }
		out.rack = await until("the rack", () => d.querySelector("#rack").ariaPressed === "false" && d.querySelector("#said").textContent);
		// What its readers would see, before it is saved: over the still, in words, and the zone straightened.
		d.querySelector("#try").click();
		out.seen = await until("the still is read", () => { const x = [...d.querySelectorAll("#readings li")].map(y => y.textContent); return x[0]?.includes("%%") && x; });
		const lay = d.querySelector("#overlay");
		await until("it is drawn", () => lay.getContext("2d").getImageData(0, 0, lay.width, lay.height).data.some(x => x));
		await until("the zone's picture", () => !d.querySelector("#sight").hidden && d.querySelector("#sight img").naturalWidth === 1920);
		out.caption = d.querySelector("#sight img").alt;
		d.querySelector("#save").click();
		await until("it is saved", () => d.querySelectorAll("#versions li").length === 1);
		out.said = d.querySelector("#said").textContent;
		// In the live picture: what is read by the calibration in force.
		await fetch("/hand/read", {cache: "no-store"});
		d.querySelector("#live").click();
		await until("the live readings", () => d.querySelector("#readings").textContent.includes("50 €"));
		out.errors = w.errors;
		return out;
	});</script>`, px, rack), mux)
	var got struct {
		Lens, Residual, Colour, Said, Caption, Rack string
		Zones                                       int
		Errors, Seen                                []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	t.Log(said)
	if got.Zones != len(l.Zones) || len(got.Errors) > 0 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.Rack, "3 tubos") {
		t.Errorf("the rack: %s", got.Rack)
	}
	if !slices.Equal(got.Seen, []string{"carta · A♠ · 97 %"}) || !strings.Contains(got.Caption, "carta · A♠ · 97 %") {
		t.Errorf("the readers see %q, %q", got.Seen, got.Caption)
	}
	if got.Lens != "0,12 px · 0,10 mm" || r.cals[0].Lens.Fx != 1500 {
		t.Errorf("the lens was measured as %q, saved as %+v", got.Lens, r.cals[0].Lens)
	}
	if len(r.cals) != 1 {
		t.Fatalf("%d calibrations were saved", len(r.cals))
	}
	saved, err := r.cals[0].View()
	if err != nil {
		t.Fatal(err)
	}
	for _, mm := range []fact.Point{{100, 100}, {l.Width / 2, l.Depth / 2}, {l.Width - 50, l.Depth - 50}} {
		p := saved.ToTable(view.ToImage(mm))
		if off := math.Hypot(p[0]-mm[0], p[1]-mm[1]); off > 3 {
			t.Errorf("%v is read at %v, %.1f mm off", mm, p, off)
		}
	}
	was, _ := truth.Zone("bank")
	is, _ := r.cals[0].Zone("bank")
	if d := is.Polygon[0][0] - was.Polygon[0][0]; math.Abs(d-5) > 0.01 {
		t.Errorf("the bank's zone moved by %.2f mm; want 5", d)
	}
	var red, green, blue int
	if _, err := fmt.Sscanf(r.cals[0].Palette[0].Face, "#%02x%02x%02x", &red, &green, &blue); err != nil || red < 150 ||
		green > 70 ||
		blue > 90 {
		t.Errorf("the chip's colour was learnt as %s", r.cals[0].Palette[0].Face)
	}
}
