package sim

import (
	"slices"
	"testing"

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
			if !stages[game].rackless {
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
		for range 6 {
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
		if moves < 6 {
			t.Errorf("%s: the rack was touched %d times in six rounds", game, moves)
		}
	}
}
