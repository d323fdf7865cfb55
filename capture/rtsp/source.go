// Package rtsp reads cameras over RTSP and serves streams for the simulator and
// for tests. H.264 and H.265 pass through untouched; sound is not asked for.
package rtsp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/bluenviron/gortsplib/v5"
	"github.com/bluenviron/gortsplib/v5/pkg/base"
	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/liberrors"
	"github.com/pion/rtp"

	"vision/capture"
	"vision/capture/rtsp/front"
	"vision/internal/backoff"
	"vision/internal/redact"
)

// Source is one RTSP camera; it implements capture.Source.
type Source struct {
	Name  string        // for errors
	URL   string        // rtsp:// or rtsps://, with user and password where the camera wants them
	UDP   bool          // RTP over UDP instead of interleaved in the connection
	TLS   *tls.Config   // of rtsps://; nil = the machine's authorities
	Stall time.Duration // without a packet before the connection is given up; default 5 s
	// Patience is how much longer it waits, for packets and before it judges the camera's
	// clock: where camera and node share a machine that is short of time.
	Patience time.Duration

	unheard  int           // tries in a row that ended where user and password were sent
	last     time.Duration // PTS of the last unit of all connections
	lastSeen time.Time     // its arrival
}

// Cameras lock an account after about five refusals, some for good. So tries after one
// are minutes apart; another password in the configuration is another Source.
const firstRefused, lastRefused = 2 * time.Minute, 30 * time.Minute

// Run delivers to sink until ctx ends.
func (s *Source) Run(ctx context.Context, sink capture.Sink) error {
	var b backoff.Backoff
	refused := backoff.Backoff{First: firstRefused, Last: lastRefused}
	for {
		up, err := s.connect(ctx, sink)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if up {
			b.Reset()
			refused.Reset()
		}
		wait := b.Next()
		if errors.Is(err, errCredentials) {
			wait = refused.Next()
		}
		now := time.Now()
		sink.State(capture.State{Since: now, Err: err, Next: now.Add(wait)})
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// maxRedirects is how often in a row a camera may send its reader on.
const maxRedirects = 3

// connect is one try from its start to its end. It reports whether units came.
func (s *Source) connect(ctx context.Context, sink capture.Sink) (up bool, err error) {
	played := !s.lastSeen.IsZero() // at this address there is a camera
	defer func() { err = s.explain(err, played) }()
	if _, err := redact.Parse(s.URL); err != nil {
		return false, err
	}
	u, err := base.ParseURL(s.URL)
	if err != nil || u.Host == "" {
		// The parser's own error repeats the URL with its password.
		return false, errors.New("the URL cannot be read: want rtsp://user:password@host:554/path")
	}
	user := u.User
	u.User = nil // the front logs in, not the library
	for n := 0; ; n++ {
		up, err = s.session(ctx, sink, u, user)
		played = played || up
		var to *front.Redirect
		if !errors.As(err, &to) || up {
			return up, err
		}
		next := follow(u, to.To)
		if next == nil || n >= maxRedirects {
			return false, err
		}
		u = next
	}
}

// follow is where a redirect leads, nil where that is not the host and port that are
// configured: user and password are for these alone.
func follow(from *base.URL, to string) *base.URL {
	rel, err := url.Parse(to)
	if err != nil {
		return nil
	}
	u := (*base.URL)((*url.URL)(from).ResolveReference(rel))
	if u.Scheme != from.Scheme || !strings.EqualFold(u.Hostname(), from.Hostname()) || port(u) != port(from) {
		return nil
	}
	u.User, u.Fragment, u.Host = nil, "", from.Host
	if u, err = base.ParseURL(u.String()); err != nil {
		return nil
	}
	return u
}

// port is a URL's, with the defaults of RFC 2326 §3.2 and RFC 7826 §4.2.
func port(u *base.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "rtsps" {
		return "322"
	}
	return "554"
}

// maxUnheard is how many tries in a row may end where user and password were sent. One is
// a camera that was cut off just then.
const maxUnheard = 3

// session is one connection to the stream at u.
func (s *Source) session(ctx context.Context, sink capture.Sink, u *base.URL, user *url.Userinfo) (up bool, err error) {
	var conn atomic.Pointer[front.Conn]
	defer func() {
		if c := conn.Load(); c == nil || !c.Unheard() {
			s.unheard = 0
		} else if s.unheard++; s.unheard >= maxUnheard && err != nil {
			err = fmt.Errorf("%w: %w", err, errUnheard)
		}
	}()
	stall := cmp.Or(s.Stall, 5*time.Second) + s.Patience
	r := &receiver{src: s, sink: sink, clock: clock{patience: s.Patience}, broken: make(chan error, 1)}
	c := &gortsplib.Client{
		Scheme:        u.Scheme,
		Host:          u.Host,
		ReadTimeout:   5*time.Second + s.Patience,
		WriteTimeout:  5 * time.Second,
		AnyPortEnable: true,            // of the camera's address
		OnPacketsLost: func(uint64) {}, // sequence numbers show it, and of which picture
		OnDecodeError: func(error) {},
		ListenPacket:  front.Listen,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return wrap(&conn, user)((&net.Dialer{}).DialContext(ctx, network, address))
		},
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return wrap(&conn, user)((&tls.Dialer{Config: s.TLS}).DialContext(ctx, network, address))
		},
	}
	tcp := gortsplib.ProtocolTCP
	if udp := gortsplib.ProtocolUDP; s.UDP {
		c.Protocol = &udp
	} else {
		c.Protocol = &tcp
	}
	if err := c.Start(); err != nil {
		return false, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, c.Close)()
	if err := r.play(c, u); err != nil {
		return false, err
	}
	err = r.wait(ctx, c, stall)
	return r.up.Load(), err
}

