package narrate

import (
	"encoding/json"
	"slices"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// HeldChips is what is carried over of the chips of one place.
type HeldChips struct {
	spot   string // of the record: "prison:rojo" for chips on rojo
	amount money.Cents
}

// CarriedChips reads what the record before left on the table.
func CarriedChips(raw json.RawMessage) map[scene.Place]HeldChips {
	var c struct {
		Bets []struct {
			Seat   int
			Spot   string
			Amount money.Cents
		}
		Prison []struct {
			Seat  int
			Spot  string
			Stake money.Cents
		}
	}
	h := map[scene.Place]HeldChips{}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil {
		return h
	}
	for _, b := range c.Bets {
		h[scene.Place{Seat: b.Seat, Spot: b.Spot}] = HeldChips{b.Spot, b.Amount}
	}
	for _, p := range c.Prison {
		h[scene.Place{Seat: p.Seat, Spot: p.Spot}] = HeldChips{"prison:" + p.Spot, p.Stake}
	}
	return h
}

// CarryOver is what a round leaves for the next: the state of the rules with the chips that stay,
// and what of it nobody knows.
type CarryOver struct {
	Raw json.RawMessage `json:"carry,omitempty"`
	// PointUnknown: nobody knows what the throws before have decided.
	PointUnknown bool `json:"adrift,omitempty"`
	// Hidden: chips of the round lay where they could not be counted.
	Hidden bool `json:"hid,omitempty"`
}

// On is what is carried with what lay on the table when the round began: states that hold chips
// where nothing lay are ruled out, as long as one is left. Without others all stays: what it
// holds was taken.
func (c CarryOver) On(opening map[scene.Place]scene.Count) CarryOver {
	one, or, err := round.States(c.Raw)
	if err != nil || len(or) == 0 {
		return c
	}
	possible := slices.DeleteFunc(append([]json.RawMessage{one}, or...), func(raw json.RawMessage) bool {
		for p := range CarriedChips(raw) {
			if lay := opening[p]; lay.Total == 0 && !lay.Hidden {
				return true
			}
		}
		return false
	})
	if len(possible) == 0 || len(possible) == len(or)+1 {
		return c
	}
	c.Raw = round.OneOf(possible)
	return c
}
