package push

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/alert"
)

// small is a broker that takes everything and passes nothing on.
type small struct {
	mu      sync.Mutex
	clients []string
	wills   []string
	got     []string // "topic id"
	line    net.Listener
	open    []net.Conn
}

func (s *small) listen(t *testing.T, at string) string {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.line = l
	s.mu.Unlock()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, c)
			s.mu.Unlock()
			go s.serve(c)
		}
	}()
	return l.Addr().String()
}

func (s *small) serve(c net.Conn) {
	defer c.Close()
	for {
		p, err := packets.ReadPacket(c)
		if err != nil {
			return
		}
		switch p := p.(type) {
		case *packets.ConnectPacket:
			s.note(&s.clients, p.ClientIdentifier)
			s.note(&s.wills, p.WillTopic)
			_ = packets.NewControlPacket(packets.Connack).Write(c)
		case *packets.PublishPacket:
			_, id, _ := strings.Cut(string(p.Payload), `"id":"`)
			id, _, _ = strings.Cut(id, `"`)
			s.note(&s.got, p.TopicName+" "+id)
			ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
			ack.MessageID = p.MessageID
			_ = ack.Write(c)
		case *packets.PingreqPacket:
			_ = packets.NewControlPacket(packets.Pingresp).Write(c)
		}
	}
}

func (s *small) note(in *[]string, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*in = append(*in, what)
}

func (s *small) alerts() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.got {
		if topic, id, _ := strings.Cut(x, " "); strings.HasSuffix(topic, "/alerts") && !slices.Contains(out, id) { // at least once
			out = append(out, id)
		}
	}
	return out
}

func (s *small) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line.Close()
	for _, c := range s.open {
		c.Close()
	}
}

// runs runs a pusher until the test ends.
func runs(t *testing.T, cfg Config) *Pusher {
	t.Helper()
	cfg.Pause = 5 * time.Millisecond
	p := New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return p
}

func critical(n int) alert.Alert {
	return alert.Alert{ID: fmt.Sprintf("BJ1/%d", n), Table: "BJ1", Code: "payout_under", Severity: "critical", Raised: time.Now()}
}

// What is raised while a broker is away comes when it is back, in its order.
func TestWhatIsRaisedWhileTheBrokerIsAwayComes(t *testing.T) {
	s := &small{}
	at := s.listen(t, "127.0.0.1:0")
	b := &board{}
	t.Cleanup(func() { s.close() }) // after the pusher: who parts while a broker is away waits for its last attempt
	p := runs(t, Config{Brokers: []config.MQTT{{URL: "mqtt://" + at}}, Health: b})
	p.Notify(critical(0))
	until(t, "the first", func() bool { return len(s.alerts()) == 1 })
	s.close()
	want := []string{"BJ1/0#open"}
	for n := range 20 {
		p.Notify(critical(n + 1))
		want = append(want, fmt.Sprintf("BJ1/%d#open", n+1))
	}
	until(t, "the problem", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.now[health.PushFailed+" "+at]
	})
	time.Sleep(20 * 5 * time.Millisecond) // more than four attempts take
	s.listen(t, at)
	until(t, "the others", func() bool { return len(s.alerts()) == len(want) })
	if got := s.alerts(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	until(t, "the problem's end", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return !b.now[health.PushFailed+" "+at]
	})
}

// So it is with webhooks; what one refuses is given up after four attempts, and the next comes.
func TestWebhooksAreWaitedFor(t *testing.T) {
	var mu sync.Mutex
	var got []string
	answers, refused := 0, 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body := make([]byte, 4<<10)
		n, _ := r.Body.Read(body)
		answers++
		switch text := string(body[:n]); {
		case answers < 9:
			w.WriteHeader([]int{502, 503, 404, 429}[answers%4])
		case strings.Contains(text, `"BJ1/1"`):
			refused++
			w.WriteHeader(http.StatusUnprocessableEntity)
		default:
			_, id, _ := strings.Cut(text, `"id":"`)
			got = append(got, id[:5])
		}
	}))
	defer srv.Close()
	p := runs(t, Config{Webhooks: []config.Webhook{{URL: srv.URL}}})
	for n := range 3 {
		p.Notify(critical(n))
	}
	until(t, "the last", func() bool { mu.Lock(); defer mu.Unlock(); return len(got) == 2 })
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(got, []string{"BJ1/0", "BJ1/2"}) || refused != attempts {
		t.Errorf("%q, refused %d times", got, refused)
	}
}

// Nodes at one broker have ids and status topics of their own, the same at every start.
func TestNodesAtOneBroker(t *testing.T) {
	s := &small{}
	at := s.listen(t, "127.0.0.1:0")
	defer s.close()
	for _, c := range []Config{{Node: "bank-1", Home: "/srv/a"}, {Node: "bank-2", Home: "/srv/a"}, {Node: "bank-2", Home: "/srv/b"}, {Node: "bank-1", Home: "/srv/a"}} {
		c.Brokers = []config.MQTT{{URL: "mqtt://" + at, Prefix: "casa"}}
		before := len(s.clients)
		t.Run(c.Node+c.Home, func(t *testing.T) {
			runs(t, c)
			until(t, "the connection", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.clients) > before })
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := slices.Clone(s.clients)
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != 3 || s.clients[0] != s.clients[3] || !strings.Contains(s.clients[0], "bank-1") {
		t.Errorf("%d ids: %q", n, s.clients)
	}
	if !slices.Equal(s.wills, []string{"casa/nodes/bank-1/status", "casa/nodes/bank-2/status", "casa/nodes/bank-2/status", "casa/nodes/bank-1/status"}) {
		t.Errorf("status topics %q", s.wills)
	}
}
