package sim

import (
	"testing"
	"time"

	"vision/internal/av"
	"vision/internal/lab/sim/condition"
)

// BenchmarkPlayed is what a second of the demonstration's play costs the processor: four tables
// with calm cameras, drawn and encoded as Serve does, a minute each.
func BenchmarkPlayed(b *testing.B) {
	house, err := condition.Named(condition.House)
	if err != nil {
		b.Fatal(err)
	}
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"} {
		b.Run(game, func(b *testing.B) {
			tbl, err := New(Config{Game: game, Seed: 1, FPS: 8, Condition: house, Calm: true})
			if err != nil {
				b.Fatal(err)
			}
			defer tbl.Close()
			enc, err := tbl.NewEncoder(av.EncoderOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer enc.Close()
			most, keyed := newThrift(8).most, -calmKeys
			b.ResetTimer()
			for range b.N {
				for end := tbl.n + 60*8; tbl.n < end; {
					at := seconds(float64(tbl.n) / 8)
					if at-keyed >= calmKeys {
						enc.ForceKey()
						tbl.lens.fresh, keyed = true, at
					}
					f, err := tbl.Step()
					if err != nil {
						b.Fatal(err)
					}
					if _, err := encode(enc, f, at); err != nil {
						b.Fatal(err)
					}
					if tbl.calm() {
						tbl.n += most - 1
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed()/time.Microsecond)/1000/60/float64(b.N), "ms/s")
		})
	}
}
