// Package front stands between a camera and the RTSP library. It logs in, stops redirects
// and repairs what cameras write, so that the library only ever reads what it can. It
// works within the reads and writes of the connection and has no goroutine of its own.
package front

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/base"

	"vision/capture/login"
)

// ErrForeign is the error of answers that are not RTSP's.
var ErrForeign = errors.New("what is answered is not RTSP")

// Redirect is an answer that sends the reader on to another address.
type Redirect struct {
	To string // as the camera writes it, without user and password, shortened
}

func (r *Redirect) Error() string { return fmt.Sprintf("the camera redirects to %q", r.To) }

const (
	// maxTries is how often a request is sent, with other log-ins.
	maxTries = 3
	// maxAsked is how many requests may be without answer: cameras leave keep-alives so.
	maxAsked = 16
	// patience for writing a request again.
	patience = 5 * time.Second
)

// Conn is a connection to a camera, of which the library reads and to which it writes.
type Conn struct {
	net.Conn
	br        *bufio.Reader
	out       []byte // for the library
	frame     []byte // room for an interleaved packet
	channel   int    // of RTP, the next is of RTCP; after SETUP
	rtp, rtcp parse
	err       error // the connection is given up

	mu      sync.Mutex // also keeps messages whole
	user    *url.Userinfo
	login   *login.Challenge
	seq     int
	asked   []*request
	playing bool // PLAY was sent
	options bool // keep-alives are OPTIONS: GET_PARAMETER was refused
	known   bool // a request with user and password was let in
	unheard bool // user and password were sent, and nothing was let in by them
}

// request is one that waits for its answer.
type request struct {
	base.Request
	theirs base.HeaderValue // CSeq of the library
	seq    int              // CSeq toward the camera
	tries  int
	fresh  bool // its log-in answers a challenge to this very request
}

// New takes over a connection; user is whom to log in as, nil: nobody. The connection's
// other end is the configured one: credentials go nowhere else.
func New(c net.Conn, user *url.Userinfo) *Conn {
	return &Conn{Conn: c, br: bufio.NewReaderSize(c, maxLine), user: user, rtp: parseRTP, rtcp: parseRTCP}
}

// Unheard reports whether user and password were sent, and the camera has let nothing in
// by them so far: some end the connection instead of refusing.
func (c *Conn) Unheard() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unheard
}

// Write sends what the library writes, one message a call.
func (c *Conn) Write(p []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if what := recover(); what != nil { // the proof is made of what the camera writes
			n, err = 0, fmt.Errorf("%w (%v)", ErrForeign, what)
		}
	}()
	r := &request{}
	if len(p) == 0 || p[0] == base.InterleavedFrameMagicByte || bytes.HasPrefix(p, []byte("RTSP/")) ||
		r.Unmarshal(bufio.NewReader(bytes.NewReader(p))) != nil || r.URL == nil {
		return c.Conn.Write(p)
	}
	r.theirs = r.Header["CSeq"]
	if r.Method == base.GetParameter && c.options {
		r.Method = base.Options
	}
	c.playing = c.playing || r.Method == base.Play
	if err := c.send(r); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send sends a request, once more or for the first time. c.mu is held.
func (c *Conn) send(r *request) error {
	c.seq++
	r.seq, r.tries = c.seq, r.tries+1
	r.Header["CSeq"] = base.HeaderValue{strconv.Itoa(r.seq)}
	delete(r.Header, "Authorization")
	if c.login != nil {
		pass, _ := c.user.Password()
		proof, err := c.login.Answer(
			c.user.Username(),
			pass,
			string(r.Method),
			r.URL.CloneWithoutCredentials().String(),
			r.Body,
		)
		if err != nil {
			return err
		}
		r.Header["Authorization"] = base.HeaderValue{proof}
		c.unheard = c.unheard || !c.known
	}
	c.asked = append(c.asked, r)
	c.asked = c.asked[max(len(c.asked)-maxAsked, 0):]
	b, err := r.Marshal()
	if err != nil {
		return err
	}
	_, err = c.Conn.Write(b)
	return err
}

// Read gives the library the packets as they come, and answers after their repair.
func (c *Conn) Read(p []byte) (n int, err error) {
	defer func() {
		if what := recover(); what != nil { // parsers of others meet foreign input here
			c.err = fmt.Errorf("%w (%v)", ErrForeign, what)
			n, err = 0, c.err
		}
	}()
	for c.err == nil {
		if len(c.out) > 0 {
			n = copy(p, c.out)
			c.out = c.out[n:]
			return n, nil
		}
		c.err = c.next()
	}
	return 0, c.err
}

// next reads what comes next as far as the library may have it.
func (c *Conn) next() error {
	kind, err := find(c.br)
	if err != nil {
		return err
	}
	switch kind {
	case aPacket:
		return c.packet()
	case anAnswer:
		m, err := read(c.br)
		if err != nil {
			return err
		}
		return c.answer(m)
	}
	m, err := read(c.br)
	if err != nil {
		return err
	}
	return c.question(m)
}

