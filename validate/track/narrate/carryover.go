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
	// Uncounted are the bets that nobody could count, where bets stay from round to round.
	Uncounted []scene.Place `json:"uncounted,omitempty"`
}

// Counted is what is carried with the bets that nobody could count before and that are counted now, as they
// lay when the round began or, if they could not be counted then, first after that: they were laid before.
func (c CarryOver) Counted(sc *scene.Scene) CarryOver {
	for _, p := range c.Uncounted {
		lay := sc.Opening[p]
		for i := 0; lay.Hidden && i < len(sc.Events); i++ {
			if h := &sc.Events[i]; h.Kind == scene.ChipsSeen && h.Place == p {
				lay = h.Chips
			}
		}
		if _, known := CarriedChips(c.Raw)[p]; known || lay.Hidden || lay.Total == 0 {
			continue
		}
		one, or, _ := round.States(c.Raw) // written by the rules, as are its bets
		states := append([]json.RawMessage{one}, or...)
		bet, _ := json.Marshal(map[string]any{"seat": p.Seat, "spot": p.Spot, "amount": lay.Total})
		for i, raw := range states {
			carry, bets := map[string]json.RawMessage{}, []json.RawMessage{}
			_ = json.Unmarshal(raw, &carry)
			_ = json.Unmarshal(carry["bets"], &bets)
			carry["bets"], _ = json.Marshal(append(bets, bet))
			states[i], _ = json.Marshal(carry)
		}
		c.Raw = round.OneOf(states)
	}
	return c
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
