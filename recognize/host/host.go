// Package host is the server's side of a table's reader process: it feeds the
// process with the cameras' access units, passes on what it sees, and replaces it
// when it aborts, hangs or eats memory. It calls no C.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/calibration"
	"vision/capture"
	"vision/internal/child"
	"vision/internal/decoder"
	"vision/internal/fact"
	"vision/recognize/wire"
)

// Subcommand of the program under which a reader runs.
const Subcommand = "reader-process"

// Units is a subscription to one camera. Next returns io.EOF after the last unit
// of a finite source.
type Units interface {
	Next(ctx context.Context) (capture.Unit, error)
	Close()
}

// Camera is one view of the table.
type Camera struct {
	Name        string
	Calibration *calibration.Table
	Empty       []byte // file of its picture of the table with nothing on it; nil: none was taken
	// Open subscribes, starting with a key frame. It is called once per life of the reader.
	Open func() Units
}

// Config of one table's reader.
type Config struct {
	Table   string
	Cameras []Camera
	Every   bool // read every frame (replay) instead of the newest
	Threads int
	Memory  int64         // see child.Spec
	Hang    time.Duration // see child.Spec
	Env     []string      // of the process; tests use it
	// Decoder is what decodes, as decoder.Find found it; "" is the processor. After a life
	// that was lost while a device decoded the processor does: the driver may be why.
	Decoder decoder.Choice
	Log     *slog.Logger

	// The callbacks come from the reader's own goroutine and return at once.
	Seen     func([]fact.Observation)
	Picture  func(camera string, jpeg []byte)
	Stats    func(wire.Stats)
	Lost     func(error)                    // the process was lost; a new one is coming
	Refused  func(camera string, err error) // the reader will not read this camera
	Finished func(camera string)            // all of a finite camera was read
	// Taken is called for every unit that was decoded, in the order in which they
	// were given; with Every, what was seen in it has been reported before.
	Taken func(camera string, wall time.Time)
}

// Reader supervises the reader process of one table.
type Reader struct {
	cfg      Config
	previews []atomic.Bool
	now      func() time.Time

	mu   sync.Mutex
	conn *child.Conn // of the present life
	hard bool        // a device decodes in it
	fell error       // why none does any more
	last []time.Time // capture time of the newest unit given, per camera
}

// New checks the configuration.
func New(cfg Config) (*Reader, error) {
	if len(cfg.Cameras) == 0 || len(cfg.Cameras) > wire.MaxCameras {
		return nil, fmt.Errorf("table %s: %d cameras; want 1 to %d", cfg.Table, len(cfg.Cameras), wire.MaxCameras)
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	if cfg.Seen == nil {
		cfg.Seen = func([]fact.Observation) {}
	}
	if cfg.Picture == nil {
		cfg.Picture = func(string, []byte) {}
	}
	if cfg.Stats == nil {
		cfg.Stats = func(wire.Stats) {}
	}
	if cfg.Lost == nil {
		cfg.Lost = func(error) {}
	}
	if cfg.Refused == nil {
		cfg.Refused = func(string, error) {}
	}
	if cfg.Finished == nil {
		cfg.Finished = func(string) {}
	}
	if cfg.Taken == nil {
		cfg.Taken = func(string, time.Time) {}
	}
	return &Reader{cfg: cfg, now: time.Now,
		previews: make([]atomic.Bool, len(cfg.Cameras)), last: make([]time.Time, len(cfg.Cameras))}, nil
}

// Run keeps the reader alive until ctx ends, or every camera has finished.
func (r *Reader) Run(ctx context.Context) error {
	return child.Run(ctx, child.Spec{
		Name: "reader of table " + r.cfg.Table, Args: []string{Subcommand}, More: r.device, Env: r.cfg.Env,
		Hang: r.cfg.Hang, Memory: r.cfg.Memory, Log: r.cfg.Log, Lost: r.lost,
	}, r.session)
}

// device are the arguments that name what decodes.
func (r *Reader) device() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fell != nil || !r.cfg.Decoder.InHardware() {
		return nil
	}
	return []string{"--decoder", r.cfg.Decoder.String()}
}

// decodes records this process's decoder, and reports why no device decodes any more.
func (r *Reader) decodes(st *wire.Stats) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by, err := decoder.Parse(st.Decoder); err == nil && by.InHardware() {
		r.hard = true
	} else if r.fell != nil {
		st.Refused = r.fell.Error()
	}
}

// Preview turns the JPEG previews of a camera on or off.
func (r *Reader) Preview(camera string, on bool) {
	for i, c := range r.cfg.Cameras {
		if c.Name != camera || r.previews[i].Swap(on) == on {
			continue
		}
		r.mu.Lock()
		conn := r.conn
		r.mu.Unlock()
		if conn != nil {
			_ = r.sendPreview(conn, i) // a broken pipe ends the life elsewhere
		}
	}
}

