package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph265"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"
	"go.uber.org/goleak"

	"vision/capture"
	"vision/internal/testkit/testvideo"
	"vision/stream/notice"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// studio is some cameras.
type studio struct {
	mu   sync.Mutex
	cams map[string]*camera
}

type camera struct {
	gop  []capture.Unit
	subs map[chan capture.Unit]bool // waiting for a key frame
}

func newStudio(names ...string) *studio {
	st := &studio{cams: map[string]*camera{}}
	for _, n := range names {
		st.cams[n] = &camera{subs: map[chan capture.Unit]bool{}}
	}
	return st
}

func (st *studio) Subscribe(name string) (<-chan capture.Unit, func(), error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	c := st.cams[name]
	if c == nil {
		return nil, nil, errors.New("there is no such camera")
	}
	ch := make(chan capture.Unit, 512)
	for _, u := range c.gop {
		ch <- u
	}
	c.subs[ch] = false
	return ch, func() {
		st.mu.Lock()
		defer st.mu.Unlock()
		delete(c.subs, ch)
	}, nil
}

func (st *studio) send(name string, us ...capture.Unit) {
	st.mu.Lock()
	defer st.mu.Unlock()
	c := st.cams[name]
	for _, u := range us {
		if u.Key {
			c.gop = nil
		}
		c.gop = append(c.gop, u)
		for ch, waits := range c.subs {
			if waits && !u.Key {
				continue
			}
			v := u
			v.Gap = v.Gap || waits
			select {
			case ch <- v:
				c.subs[ch] = false
			default:
				c.subs[ch] = true
			}
		}
	}
}

func (st *studio) viewers(name string) int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return len(st.cams[name].subs)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func serve(t testing.TB, cams Cameras, opts Options) (*Server, *httptest.Server) {
	t.Helper()
	if opts.UDP == "" {
		opts.UDP = "127.0.0.1:0"
	}
	opts.Log = quiet()
	s, err := New(cams, opts)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, h
}

// viewer is a WHEP player.
type viewer struct {
	t        testing.TB
	pc       *webrtc.PeerConnection
	dc       *webrtc.DataChannel
	location string
	messages chan string   // but for the beats
	beats    chan struct{} // holds one
	opened   chan struct{}
	change   func(offer string) string // what it sends instead of its offer; nil: that

	mu    sync.Mutex
	units map[string][][][]byte // by stream id: access units received
	times map[string][]uint32
	more  chan struct{}
}

type viewerOptions struct {
	hevc      bool // it takes H.265 too
	videos    int
	tcp       bool
	noChannel bool
	header    http.Header
	profile   string
	config    webrtc.Configuration
}

func newViewer(t testing.TB, o viewerOptions) *viewer {
	t.Helper()
	var m webrtc.MediaEngine
	profile := "42e01f"
	if o.profile != "" {
		profile = o.profile
	}
	for i, p := range []string{"640032", profile} {
		if err := m.RegisterCodec(webrtc.RTPCodecParameters{PayloadType: webrtc.PayloadType(102 + i),
			RTPCodecCapability: webrtc.RTPCodecCapability{
				MimeType: webrtc.MimeTypeH264, ClockRate: 90000, SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=" + p,
				RTCPFeedback: []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}},
			}}, webrtc.RTPCodecTypeVideo); err != nil {
			t.Fatal(err)
		}
	}
	if o.hevc {
		if err := m.RegisterCodec(webrtc.RTPCodecParameters{PayloadType: hevcType,
			RTPCodecCapability: webrtc.RTPCodecCapability{
				MimeType: webrtc.MimeTypeH265, ClockRate: 90000, SDPFmtpLine: "level-id=180;profile-id=1;tier-flag=0;tx-mode=SRST",
			}}, webrtc.RTPCodecTypeVideo); err != nil {
			t.Fatal(err)
		}
	}
	var se webrtc.SettingEngine
	se.SetIncludeLoopbackCandidate(true)
	se.SetICETimeouts(2*time.Second, 3*time.Second, 500*time.Millisecond)
	se.LoggerFactory = &logging.DefaultLoggerFactory{DefaultLogLevel: logging.LogLevelDisabled}
	if o.tcp {
		se.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeTCP4})
	}
	var reg interceptor.Registry
	if err := webrtc.ConfigureNack(&m, &reg); err != nil {
		t.Fatal(err)
	}
	pc, err := webrtc.NewAPI(webrtc.WithMediaEngine(&m), webrtc.WithSettingEngine(se),
		webrtc.WithInterceptorRegistry(&reg)).
		NewPeerConnection(o.config)
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{
		t:        t,
		pc:       pc,
		messages: make(chan string, 100),
		beats:    make(chan struct{}, 1),
		opened:   make(chan struct{}),
		units:    map[string][][][]byte{},
		times:    map[string][]uint32{},
		more:     make(chan struct{}, 1),
	}
	t.Cleanup(func() { _ = pc.GracefulClose() })
	for range o.videos {
		if _, err := pc.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo,
			webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
			t.Fatal(err)
		}
	}
	if !o.noChannel {
		if v.dc, err = pc.CreateDataChannel(Channel, nil); err != nil {
			t.Fatal(err)
		}
		v.dc.OnOpen(func() { close(v.opened) })
		v.dc.OnMessage(func(m webrtc.DataChannelMessage) {
			if string(m.Data) != `{"type":"beat","body":null}` {
				v.messages <- string(m.Data)
				return
			}
			select {
			case v.beats <- struct{}{}:
			default:
			}
		})
	}
	pc.OnTrack(func(tr *webrtc.TrackRemote, _ *webrtc.RTPReceiver) { v.receive(tr) })
	return v
}

