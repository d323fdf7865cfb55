package live

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/interceptor/pkg/report"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"vision/stream/notice"
)

// Channel is the label of the data channel; the viewer opens it.
const Channel = "vision"

// Stats are how many viewers there are, how many of them are connected, and how many packets were sent.
type Stats struct {
	Sessions, Connected int
	Packets             uint64
}

// Stats counts what goes on.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := Stats{Sessions: len(s.sessions), Packets: s.packets.Load()}
	for _, x := range s.sessions {
		if x.connected.Load() {
			st.Connected++
		}
	}
	return st
}

// session is one viewer's connection.
type session struct {
	server        *Server
	id            string
	grant         Grant
	cameras       []string
	pc            *webrtc.PeerConnection
	offer, answer string
	slots         []*slot
	connected     atomic.Bool
	once          sync.Once
	stop          context.CancelFunc
	ctx           context.Context
	mu            sync.Mutex // between spawn and end, and of what follows
	dc            *webrtc.DataChannel
	unplayable    []notice.Message // to be sent when the data channel opens
	wg            sync.WaitGroup
}

// open makes a session and its answer.
func (s *Server) open(r *http.Request, grant Grant, cameras []string, o offer, raw string) (*session, error) {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	x := &session{server: s, id: hex.EncodeToString(id[:]), grant: grant, cameras: cameras, offer: raw}
	x.ctx, x.stop = context.WithCancel(context.Background())
	s.mu.Lock()
	switch {
	case s.closed:
		s.mu.Unlock()
		return nil, fail(http.StatusServiceUnavailable, "the server is closing")
	case len(s.sessions) >= s.opts.MaxSessions:
		s.mu.Unlock()
		return nil, fail(http.StatusServiceUnavailable, "%d viewers are connected, more are not allowed", s.opts.MaxSessions)
	}
	s.sessions[x.id] = x
	s.wg.Add(1)
	s.mu.Unlock()
	if err := x.start(r.Context(), o); err != nil {
		x.end("refused")
		return nil, err
	}
	s.opts.Log.Info("viewer connected", "session", x.id[:8], "user", grant.User, "cameras", cameras)
	return x, nil
}

func (x *session) start(ctx context.Context, o offer) error {
	for _, c := range x.cameras {
		sl, err := newSlot(x, c, len(o.hevc) > 0)
		if err != nil {
			return err
		}
		x.slots = append(x.slots, sl)
	}
	if len(x.slots) == 1 && x.slots[0].refused {
		return fail(http.StatusUnprocessableEntity, "camera %s: %w", x.cameras[0], ErrReordered)
	}
	api, err := x.server.api(o)
	if err != nil {
		return err
	}
	x.pc, err = api.NewPeerConnection(webrtc.Configuration{ICEServers: x.server.opts.ICE,
		Certificates: []webrtc.Certificate{x.server.cert}})
	if err != nil {
		return fmt.Errorf("webrtc: %w", err)
	}
	x.pc.OnConnectionStateChange(x.changed)
	x.pc.OnDataChannel(x.channel)
	for _, sl := range x.slots {
		if err := sl.attach(o.order(sl.sps)); err != nil {
			return err
		}
	}
	return x.negotiate(ctx, o)
}

// api makes the codec table of one offer: H.264, H.265 and sounds that are not sent, with
// the viewer's numbers.
func (s *Server) api(o offer) (*webrtc.API, error) {
	var m webrtc.MediaEngine
	for _, c := range o.sounds {
		if err := m.RegisterCodec(c, webrtc.RTPCodecTypeAudio); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrOffer, err)
		}
	}
	for _, c := range slices.Concat(o.codecs, o.hevc) {
		if err := m.RegisterCodec(c, webrtc.RTPCodecTypeVideo); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrOffer, err)
		}
	}
	reg, err := resends(s.sockets.flush)
	if err != nil {
		return nil, err
	}
	reports, err := report.NewSenderInterceptor()
	if err != nil {
		return nil, err
	}
	reg.Add(reports)
	return webrtc.NewAPI(webrtc.WithMediaEngine(&m), webrtc.WithInterceptorRegistry(reg),
		webrtc.WithSettingEngine(s.setting)), nil
}

// group is the line of which sections share a transport.
var group = regexp.MustCompile(`a=group:BUNDLE [^\r\n]*\r\n`)

func (x *session) negotiate(ctx context.Context, o offer) error {
	err := x.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: o.raw})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOffer, err)
	}
	for _, t := range x.pc.GetTransceivers() {
		if t.Kind() == webrtc.RTPCodecTypeAudio {
			if err := t.Stop(); err != nil { // answered as inactive
				return fmt.Errorf("%w: %w", ErrOffer, err)
			}
		}
	}
	answer, err := x.pc.CreateAnswer(nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOffer, err)
	}
	gathered := webrtc.GatheringCompletePromise(x.pc)
	if err := x.pc.SetLocalDescription(answer); err != nil {
		return fmt.Errorf("%w: %w", ErrOffer, err)
	}
	select {
	case <-gathered:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(5 * time.Second): // a STUN server that does not answer
	}
	x.answer = x.pc.LocalDescription().SDP
	if o.lone {
		x.answer = group.ReplaceAllString(x.answer, "") // none was offered (RFC 9143 §7.3)
	}
	x.reapUnlessConnected()
	x.endWithRight()
	return nil
}

// endWithRight ends a session whose viewer has lost the right to watch.
func (x *session) endWithRight() {
	if x.grant.Hold != nil {
		giveBack := x.grant.Hold(func() { go x.end("no right to it any more") })
		context.AfterFunc(x.ctx, giveBack)
	}
}

