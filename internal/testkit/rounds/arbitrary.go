package rounds

import (
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/validate/round"
)

// Tape turns the bytes of a fuzzer into choices; it gives 0 when it is used up.
type Tape struct{ Data []byte }

// N is a number below most.
func (t *Tape) N(most int) int {
	if len(t.Data) == 0 || most == 0 {
		return 0
	}
	v := int(t.Data[0]) % most
	t.Data = t.Data[1:]
	return v
}

// Of is one of a list; "" of an empty one.
func (t *Tape) Of(list ...string) string {
	if len(list) == 0 {
		return ""
	}
	return list[t.N(len(list))]
}

// Seeds gives a fuzzer n tapes of so many bytes to begin with.
func Seeds(f *testing.F, n, size int) {
	f.Helper()
	for seed := range n {
		data := make([]byte, size)
		x := uint32(seed)*2654435761 + 12345
		for i := range data {
			x = x*1664525 + 1013904223
			data[i] = byte(x >> 24)
		}
		f.Add(data)
	}
}

// Words are what the records of a card game are made of.
type Words struct {
	Norm, Game            string
	Zones, Spots          []string
	Calls, Actions, Kinds []string
	Spanish               bool // the pack
}

var speakers = []string{round.Croupier, round.Player, round.Banquero}

// Fuzz demands that records of arbitrary events of the game are sound, and that nobody gets
// back more than he staked.
func (w Words) Fuzz(f *testing.F) {
	f.Helper()
	books.Shipped(f) // read once, before inputs are timed
	Seeds(f, 40, 400)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _ := Sound(t, w.record(data))
		for _, s := range v.Settlement {
			if s.Returns > s.Stake {
				t.Fatalf("more returned than staked: %+v", s)
			}
		}
	})
}

func (w Words) card(t *Tape) card.Card {
	n := t.N(60)
	switch {
	case w.Spanish:
		return card.Card(54 + n%40)
	case n < 54:
		return card.Card(n)
	}
	return card.Joker
}

// record makes a record of arbitrary events of a game.
func (w Words) record(data []byte) *round.Record {
	t := &Tape{data}
	rec := &round.Record{Schema: round.Schema, ID: "fuzz", Norm: w.Norm, Game: w.Game,
		Table: round.Table{ID: "F1", Min: 500, Max: 50000}}
	if w.Spots[0] == "banca" { // without a bank there is no round
		rec.Events = append(rec.Events, round.Event{Type: round.Bet, Seat: 9, Spot: "banca", Amount: 50000})
	}
	for len(t.Data) > 0 && len(rec.Events) < 80 {
		e := w.event(t)
		if e.Type == round.Bet && e.Spot == "banca" {
			continue
		}
		e.T = float64(len(rec.Events))
		rec.Events = append(rec.Events, e)
	}
	return rec
}

// event is an arbitrary event of the game.
func (w Words) event(t *Tape) round.Event {
	chips := func(kind round.Type, spot string) round.Event {
		return round.Event{Type: kind, Seat: 1 + t.N(4), Spot: spot, Amount: money.Cents(1 + 500*t.N(20))}
	}
	switch t.N(14) {
	case 0, 1:
		return chips(round.Bet, t.Of(w.Spots...))
	case 2:
		return chips(round.Pay, t.Of(w.Spots...))
	case 3:
		return chips(round.Collect, t.Of(w.Spots...))
	case 4:
		return round.Event{Type: round.Action, Seat: 1 + t.N(3), Action: t.Of(w.Actions...),
			Zone: []string{"", t.Of(w.Zones...)}[t.N(2)]}
	case 5, 6:
		points := t.N(40) - 5
		return round.Event{Type: round.Announce, By: t.Of(speakers...), Call: t.Of(w.Calls...), Zone: t.Of(w.Zones...),
			Points: &points, Amount: money.Cents(500 * t.N(9))}
	case 7:
		e := round.Event{Type: round.Reveal, Zone: t.Of(w.Zones...)}
		for range t.N(5) {
			e.Cards = append(e.Cards, w.card(t))
		}
		return e
	case 8:
		return round.Event{Type: round.Incident, Kind: t.Of(w.Kinds...), By: t.Of(speakers...), Zone: t.Of(w.Zones...),
			Count: t.N(3), Card: w.card(t)}
	case 9:
		return round.Event{Type: []round.Type{round.Shuffle, round.Cut, round.CutCard, round.Clear}[t.N(4)]}
	case 10:
		return round.Event{Type: round.Burn, Count: t.N(12), Card: w.card(t)}
	}
	return round.Event{Type: round.CardDealt, Zone: t.Of(w.Zones...), Card: w.card(t), Face: []string{"up", "down"}[t.N(2)]}
}
