package sim

import (
	"slices"
	"testing"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
	"vision/validate/round"
)

// What leaves the tubes and what goes in is what the rounds pay and collect, to the chip.
func TestTheRackBalances(t *testing.T) {
	for _, game := range Games() {
		st, err := New(Config{Game: game, Seed: 41, Size: [2]int{320, 180}, FPS: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		if st.stage.rack == nil {
			if script.Racked(game) {
				t.Errorf("%s has no rack", game)
			}
			continue
		}
		value := map[string]int64{}
		for _, c := range st.stage.palette {
			value[c.ID] = c.Value
		}
		worth := func(s RackState) (sum int64) {
			for i, n := range s.Tubes {
				sum += int64(n) * value[st.stage.rack.Tubes[i].Chip]
			}
			return sum
		}
		moves := 0
		var states []RackState
		for range 3 {
			began := st.began
			var truth *round.Record
			for truth == nil {
				f, err := st.Step()
				if err != nil {
					t.Fatal(err)
				}
				if f.Truth != nil {
					truth, states = &f.Truth.Record, append(states, f.Rack...)
				}
			}
			var due int64
			for _, e := range truth.Events {
				switch e.Type {
				case round.Collect:
					due += int64(e.Amount)
				case round.Pay:
					due -= int64(e.Amount)
				}
			}
			from := slices.IndexFunc(states, func(s RackState) bool { return s.At > began+0.5 })
			if from < 0 {
				from = len(states)
			}
			moves += len(states) - from
			if got := worth(states[len(states)-1]) - worth(states[from-1]); got != due {
				t.Errorf("%s: the rack has grown by %d, collected less paid are %d: %+v", game, got, due, states[from-1:])
			}
		}
		if moves < 2 {
			t.Errorf("%s: the rack was touched %d times in three rounds", game, moves)
		}
	}
}

// Whatever goes amiss at the rack is put right by the next hand, and no chip is lost or found.
func TestTheRackGoesAmiss(t *testing.T) {
	st, err := New(Config{Game: "blackjack", Seed: 5, Size: [2]int{320, 180}, FPS: 4,
		Condition: condition.Set{Hands: condition.Hands{Amiss: 1, Change: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, value := st.dir.rack, map[string]int64{}
	for _, c := range st.stage.palette {
		value[c.ID] = c.Value
	}
	worth := func() (sum int64) {
		for _, tube := range r.tubes {
			for _, id := range tube.Chips() {
				sum += value[id]
			}
		}
		if r.rim != nil {
			sum += value[r.rim.kind]
		}
		return sum
	}
	seen, why := map[Amiss]int{}, map[Visit]int{}
	last, noted := worth(), len(r.states)
	for range 16 {
		var grown, due int64
		for done := false; !done; {
			f, err := st.Step()
			if err != nil {
				t.Fatal(err)
			}
			if f.Truth != nil {
				done, noted = true, 0
				for _, e := range f.Truth.Record.Events {
					switch e.Type {
					case round.Collect:
						due += int64(e.Amount)
					case round.Pay:
						due -= int64(e.Amount)
					}
				}
			}
			for ; noted < len(r.states); noted++ {
				s := r.states[noted]
				for _, a := range s.Amiss {
					seen[a]++
				}
				now := worth()
				if why[s.Why]++; s.Why == "" {
					grown += now - last
				}
				last = now
			}
		}
		if grown != due {
			t.Errorf("the rack has grown by %d, collected less paid are %d", grown, due)
		}
	}
	for _, a := range []Amiss{WrongTube, PushedUp, Leaning, OnRim} {
		if seen[a] == 0 {
			t.Errorf("%s never was: %v", a, seen)
		}
	}
	if why[Change] == 0 {
		t.Errorf("no player was given change: %v", why)
	}
}
