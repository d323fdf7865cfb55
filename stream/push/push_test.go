package push

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/internal/config"
	"vision/internal/testkit/porttest"
	"vision/internal/testkit/tlstest"
	"vision/internal/text"
	"vision/internal/trust"
	"vision/stream/alert"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type board struct {
	mu  sync.Mutex
	set []string
	now map[string]bool
}

func (b *board) Set(code, _, object, detail string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now == nil {
		b.now = map[string]bool{}
	}
	b.set, b.now[code+" "+object] = append(b.set, detail), true
}

func (b *board) Clear(code, object string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.now, code+" "+object)
}

func run(t *testing.T, cfg Config) *Pusher {
	t.Helper()
	cfg.Pause = 10 * time.Millisecond
	p := New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		p.cfg.Client.CloseIdleConnections()
	})
	return p
}

func TestWebhook(t *testing.T) {
	type call struct {
		body []byte
		sig  string
	}
	calls := make(chan call, 10)
	fails := 2
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if fails > 0 {
			fails--
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		calls <- call{b, r.Header.Get(SignatureHeader)}
	}))
	defer srv.Close()
	hb := &board{}
	p := run(t, Config{Webhooks: []config.Webhook{{URL: srv.URL + "/secret-path", Secret: "s", Severity: "major"}}, Health: hb})
	a := alert.Alert{ID: "1", Table: "BJ1", Severity: "critical", Localized: text.Localized{ES: "Paga 10 €"}, Code: "payout_under"}
	p.Notify(alert.Alert{ID: "0", Severity: "minor"}) // not grave enough
	p.Notify(a)
	p.Notify(a) // shown again, after a note say
	done := a
	done.Ack = &alert.Ack{By: "ana"}
	p.Notify(done)
	a.Escalated = time.Now()
	p.Notify(a)
	for _, state := range []string{"open", "escalated"} {
		select {
		case c := <-calls:
			var got struct{ ID, State, ES string }
			m := hmac.New(sha256.New, []byte("s"))
			m.Write(c.body)
			if err := json.Unmarshal(c.body, &got); err != nil || got.ID != "1" || got.State != state || got.ES != "Paga 10 €" ||
				c.sig != "sha256="+hex.EncodeToString(m.Sum(nil)) {
				t.Errorf("%v: %s %s", err, c.body, c.sig)
			}
		case <-time.After(3 * time.Minute):
			t.Fatal("nothing came")
		}
	}
	select {
	case c := <-calls:
		t.Errorf("told again: %s", c.body)
	case <-time.After(50 * time.Millisecond):
	}
	hb.mu.Lock()
	defer hb.mu.Unlock()
	if len(hb.set) != 2 || len(hb.now) != 0 || strings.Contains(strings.Join(hb.set, ""), "secret-path") {
		t.Errorf("health %v, now %v", hb.set, hb.now)
	}
}

func TestAReceiverThatIsGone(t *testing.T) {
	addr := porttest.Address(t)
	hb := &board{}
	p := run(t, Config{Webhooks: []config.Webhook{{URL: "http://" + addr + "/token"}}, Mails: []config.Mail{{Server: addr, From: "a@b", To: []string{"c@d"}}}, Health: hb})
	for i := range queueSize * 3 { // never waits, never grows
		p.Notify(alert.Alert{ID: fmt.Sprint(i), Severity: "critical"})
	}
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		hb.mu.Lock()
		n, text := len(hb.now), strings.Join(hb.set, "\n")
		hb.mu.Unlock()
		if strings.Contains(text, "/token") {
			t.Fatal("the webhook's path is told: it may be secret")
		}
		if n > 0 && strings.Contains(text, "refused") && strings.Contains(text, "dropped") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("health %s", text)
		}
	}
}

// post is a mail server that takes one message.
func post(t *testing.T) (addr string, got <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	out := make(chan string, 4)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if text := taken(c); text != "" {
				out <- text
			}
		}
	}()
	return l.Addr().String(), out
}

// taken is the mail that comes over a connection; "" where none does.
func taken(c net.Conn) string {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(s string) { fmt.Fprintf(c, "%s\r\n", s) }
	say("220 test")
	var text strings.Builder
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			return ""
		case strings.HasPrefix(line, "EHLO"):
			say("250 test")
		case strings.HasPrefix(line, "DATA"):
			say("354 go on")
			for line, err = in.ReadString('\n'); err == nil && line != ".\r\n"; line, err = in.ReadString('\n') {
				text.WriteString(line)
			}
			say("250 kept")
		case strings.HasPrefix(line, "QUIT"):
			say("221 bye")
			return text.String()
		default:
			say("250 ok")
		}
	}
}

