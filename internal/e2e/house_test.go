// Package e2e tests the whole product as its users meet it.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
	"vision/stream/account"
)

// house is one node with five simulated tables, shared by the days of all
// persons: two blackjacks and two punto y bancas that one jefe may hold together
// while each is recorded (cantabria-2010 A.4), and a roulette. BJ2 has never been
// calibrated; PB2's camera can be cut; BJ2's can be pushed.
type house struct {
	t        *testing.T
	exe      string
	url      string // of the console
	stand    string // address of the stand-in for croupiers and cables
	node     string // Node.js
	chromium string
	truth    string // folder of the simulator's own calibrations
}

const (
	password = "seis mesas y un jefe"
	token    = "token-of-the-tables"
)

// folder is where the programs are built; it goes when the tests end.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "vision-e2e"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// product is the program, built once for all tests, with the laboratory's beside it.
var product = sync.OnceValues(func() (string, error) {
	exe := filepath.Join(folder, "vision")
	if out, err := exec.Command("go", "build", "-o", folder, "vision/cmd/vision", "vision/cmd/lab").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return exe, nil
})

// need finds a tool, or skips the test and says so.
func need(t *testing.T, names ...string) string {
	t.Helper()
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skipf("skipped: needs %s, which `make test` installs", names[0])
	return ""
}

// newHouse starts simulators and node.
func newHouse(t *testing.T) *house {
	t.Helper()
	h := newTools(t)
	dir := t.TempDir()
	h.truth = filepath.Join(dir, "truth")
	console, honest, faulty := porttest.Address(t), porttest.Address(t), porttest.Address(t)
	h.url = "http://" + console + "/"
	s := newStand(t, h.url, faulty)
	h.stand = s.url
	still := h.simulate("--conditions", "ideal", "--games", "BJ1:blackjack,BJ2:blackjack,R1:ruleta_francesa", "--rtsp", honest, "--calib", h.truth, "--post", s.url, "--size", "1280x720", "--fps", "5", "--seed", "11", "--speed", "1.5", "--bump", "BJ2")
	s.bump = func() error { return still.Process.Signal(syscall.SIGUSR1) }
	h.simulate("--conditions", "ideal", "--games", "PB1:punto_banco,PB2:punto_banco", "--rtsp", faulty, "--calib", h.truth, "--post", s.url, "--fps", "6", "--seed", "7", "--speed", "1.2",
		"--faults", "1", "--only", "pay_under,pay_over")
	for _, id := range []string{"BJ1", "BJ2", "R1", "PB1", "PB2"} {
		h.await("the calibration of "+id, func() bool { _, err := os.Stat(filepath.Join(h.truth, id+".yaml")); return err == nil })
	}
	path := filepath.Join(dir, "vision.yaml")
	if err := os.WriteFile(path, []byte(h.yaml(console, honest, s.cable)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	return h
}

// up waits for the console.
func (h *house) up() {
	h.t.Helper()
	h.await("the console", func() bool {
		r, err := http.Get(h.url + "readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
}

func (h *house) yaml(console, honest, cable string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "data: data\nnorm: cantabria-2010\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nrecord: {keep: 24h, max_disk: 5GB}\nsign_in: {factor: []}\naccounts:\n", console)
	for user, role := range map[string]string{"ana": "jefe", "luis": "jefe", "sara": "surveillance", "tino": "technician"} {
		fmt.Fprintf(&b, "  - {user: %s, role: %s, password: '%s'}\n", user, role, hashed(h.t))
	}
	b.WriteString("budget: 10\ntables:\n")
	for i, x := range []struct{ id, name, game, camera, calibration, options string }{
		{"BJ1", "Blackjack 1", "blackjack", honest, "BJ1", "{}"}, {"PB1", "Punto y banca 1", "punto_banco", cable, "PB1", "{mesa: mini}"},
		{"BJ2", "Blackjack 2", "blackjack", honest, "", "{}"}, {"PB2", "Punto y banca 2", "punto_banco", cable, "PB2", "{mesa: mini}"},
		{"R1", "Ruleta 1", "ruleta_francesa", honest, "R1", "{panos: 1}"},
	} {
		calibration := ""
		if x.calibration != "" {
			calibration = ", calibration: " + filepath.Join("truth", x.calibration+".yaml")
		}
		fmt.Fprintf(&b, "  - {id: %s, name: %s, game: %s, position: %d, min: 500, max: 100000, options: %s, token: %s, cameras: [{name: %s, url: 'rtsp://%s/%s'%s}]}\n",
			x.id, x.name, x.game, i+1, x.options, token, x.id, x.camera, x.id, calibration)
	}
	return b.String()
}

func hashed(t *testing.T) string {
	t.Helper()
	s, err := account.HashPassword(password)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lab is the program of the laboratory, beside the product.
func (h *house) lab() string { return filepath.Join(filepath.Dir(h.exe), "lab") }

// simulate runs the simulator until the test ends.
func (h *house) simulate(args ...string) *exec.Cmd {
	h.t.Helper()
	return h.launch(h.lab(), append([]string{"sim"}, args...)...)
}

// start runs the product until the test ends.
func (h *house) start(args ...string) *exec.Cmd {
	h.t.Helper()
	return h.launch(h.exe, args...)
}

// launch runs a program until the test ends; what it said is shown where the test failed.
func (h *house) launch(exe string, args ...string) *exec.Cmd {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), "VISION_SIM_TOKEN="+token)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // a test that runs out of time has no cleanup
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		cancel()
		cmd.Wait()
		if h.t.Failed() {
			b := log.Bytes()
			h.t.Logf("%s %s said:\n%s", filepath.Base(exe), args[0], b[max(0, len(b)-4000):])
		}
	})
	return cmd
}

func (h *house) await(what string, f func() bool) {
	h.t.Helper()
	await(h.t, what, f)
}

// await has a test wait for something, and fail where it does not come.
func await(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(300 * time.Second); !f(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 300 s", what)
		}
	}
}

// day runs one person's day, PERSON.mjs, and reads what it saw into seen. Pages
// may not have complained.
func (h *house) day(t *testing.T, person string, seen any, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute)
	defer cancel()
	shots := t.TempDir()
	if keep := os.Getenv("VISION_SCREENSHOTS"); keep != "" {
		shots = keep
	}
	all := append([]string{person + ".mjs", h.url, h.stand, password, shots, h.chromium}, args...)
	cmd := exec.CommandContext(ctx, h.node, all...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var how struct {
		Errors []string
		Failed string
	}
	if e := json.Unmarshal(out, &how); e != nil {
		t.Fatalf("%s.mjs: %v, %v\n%s", person, err, e, out)
	}
	t.Logf("%s", out)
	if how.Failed != "" {
		t.Fatal(how.Failed)
	}
	for _, e := range how.Errors {
		t.Errorf("the page complained: %s", e)
	}
	if err := json.Unmarshal(out, seen); err != nil {
		t.Fatal(err)
	}
}
