// Package peers measures this program and others that pass video on, one after the other in
// turns, with the same cameras and viewers on the same machine: processor and memory of the
// server, the delay from a camera's socket to a viewer's, and what of the recording is lost
// when the server is killed.
package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"vision/capture"
	"vision/internal/backoff"
	"vision/internal/lab/load"
)

// Peer is a program to measure.
type Peer struct {
	Name   string
	Always bool // it records whether or not it is asked to
	// Start returns the command that serves the cameras from a folder of its own, recorded
	// where that is asked for, and where a camera is viewed.
	Start func(dir string, cameras []string, record bool) (cmd *exec.Cmd, console string, err error)
	// View is the WHEP address of camera i.
	View func(console string, i int) string
	// Token lets viewers in, once the program answers.
	Token func(ctx context.Context, console string) (string, error)
	// Recorded are the files of camera i, oldest first.
	Recorded func(dir string, i int) ([]string, error)
}

// Options of a comparison.
type Options struct {
	Cameras, Viewers int // viewers of each camera, a connection each
	Size             string
	Warm, Measure    time.Duration
	Rounds           int
}

// Result is one turn of a peer.
type Result struct {
	Peer     string        `json:"peer"`
	Recorded bool          `json:"recorded"`
	CPU      float64       `json:"cpu"` // cores of the server alone
	RSS      int64         `json:"rss"` // its bytes
	Own      int64         `json:"own"` // of those, not of files: see load.Use
	Others   float64       `json:"others"`
	FPS      float64       `json:"fps"` // that a viewer got
	P50, P95 time.Duration // from the camera's socket to the viewer's
	Lost     time.Duration `json:"lost"` // of the recording at the kill; the most of all cameras
}

// Compare lets the peers run in turns, without recording and with, and kills each.
func Compare(ctx context.Context, peers []Peer, o Options, done func(Result)) error {
	f, err := film(ctx, o.Size)
	if err != nil {
		return err
	}
	for round := range o.Rounds {
		turn := slices.Clone(peers)
		if round%2 == 1 {
			slices.Reverse(turn)
		}
		for _, record := range []bool{false, true} {
			for _, p := range turn {
				if p.Always && !record {
					continue
				}
				cctx, cancel := context.WithCancel(ctx)
				var run sync.WaitGroup
				c, err := shoot(cctx, &run, f, o.Cameras)
				if err == nil {
					var r Result
					if r, err = measure(cctx, p, c, o, record); err == nil {
						done(r)
					}
					c.srv.Close()
				}
				cancel()
				run.Wait()
				if err != nil {
					return fmt.Errorf("%s: %w", p.Name, err)
				}
			}
		}
	}
	return nil
}

// measure is one turn.
func measure(ctx context.Context, p Peer, c *cameras, o Options, record bool) (r Result, err error) {
	r = Result{Peer: p.Name, Recorded: record}
	dir, err := os.MkdirTemp("", "vision-peers-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	cmd, console, err := p.Start(dir, c.urls, record)
	if err != nil {
		return r, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		return r, err
	}
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		return r, err
	}
	kill := sync.OnceFunc(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	defer kill()
	if err := watch(ctx, p, c, o, console, cmd.Process.Pid, &r); err != nil {
		last, _ := os.ReadFile(said.Name())
		return r, fmt.Errorf("%w\n%s", err, last[max(0, len(last)-2000):])
	}
	killed := time.Now()
	kill()
	if record {
		r.Lost, err = lost(ctx, p, c, dir, killed)
	}
	return r, err
}

// watch connects the viewers and measures.
func watch(ctx context.Context, p Peer, c *cameras, o Options, console string, pid int, r *Result) error {
	ctx, cancel := context.WithTimeout(ctx, o.Warm+o.Measure+2*time.Minute)
	defer cancel()
	var token string
	if err := until(ctx, func() (err error) { token, err = p.Token(ctx, console); return err }); err != nil {
		return err
	}
	d := &delays{}
	var viewers []*load.Viewer
	defer func() {
		for _, v := range viewers {
			_ = v.Close()
		}
	}()
	for i := range o.Cameras {
		for range o.Viewers {
			err := until(ctx, func() error {
				v, err := load.Play(ctx, p.View(console, i), token, 1, func(packet []byte) {
					if at, ok := c.sentAt(i, tailOf(packet)); ok {
						d.add(time.Since(at))
					}
				})
				if err == nil {
					viewers = append(viewers, v)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	if err := backoff.Sleep(ctx, o.Warm); err != nil {
		return err
	}
	before := pictures(viewers)
	d.reset()
	uses, err := load.Watch(ctx, o.Measure)
	if err != nil {
		return err
	}
	r.P50, r.P95 = d.at(0.5), d.at(0.95)
	r.FPS = float64(pictures(viewers)-before) / o.Measure.Seconds() / float64(len(viewers))
	for _, u := range uses {
		switch u.PID {
		case pid:
			r.CPU, r.RSS, r.Own = u.CPU, u.RSS, u.Own
		case os.Getpid(): // cameras and viewers
		default:
			r.Others += u.CPU
		}
	}
	return nil
}

func pictures(viewers []*load.Viewer) (n uint64) {
	for _, v := range viewers {
		n += v.Pictures()
	}
	return n
}

// until tries again every half second until f succeeds or ctx ends.
func until(ctx context.Context, f func() error) error {
	for {
		err := f()
		if err == nil {
			return nil
		}
		if backoff.Sleep(ctx, 500*time.Millisecond) != nil {
			return err
		}
	}
}

// errNothing is the error of a peer that has recorded nothing that can be read.
var errNothing = errors.New("no recording can be read")

// lost is how much of what was sent before the kill is not in the files.
func lost(ctx context.Context, p Peer, c *cameras, dir string, killed time.Time) (time.Duration, error) {
	var most time.Duration
	for i := range c.urls {
		files, err := p.Recorded(dir, i)
		if err != nil {
			return 0, err
		}
		var newest time.Time
		for _, f := range slices.Backward(files) {
			// What a player gets of the file as it lies there: fragments that are whole.
			raw, _ := exec.CommandContext(ctx, "ffmpeg", "-v", "quiet", "-f", "mp4", "-i", f, "-c", "copy", "-bsf:v", "h264_mp4toannexb,h264_metadata=aud=insert", "-f", "h264", "-").Output()
			// Only the last picture: the film repeats itself, and so do older ones.
			us := slices.DeleteFunc(units(raw), func(u capture.Unit) bool { return len(u.NALs) == 0 })
			if len(us) == 0 {
				continue
			}
			last := us[len(us)-1].NALs
			newest, _ = c.sentAt(i, tailOf(last[len(last)-1]))
			break
		}
		if newest.IsZero() {
			return 0, fmt.Errorf("camera %d, %d files: %w", i, len(files), errNothing)
		}
		most = max(most, killed.Sub(newest))
	}
	return most, nil
}

// delays collects how long pictures took.
type delays struct {
	mu  sync.Mutex
	all []time.Duration
}

func (d *delays) add(t time.Duration) {
	d.mu.Lock()
	d.all = append(d.all, t)
	d.mu.Unlock()
}

func (d *delays) reset() {
	d.mu.Lock()
	d.all = nil
	d.mu.Unlock()
}

func (d *delays) at(share float64) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.all) == 0 {
		return 0
	}
	slices.Sort(d.all)
	return d.all[int(share*float64(len(d.all)-1))]
}
