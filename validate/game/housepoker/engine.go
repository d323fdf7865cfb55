package housepoker

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Family is the name by which rulebooks refer to this engine: banked poker in the contract.
const Family = "banked"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	t, err := newTable(in, in.Game.Rules.(*Rules))
	if err != nil {
		return round.Verdict{}, err
	}
	if err := t.walk(); err != nil {
		return round.Verdict{}, err
	}
	t.judge()
	return t.done(), nil
}

// judge applies the rules to what the walk found.
func (t *table) judge() {
	t.mergeCommissions()
	t.deck()
	t.stakes()
	t.deal()
	t.arrangements()
	t.misdeals()
	t.streets()
	t.throws()
	t.settle()
	t.takenBack()
	t.checkMoney()
	t.payments()
	t.foldedAntes()
	t.announcements()
	if !t.void {
		t.bankDraw()
	}
	if t.other >= 0 {
		t.Add(round.Finding{Code: finding.OtherProcedure, Event: t.other, Rule: t.cite("deal")})
	}
	if t.quiet() {
		t.Add(round.Finding{Code: finding.IrregularityIgnored, Event: t.annulled, Rule: t.cite("misdeal")})
	}
}

// done is the verdict.
func (t *table) done() round.Verdict {
	v := t.verdict
	v.Void = t.void
	v.Hands = t.shownHands()
	if !t.void {
		v.Result = t.result()
	}
	if name := t.meterName(); t.void && t.opt.metered && name != "" {
		t.next[name] = t.opt.meter
	}
	if t.rules.Deal.Hands {
		t.next["bank"] = t.banker()
	}
	v.Findings = t.List()
	v.Next = t.next
	return v
}

// banker is who holds the bank of pai gow, as carry has it.
func (t *table) banker() any {
	if t.opt.banker > 0 {
		return t.opt.banker
	}
	return "croupier"
}

// shownHands are the hands of all zones whose playing cards are known.
func (t *table) shownHands() []round.Hand {
	var list []round.Hand
	if t.low != nil {
		return t.pairsOfHands()
	}
	for _, zone := range slices.Sorted(maps.Keys(t.zones)) {
		if zone != bank && game.SeatOf(zone) == 0 || t.due(zone) == 0 {
			continue
		}
		if h, why := t.hand(zone); why == known {
			list = append(list, round.Hand{Zone: zone, Cards: h.Cards, Category: h.Value.Category().String()})
		}
	}
	return list
}

// pairsOfHands are the two hands of each zone of pai gow as they were set.
func (t *table) pairsOfHands() []round.Hand {
	var list []round.Hand
	add := func(zone string, cards []card.Card, r *hands.Ranking) {
		if v := r.Value(cards); v != 0 {
			list = append(list, round.Hand{Zone: zone, Cards: cards, Category: v.Category().String()})
		}
	}
	add("bank/high", t.bankHigh, t.rank)
	add("bank/low", t.bankLow, t.low)
	for _, n := range t.playing() {
		s := t.seat(n)
		add(game.SeatZone(n)+"/high", s.high, t.rank)
		add(game.SeatZone(n)+"/low", s.low, t.low)
	}
	return list
}

// result is who won, as far as the cards are known.
func (t *table) result() any {
	out := map[string]any{}
	var b hands.Hand
	why := known
	if t.rules.Deal.Bank > 0 && t.low == nil {
		if b, why = t.hand(bank); why == known {
			out["bank_category"] = b.Value.Category()
			if t.rules.Qualify != nil {
				out["bank_qualifies"] = t.qualifies(b.Value)
			}
		}
	}
	if t.low != nil {
		t.dealing(out)
	}
	winners, ties := []int{}, []int{}
	for _, s := range t.active {
		if !s.inPlay(t) {
			continue
		}
		n, sure := t.standingOf(s, b.Value, why)
		if sure != known {
			return out
		}
		if n > 0 {
			winners = append(winners, s.n)
		} else if n == 0 {
			ties = append(ties, s.n)
		}
	}
	out["winners"], out["ties"] = winners, ties
	return out
}

// dealing is what pai gow's result says of dice and bank.
func (t *table) dealing(out map[string]any) {
	out["bank"] = t.banker()
	if sum := t.sumOfDice(); sum > 0 {
		out["dice_sum"] = sum
		if first := t.ringOrder()[0]; first == bank {
			out["start"] = bank
		} else {
			out["start"] = game.SeatOf(first)
		}
	}
}

// standingOf is 1 for a seat that wins, 0 for a tie, -1 for one that loses.
func (t *table) standingOf(s *seat, b hands.Value, bankSight sight) (int, sight) {
	if t.low != nil {
		n, why := t.comparison(s)
		return n - 1, why
	}
	if bankSight != known || t.undecided(s) {
		return 0, unseen
	}
	if t.rules.Deal.Bank > 0 && !t.qualifies(b) {
		return 1, known
	}
	h, why := t.hand(game.SeatZone(s.n))
	switch {
	case why != known:
		return 0, why
	case t.rules.Deal.Bank == 0:
		for _, sp := range t.rules.Spots {
			if _, ok := sp.prize(h.Value, t.opt.plusTable); ok {
				return 1, known
			}
		}
		return -1, known
	case h.Value > b || h.Value == b && t.rules.spot(ante).TieWins:
		return 1, known
	case h.Value == b:
		return 0, known
	}
	return -1, known
}

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
