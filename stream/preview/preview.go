// Package preview serves a camera's picture as MJPEG, small and slow, for tools
// that speak nothing better. It drives github.com/hybridgroup/mjpeg, whose Stream
// has one buffer for all, keeps what was longer before, and notices a departed
// client only at its next frame: so here every client has a Stream of its own,
// fed by one goroutine that ends with the client.
package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hybridgroup/mjpeg"
)

// What a preview is limited to.
const (
	MaxWidth  = 640
	MaxHeight = 360
	MaxFPS    = 10
)

// interval is the time between two frames.
const interval = time.Second / MaxFPS

// ErrSize is returned for pictures that are too large for a preview.
var ErrSize = fmt.Errorf("larger than %d×%d", MaxWidth, MaxHeight)

// Preview is one camera's newest picture. It is an http.Handler; all methods may
// be called by many.
type Preview struct {
	mu      sync.Mutex
	frame   []byte // never changed once it is here
	changed chan struct{}
	last    time.Time
	clients int
	closed  chan struct{}
	once    sync.Once
	now     func() time.Time
}

// New makes a preview without a picture.
func New() *Preview {
	return &Preview{changed: make(chan struct{}), closed: make(chan struct{}), now: time.Now}
}

// Clients is how many are watching; without any, no JPEG needs to be made.
func (p *Preview) Clients() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clients
}

// Update shows a JPEG, which is copied. One that comes sooner than the rate
// allows is dropped. It never waits.
func (p *Preview) Update(picture []byte) error {
	c, err := jpeg.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return fmt.Errorf("preview: %w", err)
	}
	if c.Width > MaxWidth || c.Height > MaxHeight {
		return fmt.Errorf("preview: %d×%d: %w", c.Width, c.Height, ErrSize)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.last) < interval-interval/10 && !p.last.IsZero() {
		return nil
	}
	p.last, p.frame = now, bytes.Clone(picture)
	close(p.changed)
	p.changed = make(chan struct{})
	return nil
}

// Close ends all clients.
func (p *Preview) Close() { p.once.Do(func() { close(p.closed) }) }

func (p *Preview) newest() ([]byte, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frame, p.changed
}

func (p *Preview) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clients += n
}

// ServeHTTP streams until the client goes, with ?once=1 one picture.
func (p *Preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Query().Has("once") {
		frame, _ := p.newest()
		if frame == nil {
			http.Error(w, "no picture yet", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "image/jpeg")
		_, _ = w.Write(frame) // a client that went away
		return
	}
	p.count(1)
	defer p.count(-1)
	p.stream(w, r)
}

func (p *Preview) stream(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	c := &client{ResponseWriter: w, rc: http.NewResponseController(w), stream: mjpeg.NewStream(), ctx: ctx}
	c.stream.FrameInterval = 0 // Update keeps the rate
	over := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { p.feed(c, over) })
	c.stream.ServeHTTP(c, r)
	cancel()
	close(over)
	wg.Wait()
}

// retry is how long feed waits for the library to take a picture.
const retry = 10 * time.Millisecond

// feed offers the newest picture to one client until over is closed. When the
// client or the preview has ended it goes on offering: the library waits for a
// picture without looking at anything else, and ends at the next write.
func (p *Preview) feed(c *client, over <-chan struct{}) {
	tick := time.NewTicker(retry)
	defer tick.Stop()
	var shown <-chan struct{} // closed when the newest picture is newer than the one shown
	for {
		frame, changed := p.newest()
		if frame != nil && changed != shown || c.ctx.Err() != nil {
			taken := c.taken.Load()
			c.offer(frame)
			shown = nil
			select {
			case <-tick.C:
			case <-over:
				return
			}
			if c.taken.Load() > taken {
				shown = changed
			}
			continue
		}
		select {
		case <-changed:
		case <-c.ctx.Done():
		case <-p.closed:
			c.ended.Store(true)
			c.offer(frame)
			select {
			case <-tick.C:
			case <-over:
				return
			}
		case <-over:
			return
		}
	}
}

// client stands between the library and one connection.
type client struct {
	http.ResponseWriter
	rc     *http.ResponseController
	stream *mjpeg.Stream
	ctx    context.Context
	taken  atomic.Uint64
	ended  atomic.Bool

	mu sync.Mutex // the library's buffer: offer fills it, Write copies it
}

func (c *client) offer(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stream.UpdateJPEG(frame)
}

// errGone ends the library's loop.
var errGone = errors.New("client is gone")

// patience is how long one picture may take to be sent.
const patience = 10 * time.Second

// Write gets the library's whole buffer and sends the part that it just filled.
func (c *client) Write(b []byte) (int, error) {
	c.mu.Lock()
	part := bytes.Clone(filled(b))
	c.mu.Unlock()
	c.taken.Add(1)
	if c.ctx.Err() != nil || c.ended.Load() {
		return 0, errGone
	}
	_ = c.rc.SetWriteDeadline(time.Now().Add(patience)) // not every ResponseWriter can
	if _, err := c.ResponseWriter.Write(part); err != nil {
		return 0, err
	}
	_ = c.rc.Flush()
	return len(b), nil
}

// filled cuts off what an earlier, longer picture left behind.
func filled(b []byte) []byte {
	head, _, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	_, length, ok2 := bytes.Cut(head, []byte("Content-Length: "))
	digits, _, _ := bytes.Cut(length, []byte("\r\n"))
	n, err := strconv.Atoi(string(digits))
	end := len(head) + 4 + n
	if !ok || !ok2 || err != nil || n < 0 || end > len(b) {
		return nil
	}
	return b[:end]
}
