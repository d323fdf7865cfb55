package node

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/health"
	"vision/internal/pipeline"
)

// onBus reads all of a stream of the node's as whoever consumes it should: what comes twice has
// one id.
func onBus(t *testing.T, c *redis.Client, stream string) (out []string) {
	t.Helper()
	list, err := c.XRange(t.Context(), "vision:stream:"+stream, "-", "+").Result()
	if err != nil {
		return nil // the server is not up yet
	}
	seen := map[any]bool{}
	for _, m := range list {
		if seen[m.Values["id"]] {
			continue
		}
		seen[m.Values["id"]] = true
		data, _ := m.Values["data"].(string)
		out = append(out, data)
	}
	return out
}

// With a real Redis: a sensor's stream is heard, rounds, alerts and the ledger's
// head are published, and while Redis is down nothing waits for it.
func TestRedisCarriesSensorsAndRounds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about twenty seconds")
	}
	url, start, stop := redisServer(t, true)
	h := newHouse(t, "redis: "+url+"\nsensors: [{name: floor, url: 'redis://casino:wheel', table: R1}]")
	h.seat("R1", "one", "")
	opts, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(opts)
	t.Cleanup(func() { _ = c.Close() })
	n, _ := h.run()
	h.await("the node joins the stream", func() bool {
		g, err := c.XInfoGroups(t.Context(), "casino:wheel").Result()
		return err == nil && len(g) == 1
	})
	send := func(lines ...string) {
		t.Helper()
		for _, l := range lines {
			if err := c.XAdd(t.Context(), &redis.XAddArgs{Stream: "casino:wheel", Values: map[string]any{"line": l}}).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	send("nonsense", "call hagan_juego", "call no_va_mas", "ball 17", "call number number=18", "call hagan_juego")
	h.await("the round on the bus", func() bool { return len(onBus(t, c, pipeline.StreamRounds)) == 1 })
	if p := h.problem(health.SensorMalformed, "floor"); p == nil || !strings.Contains(p.Detail, "nonsense") {
		t.Errorf("malformed line: %+v", p)
	}
	var round struct {
		Table string
		Body  struct{ Record json.RawMessage }
	}
	if err := json.Unmarshal([]byte(onBus(t, c, pipeline.StreamRounds)[0]), &round); err != nil || round.Table != "R1" ||
		!strings.Contains(string(round.Body.Record), `"pocket":"17"`) {
		t.Errorf("round %+v %v", round, err)
	}
	if a := strings.Join(onBus(t, c, busAlerts), " "); !strings.Contains(a, "variance_number") {
		t.Errorf("alerts %s", a)
	}
	h.await("the head on the bus", func() bool {
		heads := onBus(t, c, busLedger)
		return len(heads) > 0 && strings.Contains(heads[len(heads)-1], n.ledger.Head().String())
	})

	stop()
	h.await("the missing Redis is named", func() bool { return h.problem(health.BusDown, "redis") != nil })
	f := h.follow()
	h.quickSpin("R1", "5")
	h.await("a round without Redis", func() bool { return len(f.rounds(t, "R1")) > 0 })
	start()
	h.await("it is caught up", func() bool {
		return len(onBus(t, c, pipeline.StreamRounds)) == 2 && h.problem(health.BusDown, "redis") == nil
	})
}

func TestArrival(t *testing.T) {
	if at := arrival("1772395200123-4"); !at.Equal(time.UnixMilli(1772395200123)) {
		t.Errorf("arrival %v", at)
	}
	if at := arrival("soon"); !at.IsZero() {
		t.Errorf("arrival %v", at)
	}
}
