package node

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/verify"
)

// The disk takes no more while a round is played: it is named, video goes on,
// and when it does again everything follows and verifies. The full disk is
// a limit on the size of the node's files, which fail to grow in the same places; of one that
// was turned read-only nothing can be made, renamed or removed besides.
func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	losesNothing(t, func(*house) func() { return func() {} })
}

func TestAReadOnlyDiskLosesNothing(t *testing.T) {
	t.Parallel()
	losesNothing(t, (*house).readOnly)
}

// losesNothing has the disk of a node fail for a while, by more than that no file grows.
func losesNothing(t *testing.T, more func(*house) (mend func())) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about fifteen seconds")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	p := h.spawn()
	f := h.follow()
	h.quickSpin("R1", "3")
	h.await("a round", func() bool { return len(f.rounds(t, "R1")) == 1 })

	mend := more(h)
	h.limitFiles(p, 1)
	h.quickSpin("R1", "7")
	h.await("the disk is named", func() bool {
		var ledger, recording bool
		for _, x := range h.problems() {
			ledger = ledger || x.Code == health.LedgerFailed &&
				(strings.Contains(x.Detail, unix.EFBIG.Error()) || strings.Contains(x.Detail, unix.EROFS.Error()))
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
	h.await("video", func() bool { n, _ := v.pictures(); return n > fps })

	mend()
	h.limitFiles(p, unix.RLIM_INFINITY)
	if len(h.kept) != 4 {
		t.Errorf("%d calls of a round were refused while the ledger took nothing, want all", len(h.kept))
	}
	h.await("the calls are taken when they come again", h.again)
	h.await("the round follows", func() bool { return len(f.rounds(t, "R1")) == 2 })
	h.await("the node is ready", func() bool { return h.call(http.MethodGet, "/readyz", nil, nil) == http.StatusOK })
	f.stop()
	p.kill()
	if report, err := verify.Dir(filepath.Join(h.dir, "data"), verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// readOnly lays a mount that is read-only over the data folder, until mend. What the node has open
// is below it: the kernel refuses to turn a disk read-only while somebody writes, but for its own errors.
func (h *house) readOnly() (mend func()) {
	h.t.Helper()
	data := filepath.Join(h.dir, "data")
	if err := unix.Mount(data, data, "", unix.MS_BIND, ""); err != nil {
		h.t.Skipf("SKIPPED: a disk that is read-only needs the right to mount one: %v", err)
	}
	mend = sync.OnceFunc(func() {
		if err := unix.Unmount(data, unix.MNT_DETACH); err != nil {
			h.t.Error(err)
		}
	})
	h.t.Cleanup(mend)
	if err := unix.Mount("", data, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		h.t.Fatal(err)
	}
	return mend
}

// The kernel turns the disk read-only for an error of its own, with all that is open on it: it is
// named, nothing is reported that is not kept, video goes on; on the mended disk the node has all.
func TestADiskThatFailsIsReadOnly(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about fifteen seconds")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	data, image := filepath.Join(h.dir, "data"), filepath.Join(h.dir, "disk.img")
	run := func(name string, args ...string) error {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, out)
		}
		return nil
	}
	mount := func() error { return run("mount", "-o", "loop,errors=remount-ro", image, data) }
	if err := errors.Join(os.Mkdir(data, 0o750), os.WriteFile(image, nil, 0o600), os.Truncate(image, 1<<30)); err != nil {
		t.Fatal(err)
	}
	if err := run("mkfs.ext4", "-q", image); err != nil {
		t.Skipf("SKIPPED: a disk to fail needs e2fsprogs: %v", err)
	}
	if err := mount(); err != nil {
		t.Skipf("SKIPPED: a disk to fail needs the right to mount one: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(data, unix.MNT_DETACH) })
	p := h.spawn()
	f := h.follow()
	h.quickSpin("R1", "3")
	h.await("a round", func() bool { return len(f.rounds(t, "R1")) == 1 })
	published := f.rounds(t, "R1")[0].Record.ID
	if err := run("mount", "-o", "remount,abort", data); err != nil {
		t.Fatal(err)
	}
	h.quickSpin("R1", "7")
	h.await("the disk is named", func() bool {
		return slices.ContainsFunc(h.problems(), func(x health.Problem) bool {
			return x.Code == health.LedgerFailed && strings.Contains(x.Detail, unix.EROFS.Error())
		})
	})
	v := h.view("one")
	h.await("video", func() bool { n, _ := v.pictures(); return n > fps })
	if n := len(f.rounds(t, "R1")); n != 1 {
		t.Errorf("%d rounds were told while the ledger took nothing", n-1)
	}
	f.stop()
	p.kill()
	if err := unix.Unmount(data, 0); err != nil {
		t.Fatal(err)
	}
	var left *exec.ExitError // 1: errors were corrected
	if err := run("e2fsck", "-p", image); err != nil && (!errors.As(err, &left) || left.ExitCode() != 1) {
		t.Fatal(err)
	}
	if err := mount(); err != nil {
		t.Fatal(err)
	}
	p = h.spawn()
	f = h.follow()
	h.quickSpin("R1", "8")
	h.quickSpin("R1", "9")
	h.await("a round on the mended disk", func() bool { return len(f.rounds(t, "R1")) > 0 })
	if n := h.roundsOf("R1")[published]; n != 1 {
		t.Errorf("the round that was told is there %d times", n)
	}
	f.stop()
	p.kill()
	if report, err := verify.Dir(data, verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// A disk of its own that others fill up: what is unsealed goes, oldest first, what
// is sealed stays; then recording stops and the ledger goes on; with room again
// all is as before, and verifies.
func TestADiskThatOthersFill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes a minute")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	data := filepath.Join(h.dir, "data")
	if err := os.Mkdir(data, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", data, "tmpfs", 0, "size=400m"); err != nil {
		t.Skipf("SKIPPED: a small disk to fill needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(data, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	ballast, err := os.Create(filepath.Join(data, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	leave := func(bytes int64) {
		t.Helper()
		var st unix.Statfs_t
		err := unix.Statfs(data, &st)
		if err == nil {
			var now os.FileInfo
			if now, err = ballast.Stat(); err == nil {
				err = unix.Fallocate(int(ballast.Fd()), 0, 0, now.Size()+int64(st.Bavail)*st.Bsize-bytes)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	_, stop := h.run()
	f := h.follow()
	segments := func() (out []string) {
		all, _ := filepath.Glob(filepath.Join(data, "recordings", "R1", "one", "*.mp4"))
		return all
	}
	h.await("four segments", func() bool { return len(segments()) >= 4 })
	from, err := time.Parse("20060102T150405", filepath.Base(segments()[1])[:15])
	if err != nil {
		t.Fatal(err)
	}
	seal := map[string]any{"table": "R1", "from": from.Add(time.Second), "to": from.Add(1100 * time.Millisecond), "why": "a case"}
	if code := h.call(http.MethodPost, "/api/v1/seals", seal, nil); code != http.StatusOK {
		t.Fatal(code)
	}
	first, sealed := segments()[0], segments()[1]
	gone := func(path string) bool { _, err := os.Stat(path); return os.IsNotExist(err) }

	leave(300 << 20) // 256 MiB are the reserve
	h.await("a warning before anything goes", func() bool { return h.alert(health.DiskLow) == alert.Open })
	if gone(first) || h.problem(health.DiskFull, "recordings") != nil {
		t.Error("something went already")
	}
	leave(200 << 20)
	h.await("the oldest goes", func() bool { return gone(first) && h.alert(health.DiskFull) == alert.Open })
	if gone(sealed) {
		t.Error("what is sealed went")
	}
	leave(40 << 20)
	h.await("recording stops", func() bool { return h.alert(health.RecordingFailed) == alert.Open })
	h.quickSpin("R1", "7")
	h.await("the ledger goes on", func() bool { return len(f.rounds(t, "R1")) == 1 })
	if err := ballast.Truncate(0); err != nil {
		t.Fatal(err)
	}
	h.await("all is over", func() bool {
		return h.alert(health.RecordingFailed) == alert.Over && h.alert(health.DiskFull) == alert.Over
	})
	if gone(sealed) {
		t.Error("what is sealed went")
	}
	f.stop()
	stop()
	if report, err := verify.Dir(data, verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// alert is the state of the newest alert of a code.
func (h *house) alert(code string) alert.State {
	var newest alert.Alert
	for _, a := range h.alerts() {
		if a.Code == code && a.Raised.After(newest.Raised) {
			newest = a
		}
	}
	if newest.ID == "" {
		return ""
	}
	return newest.State()
}

// limitFiles lets no file of the node grow beyond n bytes.
func (h *house) limitFiles(p *process, n uint64) {
	h.t.Helper()
	lim := unix.Rlimit{Cur: n, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &lim, nil); err != nil {
		h.t.Fatalf("limit: %v", err)
	}
}
