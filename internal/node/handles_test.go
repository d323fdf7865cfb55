package node

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/health"
	"vision/internal/testkit/porttest"
	"vision/stream/verify"
)

// The node gets not one file handle more: it is named, what is open goes on, the ledger takes
// what is played; when there are some again recording goes on, and all verifies.
func TestOutOfFileHandles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes fifteen seconds")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	p := h.spawn()
	limit := func(n uint64) {
		t.Helper()
		var old unix.Rlimit
		err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_NOFILE, nil, &old)
		if err == nil {
			err = unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: min(n, old.Max), Max: old.Max}, nil)
		}
		if err != nil {
			t.Fatalf("limit: %v", err)
		}
	}
	f := h.follow()
	v := h.view("one")
	h.quickSpin("R1", "3")
	h.await("a round and video", func() bool {
		n, _ := v.pictures()
		return n > fps && len(f.rounds(t, "R1")) == 1
	})
	limit(3) // fewer than are open
	h.await("it is named", func() bool {
		return h.problem(health.HandlesLow, "handles") != nil && h.problem(health.RecordingFailed, "R1/one") != nil
	})
	before, _ := v.pictures()
	h.quickSpin("R1", "7")
	h.await("rounds and video go on", func() bool {
		n, _ := v.pictures()
		return n > before+fps && len(f.rounds(t, "R1")) == 2
	})
	limit(20_000)
	h.await("all is over", func() bool {
		for _, x := range h.problems() {
			switch x.Code {
			case health.HandlesLow, health.RecordingFailed, health.LedgerFailed, health.IndexFailed:
				return false
			}
		}
		return true
	})
	h.quickSpin("R1", "9")
	h.await("a further round", func() bool { return len(f.rounds(t, "R1")) == 3 })
	f.stop()
	p.kill()
	if report, err := verify.Dir(filepath.Join(h.dir, "data"), verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// A thousand connections are opened at the console and at a sensor's port and left as they are,
// some in the middle of a word: people, sensors and viewers come through at once.
func TestAThousandHalfOpenConnections(t *testing.T) {
	t.Parallel()
	at := porttest.Address(t)
	h := newHouse(t, fmt.Sprintf("sensors: [{name: wheel1, url: 'tcp://%s', table: R1, secret: s3cret-of-wheel1}]", at))
	h.seat("R1", "one", "")
	h.spawn()
	f := h.follow()
	for i := range 1000 {
		addr := h.addr
		if i%2 == 0 {
			addr = at
		}
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		switch i % 6 {
		case 1:
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHos")
		case 2:
			fmt.Fprint(c, "AUTH wh")
		case 3:
			fmt.Fprintf(c, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nuser=", h.addr)
		}
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	other := &http.Client{Jar: jar, Transport: &http.Transport{}, Timeout: 10 * time.Second}
	defer other.CloseIdleConnections()
	res, err := other.PostForm("http://"+h.addr+"/login", url.Values{"user": {user}, "password": {password}, "next": {"/livez"}})
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK || res.Request.URL.Path != "/livez" {
		t.Errorf("log in: %s at %s", res.Status, res.Request.URL)
	}
	wheel, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer wheel.Close()
	fmt.Fprintln(wheel, "AUTH wheel1 s3cret-of-wheel1\nid=1 ball 17")
	in := bufio.NewScanner(wheel)
	for _, want := range []string{"OK", "OK 1"} {
		if !in.Scan() || in.Text() != want {
			t.Fatalf("the wheel is told %q, want %q", in.Text(), want)
		}
	}
	v := h.view("one")
	h.quickSpin("R1", "7")
	h.await("a round and video", func() bool {
		n, _ := v.pictures()
		return n > fps && len(f.rounds(t, "R1")) > 0
	})
}