// hevcType is the payload type of H.265.
const hevcType = 110

// receive puts access units together again.
func (v *viewer) receive(tr *webrtc.TrackRemote) {
	var d rtph264.Decoder
	d.PacketizationMode = 1
	var d5 rtph265.Decoder
	if err := errors.Join(d.Init(), d5.Init()); err != nil {
		v.t.Error(err)
		return
	}
	for {
		p, _, err := tr.ReadRTP()
		if err != nil {
			return
		}
		decode := d.Decode
		if p.PayloadType == hevcType {
			decode = d5.Decode
		}
		au, err := decode(p)
		if err != nil {
			continue
		}
		v.mu.Lock()
		v.units[tr.StreamID()] = append(v.units[tr.StreamID()], au)
		v.times[tr.StreamID()] = append(v.times[tr.StreamID()], p.Timestamp)
		v.mu.Unlock()
		select {
		case v.more <- struct{}{}:
		default:
		}
	}
}

func (v *viewer) got(camera string) ([][][]byte, []uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.units[camera]), slices.Clone(v.times[camera])
}

// waitFor waits for n units of camera.
func (v *viewer) waitFor(camera string, n int) ([][][]byte, []uint32) {
	v.t.Helper()
	deadline := time.After(3 * time.Minute)
	for {
		if us, ts := v.got(camera); len(us) >= n {
			return us, ts
		}
		select {
		case <-v.more:
		case <-deadline:
			us, _ := v.got(camera)
			v.t.Fatalf("camera %s: %d of %d units received", camera, len(us), n)
		}
	}
}

func (v *viewer) offer() string {
	v.t.Helper()
	offer, err := v.pc.CreateOffer(nil)
	if err != nil {
		v.t.Fatal(err)
	}
	done := webrtc.GatheringCompletePromise(v.pc)
	if err := v.pc.SetLocalDescription(offer); err != nil {
		v.t.Fatal(err)
	}
	<-done
	if v.change != nil {
		return v.change(v.pc.LocalDescription().SDP)
	}
	return v.pc.LocalDescription().SDP
}

func post(t testing.TB, url, body string, header http.Header) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", typeSDP)
	for k, v := range header {
		r.Header[k] = v
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return res
}

func (v *viewer) play(base, path string, header http.Header) (answer string) {
	v.t.Helper()
	res := post(v.t, base+path, v.offer(), header)
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusCreated {
		v.t.Fatalf("POST %s: %s: %s", path, res.Status, b)
	}
	v.location = base + res.Header.Get("Location")
	if err := v.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer,
		SDP: string(b)}); err != nil {
		v.t.Fatal(err)
	}
	return string(b)
}

func withoutAUD(u [][]byte) [][]byte {
	return slices.DeleteFunc(slices.Clone(u), func(n []byte) bool {
		return h264.NALUType(n[0]&0x1f) == h264.NALUTypeAccessUnitDelimiter
	})
}

