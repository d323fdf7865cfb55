package sensor

import (
	"bufio"
	"cmp"
	"context"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/time/rate"

	"vision/internal/backoff"
	"vision/internal/redact"
)

// Line is a device that speaks the line protocol over TCP, with TLS or without, or a
// serial port.
type Line struct {
	Name   string
	Table  string      // of lines that name none
	Secret string      // asked of TCP clients as AUTH name secret
	TLS    *tls.Config // of a tls:// listener: the certificate that it shows
	In     Intake
	// State is notified when the device comes and goes.
	State func(up bool, err error)

	pace *rate.Limiter // of all its connections together
}

func (l *Line) defaults() {
	l.In.defaults()
	if l.State == nil {
		l.State = func(bool, error) {}
	}
	if l.pace == nil {
		l.pace = newPace()
	}
}

// longOpen is how long a port has to stay open for the next attempt to come soon.
const longOpen = 5 * time.Second

// Limits of TCP clients.
const (
	maxClients = 32
	maxWaiting = 64 // for their AUTH
	authWithin = 10 * time.Second
	maxRefused = 100 // lines in a row that make no sense: it is no sensor
)

// Run opens the URL (tcp://host:port, tls://host:port, serial:///dev/ttyUSB0?baud=9600) and reads
// it until ctx ends, opening it again when it breaks.
func (l *Line) Run(ctx context.Context, rawURL string) error {
	l.defaults()
	u, err := redact.Parse(rawURL)
	if err != nil {
		return fmt.Errorf("sensor %s: %w", l.Name, err)
	}
	open := l.listen
	if u.Scheme == "serial" {
		open = l.port
	}
	var b backoff.Backoff
	for {
		began := time.Now()
		err := open(ctx, u)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.State(false, fmt.Errorf("sensor %s: %w", l.Name, err))
		if time.Since(began) > longOpen {
			b.Reset()
		}
		if err := b.Wait(ctx); err != nil {
			return err
		}
	}
}

func (l *Line) listen(ctx context.Context, u *url.URL) error {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", u.Host)
	if err != nil {
		return err
	}
	if u.Scheme == "tls" {
		if l.TLS == nil {
			ln.Close()
			return errors.New("tls:// needs a certificate")
		}
		ln = tls.NewListener(ln, l.TLS)
	}
	return l.Accept(ctx, ln)
}

// Accept serves TCP clients of ln until ctx ends, and closes it.
func (l *Line) Accept(ctx context.Context, ln net.Listener) error {
	l.defaults()
	l.State(true, nil)
	var clients sync.WaitGroup
	defer clients.Wait()
	defer context.AfterFunc(ctx, func() { ln.Close() })()
	slots := make(chan struct{}, maxClients)
	var unknown waiting
	var b backoff.Backoff
	for {
		c, err := ln.Accept()
		if passes(err) {
			if err := b.Wait(ctx); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			ln.Close()
			return err
		}
		b.Reset()
		unknown.add(c)
		clients.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.Close() })()
			in := newScanner(c)
			known := l.known(ctx, c, in)
			unknown.drop(c)
			if !known {
				return
			}
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
				fmt.Fprintln(c, "OK")
				_ = c.SetDeadline(time.Time{})
				_ = l.lines(ctx, in, c)
			default:
				fmt.Fprintln(c, "ERR too many clients")
			}
		})
	}
}

// passes reports whether a listener that failed is worth asking again: for want of file
// handles or memory, or because the client was gone already.
func passes(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS,
		syscall.ENOMEM, syscall.ECONNABORTED},
		func(e error) bool { return errors.Is(err, e) })
}

// waiting are the connections that have not said who they are, oldest first. A new one
// takes the oldest's place: however many say nothing, a sensor, which speaks at once, is heard.
type waiting struct {
	mu    sync.Mutex
	conns []net.Conn
}

func (w *waiting) add(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.conns) == maxWaiting {
		w.conns[0].Close()
		w.conns = slices.Delete(w.conns, 0, 1)
	}
	w.conns = append(w.conns, c)
}

func (w *waiting) drop(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = slices.DeleteFunc(w.conns, func(x net.Conn) bool { return x == c })
}

// known hears who a TCP client is, and reports whether it is the sensor.
func (l *Line) known(ctx context.Context, c net.Conn, in *bufio.Scanner) bool {
	_ = c.SetDeadline(time.Now().Add(authWithin)) // a handshake writes too
	if !in.Scan() {
		return false
	}
	f := strings.Fields(in.Text())
	want := []byte(l.Secret)
	if len(f) != 3 || f[0] != "AUTH" || f[1] != l.Name || len(want) == 0 || subtle.ConstantTimeCompare([]byte(f[2]), want) != 1 {
		_ = backoff.Sleep(ctx, time.Second) // guessing is slow
		fmt.Fprintln(c, "ERR AUTH name secret expected")
		l.In.Malformed(l.Name, fmt.Errorf("%w: from %s", ErrAuth, c.RemoteAddr()))
		return false
	}
	return true
}

// port reads a serial port.
func (l *Line) port(ctx context.Context, u *url.URL) error {
	baud := 9600
	if q := u.Query().Get("baud"); q != "" {
		var err error
		if baud, err = strconv.Atoi(q); err != nil || baud <= 0 {
			return fmt.Errorf("baud=%s is no speed", clip(q))
		}
	}
	p, err := serial.Open(u.Path, &serial.Mode{BaudRate: baud})
	if err != nil {
		return fmt.Errorf("%s: %w; check the cable and the rights of the device", u.Path, err)
	}
	defer p.Close()
	defer context.AfterFunc(ctx, func() { p.Close() })()
	l.State(true, nil)
	if err := l.lines(ctx, newScanner(p), p); err != nil {
		return fmt.Errorf("%s: %w", u.Path, err)
	}
	return fmt.Errorf("%s: closed", u.Path)
}

func newScanner(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 1024), MaxLine)
	return s
}

// errGarbage ends a connection that does not speak the protocol.
var errGarbage = errors.New("too many lines that cannot be read")

// lines reads lines and answers each one.
func (l *Line) lines(ctx context.Context, in *bufio.Scanner, out io.Writer) error {
	refused := 0
	for in.Scan() {
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if err := l.In.keep(ctx, l.pace, l.Name); err != nil {
			return err
		}
		id, err := l.take(text)
		reply := "OK " + id
		if err != nil {
			reply = "ERR " + err.Error()
		}
		switch {
		case err == nil:
			refused = 0
		case errors.Is(err, ErrLater): // the line made sense
		default:
			if refused++; refused >= maxRefused {
				return errGarbage
			}
		}
		if _, err := fmt.Fprintln(out, strings.TrimSpace(reply)); err != nil {
			return err
		}
	}
	return in.Err()
}

// take takes one line, and gives the id that it names.
func (l *Line) take(text string) (id string, err error) {
	s, err := ParseLine(text)
	if err != nil {
		l.In.Malformed(l.Name, err)
		return s.ID, err
	}
	s.Table = cmp.Or(s.Table, l.Table)
	s.Source = l.Name
	return s.ID, l.In.take(s)
}
