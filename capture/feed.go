package capture

import (
	"context"
	"io"
	"sync"
	"time"

	"vision/capture/h264"
	"vision/internal/backoff"
)

// BlindAfter is how long a camera may send nothing before it counts as blind.
const BlindAfter = 2 * time.Second

// firstSight is how much longer a camera is given that has just been switched on:
// connecting and the wait for a key frame take a few seconds, more where all
// cameras of a busy machine come up at once.
const firstSight = 8 * time.Second

// The units since the last key frame are kept for those who join, within these
// bounds; a camera with longer groups makes joiners wait for its next key frame.
const (
	groupUnits = 600
	groupBytes = 32 << 20
)

// Feed hands the units of one camera to all who want them. It is the Sink of the
// camera's Source. A subscriber that is too slow loses units up to the next key
// frame; nobody else notices.
type Feed struct {
	Name string
	// Patience is how much longer than BlindAfter the camera may send nothing; it is set
	// before anything is done with the feed.
	Patience time.Duration

	now     func() time.Time
	onState func(State)
	onBlind func(since time.Time, blind bool)

	mu    sync.Mutex
	subs  map[*Subscription]struct{}
	came  chan struct{} // somebody has subscribed
	group []Unit        // from the last key frame on; nil when it grew too large
	size  int
	n     uint64
	done  bool
	state State
	stats FeedStats
	begun time.Time
	blind bool
	down  bool // the source has lost its connection since the newest unit
	rate  window
	video Video
	known bool // video was read
	hasB  bool
}

// FeedStats are counts since the start and rates over the last seconds.
type FeedStats struct {
	Units   uint64
	Bytes   uint64
	Gaps    uint64    // losses that the source reported within its connections
	Cuts    uint64    // connections of the source that ended and came again
	Dropped uint64    // units that slow subscribers lost
	Newest  time.Time // capture time of the newest unit, zero before the first
	Entry   time.Time // of the newest one at which decoding can begin
	FPS     float64
	Mbps    float64
}

// NewFeed makes the feed of a camera. onState hears of the source coming and
// going, onBlind of two seconds without a unit and of the first one after that;
// both return at once and may be nil.
func NewFeed(name string, onState func(State), onBlind func(since time.Time, blind bool)) *Feed {
	if onState == nil {
		onState = func(State) {}
	}
	if onBlind == nil {
		onBlind = func(time.Time, bool) {}
	}
	f := &Feed{Name: name, now: time.Now, onState: onState, onBlind: onBlind, subs: map[*Subscription]struct{}{},
		came: make(chan struct{}, 1)}
	f.begun = f.now().Add(firstSight)
	return f
}

// Unit takes the next unit of the source and numbers it.
func (f *Feed) Unit(u Unit) {
	f.mu.Lock()
	f.n++
	u.N = f.n
	bytes := 0
	for _, n := range u.NALs {
		bytes += len(n)
	}
	f.stats.Units++
	f.stats.Bytes += uint64(bytes)
	switch {
	case u.Gap && f.down:
		f.stats.Cuts++
	case u.Gap:
		f.stats.Gaps++
	}
	f.down = false
	f.stats.Newest = u.Wall
	if _, point := u.Codec.Recovery(u.NALs); point || u.Key {
		f.stats.Entry = u.Wall
	}
	f.rate.add(f.now(), bytes)
	f.look(u)
	f.keep(u, bytes)
	for s := range f.subs {
		f.stats.Dropped += s.put(u)
	}
	wasBlind := f.blind
	f.blind = false
	f.begun = f.now()
	f.mu.Unlock()
	if wasBlind {
		f.onBlind(u.Wall, false)
	}
}

// look notes what the stream is.
func (f *Feed) look(u Unit) {
	f.hasB = f.hasB || u.Codec == H264 && h264.HasB(u.NALs)
	if !u.Key {
		return
	}
	if v, err := u.Codec.Inspect(u.Codec.Parameters(u.NALs).SPS()); err == nil {
		f.hasB = f.hasB && f.video.Codec == v.Codec
		f.video, f.known = v, true
	}
}

// Video is what the stream's newest parameter sets say, and whether it has shown
// B-frames; false before readable ones.
func (f *Feed) Video() (Video, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.video
	v.Reorders = v.Reorders || f.hasB
	if v.Reorders && v.Problem == nil {
		v.Problem = h264.ErrBFrames
	}
	return v, f.known
}

// keep remembers the present group for those who join.
func (f *Feed) keep(u Unit, bytes int) {
	switch {
	case u.Key:
		f.group, f.size = append([]Unit(nil), u), bytes
	case f.group == nil:
	case len(f.group) == groupUnits || f.size+bytes > groupBytes:
		f.group, f.size = nil, 0
	default:
		f.group = append(f.group, u)
		f.size += bytes
	}
}

// State takes a change of the source's state.
func (f *Feed) State(s State) {
	f.mu.Lock()
	f.state = s
	f.down = f.down || !s.Up
	f.mu.Unlock()
	f.onState(s)
}

