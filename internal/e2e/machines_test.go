package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vision/internal/testkit/porttest"
	"vision/internal/testkit/redistest"
)

// machine is one of two, as an administrator sets it up: a configuration and a data folder of its
// own, the same tables.
type machine struct {
	*exec.Cmd
	name, addr, path string
}

// machineYAML is a machine's configuration with these of the tables.
func (h *house) machineYAML(m *machine, redis, cameras, hash string, tables ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "data: data-%s\nnorm: cantabria-2010\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nredis: %s\nnode: %s\n"+
		"advertise: http://%s\nsecret: %s\nsign_in: {factor: []}\naccounts: [{user: sara, role: surveillance, password: '%s'}]\nbudget: 10\ntables:\n",
		m.name, m.addr, redis, m.name, m.addr, strings.Repeat("house", 8), hash)
	for _, id := range tables {
		fmt.Fprintf(&b, "  - {id: %s, game: ruleta_francesa, min: 500, max: 100000, options: {panos: 1}, token: %s, "+
			"cameras: [{name: %s, url: 'rtsp://%s/%s'}]}\n", id, token, id, cameras, id)
	}
	return b.String()
}

// configure writes a machine's configuration.
func (h *house) configure(m *machine, text string) {
	h.t.Helper()
	if err := os.WriteFile(m.path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// Two machines as docs/administrator.md says, `vision run` with a real Redis. One gives a table to
// the other by a changed configuration; the wall of one shows both tables' video, and an alert of
// the other's is acknowledged there and seen at the other; one is killed, and its table's video
// comes back.
func TestTwoMachines(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: two machines and a browser for half a minute")
	}
	t.Parallel()
	h, dir, redis := newTools(t), t.TempDir(), redistest.New(t)
	cameras, hash := porttest.Address(t), hashed(t) // the machines know an account by the same hash
	h.simulate("--conditions", "ideal", "--games", "R1:ruleta_francesa,R2:ruleta_francesa", "--rtsp", cameras, "--calib",
		filepath.Join(dir, "truth"), "--size", "640x360", "--fps", "5", "--seed", "5")
	one := &machine{name: "sala-1", addr: porttest.Address(t), path: filepath.Join(dir, "one.yaml")}
	two := &machine{name: "sala-2", addr: porttest.Address(t), path: filepath.Join(dir, "two.yaml")}
	both := h.machineYAML(one, redis.URL(), cameras, hash, "R1", "R2")
	h.configure(one, h.machineYAML(one, redis.URL(), cameras, hash, "R1"))
	h.configure(two, h.machineYAML(two, redis.URL(), cameras, hash, "R1", "R2"))
	for _, m := range []*machine{one, two} { // the first has R1 when the second comes
		m.Cmd = h.start("run", "-c", m.path)
		h.url = "http://" + m.addr + "/"
		h.up()
		h.await(m.name+" runs a table", func() bool { return h.runs(redis, m.name) })
	}
	h.configure(one, both)
	if err := one.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}

	h.url = "http://" + one.addr + "/"
	var seen struct {
		Tiles       map[string]int
		Runs        map[string]string
		By          string
		Taken, Back int // ms after the other was killed
	}
	h.day(t, "machines", &seen, "http://"+two.addr+"/", token, fmt.Sprint(two.Process.Pid))
	if seen.Tiles["R1"] != 640 || seen.Tiles["R2"] != 640 || seen.Runs["R1"] != one.name || seen.Runs["R2"] != two.name || seen.By != "sara" {
		t.Errorf("%+v", seen)
	}
	t.Logf("taken after %d ms, its video is back after %d ms", seen.Taken, seen.Back)
	res, err := http.Get(h.url + "readyz")
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("who is left: %v %v", res, err)
	}
	res.Body.Close()
}

// holder is the machine that has a table's lease, as Redis has it.
func (h *house) holder(r *redistest.Server, table string) string {
	out, err := exec.CommandContext(h.t.Context(), "redis-cli", "-u", r.URL(), "hget", "vision:lease:{"+table+"}", "holder").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	name, _, _ := strings.Cut(string(out), "@")
	return name
}

// runs reports whether a machine has a table.
func (h *house) runs(r *redistest.Server, name string) bool {
	return h.holder(r, "R1") == name || h.holder(r, "R2") == name
}
