// Package live brings the cameras' pictures to browsers by WebRTC, as the camera
// encoded them, with the WHEP protocol (draft-ietf-wish-whep): any WHEP player
// works. One connection carries as many cameras as its offer has video sections,
// and one data channel named "vision" with the notices of their tables.
package live

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/ice/v4"
	"github.com/pion/transport/v4/stdnet"
	"github.com/pion/webrtc/v4"

	"vision/capture"
	"vision/stream/notice"
)

// Cameras is where pictures come from.
type Cameras interface {
	// Subscribe delivers the units of camera, beginning with those since the
	// newest key frame, which are in the channel when it returns. It never waits
	// for the receiver: one that is slow misses units up to a key frame, which
	// then has Gap set. After cancel nothing more is sent; the channel is closed
	// when the camera is taken out of service.
	Subscribe(camera string) (units <-chan capture.Unit, cancel func(), err error)
}

// Grant is what a viewer may see.
type Grant struct {
	User   string
	Camera func(camera string) bool // nil = all; called when the viewer switches cameras
	Notice notice.View              // which notices it gets; nil = all
	// Hold has end called when the viewer loses the right to watch, until it is given back;
	// nil = it is never lost.
	Hold func(end func()) (giveBack func())
}

// Errors that Authorize may return, wrapped or not.
var (
	ErrUnauthorized = errors.New("a valid bearer token or session is needed")
	ErrForbidden    = errors.New("this account may not see these cameras")
)

// Options of a server.
type Options struct {
	UDP       string             // host:port for all media, ":8189"; an empty host listens on every interface
	TCP       string             // ICE-TCP fallback; "" = none
	Addresses []string           // announced instead of the interfaces' own (1:1 NAT)
	ICE       []webrtc.ICEServer // STUN and TURN; none are needed on a LAN

	// Authorize is called before every request; nil lets everybody see everything.
	Authorize func(r *http.Request, cameras []string) (Grant, error)

	Notices *notice.Hub // nil = no data channel messages
	// Health, if not nil, is notified when a camera's stream cannot be played by
	// browsers (B-frames), with code "camera_reorders".
	Health interface {
		Set(code, table, object, detail string)
	}
	MaxSessions int           // 0 = 200
	Patience    time.Duration // how long a session may take to connect; 0 = 20 s
	Log         *slog.Logger
}

// Server answers WHEP requests and sends media. It is an http.Handler.
type Server struct {
	cameras Cameras
	opts    Options
	setting webrtc.SettingEngine
	cert    webrtc.Certificate
	packer  *packer
	udp     ice.UDPMux
	tcp     ice.TCPMux
	tcpAddr net.Addr
	sockets *sockets

	mu       sync.Mutex
	sessions map[string]*session
	closed   bool
	wg       sync.WaitGroup
	packets  atomic.Uint64 // that were sent
}

// New opens the media ports. Close the server.
func New(cameras Cameras, opts Options) (*Server, error) {
	opts.MaxSessions = cmp.Or(opts.MaxSessions, 200)
	opts.Patience = cmp.Or(opts.Patience, 20*time.Second)
	opts.Log = cmp.Or(opts.Log, slog.Default())
	s := &Server{cameras: cameras, opts: opts, sessions: map[string]*session{}}
	var err error
	if s.packer, err = newPacker(); err != nil {
		return nil, fmt.Errorf("webrtc: %w", err)
	}
	machine, err := stdnet.NewNet()
	if err != nil {
		return nil, fmt.Errorf("webrtc: %w", err)
	}
	s.sockets = &sockets{Net: machine}
	if err := s.makeCertificate(); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.closePorts())
	}
	if err := s.configure(); err != nil {
		return nil, errors.Join(err, s.closePorts())
	}
	return s, nil
}

// makeCertificate makes one DTLS certificate for all sessions; making one for
// each costs a key pair and brings nothing, as the offer is answered over the
// console's own connection.
func (s *Server) makeCertificate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("webrtc certificate: %w", err)
	}
	cert, err := webrtc.GenerateCertificate(key)
	if err != nil {
		return fmt.Errorf("webrtc certificate: %w", err)
	}
	s.cert = *cert
	return nil
}

