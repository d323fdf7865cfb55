package record

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"

	"vision/capture"
	"vision/internal/health"
)

// maxQueue bounds what waits for a slow disk, in bytes per camera.
const maxQueue = 48 << 20

// Recorder writes one camera. It is a capture.Sink: Unit and State return at
// once; Run does the work.
type Recorder struct {
	store *Store
	cam   Camera
	more  chan struct{}

	mu      sync.Mutex
	queue   []capture.Unit
	bytes   int
	skip    bool // units are dropped until the next key frame
	dropped uint64

	// owned by Run
	codec    capture.Codec
	params   capture.Parameters
	seg      *segmentWriter
	dts      decodeTimes
	origin   time.Duration // PTS from which dts counts
	entered  time.Duration // PTS of the newest unit at which decoding can begin
	last     *sample       // its duration is known when the next one comes
	nominal  int64         // duration of the newest sample of which it is known
	lastPTS  time.Duration
	lastWall time.Time
	gapFrom  time.Time // pictures are missing since then
	retryAt  time.Time

	read   readings
	broken atomic.Bool  // the newest write failed
	until  atomic.Int64 // end of the newest picture on the disk, ns since 1970; 0 = none yet
}

// Progress is how a camera's recording gets on.
type Progress struct {
	Until   time.Time // end of the newest picture on the disk; zero: none in this run
	Failed  bool      // the newest write failed
	Dropped uint64    // units for which the disk was too slow
}

// Progress of the recording at this moment.
func (r *Recorder) Progress() Progress {
	p := Progress{Failed: r.broken.Load(), Dropped: r.Dropped()}
	if n := r.until.Load(); n != 0 {
		p.Until = time.Unix(0, n)
	}
	return p
}

// Recorder makes the recorder of one camera; there may be only one of each.
func (s *Store) Recorder(table, camera string) *Recorder {
	return &Recorder{store: s, cam: Camera{table, camera}, more: make(chan struct{}, 1)}
}

// Unit queues u. When the disk is too slow units are dropped up to the next key
// frame, and the gap is recorded.
func (r *Recorder) Unit(u capture.Unit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := size(u)
	if r.bytes+n > maxQueue || r.skip && !u.Key {
		r.skip = true
		r.dropped++
		return
	}
	if r.skip {
		r.skip, u.Gap = false, true
	}
	r.queue, r.bytes = append(r.queue, u), r.bytes+n
	select {
	case r.more <- struct{}{}:
	default:
	}
}

func size(u capture.Unit) (n int) {
	for _, b := range u.NALs {
		n += len(b) + 4
	}
	return n
}

// State is ignored: that a camera is down shows as a gap.
func (r *Recorder) State(capture.State) {}

// Dropped is how many units the disk was too slow for.
func (r *Recorder) Dropped() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}

func (r *Recorder) take() []capture.Unit {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queue
	r.queue, r.bytes = nil, 0
	return q
}

// Run writes until ctx ends, then closes the segment.
func (r *Recorder) Run(ctx context.Context) error {
	tick := time.NewTicker(r.store.opts.Fragment)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			r.drain()
			r.cut()
			return ctx.Err()
		case <-r.more:
			r.drain()
		case <-tick.C: // a camera that fell silent
			if r.last != nil && r.store.opts.Now().Sub(r.last.wall) > r.store.opts.Fragment {
				r.push(r.last.duration)
				r.flush()
			}
		}
	}
}

func (r *Recorder) drain() {
	for _, u := range r.take() {
		r.unit(u)
	}
}

// unit brings one access unit into the segment, which it may begin anew.
func (r *Recorder) unit(u capture.Unit) {
	// The units are the camera's: others read them, too.
	u.NALs = slices.DeleteFunc(slices.Clone(u.NALs), func(n []byte) bool { return len(n) == 0 })
	if len(u.NALs) == 0 {
		return
	}
	changed := u.Key && r.parameters(u)
	r.noteGap(u)
	jump := r.seg != nil && (u.PTS < r.lastPTS-time.Second || u.PTS > r.lastPTS+5*time.Second)
	entry := r.entry(u)
	full := r.seg != nil &&
		(u.Key && u.Gap || entry && u.Wall.Sub(r.seg.from) >= r.store.opts.Segment-r.store.opts.Fragment/4)
	if jump {
		r.dts = nil
	}
	if jump || full || changed {
		if d := ticks(u.PTS - r.lastPTS); r.last != nil && !jump && !u.Gap && d > 0 {
			r.last.duration = d
		}
		r.cut()
	}
	r.lastPTS, r.lastWall = u.PTS, u.Wall
	if r.seg == nil && !(entry && r.begin(u)) {
		return
	}
	r.sample(u, entry)
}

// entriesApart is how far recovery points are apart that are used: some encoders have one
// in every picture.
const entriesApart = 400 * time.Millisecond

