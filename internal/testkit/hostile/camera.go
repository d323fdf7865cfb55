// Package hostile is RTSP cameras as they are: each has a fault of its own (Quirks), from
// careless to malicious. They are written without the library that reads them.
package hostile

import (
	"bufio"
	"cmp"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Camera is one camera, until the end of the test.
type Camera struct {
	Quirk
	addr     string
	stranger string // address of somebody else, to whom no credentials belong
	conns    atomic.Int64
	refused  atomic.Int64 // requests whose password was wrong
	alive    atomic.Int64 // keep-alives that were let in
	leaked   atomic.Bool

	mu    sync.Mutex
	open  map[net.Conn]bool
	ended bool
	run   sync.WaitGroup
}

// New starts a camera with a fault.
func New(t testing.TB, q Quirk) *Camera {
	t.Helper()
	c := &Camera{Quirk: q, open: map[net.Conn]bool{}}
	own, other := c.listen(t, "127.0.0.1:0"), c.listen(t, "127.0.0.1:0")
	c.addr, c.stranger = own.Addr().String(), other.Addr().String()
	c.run.Go(func() { c.accept(own, c.serve) })
	c.run.Go(func() { c.accept(other, c.spy) })
	t.Cleanup(func() {
		own.Close()
		other.Close()
		c.mu.Lock()
		c.ended = true
		for n := range c.open {
			n.Close()
		}
		c.mu.Unlock()
		c.run.Wait()
	})
	return c
}

func (c *Camera) listen(t testing.TB, at string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// URL is what is configured.
func (c *Camera) URL() string {
	user := c.User
	if user != "" {
		user += "@"
	}
	return "rtsp://" + user + c.addr + "/live"
}

// Connections is how often the camera was connected to.
func (c *Camera) Connections() int { return int(c.conns.Load()) }

// Refused is how many requests had a wrong password.
func (c *Camera) Refused() int { return int(c.refused.Load()) }

// KeptAlive is how many keep-alives were let in while pictures were sent.
func (c *Camera) KeptAlive() int { return int(c.alive.Load()) }

// Leaked reports whether somebody else was called, or was given credentials.
func (c *Camera) Leaked() bool { return c.leaked.Load() }

func (c *Camera) accept(l net.Listener, serve func(net.Conn)) {
	for {
		n, err := l.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		if c.open[n] = true; c.ended {
			n.Close()
		}
		c.run.Go(func() {
			serve(n)
			n.Close()
			c.mu.Lock()
			delete(c.open, n)
			c.mu.Unlock()
		})
		c.mu.Unlock()
	}
}

// spy is who wants the camera's password.
func (c *Camera) spy(n net.Conn) {
	br := bufio.NewReader(n)
	for {
		r, err := ask(br)
		if err != nil {
			return
		}
		c.leaked.Store(true)
		fmt.Fprintf(n, "RTSP/1.0 401 Unauthorized\r\nCSeq: %s\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n", r.Header.Get("CSeq"))
	}
}

// Request is what the client asks.
type Request struct {
	Method, URL string
	Header      textproto.MIMEHeader
}

func ask(br *bufio.Reader) (Request, error) {
	for {
		b, err := br.Peek(1)
		if err != nil {
			return Request{}, err
		}
		if b[0] != '$' {
			break
		}
		head, err := br.Peek(4)
		if err != nil {
			return Request{}, err
		}
		if _, err := br.Discard(4 + int(binary.BigEndian.Uint16(head[2:]))); err != nil {
			return Request{}, err
		}
	}
	tr := textproto.NewReader(br)
	l, err := tr.ReadLine()
	if err != nil {
		return Request{}, err
	}
	h, err := tr.ReadMIMEHeader()
	f := strings.Fields(l)
	if err != nil || len(f) != 3 {
		return Request{}, io.ErrUnexpectedEOF
	}
	return Request{f[0], f[1], h}, nil
}

// Answer is what a camera answers.
type Answer struct {
	Status string            // "200 OK"
	Header map[string]string // with CSeq
	Body   string
	Raw    string // instead of all others
	End    bool   // the connection ends after it
}

func (a Answer) String() string {
	if a.Raw != "" {
		return a.Raw
	}
	var b strings.Builder
	b.WriteString("RTSP/1.0 " + a.Status + "\r\n")
	for k, v := range a.Header {
		b.WriteString(k + ": " + v + "\r\n")
	}
	if a.Body != "" {
		b.WriteString("Content-Length: " + strconv.Itoa(len(a.Body)) + "\r\n")
	}
	return b.String() + "\r\n" + a.Body
}

// session is a client's connection.
type session struct {
	*Camera
	conn net.Conn
	wmu  sync.Mutex
	udp  [2]*net.UDPConn
	to   *net.UDPAddr // the client's port for RTP; nil: inside the connection
	uses int          // of the nonce
	gen  int          // of the nonce
	last string       // Authorization of the last request that was let in

	heard atomic.Int64 // last keep-alive that was let in, ns
}

func (c *Camera) serve(n net.Conn) {
	c.conns.Add(1)
	s := &session{Camera: c, conn: n}
	stop := make(chan struct{})
	var play sync.WaitGroup
	defer func() {
		close(stop)
		n.Close()
		play.Wait()
		for _, u := range s.udp {
			if u != nil {
				u.Close()
			}
		}
	}()
	if c.Greet != "" {
		if s.write([]byte(c.Greet)) != nil {
			return
		}
	}
	br, playing := bufio.NewReader(n), false
	for {
		r, err := ask(br)
		if err != nil {
			return
		}
		a := s.answer(r)
		if c.Change != nil {
			c.Change(c, r, &a)
		}
		if s.write([]byte(a.String())) != nil || a.End {
			return
		}
		if playing && strings.HasPrefix(a.Status, "200") {
			c.alive.Add(1)
			s.heard.Store(time.Now().UnixNano())
		}
		if r.Method == "PLAY" && strings.HasPrefix(a.Status, "200") {
			playing = true
			s.heard.Store(time.Now().UnixNano())
			play.Go(func() { s.play(stop) })
		}
	}
}

func (s *session) write(b []byte) error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	_ = s.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_, err := s.conn.Write(b)
	return err
}

// answer is what a camera without a fault answers.
func (s *session) answer(r Request) Answer {
	a := Answer{Status: "200 OK", Header: map[string]string{"CSeq": r.Header.Get("CSeq")}}
	if s.Login != "" && r.Method != "TEARDOWN" && !s.known(r) {
		a.Status = "401 Unauthorized"
		a.Header["WWW-Authenticate"] = s.challenge(r)
		return a
	}
	switch r.Method {
	case "OPTIONS":
		a.Header["Public"] = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER"
	case "DESCRIBE":
		a.Header["Content-Type"], a.Header["Content-Base"] = "application/sdp", r.URL+"/"
		if a.Body = SDP; s.HEVC > 0 {
			a.Body = sdp265
		}
	case "SETUP":
		a.Header["Session"] = "12345678;timeout=" + strconv.Itoa(cmp.Or(s.Timeout, 6))
		a.Header["Transport"] = s.setup(r.Header.Get("Transport"))
	case "PLAY":
		a.Header["Session"] = "12345678"
	}
	return a
}

var clientPort = regexp.MustCompile(`client_port=(\d+)-`)

func (s *session) setup(asked string) string {
	m := clientPort.FindStringSubmatch(asked)
	if m == nil {
		return fmt.Sprintf("RTP/AVP/TCP;unicast;interleaved=%d-%d", s.Channel, s.Channel+1)
	}
	port, _ := strconv.Atoi(m[1])
	s.to = &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}
	for i := range s.udp {
		s.udp[i], _ = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}) // the write tells
	}
	a := s.udp[0].LocalAddr().(*net.UDPAddr).Port
	return fmt.Sprintf("RTP/AVP;unicast;client_port=%d-%d;server_port=%d-%d", port, port+1, a, a+1)
}