func sameUnits(t testing.TB, got [][][]byte, want []capture.Unit) {
	t.Helper()
	for i := range want {
		if i >= len(got) || !slices.EqualFunc(withoutAUD(got[i]), withoutAUD(want[i].NALs), bytes.Equal) {
			t.Fatalf("unit %d of %d: not what the camera sent", i, len(want))
		}
	}
}

// TestViewerReceivesTheCamerasOwnBytes is the proof that nothing is encoded
// again: what a player receives is what the camera sent, byte for byte, from the
// cached key frame on.
func TestViewerReceivesTheCamerasOwnBytes(t *testing.T) {
	for _, tcp := range []bool{false, true} {
		t.Run(fmt.Sprintf("tcp %v", tcp), func(t *testing.T) {
			st := newStudio("bj1")
			us := testvideo.Plain(time.Now())
			st.send("bj1", us[:22]...) // the newest key frame is number 15
			opts := Options{}
			if tcp {
				opts.TCP = "127.0.0.1:0"
			}
			s, h := serve(t, st, opts)
			v := newViewer(t, viewerOptions{videos: 1, tcp: tcp})
			answer := v.play(h.URL, "/whep/bj1", nil)
			_, first := v.waitFor("bj1", 7)
			if span := first[6] - first[0]; span != 6*clock/1000 {
				t.Errorf("the cached pictures span %d ticks", span)
			}
			for _, u := range us[22:] {
				st.send("bj1", u)
				time.Sleep(2 * time.Millisecond)
			}
			got, ts := v.waitFor("bj1", len(us)-15)
			sameUnits(t, got, us[15:])
			for i := 8; i < len(ts); i++ {
				if d := ts[i] - ts[i-1]; d < clock/testvideo.FPS-1 || d > clock/testvideo.FPS+1 {
					t.Fatalf("step %d is %d ticks", i, d)
				}
			}
			if !strings.Contains(answer, "profile-level-id=42e01f") || !strings.Contains(answer, "packetization-mode=1") || !strings.Contains(answer, "a=ice-lite") {
				t.Errorf("answer:\n%s", answer)
			}
			if stats := s.Stats(); stats.Connected != 1 || stats.Packets == 0 {
				t.Errorf("%+v", stats)
			}
		})
	}
}

func TestOneConnectionCarriesFourCamerasAndTheNotices(t *testing.T) {
	names := []string{"bj1/main", "pb1/main", "cr1/main", "ru1/main"}
	st, hub := newStudio(names...), notice.NewHub()
	us := testvideo.Plain(time.Now())
	_ = hub.Retain("state", "bj1", "", map[string]int{"round": 7})
	_ = hub.Retain("state", "secret", "", 1)
	_, h := serve(t, st, Options{Notices: hub, Authorize: func(*http.Request, []string) (Grant, error) {
		return Grant{Notice: func(m notice.Message) (notice.Message, bool) { return m, m.Table != "secret" }}, nil
	}})
	for _, n := range names {
		st.send(n, us[:16]...)
	}
	v := newViewer(t, viewerOptions{videos: 4})
	v.play(h.URL, "/whep?cameras="+strings.Join(names, ","), nil)
	for _, n := range names {
		v.waitFor(n, 1)
		st.send(n, us[16:40]...)
		got, _ := v.waitFor(n, 25)
		sameUnits(t, got, us[15:40])
	}
	<-v.opened
	next := func(want string) {
		t.Helper()
		select {
		case m := <-v.messages:
			if m != want {
				t.Errorf("message %s, want %s", m, want)
			}
		case <-time.After(3 * time.Minute):
			t.Fatalf("no message on the data channel, want %s", want)
		}
	}
	next(`{"type":"state","table":"bj1","body":{"round":7}}`)
	_ = hub.Publish("alert", "bj1", "1", "payout_under") // who has the state is listening
	next(`{"type":"alert","table":"bj1","key":"1","body":"payout_under"}`)
	for range 2 { // a line on which nothing is said
		select {
		case <-v.beats:
		case <-time.After(3 * time.Minute):
			t.Fatal("no beat on the data channel")
		}
	}
}

