package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/capture/local"
	"vision/capture/rtsp"
	"vision/internal/fact"
	"vision/internal/testkit/porttest"
)

// photographer is a camera over a felt: it shows an empty table until somebody lays
// something on it, then that: a chip, or the pictures of a round, again and again.
type photographer struct {
	shows map[string]string // by what a hand is asked for: a picture, or a folder of them
	out   *rtsp.Stream
	now   atomic.Pointer[string] // nil: the empty table
}

// lay has the table show something.
func (p *photographer) lay(what string) { p.now.Store(&what) }

func (p *photographer) run(ctx context.Context) error {
	begun := time.Now()
	for ctx.Err() == nil {
		was := p.now.Load()
		path := p.shows["empty"]
		if was != nil {
			path = p.shows[*was]
		}
		in, err := local.Open(path, local.Options{FPS: 4, Loop: true, Realtime: true, Units: true})
		if err != nil {
			return err
		}
		for p.now.Load() == was {
			pic, err := in.Next(ctx)
			if err != nil {
				break
			}
			u := pic.Unit
			pic.Close()
			u.PTS, u.Wall = time.Since(begun), time.Now()
			if err := p.out.Write(u); err != nil {
				in.Close()
				return err
			}
		}
		in.Close()
	}
	return nil
}

// From nothing to the first card: an empty folder, `vision run`, a camera over RTSP, and a
// person with a browser. How long it took is told, not asserted.
func TestTheFirstTable(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: starts a node and a browser; run without -short")
	}
	h := newTools(t)
	dir := t.TempDir()
	film := filepath.Join(dir, "film")
	h.await("the film", func() bool {
		cmd := h.simulate("--conditions", "ideal", "--games", "punto_banco", "--out", film, "--calib", dir, "--rounds", "1", "--size", "1280x720", "--fps", "1", "--seed", "5", "--speed", "2")
		return cmd.Wait() == nil
	})
	cable, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer cable.Close()
	cable.SetCredentials("mesa", "una clave")
	empty, sheet := filepath.Join(dir, "punto_banco-empty.jpg"), filepath.Join(dir, "punto_banco.yaml")
	p := &photographer{shows: map[string]string{"empty": empty, "deal": film}}
	for i, c := range shownChips {
		p.shows[fmt.Sprint("chip", i)] = c.lie(t, sheet, empty)
	}
	if p.out, err = cable.Stream("felt", nil, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- p.run(ctx) }()
	defer func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("the camera: %v", err)
		}
	}()
	hand := httptest.NewServer(
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { p.lay(strings.TrimPrefix(r.URL.Path, "/")) }),
	)
	defer hand.Close()
	h.stand = hand.URL

	house := filepath.Join(dir, "house")
	if err := os.Mkdir(house, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(house, "vision.yaml")
	console := porttest.Address(t)
	h.url = "http://" + console + "/"
	const ours = "# nothing but where it listens: no tables\n"
	if err := os.WriteFile(path, []byte(ours+fmt.Sprintf("listen: %s\nwebrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\n", console)), 0o600); err != nil {
		t.Fatal(err)
	}
	node := h.start("run", "-c", path)
	h.up()
	first := regexp.MustCompile(`password (\S+) `).FindStringSubmatch(fmt.Sprint(node.Stdout))
	if first == nil {
		t.Fatal("no first password was printed")
	}
	var s struct {
		Refused           []string
		Bare              string // what the wall's first visitor is led to
		Read, First, Left string
		Worst             []string // what axe found
		Seconds           float64
		Wide              float64 // pixels beyond a tablet
		Packs             []string
		Planned           int         // zones of a table that has no camera yet
		Narrow            bool        // a lens under which they do not fit says so
		Chips             [][2]string // face and edge as they were learned, "rgb(1, 2, 3)"
	}
	h.day(t, "setup", &s, first[1], cable.URL("felt"), corners(t, sheet, "punto_banco"))
	t.Logf("from the empty folder's log-in to the first card: %.0f s; %s", s.Seconds, s.First)
	if s.Bare != "/setup" || s.Left != "chips" || !strings.Contains(s.First, "carta") || !strings.Contains(s.Read, "carta") {
		t.Errorf("%+v", s)
	}
	if s.Planned < 4 || !s.Narrow {
		t.Errorf("planned %d zones; too long a lens: %v", s.Planned, s.Narrow)
	}
	if len(s.Worst) > 0 || s.Wide > 0 {
		t.Errorf("axe: %q; %v pixels beyond a tablet", s.Worst, s.Wide)
	}
	for i, c := range shownChips {
		if i >= len(s.Chips) || !c.alike(s.Chips[i]) {
			t.Errorf("chip %d was shown as %v and learned as %v", i, c, s.Chips)
		}
	}
	if !slices.Equal(s.Packs, []string{"french"}) { // cantabria-2010: with indices
		t.Errorf("packs %q", s.Packs)
	}
	unknown := func(r string) bool { return r == "" || strings.Contains(r, "no ha sido posible") }
	if len(s.Refused) != 4 || slices.ContainsFunc(s.Refused, unknown) {
		t.Errorf("what was refused says %q", s.Refused)
	}
	b, err := os.ReadFile(path)
	for _, part := range []string{ours, "id: PB1", "una%20clave@"} {
		if err != nil || !strings.Contains(string(b), part) {
			t.Errorf("the configuration lacks %q: %s, %v", part, b, err)
		}
	}
}

// corners are a layout's in the picture of a calibrated camera, and the middle of its far
// edge, as JSON.
func corners(t *testing.T, file, game string) string {
	t.Helper()
	cal, err := calibration.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	view, err := cal.View()
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.New(game, layout.Dims{Seats: seats(cal), Width: 1200})
	if err != nil {
		t.Fatal(err)
	}
	var px []fact.Point
	for _, mm := range []fact.Point{{0, 0}, {l.Width, 0}, {l.Width, l.Depth}, {0, l.Depth}, {l.Width / 2, 0}} {
		px = append(px, view.ToImage(mm))
	}
	b, err := json.Marshal(map[string]any{"px": px, "seats": seats(cal)})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func seats(cal *calibration.Table) (n int) {
	for _, z := range cal.Zones {
		n = max(n, z.Seat)
	}
	return n
}
