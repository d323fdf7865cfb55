package node

import (
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
	"vision/internal/testkit/wallclock"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

// process is a node in a process of its own.
type process struct {
	cmd  *exec.Cmd
	done chan error
}

func (h *house) spawn() *process {
	h.t.Helper()
	_, path := h.config()
	p := h.process(path)
	h.login()
	return p
}

// process runs a node of a configuration; it is killed at the end of the test.
func (h *house) process(path string) *process {
	h.t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], nodeSubcommand, path), done: make(chan error, 1)}
	p.cmd.Stderr, p.cmd.Env = os.Stderr, os.Environ()
	if h.clock != "" {
		p.cmd.Env = append(p.cmd.Env, wallclock.Variable+"="+h.clock)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	h.t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	select {
	case err := <-p.done:
		p.done <- err
	case <-time.After(hung):
	}
}

// redisServer starts Debian's; it is stopped at the end of the test. One that does not keep
// what it is told has forgotten all when it is started again.
func redisServer(t testing.TB, keeps bool) (url string, start, stop func()) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("SKIPPED: redis-server is not installed (Debian: redis-server); nothing was tested against a real Redis")
	}
	addr, dir := porttest.Address(t), t.TempDir()
	_, port, _ := net.SplitHostPort(addr)
	appends := map[bool]string{true: "yes", false: "no"}[keeps]
	var cmd *exec.Cmd
	stop = func() {
		if cmd != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			cmd = nil
		}
	}
	start = func() {
		cmd = exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--appendonly", appends, "--save", "")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	start()
	t.Cleanup(stop)
	return "redis://" + addr + "/0", start, stop
}

// A node is killed at random moments while rounds are played: what it has told
// and the calls that it has taken are in the ledger once, everything verifies, alerts lie on the
// desk, and at most a second of video is lost. Calls that come again after a kill count once.
func TestKilledNodesLoseNothingAcknowledged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: kills and starts nodes for half a minute")
	}
	t.Run("without Redis", func(t *testing.T) { t.Parallel(); killed(t, newHouse(t, "")) })
	t.Run("redis-server", func(t *testing.T) {
		t.Parallel()
		url, _, _ := redisServer(t, true)
		killed(t, newHouse(t, "redis: "+url))
	})
}

const kills = 4

func killed(t *testing.T, h *house) {
	l := h.seat("R1", "one", "")
	published, raised := map[string]bool{}, map[string]bool{}
	at := time.Now().Add(-9 * time.Minute)
	for k := range kills {
		p := h.spawn()
		for id := range raised {
			h.await("alert "+id+" on the desk again", func() bool { return h.hasAlert(id) })
		}
		h.await("calls without an answer are taken", h.again)
		for _, call := range h.acked {
			if code := h.post(call); code != http.StatusAccepted {
				t.Errorf("%v comes again: %d", call["id"], code)
			}
		}
		f := h.follow()
		seen := l.sent.Load()
		h.await("video", func() bool { return l.sent.Load()-seen > 2*fps })
		moment := time.After(time.Duration(rand.IntN(700)) * time.Millisecond)
		for playing := true; playing; {
			h.spin("R1", at, strconv.Itoa(1+k), strconv.Itoa(2+k)) // the croupier calls another number
			at = at.Add(8 * time.Second)
			select {
			case <-moment:
				playing = len(f.of("round", "")) == 0       // so that there is something to lose
				moment = time.After(200 * time.Millisecond) // a slow machine gets time, not more calls
			case <-time.After(400 * time.Millisecond):
			}
			if time.Until(at) > -20*time.Second {
				t.Fatal("no round was told")
			}
		}
		var killedAt time.Time
		killedAt, at = h.killed(p, at)
		f.stop()
		for _, r := range f.rounds(t, "R1") {
			published[r.Record.ID] = true
		}
		for _, m := range f.of("alert", "R1") {
			var a struct{ ID string }
			if err := json.Unmarshal(m.Body, &a); err != nil {
				t.Fatal(err)
			}
			raised[a.ID] = true
		}
		t.Logf("kill %d: %d rounds and %d alerts told so far", k, len(published), len(raised))
		h.checkKilled(published, killedAt, time.Unix(0, l.last.Load()))
	}
	p := h.spawn()
	for id := range raised {
		h.await("alert "+id, func() bool { return h.hasAlert(id) })
	}
	if len(raised) == 0 || len(published) < kills {
		t.Errorf("%d alerts, %d rounds: nothing was tested", len(raised), len(published))
	}
	p.kill()
}

// killed kills a node in the midst of calls, the first of them made at a time, and says when it
// was killed and when the next call is.
func (h *house) killed(p *process, at time.Time) (killed, next time.Time) {
	h.t.Helper()
	when := make(chan time.Time, 1)
	time.AfterFunc(time.Duration(20+rand.IntN(80))*time.Millisecond, func() { when <- time.Now(); p.kill() })
	for h.say("R1", "announce", at, map[string]any{"call": "hagan_juego"}) != 0 {
		at = at.Add(10 * time.Millisecond)
	}
	killed = <-when
	p.kill() // until it has ended
	return killed, at.Add(time.Second)
}

func (h *house) hasAlert(id string) bool {
	for _, a := range h.alerts() {
		if a.ID == id {
			return true
		}
	}
	return false
}

// checkKilled looks at what a killed node left, after the repairs of a start.
func (h *house) checkKilled(published map[string]bool, killedAt, lastSent time.Time) {
	h.t.Helper()
	dir := filepath.Join(h.dir, "data")
	led, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	store, err := record.Open(filepath.Join(dir, "recordings"), led, nil, record.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	newest := time.Time{}
	for _, s := range store.Timeline(record.Camera{Table: "R1", Camera: "one"}, killedAt.Add(-time.Minute),
		killedAt.Add(time.Minute)) {
		if s.Kind == record.Recorded && s.To.After(newest) {
			newest = s.To
		}
	}
	if lastSent.After(killedAt) {
		lastSent = killedAt
	}
	if lost := lastSent.Sub(newest); lost > time.Second {
		slow(h.t, "%v of video lost", lost)
	} else {
		h.t.Logf("%v of video lost", lost.Round(time.Millisecond))
	}
	if err := led.Close(); err != nil {
		h.t.Fatal(err)
	}
	kept := map[string]int{}
	for e, err := range ledger.Read(filepath.Join(dir, "ledger"), 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		var v struct{ ID string }
		if (e.Kind == ledger.Verdict || e.Kind == ledger.Sensor) && json.Unmarshal(e.Payload, &v) == nil {
			kept[v.ID]++
		}
	}
	for id := range published {
		if kept[id] == 0 {
			h.t.Errorf("verdict of %s was told and is not in the ledger", id)
		}
	}
	for _, call := range h.acked {
		if id := call["id"].(string); kept[id] == 0 {
			h.t.Errorf("call %s was taken and is not in the ledger", id)
		}
	}
	for id, n := range kept {
		if n > 1 {
			h.t.Errorf("%s is in the ledger %d times", id, n)
		}
	}
	report, err := verify.Dir(dir, verify.Options{})
	if err != nil || !report.OK {
		h.t.Errorf("verify: %v %+v", err, report)
	}
}
