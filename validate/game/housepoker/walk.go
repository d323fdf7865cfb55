package housepoker

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// knownCalls are the calls of the family.
var knownCalls = []string{"hagan_juego", "no_va_mas", "suma_dados", "texas_bonus", "bank_hand", "player_hand",
	"voy", "paso", "no_voy", "comision", "jugada_anulada", "ultimas_jugadas"}

// knownActions are the words that the wire has for a player's decision.
var knownActions = []string{"hit", "stand", "double", "split", "surrender", "insure", "fold", "play", "check", "call",
	"raise", "draw", "buy_card", "even_money", "bet", "blind", "set"}

// touching are the incidents between the hands of two players.
var touching = []string{"cards_touch"}

// marks finds what divides the round, and refuses what the game does not know.
func (t *table) marks() error {
	n := len(t.ev)
	t.close, t.nvm, t.dealt, t.stop, t.bankAt, t.drawAt = n, n, n, n, n, n
	t.dealEnd = none
	words := game.IncidentWords{
		Zone: t.zoneKnown, Seat: func(_ string, n int) bool { return n <= t.maxSeat() },
		Hands: touching, Whose: []string{"player_disclosure"},
	}
	said := game.CallWords{"category": hands.Names()}
	if err := cmp.Or(words.Incidents(t.rec), said.Calls(t.rec)); err != nil {
		return err
	}
	for i := range t.ev {
		if err := t.check(i); err != nil {
			return err
		}
		t.mark(i)
	}
	t.close = min(t.nvm, t.dealt)
	for i, e := range game.Each(t.ev, round.CardDealt) {
		if i < t.stop && e.Zone != discard && e.Zone != board {
			t.order = append(t.order, i)
			t.dealEnd = i
		}
	}
	return nil
}

func (t *table) mark(i int) {
	e := &t.ev[i]
	first := func(p *int) { *p = min(*p, i) }
	switch e.Type {
	case round.CardDealt:
		first(&t.dealt)
		if len(t.turned) > 0 {
			t.turn(i, e)
		}
		if e.Zone == board {
			t.boardAt = append(t.boardAt, i)
			if !t.rules.Deal.InDeal {
				first(&t.stop)
			}
		}
	case round.Dice:
		first(&t.dealt)
	case round.Reveal, round.Arrange:
		first(&t.stop)
		t.turn(i, e)
		if e.Zone == bank && e.Type == round.Reveal {
			first(&t.bankAt)
		}
	case round.Burn:
		first(&t.stop)
	case round.Action:
		if e.Action != "blind" && e.Action != "set" {
			first(&t.stop)
		}
	case round.Announce:
		if e.Call == "no_va_mas" {
			first(&t.nvm)
		}
		if e.Call == "jugada_anulada" && t.annulled == none {
			t.annulled = i
		}
	}
}

// check refuses zones, spots, calls and actions that the game does not know.
func (t *table) check(i int) error {
	e := &t.ev[i]
	see := "see the game's section of the round record"
	if e.Zone != "" && !t.zoneKnown(e.Zone) {
		return round.Malformed(round.At(i, "zone"), see, "%s has no zone %q", t.rec.Game, e.Zone)
	}
	switch {
	case e.Type == round.Announce:
		return t.checkCall(i, e)
	case e.Type == round.Action:
		return game.Word(i, "action", e.Action, knownActions)
	case e.Type == round.Bet || e.Type == round.Withdraw || e.Movement():
		if err := game.Payer(i, e); err != nil {
			return err
		}
		if e.Type == round.Commission && e.Spot == "" {
			return nil
		}
		if !t.spotKnown(e.Spot) {
			return round.Malformed(round.At(i, "spot"), see, "%s has no spot %q", t.rec.Game, e.Spot)
		}
	case e.Type == round.Move && (!t.spotKnown(e.From) || !t.spotKnown(e.To)):
		return round.Malformed(round.At(i, "from"), see, "%s has no spot %q or %q", t.rec.Game, e.From, e.To)
	}
	return nil
}

// checkCall refuses calls that the family does not have, and what cannot be said with them.
func (t *table) checkCall(i int, e *round.Event) error {
	switch {
	case e.Seat > t.maxSeat():
		return round.Malformed(round.At(i, "seat"), "name a seat of the table", "the table has no seat %d", e.Seat)
	case e.Call == "suma_dados":
		return game.Counted(i, e)
	}
	return game.Word(i, "call", e.Call, knownCalls)
}

func (t *table) spotKnown(s string) bool {
	_, ok := t.rules.Spots[s]
	return ok || slices.Contains(t.rules.Absent, s)
}

