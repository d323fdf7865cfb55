package sensor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/fact"
)

// full is a table that takes no more until it has room; slow is how long each event takes.
type full struct {
	room, refused, malformed int
	slow                     time.Duration
	heard                    []string
}

func (f *full) intake() Intake {
	return Intake{
		Hear: func(s fact.Sensed) error {
			if time.Sleep(f.slow); f.room == 0 {
				return fmt.Errorf("%w: the ledger takes nothing", ErrLater)
			}
			f.room--
			f.heard = append(f.heard, s.ID)
			return nil
		},
		Refused:   func(string, error) { f.refused++ },
		Malformed: func(string, error) { f.malformed++ },
	}
}

// post sends events over HTTP and gives the answer.
func (f *full) post(h *HTTP, body string) (status, accepted int, said, retry string) {
	w := httptest.NewRecorder()
	h.Serve(w, httptest.NewRequest("POST", "/", strings.NewReader(body)), "R1")
	var a struct {
		Accepted int
		Error    string
	}
	_ = json.Unmarshal(w.Body.Bytes(), &a)
	return w.Code, a.Accepted, a.Error, w.Header().Get("Retry-After")
}

const three = `[{"id":"1","kind":"cut"},{"id":"2","kind":"cut"},{"id":"3","kind":"cut"}]`

// Over HTTP what is not taken for now is answered with 503 and Retry-After, and nothing that follows
// it is taken before it; it is no malformed event.
func TestHTTPSaysWhatToSendAgain(t *testing.T) {
	f := &full{room: 1}
	h := NewHTTP(f.intake(), func(string) string { return "" })
	status, accepted, said, retry := f.post(h, three)
	if status != http.StatusServiceUnavailable || accepted != 1 || !strings.Contains(said, "event 1: retry: ") ||
		retry == "" {
		t.Errorf("%d, %d accepted, %q, Retry-After %q", status, accepted, said, retry)
	}
	if f.refused != 1 || f.malformed != 0 {
		t.Errorf("%d refused, %d malformed", f.refused, f.malformed)
	}
	f.room = 10
	if status, accepted, said, _ = f.post(h, three); status != http.StatusAccepted || accepted != 3 {
		t.Errorf("again: %d, %d accepted, %q", status, accepted, said)
	}
	f.room = 0 // a malformed event is told too, and does not hide that the next was not taken
	status, _, said, _ = f.post(h, `[{"id":"4","kind":"bal"},{"id":"5","kind":"cut"}]`)
	if status != http.StatusServiceUnavailable || !strings.Contains(said, "event 0: malformed") ||
		!strings.Contains(said, "event 1: retry") {
		t.Errorf("%d %q", status, said)
	}
}

// A request that takes long is answered before its sender gives up.
func TestHTTPAnswersInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &full{room: 100, slow: 4 * time.Second}
		h := NewHTTP(f.intake(), func(string) string { return "" })
		began := time.Now()
		status, accepted, said, _ := f.post(h, "["+strings.Repeat(`{"kind":"cut"},`, 49)+`{"kind":"cut"}]`)
		if status != http.StatusServiceUnavailable || accepted != 3 || !strings.Contains(said, "event 3: ") ||
			time.Since(began) > 15*time.Second {
			t.Errorf("%d, %d accepted, %q after %v", status, accepted, said, time.Since(began))
		}
	})
}

// On a line it is ERR retry, however often: the connection stays, nothing counts as malformed.
func TestALineIsToBeSentAgain(t *testing.T) {
	f := &full{}
	c := newPort()
	l := &Line{Name: "wheel", Table: "R1", Secret: "s", In: f.intake()}
	done := make(chan error, 1)
	go func() { done <- l.Accept(t.Context(), c) }()
	conn := c.dial()
	in := bufio.NewScanner(conn)
	say := func(line string) string {
		t.Helper()
		fmt.Fprintln(conn, line)
		if !in.Scan() {
			t.Fatalf("after %q: %v", line, in.Err())
		}
		return in.Text()
	}
	if got := say("AUTH wheel s"); got != "OK" {
		t.Fatal(got)
	}
	for n := range 2 * maxRefused {
		if got := say(fmt.Sprintf("id=%d ball 17", n)); !strings.HasPrefix(got, "ERR retry: ") {
			t.Fatalf("line %d: %q", n, got)
		}
	}
	f.room = 1
	if got := say("id=x ball 17"); got != "OK x" {
		t.Errorf("with room: %q", got)
	}
	if f.malformed != 0 || f.refused != 2*maxRefused {
		t.Errorf("%d malformed, %d refused", f.malformed, f.refused)
	}
	conn.Close()
	c.Close()
	<-done
}

// A message of a stream is an error until it is taken: it is not acknowledged, and comes again.
// One that will never be taken is not.
func TestAMessageComesAgain(t *testing.T) {
	f := &full{}
	s := &Stream{Name: "floor", Table: "R1", In: f.intake()}
	ball := map[string]string{"line": "ball 17"}
	for range 2 {
		if err := s.Message("1-0", time.Now(), ball); !errors.Is(err, ErrLater) {
			t.Errorf("a message that is not taken: %v", err)
		}
	}
	if err := s.Message("2-0", time.Now(), map[string]string{"line": "bal 17"}); err != nil || f.malformed != 1 {
		t.Errorf("one that makes no sense: %v, %d malformed", err, f.malformed)
	}
	f.room = 1
	if err := s.Message("1-0", time.Now(), ball); err != nil || len(f.heard) != 1 || f.heard[0] != "1-0" {
		t.Errorf("with room: %v, heard %v", err, f.heard)
	}
	if f.malformed != 1 || f.refused != 2 {
		t.Errorf("%d malformed, %d refused", f.malformed, f.refused)
	}
}