// Finish notes that the source has come to its end: subscribers get io.EOF after
// what is left.
func (f *Feed) Finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = true
	for s := range f.subs {
		s.finish()
	}
}

// Watch calls the camera blind when nothing comes, until ctx ends.
func (f *Feed) Watch(ctx context.Context) {
	f.mu.Lock()
	if f.stats.Units == 0 { // it is switched on now, however long ago it was made
		f.begun = f.now().Add(firstSight)
	}
	f.mu.Unlock()
	_ = backoff.Every(ctx, BlindAfter/8, func(time.Time) {
		f.mu.Lock()
		since := f.begun
		blind := !f.done && !f.blind && f.now().Sub(since) >= BlindAfter+f.Patience
		f.blind = f.blind || blind
		f.mu.Unlock()
		if blind {
			f.onBlind(since, true)
		}
	})
}

// Blind reports whether the camera has sent nothing for BlindAfter.
func (f *Feed) Blind() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.blind
}

// Stats are the counts at this moment.
func (f *Feed) Stats() FeedStats {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.stats
	s.FPS, s.Mbps = f.rate.rates(f.now())
	return s
}

// LastState is what the source said last about itself.
func (f *Feed) LastState() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Subscribe joins with a queue of that many units. The first unit is a key frame,
// at once where the present group is kept.
func (f *Feed) Subscribe(queue int) *Subscription {
	s := &Subscription{feed: f, limit: max(queue, 1), more: make(chan struct{}, 1), skipping: true}
	f.mu.Lock()
	defer f.mu.Unlock()
	s.queue = append(s.queue, f.group...)
	if len(s.queue) > 0 {
		s.skipping = false
		s.limit = max(s.limit, 2*len(s.queue)) // what one joins with is no overflow
		s.wake()
	}
	if f.done {
		s.finish()
	}
	f.subs[s] = struct{}{}
	select {
	case f.came <- struct{}{}:
	default:
	}
	return s
}

// Wanted has a value after somebody has subscribed: for a source that runs only while it
// is watched.
func (f *Feed) Wanted() <-chan struct{} { return f.came }

// Subscribers is how many there are.
func (f *Feed) Subscribers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.subs)
}

// Forget drops the present group: its source has stopped, and who joins is not to begin
// with old pictures.
func (f *Feed) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.group, f.size = nil, 0
}

// Subscription is one taker of a feed's units. Next has one caller.
type Subscription struct {
	feed  *Feed
	limit int
	more  chan struct{}

	mu       sync.Mutex
	queue    []Unit
	skipping bool // up to the next key frame
	lost     bool // say so on the next unit
	done     bool
}

// put queues u and returns how many units were lost by it.
func (s *Subscription) put(u Unit) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skipping {
		if !u.Key {
			if s.lost {
				return 1
			}
			return 0 // not yet begun: nothing is missed
		}
		s.skipping = false
	}
	if len(s.queue) >= s.limit {
		n := uint64(len(s.queue))
		s.lost = true
		s.queue = nil
		if !u.Key {
			s.skipping = true
			return n + 1
		}
		u.Gap, s.lost = true, false
		s.queue = append(s.queue, u)
		s.wake()
		return n
	}
	if s.lost {
		u.Gap, s.lost = true, false
	}
	s.queue = append(s.queue, u)
	s.wake()
	return 0
}

func (s *Subscription) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

func (s *Subscription) finish() {
	s.mu.Lock()
	s.done = true
	s.mu.Unlock()
	s.wake()
}

// Next waits for the next unit; io.EOF after the last one of a finished source.
func (s *Subscription) Next(ctx context.Context) (Unit, error) {
	for {
		s.mu.Lock()
		if len(s.queue) > 0 {
			u := s.queue[0]
			s.queue[0] = Unit{}
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return u, nil
		}
		done := s.done
		s.mu.Unlock()
		if done {
			s.wake() // for a further call
			return Unit{}, io.EOF
		}
		select {
		case <-s.more:
		case <-ctx.Done():
			return Unit{}, ctx.Err()
		}
	}
}

// Close leaves the feed.
func (s *Subscription) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	delete(s.feed.subs, s)
}

// window counts over the last whole seconds.
type window struct {
	second [windowSize]int64
	units  [windowSize]int
	bytes  [windowSize]int
}

const windowSize = 6

func (w *window) add(now time.Time, bytes int) {
	i := now.Unix() % windowSize
	if w.second[i] != now.Unix() {
		w.second[i], w.units[i], w.bytes[i] = now.Unix(), 0, 0
	}
	w.units[i]++
	w.bytes[i] += bytes
}

// rates are those of the whole seconds before now.
func (w *window) rates(now time.Time) (fps, mbps float64) {
	units, bytes, n := 0, 0, 0
	for i := range w.second {
		if age := now.Unix() - w.second[i]; age > 0 && age < windowSize {
			units += w.units[i]
			bytes += w.bytes[i]
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return float64(units) / (windowSize - 1), float64(bytes) * 8 / 1e6 / (windowSize - 1)
}
