package node

import (
	"bytes"
	"encoding/json"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"vision/internal/config"
	"vision/internal/testkit/simulated"
	"vision/stream/alert"
	"vision/stream/record"
)

// Of two tables one is configured anew, then taken away while a third comes, with somebody who
// is told of alerts: the first plays its round to its end, is seen and recorded without a gap, and
// its reader goes on.
func TestATableIsConfiguredBesideOthers(t *testing.T) {
	h := newHouse(t, "")
	for _, c := range []string{"good", "other"} {
		h.seat(c, c, simulated.Calibration(t, h.dir, c, [2]int{picW, picH}))
	}
	n, _ := h.run()
	reads := func(c string) bool {
		cam := n.camera(c)
		return cam != nil && cam.Reader() != nil && cam.Reader().Read > 0
	}
	h.await("both are read", func() bool { return reads("good") && reads("other") })
	viewer, f := h.view("good"), h.follow()
	h.await("the viewer sees", func() bool { c, _ := viewer.pictures(); return c >= fps })
	viewer.mu.Lock()
	viewer.longest = 0
	viewer.mu.Unlock()
	began, good, other := time.Now(), n.table("good"), n.table("other")
	h.say("good", "announce", began, map[string]any{"call": "hagan_juego"})
	h.say("other", "announce", began, map[string]any{"call": "hagan_juego"})
	yaml := h.yaml.String()
	reread := func(text string) error {
		_, path := h.config()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !n.adopts(cfg) {
			t.Fatalf("it takes another node: %v", cfg.Differs(n.inForce()))
		}
		return n.adopt(t.Context(), cfg)
	}
	changed := strings.Replace(yaml, "id: other, game: ruleta_francesa, min: 500", "id: other, game: ruleta_francesa, min: 700", 1)
	if err := reread(changed); err != nil {
		t.Fatal(err)
	}
	h.await("the other is read again", func() bool {
		return n.table("other") != nil && n.table("other") != other && reads("other")
	})
	if low := n.table("other").Config().Min; low != 700 {
		t.Errorf("its minimum is %d", low)
	}
	h.quickSpin("other", "5")
	h.await("the other's round", func() bool { return len(f.rounds(t, "other")) > 0 })
	if r := f.rounds(t, "other")[0]; r.NotVerifiable == "" {
		t.Error("a round that began before the table was configured anew is verified")
	}

	published := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var a struct {
			alert.Alert
			Picture []byte
		}
		b, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(b, &a); err != nil {
			t.Error(err)
		}
		if _, err := jpeg.Decode(bytes.NewReader(a.Picture)); err != nil && a.Code == "variance_number" {
			t.Errorf("what the camera saw: %v", err)
		}
		published <- a.Table + " " + a.Code
	}))
	defer hook.Close()
	calibration := simulated.Calibration(t, h.dir, "third", [2]int{picW, picH})
	h.seat("third", "third", calibration)
	tables := strings.SplitAfter(h.yaml.String(), "\n")
	text := "push: {webhooks: [{url: '" + hook.URL + "', severity: minor, picture: true}]}\n"
	for _, line := range tables {
		if !strings.Contains(line, "id: other") {
			text += line
		}
	}
	if err := reread(text); err != nil {
		t.Fatal(err)
	}
	if n.table("other") != nil || h.call(http.MethodGet, "/api/v1/tables/other/session", nil, nil) != http.StatusNotFound {
		t.Error("the other is there still")
	}
	h.await("the third is read and recorded", func() bool { return reads("third") && len(n.store.Cameras()) == 3 })
	h.say("third", "announce", time.Now(), map[string]any{"call": "hagan_juego"})
	h.quickSpin("third", "7")
	h.await("the third's round", func() bool { return len(f.rounds(t, "third")) > 0 })

	h.say("good", "announce", time.Now(), map[string]any{"call": "no_va_mas"})
	h.say("good", "ball", time.Now(), map[string]any{"pocket": "17"})
	h.say("good", "announce", time.Now(), map[string]any{"call": "number", "number": "18"}) // called wrongly
	h.say("good", "announce", time.Now().Add(time.Millisecond), map[string]any{"call": "hagan_juego"})
	h.await("the round that went on", func() bool { return len(f.rounds(t, "good")) > 0 })
	if r := f.rounds(t, "good")[0]; r.NotVerifiable != "" {
		t.Errorf("not verifiable: %s", r.NotVerifiable)
	}
	h.await("who was added is told", func() bool {
		select {
		case what := <-published:
			return what == "good variance_number"
		default:
			return false
		}
	})
	if n.table("good") != good || good.Restarts() > 0 {
		t.Error("the good table was begun anew")
	}
	ended := time.Now()
	h.await("the recording is on the disk", func() bool {
		spans := n.store.Timeline(record.Camera{Table: "good", Camera: "good"}, began, time.Now())
		return len(spans) > 0 && spans[len(spans)-1].Kind == record.Recorded && !spans[len(spans)-1].To.Before(ended)
	})
	pause := time.Duration(h.lenses["good"].pause.Load()) // of the camera itself, where the machine is busy
	for _, s := range n.store.Timeline(record.Camera{Table: "good", Camera: "good"}, began, ended) {
		if s.Kind != record.Recorded && s.To.Sub(s.From) > pause+50*time.Millisecond {
			t.Errorf("recording: %s from %v to %v", s.Kind, s.From.Sub(began), s.To.Sub(began))
		}
	}
	if _, gap := viewer.pictures(); gap > time.Second+pause {
		t.Errorf("once %v without a picture", gap)
	}
}