// reapUnlessConnected ends a session whose viewer never connects.
func (x *session) reapUnlessConnected() {
	x.spawn(func() {
		t := time.NewTimer(x.server.opts.Patience)
		defer t.Stop()
		select {
		case <-x.ctx.Done():
		case <-t.C:
			if !x.connected.Load() {
				go x.end("never connected")
			}
		}
	})
}

func (x *session) changed(state webrtc.PeerConnectionState) {
	switch state {
	case webrtc.PeerConnectionStateConnected:
		if x.connected.Swap(true) {
			return
		}
		for _, sl := range x.slots {
			x.spawn(func() { sl.run(x.ctx) })
		}
	case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed:
		go x.end("connection " + state.String()) // not here: ending waits for this callback
	}
}

// spawn runs f as a goroutine that end waits for, unless the end has come.
func (x *session) spawn(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ctx.Err() == nil {
		x.wg.Go(f)
	}
}

// end takes the session out of the server and frees everything; it may be called
// more than once.
func (x *session) end(why string) {
	x.once.Do(func() {
		s := x.server
		defer s.wg.Done()
		s.mu.Lock()
		delete(s.sessions, x.id)
		s.mu.Unlock()
		x.mu.Lock()
		x.stop()
		x.mu.Unlock()
		if x.pc != nil {
			if err := x.pc.GracefulClose(); err != nil && !errors.Is(err, webrtc.ErrConnectionClosed) {
				s.opts.Log.Debug("closing the peer connection failed", "session", x.id[:8], "err", err)
			}
		}
		x.wg.Wait()
		s.sockets.flush()
		for _, sl := range x.slots {
			sl.release()
		}
		s.opts.Log.Info("viewer left", "session", x.id[:8], "why", why)
	})
}

// channel serves the data channel.
func (x *session) channel(dc *webrtc.DataChannel) {
	if dc.Label() != Channel {
		return
	}
	dc.OnMessage(func(m webrtc.DataChannelMessage) { x.wish(m.Data) })
	dc.OnOpen(func() {
		x.spawn(func() { x.talk(dc) })
	})
}

// maxBuffered is how much may wait in a viewer's data channel; then messages stay
// in the hub's queue, which keeps the newest.
const maxBuffered = 256 << 10

// talk sends notices until the session ends.
func (x *session) talk(dc *webrtc.DataChannel) {
	x.mu.Lock()
	x.dc = dc
	waiting := x.unplayable
	x.mu.Unlock()
	for _, m := range waiting {
		x.send(dc, m)
	}
	if x.server.opts.Notices == nil {
		return
	}
	sub := x.server.opts.Notices.Subscribe(x.grant.Notice)
	defer sub.Close()
	low := make(chan struct{}, 1)
	dc.SetBufferedAmountLowThreshold(maxBuffered / 4)
	dc.OnBufferedAmountLow(func() { signal(low) })
	for {
		m, err := x.next(sub)
		if err != nil || !x.send(dc, m) {
			return
		}
		if dc.BufferedAmount() > maxBuffered {
			select {
			case <-low:
			case <-x.ctx.Done():
				return
			}
		}
	}
}

// signal sends to a channel of one without blocking.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// beat is the period of the heartbeat: a viewer without one for longer has lost the
// connection.
const beat = 500 * time.Millisecond

// next is the next notice, or a heartbeat.
func (x *session) next(sub *notice.Sub) (notice.Message, error) {
	ctx, cancel := context.WithTimeout(x.ctx, beat)
	defer cancel()
	m, err := sub.Next(ctx)
	if err != nil && x.ctx.Err() == nil {
		return notice.Message{Type: "beat", Body: json.RawMessage("null")}, nil
	}
	return m, err
}

// cannotShow notifies the viewer that a camera's stream cannot be played, now or
// when its data channel opens.
func (x *session) cannotShow(camera string, why error) {
	body, _ := json.Marshal(why.Error()) // a string: cannot fail
	m := notice.Message{Type: "camera", Key: camera, Body: body}
	x.mu.Lock()
	dc := x.dc
	if dc == nil {
		x.unplayable = append(x.unplayable, m)
	}
	x.mu.Unlock()
	if dc != nil {
		x.send(dc, m)
	}
}

func (x *session) send(dc *webrtc.DataChannel, m notice.Message) bool {
	b, err := json.Marshal(m)
	if err != nil {
		x.server.opts.Log.Error("whep: notice not sent", "err", err)
		return true
	}
	return dc.SendText(string(b)) == nil
}

// Wish is what a viewer may send on the data channel: show another camera in a
// slot (a substream, another table), or nothing.
type Wish struct {
	Type   string `json:"type"`   // "show"
	Slot   int    `json:"slot"`   // index of the video section
	Camera string `json:"camera"` // "" pauses the slot
}

func (x *session) wish(raw []byte) {
	var w Wish
	if json.Unmarshal(raw, &w) != nil || w.Type != "show" || w.Slot < 0 || w.Slot >= len(x.slots) {
		return
	}
	if w.Camera != "" && x.grant.Camera != nil && !x.grant.Camera(w.Camera) &&
		!slices.Contains(x.cameras, w.Camera) {
		return
	}
	select {
	case x.slots[w.Slot].show <- w.Camera:
	case <-x.ctx.Done():
	}
}

// readRTCP hands the viewer's feedback to the interceptors, and restarts the
// slot at a key frame when the viewer's decoder lost its picture.
func (x *session) readRTCP(sender *webrtc.RTPSender, sl *slot) {
	for {
		packets, _, err := sender.ReadRTCP()
		if err != nil {
			return
		}
		for _, p := range packets {
			switch p.(type) {
			case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
				signal(sl.restart)
			}
		}
	}
}
