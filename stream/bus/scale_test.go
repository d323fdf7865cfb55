package bus

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/internal/backoff"
	"vision/internal/testkit/redistest"
)

// What a casino's table says on the bus (docs/scale.md): a round a minute with its record
// and verdict, and now and then something else.
const (
	scaleTables   = 1000
	scaleNodes    = 25 // of forty tables
	roundBytes    = 6000
	otherBytes    = 600
	roundsAMinute = 1.0
	othersAMinute = 0.5
)

// A thousand tables on 25 nodes tell a real Redis of their rounds, and another node takes
// all of it: in real time, each pass of the loop a second, and as fast as it goes, each pass
// a minute of all tables.
func BenchmarkThousandTables(b *testing.B) {
	b.Run("real time", func(b *testing.B) {
		s := newScale(b)
		rng := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			begun := time.Now()
			const perSecond = scaleTables * (roundsAMinute + othersAMinute) / 60
			for i := range int(perSecond) {
				// Tables know nothing of each other: spread over the second, several at once now and then.
				_ = backoff.Sleep(
					b.Context(),
					time.Until(begun.Add(time.Duration((float64(i)+rng.Float64())/perSecond*float64(time.Second)))),
				)
				s.publish(rng.IntN(scaleTables), rng.Float64() < roundsAMinute/(roundsAMinute+othersAMinute))
			}
			_ = backoff.Sleep(b.Context(), time.Until(begun.Add(time.Second)))
		}
		s.report(b)
	})
	b.Run("as fast as it goes", func(b *testing.B) {
		s := newScale(b)
		for b.Loop() {
			for t := range scaleTables {
				s.publish(t, true)
				if t%2 == 0 {
					s.publish(t, false)
				}
			}
			s.wait(b)
		}
		s.report(b)
	})
}

// scale are the nodes' connections, and the one that takes what they say.
type scale struct {
	server *redistest.Server
	nodes  []*Bus
	taker  *Bus

	mu   sync.Mutex
	sent int
	lags []time.Duration
	body []byte
}

func newScale(b *testing.B) *scale {
	b.Helper()
	s := &scale{server: redistest.New(b), body: make([]byte, roundBytes)}
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range s.body { // as compressible as text, which Redis does not compress
		s.body[i] = byte('a' + rng.IntN(26))
	}
	for i := range scaleNodes {
		n := opened(b, Options{URL: s.server.URL(), Node: fmt.Sprintf("node%d", i), Spool: 1 << 28})
		running(b, n)
		s.nodes = append(s.nodes, n)
	}
	s.taker = opened(b, Options{URL: s.server.URL(), Node: "taker"})
	ctx, cancel := context.WithCancel(context.Background())
	var taking sync.WaitGroup
	for _, stream := range []string{"rounds", "notes"} {
		taking.Go(func() {
			_ = s.taker.Consume(ctx, Group{Stream: stream, Group: "all"}, func(_ context.Context, e Event) error {
				lag := time.Since(time.Unix(0, int64(binary.BigEndian.Uint64(e.Data))))
				s.mu.Lock()
				defer s.mu.Unlock()
				s.lags = append(s.lags, lag)
				return nil
			})
		})
	}
	b.Cleanup(func() { cancel(); taking.Wait() })
	return s
}

// publish has a table say something.
func (s *scale) publish(table int, round bool) {
	stream, size := "rounds", roundBytes
	if !round {
		stream, size = "notes", otherBytes
	}
	data := slices.Clone(s.body[:size])
	binary.BigEndian.PutUint64(data, uint64(time.Now().UnixNano()))
	s.nodes[table%len(s.nodes)].Publish(stream, data)
	s.mu.Lock()
	s.sent++
	s.mu.Unlock()
}

// wait until all has been taken.
func (s *scale) wait(b *testing.B) {
	b.Helper()
	until(b, "all was taken", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.lags) == s.sent
	})
}

func (s *scale) report(b *testing.B) {
	b.Helper()
	took := b.Elapsed()
	s.wait(b)
	info, err := s.taker.client.Info(b.Context(), "memory", "cpu").Result()
	if err != nil {
		b.Fatal(err)
	}
	figure := func(name string) float64 {
		_, rest, _ := strings.Cut(info, name+":")
		line, _, _ := strings.Cut(rest, "\r\n")
		v, err := strconv.ParseFloat(line, 64)
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		return v
	}
	slices.Sort(s.lags)
	at := func(share float64) float64 {
		return float64(s.lags[int(share*float64(len(s.lags)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(float64(s.sent)/took.Seconds(), "events/s")
	b.ReportMetric(at(0.5), "ms-lag-p50")
	b.ReportMetric(at(0.95), "ms-lag-p95")
	b.ReportMetric(at(1), "ms-lag-max")
	b.ReportMetric(figure("used_memory")/1e6, "MB-of-redis")
	b.ReportMetric(figure("used_memory")/float64(s.sent), "B/event-of-redis")
	b.ReportMetric((figure("used_cpu_user")+figure("used_cpu_sys"))/float64(s.sent)*1e6, "µs/event-of-redis")
}
