package console

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener of connections that are not of a network, in which time can be a test's.
type pipes struct{ conns chan net.Conn }

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { close(p.conns); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	c, s := net.Pipe()
	p.conns <- s
	return c
}

// Who never takes what is sent, or never sends what was announced, is let go after half a
// minute; who takes it watches on for hours, and so does who has sent all.
func TestWhoOnlyHoldsAConnectionIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pipes{make(chan net.Conn)}
		ended := make(chan error, 3)
		mux := http.NewServeMux()
		mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, err := fmt.Fprintln(w, "data: beat")
				if err = errors.Join(err, http.NewResponseController(w).Flush()); err != nil {
					ended <- err
					return
				}
				time.Sleep(time.Second)
			}
			ended <- r.Context().Err()
		})
		mux.HandleFunc("/said", func(_ http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			for begun := time.Now(); err == nil && time.Since(begun) < time.Hour; time.Sleep(time.Second) {
				err = r.Context().Err()
			}
			ended <- err
		})
		srv := &http.Server{Handler: prompt(mux)}
		go srv.Serve(newPatient(p))
		after := func(c net.Conn, request string) (time.Duration, error) {
			begun := time.Now()
			fmt.Fprint(c, request)
			err := <-ended
			return time.Since(begun), err
		}
		get := "GET /events HTTP/1.1\r\nHost: x\r\n\r\n"
		deaf := p.dial()
		if took, err := after(deaf, get); !errors.Is(err, os.ErrDeadlineExceeded) || took != takesWithin {
			t.Errorf("who takes nothing: %v after %v", err, took)
		}
		reader := p.dial()
		go io.Copy(io.Discard, reader)
		time.AfterFunc(2*time.Hour, func() { reader.Close() })
		if took, err := after(reader, get); took < 2*time.Hour {
			t.Errorf("who takes it: %v after %v", err, took)
		}
		half := p.dial()
		if took, err := after(half, "POST /said HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"); !errors.Is(err, os.ErrDeadlineExceeded) || took != takesWithin {
			t.Errorf("half a body: %v after %v", err, took)
		}
		whole := p.dial()
		if took, err := after(whole, "POST /said HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nsaid"); err != nil || took < time.Hour {
			t.Errorf("a whole one: %v after %v", err, took)
		}
		for _, c := range []net.Conn{deaf, half, whole} {
			c.Close()
		}
		srv.Close()
	})
}

// Over half of the process's file handles nobody new is let in until somebody has gone.
func TestConnectionsLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pipes{make(chan net.Conn)}
		l := newPatient(p)
		l.room = make(chan struct{}, 2)
		in := make(chan net.Conn)
		go func() {
			defer close(in)
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				in <- c
			}
		}()
		go func() {
			for range 3 {
				p.dial()
			}
		}()
		first := <-in
		<-in
		synctest.Wait()
		select {
		case <-in:
			t.Error("a third has come")
		default:
		}
		first.Close()
		first.Close() // counts once
		<-in
		l.Close()
		if _, ok := <-in; ok {
			t.Error("one has come after the end")
		}
	})
}