func TestSlotShowsAnotherCamera(t *testing.T) {
	st := newStudio("a", "b", "forbidden")
	us, other := testvideo.Plain(time.Now()), testvideo.Other(time.Now())
	st.send("a", us[:3]...)
	st.send("b", other[:3]...)
	_, h := serve(t, st, Options{Authorize: func(*http.Request, []string) (Grant, error) {
		return Grant{Camera: func(c string) bool { return c != "forbidden" }}, nil
	}})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 3)
	<-v.opened
	say := func(w Wish) {
		b, _ := json.Marshal(w)
		if err := v.dc.SendText(string(b)); err != nil {
			t.Fatal(err)
		}
	}
	say(Wish{"show", 0, "forbidden"})
	say(Wish{"show", 9, "b"})
	say(Wish{"show", 0, "b"})
	got, ts := v.waitFor("a", 6) // the stream keeps its name
	sameUnits(t, got[3:], other[:3])
	if int32(ts[3]-ts[2]) <= 0 {
		t.Errorf("time went back: %v", ts)
	}
	say(Wish{"show", 0, ""})
	deadline := time.Now().Add(3 * time.Minute)
	for st.viewers("a")+st.viewers("b")+st.viewers("forbidden") > 0 {
		if time.Now().After(deadline) {
			t.Fatal("a paused slot still takes pictures")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestAfterALossNothingUntilTheKeyFrame(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:5]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 5)
	lossy := slices.Clone(us[8:20])
	lossy[0].Gap = true
	st.send("a", lossy...)
	got, _ := v.waitFor("a", 10)
	sameUnits(t, got[5:], us[15:20])
}

// wantKey asks for a key frame of the first camera.
func (v *viewer) wantKey() {
	v.t.Helper()
	ssrc := uint32(v.pc.GetReceivers()[0].Track().SSRC())
	if err := v.pc.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: ssrc}}); err != nil {
		v.t.Fatal(err)
	}
}

func TestLostPictureIsRestoredFromTheCachedKeyFrame(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:5]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 5)
	time.Sleep(restartPause) // a restart may not come sooner
	v.wantKey()
	got, ts := v.waitFor("a", 10)
	sameUnits(t, got[5:], us[:5])
	if int32(ts[5]-ts[4]) <= 0 {
		t.Errorf("time went back: %v", ts)
	}
}

func TestCameraThatBeginsAnewKeepsTimeGoing(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:40]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 10)
	st.send("a", us[:15]...)
	_, ts := v.waitFor("a", 25)
	for i := 1; i < len(ts); i++ {
		if int32(ts[i]-ts[i-1]) <= 0 || ts[i]-ts[i-1] > 10*clock {
			t.Fatalf("timestamp %d follows %d", ts[i], ts[i-1])
		}
	}
}

func TestReorderedStreamIsRefused(t *testing.T) {
	st := newStudio("a", "b")
	st.send("a", testvideo.Reordered(time.Now())[:10]...)
	st.send("b", testvideo.Plain(time.Now())[:3]...)
	var told atomic.Int32
	_, h := serve(t, st, Options{Health: healthFunc(func(code string) {
		if code == "camera_reorders" {
			told.Add(1)
		}
	})})
	v := newViewer(t, viewerOptions{videos: 1})
	res := post(t, h.URL+"/whep/a", v.offer(), nil)
	b, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(b), "B-frames") || told.Load() == 0 {
		t.Fatalf("%s: %s", res.Status, b)
	}
	both := newViewer(t, viewerOptions{videos: 2}) // beside a good one it is marked
	both.play(h.URL, "/whep?cameras=a,b", nil)
	both.waitFor("b", 3)
	select {
	case m := <-both.messages:
		if !strings.Contains(m, `"camera"`) || !strings.Contains(m, "B-frames") {
			t.Errorf("message %s", m)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the viewer is not told")
	}
	if us, _ := both.got("a"); len(us) != 0 {
		t.Errorf("%d units of a stream with B-frames", len(us))
	}
}

type healthFunc func(code string)

func (f healthFunc) Set(code, _, _, _ string) { f(code) }