func (s *session) nonce() string { return fmt.Sprintf("n%d-%d", s.conns.Load(), s.gen) }

func (s *session) challenge(r Request) string {
	stale := ""
	if s.NonceUses > 0 && s.uses >= s.NonceUses {
		s.uses, s.gen = 0, s.gen+1
		if r.Header.Get("Authorization") != "" {
			stale = ", stale=true"
		}
	}
	return strings.ReplaceAll(s.Login, "NONCE", s.nonce()) + stale
}

var pairsOf = regexp.MustCompile(`(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))`)

var escaped = regexp.MustCompile(`\\(.)`)

// known checks the proof by RFC 7616 §3.4.
func (s *session) known(r Request) bool {
	got := r.Header.Get("Authorization")
	if got == "" {
		return false
	}
	user, pass, _ := strings.Cut(s.Account, ":")
	ok := false
	if proof, basic := strings.CutPrefix(got, "Basic "); basic {
		plain, _ := base64.StdEncoding.DecodeString(proof)
		ok = strings.Contains(s.Login, "Basic") && string(plain) == s.Account
	} else {
		p := map[string]string{}
		for _, m := range pairsOf.FindAllStringSubmatch(got, -1) {
			p[m[1]] = escaped.ReplaceAllString(m[2], "$1") + m[3]
		}
		if p["nonce"] != s.nonce() || s.NonceUses > 0 && s.uses >= s.NonceUses {
			return false // old: nothing is said of the password
		}
		sum := func(parts ...string) string {
			var h hash.Hash = md5.New()
			if strings.HasPrefix(p["algorithm"], "SHA-256") {
				h = sha256.New()
			}
			io.WriteString(h, strings.Join(parts, ":"))
			return hex.EncodeToString(h.Sum(nil))
		}
		a1, a2 := sum(user, p["realm"], pass), sum(r.Method, r.URL)
		if p["qop"] == "auth-int" {
			a2 = sum(r.Method, r.URL, sum(""))
		}
		if strings.HasSuffix(p["algorithm"], "-sess") {
			a1 = sum(a1, p["nonce"], p["cnonce"])
		}
		want := sum(a1, p["nonce"], a2)
		if strings.Contains(s.Login, "qop") {
			want = sum(a1, p["nonce"], p["nc"], p["cnonce"], p["qop"], a2)
			if got == s.last { // a count that comes twice is somebody who listens and repeats
				want = ""
			}
		}
		ok = p["username"] == user && p["response"] == want
	}
	if !ok {
		s.refused.Add(1)
		return false
	}
	s.uses, s.last = s.uses+1, got
	return true
}