func (s *Server) listen() error {
	if err := s.listenUDP(); err != nil {
		return fmt.Errorf("webrtc udp %q: %w; choose another port in webrtc.udp", s.opts.UDP, err)
	}
	if s.opts.TCP == "" {
		return nil
	}
	l, err := net.Listen("tcp", s.opts.TCP)
	if err != nil {
		return fmt.Errorf("webrtc tcp %q: %w; choose another port in webrtc.tcp", s.opts.TCP, err)
	}
	// The write buffer lets a stalled viewer fall behind without holding its
	// sender; what does not fit is dropped and asked for again.
	s.tcp = ice.NewTCPMuxDefault(ice.TCPMuxParams{Listener: l, ReadBufferSize: 64, WriteBufferSize: 4 << 20})
	s.tcpAddr = l.Addr()
	return nil
}

func (s *Server) listenUDP() error {
	host, portText, err := net.SplitHostPort(s.opts.UDP)
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return err
	}
	const buffer = 4 << 20
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		addr, err := net.ResolveUDPAddr("udp", s.opts.UDP)
		if err != nil {
			return err
		}
		conn, err := s.sockets.ListenUDP("udp", addr)
		if err != nil {
			return err
		}
		s.udp = ice.NewUDPMuxDefault(ice.UDPMuxParams{UDPConn: conn})
		return errors.Join(conn.SetReadBuffer(buffer), conn.SetWriteBuffer(buffer))
	}
	s.udp, err = ice.NewMultiUDPMuxFromPort(int(port), ice.UDPMuxFromPortWithNet(s.sockets),
		ice.UDPMuxFromPortWithReadBufferSize(buffer), ice.UDPMuxFromPortWithWriteBufferSize(buffer),
		ice.UDPMuxFromPortWithIPFilter(func(ip net.IP) bool { return !ip.IsLinkLocalUnicast() }),
		ice.UDPMuxFromPortWithLoopback()) // for viewers on this machine
	return err
}

// configure makes the settings that all sessions share.
func (s *Server) configure() error {
	e := &s.setting
	e.SetICEUDPMux(s.udp)
	types := []webrtc.NetworkType{webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6}
	if s.tcp != nil {
		e.SetICETCPMux(s.tcp)
		types = append(types, webrtc.NetworkTypeTCP4, webrtc.NetworkTypeTCP6)
	}
	e.SetNetworkTypes(types)
	e.DisableActiveTCP(true)
	e.SetIncludeLoopbackCandidate(true)
	e.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	e.SetICETimeouts(4*time.Second, 8*time.Second, time.Second)
	// On a LAN the server's addresses are reachable as they are: it need not look
	// for a way itself (ICE-lite, RFC 8445 §2.5), which also spares the pauses in
	// which checks are paced.
	e.SetLite(len(s.opts.ICE) == 0)
	// GCM first, by the server's choice, hence the role; the last for players that
	// support nothing newer.
	if err := e.SetAnsweringDTLSRole(webrtc.DTLSRoleServer); err != nil {
		return fmt.Errorf("webrtc: %w", err)
	}
	e.SetSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AEAD_AES_256_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80)
	if len(s.opts.Addresses) == 0 {
		return nil
	}
	rule := webrtc.ICEAddressRewriteRule{External: s.opts.Addresses, AsCandidateType: webrtc.ICECandidateTypeHost}
	if err := e.SetICEAddressRewriteRules(rule); err != nil {
		return fmt.Errorf("webrtc addresses %v: %w", s.opts.Addresses, err)
	}
	return nil
}

// Run waits for the end of ctx, then closes the server.
func (s *Server) Run(ctx context.Context) error {
	<-ctx.Done()
	return errors.Join(ctx.Err(), s.Close())
}

// Close ends all sessions and gives the ports back.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	all := slices.Collect(maps.Values(s.sessions))
	s.mu.Unlock()
	for _, x := range all {
		x.end("server closed")
	}
	s.wg.Wait()
	return s.closePorts()
}

func (s *Server) closePorts() error {
	var errs []error
	if s.udp != nil {
		errs = append(errs, s.udp.Close())
	}
	if s.tcp != nil {
		errs = append(errs, s.tcp.Close())
	}
	return errors.Join(errs...)
}