// packet passes an interleaved packet (RFC 2326 §10.12) of the track that is read. Before
// PLAY they are of somebody's older session. What is no packet behind its head is nonsense,
// or the rest of one that was cut short: the next is looked for within it.
func (c *Conn) packet() error {
	head, err := c.br.Peek(4)
	if err != nil {
		return err
	}
	size := int(head[2])<<8 | int(head[3])
	if size >= least {
		if head, err = c.br.Peek(5); err != nil {
			return err
		}
	}
	if size < least || head[4]>>6 != version {
		_, err := c.br.Discard(1)
		return err
	}
	c.mu.Lock()
	playing := c.playing
	c.mu.Unlock()
	try := c.rtp
	switch channel := int(head[1]); {
	case playing && channel == c.channel:
	case playing && channel == c.channel+1:
		try = c.rtcp
	default:
		_, err := c.br.Discard(4 + size)
		return err
	}
	c.frame = slices.Grow(c.frame[:0], 4+size)[:4+size]
	if _, err := io.ReadFull(c.br, c.frame); err != nil {
		return err
	}
	if try.bears(c.frame[4:]) {
		c.out = c.frame
	}
	return nil
}

// question answers what a camera asks of its own accord.
func (c *Conn) question(m *message) error {
	status := base.StatusNotImplemented
	switch m.method {
	case "REDIRECT":
		return &Redirect{m.location()}
	case string(base.Teardown):
		return errors.New("the camera ends the session")
	case string(base.Options), string(base.GetParameter), string(base.SetParameter):
		status = base.StatusOK
	}
	res := base.Response{StatusCode: status, Header: base.Header{"CSeq": {m.get("Cseq")}}}
	b, err := res.Marshal()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.SetWriteDeadline(time.Now().Add(patience)) // a connection without one fails at the write
	_, err = c.Conn.Write(b)
	return err
}

// answer takes an answer in: it is kept from the library where the request goes out again.
func (c *Conn) answer(m *message) error {
	if m.status < 200 { // there will be another
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.take(m.get("Cseq"))
	if r == nil {
		return nil
	}
	if m.status != int(base.StatusUnauthorized) && c.login != nil {
		c.known, c.unheard = true, false
	}
	// What is answered to a keep-alive says nothing of the pictures.
	alive := c.playing && r.Method != base.Play
	switch {
	case m.status == int(base.StatusUnauthorized):
		if again, err := c.again(r, m); again || err != nil && !alive {
			return err
		}
	case m.status >= 300 && m.status < 400 && !alive:
		return &Redirect{m.location()}
	case m.status >= 400 && alive && r.Method == base.GetParameter && m.status != int(base.StatusSessionNotFound):
		c.options = true // its session is kept alive in the other way
		r.Method, r.tries = base.Options, 0
		_ = c.SetWriteDeadline(time.Now().Add(patience)) // a connection without one fails at the write
		return c.send(r)
	}
	res, err := repair(r, m)
	if err != nil {
		return err
	}
	if v := res.Header["Transport"]; len(v) > 0 {
		c.channel, _ = first(pairs(v[0])["interleaved"])
	}
	c.out, err = res.Marshal()
	return err
}

// take finds the request of an answer. Answers come in order, so older ones get none any
// more. Cameras forget CSeq: then it is the newest.
func (c *Conn) take(cseq string) *request {
	if len(c.asked) == 0 {
		return nil
	}
	at := len(c.asked) - 1
	if n, err := strconv.Atoi(cseq); err == nil {
		if i := slices.IndexFunc(c.asked, func(r *request) bool { return r.seq == n }); i >= 0 {
			at = i
		} else if n > 0 && n < c.asked[0].seq {
			return nil // to one that was given up
		}
	}
	r := c.asked[at]
	c.asked = slices.Delete(c.asked, 0, at+1)
	return r
}

// again sends a refused request with a log-in, where that may help: a password that was
// refused is not sent a second time, for cameras lock after a few.
func (c *Conn) again(r *request, m *message) (bool, error) {
	if c.user == nil || r.tries >= maxTries {
		return false, nil
	}
	ch, err := login.Choose(m.header["Www-Authenticate"])
	if r.fresh && (err != nil || !ch.Stale()) {
		return false, nil // the camera knows who asks, and does not want him
	}
	if err != nil {
		return false, err
	}
	r.fresh, c.login = true, ch
	_ = c.SetWriteDeadline(time.Now().Add(patience)) // a connection without one fails at the write
	return true, c.send(r)
}

// location is where a redirect leads, fit for a message.
func (m *message) location() string {
	to := m.get("Location")
	u, err := url.Parse(to)
	if err != nil {
		return clean(to, 0)
	}
	u.User = nil
	return clean(u.String(), 200)
}

// clean is a text without control characters and of no more than max bytes.
func clean(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
