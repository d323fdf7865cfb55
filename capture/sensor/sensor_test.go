package sensor

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vision/internal/fact"
	"vision/internal/testkit/porttest"
	"vision/internal/testkit/tlstest"
	"vision/internal/trust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// ear keeps what was heard.
type ear struct {
	mu        sync.Mutex
	heard     []fact.Sensed
	malformed []string
	skewed    []time.Duration
}

func (e *ear) intake() Intake {
	return Intake{
		Hear: func(s fact.Sensed) error {
			if s.Table == "NONE" {
				return errors.New(`no table "NONE"`)
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			e.heard = append(e.heard, s)
			return nil
		},
		Malformed: func(_ string, err error) { e.mu.Lock(); e.malformed = append(e.malformed, err.Error()); e.mu.Unlock() },
		Skewed:    func(_ string, by time.Duration) { e.mu.Lock(); e.skewed = append(e.skewed, by); e.mu.Unlock() },
		Now:       func() time.Time { return noon },
	}
}

func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		line string
		want fact.Sensed
	}{
		{"ball 17", fact.Sensed{Kind: "ball", Args: map[string]any{"pocket": "17"}}},
		{"t=2026-11-21T12:00:00.25Z id=7 table=R1 ball 00", fact.Sensed{Time: noon.Add(250 * time.Millisecond), ID: "7", Table: "R1", Kind: "ball", Args: map[string]any{"pocket": "00"}}},
		{"call no_va_mas by=croupier", fact.Sensed{Kind: "announce", Args: map[string]any{"call": "no_va_mas", "by": "croupier"}}},
		{"call puntos zone=banca points=7", fact.Sensed{Kind: "announce", Args: map[string]any{"call": "puntos", "zone": "banca", "points": 7}}},
		{"card As zone=bank face=up", fact.Sensed{Kind: "card", Args: map[string]any{"card": "As", "zone": "bank", "face": "up"}}},
		{"dice 3,4", fact.Sensed{Kind: "dice", Args: map[string]any{"faces": []int{3, 4}}}},
		{"action double seat=2", fact.Sensed{Kind: "action", Args: map[string]any{"action": "double", "seat": 2}}},
		{"burn 5", fact.Sensed{Kind: "burn", Args: map[string]any{"count": 5}}},
		{"  cut_card  id=x ", fact.Sensed{Kind: "cut_card", ID: "x", Args: map[string]any{}}},
	} {
		got, err := ParseLine(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.line, d)
		}
	}
}

func TestRefusesLines(t *testing.T) {
	for line, want := range map[string]string{
		"":                             "empty line",
		"spin 17":                      "no word of a line",
		"ball":                         "like ball 17",
		"ball 17 18":                   "name=value",
		"dice 3,9":                     "faces like 3,4",
		"dice x":                       "faces like 3,4",
		"burn many":                    "no count",
		"t=noon ball 17":               "RFC 3339",
		"call puntos points=seven":     "no integer",
		"call =x":                      "name=value",
		strings.Repeat("a", MaxLine+1): "the limit is",
	} {
		if _, err := ParseLine(line); !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want it to say %q", line, err, want)
		}
	}
}

