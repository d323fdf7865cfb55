package track

import (
	"encoding/json"

	"vision/internal/money"
	"vision/validate/round"
)

func carryFrom(v *round.Verdict) carryOver {
	raw, err := v.Carry()
	if err != nil {
		return carryOver{}
	}
	return carryOver{raw: raw, held: carried(raw)}
}

// held is what the carry says about the chips of one place.
type held struct {
	spot   string // of the record: "prison:rojo" for chips on rojo
	amount money.Cents
}

// carried reads what the record before left on the table.
func carried(raw json.RawMessage) map[place]held {
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
	h := map[place]held{}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil {
		return h
	}
	for _, b := range c.Bets {
		h[place{b.Seat, b.Spot}] = held{b.Spot, b.Amount}
	}
	for _, p := range c.Prison {
		h[place{p.Seat, p.Spot}] = held{"prison:" + p.Spot, p.Stake}
	}
	return h
}

type carryOver struct {
	raw  json.RawMessage
	held map[place]held
	// adrift tells that nobody knows what the throws before have decided.
	adrift bool
	// hid tells that chips of the round lay where they could not be counted.
	hid bool
}
