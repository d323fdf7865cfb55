package banked

import (
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
	banker                                                     int  // pai gow: the seat that holds the bank; 0 the croupier
}

// reader reads options until one is wrong.
type reader struct {
	o   round.Options
	err error
}

func read[T any](r *reader, v T, err error) T {
	if r.err == nil {
		r.err = err
	}
	return v
}

func (r *reader) bool(name string, standard bool) bool {
	v, err := r.o.Bool(name, standard)
	return read(r, v, err)
}

func (r *reader) word(name, standard string, allowed ...string) string {
	v, err := r.o.Word(name, standard, allowed...)
	return read(r, v, err)
}

func (r *reader) oneInt(name string, standard int, allowed ...int) int {
	v, err := r.o.OneInt(name, standard, allowed...)
	return read(r, v, err)
}

func (r *reader) cents(name string, standard money.Cents) money.Cents {
	v, err := r.o.Cents(name, standard)
	return read(r, v, err)
}

func readOptions(rec *round.Record, rules *Rules) (*options, error) {
	if err := rec.Table.Options.Known(optionNames...); err != nil {
		return nil, err
	}
	r := &reader{o: rec.Table.Options}
	or := func(s, standard string) string {
		if s == "" {
			return standard
		}
		return s
	}
	o := &options{
		shuffler: r.bool("shuffler", false), buyCard: r.bool("buy_card", true), seguroBack: r.bool("seguro_stake_returned", true),
		withDiscard: r.bool("jackpot_with_discard", false), interconnected: r.bool("interconnected", false),
		plusAlone: r.bool("pareja_plus_alone", false), foldPlus: r.bool("fold_loses_pareja_plus", true),
		misdealVoid: r.bool("misdeal_void", true), aceLow: r.bool("ace_low", rules.Hand.AceLow),
		upcard:      r.word("upcard", or(rules.Defaults.Upcard, "last"), "first", "last", "any"),
		progresivo:  r.word("progresivo_hand", or(rules.Defaults.Progresivo, "final"), "first", "final"),
		jackpotKind: r.word("jackpot_kind", "progressive", "progressive", "fixed"),
		plusTable:   r.oneInt("pareja_plus_table", 1, 1, 2, 3), places: r.oneInt("places", 6, 5, 6),
		multiple: r.oneInt("second_multiple", 2, 1, 2), plusMin: r.cents("pareja_plus_min", rec.Table.Min/2),
		fixed: map[string]money.Cents{},
	}
	bp, err := r.o.Int("commission_bp", 500, 0, 500)
	o.commission = read(r, bp, err)
	for _, spot := range []string{"seguro", "progresivo", "jackpot"} {
		if v := r.cents(spot+"_amount", 0); v > 0 {
			o.fixed[spot] = v
		}
	}
	name := "progresivo_meter"
	if rules.Deal.Draw {
		name = "jackpot_meter"
	}
	_, o.metered = r.o[name]
	o.meter = r.cents(name, 0)
	if r.err != nil {
		return nil, r.err
	}
	return o, o.readCarry(rec, rules)
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