// wrap puts the front before a connection, which is kept in at.
func wrap(at *atomic.Pointer[front.Conn], user *url.Userinfo) func(net.Conn, error) (net.Conn, error) {
	return func(c net.Conn, err error) (net.Conn, error) {
		if err != nil {
			return nil, err
		}
		f := front.New(c, user)
		at.Store(f)
		return f, nil
	}
}

// How what went wrong is put right.
var (
	errCredentials = errors.New("the camera refuses user or password; check them in the URL")
	errUnheard     = errors.New("the camera ends the connection where user and password are sent")
	errPath        = errors.New("the camera has no such stream; check the URL's path")
	errBusy        = errors.New("the camera serves too many: see who else takes its video, or set a lower bitrate")
	errReach       = errors.New("check address, port and cable")
	errCut         = errors.New("the camera was cut off, starts again or serves too many: check its power, cable and switch, and who else takes its video")
	errStranger    = errors.New("is this an RTSP server?")
	errInside      = errors.New("the camera sends its video by UDP alone: set `transport: udp`, or let it send inside the connection (RTP over RTSP)")
	errFirewall    = errors.New("start the camera again, and check cable and switch; a firewall may hold UDP back: else set `transport: tcp`")
	errOutside     = errors.New("the camera does not send its video by UDP in this way: set `transport: tcp`")
	errElsewhere   = errors.New("only its own host and port are followed, a few times, so that user and password get nowhere else; if the address is right, enter it as the camera's URL")
)

// mend is how to put it right; nil where nothing is known. played: the camera has answered
// at this address.
func (s *Source) mend(err error, played bool) error {
	var bad liberrors.ErrClientBadStatusCode
	switch {
	case errors.As(err, new(*front.Redirect)):
		return errElsewhere
	case errors.Is(err, errUnheard):
		return errCredentials
	case errors.As(err, &bad) && (bad.Code == base.StatusUnauthorized || bad.Code == base.StatusForbidden):
		return errCredentials // also a locked account is forbidden
	case errors.As(err, &bad) && (bad.Code == base.StatusNotEnoughBandwidth || bad.Code == base.StatusServiceUnavailable):
		return errBusy
	case errors.As(err, &bad) && bad.Code == base.StatusNotFound:
		return errPath
	case errors.As(err, &bad) && bad.Code == base.StatusUnsupportedTransport && !s.UDP,
		errors.As(err, new(liberrors.ErrClientServerRequestedUDP)):
		return errInside
	case errors.As(err, &bad) && bad.Code == base.StatusUnsupportedTransport,
		errors.As(err, new(liberrors.ErrClientServerRequestedTCP)),
		errors.As(err, new(liberrors.ErrClientTransportHeaderInvalidDelivery)):
		return errOutside
	case errors.As(err, new(liberrors.ErrClientUDPTimeout)):
		return errFirewall
	case strings.Contains(err.Error(), "connection refused"), strings.Contains(err.Error(), "timeout"):
		return errReach
	case errors.Is(err, front.ErrForeign),
		errors.Is(err, io.EOF),
		errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE),
		errors.As(err, new(liberrors.ErrClientTCPTimeout)):
		if played {
			return errCut
		}
		return errStranger
	}
	return nil
}

// explain names the camera and how to put it right. The library never has user and
// password, so they are in no error of its own.
func (s *Source) explain(err error, played bool) error {
	if err == nil {
		return nil
	}
	err = redact.Error(err, s.URL)
	if how := s.mend(err, played); how != nil {
		return fmt.Errorf("camera %s: %w: %w", s.Name, err, how)
	}
	return fmt.Errorf("camera %s: %w", s.Name, err)
}

// receiver makes units of one connection's packets. The client calls packet from
// one goroutine; the flags are shared with the one that waits.
type receiver struct {
	src   *Source
	sink  capture.Sink
	seen  atomic.Int64 // arrival of the newest packet, ns
	shown atomic.Int64 // of the newest one that ended a picture, or when the wait for one began
	idle  atomic.Int64 // arrival of the first picture with which nobody could begin, ns
	state sync.Mutex   // orders what the sink hears of the state
	up    atomic.Bool
	asm   assembler
	begun bool
	stamp uint32 // timestamp of the newest packet
	ticks int64  // since the first one
	clock clock
	fault error // of the clock, as it was told

	broken chan error // packets of which the parsers made a panic
}

