package track_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// facts makes an arbitrary sequence of facts of bytes: any zone, any time
// within a minute of the last, any cards, chips and dice, any line.
type facts struct {
	data []byte
	now  time.Time
	n    int
}

func (f *facts) next() byte {
	if f.n >= len(f.data) {
		return 0
	}
	f.n++
	return f.data[f.n-1]
}

func (f *facts) of(list []string) string { return list[int(f.next())%len(list)] }

func (f *facts) at() time.Time {
	return f.now.Add(time.Duration(int(f.next())-100) * 37 * time.Millisecond)
}

var (
	fuzzZones = []string{"bank", "seat:1", "seat:1/2", "seat:2", "punto", "banca", "dice", "layout", "seat:1 main",
		"seat:1 split:2", "seat:1 double", "seat:2 punto", "seat:1 win", "seat:1 field", "seat:1 pay", "nowhere", ""}
	fuzzCards = []string{"As", "7h", "7h", "Kd", "BK", "Jk", "1O", "??", "", "nonsense"}
	fuzzChips = []string{"e1", "e5", "e25", "color1", "color2", "unknown"}
	fuzzCalls = []string{"no_va_mas", "hagan_juego", "number", "null_throw", "total", "puntos_banca", "ganador", "x"}
	fuzzKinds = []string{
		"announce",
		"announce",
		"ball",
		"card",
		"dice",
		"action",
		"incident",
		"shuffle",
		"round",
		"odd",
	}
)

func (f *facts) observation() fact.Observation {
	o := fact.Observation{Zone: f.of(fuzzZones), Time: f.at(), Since: f.at()}
	o.Kind = []fact.Kind{
		fact.Stable, fact.Stable, fact.Stable, fact.PartialReading, fact.MotionStarted, fact.Gap, fact.Moved,
		fact.Blind, fact.Watermark,
	}[int(f.next())%9]
	o.OK = f.next()%2 == 0
	if f.next()%16 == 0 {
		o.Note = "occluded"
	}
	for range f.next() % 5 {
		o.Cards = append(o.Cards, fact.Card{
			Guesses: []fact.Guess{
				{Label: f.of(fuzzCards), P: float64(f.next()) / 200},
				{Label: f.of(fuzzCards), P: 0.1},
			},
			At: fact.Point{float64(f.next()) * 4, float64(f.next()) * 4},
		})
	}
	for range f.next() % 4 {
		s := fact.Stack{
			Low:  int(f.next()) - 5,
			High: int(f.next()),
			P:    float64(f.next()) / 200,
			At:   fact.Point{float64(f.next()) * 8, float64(f.next()) * 8},
		}
		for range f.next() % 4 {
			s.Chips = append(s.Chips, f.of(fuzzChips))
		}
		o.Chips = append(o.Chips, s)
	}
	for range f.next() % 4 {
		o.Dice = append(
			o.Dice,
			fact.Die{
				Guesses: []fact.Guess{{Label: fmt.Sprint(f.next() % 9), P: 0.9}},
				At:      fact.Point{float64(f.next()), 0},
			},
		)
	}
	return o
}

func (f *facts) sensed() fact.Sensed {
	return fact.Sensed{Source: "fuzz", Time: f.at(), Kind: f.of(fuzzKinds), Args: map[string]any{
		"call": f.of(fuzzCalls), "by": "croupier", "zone": f.of(fuzzZones), "points": float64(f.next()),
	}}
}

// Whatever is told, the tracker neither panics nor grows without bound.
func FuzzTracker(f *testing.F) {
	f.Add(uint8(0), []byte("a hand of cards and some chips, told in no order at all"))
	f.Add(uint8(3), []byte{7, 1, 2, 3, 4, 5, 6, 200, 0, 0, 9})
	f.Fuzz(func(t *testing.T, game uint8, data []byte) {
		g := games[int(game)%len(games)]
		tr := trackerOf(t, g, nil)
		in := &facts{data: data, now: tracktest.Start}
		for in.n < len(in.data) && in.n < 1<<14 {
			in.now = in.now.Add(time.Duration(in.next()) * 20 * time.Millisecond)
			if in.next()%3 == 0 {
				tr.Hear(in.sensed())
			} else {
				tr.Observe(in.observation())
			}
			if in.next()%4 == 0 {
				tr.Advance(in.now)
			}
		}
		tr.Advance(in.now.Add(time.Hour))
		if n := len(tr.Snapshot()); n > 1<<23 {
			t.Fatalf("the state has grown to %d bytes", n)
		}
	})
}

// The state of a table does not grow with the length of the day, and a fact
// costs no more in the evening than in the morning.
func TestStateIsBounded(t *testing.T) {
	tr := trackerOf(t, "punto_banco", nil)
	now, largest := tracktest.Start, 0
	var seed [8]byte
	for i := range 6000 {
		binary.LittleEndian.PutUint64(seed[:], uint64(i)*0x9e3779b97f4a7c15)
		in := &facts{data: append(seed[:], seed[3], seed[1], seed[6], 0, 0, 0, 0, 0, 1, 1, 1, 3, 2, 4), now: now}
		tr.Observe(in.observation())
		now = now.Add(80 * time.Millisecond)
		if i%10 == 0 { // what time makes of it is not what grows
			tr.Advance(now)
		}
		if i%500 == 0 {
			largest = max(largest, len(tr.Snapshot()))
		}
	}
	if largest > 4<<20 {
		t.Errorf("the state grew to %d bytes", largest)
	}
}

func TestSnapshotOfAnotherTableIsRefused(t *testing.T) {
	tr := trackerOf(t, "dados_craps", nil)
	other := trackerOf(t, "dados_craps", func(c *track.Config) { c.Table = "T9" })
	if err := tr.Restore(other.Snapshot(), tracktest.Start); err == nil {
		t.Error("the snapshot of another table was taken over")
	}
	if err := tr.Restore([]byte("{"), tracktest.Start); err == nil {
		t.Error("a broken snapshot was taken over")
	}
}