func TestMail(t *testing.T) {
	addr, got := post(t)
	p := run(t, Config{Language: "es", Mails: []config.Mail{{Server: addr, From: "vision@casino.example", To: []string{"sala@casino.example", "jefe@casino.example"}, Link: "https://console.example/"}}})
	p.Notify(alert.Alert{ID: "1", Table: "BJ1\r\nBcc: x@y", Severity: "critical", Localized: text.Localized{ES: "Paga 10,00 €; debía pagar 15,00 €"}, Rule: "cantabria-2010 A.4", At: time.Now()})
	select {
	case raw := <-got:
		m, err := mail.ReadMessage(strings.NewReader(raw))
		if err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		body, _ := io.ReadAll(m.Body)
		if m.Header.Get("Bcc") != "" || m.Header.Get("To") != "sala@casino.example, jefe@casino.example" || !strings.Contains(string(body), "debía pagar 15,00 €") || !strings.Contains(string(body), "https://console.example/review") {
			t.Errorf("%v\n%s", m.Header, body)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("no mail")
	}
}

// A person gets one mail of an incident, and of the part that is grave enough where the first was not; a
// program gets every alert.
func TestMail_onceOfAnIncident(t *testing.T) {
	addr, got := post(t)
	p := run(t, Config{Language: "es", Mails: []config.Mail{{Server: addr, From: "vision@casino.example", To: []string{"sala@casino.example"}, Severity: "major"}}})
	for _, a := range []alert.Alert{
		{ID: "1", Severity: "minor", Localized: text.Localized{ES: "demasiado leve"}},
		{ID: "2", Incident: "1", Severity: "critical", Localized: text.Localized{ES: "la primera grave"}},
		{ID: "3", Incident: "1", Severity: "critical", Localized: text.Localized{ES: "otra parte"}},
		{ID: "4", Severity: "critical", Localized: text.Localized{ES: "otro incidente"}},
	} {
		p.Notify(a)
	}
	for _, want := range []string{"la primera grave", "otro incidente"} {
		select {
		case raw := <-got:
			m, err := mail.ReadMessage(strings.NewReader(raw))
			if err != nil {
				t.Fatalf("%v: %s", err, raw)
			}
			if body, _ := io.ReadAll(m.Body); !strings.Contains(string(body), want) {
				t.Errorf("%s; want %q", body, want)
			}
		case <-time.After(3 * time.Minute):
			t.Fatalf("no mail of %q", want)
		}
	}
}

// Receivers by TLS: those of the house's own authority are known, others are not told.
func TestReceiversOfTheHouse(t *testing.T) {
	house := tlstest.New(t)
	pair, err := tls.LoadX509KeyPair(house.Issue("receiver"))
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 10)
	srv := httptest.NewUnstartedServer(
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.URL.Path }),
	)
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{pair}} // httptest has one of its own where there is none
	srv.StartTLS()
	defer srv.Close()
	known, err := trust.Client(house.File, "", "")
	if err != nil {
		t.Fatal(err)
	}
	strangers := run(t, Config{Webhooks: []config.Webhook{{URL: srv.URL + "/strangers"}}, Pause: time.Millisecond})
	strangers.Notify(alert.Alert{ID: "1", Severity: "critical"})
	p := run(t, Config{Webhooks: []config.Webhook{{URL: srv.URL + "/house"}}, TLS: known})
	p.Notify(alert.Alert{ID: "2", Severity: "critical"})
	select {
	case path := <-told:
		if path != "/house" {
			t.Errorf("%s was told without knowing whom", path)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("nobody was told")
	}
}

// Receivers change while alerts are sent: those that stay keep what waits for them, one that goes
// is no problem any more, and none is told twice.
func TestReceiversChange(t *testing.T) {
	stays, comes := newHook(t), newHook(t)
	b := &board{}
	cfg := Config{Health: b, Webhooks: []config.Webhook{{URL: stays.url}, {URL: "http://127.0.0.1:1/gone"}}}
	p := run(t, cfg)
	p.Notify(alert.Alert{ID: "a", Severity: "critical"})
	stays.want(t, "a")
	within(t, "the dead one is named", func() bool { return b.has("push_failed 127.0.0.1:1") })
	cfg.Pause, cfg.Webhooks = 10*time.Millisecond, []config.Webhook{{URL: stays.url}, {URL: comes.url}}
	p.Set(cfg)
	if b.has("push_failed 127.0.0.1:1") {
		t.Error("a receiver that has gone is still a problem")
	}
	p.Notify(alert.Alert{ID: "a", Severity: "critical"})
	p.Notify(alert.Alert{ID: "b", Severity: "critical"})
	stays.want(t, "a", "b")
	comes.want(t, "b")
}

func (b *board) has(problem string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now[problem]
}

// hook is a receiver that keeps the ids of what it is posted.
type hook struct {
	url string
	ids chan string
	got []string
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{ids: make(chan string, 10)}
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var a alert.Alert
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		h.ids <- a.ID
	}))
	t.Cleanup(srv.Close)
	h.url = srv.URL
	return h
}

// want waits until these were posted, in this order and no others.
func (h *hook) want(t *testing.T, ids ...string) {
	t.Helper()
	for len(h.got) < len(ids) {
		select {
		case id := <-h.ids:
			h.got = append(h.got, id)
		case <-time.After(3 * time.Minute):
			t.Fatalf("posted: %v; want %v", h.got, ids)
		}
	}
	if !slices.Equal(h.got, ids) {
		t.Fatalf("posted: %v; want %v", h.got, ids)
	}
}

func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > 3*time.Minute {
			t.Fatal(what)
		}
	}
}

// The picture of the moment goes to who wants it; without one, and for who does not, an alert
// is told all the same.
func TestPusher_showsTheMoment(t *testing.T) {
	got := make(chan string, 8)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var a told
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		got <- fmt.Sprintf("%s %s %s", r.URL.Path, a.ID, a.Picture)
	}))
	defer srv.Close()
	p := run(t, Config{Webhooks: []config.Webhook{{URL: srv.URL + "/seen", Picture: true}, {URL: srv.URL + "/plain"}},
		Moment: func(_ context.Context, a alert.Alert) ([]byte, error) {
			if a.ID == "dark" {
				return nil, errors.New("nothing was recorded then")
			}
			return []byte("JPEG of " + a.Clip.Camera), nil
		}})
	clip := &alert.Clip{Camera: "bj1"}
	for _, a := range []alert.Alert{{ID: "a", Clip: clip}, {ID: "dark", Clip: clip}, {ID: "disk"}} {
		a.Severity = "critical"
		p.Notify(a)
	}
	want := []string{"/plain a ", "/plain dark ", "/plain disk ", "/seen a JPEG of bj1", "/seen dark ", "/seen disk "}
	var all []string
	for range want {
		all = append(all, <-got)
	}
	if slices.Sort(all); !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
}