// Again has a zone read again that lies at rest, by every camera that sees it: see recognize.Table.Again.
func (r *Reader) Again(zone string) {
	r.mu.Lock()
	conn := r.conn
	r.mu.Unlock()
	for i := range r.cfg.Cameras {
		if conn != nil {
			_ = conn.Write(wire.KindAgain, []byte{byte(i)}, []byte(zone)) // a broken pipe ends the life elsewhere
		}
	}
}

func (r *Reader) sendPreview(conn *child.Conn, i int) error {
	on := byte(0)
	if r.previews[i].Load() {
		on = 1
	}
	return conn.Write(wire.KindPreview, []byte{byte(i), on})
}

// lost returns what was lost with the process: all its input since its last message, so
// the rounds of this table cannot be verified.
func (r *Reader) lost(err error) {
	r.cfg.Lost(err)
	now := r.now()
	var gaps []fact.Observation
	r.mu.Lock()
	if r.hard {
		r.fell = fmt.Errorf("the reader was lost while %v decoded: %w", r.cfg.Decoder, err)
	}
	for i, c := range r.cfg.Cameras {
		since := r.last[i]
		if since.IsZero() {
			since = now
		}
		gaps = append(gaps, fact.Observation{Table: r.cfg.Table, Camera: c.Name, Kind: fact.Gap,
			Since: since, Time: now, Note: err.Error()})
	}
	r.mu.Unlock()
	r.cfg.Seen(gaps)
}

// session is one process, from start to end.
func (r *Reader) session(ctx context.Context, conn *child.Conn) error {
	setup := wire.Setup{Table: r.cfg.Table, Every: r.cfg.Every, Threads: r.cfg.Threads}
	for i, c := range r.cfg.Cameras {
		if c.Empty != nil {
			if err := conn.Write(wire.KindEmpty, append([]byte{byte(i)}, c.Empty...)); err != nil {
				return err
			}
		}
		setup.Cameras = append(setup.Cameras, wire.Camera{Name: c.Name, Calibration: c.Calibration})
	}
	if err := wire.Send(conn, wire.KindSetup, setup); err != nil {
		return err
	}
	r.mu.Lock()
	r.conn, r.hard = conn, false
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.conn = nil
		r.mu.Unlock()
	}()
	g, ctx := errgroup.WithContext(ctx)
	feeds := make([]*feeder, len(r.cfg.Cameras))
	for i := range feeds {
		feeds[i] = &feeder{r: r, i: i, conn: conn, credit: make(chan time.Time, window)}
		g.Go(func() error { return feeds[i].run(ctx) })
	}
	g.Go(func() error { return r.listen(conn, feeds) })
	err := g.Wait()
	if errors.Is(err, errFinished) {
		return nil
	}
	return err
}

// errFinished ends a session whose cameras have all ended.
var errFinished = errors.New("all cameras have finished")

// listen passes on the reader's messages.
func (r *Reader) listen(conn *child.Conn, feeds []*feeder) error {
	finished := make(map[int]bool)
	for {
		k, p, err := conn.Read()
		if err != nil {
			return err
		}
		switch k {
		case wire.KindReady:
			if err := r.ready(conn, p); err != nil {
				return err
			}
		case wire.KindSeen:
			obs, err := wire.Decode[[]fact.Observation]("observations", p)
			if err != nil {
				return err
			}
			r.cfg.Seen(obs)
		case wire.KindStats:
			st, err := wire.Decode[wire.Stats]("statistics", p)
			if err != nil {
				return err
			}
			r.decodes(&st)
			r.cfg.Stats(st)
		case wire.KindTaken, wire.KindPicture, wire.KindFinished:
			i, rest, err := wire.ParseCamera(p, len(feeds))
			if err != nil {
				return err
			}
			r.camera(k, i, rest, feeds[i])
			if k == wire.KindFinished {
				finished[i] = true
			}
			if len(finished) == len(feeds) {
				return errFinished
			}
		default:
			return fmt.Errorf("reader sent a frame of unknown kind %d", k)
		}
	}
}

// camera hands on what the reader reports of one camera.
func (r *Reader) camera(k child.Kind, i int, rest []byte, f *feeder) {
	name := r.cfg.Cameras[i].Name
	switch k {
	case wire.KindTaken:
		if wall, ok := f.taken(); ok {
			r.cfg.Taken(name, wall)
		}
	case wire.KindPicture:
		r.cfg.Picture(name, rest)
	case wire.KindFinished:
		r.cfg.Finished(name)
	}
}

func (r *Reader) ready(conn *child.Conn, p []byte) error {
	ready, err := wire.Decode[wire.Ready]("reader's greeting", p)
	if err != nil {
		return err
	}
	for cam, msg := range ready.Errs {
		r.cfg.Refused(cam, errors.New(msg))
	}
	for i := range r.previews {
		if err := r.sendPreview(conn, i); err != nil {
			return err
		}
	}
	return nil
}
