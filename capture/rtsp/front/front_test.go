package front

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/base"
)

var at, _ = base.ParseURL("rtsp://192.0.2.1/live?a=b")

// tape is a connection from which this comes, and into which anything goes.
type tape struct {
	net.Conn
	in   io.Reader
	sent bytes.Buffer
}

func (t *tape) Read(p []byte) (int, error)       { return t.in.Read(p) }
func (t *tape) Write(p []byte) (int, error)      { return t.sent.Write(p) }
func (t *tape) SetWriteDeadline(time.Time) error { return nil }

// What is read of a description is what the library reads; nothing else passes.
func FuzzSDP(f *testing.F) {
	f.Add([]byte("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\na=control:rtsp://u:p@h/x\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:t1\r\n"))
	f.Add([]byte("m=video 0 RTP/SAVP 96 97\na=rtpmap:96 H265/90000\na=key-mgmt:mikey AA==\na=fmtp:96 sprop-sps=x\nm=audio 0 RTP/AVP 0\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := describe(raw, at)
		if err != nil {
			if !errors.Is(err, ErrNoTrack) {
				t.Error(err)
			}
			return
		}
		if !readable(string(got), at) {
			t.Errorf("%q", got)
		}
		if again, err := describe(got, at); err != nil || len(again) == 0 {
			t.Errorf("%q is not read again: %v", got, err)
		}
	})
}

// Whatever a camera answers, reading ends, the library can read what is passed, and the
// password goes nowhere in clear but by Basic.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: rtsp://a:b@192.0.2.9/\r\n\r\n"), uint8(1))
	f.Add([]byte("RTSP/1.0 401 No\r\nCSeq: 1\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\", qop=\"auth\"\r\n\r\nRTSP/1.0 200 OK\r\nCSeq: 2\r\nSession: 1;timeout=5\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\n$\x00\x00\x01a"), uint8(2))
	f.Add([]byte("REDIRECT * RTSP/1.0\r\nCSeq: 1\r\n\r\nRTSP/1.0 200 OK\nContent-Base: %zz\nContent-Length: 4\n\nm=x "), uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, kind uint8) {
		method := []base.Method{base.Options, base.Describe, base.Setup, base.Play}[kind%4]
		n := &tape{in: bytes.NewReader(raw)}
		c := New(n, url.UserPassword("user", "s3cr3t-of-the-test"))
		b, err := (base.Request{Method: method, URL: at, Header: base.Header{"CSeq": {"7"}, "Transport": {"RTP/AVP/TCP;unicast;interleaved=0-1"}}}).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(b); err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(c)
		var to *Redirect
		if errors.As(err, &to) && strings.ContainsAny(to.Error(), "\r\n\x00") {
			t.Errorf("%q", to.Error())
		}
		if strings.Contains(n.sent.String()+string(out), "s3cr3t-of-the-test") {
			t.Errorf("%q", n.sent.String())
		}
		if out := bufio.NewReader(bytes.NewReader(out)); method != base.Play {
			for {
				var res base.Response
				if err := res.Unmarshal(out); err != nil {
					if !errors.Is(err, io.EOF) {
						t.Errorf("%v", err)
					}
					break
				}
			}
		}
	})
}

// The location of a redirect is told without user and password, whatever it is.
func TestRedirectsAreToldWithoutSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"rtsp://a:s3cr3t@192.0.2.9:8554/x": "rtsp://192.0.2.9:8554/x", "": "", "://s3cr3t@": "", "/other": "/other",
	} {
		m := &message{header: map[string][]string{"Location": {in}}}
		if got := m.location(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// bomb is a packet over which the parsers of this test panic.
var bomb = []byte("\x80\x60\x00\x07\x00\x00\x00\x00\x00\x00\x00\x01bomb")

func explode(b []byte) {
	if bytes.Contains(b, []byte("bomb")) {
		panic("out of range")
	}
}

// Packets over which a parser of the library panics never reach it, by which way they
// come.
func TestPacketsThatWouldPanicAreKeptBack(t *testing.T) {
	good := bytes.Replace(bomb, []byte("bomb"), []byte("good"), 1)
	frame := func(channel byte, p []byte) []byte { return append([]byte{'$', channel, 0, byte(len(p))}, p...) }
	in := []byte("RTSP/1.0 200 OK\r\nCSeq: 1\r\nTransport: RTP/AVP/TCP;interleaved=4-5\r\n\r\n" +
		"RTSP/1.0 200 OK\r\nCSeq: 2\r\n\r\n")
	for _, channel := range []byte{4, 5, 4, 9} {
		in = append(append(in, frame(channel, bomb)...), frame(channel, good)...)
	}
	n := &tape{in: bytes.NewReader(in)}
	c := New(n, nil)
	c.rtp, c.rtcp = explode, explode
	for i, m := range []base.Method{base.Setup, base.Play} {
		b, err := (base.Request{Method: m, URL: at, Header: base.Header{"CSeq": {strconv.Itoa(i + 1)}, "Transport": {"RTP/AVP/TCP;unicast;interleaved=0-1"}}}).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	out, err := io.ReadAll(c)
	if err != nil || bytes.Contains(out, []byte("bomb")) || bytes.Count(out, []byte("good")) != 3 {
		t.Errorf("%q, %v", out, err)
	}

	l, err := Listen("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.(*Packets).try = explode
	out = make([]byte, 100)
	for _, p := range [][]byte{bomb, good} {
		if _, err := l.WriteTo(p, l.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	if n, _, err := l.ReadFrom(out); err != nil || !bytes.Equal(out[:n], good) {
		t.Errorf("%q, %v", out[:n], err)
	}
}

// What the library parses of a packet is what is tried.
func FuzzPackets(f *testing.F) {
	f.Add(bomb)
	f.Add([]byte("\x81\xc8\x00\x06aaaabbbbccccddddeeeeffff\x81\xca\x00\x02aaaa\x01\x02bc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if !parse(parseRTP).bears(b) || !parse(parseRTCP).bears(b) {
			t.Log("kept back")
		}
	})
}
