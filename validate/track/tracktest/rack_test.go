package tracktest

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
	"vision/validate/round"
)

// What the tubes grow by from rest to rest is what the rounds collect and pay, to the cent, at every table with a rack.
func TestTheRackTellsWhatMoved(t *testing.T) {
	palette := Palette(3)
	worth := Tubes(palette)
	for _, game := range Racked(script.Games()) {
		s, err := Play(script.Config{Game: game, Table: "T1", Seed: 3, Seats: 3, Palette: palette, Min: 500, Max: 50000,
			Faults: 0.5}, Zones(game, 3), 8, Disorder{RackRead: 1})
		if err != nil {
			t.Fatal(err)
		}
		var due, grown money.Cents
		for _, r := range s.Rounds {
			for _, e := range r.Record.Events {
				switch e.Type {
				case round.Collect, round.Commission:
					due += e.Amount
				case round.Pay:
					due -= e.Amount
				}
			}
		}
		rests := 0
		for _, in := range s.Inputs {
			if in.Seen == nil || in.Seen.Kind != fact.Rack {
				continue
			}
			rests++
			for k, u := range in.Seen.Tubes {
				grown += money.Cents(u.Change[0].N) * worth[k]
			}
		}
		if grown != due || rests < 8 {
			t.Errorf("%s: in %d rests the rack grew by %v, want %v", game, rests, grown, due)
		}
	}
}

// The rack's reader errs, and abstains, as seldom as it is told to.
func TestTheRackErrsAsSeldomAsTold(t *testing.T) {
	const rests = 20000
	dis := Disorder{RackRead: 0.97, RackWrong: 0.02}
	r := newRack(5, Palette(0))
	wrong, unsure := 0, 0
	for i := range rests {
		was := slices.Clone(r.known)
		r.has[3] += 2 - i%5
		o := r.read(Start.Add(time.Duration(i)*time.Second), false, dis)
		switch u := o.Tubes[3]; {
		case u.Abstain != "":
			unsure++
		case u.Change[0].N != r.has[3]-was[3]:
			wrong++
		}
	}
	if wrong < rests*13/1000 || wrong > rests*20/1000 || unsure < rests*6/1000 || unsure > rests*13/1000 {
		t.Errorf("of %d rests %d are told wrong and %d are not sure", rests, wrong, unsure)
	}
}