// guarded runs what is done with a foreign packet: a panic of a parser ends this
// connection, not the node.
func (r *receiver) guarded(do func()) {
	defer func() {
		if what := recover(); what != nil {
			select {
			case r.broken <- fmt.Errorf("its packets cannot be read (%v)", what):
			default:
			}
		}
	}()
	do()
}

func (r *receiver) play(c *gortsplib.Client, u *base.URL) error {
	desc, _, err := c.Describe(u)
	if err != nil {
		return err
	}
	media, f, asm, err := video(desc)
	if err != nil {
		return err
	}
	if media == nil {
		return fmt.Errorf("offers %s, but only H.264 and H.265 are read: set its stream to one of them", offers(desc))
	}
	r.asm = asm
	if _, err := c.Setup(desc.BaseURL, media, 0, 0); err != nil {
		return err
	}
	r.seen.Store(time.Now().UnixNano())
	r.shown.Store(r.seen.Load())
	c.OnPacketRTP(media, f, func(p *rtp.Packet) {
		now := time.Now()
		r.seen.Store(now.UnixNano())
		ntp, _ := c.PacketNTP(media, p)
		r.guarded(func() {
			for _, u := range r.asm.packet(p, stamp{pts: r.time(p), ntp: ntp, wall: now}) {
				r.unit(u.Unit, u.at)
			}
		})
	})
	_, err = c.Play(nil)
	return err
}

// time is a packet's timestamp since the first one; its clock has 90 kHz (RFC 6184 §8.2.1,
// RFC 7798 §7.1). The library's own begins with a key picture only.
func (r *receiver) time(p *rtp.Packet) time.Duration {
	if !r.begun {
		r.begun, r.stamp = true, p.Timestamp
	}
	r.ticks += int64(int32(p.Timestamp - r.stamp))
	r.stamp = p.Timestamp
	return time.Duration(r.ticks) * 100_000 / 9
}

// unit hands one access unit on.
func (r *receiver) unit(u capture.Unit, at stamp) {
	now := at.wall
	s := r.src
	r.shown.Store(now.UnixNano())
	if !r.up.Load() {
		if !u.Key && !r.asm.enter(&u) {
			r.idle.CompareAndSwap(0, now.UnixNano())
			return // nobody can begin with it
		}
		if u.Gap = !s.lastSeen.IsZero(); u.Gap {
			r.clock.out = s.last + now.Sub(s.lastSeen)
		}
		r.state.Lock()
		r.up.Store(true)
		r.sink.State(capture.State{Up: true, Since: now})
		r.state.Unlock()
	}
	u.PTS, u.Wall = r.clock.times(at.pts, at.ntp, now)
	s.last, s.lastSeen = max(s.last, u.PTS), now
	r.sink.Unit(u)
	if fault := r.clock.fault; !sameFault(fault, r.fault) {
		r.fault = fault
		r.sink.State(capture.State{Up: true, Since: now, Clock: fault})
	}
}

// sameFault reports whether both are a fault or none is: its numbers do not matter.
func sameFault(a, b error) bool { return (a == nil) == (b == nil) }

// wait returns when the connection is over, why.
func (r *receiver) wait(ctx context.Context, c *gortsplib.Client, stall time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	t := time.NewTicker(stall / 10)
	defer t.Stop()
	named := false
	for {
		select {
		case err := <-done:
			return fmt.Errorf("the connection ended: %w", err)
		case <-t.C:
			if err := r.silent(stall); err != nil {
				c.Close()
				<-done
				return err
			}
			named = named || r.keyless(stall)
		case err := <-r.broken:
			c.Close()
			<-done
			return err
		case <-ctx.Done():
			c.Close()
			<-done
			return ctx.Err()
		}
	}
}

// keyless names a camera of which pictures come, but none to begin with. The connection
// stays: one may come yet.
func (r *receiver) keyless(stall time.Duration) bool {
	r.state.Lock()
	defer r.state.Unlock()
	first := r.idle.Load()
	if r.up.Load() || first == 0 || time.Since(time.Unix(0, first)) < stall {
		return false
	}
	err := fmt.Errorf("pictures come, but for %v none to begin with: set its key frame interval (GOP, I frame interval) to one or two seconds", stall)
	r.sink.State(capture.State{Since: time.Now(), Err: r.src.explain(err, true)})
	return true
}

// silent says what does not come any more. Packets of which no picture can be made are of
// a camera that was set to another codec: the next connection is told which.
func (r *receiver) silent(stall time.Duration) error {
	since := func(at *atomic.Int64) time.Duration { return time.Since(time.Unix(0, at.Load())) }
	switch {
	case since(&r.seen) > stall && r.src.UDP:
		return fmt.Errorf("connected, but no packet for %v: %w", stall, errFirewall)
	case since(&r.seen) > stall:
		return fmt.Errorf("connected, but no packet for %v: start the camera again, and check cable and switch", stall)
	case since(&r.shown) > stall:
		return fmt.Errorf("packets come, but for %v no picture of %v, which it announced: if connecting again does not help, start the camera again and check which codec it is set to", stall, r.asm.codec)
	}
	return nil
}

func offers(d *description.Session) string {
	var names []string
	for _, m := range d.Medias {
		for _, f := range m.Formats {
			names = append(names, f.Codec())
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
