package sensor

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/fact"
)

// port is a listener whose clients are given to it.
type port struct {
	clients chan net.Conn
	fail    []error // before each client
	closed  chan struct{}
	once    sync.Once
}

func newPort(fail ...error) *port {
	return &port{clients: make(chan net.Conn), fail: fail, closed: make(chan struct{})}
}

func (p *port) Accept() (net.Conn, error) {
	if len(p.fail) > 0 {
		err := p.fail[0]
		p.fail = p.fail[1:]
		return nil, err
	}
	select {
	case c := <-p.clients:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *port) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *port) Addr() net.Addr { return &net.TCPAddr{} }

func (p *port) dial() net.Conn {
	c, s := net.Pipe()
	p.clients <- s
	return c
}

// A sensor that goes mad says a million lines at once: they are read a hundred a second, it is
// said who it is, and what another sensor says is heard at once meanwhile.
func TestAMillionLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard, told atomic.Int64
		begun := time.Now()
		mad, wheel := newPort(), newPort()
		in := Intake{
			Hear: func(s fact.Sensed) error {
				if s.Source != "mad" {
					return nil
				}
				if n := heard.Add(1); n > paceBurst+1+int64(time.Since(begun)/paceEvery) {
					return fmt.Errorf("%d lines in %v", n, time.Since(begun))
				}
				return nil
			},
			Malformed: func(_ string, err error) { t.Error(err) },
			Flooding: func(source string) {
				if source != "mad" {
					t.Errorf("%s floods", source)
				}
				told.Add(1)
			},
		}
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		for name, p := range map[string]*port{"mad": mad, "wheel": wheel} {
			run.Go(func() { _ = (&Line{Name: name, Table: "R1", Secret: "s", In: in}).Accept(ctx, p) })
		}
		c, other := mad.dial(), wheel.dial()
		const lines = 1_000_000
		run.Go(func() { _, _ = io.Copy(io.Discard, c) })
		run.Go(func() {
			w := bufio.NewWriterSize(c, 64<<10)
			fmt.Fprintln(w, "AUTH mad s")
			for range lines {
				_, _ = w.WriteString("ball 17\n") // fails once the test is over
			}
			_ = w.Flush()
		})
		answers := bufio.NewScanner(other)
		say := func(line, want string) {
			t.Helper()
			fmt.Fprintln(other, line)
			if !answers.Scan() || answers.Text() != want {
				t.Errorf("%q: %q", line, answers.Text())
			}
		}
		say("AUTH wheel s", "OK")
		for i := range 10 {
			time.Sleep(time.Minute)
			at := time.Now()
			say(fmt.Sprintf("id=%d ball 7", i), fmt.Sprintf("OK %d", i))
			if took := time.Since(at); took > 0 {
				t.Errorf("the other sensor waited for %v", took)
			}
		}
		if n := heard.Load(); n < 60_000 || told.Load() == 0 {
			t.Errorf("%d heard, told %d times", n, told.Load())
		}
		cancel()
		c.Close()
		other.Close()
		run.Wait()
	})
}

// Over HTTP, where nobody can be made to wait, what is too much is refused, of that table only.
func TestAFloodByHTTP(t *testing.T) {
	var told []string
	h := NewHTTP(Intake{Hear: func(fact.Sensed) error { return nil }, Flooding: func(s string) { told = append(told, s) }},
		func(string) string { return "" })
	body := "[" + strings.TrimSuffix(strings.Repeat(`{"kind":"ball","args":{"pocket":"1"}},`, maxEvents), ",") + "]"
	post := func(table string) int {
		w := httptest.NewRecorder()
		h.Serve(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)), table)
		return w.Code
	}
	codes := map[int]int{}
	for range 2*paceBurst/maxEvents + 2 {
		codes[post("R1")]++
	}
	if codes[http.StatusAccepted] < paceBurst/maxEvents || codes[http.StatusTooManyRequests] == 0 || len(told) == 0 {
		t.Errorf("%v, told %v", codes, told)
	}
	if code := post("R2"); code != http.StatusAccepted {
		t.Errorf("the other table: %d", code)
	}
}

// A thousand connections that say nothing keep no sensor out.
func TestAThousandThatSayNothing(t *testing.T) {
	e := &ear{}
	addr := serve(t, e)
	for range 1000 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "AUTH wheel s3cret\nid=1 ball 17")
	in := bufio.NewScanner(c)
	for _, want := range []string{"OK", "OK 1"} {
		if !in.Scan() || in.Text() != want {
			t.Fatalf("%q, want %q: %v", in.Text(), want, in.Err())
		}
	}
}

// For want of file handles nobody new is heard until there are some; who is heard stays.
func TestNoHandleForANewSensor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
		p := newPort(full, full, full)
		e := &ear{}
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { _ = (&Line{Name: "wheel", Table: "R1", Secret: "s", In: e.intake()}).Accept(ctx, p) })
		for range 2 {
			c := p.dial()
			defer c.Close()
			fmt.Fprintln(c, "AUTH wheel s")
			if in := bufio.NewScanner(c); !in.Scan() || in.Text() != "OK" {
				t.Errorf("%q", in.Text())
			}
			synctest.Wait()
			p.fail = []error{full}
		}
		cancel()
		run.Wait()
	})
}
