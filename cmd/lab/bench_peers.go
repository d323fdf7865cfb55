package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/internal/command"
	"vision/internal/lab/load"
	"vision/internal/lab/peers"
	"vision/internal/port"
	"vision/stream/account"
)

// BenchPeersCmd compares the product with MediaMTX.
type BenchPeersCmd struct {
	MediaMTX string `name:"mediamtx" default:"bin/mediamtx" help:"Its program; make bench-peers builds it."`
	Cameras  int    `default:"4" help:"How many cameras."`
	Viewers  int    `default:"10" help:"Viewers of each camera, a connection each."`
	Size     string `default:"1920x1080" help:"Size of the pictures, 25 a second."`
	Seconds  int    `default:"20" help:"How long each turn is measured."`
	Rounds   int    `default:"3" help:"How often each has its turns."`
	JSON     bool   `name:"json" help:"Print JSON lines."`
}

// Run prints a line for each turn.
func (c *BenchPeersCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	vision, err := command.Beside("vision")
	if err != nil {
		return err
	}
	mtx, err := filepath.Abs(c.MediaMTX)
	if err != nil {
		return err
	}
	if _, err := os.Stat(mtx); err != nil {
		return fmt.Errorf("MediaMTX: %w: `make bench-peers` builds it", err)
	}
	if !c.JSON {
		fmt.Printf("%-9s %-9s %7s %7s %9s %9s %6s %8s %8s %8s\n", "", "recorded", "cores", "others", "memory", "own", "fps", "p50 ms", "p95 ms", "lost s")
	}
	o := peers.Options{Cameras: c.Cameras, Viewers: c.Viewers, Size: c.Size, Warm: 10 * time.Second,
		Measure: time.Duration(c.Seconds) * time.Second, Rounds: c.Rounds}
	return peers.Compare(ctx, []peers.Peer{visionPeer(vision), mediamtxPeer(mtx)}, o, func(r peers.Result) {
		if c.JSON {
			_ = json.NewEncoder(os.Stdout).Encode(r)
			return
		}
		fmt.Printf("%-9s %-9v %7.3f %7.3f %6d MB %6d MB %6.1f %8.1f %8.1f %8.2f\n", r.Peer, r.Recorded, r.CPU, r.Others, r.RSS/1e6, r.Own/1e6, r.FPS,
			r.P50.Seconds()*1000, r.P95.Seconds()*1000, r.Lost.Seconds())
	})
}

const peersPassword = "a password of the comparison"

// visionPeer is the product. It always records: there is no game without a recording.
func visionPeer(program string) peers.Peer {
	return peers.Peer{
		Name: "vision", Always: true,
		Start: func(dir string, cameras []string, _ bool) (*exec.Cmd, string, error) {
			listen, _, err := port.Reserve() // until the comparison ends
			if err != nil {
				return nil, "", err
			}
			hash, err := account.HashPassword(peersPassword)
			if err != nil {
				return nil, "", err
			}
			var y strings.Builder
			fmt.Fprintf(&y, "data: data\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\n", listen)
			fmt.Fprintf(&y, "accounts: [{user: admin, role: admin, password: '%s'}]\ntables:\n", hash)
			for i, u := range cameras {
				fmt.Fprintf(&y, "  - {id: T%d, game: ruleta_francesa, options: {panos: 1}, min: 500, max: 50000, cameras: [{name: cam%d, url: '%s'}]}\n", i, i, u)
			}
			file := filepath.Join(dir, "vision.yaml")
			cmd := exec.Command(program, "run", "-c", file)
			cmd.Dir = dir
			return cmd, "http://" + listen + "/", os.WriteFile(file, []byte(y.String()), 0o600)
		},
		View: func(console string, i int) string { return fmt.Sprintf("%swhep?cameras=cam%d", console, i) },
		Token: func(ctx context.Context, console string) (string, error) {
			return load.Token(ctx, console, "admin", peersPassword)
		},
		Recorded: func(dir string, i int) ([]string, error) {
			return recordedIn(filepath.Join(dir, "data", "recordings"), fmt.Sprintf("cam%d", i))
		},
	}
}

func mediamtxPeer(program string) peers.Peer {
	return peers.Peer{
		Name: "mediamtx",
		Start: func(dir string, cameras []string, record bool) (*exec.Cmd, string, error) {
			listen, _, err := port.Reserve() // until the comparison ends
			if err != nil {
				return nil, "", err
			}
			media, _, err := port.Reserve()
			if err != nil {
				return nil, "", err
			}
			var y strings.Builder
			fmt.Fprintf(&y, "logLevel: warn\nrtsp: no\nrtmp: no\nhls: no\nsrt: no\nwebrtc: yes\nwebrtcAddress: '%s'\nwebrtcLocalUDPAddress: '%s'\n", listen, media)
			fmt.Fprintf(&y, "webrtcIPsFromInterfaces: no\nwebrtcAdditionalHosts: [127.0.0.1]\npathDefaults:\n  record: %v\n  recordPath: '%s/%%path/%%s-%%f'\n  rtspTransport: tcp\npaths:\n",
				record, filepath.Join(dir, "recordings"))
			for i, u := range cameras {
				fmt.Fprintf(&y, "  cam%d: {source: '%s'}\n", i, u)
			}
			file := filepath.Join(dir, "mediamtx.yml")
			cmd := exec.Command(program, file)
			cmd.Dir = dir
			return cmd, "http://" + listen + "/", os.WriteFile(file, []byte(y.String()), 0o600)
		},
		View: func(console string, i int) string { return fmt.Sprintf("%scam%d/whep", console, i) },
		Token: func(ctx context.Context, console string) (string, error) { // it asks for none: only whether it answers
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, console+"cam0/", nil)
			if err != nil {
				return "", err
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				return "", err
			}
			return "", resp.Body.Close()
		},
		Recorded: func(dir string, i int) ([]string, error) {
			return recordedIn(filepath.Join(dir, "recordings"), fmt.Sprintf("cam%d", i))
		},
	}
}

// recordedIn are the files below a folder whose path holds the camera's name, by time.
func recordedIn(dir, camera string) ([]string, error) {
	var out []string
	at := map[string]time.Time{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(path, camera) {
			return err
		}
		info, err := e.Info()
		if err == nil {
			out, at[path] = append(out, path), info.ModTime()
		}
		return err
	})
	slices.SortFunc(out, func(a, b string) int { return at[a].Compare(at[b]) })
	return out, err
}
