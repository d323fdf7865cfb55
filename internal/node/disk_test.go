package node

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/health"
	"vision/stream/verify"
)

// The disk takes no more while a round is played: it is named, video goes on,
// and when there is room again everything follows and verifies. The full disk is
// a limit on the size of the node's files, which fail to grow in the same places.
func TestAFullDiskLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about fifteen seconds")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	p := h.spawn()
	f := h.follow()
	h.quickSpin("R1", "3")
	h.within(10*time.Second, "a round", func() bool { return len(f.rounds(t, "R1")) == 1 })

	h.limitFiles(p, 1)
	h.quickSpin("R1", "7")
	h.within(10*time.Second, "the full disk is named", func() bool {
		var ledger, recording bool
		for _, x := range h.problems() {
			ledger = ledger || x.Code == health.LedgerFailed && strings.Contains(x.Detail, "file too large")
			recording = recording || x.Code == health.RecordingFailed || x.Code == health.DiskFull
		}
		return ledger && recording
	})
	if code := h.call(http.MethodGet, "/readyz", nil, nil); code != http.StatusServiceUnavailable {
		t.Errorf("readyz: %d", code)
	}
	time.Sleep(3 * time.Second)
	if n := len(f.rounds(t, "R1")); n != 1 {
		t.Errorf("%d rounds were told while the ledger took nothing", n-1)
	}
	v := h.view("one")
	h.within(10*time.Second, "video", func() bool { n, _ := v.pictures(); return n > fps })

	h.limitFiles(p, unix.RLIM_INFINITY)
	h.within(20*time.Second, "the round follows", func() bool { return len(f.rounds(t, "R1")) == 2 })
	h.within(20*time.Second, "the node is ready", func() bool { return h.call(http.MethodGet, "/readyz", nil, nil) == http.StatusOK })
	f.stop()
	p.kill()
	if report, err := verify.Dir(filepath.Join(h.dir, "data"), verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// limitFiles lets no file of the node grow beyond n bytes.
func (h *house) limitFiles(p *process, n uint64) {
	h.t.Helper()
	lim := unix.Rlimit{Cur: n, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &lim, nil); err != nil {
		h.t.Fatalf("limit: %v", err)
	}
}