// entry reports whether decoding can begin at u: a key picture or a recovery point.
func (r *Recorder) entry(u capture.Unit) bool {
	if u.Key {
		return true
	}
	if _, ok := u.Codec.Recovery(u.NALs); !ok || u.Codec != r.codec {
		return false
	}
	return r.seg == nil || u.PTS-r.entered >= entriesApart || u.PTS < r.entered
}

// noteGap remembers from where pictures are missing.
func (r *Recorder) noteGap(u capture.Unit) {
	if u.Gap && r.gapFrom.IsZero() && !r.lastWall.IsZero() {
		r.gapFrom = r.lastWall
	}
}

// parameters takes the parameter sets of a key unit and reports whether they differ from
// those of the open segment.
func (r *Recorder) parameters(u capture.Unit) bool {
	now := u.Codec.Parameters(u.NALs)
	if u.Codec == r.codec {
		now = now.Or(r.params)
	}
	same := u.Codec == r.codec && now.Equal(r.params)
	r.codec, r.params = u.Codec, now
	return !same && r.seg != nil
}

// begin opens a segment at u, if that is possible.
func (r *Recorder) begin(u capture.Unit) bool {
	if !r.params.Whole() || r.store.opts.Now().Before(r.retryAt) {
		return false
	}
	seg, err := r.store.newSegment(r.cam, u.Wall, r.codec, r.params)
	if err != nil {
		r.fail(err)
		return false
	}
	r.seg, r.last, r.gapFrom = seg, nil, time.Time{} // between segments a gap shows by itself
	if u.Key || r.dts == nil {                       // after a recovery point they go on
		r.dts, r.origin = newDecodeTimes(r.codec), u.PTS
	}
	seg.pts0 = u.PTS
	return true
}

// sample hands the previous sample on, now that its duration is known.
func (r *Recorder) sample(u capture.Unit, entry bool) {
	pts := ticks(u.PTS - r.seg.pts0)
	dts, err := r.dts.Extract(u.NALs, ticks(u.PTS-r.origin))
	dts -= ticks(r.seg.pts0 - r.origin)
	if err != nil { // an odd stream: its order of decoding is that of showing
		dts = pts
	}
	if entry {
		r.entered = u.PTS
	}
	avcc, err := h264.AVCC(u.NALs).Marshal()
	if err != nil {
		r.noteGap(capture.Unit{Gap: true})
		return
	}
	s := &sample{
		dts:      dts,
		wall:     u.Wall,
		key:      entry,
		data:     avcc,
		duration: cmp.Or(r.nominal, timescale/25),
	}
	if !r.gapFrom.IsZero() {
		s.gap = &Span{From: r.gapFrom, To: u.Wall, Kind: Lost}
		r.gapFrom = time.Time{}
	}
	if r.last != nil {
		s.dts = max(s.dts, r.last.dts+1)
		r.nominal = s.dts - r.last.dts
		s.duration = r.nominal
		r.push(r.nominal)
	} else {
		s.dts = max(s.dts, r.seg.end)
	}
	s.offset = pts - s.dts
	if entry || s.gap != nil || r.seg.pending()+s.duration > ticks(r.store.opts.Fragment) {
		r.flush()
	}
	if r.seg != nil {
		r.last = s
	}
}

// push moves the held sample into the fragment.
func (r *Recorder) push(duration int64) {
	if r.last == nil || r.seg == nil {
		return
	}
	r.last.duration = max(duration, 1)
	r.seg.samples = append(r.seg.samples, r.last)
	r.last = nil
}

// flush writes the fragment. A segment that cannot be written ends; the next key
// frame tries again.
func (r *Recorder) flush() {
	if r.seg == nil {
		return
	}
	if err := r.seg.flush(r.read.take); err != nil {
		r.fail(err)
		r.seg.close()
		r.seg, r.last = nil, nil
		return
	}
	r.until.Store(r.seg.to.UnixNano())
	if r.broken.Swap(false) {
		r.store.health.Clear(health.RecordingFailed, r.cam.String())
	}
}

// cut ends the segment.
func (r *Recorder) cut() {
	if r.last != nil {
		r.push(r.last.duration)
	}
	r.flush()
	if r.seg != nil {
		r.seg.close()
	}
	r.seg, r.last = nil, nil
}

func (r *Recorder) fail(err error) {
	r.broken.Store(true)
	r.retryAt = r.store.opts.Now().Add(500 * time.Millisecond)
	if r.gapFrom.IsZero() {
		r.gapFrom = r.lastWall
	}
	r.store.health.Set(health.RecordingFailed, r.cam.Table, r.cam.String(), err.Error())
	r.store.opts.Log.Error("recording failed", "camera", r.cam.String(), "err", err)
}
