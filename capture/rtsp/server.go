package rtsp

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/bluenviron/gortsplib/v5"
	"github.com/bluenviron/gortsplib/v5/pkg/base"
	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/bluenviron/gortsplib/v5/pkg/liberrors"

	"vision/capture"
)

// Server serves streams over RTSP, interleaved in TCP: what simulated
// cameras and tests are.
type Server struct {
	srv *gortsplib.Server

	mu         sync.RWMutex
	user, pass string
	streams    map[string]*Stream
}

// NewServer listens on addr ("127.0.0.1:8554"; port 0 takes a free one).
func NewServer(addr string) (*Server, error) { return newServer(addr, "", "", nil) }

// newServer serves over UDP too where rtp and rtcp, neighbouring ports of which
// the first is even, are given, and by TLS alone where own is.
func newServer(addr, rtp, rtcp string, own *tls.Config) (*Server, error) {
	s := &Server{streams: map[string]*Stream{}}
	s.srv = &gortsplib.Server{
		Handler:        handler{s},
		RTSPAddress:    addr,
		WriteQueueSize: 4096,
		UDPRTPAddress:  rtp,
		UDPRTCPAddress: rtcp,
		TLSConfig:      own,
	}
	if err := s.srv.Start(); err != nil {
		return nil, fmt.Errorf("rtsp: serve on %s: %w", addr, err)
	}
	return s, nil
}

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.srv.NetListener().Addr() }

// URL is the address of a stream for a client on this machine, without credentials.
func (s *Server) URL(path string) string {
	_, port, _ := net.SplitHostPort(s.Addr().String())
	return "rtsp://127.0.0.1:" + port + "/" + strings.Trim(path, "/")
}

// SetCredentials demands user and password of clients that come from now on.
func (s *Server) SetCredentials(user, pass string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user, s.pass = user, pass
}

// Close ends all streams and connections.
func (s *Server) Close() {
	s.mu.Lock()
	streams := s.streams
	s.streams = map[string]*Stream{}
	s.mu.Unlock()
	for _, st := range streams {
		st.st.Close()
	}
	s.srv.Close()
}

// Stream begins a stream. SPS and PPS stand in its description; nil leaves them
// to the units.
func (s *Server) Stream(path string, sps, pps []byte) (*Stream, error) {
	return s.stream(path, &format.H264{PayloadTyp: 96, PacketizationMode: 1, SPS: sps, PPS: pps})
}

// StreamH265 begins a stream of H.265, whose units hold the parameter sets.
func (s *Server) StreamH265(path string) (*Stream, error) {
	return s.stream(path, &format.H265{PayloadTyp: 96})
}

func (s *Server) stream(path string, f format.Format) (*Stream, error) {
	path = strings.Trim(path, "/")
	m := &description.Media{Type: description.MediaTypeVideo, Formats: []format.Format{f}}
	st := &Stream{srv: s, path: path, media: m,
		st: &gortsplib.ServerStream{Server: s.srv, Desc: &description.Session{Medias: []*description.Media{m}}}}
	var err error
	switch h := f.(type) {
	case *format.H264:
		st.enc, err = h.CreateEncoder()
	case *format.H265:
		st.enc, err = h.CreateEncoder()
	}
	if err != nil {
		return nil, fmt.Errorf("rtsp: stream %s: %w", path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[path] != nil {
		return nil, fmt.Errorf("rtsp: stream %s exists already", path)
	}
	if err := st.st.Initialize(); err != nil {
		return nil, fmt.Errorf("rtsp: stream %s: %w", path, err)
	}
	s.streams[path] = st
	return st, nil
}

// Stream is one simulated camera. One goroutine writes it.
type Stream struct {
	// Lose is asked of every unit which of its packets the network loses; nil: none.
	Lose Loser

	srv   *Server
	path  string
	st    *gortsplib.ServerStream
	media *description.Media
	enc   encoder
}

// Write sends one unit to all clients, with its PTS as RTP time and its Wall in
// the sender reports (the present, where it is zero).
func (s *Stream) Write(u capture.Unit) error {
	packets, err := s.Lose.packets(s.enc, u)
	if err != nil {
		return fmt.Errorf("rtsp: stream %s: %w", s.path, err)
	}
	wall := u.Wall
	if wall.IsZero() {
		wall = time.Now()
	}
	for _, p := range packets {
		if err := s.st.WritePacketRTPWithNTP(s.media, p, wall); err != nil {
			return fmt.Errorf("rtsp: stream %s: %w", s.path, err)
		}
	}
	return nil
}

// Close cuts the camera off; its clients are disconnected.
func (s *Stream) Close() {
	s.srv.mu.Lock()
	if s.srv.streams[s.path] == s {
		delete(s.srv.streams, s.path)
	}
	s.srv.mu.Unlock()
	s.st.Close()
}

// handler keeps the library's callbacks off the Server.
type handler struct{ s *Server }

func (h handler) find(
	c *gortsplib.ServerConn,
	req *base.Request,
	path string,
) (*base.Response, *gortsplib.ServerStream, error) {
	h.s.mu.RLock()
	defer h.s.mu.RUnlock()
	if h.s.user != "" && !c.VerifyCredentials(req, h.s.user, h.s.pass) {
		return &base.Response{StatusCode: base.StatusUnauthorized}, nil, liberrors.ErrServerAuth{}
	}
	st := h.s.streams[strings.Trim(path, "/")]
	if st == nil {
		return &base.Response{StatusCode: base.StatusNotFound}, nil, nil
	}
	return &base.Response{StatusCode: base.StatusOK}, st.st, nil
}

// OnDescribe answers DESCRIBE.
func (h handler) OnDescribe(c *gortsplib.ServerHandlerOnDescribeCtx) (*base.Response, *gortsplib.ServerStream, error) {
	return h.find(c.Conn, c.Request, c.Path)
}

// OnSetup answers SETUP.
func (h handler) OnSetup(c *gortsplib.ServerHandlerOnSetupCtx) (*base.Response, *gortsplib.ServerStream, error) {
	return h.find(c.Conn, c.Request, c.Path)
}

// OnPlay answers PLAY.
func (h handler) OnPlay(*gortsplib.ServerHandlerOnPlayCtx) (*base.Response, error) {
	return &base.Response{StatusCode: base.StatusOK}, nil
}
