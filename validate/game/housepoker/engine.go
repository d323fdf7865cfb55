package housepoker

import (
	"maps"
	"slices"

	"vision/internal/card"
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
	for _, s := range t.active() {
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