func TestSessionsEnd(t *testing.T) {
	ended := func(t *testing.T, s *Server, st *studio) {
		t.Helper()
		deadline := time.Now().Add(3 * time.Minute)
		for s.Stats().Sessions > 0 || st.viewers("a") > 0 {
			if time.Now().After(deadline) {
				t.Fatalf("%+v, %d subscriptions", s.Stats(), st.viewers("a"))
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	us := testvideo.Plain(time.Now())
	t.Run("by DELETE", func(t *testing.T) {
		st := newStudio("a")
		st.send("a", us[:3]...)
		s, h := serve(t, st, Options{})
		v := newViewer(t, viewerOptions{videos: 1})
		v.play(h.URL, "/whep/a", nil)
		v.waitFor("a", 3)
		for _, want := range []int{http.StatusOK, http.StatusNotFound} {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, v.location, nil)
			res, err := http.DefaultClient.Do(r)
			if err != nil || res.StatusCode != want {
				t.Fatalf("DELETE: %v %v, want %d", res, err, want)
			}
			_ = res.Body.Close()
		}
		ended(t, s, st)
	})
	t.Run("by DELETE, its cameras gone", func(t *testing.T) {
		st := newStudio("a")
		st.send("a", us[:3]...)
		var gone atomic.Bool
		s, h := serve(t, st, Options{Authorize: func(_ *http.Request, cameras []string) (Grant, error) {
			if gone.Load() && len(cameras) > 0 {
				return Grant{}, ErrForbidden
			}
			return Grant{}, nil
		}})
		v := newViewer(t, viewerOptions{videos: 1})
		v.play(h.URL, "/whep/a", nil)
		v.waitFor("a", 3)
		gone.Store(true)
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, v.location, nil)
		res, err := http.DefaultClient.Do(r)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("DELETE: %v %v", res, err)
		}
		_ = res.Body.Close()
		ended(t, s, st)
	})
	t.Run("when the viewer dies", func(t *testing.T) {
		st := newStudio("a")
		st.send("a", us[:3]...)
		s, h := serve(t, st, Options{})
		v := newViewer(t, viewerOptions{videos: 1})
		v.play(h.URL, "/whep/a", nil)
		v.waitFor("a", 3)
		_ = v.pc.GracefulClose()
		ended(t, s, st)
	})
	t.Run("when nobody comes", func(t *testing.T) {
		st := newStudio("a")
		s, h := serve(t, st, Options{Patience: 50 * time.Millisecond})
		v := newViewer(t, viewerOptions{videos: 1})
		_ = post(t, h.URL+"/whep/a", v.offer(), nil).Body.Close()
		ended(t, s, st)
	})
	t.Run("with the server", func(t *testing.T) {
		st := newStudio("a")
		s, h := serve(t, st, Options{})
		v := newViewer(t, viewerOptions{videos: 1})
		v.play(h.URL, "/whep/a", nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		ended(t, s, st)
	})
}

func TestRequestsThatAreRefused(t *testing.T) {
	st := newStudio("a", "b")
	_, h := serve(t, st, Options{MaxSessions: 1, Authorize: func(r *http.Request, cameras []string) (Grant, error) {
		switch r.Header.Get("Authorization") {
		case "Bearer good":
			return Grant{}, nil
		case "":
			return Grant{}, ErrUnauthorized
		}
		return Grant{}, fmt.Errorf("camera %v: %w", cameras, ErrForbidden)
	}})
	good := http.Header{"Authorization": {"Bearer good"}}
	sdp := newViewer(t, viewerOptions{videos: 1}).offer()
	cases := map[string]struct {
		path, body string
		header     http.Header
		want       int
	}{
		"no token":           {"/whep/a", sdp, nil, 401},
		"other's token":      {"/whep/a", sdp, http.Header{"Authorization": {"Bearer other"}}, 403},
		"no camera":          {"/whep", sdp, good, 404},
		"unknown camera":     {"/whep/nobody", sdp, good, 404},
		"not SDP":            {"/whep/a", "hello", good, 400},
		"wrong type":         {"/whep/a", sdp, http.Header{"Authorization": {"Bearer good"}, "Content-Type": {"text/plain"}}, 415},
		"too long":           {"/whep/a", strings.Repeat("x", maxBody+1), good, 413},
		"too few sections":   {"/whep?cameras=a,b", sdp, good, 422},
		"without H.264":      {"/whep/a", strings.ReplaceAll(sdp, "H264", "VP8"), good, 400},
		"wrong packet mode":  {"/whep/a", strings.ReplaceAll(sdp, "packetization-mode=1", "packetization-mode=0"), good, 400},
		"a sender":           {"/whep/a", strings.ReplaceAll(sdp, "recvonly", "sendonly"), good, 400},
		"several transports": {"/whep/a", group.ReplaceAllString(sdp, ""), good, 400},
		"outside the group":  {"/whep/a", group.ReplaceAllString(sdp, "a=group:BUNDLE 0\r\n"), good, 400},
		"without a password": {"/whep/a", strings.ReplaceAll(sdp, "a=ice-pwd", "a=x"), good, 400},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			res := post(t, h.URL+c.path, c.body, c.header)
			b, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if res.StatusCode != c.want || !strings.Contains(string(b), "detail") {
				t.Errorf("%s: %s, want %d", res.Status, b, c.want)
			}
			if c.want == 401 && res.Header.Get("WWW-Authenticate") == "" {
				t.Error("no WWW-Authenticate")
			}
		})
	}
	t.Run("one too many", func(t *testing.T) {
		newViewer(t, viewerOptions{videos: 1}).play(h.URL, "/whep/a", good)
		res := post(t, h.URL+"/whep/b", sdp, good)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s", res.Status)
		}
	})
	t.Run("GET and OPTIONS", func(t *testing.T) {
		for method, want := range map[string]int{http.MethodGet: 405, http.MethodOptions: 204} {
			r, _ := http.NewRequestWithContext(t.Context(), method, h.URL+"/whep/a", nil)
			res, err := http.DefaultClient.Do(r)
			if err != nil || res.StatusCode != want || res.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: %v %v", method, res, err)
			}
			_ = res.Body.Close()
		}
	})
}

