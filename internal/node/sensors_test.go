package node

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"vision/stream/ledger"
)

// sensed is how often each call of R1 is in a machine's ledger.
func (m *machines) sensed(name string) map[string]int {
	m.t.Helper()
	out := map[string]int{}
	for e, err := range ledger.Read(filepath.Join(m.dir, m.nodes[name].data, "ledger"), 0) {
		if err != nil {
			m.t.Fatal(err)
		}
		var v struct{ ID string }
		if e.Kind == ledger.Sensor && json.Unmarshal(e.Payload, &v) == nil {
			out[v.ID]++
		}
	}
	return out
}

// A call that comes in at a machine which does not run the table is acknowledged when the one that
// does has it: whichever is killed next. While nobody runs it the call is refused; the heir takes
// it. What comes again counts once.
func TestACallIsHandedOn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: runs two machines for half a minute")
	}
	url, _, _ := redisServer(t, true)
	m := newMachines(t, url, 1)
	m.start("sala-1")
	m.start("sala-2")
	owner, other := "", "sala-1"
	m.await("the table is run", func() bool { owner = m.owners()["R1"]; return owner != "" })
	if owner == other {
		other = "sala-2"
	}
	m.at(other)
	call := map[string]any{"call": "hagan_juego"}
	m.await("the other machine knows who runs the table", func() bool {
		return m.say("R1", "announce", time.Now(), call) == http.StatusAccepted
	})
	m.kept = nil
	for range 20 {
		if code := m.say("R1", "announce", time.Now(), call); code != http.StatusAccepted {
			t.Errorf("a call at the other machine: %d", code)
		}
	}
	for _, c := range m.acked {
		if code := m.post(c); code != http.StatusAccepted {
			t.Errorf("%v comes again: %d", c["id"], code)
		}
	}
	first := len(m.acked)
	m.nodes[owner].kill()
	if code := m.say("R1", "announce", time.Now(), call); code != http.StatusServiceUnavailable {
		t.Errorf("a call of a table that nobody runs: %d", code)
	}
	m.await("the heir takes what was refused", m.again)
	m.nodes[other].kill()
	had, heir := m.sensed(owner), m.sensed(other)
	for i, c := range m.acked {
		id := c["id"].(string)
		if by, not := had[id], heir[id]; i < first && (by != 1 || not != 0) || i >= first && (by != 0 || not != 1) {
			t.Errorf("call %d of %d is %d times in the first owner's ledger, %d times in its heir's", i, first, by, not)
		}
	}
}
