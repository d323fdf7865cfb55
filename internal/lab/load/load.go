// Package load measures what a node costs: processor and memory of the server and
// of every reader, with cameras and viewers as in a room.
package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/webrtc/v4"

	"vision/internal/backoff"
)

// Use is what one process took over a stretch of time.
type Use struct {
	PID  int     `json:"pid"`
	Name string  `json:"name"`
	CPU  float64 `json:"cpu"` // cores
	RSS  int64   `json:"rss"` // bytes, at the end
	// Own are those of RSS that are the process's alone; the rest are pages of files, which it
	// shares with all that map them and the kernel may take back.
	Own int64 `json:"own"`
}

// ticks per second of /proc/PID/stat on every Linux that Go runs on.
const ticks = 100

type sample struct {
	name string
	cpu  float64 // seconds
	rss  int64
	own  int64
}

// Watch measures this process and its descendants for that long.
func Watch(ctx context.Context, d time.Duration) ([]Use, error) {
	before := family()
	began := time.Now()
	if err := backoff.Sleep(ctx, d); err != nil {
		return nil, err
	}
	took := time.Since(began).Seconds()
	var out []Use
	for pid, s := range family() {
		out = append(out, Use{PID: pid, Name: s.name, CPU: (s.cpu - before[pid].cpu) / took, RSS: s.rss, Own: s.own})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].CPU > out[j].CPU })
	return out, nil
}

// family is this process and all below it.
func family() map[int]sample {
	all, parent := map[int]sample{}, map[int]int{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(d))
		b, err := os.ReadFile(d + "/stat")
		if err != nil {
			continue
		}
		i := bytes.LastIndexByte(b, ')')
		f := strings.Fields(string(b[i+1:]))
		if len(f) < 22 {
			continue
		}
		parent[pid], _ = strconv.Atoi(f[1])
		user, _ := strconv.ParseFloat(f[11], 64)
		system, _ := strconv.ParseFloat(f[12], 64)
		rss, own := resident(d)
		all[pid] = sample{commandName(d), (user + system) / ticks, rss, own}
	}
	mine := map[int]sample{}
	for pid, s := range all {
		for p := pid; p > 1; p = parent[p] {
			if p == os.Getpid() {
				mine[pid] = s
				break
			}
		}
	}
	if s, ok := mine[os.Getpid()]; ok {
		s.name = "server"
		mine[os.Getpid()] = s
	}
	return mine
}

// resident is what a process has in memory, and what of that no file has (proc(5), statm), bytes.
func resident(dir string) (rss, own int64) {
	b, _ := os.ReadFile(dir + "/statm")
	f := strings.Fields(string(b))
	if len(f) < 3 {
		return 0, 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	shared, _ := strconv.ParseInt(f[2], 10, 64)
	return pages * int64(os.Getpagesize()), (pages - shared) * int64(os.Getpagesize())
}

// commandName is the subcommand of one of our own processes.
func commandName(dir string) string {
	b, _ := os.ReadFile(dir + "/cmdline")
	f := strings.Split(string(b), "\x00")
	if len(f) > 1 {
		return f[1]
	}
	return filepath.Base(f[0])
}

// Viewer is a WHEP player that throws away what it gets.
type Viewer struct {
	pc    *webrtc.PeerConnection
	mux   ice.UDPMux
	bytes atomic.Uint64
	units atomic.Uint64
	ended func(packet []byte) // the last packet of a picture has come; nil: nobody asks
}

// readBuffer holds a key picture of a 4K camera, as a browser's does, bytes.
const readBuffer = 4 << 20

// Pictures is how many it has received: packets that end one (RFC 6184 §5.1).
func (v *Viewer) Pictures() uint64 { return v.units.Load() }

// Bytes is how much video it has received.
func (v *Viewer) Bytes() uint64 { return v.bytes.Load() }

// Close leaves.
func (v *Viewer) Close() error { return errors.Join(v.pc.Close(), v.mux.Close()) }

// View connects to the cameras of a console with a bearer token.
func View(ctx context.Context, console, token string, cameras []string) (*Viewer, error) {
	return Play(ctx, console+"whep?cameras="+strings.Join(cameras, ","), token, len(cameras), nil)
}

// Play connects to a WHEP address that sends so many videos; token may be empty. ended, if
// not nil, gets the last RTP packet of every picture at once and must not keep it.
func Play(ctx context.Context, address, token string, videos int, ended func(packet []byte)) (*Viewer, error) {
	mux, err := ice.NewMultiUDPMuxFromPort(0, ice.UDPMuxFromPortWithReadBufferSize(readBuffer))
	if err != nil {
		return nil, fmt.Errorf("viewer: %w", err)
	}
	var engine webrtc.SettingEngine
	engine.SetICEUDPMux(mux)
	pc, err := webrtc.NewAPI(webrtc.WithSettingEngine(engine)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, errors.Join(err, mux.Close())
	}
	v := &Viewer{pc: pc, mux: mux, ended: ended}
	if err := v.connect(ctx, address, token, videos); err != nil {
		return nil, errors.Join(fmt.Errorf("viewer: %w", err), v.Close())
	}
	return v, nil
}

func (v *Viewer) connect(ctx context.Context, address, token string, videos int) error {
	for range videos {
		if _, err := v.pc.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo,
			webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
			return err
		}
	}
	v.pc.OnTrack(func(t *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		buf := make([]byte, 1500)
		for {
			n, _, err := t.Read(buf)
			if err != nil {
				return
			}
			v.bytes.Add(uint64(n))
			if n > 1 && buf[1]&0x80 != 0 { // the marker bit
				v.units.Add(1)
				if v.ended != nil {
					v.ended(buf[:n])
				}
			}
		}
	})
	offer, err := v.pc.CreateOffer(nil)
	if err != nil {
		return err
	}
	gathered := webrtc.GatheringCompletePromise(v.pc)
	if err := v.pc.SetLocalDescription(offer); err != nil {
		return err
	}
	select {
	case <-gathered:
	case <-ctx.Done():
		return ctx.Err()
	}
	req, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		address,
		strings.NewReader(v.pc.LocalDescription().SDP),
	)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/sdp")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s: %s", resp.Status, body)
	}
	return v.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: string(body)})
}