func TestTrickle(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:3]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	full := v.offer()
	var bare, candidates []string
	for l := range strings.Lines(full) {
		if strings.HasPrefix(l, "a=candidate") {
			candidates = append(candidates, l)
		} else if !strings.HasPrefix(l, "a=end-of") {
			bare = append(bare, l)
		}
	}
	res := post(t, h.URL+"/whep/a", strings.Join(bare, ""), nil)
	b, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	v.location = h.URL + res.Header.Get("Location")
	patch := func(body string) int {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPatch, v.location, strings.NewReader(body))
		r.Header.Set("Content-Type", typeFragment)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := patch("m=video 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\n" + strings.Join(candidates, "") + "a=end-of-candidates\r\n"); got != 204 {
		t.Errorf("candidates: %d", got)
	}
	if got := patch("a=ice-ufrag:other\r\na=ice-pwd:0123456789\r\n"); got != 422 {
		t.Errorf("restart: %d", got)
	}
	if got := patch("nonsense"); got != 400 {
		t.Errorf("nonsense: %d", got)
	}
	if err := v.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer,
		SDP: string(b)}); err != nil {
		t.Fatal(err)
	}
	v.waitFor("a", 3)
}

func TestProfileIsMatched(t *testing.T) {
	o := offer{}
	for _, id := range []string{"42001f", "42e01f", "4d001f", "640032"} {
		o.codecs = append(
			o.codecs,
			webrtc.RTPCodecParameters{
				RTPCodecCapability: webrtc.RTPCodecCapability{SDPFmtpLine: "packetization-mode=1;profile-level-id=" + id},
			},
		)
	}
	for _, c := range []struct {
		sps  []byte
		want string
	}{
		{[]byte{0x67, 0x42, 0xc0, 0x28}, "42e01f"}, {[]byte{0x67, 0x42, 0x00, 0x28}, "42001f"},
		{[]byte{0x67, 0x4d, 0x40, 0x28}, "4d001f"}, {[]byte{0x67, 0x64, 0x00, 0x28}, "640032"},
		{[]byte{0x67, 0x58, 0x00, 0x28}, "640032"}, {nil, "42001f"},
	} {
		if got := o.order(c.sps); len(got) != 4 || !strings.HasSuffix(got[0].SDPFmtpLine, c.want) {
			t.Errorf("SPS %x: first %v, want %s", c.sps, got[0].SDPFmtpLine, c.want)
		}
	}
}

func TestPortsInUseAreNamed(t *testing.T) {
	s, _ := serve(t, newStudio(), Options{TCP: "127.0.0.1:0"})
	if _, err := New(newStudio(), Options{UDP: "127.0.0.1:0", TCP: s.tcpAddr.String()}); err == nil ||
		!strings.Contains(err.Error(), "webrtc.tcp") {
		t.Errorf("TCP port in use: %v", err)
	}
	if _, err := New(newStudio(), Options{UDP: "nonsense"}); err == nil {
		t.Error("nonsense as UDP address")
	}
}