// walk reads the round from its first event to its last.
func (t *table) walk() error {
	if err := t.marks(); err != nil {
		return err
	}
	t.dealIn()
	settled := map[game.Place]bool{}
	for i := range t.ev {
		e := &t.ev[i]
		switch e.Type {
		case round.CardDealt:
			t.put(i, e)
		case round.Reveal:
			t.reveal(i, e)
		case round.Arrange:
			t.arrange(i, e)
		case round.Bet:
			t.bet(i, e)
		case round.Withdraw:
			if !settled[game.PlaceOf(e)] {
				if err := t.withdraw(i, e); err != nil {
					return err
				}
			}
		case round.Pay, round.Return:
			settled[game.PlaceOf(e)] = true
		case round.Action:
			t.act(i, e)
		case round.Incident:
			t.incident(i, e)
		case round.Dice:
			if e.Irregular == "" {
				t.dice = i
			}
		}
	}
	return nil
}

// dealIn finds the seats that are dealt in: those with timely chips on a base spot.
func (t *table) dealIn() {
	sums := map[game.Place]money.Cents{}
	for i := range t.ev {
		e := &t.ev[i]
		p := game.PlaceOf(e)
		if i > t.close || !t.base(e.Spot) || e.Seat > t.maxSeat() || t.holdsBank(e.Seat) {
			continue
		}
		switch e.Type {
		case round.Bet:
			sums[p] += e.Amount
		case round.Withdraw:
			sums[p] = max(sums[p]-e.Amount, 0)
		}
	}
	for p, sum := range sums {
		if sum > 0 {
			t.seat(p.Seat).active = true
			if p.Spot == ante {
				t.seat(p.Seat).ante = sum
			}
		}
	}
	t.findActive()
	for i, e := range game.Each(t.ev, round.Action) { // a box played blind is known before its stakes are judged
		if s := t.seats[e.Seat]; e.Action == "blind" && i < t.close && t.has("blind") && s != nil && s.active && s.blind == none {
			s.blind = i
		}
	}
}

// base reports whether chips on a spot have the seat dealt in.
func (t *table) base(spot string) bool {
	return t.rules.spot(spot).Base || spot == "pareja_plus" && t.opt.plusAlone && t.spotOffered(spot)
}

func (t *table) spotOffered(spot string) bool {
	_, ok := t.rules.Spots[spot]
	return ok
}

// holdsBank reports whether a seat holds the bank of pai gow.
func (t *table) holdsBank(n int) bool { return t.rules.Deal.Hands && n > 0 && n == t.opt.banker }

func (t *table) has(action string) bool { return slices.Contains(t.rules.Actions, action) }

func (t *table) put(i int, e *round.Event) {
	z := t.zone(e.Zone)
	s := slot{card: game.Read(e.Card, e), seen: i}
	z.last = i
	switch {
	case e.Zone == board || e.Zone == discard:
	case i < t.stop:
		z.initial++
		z.lastIn = i
	default:
		z.served++
		s.extra = true
		if game.SeatOf(e.Zone) > 0 {
			t.more = append(t.more, i)
		}
	}
	z.slots = append(z.slots, s)
}

// reveal puts what is seen in the place of what was known.
func (t *table) reveal(i int, e *round.Event) {
	z := t.zone(e.Zone)
	if z.shown == none {
		z.shown = i
	}
	should := t.due(e.Zone) - len(z.gone) + z.served
	if e.Zone == board {
		should = len(z.slots)
	}
	if len(e.Cards) != should && e.Zone != discard && t.expects(e.Zone) && z.odd == nil {
		z.odd = &oddReveal{i, should, len(e.Cards)}
	}
	for len(z.slots) < len(e.Cards) {
		z.slots = append(z.slots, slot{})
	}
	z.slots = z.slots[:len(e.Cards)]
	for k, c := range e.Cards {
		z.slots[k].card, z.slots[k].seen = game.Read(c, e), i
	}
}

// expects reports whether a zone holds cards by the rules.
func (t *table) expects(zone string) bool {
	n := game.SeatOf(zone)
	return n == 0 || t.seat(n).active || t.holdsBank(n)
}

// leave takes discarded cards out of a zone.
func (t *table) leave(zone string, cards []card.Card) {
	z := t.zone(zone)
	for _, c := range cards {
		k := slices.IndexFunc(z.slots, func(s slot) bool { return c != card.Unseen && s.card == c })
		if k < 0 {
			k = slices.IndexFunc(z.slots, func(s slot) bool { return s.card == card.Unseen })
		}
		z.gone = append(z.gone, c)
		if k >= 0 {
			z.slots = slices.Delete(z.slots, k, k+1)
		}
	}
}

// arrange keeps the two hands of pai gow.
func (t *table) arrange(i int, e *round.Event) {
	if e.Zone == bank {
		t.bankHigh, t.bankLow, t.bankSet = e.High, e.Low, i
	} else if n := seatOf(e); n > 0 {
		s := t.seat(n)
		s.high, s.low, s.arranged = e.High, e.Low, i
	}
}

// boardBy is the number of board cards before an event.
func (t *table) boardBy(i int) int {
	n := 0
	for n < len(t.boardAt) && t.boardAt[n] < i {
		n++
	}
	return n
}

// boardCard is the event of the n-th board card, from 1; len(ev) when it did not come.
func (t *table) boardCard(n int) int {
	if n <= len(t.boardAt) {
		return t.boardAt[n-1]
	}
	return len(t.ev)
}
