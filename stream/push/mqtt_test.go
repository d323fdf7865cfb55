package push

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/testkit/porttest"
	"vision/internal/text"
	"vision/stream/alert"
)

// broker runs Eclipse's own on a free port until the test ends.
func broker(t *testing.T, port string) {
	t.Helper()
	program, err := exec.LookPath("mosquitto")
	if err != nil {
		if program = "/usr/sbin/mosquitto"; !there(program) {
			t.Skip("skipped: needs mosquitto, which `make test` installs")
		}
	}
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(file, []byte("listener "+port+" 127.0.0.1\nallow_anonymous true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	until(t, "the broker", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func there(path string) bool { _, err := os.Stat(path); return err == nil }

func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: waited in vain", what)
		}
	}
}

// heard is what Paho's own client hears of all topics, as "topic payload".
func heard(t *testing.T, port string) <-chan string {
	t.Helper()
	out := make(chan string, 50)
	sub := newPublisher(config.MQTT{URL: "mqtt://127.0.0.1:" + port, Prefix: "listener"}, Config{Node: "listener", Pause: 10 * time.Millisecond})
	sub.open()
	t.Cleanup(sub.close)
	until(t, "the listener", sub.client.IsConnectionOpen)
	token := sub.client.Subscribe("vision/#", atLeastOnce, func(_ mqtt.Client, m mqtt.Message) {
		out <- m.Topic() + " " + string(m.Payload())
	})
	if !token.WaitTimeout(10*time.Second) || token.Error() != nil {
		t.Fatal("subscribe: ", token.Error())
	}
	return out
}

func next(t *testing.T, from <-chan string) string {
	t.Helper()
	select {
	case s := <-from:
		return s
	case <-time.After(3 * time.Minute):
		t.Fatal("nothing was published")
		return ""
	}
}

// Alerts come to a real broker as CloudEvents, each step once; that the node is there and
// gone too; a broker that is away is named, tried again, and gets what comes then.
func TestAlertsAreEventsAtABroker(t *testing.T) {
	port := porttest.Port(t)
	b := &board{}
	cfg := Config{Brokers: []config.MQTT{{URL: "mqtt://127.0.0.1:" + port, Severity: "major"}}, Source: "/vision/casa-1", Node: "bank-1", Health: b,
		Pause: 10 * time.Millisecond}
	p := New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Run(ctx) }()
	ended := func() { cancel(); <-done }
	defer ended()
	at := time.Date(2026, 11, 25, 21, 0, 0, 0, time.UTC)
	lost := alert.Alert{ID: "BJ1/0", Table: "BJ1", Code: "payout_under", Severity: "critical", Raised: at}
	p.Notify(lost) // nobody is there yet
	until(t, "the missing broker is named", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.now[health.PushFailed+" 127.0.0.1:"+port]
	})
	broker(t, port)
	said := heard(t, port)
	for !strings.HasPrefix(next(t, said), "vision/nodes/bank-1/status online") { // what was tried again may come before
	}
	p.Notify(alert.Alert{ID: "BJ1/1", Table: "BJ1", Code: "payout_under", Severity: "minor", Raised: at}) // too little
	a := alert.Alert{ID: "BJ1/2", Table: "BJ1", Code: "payout_under", Severity: "critical", Seat: 3, Raised: at, Localized: text.Localized{ES: "Paga 10,00 €"}}
	p.Notify(a)
	p.Notify(a)
	line := next(t, said)
	for strings.Contains(line, `"id":"BJ1/0#open"`) || strings.HasPrefix(line, "vision/nodes/") {
		line = next(t, said)
	}
	topic, body, _ := strings.Cut(line, " ")
	var e struct {
		SpecVersion, ID, Source, Type, Subject, DataContentType string
		Time                                                    time.Time
		Data                                                    struct {
			State, Code, ES string
			Seat            int
		}
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if topic != "vision/tables/BJ1/alerts" || e.SpecVersion != "1.0" || e.ID != "BJ1/2#open" || e.Source != "/vision/casa-1" ||
		e.Type != EventType || e.Subject != "BJ1" || e.DataContentType != "application/json" || !e.Time.Equal(at) ||
		e.Data.State != "open" || e.Data.Code != "payout_under" || e.Data.Seat != 3 || e.Data.ES != a.ES {
		t.Errorf("%s: %+v", topic, e)
	}
	ended()
	if got := next(t, said); got != "vision/nodes/bank-1/status offline" {
		t.Errorf("at the end: %q", got)
	}
}