func FuzzOffer(f *testing.F) {
	v := newViewer(f, viewerOptions{videos: 2})
	f.Add(v.offer())
	f.Add("v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 H264/90000\r\n")
	for _, file := range []string{"webrtcbin.sdp", "sound-first.sdp"} {
		if raw, err := os.ReadFile(filepath.Join("testdata", "offers", file)); err != nil {
			f.Error(err)
		} else {
			f.Add(string(raw))
		}
	}
	f.Fuzz(func(t *testing.T, raw string) {
		o, err := parseOffer(raw)
		if err != nil {
			if !errors.Is(err, ErrOffer) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if o.videos < 1 || o.videos > maxVideo || len(o.codecs) == 0 ||
			len(o.order([]byte{0x67, 0x42, 0xc0, 0x28})) != len(o.codecs) {
			t.Fatalf("%+v", o)
		}
	})
}

func FuzzFragment(f *testing.F) {
	f.Add("a=ice-ufrag:x\r\nm=video 9 X 0\r\na=mid:0\r\na=candidate:1 1 udp 2 127.0.0.1 9 typ host\r\n")
	f.Fuzz(func(t *testing.T, raw string) {
		if fr, err := parseFragment(raw); err == nil && len(fr.candidates) > maxCandidates {
			t.Fatalf("%d candidates", len(fr.candidates))
		}
	})
}

// BenchmarkFanOut sends one camera to 40 viewers; receiving costs the same
// machine as much again.
func BenchmarkFanOut(b *testing.B) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:1]...)
	s, h := serve(b, st, Options{})
	for range 40 {
		v := newViewer(b, viewerOptions{videos: 1, noChannel: true})
		v.play(h.URL, "/whep/a", nil)
		v.waitFor("a", 1)
	}
	before, n := s.Stats().Packets, 0
	for b.Loop() {
		// as of a 1080p25 camera with 4 Mbit/s: 20 kB in 17 packets
		u := capture.Unit{NALs: [][]byte{append([]byte{0x41}, make([]byte, 20_000)...)}}
		u.PTS = time.Duration(n+1) * time.Second / testvideo.FPS
		n++
		st.send("a", u)
		want := before + uint64(n*40*17)
		for s.Stats().Packets < want {
			time.Sleep(100 * time.Microsecond)
		}
	}
	b.ReportMetric(float64(s.Stats().Packets-before)/b.Elapsed().Seconds(), "packets/s")
}

// The video of who has lost the right to it ends, and its lease is given back.
func TestVideoEndsWithTheLogin(t *testing.T) {
	st := newStudio("a")
	st.send("a", testvideo.Plain(time.Now())[:3]...)
	var given atomic.Bool
	lost := make(chan func(), 1)
	s, h := serve(t, st, Options{Authorize: func(*http.Request, []string) (Grant, error) {
		return Grant{User: "ana", Hold: func(end func()) func() {
			lost <- end
			return func() { given.Store(true) }
		}}, nil
	}})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 3)
	if n := s.Stats().Sessions; n != 1 {
		t.Fatalf("%d sessions of somebody who is logged in", n)
	}
	(<-lost)()
	for end := time.Now().Add(3 * time.Minute); s.Stats().Sessions > 0 ||
		st.viewers("a") > 0 || !given.Load(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the video goes on")
		}
	}
}

// A browser whose camera has fallen silent asks for key frames: what it has seen is
// not sent again, so that it can tell that nothing moves.
func TestASilentCameraIsNotPlayedAgain(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:3]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 3)
	time.Sleep(stalled + stalled/4)
	v.wantKey()
	time.Sleep(500 * time.Millisecond)
	if got, _ := v.waitFor("a", 3); len(got) != 3 {
		t.Errorf("%d pictures; 3 were there", len(got))
	}
	st.send("a", us[3:5]...)
	got, _ := v.waitFor("a", 5)
	sameUnits(t, got, us[:5])
}

// A camera in two sections, as the wall asks for it where its other tables are of another machine:
// each section has a name of its own, as browsers want it.
func TestACameraInTwoSections(t *testing.T) {
	st := newStudio("a")
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 2})
	v.play(h.URL, "/whep?cameras=a,a", nil)
	named := map[string]int{}
	for line := range strings.Lines(v.pc.RemoteDescription().SDP) {
		if msid, ok := strings.CutPrefix(strings.TrimSpace(line), "a=msid:"); ok {
			named[msid]++
		}
	}
	if len(named) != 2 {
		t.Errorf("two sections are named %v", named)
	}
}
