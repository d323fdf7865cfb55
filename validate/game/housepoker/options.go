package housepoker

import (
	"cmp"
	"encoding/json"

	"vision/internal/money"
	"vision/validate/round"
)

// optionNames are the house options of the family.
var optionNames = []string{"shuffler", "upcard", "buy_card", "seguro_amount", "progresivo_amount", "jackpot_amount",
	"seguro_stake_returned", "progresivo_hand", "progresivo_meter", "jackpot_meter", "jackpot_kind", "jackpot_with_discard",
	"interconnected", "pareja_plus_table", "pareja_plus_min", "pareja_plus_alone", "fold_loses_pareja_plus", "misdeal_void",
	"ace_low", "commission_bp", "places", "second_multiple"}

// options are the house options and the carry of one record.
type options struct {
	shuffler, buyCard, seguroBack, withDiscard, interconnected bool
	plusAlone, foldPlus, misdealVoid, aceLow                   bool
	upcard, progresivo, jackpotKind                            string
	plusTable, commission, places, multiple                    int
	plusMin                                                    money.Cents
	fixed                                                      map[string]money.Cents // amount of a side bet by spot
	meter                                                      money.Cents
	metered                                                    bool // the meter is known
	// pai gow: the seat that holds the bank; 0 the croupier
	banker int
}

func readOptions(rec *round.Record, rules *Rules) (*options, error) {
	r := rec.Table.Options.Only(optionNames...)
	o := &options{
		shuffler: r.Bool("shuffler", false), buyCard: r.Bool("buy_card", true), seguroBack: r.Bool("seguro_stake_returned", true),
		withDiscard: r.Bool("jackpot_with_discard", false), interconnected: r.Bool("interconnected", false),
		plusAlone: r.Bool("pareja_plus_alone", false), foldPlus: r.Bool("fold_loses_pareja_plus", true),
		misdealVoid: r.Bool("misdeal_void", true), aceLow: r.Bool("ace_low", rules.Hand.AceLow),
		upcard:      r.Word("upcard", cmp.Or(rules.Defaults.Upcard, "last"), "first", "last", "any"),
		progresivo:  r.Word("progresivo_hand", cmp.Or(rules.Defaults.Progresivo, "final"), "first", "final"),
		jackpotKind: r.Word("jackpot_kind", "progressive", "progressive", "fixed"),
		plusTable:   r.OneInt("pareja_plus_table", 1, 1, 2, 3), places: r.OneInt("places", 6, 5, 6),
		multiple: r.OneInt("second_multiple", 2, 1, 2), plusMin: r.Cents("pareja_plus_min", rec.Table.Min/2),
		fixed: map[string]money.Cents{},
	}
	o.commission = rules.spot("apuesta").Commission
	if r.Has("commission_bp") {
		o.commission = r.Int("commission_bp", o.commission, 0, 500)
	}
	for _, spot := range []string{"seguro", "progresivo", "jackpot"} {
		if v := r.Cents(spot+"_amount", 0); v > 0 {
			o.fixed[spot] = v
		}
	}
	o.meter, o.metered = r.Cents("progresivo_meter", 0), r.Has("progresivo_meter")
	if jackpot := r.Cents("jackpot_meter", 0); rules.Deal.Draw {
		o.meter, o.metered = jackpot, r.Has("jackpot_meter")
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if err := o.readCarry(rec, rules); err != nil {
		return nil, err
	}
	return o, nil
}

// carry is what the previous round left.
type carry struct {
	Progresivo *money.Cents    `json:"progresivo_meter"`
	Jackpot    *money.Cents    `json:"jackpot_meter"`
	Bank       json.RawMessage `json:"bank"`
}

func (o *options) readCarry(rec *round.Record, rules *Rules) error {
	var c carry
	if err := rec.ReadCarry(&c); err != nil {
		return err
	}
	meter, name := c.Progresivo, "carry.progresivo_meter"
	if rules.Deal.Draw {
		meter, name = c.Jackpot, "carry.jackpot_meter"
	}
	if meter != nil {
		if *meter < 0 || *meter > round.MaxAmount {
			return round.Malformed(name, "write the cents on the display", "%d is out of range", *meter)
		}
		o.meter, o.metered = *meter, true
	}
	if len(c.Bank) == 0 || string(c.Bank) == `"croupier"` {
		return nil
	}
	if json.Unmarshal(c.Bank, &o.banker) != nil || o.banker < 1 || o.banker > o.places {
		return round.Malformed("carry.bank", `write "croupier" or a seat of the table`, "%s holds no bank", c.Bank)
	}
	return nil
}
