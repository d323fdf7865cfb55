package reader

import (
	"context"
	"image"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/internal/av"
	"vision/internal/child"
	"vision/internal/cv"
	"vision/internal/decoder"
	"vision/internal/fact"
	"vision/recognize/wire"
)

// queue is how many units may wait for the decoder; the server's window is as large.
const queue = 128

// view is one camera: one goroutine decodes, one looks.
type view struct {
	i       int
	name    string
	table   string
	every   bool
	link    *child.Link
	device  *av.Device
	rec     Recogniser // nil: shown, not read
	units   chan capture.Unit
	end     sync.Once
	preview atomic.Bool
	asked   chan string // zones to be read again

	newest   chan *av.Frame // decoded, to be looked at
	stats    counter
	sent     time.Time               // of the last preview
	repeats  *repeats                // of the goroutine that decodes
	verdict  atomic.Pointer[verdict] // its newest
	reported verdict                 // the one last reported

	working func() // ends the present piece of work
}

// put queues a unit. The server never sends more than fit.
func (v *view) put(ctx context.Context, u capture.Unit) error {
	select {
	case v.units <- u:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// again queues a zone to be read again; with a full queue it is dropped.
func (v *view) again(zone string) {
	select {
	case v.asked <- zone:
	default:
	}
}

func (v *view) finish() { v.end.Do(func() { close(v.units) }) }

// run decodes until the units end.
func (v *view) run(ctx context.Context) error {
	dec, err := v.device.NewDecoder()
	if err != nil {
		return err
	}
	defer dec.Close()
	v.newest, v.repeats = make(chan *av.Frame, 1), newRepeats()
	var looking sync.WaitGroup
	looked := make(chan error, 1)
	if !v.every {
		looking.Go(func() { looked <- v.look() })
	}
	err = v.decode(ctx, dec)
	close(v.newest)
	looking.Wait()
	if v.rec != nil {
		v.rec.Close()
	}
	if err == nil && !v.every {
		err = <-looked
	}
	if err != nil {
		return err
	}
	v.report()
	return v.link.Write(wire.KindFinished, []byte{byte(v.i)})
}

func (v *view) decode(ctx context.Context, dec *av.Decoder) error {
	var img gocv.Mat
	defer func() { closeMat(&img) }()
	for u := range v.units {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done, begun := v.link.Work(), time.Now()
		frames, err := dec.Decode(u)
		done()
		v.stats.unpacked(time.Since(begun))
		v.stats.decodes(dec.By())
		if err != nil {
			v.stats.broken.Add(1)
		}
		v.stats.decoded.Add(uint64(len(frames)))
		for _, f := range frames {
			if !v.every {
				v.compare(f)
				v.stats.dropped.Add(offer(v.newest, f))
				continue
			}
			if err := v.see(f, &img); err != nil {
				return err
			}
		}
		if err := v.link.Write(wire.KindTaken, []byte{byte(v.i)}); err != nil {
			return err
		}
	}
	return nil
}

// look reads the newest frame whenever there is one.
func (v *view) look() error {
	var img gocv.Mat
	defer func() { closeMat(&img) }()
	next := time.Now().Add(time.Second)
	for f := range v.newest {
		if err := v.see(f, &img); err != nil {
			return err
		}
		if now := time.Now(); now.After(next) {
			next = now.Add(time.Second)
			v.report()
		}
	}
	return nil
}

// see looks at one frame and closes it.
func (v *view) see(f *av.Frame, img *gocv.Mat) error {
	defer f.Close()
	v.working = v.link.Work()
	defer func() { v.working() }()
	began := time.Now()
	if v.rec == nil && !v.wantsPreview(f.Wall) {
		return nil
	}
	p := f.In(img)
	if v.rec != nil {
		if err := v.read(f, p, began); err != nil {
			return err
		}
	}
	if !v.wantsPreview(f.Wall) {
		return nil
	}
	bgr, err := p.BGR()
	if err != nil {
		return err
	}
	return v.show(bgr, f.Wall)
}

// compare checks whether the camera repeats its pictures, which a replay may.
func (v *view) compare(f *av.Frame) {
	if v.rec == nil {
		return
	}
	v.repeats.look(f)
	now := v.repeats.verdict
	v.verdict.Store(&now)
}

// read has the picture read. Those that repeat others are not, and when new ones come the
// recogniser finds that some are missing.
func (v *view) read(f *av.Frame, p cv.Picture, began time.Time) error {
	var obs []fact.Observation
	var err error
	now := v.reported
	if p := v.verdict.Load(); p != nil {
		now = *p
	}
	for len(v.asked) > 0 {
		v.rec.Again(<-v.asked)
	}
	if now.since.IsZero() {
		look := v.rec.Frame
		if f.Damaged {
			look = v.rec.Damaged
		}
		obs, err = look(p, f.Wall, f.N)
	}
	v.stats.saw(f.Wall, time.Since(began), err)
	if now != v.reported {
		v.reported = now
		obs = append(
			obs,
			fact.Observation{Kind: fact.Frozen, Time: f.Wall, Since: now.since, Frame: f.N, OK: now.since.IsZero()},
		)
	}
	return v.send(obs)
}

// step ends one piece of work and begins the next.
func (v *view) step() {
	v.working()
	v.working = v.link.Work()
}

func (v *view) send(obs []fact.Observation) error {
	if len(obs) == 0 {
		return nil
	}
	for i := range obs {
		obs[i].Table, obs[i].Camera = v.table, v.name
	}
	return wire.Send(v.link.Conn, wire.KindSeen, obs)
}

// Previews are small and slow: they are for tools that support MJPEG alone.
const (
	previewWidth = 640
	previewEvery = 100 * time.Millisecond
)

func (v *view) wantsPreview(at time.Time) bool {
	return v.preview.Load() && at.Sub(v.sent) >= previewEvery
}

func (v *view) show(img gocv.Mat, at time.Time) error {
	v.sent = at
	small := gocv.NewMat()
	defer small.Close()
	k := float64(previewWidth) / float64(max(img.Cols(), img.Rows()*16/9))
	gocv.Resize(img, &small, image.Point{}, min(k, 1), min(k, 1), gocv.InterpolationArea)
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, small, []int{gocv.IMWriteJpegQuality, 75})
	if err != nil {
		return nil // that preview is dropped
	}
	defer buf.Close()
	return v.link.Write(wire.KindPicture, []byte{byte(v.i)}, buf.GetBytes())
}

func (v *view) report() {
	_ = wire.Send(v.link.Conn, wire.KindStats, v.stats.snapshot(v.name)) // a broken pipe ends the process elsewhere
}

func closeMat(m *gocv.Mat) {
	if m.Ptr() != nil {
		m.Close()
	}
}

// offer replaces the newest frame and returns how many untaken ones were dropped.
func offer(newest chan *av.Frame, f *av.Frame) (overtaken uint64) {
	for {
		select {
		case newest <- f:
			return overtaken
		default:
		}
		select {
		case old := <-newest:
			old.Close()
			overtaken++
		default:
		}
	}
}

// counter counts what Stats report.
type counter struct {
	decoded, dropped, broken atomic.Uint64

	mu      sync.Mutex
	read    uint64
	newest  time.Time
	recent  lately
	decode  lately
	slowest time.Duration
	by      string // what decodes
	refused string // why the processor does instead of a device
	err     string
	erred   time.Time // when it came last
}

// errorHolds is how long a failed reading counts: most pictures are only watched, and do
// not show whether one could be read.
const errorHolds = time.Minute

// recentFrames is over how many frames the median time is taken.
const recentFrames = 101

// lately are the last so many times.
type lately []time.Duration

func (l *lately) add(took time.Duration) {
	if len(*l) == recentFrames {
		*l = append((*l)[:0], (*l)[1:]...)
	}
	*l = append(*l, took)
}

// median is 0 where there are none.
func (l lately) median() time.Duration {
	if len(l) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(l))[len(l)/2]
}

