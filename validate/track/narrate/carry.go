package narrate

import (
	"encoding/json"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/scene"
)

func CarryFrom(v *round.Verdict) Carry {
	raw, err := v.Carry()
	if err != nil {
		return Carry{}
	}
	return Carry{Raw: raw, Held: CarriedChips(raw)}
}

// heldChips is what the carry says about the chips of one place.
type heldChips struct {
	spot   string // of the record: "prison:rojo" for chips on rojo
	amount money.Cents
}

// CarriedChips reads what the record before left on the table.
func CarriedChips(raw json.RawMessage) map[scene.Place]heldChips {
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
	h := map[scene.Place]heldChips{}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil {
		return h
	}
	for _, b := range c.Bets {
		h[scene.Place{Seat: b.Seat, Spot: b.Spot}] = heldChips{b.Spot, b.Amount}
	}
	for _, p := range c.Prison {
		h[scene.Place{Seat: p.Seat, Spot: p.Spot}] = heldChips{"prison:" + p.Spot, p.Stake}
	}
	return h
}

type Carry struct {
	Raw  json.RawMessage
	Held map[scene.Place]heldChips
	// pointUnknown: nobody knows what the throws before have decided.
	PointUnknown bool
	// hidden: chips of the round lay where they could not be counted.
	Hidden bool
}
