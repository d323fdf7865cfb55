package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"vision/capture"
	"vision/internal/backoff"
)

// ErrReordered means that the camera sends pictures in another order than they
// are shown (B-frames), which WebRTC in browsers does not play.
var ErrReordered = errors.New("the camera sends B-frames, which browsers do not play live; switch them off in the camera (Baseline profile)")

const (
	clock = 90000
	// mtu is the largest RTP payload: 1200 less header and SRTP's tag fits every path.
	mtu = 1180
	// restartPause is the least time between two restarts that a viewer may ask for.
	restartPause = 700 * time.Millisecond
	// stalled is how long a camera may be silent before a viewer's wish for a key
	// frame is taken for what it is: browsers ask again and again while nothing
	// comes, and sending the old pictures anew would look like life.
	stalled = 2500 * time.Millisecond
)

// slot is one video section of a viewer's connection, and what it shows.
type slot struct {
	session *session
	camera  string
	track   *track
	sps     []byte // of H.264
	hevc    bool   // the viewer takes H.265
	again   bool   // units are of the copy that is encoded again
	refused bool   // the camera's stream cannot be played

	units  <-chan capture.Unit
	cancel func()
	peeked []capture.Unit // taken from units to look at them

	show    chan string
	restart chan struct{}

	waitKey   bool
	order     reorder
	lastTS    uint32
	lastSent  time.Time
	lastStart time.Time
	lastUnit  time.Time // when the camera sent something, or the slot was started
	anchorTS  uint32    // anchorPTS is sent with this timestamp
	anchorPTS time.Duration
}

func newSlot(x *session, camera string, hevc bool) (*slot, error) {
	sl := &slot{session: x, camera: camera, hevc: hevc, show: make(chan string), restart: make(chan struct{}, 1),
		lastTS: rand.Uint32(), waitKey: true}
	if err := sl.subscribe(camera); err != nil {
		return nil, fail(http.StatusNotFound, "camera %q: %w", camera, err)
	}
	return sl, nil
}

// Plain after a camera's name is a copy of its stream in H.264 without B-frames, for
// viewers that do not play it as it comes.
const Plain = "~h264"

// subscribe begins to take camera's units and looks at those that are there: where the
// viewer cannot play them, those of the copy.
func (sl *slot) subscribe(camera string) error {
	again := sl.again && camera == sl.camera // what was found out of a camera holds
	if again {
		return sl.take(camera, true)
	}
	if err := sl.take(camera, false); err != nil {
		return err
	}
	if slices.ContainsFunc(sl.peeked, sl.unfit) && sl.take(camera, true) != nil {
		sl.refuse()
	}
	sl.order = reorder{}
	return nil
}

// take subscribes to the camera's own stream or to the copy.
func (sl *slot) take(camera string, again bool) error {
	name := camera
	if again {
		name += Plain
	}
	units, cancel, err := sl.session.server.cameras.Subscribe(name)
	if err != nil {
		return err
	}
	sl.release()
	sl.camera, sl.units, sl.cancel, sl.refused, sl.waitKey, sl.order = camera, units, cancel, false, true, reorder{}
	sl.again = again
	sl.peeked = backlog(units)
	for _, u := range sl.peeked {
		if u.Key && u.Codec == capture.H264 {
			sl.sps = findSPS(u)
		}
	}
	return nil
}

// unfit reports whether the viewer cannot play a stream with this unit.
func (sl *slot) unfit(u capture.Unit) bool {
	return u.Codec == capture.H265 && !sl.hevc || sl.order.seen(u)
}

// release gives the subscription back.
func (sl *slot) release() {
	if sl.cancel != nil {
		sl.cancel()
	}
	sl.cancel, sl.units, sl.peeked = nil, nil, nil
}

func (sl *slot) refuse() {
	sl.refused = true
	sl.session.cannotShow(sl.camera, ErrReordered)
	if h := sl.session.server.opts.Health; h != nil {
		h.Set("camera_reorders", "", sl.camera, ErrReordered.Error())
	}
}

// backlog is what is in the channel now.
func backlog(units <-chan capture.Unit) (out []capture.Unit) {
	for {
		select {
		case u, ok := <-units:
			if !ok {
				return out
			}
			out = append(out, u)
		default:
			return out
		}
	}
}

func findSPS(u capture.Unit) []byte {
	for _, n := range u.NALs {
		if len(n) > 3 && h264.NALUType(n[0]&0x1f) == h264.NALUTypeSPS {
			return n
		}
	}
	return nil
}

// reorder notices streams whose order of decoding is not that of showing.
type reorder struct {
	last time.Duration
	any  bool
}

// seen takes notice of u and reports whether it is shown before the one before it.
// A step back of more than a second is a camera that began anew.
func (o *reorder) seen(u capture.Unit) bool {
	back := o.any && !u.Key && !u.Gap && u.PTS < o.last && o.last-u.PTS < time.Second
	o.last, o.any = u.PTS, true
	return back
}

