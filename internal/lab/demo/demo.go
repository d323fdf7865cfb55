// Package demo is the demonstration: simulated tables served as RTSP cameras by a
// process of its own, and a node that watches them like any other cameras.
package demo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/goccy/go-yaml"

	"vision/internal/config"
	"vision/internal/lab/sim/condition"
	"vision/internal/port"
)

// Game is a table of the demonstration, with the options that the simulator plays by.
type Game struct{ ID, Game, Name, Options string }

// Games are the demonstration's tables.
var Games = []Game{
	{"BJ1", "blackjack", "Blackjack 1", "{}"},
	{"PB1", "punto_banco", "Punto y banca 1", "{mesa: mini}"},
	{"CR1", "dados_craps", "Craps 1", "{}"},
	{"RU1", "ruleta_francesa", "Ruleta 1", "{panos: 1}"},
}

// Jefes have the tables under them that the norm lets one hold together: cards of
// two games while both are recorded (cantabria-2010 A.4).
var Jefes = []struct {
	User   string
	Tables []string
}{{"ana", []string{"BJ1", "PB1"}}, {"luis", []string{"CR1"}}, {"eva", []string{"RU1"}}}

// Options of the demonstration.
type Options struct {
	Data       string // folder, made if absent
	Listen     string
	Seed       uint64
	Conditions string  // name of the tables' conditions; default house
	Faults     float64 // share of rounds with a fault
	FPS        float64
	Size       string // "1920x1080", of a table's main camera
	Cameras    int    // of each table; default 1
	Speed      float64
	Only       []string // faults to commit; nil: all
	Plant      string   // a fault that each table commits at its beginning; "": none
	// ByClock has the play wait for nobody and its cameras send every picture.
	ByClock bool
	Film    time.Duration // with ByClock: see sim.Config
}

// Demo is a prepared demonstration.
type Demo struct {
	Config *config.Config
	opts   Options
	rtsp   string // address of the simulator's server
	free   func() // gives that address back
	token  string // of the tables' terminals
	calib  string
	heed   *heed
	began  time.Time
}

// New chooses ports and a token and writes the configuration down, so that it can
// be read and changed like anybody's.
func New(opts Options) (*Demo, error) {
	if err := os.MkdirAll(opts.Data, 0o750); err != nil {
		return nil, fmt.Errorf("demonstration: %w", err)
	}
	data, err := filepath.Abs(opts.Data)
	if err != nil {
		return nil, err
	}
	opts.Data = data
	d := &Demo{opts: opts, token: rand.Text(), calib: filepath.Join(data, "calibration"), heed: newHeed(), began: time.Now()}
	if d.rtsp, d.free, err = port.Reserve(); err != nil {
		return nil, fmt.Errorf("demonstration: %w", err)
	}
	if err := os.MkdirAll(d.calib, 0o750); err != nil {
		return nil, err
	}
	text, err := d.withOwn([]byte(d.yaml()))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(d.file(), text, 0o600); err != nil {
		return nil, fmt.Errorf("demonstration: %w", err)
	}
	if d.Config, err = d.Load(); err != nil {
		return nil, err
	}
	return d, nil
}

// withOwn puts the tables behind those of the demonstration that somebody added to its file, with
// all that is set for them. A file that cannot be read any more is kept beside the new one.
func (d *Demo) withOwn(text []byte) ([]byte, error) {
	before, err := os.ReadFile(d.file())
	if errors.Is(err, fs.ErrNotExist) {
		return text, nil
	}
	if err != nil {
		return nil, fmt.Errorf("demonstration: %w", err)
	}
	var was struct {
		Tables []yaml.MapSlice `yaml:"tables"`
	}
	if err := yaml.Unmarshal(before, &was); err != nil {
		old := d.file() + ".old"
		slog.Warn("the demonstration's file cannot be read and is begun anew", "kept", old, "err", err)
		if err := os.Rename(d.file(), old); err != nil {
			return nil, fmt.Errorf("demonstration: %w", err)
		}
		return text, nil
	}
	own := slices.DeleteFunc(was.Tables, func(t yaml.MapSlice) bool {
		return slices.ContainsFunc(Games, func(g Game) bool { return g.ID == t.ToMap()["id"] })
	})
	if len(own) == 0 {
		return text, nil
	}
	items, err := yaml.Marshal(own)
	if err != nil {
		return nil, fmt.Errorf("demonstration: tables of %s: %w", d.file(), err)
	}
	for line := range strings.Lines(string(items)) {
		text = append(text, "  "+line...) // the list of tables is the last of the file
	}
	return text, nil
}

func (d *Demo) file() string { return filepath.Join(d.opts.Data, "vision.yaml") }

