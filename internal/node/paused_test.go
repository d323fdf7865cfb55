package node

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/testkit/simulated"
	"vision/stream/ledger"
)

// A machine stands still (SIGSTOP) in the middle of a round. Another takes its table with what was
// calibrated in the browser: the calibration and the picture of the empty table, and its ledger
// says by which it reads. When the first goes on it says nothing more of the table, not even of
// the round that it would come to by what was called meanwhile, and lets go.
func TestAMachineThatStoodStill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: runs two machines for half a minute")
	}
	redis, _, _ := redisServer(t, false)
	m := newMachines(t, redis, 1)
	m.extra = "secret: " + strings.Repeat("house", 8) + "\n"
	m.start("sala-1")
	m.start("sala-2")
	m.await("the table is recorded", func() bool { by := m.owners()["R1"]; return by != "" && m.recorded(by, "R1") })
	first, heir := m.owners()["R1"], "sala-1"
	if first == heir {
		heir = "sala-2"
	}
	m.at(first)
	m.login()
	cal, err := calibration.Load(simulated.Calibration(t, m.dir, "cam1", [2]int{picW, picH}))
	if err != nil {
		t.Fatal(err)
	}
	const camera = "/api/v1/cameras/cam1/"
	if code := m.call(http.MethodPut, camera+"calibration", cal, nil); code != http.StatusOK {
		t.Fatalf("calibrating: %d", code)
	}
	if code := m.call(http.MethodPost, camera+"empty", map[string]any{}, nil); code >= 300 {
		t.Fatalf("the picture of the empty table: %d", code)
	}
	of := func(name, file string) string { return filepath.Join(m.dir, m.nodes[name].data, "calibrations", file) }
	m.await("both have both", func() bool {
		a, err1 := os.ReadFile(of(first, "cam1-empty.png"))
		b, err2 := os.ReadFile(of(heir, "cam1-empty.png"))
		c, err3 := calibration.Load(of(heir, "cam1.yaml"))
		d, err4 := calibration.Load(of(first, "cam1.yaml"))
		return err1 == nil && err2 == nil && err3 == nil && err4 == nil && string(a) == string(b) && c.Hash() == d.Hash()
	})
	saved, err := calibration.Load(of(first, "cam1.yaml"))
	if err != nil {
		t.Fatal(err)
	}

	at := time.Now().Add(-8 * time.Second)
	for i, call := range []map[string]any{{"call": "hagan_juego"}, {"call": "no_va_mas"}} {
		m.say("R1", "announce", at.Add(time.Duration(3*i)*time.Second), call)
	}
	m.say("R1", "ball", at.Add(6*time.Second), map[string]any{"pocket": "17"})
	signal := func(s syscall.Signal) {
		if err := m.nodes[first].cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	stopped := time.Now()
	late := make(chan struct{}) // it hears these when it goes on
	go func() {
		defer close(late)
		m.say("R1", "announce", stopped, map[string]any{"call": "number", "number": "17"})
		m.say("R1", "announce", stopped.Add(time.Millisecond), map[string]any{"call": "hagan_juego"})
	}()
	if took := m.served(heir, "R1"); took > 10*time.Second {
		slow(t, "it took %v", took)
	}
	signal(syscall.SIGCONT)
	<-late
	left := func() (left bool, verdicts int) {
		for e, err := range ledger.Read(filepath.Join(m.dir, m.nodes[first].data, "ledger"), 0) {
			var r ran
			switch {
			case err != nil:
				return false, 0 // it is written meanwhile
			case e.Kind == ledger.Node && json.Unmarshal(e.Payload, &r) == nil && r.Action == ledger.Left:
				left = true
			case e.Kind == ledger.Verdict && e.Table == "R1" && e.Time.After(stopped):
				verdicts++
			}
		}
		return left, verdicts
	}
	m.await("it has let go", func() bool { gone, _ := left(); return gone })
	if _, n := left(); n > 0 {
		t.Errorf("%d verdicts of a table that was another's", n)
	}
	if by := m.owners()["R1"]; by != heir {
		t.Errorf("it is run by %q", by)
	}
	m.nodes[first].end(t)
	m.nodes[heir].end(t)
	read := ""
	for e, err := range ledger.Read(filepath.Join(m.dir, m.nodes[heir].data, "ledger"), 0) {
		if err != nil {
			t.Fatal(err)
		}
		var c calibrated
		if e.Kind == ledger.Node && json.Unmarshal(e.Payload, &c) == nil && c.Action == ledger.Calibrated {
			read += fmt.Sprint(e.Table, " ", c.Calibrations["cam1"], "\n")
		}
	}
	if read != "R1 "+saved.Hash()+"\n" {
		t.Errorf("the heir reads by %q, not by %s", read, saved.Hash())
	}
}
