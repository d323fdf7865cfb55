package console

import (
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// takesWithin is how long somebody may take nothing of what is sent, and in which a request's
// body has to have come: then the connection is cut, so that who only holds it costs nothing.
const takesWithin = 30 * time.Second

// patient is a listener whose connections do not wait for ever for who takes nothing, and
// which leaves half of the process's file handles to cameras, recordings and ledger: over
// that, whoever comes waits until somebody has gone.
type patient struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newPatient(l net.Listener) *patient {
	var limit syscall.Rlimit
	room := 512
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		room = int(min(limit.Cur, 1<<20)) / 2
	}
	return &patient{Listener: l, room: make(chan struct{}, room), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (p *patient) Accept() (net.Conn, error) {
	select {
	case p.room <- struct{}{}:
	case <-p.closed:
		return nil, net.ErrClosed
	}
	c, err := p.Listener.Accept()
	if err != nil {
		<-p.room
		return nil, err
	}
	return &patientConn{Conn: c, leave: sync.OnceFunc(func() { <-p.room })}, nil
}

// Close implements net.Listener.
func (p *patient) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// patientConn gives up on who takes nothing.
type patientConn struct {
	net.Conn
	leave func()
}

// Write implements net.Conn.
func (c *patientConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(takesWithin)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// CloseWrite lets net/http end an answer before it hangs up.
func (c *patientConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Close implements net.Conn.
func (c *patientConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// prompt wants the body of a request within takesWithin; an answer that goes on for hours has
// all the time it wants.
func prompt(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			control := http.NewResponseController(w)
			if control.SetReadDeadline(time.Now().Add(takesWithin)) == nil {
				r.Body = &promptBody{r.Body, control}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// promptBody takes the limit away when the body has come.
type promptBody struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (b *promptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{}) // the connection is gone: nothing to take away
	}
	return n, err
}
