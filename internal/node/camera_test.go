package node

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/health"
	"vision/internal/testkit/simulated"
	"vision/stream/alert"
	"vision/stream/console"
)

// A camera is cut and comes back: it is named and an alert is on the desk after
// two seconds, the other table goes on, and the alert is resolved.
func TestACameraIsCutAndComesBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	cut, other := h.seat("R1", "one", simulated.Calibration(t, h.dir, "one", [2]int{picW, picH})), h.seat("R2", "two", "")
	n, _ := h.run()
	feed := func(name string) uint64 { return n.camera(name).Feed().Stats().Units }
	h.await("pictures of both", func() bool { return feed("one") > 30 && feed("two") > 30 })
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
	before, sent := feed("two"), other.sent.Load()
	took := h.await("the alert", func() bool { return len(blind()) > 0 })
	if took > 6*time.Second {
		slow(t, "the alert came after %v", took)
	}
	a := blind()
	if took < 1500*time.Millisecond || len(a) != 1 || a[0].Table != "R1" || a[0].Severity != "critical" || !a[0].Resolved.IsZero() {
		t.Errorf("after %v: %+v", took, a)
	}
	h.await("the camera is named", func() bool {
		return h.problem(health.CameraBlind, "one") != nil && h.problem(health.CameraDown, "one") != nil
	})
	if p := h.problem(health.CameraBlind, "two"); p != nil {
		t.Errorf("the other camera: %+v", p)
	}
	if sent = other.sent.Load() - sent; int64(feed("two")-before) < sent-5 {
		t.Errorf("the other table got %d of %d pictures in %v", feed("two")-before, sent, took)
	}
	cut.plug()
	back := h.await("the camera comes back", func() bool { a := blind(); return len(a) == 1 && !a[0].Resolved.IsZero() })
	h.await("health", func() bool {
		return h.problem(health.CameraBlind, "one") == nil && h.problem(health.CameraDown, "one") == nil
	})
	t.Logf("alert %v after the cut; resolved %v after the return; %d units of the other", took.Round(time.Millisecond), back.Round(time.Millisecond), other.sent.Load())
	var cams struct {
		Cameras []console.CameraHealth `json:"cameras"`
		Machine console.MachineHealth  `json:"machine"`
	}
	if h.call(http.MethodGet, "/api/v1/health", nil, &cams); len(cams.Cameras) != 2 || cams.Cameras[0].AgeMS < 0 {
		t.Errorf("cameras %+v", cams)
	}
	if m := cams.Machine; m.DiskFree <= 0 || m.DiskTotal < m.DiskFree || m.BusMS < 0 {
		t.Errorf("machine %+v", m)
	}
}

// A camera that sends B-frames is named: browsers will not play it.
func TestACameraThatReordersIsNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	n, _ := h.run()
	feed := n.camera("one").Feed()
	h.await("pictures", func() bool { return feed.Stats().Units > 0 })
	if p := h.problem(health.CameraReorders, "one"); p != nil {
		t.Fatalf("named without B-frames: %+v", p)
	}
	feed.Unit(capture.Unit{NALs: [][]byte{{0x01, 0xa0, 0x80}}, Wall: time.Now()}) // first_mb 0, slice_type 1: H.264 §7.4.3
	h.await("it is named", func() bool { p := h.problem(health.CameraReorders, "one"); return p != nil && p.Table == "R1" })
}

// A camera with a substream: viewers of either get its pictures over the same
// server, and one that ends leaves the other as it was. Only the full one is recorded.
func TestASubstreamStandsBesideTheFullOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	full, sub := newLens(t, h.srv, "one"), newLens(t, h.srv, "one-small")
	h.lenses["one"] = full
	fmt.Fprintf(&h.yaml, "  - {id: R1, game: ruleta_francesa, min: 500, max: 100000, options: {panos: 1}, token: %s, cameras: [{name: one, url: '%s', substream: '%s'}]}\n",
		token, full.url(), sub.url())
	n, _ := h.run()
	c := n.camera("one")
	h.await("pictures of both", func() bool { return c.Feed().Stats().Units > fps && c.FeedOf("one~low").Stats().Units > fps })
	var tables []console.Table
	h.call(http.MethodGet, "/api/v1/tables", nil, &tables)
	if len(tables) != 1 || len(tables[0].Cameras) != 1 || !tables[0].Cameras[0].Low {
		t.Fatalf("what the wall is told: %+v", tables)
	}
	large, small := h.view("one"), h.view("one~low")
	seen := func(v *viewer) int { k, _ := v.pictures(); return k }
	h.await("both are shown", func() bool { return seen(large) > fps && seen(small) > fps })

	sub.cut()
	h.await("the substream stands still", func() bool {
		k := c.FeedOf("one~low").Stats().Units
		time.Sleep(300 * time.Millisecond)
		return c.FeedOf("one~low").Stats().Units == k
	})
	before := seen(large)
	h.await("the full one goes on", func() bool { return seen(large) > before+fps })
	if p := h.problem(health.CameraBlind, "one"); p != nil {
		t.Errorf("the camera itself: %+v", p)
	}
	sub.plug()
	was := seen(small)
	h.await("the substream comes back to its viewer", func() bool { return seen(small) > was+fps })
	if got := n.store.Cameras(); len(got) != 1 || got[0].Camera != "one" {
		t.Errorf("recorded: %v", got)
	}
}