// Load reads the configuration as its file has it now.
func (d *Demo) Load() (*config.Config, error) { return config.Load(d.file()) }

func (d *Demo) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by `lab demo` at each start; tables that are added stay.\ndata: data\nnorm: cantabria-2010\nlisten: '%s'\nwebrtc: {udp: '%s'}\nrecord: {keep: 30m, max_disk: 10GB}\nsign_in: {keep_first: true, factor: []}\n", d.opts.Listen, videoAt(d.opts.Listen))
	share := min(max(1000*d.opts.Faults/4, 1), 500) // of each class of mistakes: the simulator's are of all four
	fmt.Fprintf(&b, "budget: 10\nrates: {money: %[1]v, card: %[1]v, procedure: %[1]v, call: %[1]v}\ntables:\n", share)
	for i, g := range Games {
		fmt.Fprintf(&b, "  - id: %s\n    name: %s\n    game: %s\n    position: %d\n    min: 500\n    max: 100000\n    options: %s\n    token: %s\n", g.ID, g.Name, g.Game, i+1, g.Options, d.token)
		fmt.Fprintf(&b, "    cameras:\n")
		for _, c := range d.cameras(g) {
			fmt.Fprintf(&b, "      - {name: %s, url: 'rtsp://%s/%s', calibration: %s, empty: %s}\n", c, d.rtsp, c, filepath.Join("calibration", c+".yaml"), filepath.Join("calibration", c+"-empty.jpg"))
		}
	}
	return b.String()
}

// cameras are the names of a table's cameras.
func (d *Demo) cameras(g Game) []string {
	out := []string{g.ID}
	for n := 2; n <= d.opts.Cameras; n++ {
		out = append(out, fmt.Sprintf("%s-%d", g.ID, n))
	}
	return out
}

// videoAt is where the video comes from: who reaches the console reaches it, too.
func videoAt(listen string) string {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || net.ParseIP(host).IsUnspecified() {
		host = "" // what is wrong with listen is said by who reads the configuration
	}
	return net.JoinHostPort(host, "0")
}

// Simulate runs the simulator until ctx ends, and returns once the calibration
// files are there; wait for done afterwards.
func (d *Demo) Simulate(ctx context.Context, console string) (done <-chan error, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, g := range Games {
		for _, c := range d.cameras(g) {
			if err := os.Remove(filepath.Join(d.calib, c+".yaml")); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
		}
		tables = append(tables, g.ID+":"+g.Game)
	}
	cmd := exec.CommandContext(ctx, exe, "sim",
		"--games", strings.Join(tables, ","),
		"--rtsp", d.rtsp,
		"--calib", d.calib,
		"--post", "http://"+console,
		"--seed", strconv.FormatUint(d.opts.Seed, 10),
		"--conditions", cmp.Or(d.opts.Conditions, condition.House),
		"--faults", fmt.Sprint(d.opts.Faults),
		"--fps", fmt.Sprint(d.opts.FPS),
		"--size", d.opts.Size,
		"--cameras", fmt.Sprint(max(1, d.opts.Cameras)),
		"--speed", fmt.Sprint(d.opts.Speed),
		"--truth", d.truth(),
	)
	if !d.opts.ByClock {
		cmd.Args = append(cmd.Args, "--watched")
	}
	if d.opts.Film > 0 {
		cmd.Args = append(cmd.Args, "--film", d.opts.Film.String())
	}
	if len(d.opts.Only) > 0 {
		cmd.Args = append(cmd.Args, "--only", strings.Join(d.opts.Only, ","))
	}
	if d.opts.Plant != "" {
		cmd.Args = append(cmd.Args, "--plant", d.opts.Plant)
	}
	cmd.Env = append(os.Environ(), "VISION_SIM_TOKEN="+d.token, // not on the command line, where all can see it
		"MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=1048576") // glibc gives pictures back
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 3 * time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	go d.heed.tell(ctx, in)
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		d.free()
		ended <- err
	}()
	return ended, d.await(ctx, ended)
}

// startLimit is how long the simulator may take until its cameras are there: seconds, but for a
// machine that others use.
const startLimit = 5 * time.Minute

// await waits for the calibration files.
func (d *Demo) await(ctx context.Context, ended <-chan error) error {
	limit := time.After(startLimit)
	var all []string
	for _, g := range Games {
		all = append(all, d.cameras(g)...)
	}
	for _, c := range all {
		for {
			if _, err := os.Stat(filepath.Join(d.calib, c+".yaml")); err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case err := <-ended:
				return fmt.Errorf("simulator: ended at once: %v", err)
			case <-limit:
				return fmt.Errorf("simulator: no calibration of %s after %v", c, startLimit)
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return nil
}