// attach makes the track and its sender.
func (sl *slot) attach(codecs []webrtc.RTPCodecParameters) error {
	sl.track = &track{id: sl.camera, slot: slices.Index(sl.session.slots, sl)}
	tr, err := sl.session.pc.AddTransceiverFromTrack(sl.track,
		webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly})
	if err != nil {
		return fmt.Errorf("whep: %w", err)
	}
	if err := tr.SetCodecPreferences(codecs); err != nil {
		return fmt.Errorf("%w: %w", ErrOffer, err)
	}
	sl.session.spawn(func() { sl.session.readRTCP(tr.Sender(), sl) })
	return nil
}

// run sends until ctx ends.
func (sl *slot) run(ctx context.Context) {
	sl.catchUp(ctx)
	for {
		if len(sl.peeked) > 0 { // of the copy, to which the last unit has led
			sl.catchUp(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case camera := <-sl.show:
			sl.change(ctx, camera)
		case <-sl.restart:
			if time.Since(sl.lastStart) > restartPause && time.Since(sl.lastUnit) < stalled && sl.cancel != nil {
				sl.change(ctx, sl.camera)
			}
		case u, ok := <-sl.units:
			if !ok {
				sl.release()
				continue
			}
			sl.lastUnit = time.Now()
			sl.live(u)
		}
	}
}

// change shows another camera, or the same from its newest key frame.
func (sl *slot) change(ctx context.Context, camera string) {
	if camera == "" {
		sl.release()
		return
	}
	if err := sl.subscribe(camera); err != nil {
		sl.session.server.opts.Log.Warn("whep: camera switch failed", "camera", camera, "err", err)
		return
	}
	sl.catchUp(ctx)
}

// catchUp sends what was there when the viewer came: the pictures since the key
// frame. They get timestamps a millisecond apart, so that the browser decodes
// them at once and shows the newest, instead of staying behind by their length.
func (sl *slot) catchUp(ctx context.Context) {
	sl.lastStart = time.Now()
	sl.lastUnit = sl.lastStart
	us := append(sl.peeked, backlog(sl.units)...)
	sl.peeked = nil
	for i := len(us) - 1; i > 0; i-- {
		if us[i].Key { // older pictures are of no use
			us = us[i:]
			break
		}
	}
	if len(us) == 0 {
		return
	}
	const step = clock / 1000
	first := sl.lastTS + max(sl.sinceSent(), step)
	sl.anchorTS, sl.anchorPTS = first+uint32(len(us)-1)*step, us[len(us)-1].PTS
	for i, u := range us {
		if ctx.Err() != nil {
			return
		}
		if sl.send(u, first+uint32(i)*step) > 16 {
			_ = backoff.Sleep(ctx, time.Millisecond) // no burst that a switch's buffer cannot hold
		}
	}
}

// live sends u at its time in the stream.
func (sl *slot) live(u capture.Unit) {
	ts := sl.anchorTS + uint32(int64((u.PTS-sl.anchorPTS).Seconds()*clock))
	if step := int32(ts - sl.lastTS); step <= 0 || step > 10*clock {
		// The camera's clock began anew: go on by ours.
		ts = sl.lastTS + max(sl.sinceSent(), clock/1000)
		sl.anchorTS, sl.anchorPTS = ts, u.PTS
	}
	sl.send(u, ts)
}

// sinceSent is the time since the newest packet in the stream's clock, at most
// ten seconds of it.
func (sl *slot) sinceSent() uint32 {
	return uint32(min(time.Since(sl.lastSent), 10*time.Second).Seconds() * clock)
}

// send packs one access unit (RFC 6184) and returns the number of packets.
// Between a loss and the next key frame nothing is sent: the picture is frozen
// still instead of falling to pieces.
func (sl *slot) send(u capture.Unit, ts uint32) int {
	if sl.refused {
		return 0
	}
	if sl.unfit(u) {
		if sl.again || sl.take(sl.camera, true) != nil {
			sl.refuse()
		}
		return 0
	}
	sl.waitKey = (sl.waitKey || u.Gap) && !u.Key
	if sl.waitKey {
		return 0
	}
	payloads := sl.session.server.packer.cut(u)
	if len(payloads) == 0 {
		return 0 // an empty unit
	}
	headers := make([]rtp.Header, len(payloads))
	for i, p := range payloads {
		h := &headers[i]
		h.Version, h.Timestamp, h.Marker = 2, ts, i == len(payloads)-1
		// A connection that is gone ends the session by its state; a packet that
		// could not be sent is asked for again.
		if sl.track.write(u.Codec, h, p) {
			sl.session.server.packets.Add(1)
		}
	}
	sl.lastTS, sl.lastSent = ts, time.Now()
	return len(payloads)
}