func TestHTTP(t *testing.T) {
	e := &ear{}
	h := NewHTTP(e.intake(), func(table string) string { return map[string]string{"R1": "s3cret"}[table] })
	post := func(table, token, body string, trusted bool) (int, string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		if trusted || h.Known(w, r, table) {
			h.Serve(w, r, table)
		}
		return w.Code, w.Body.String()
	}
	for _, c := range []struct {
		table, token, body string
		trusted            bool
		want               int
		says               string
	}{
		{"R1", "s3cret", `{"id":"1","time":"2026-11-21T11:59:59Z","kind":"ball","args":{"pocket":"17"}}`, false, 202, `"accepted":1`},
		{"R1", "s3cret", `[{"kind":"announce","args":{"call":"no_va_mas"}},{"kind":"cut"}]`, false, 202, `"accepted":2`},
		{"R1", "wrong", `{"kind":"cut"}`, false, 401, "token"},
		{"R1", "", `{"kind":"cut"}`, false, 401, "token"},
		{"BJ1", "", `{"kind":"cut"}`, false, 401, "token"},
		{"BJ1", "", `{"kind":"cut"}`, true, 202, `"accepted":1`},
		{"R1", "s3cret", `{"kind":"cut"`, false, 400, "malformed"},
		{"R1", "s3cret", `{"kind":"cut","colour":1}`, false, 400, "colour"},
		{"R1", "s3cret", `{"kind":"cut"}{"kind":"cut"}`, false, 400, "more than one"},
		{"R1", "s3cret", `[{"kind":"cut"},{"kind":"sing"},{"kind":"ball"}]`, false, 400, "event 1"},
		{"R1", "s3cret", `{"table":"BJ1","kind":"cut"}`, false, 400, "request for table"},
		{"R1", "s3cret", `"` + strings.Repeat("x", maxBody) + `"`, false, 413, "fewer events"},
		{"NONE", "", `{"kind":"cut"}`, true, 400, "no table"},
	} {
		code, body := post(c.table, c.token, c.body, c.trusted)
		if code != c.want || !strings.Contains(body, c.says) {
			t.Errorf("%s %.60s: %d %s; want %d saying %q", c.table, c.body, code, body, c.want, c.says)
		}
	}
	if len(e.heard) != 5 {
		t.Errorf("heard %d events, want 5: %+v", len(e.heard), e.heard)
	}
	if got := e.heard[0]; got.Time != noon.Add(-time.Second) || got.Received != noon || got.Table != "R1" {
		t.Errorf("first event %+v", got)
	}
}

func TestClocksThatAreOff(t *testing.T) {
	e := &ear{}
	in := e.intake()
	in.defaults()
	for _, d := range []time.Duration{-time.Hour, -time.Minute, time.Second, time.Minute} {
		if err := in.take(fact.Sensed{Table: "R1", Kind: "cut", Time: noon.Add(d)}); err != nil {
			t.Fatal(err)
		}
	}
	want := []time.Time{noon, noon.Add(-time.Minute), noon.Add(time.Second), noon}
	for i, s := range e.heard {
		if s.Time != want[i] {
			t.Errorf("event %d at %v, want %v", i, s.Time, want[i])
		}
	}
	if len(e.skewed) != 2 {
		t.Errorf("%d clocks called off, want 2", len(e.skewed))
	}
}

func serve(t *testing.T, e *ear) (addr string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	l := &Line{Name: "wheel", Table: "R1", Secret: "s3cret", In: e.intake()}
	go func() { defer close(done); l.Accept(ctx, ln) }()
	t.Cleanup(func() { cancel(); <-done })
	return ln.Addr().String()
}

func TestTCP(t *testing.T) {
	e := &ear{}
	c, err := net.Dial("tcp", serve(t, e))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewScanner(c)
	for _, step := range []struct{ send, want string }{
		{"AUTH wheel s3cret", "OK"},
		{"id=1 ball 17", "OK 1"},
		{"bal 17", "ERR malformed"},
		{"table=BJ1 id=2 call seguro", "OK 2"},
		{"# a remark\nid=3 cut", "OK 3"},
	} {
		fmt.Fprintln(c, step.send)
		if !in.Scan() || !strings.HasPrefix(in.Text(), step.want) {
			t.Fatalf("%q: got %q, want %q", step.send, in.Text(), step.want)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.heard) != 3 || e.heard[0].Table != "R1" || e.heard[1].Table != "BJ1" || e.heard[0].Source != "wheel" ||
		len(e.malformed) != 1 {
		t.Errorf("heard %+v, refused %v", e.heard, e.malformed)
	}
}

// By TLS the sensor sees whom it tells, and nobody listens; without it nothing is taken.
func TestTLS(t *testing.T) {
	house := tlstest.New(t)
	cert, key := house.Issue("console")
	own, err := trust.Server(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	addr := porttest.Address(t)
	e := &ear{}
	up := make(chan bool, 1)
	l := &Line{Name: "wheel", Table: "R1", Secret: "s3cret", TLS: own, In: e.intake(), State: func(is bool, _ error) {
		if is {
			up <- true
		}
	}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx, "tls://"+addr) }()
	defer func() { cancel(); <-done }()
	<-up
	mine, err := trust.Client(house.File, "", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := tls.Dial("tcp", addr, mine)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "AUTH wheel s3cret\nid=1 ball 17\n")
	in := bufio.NewScanner(c)
	for _, want := range []string{"OK", "OK 1"} {
		if !in.Scan() || in.Text() != want {
			t.Fatalf("%q, want %q: %v", in.Text(), want, in.Err())
		}
	}
	plain, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	fmt.Fprint(plain, "AUTH wheel s3cret\nid=2 ball 18\n")
	if got, _ := io.ReadAll(plain); strings.Contains(string(got), "OK") {
		t.Errorf("in the clear: %q", got)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.heard) != 1 || e.heard[0].ID != "1" {
		t.Errorf("heard %+v", e.heard)
	}
}

func TestTCPWantsASecret(t *testing.T) {
	e := &ear{}
	addr := serve(t, e)
	for _, hello := range []string{"AUTH wheel wrong", "ball 17", "AUTH wheel", "AUTH other s3cret"} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "%s\nball 17\n", hello)
		got, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(got), "ERR AUTH") {
			t.Errorf("%q: got %q, %v", hello, got, err)
		}
		c.Close()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.heard) != 0 {
		t.Errorf("heard %+v without a secret", e.heard)
	}
}

