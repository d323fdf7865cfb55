package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"go.uber.org/goleak"

	"vision/calibration"
	"vision/capture"
	"vision/capture/rtsp"
	"vision/internal/av"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
)

var small = [2]int{640, 360}

// eye is the far end of a camera.
type eye struct {
	mu     sync.Mutex
	units  []capture.Unit
	enough chan struct{}
	want   int
}

func (e *eye) Unit(u capture.Unit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.units = append(e.units, u); len(e.units) == e.want {
		close(e.enough)
	}
}

func (e *eye) State(capture.State) {}

// The simulated camera must be what any RTSP client takes for a camera, and its
// sensors must reach the node.
func TestStudioServesCamerasAndSensors(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	lines := make(chan string, 100)
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var line fact.Sensed
		if err := json.NewDecoder(r.Body).Decode(&line); err == nil {
			lines <- r.URL.Path + " " + line.Kind
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer node.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	urls := make(chan string, 1)
	dir := t.TempDir()
	studio := Studio{Tables: []Config{{Game: "punto_banco", Seed: 1, Size: small, FPS: 15}}, RTSP: "127.0.0.1:0", Post: node.URL,
		Token: "secret", Calibration: dir, Served: func(_, url string) { urls <- url }}
	done := make(chan error, 1)
	go func() { done <- studio.Run(ctx) }()
	e := &eye{want: 40, enough: make(chan struct{})}
	look, enough := context.WithCancel(ctx)
	seen := make(chan error, 1)
	go func() { seen <- (&rtsp.Source{Name: "sim", URL: <-urls}).Run(look, e) }()
	for _, c := range []<-chan struct{}{e.enough} {
		select {
		case <-c:
		case <-ctx.Done():
			t.Fatal("no pictures came")
		}
	}
	if got := <-lines; got != "/api/v1/tables/punto_banco/events announce" {
		t.Errorf("first line went to %q", got)
	}
	enough()
	<-seen
	stop()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cal, err := calibration.Load(filepath.Join(dir, "punto_banco.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := cal.Fits(small[0], small[1]); err != nil {
		t.Error(err)
	}
	checkPictures(t, e.units)
}

// checkPictures decodes units from the first key picture on.
func checkPictures(t *testing.T, units []capture.Unit) {
	t.Helper()
	dec, err := av.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	pictures, started := 0, false
	for _, u := range units {
		if started = started || u.Key; !started {
			continue
		}
		frames, err := dec.Decode(u)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			pictures++
			f.Close()
		}
	}
	if pictures < 5 {
		t.Errorf("%d pictures of %d units", pictures, len(units))
	}
}

func TestShootWritesFilmAndTruth(t *testing.T) {
	dir := t.TempDir()
	s := Studio{Tables: []Config{{Game: "dados_craps", Seed: 2, Size: small, FPS: 4, Faults: 1}},
		Out: filepath.Join(dir, "c.mp4"), Truth: filepath.Join(dir, "truth.jsonl"), Rounds: 3}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(s.Truth)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	next := uint64(0)
	for n := range 3 {
		var l TruthLine
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		if l.From != next || l.To <= l.From || len(l.Calls) < 2 || len(l.Record.Events) < 4 {
			t.Errorf("round %d: frames %d to %d, %d calls, %d events", n, l.From, l.To, len(l.Calls), len(l.Record.Events))
		}
		next = l.To + 1
	}
	film, err := os.ReadFile(s.Out)
	if err != nil {
		t.Fatal(err)
	}
	var parts fmp4.Parts
	if err := parts.Unmarshal(film); err != nil {
		t.Fatal(err)
	}
	samples := uint64(0)
	for _, p := range parts {
		samples += uint64(len(p.Tracks[0].Samples))
	}
	if samples != next {
		t.Errorf("%d pictures in the film, truth speaks of %d", samples, next)
	}
}

func TestShootWritesPictures(t *testing.T) {
	dir := t.TempDir()
	tab := newTable(t, Config{Game: "dados_craps", Seed: 2, Size: small, FPS: 1})
	if err := tab.Shoot(t.Context(), 1, filepath.Join(dir, "frames"), nil, nil); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(filepath.Join(dir, "frames"))
	if err != nil || len(list) < 8 {
		t.Fatalf("%d pictures, %v", len(list), err)
	}
}

func TestFilmWantsAKeyPictureFirst(t *testing.T) {
	f := NewFilm(&bytes.Buffer{}, 12)
	if err := f.Write(capture.Unit{NALs: [][]byte{{0x41, 1, 2}}}); err == nil {
		t.Error("want an error")
	}
}

func TestFilmsShowOneTable(t *testing.T) {
	s := Studio{Tables: []Config{{Game: "blackjack"}, {Game: "dados_craps"}}, Out: "x.mp4"}
	if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "one game") {
		t.Errorf("got %v", err)
	}
}

// A node that is still starting gets the line later; one that refuses it does not.
func TestPosterInsists(t *testing.T) {
	var mu sync.Mutex
	tries := map[string]int{}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var line fact.Sensed
		_ = json.NewDecoder(r.Body).Decode(&line)
		mu.Lock()
		defer mu.Unlock()
		tries[line.ID]++
		switch {
		case line.ID == "bad":
			w.WriteHeader(http.StatusBadRequest)
		case tries[line.ID] < 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer node.Close()
	p := NewPoster(node.URL+"/", "")
	for _, id := range []string{"bad", "good"} {
		p.insist(t.Context(), fact.Sensed{Table: "T", ID: id, Kind: "announce"})
	}
	if tries["bad"] != 1 || tries["good"] != 3 {
		t.Errorf("tries %v", tries)
	}
}

func TestHouseAgreesWithTheRecords(t *testing.T) {
	for _, game := range allGames {
		min, max, options, err := House(game)
		if err != nil {
			t.Fatal(err)
		}
		st, _ := newStage(game, small)
		g, err := script.New(
			script.Config{Game: game, Table: "T", Seats: st.seats, Palette: st.palette, Min: st.min, Max: st.max},
		)
		if err != nil {
			t.Fatal(err)
		}
		rec := g.Next().Truth.Record
		if int64(rec.Table.Min) != min || int64(rec.Table.Max) != max || len(rec.Table.Options) != len(options) {
			t.Errorf("%s: house %d %d %v, record %+v", game, min, max, options, rec.Table)
		}
		for name, v := range options {
			if raw, _ := json.Marshal(v); string(raw) != string(rec.Table.Options[name]) {
				t.Errorf("%s: option %s is %s in the record, %s in the house", game, name, rec.Table.Options[name], raw)
			}
		}
	}
	if _, _, _, err := House("bridge"); err == nil {
		t.Error("unknown game: want an error")
	}
}