// unpacked counts the time that a unit took to decode.
func (c *counter) unpacked(took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decode.add(took)
}

// decodes records the decoder, and why the processor replaces a device.
func (c *counter) decodes(by decoder.Choice, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by, c.refused = by.String(), ""
	if why != nil {
		c.refused = why.Error()
	}
}

func (c *counter) saw(at time.Time, took time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read++
	c.newest = at
	c.recent.add(took)
	c.slowest = max(c.slowest, took)
	switch {
	case err != nil:
		c.err, c.erred = err.Error(), at
	case at.Sub(c.erred) > errorHolds:
		c.err = ""
	}
}

// held counts what the process has open. Mats have a profile where gocv keeps one: with
// -tags matprofile.
func held() wire.Held {
	h := wire.Held{Frames: int(av.Live()), Goroutines: runtime.NumGoroutine()}
	if p := pprof.Lookup("gocv.io/x/gocv.Mat"); p != nil {
		h.Mats = p.Count()
	}
	return h
}

func (c *counter) snapshot(camera string) wire.Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := wire.Stats{Camera: camera, Decoded: c.decoded.Load(), Dropped: c.dropped.Load(), Broken: c.broken.Load(),
		Read: c.read, Newest: c.newest, Slowest: c.slowest, Err: c.err, Decode: c.decode.median(), Watch: c.recent.median(),
		Decoder: c.by, Refused: c.refused, Held: held()}
	c.slowest = 0
	return s
}
