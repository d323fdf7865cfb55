package node

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/wallclock"
	"vision/stream/verify"
)

// Only a clock that was set is told, once, by how much.
func TestLeaps(t *testing.T) {
	for name, c := range map[string]struct{ drift, set, want time.Duration }{
		"steady": {}, "corrected slowly": {drift: 500 * time.Microsecond}, "set a little": {set: time.Second},
		"set forward": {set: time.Hour, want: time.Hour}, "set back": {set: -time.Minute, want: -time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				begun := time.Now()
				published := clockSteps(ctx, func() time.Time {
					since := time.Since(begun)
					wall := begun.Add(since + time.Duration(since.Seconds()*float64(c.drift)))
					if since > 30*time.Second+clockStepEvery/2 {
						wall = wall.Add(c.set)
					}
					return wall
				})
				var got []time.Duration
				end := time.After(10 * time.Minute)
				for over := false; !over; {
					select {
					case by := <-published:
						got = append(got, by.Round(time.Second))
					case <-end:
						over = true
					}
				}
				if c.want == 0 && len(got) > 0 || c.want != 0 && (len(got) != 1 || got[0] != c.want) {
					t.Errorf("told %v, want %v", got, c.want)
				}
			})
		})
	}
}

// The machine's clock is set forward and back while a node runs: it begins anew and reports it each
// time. Rounds, alerts, log-ins and recordings of all the times are there once, in the ledger's order.
func TestTheClockIsSet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes half a minute")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	h.clock = filepath.Join(h.dir, "clock")
	if err := wallclock.File(h.clock); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("SKIPPED: processes' clocks can be set on x86-64 alone")
	} else if err != nil {
		t.Fatal(err)
	}
	p := h.spawn()
	published, raised := map[string]bool{}, map[string]bool{}
	recorded := filepath.Join(h.dir, "data", "recordings", "R1", "one", "*.mp4")
	var played time.Time // by the clock of before
	for i, set := range []struct {
		to    time.Duration
		found string
	}{{0, ""}, {2 * time.Hour, "set forward by 2h0m0s"}, {0, "set back by 2h0m0s"}, {-4 * time.Second, "set back by 4s"}} {
		before, err := filepath.Glob(recorded)
		if err != nil {
			t.Fatal(err)
		}
		h.ahead = set.to
		if err := wallclock.Set(h.clock, set.to); err != nil {
			t.Fatal(err)
		}
		h.await("it is said: "+set.found, func() bool {
			return set.found == "" || slices.ContainsFunc(h.problems(), func(p health.Problem) bool {
				return p.Code == health.ClockSkew && strings.Contains(p.Detail, set.found)
			})
		})
		h.await("recordings, "+set.found, func() bool { // two whole files of two seconds
			now, _ := filepath.Glob(recorded)
			return len(now) >= len(before)+2
		})
		// A clock that is set back by little comes to times of rounds that are over: calls would be theirs.
		if again := time.Until(played.Add(-h.ahead)); again < time.Minute {
			time.Sleep(again)
		}
		f := h.follow() // by the log-in of before
		h.quickSpin("R1", "3")
		h.quickCall("R1", "4", "5")
		played = time.Now().Add(h.ahead)
		h.await("two rounds and an alert, "+set.found, func() bool {
			return len(f.rounds(t, "R1")) >= 2 && len(f.of("alert", "R1")) > 0
		})
		f.stop()
		for _, r := range f.rounds(t, "R1") {
			if published[r.Record.ID] {
				t.Errorf("round %s was told before", r.Record.ID)
			}
			published[r.Record.ID] = true
		}
		for _, a := range h.alerts() {
			if a.Table == "R1" && a.Code == "variance_number" {
				raised[a.ID] = true
			}
		}
		if len(raised) != i+1 {
			t.Errorf("after %q: %d alerts of called numbers: %+v", set.found, len(raised), h.alerts())
		}
	}
	kept := h.roundsOf("R1")
	for id := range published {
		if kept[id] != 1 {
			t.Errorf("round %s is there %d times", id, kept[id])
		}
	}
	for id := range raised {
		if code := h.call(http.MethodPost, "/api/v1/alerts/"+url.PathEscape(id)+"/ack", map[string]string{"outcome": "noted"}, nil); code != http.StatusOK {
			t.Errorf("acknowledging %s: %d", id, code)
		}
	}
	p.kill()
	report, err := verify.Dir(filepath.Join(h.dir, "data"), verify.Options{})
	if err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
	if files, _ := filepath.Glob(recorded); report.Segments < len(files) {
		t.Errorf("%d segments in the ledger, %d files", report.Segments, len(files))
	}
}

// roundsOf counts the rounds of a table that the console knows, by their names.
func (h *house) roundsOf(table string) map[string]int {
	h.t.Helper()
	var list []struct {
		ID string `json:"id"`
	}
	h.call(http.MethodGet, "/api/v1/tables/"+table+"/rounds?limit=100", nil, &list)
	out := map[string]int{}
	for _, r := range list {
		out[r.ID]++
	}
	return out
}
