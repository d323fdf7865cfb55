package narrate

import (
	"encoding/json"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// CarryFrom is what a verdict leaves for the round to come.
func CarryFrom(v *round.Verdict) Carry {
	raw, err := v.Carry()
	if err != nil {
		return Carry{}
	}
	return Carry{Raw: raw, Held: CarriedChips(raw)}
}

// HeldChips is what the carry says about the chips of one place.
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

// Carry is what a round leaves for the next: the state of the rules, the chips that stay,
// and what of it nobody knows.
type Carry struct {
	Raw  json.RawMessage
	Held map[scene.Place]HeldChips
	// PointUnknown: nobody knows what the throws before have decided.
	PointUnknown bool
	// Hidden: chips of the round lay where they could not be counted.
	Hidden bool
}