func TestSerialPortThatIsNotThere(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var got error
	l := &Line{Name: "shoe", In: (&ear{}).intake(), State: func(_ bool, err error) {
		got = err
		cancel()
	}}
	l.Run(ctx, "serial:///dev/ttyNONE?baud=19200")
	if got == nil || !strings.Contains(got.Error(), "/dev/ttyNONE") || !strings.Contains(got.Error(), "check the cable") {
		t.Errorf("got %v", got)
	}
}

func TestRedisStream(t *testing.T) {
	e := &ear{}
	s := &Stream{Name: "floor", Table: "R1", In: e.intake()}
	at := noon.Add(-time.Second)
	s.Message("1-0", at, map[string]string{"line": "ball 17", "table": "R2"})
	s.Message("2-0", at, map[string]string{"text": "x"})
	s.Message("3-0", at, map[string]string{"line": "nonsense"})
	s.Message("4-0", at, map[string]string{"line": "id=9 ball 3"})
	s.Message("5-0", at, map[string]string{"data": `{"id":"7","kind":"ball","args":{"pocket":"5"}}`})
	s.Message("6-0", noon.Add(-time.Hour), map[string]string{"line": "ball 30"})
	if len(e.heard) != 3 || e.heard[0].Table != "R2" || e.heard[0].ID != "1-0" || e.heard[1].Table != "R1" ||
		e.heard[1].ID != "9" ||
		e.heard[2].ID != "7" {
		t.Errorf("heard %+v", e.heard)
	}
	for _, h := range e.heard {
		if !h.Time.Equal(at) || h.Source != "floor" {
			t.Errorf("heard %+v, want the stream's time", h)
		}
	}
	if len(e.malformed) != 3 || !strings.Contains(e.malformed[2], ErrStale.Error()) {
		t.Errorf("refused %v", e.malformed)
	}
}

func FuzzParseLine(f *testing.F) {
	for _, s := range []string{"t=2026-11-21T12:00:00Z id=7 table=R1 ball 00", "dice 3,4", "call puntos zone=banca points=7", "=", "ball a=b="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, err := ParseLine(line)
		if err != nil {
			if !errors.Is(err, ErrForm) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if _, ok := kinds[s.Kind]; !ok {
			t.Fatalf("accepted kind %q", s.Kind)
		}
	})
}

func FuzzHTTPBody(f *testing.F) {
	f.Add(`[{"kind":"cut"}]`)
	f.Add(`{"id":"1","time":"2026-11-21T11:59:59Z","kind":"ball","args":{"pocket":"17"}}`)
	f.Fuzz(func(t *testing.T, body string) {
		h := NewHTTP((&ear{}).intake(), func(string) string { return "" })
		w := httptest.NewRecorder()
		h.Serve(w, httptest.NewRequest("POST", "/", strings.NewReader(body)), "R1")
		if w.Code != http.StatusAccepted && !strings.Contains(w.Body.String(), `"error"`) {
			t.Fatalf("%d without a word", w.Code)
		}
	})
}
