package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// act judges a decision and lets a legal one take effect.
func (t *table) act(i int, e *round.Event) {
	if e.Zone == bank && t.rules.Deal.Draw && len(t.drawings) == 0 && (e.Action == "draw" || e.Action == "stand") {
		t.leave(bank, e.Discard)
		t.drawings = append(t.drawings, drawing{i, e.Discard})
		return
	}
	n := seatOf(e)
	word := e.Action
	switch {
	case word == "surrender" && t.has("fold"):
		word = "fold"
	case word == "stand" && t.has("draw"):
		word = "draw"
	}
	if n == 0 || !t.has(word) || !t.legal(i, e, t.seat(n), word) {
		t.Add(round.Finding{Code: finding.PlayerActionNotAllowed, Event: i, Seat: n})
	}
}

// legal reports whether a decision is allowed, and if so lets it take effect.
func (t *table) legal(i int, e *round.Event, s *seat, word string) bool {
	switch word {
	case "blind":
		return s.blind == i
	case "set":
		if !s.active && !t.holdsBank(s.n) {
			return false
		}
		if s.set == none {
			s.set = i
		}
		return true
	}
	if !s.active || s.ante == 0 {
		return false
	}
	switch word {
	case "play":
		return t.once(&s.play, i, t.dealEnd >= 0 && s.fold == none)
	case "fold":
		return t.once(&s.fold, i, t.dealEnd >= 0 && s.play == none && (!t.rules.Deal.Streets || t.boardBy(i) == 0))
	case "bet", "check":
		return t.street(i, s)
	case "buy_card":
		return t.buy(i, e, s)
	case "draw":
		return t.playerDraw(i, e, s)
	}
	return false
}

func (t *table) once(p *int, i int, allowed bool) bool {
	if *p >= 0 || !allowed {
		return false
	}
	*p = i
	return true
}

// street takes the decision at the turn or the river.
func (t *table) street(i int, s *seat) bool {
	if s.outBy(i) {
		return false
	}
	said, decided := &s.turnSaid, &s.turn
	switch t.boardBy(i) {
	case 3:
	case 4:
		said, decided = &s.riverSaid, &s.river
	default:
		return false
	}
	if *decided == none {
		*decided = i
	}
	return t.once(said, i, true)
}

// buy exchanges one card at the price of the ante.
func (t *table) buy(i int, e *round.Event, s *seat) bool {
	if !t.opt.buyCard || s.blind >= 0 || s.play >= 0 || s.fold >= 0 || len(e.Discard) != 1 {
		return false
	}
	if !t.once(&s.bought, i, t.dealEnd >= 0) {
		return false
	}
	if e.Amount != s.ante {
		t.Add(game.Amounts(round.Finding{Code: finding.RaiseWrong, Event: i, Seat: s.n, Spot: ante, Rule: t.cite("purchase")}, s.ante,
			e.Amount))
	}
	t.leave(game.SeatZone(s.n), e.Discard)
	return true
}

// playerDraw exchanges up to two cards; more are flagged, and lie all the same.
func (t *table) playerDraw(i int, e *round.Event, s *seat) bool {
	if s.play == none || s.play > i || s.fold >= 0 || !t.once(&s.draw, i, true) {
		return false
	}
	t.drawAt = min(t.drawAt, i)
	if e.Action == "draw" {
		t.leave(game.SeatZone(s.n), e.Discard)
	}
	return e.Action == "stand" || len(e.Discard) <= 2
}

// incident takes note of what changes who is in the game.
func (t *table) incident(i int, e *round.Event) {
	switch e.Kind {
	case "player_disclosure":
		if s := t.seat(seatOf(e)); t.rules.Discloses && s.active && s.out == none {
			s.out, s.loses = i, true
		}
	case "cards_touch":
		if !t.rules.Misdeal.Touch {
			return
		}
		for _, n := range game.Between(e) {
			if s := t.seat(n); s.active && s.out == none {
				s.out, s.loses = i, true
			}
		}
	case "card_missing", "deck_defective":
		t.defects = true
	}
}

// raises compares every second stake with its multiple of the ante.
func (t *table) raises() {
	for _, s := range t.active {
		for _, name := range []string{"second", "flop", "turn", "river", "play"} {
			if sp, ok := t.rules.Spots[name]; ok && sp.Against == AgainstBank && (sp.Times > 0 || sp.UpTo > 0) {
				t.raise(s, name, sp)
			}
		}
		t.equalBets(s)
	}
}

// times is the prescribed multiple of a second stake.
func (t *table) times(name string, sp *Spot) money.Cents {
	if name == "second" && t.has("play") && t.rules.Deal.InDeal {
		return money.Cents(t.opt.multiple)
	}
	return money.Cents(max(sp.Times, 1))
}

func (t *table) raise(s *seat, name string, sp *Spot) {
	p := game.Place{Seat: s.n, Spot: name}
	least := s.ante * t.times(name, sp)
	most := least
	if sp.UpTo > 0 {
		most = s.ante * money.Cents(sp.UpTo)
	}
	c := t.chips[p]
	blind := s.blind >= 0 && t.rules.Blind == "second_first" && name == t.rules.Second
	switch {
	case c != nil && c.valid > 0:
		if c.valid < least {
			t.Amounts(c.last, finding.RaiseWrong, p, least, c.valid)
		} else if c.valid > most {
			t.Amounts(c.last, finding.RaiseWrong, p, most, c.valid)
		}
	case blind && t.close < len(t.ev):
		t.Amounts(t.close, finding.RaiseWrong, p, least, 0)
	case c == nil && name == t.rules.Second && s.play >= 0 && !blind:
		t.Amounts(s.play, finding.RaiseWrong, p, least, 0)
	}
}

// equalBets compares the three bets of trijoker as they lay at the close.
func (t *table) equalBets(s *seat) {
	first := t.chips[game.Place{Seat: s.n, Spot: "apuesta_1"}]
	for _, name := range []string{"apuesta_2", "apuesta_3"} {
		if _, ok := t.rules.Spots[name]; !ok {
			return
		}
		p := game.Place{Seat: s.n, Spot: name}
		c := t.chips[p]
		due, there, event := money.Cents(0), money.Cents(0), t.last
		if first != nil && first.timely > 0 {
			due, event = first.timely, first.lastTimely
		}
		if c != nil && c.timely > 0 {
			there, event = c.timely, c.lastTimely
		}
		if due != there {
			t.Amounts(event, finding.RaiseWrong, p, due, there)
		}
	}
}

// waiting reports whether a seat that is in the game at an event has not met a condition.
func (t *table) waiting(i int, met func(s *seat) bool) bool {
	return slices.ContainsFunc(t.active, func(s *seat) bool { return s.ante > 0 && !s.void && !s.outBy(i) && !met(s) })
}

// drawing is a draw of the bank.
type drawing struct {
	event int
	cards []card.Card
}

// bankDraw compares the bank's draw of póquer con descarte with the rule.
func (t *table) bankDraw() {
	if !t.rules.Deal.Draw || t.bankAt == len(t.ev) {
		return
	}
	if !slices.ContainsFunc(t.active, func(s *seat) bool { return s.inPlay(t) }) {
		return
	}
	first := t.firstCards(bank)
	if t.rank.Value(first) == 0 {
		return
	}
	due := t.bankDue(first)
	var drew []card.Card
	event := t.last
	if len(t.drawings) > 0 {
		event = t.drawings[0].event
	}
	for _, d := range t.drawings {
		drew = append(drew, d.cards...)
	}
	f := round.Finding{Event: event, Zone: bank, Expected: len(due), Observed: len(drew), Rule: t.cite("draw")}
	switch {
	case len(due) == 0 && len(drew) > 0:
		f.Code = finding.DrewMustStand
	case len(due) > 0 && len(drew) == 0:
		f.Code = finding.StoodMustDraw
	case !slices.Equal(ascending(due), ascending(drew)) && !slices.Contains(drew, card.Unseen) || len(due) != len(drew):
		f.Code, f.Severity = finding.OtherProcedure, finding.Major
		f.Expected, f.Observed = ascending(due), ascending(drew)
	default:
		return
	}
	t.Add(f)
}

// top is a card's rank, the ace 14.
func top(c card.Card) int {
	if n := c.Number(); n != 1 {
		return n
	}
	return 14
}

// ascending are cards from the lowest to the highest.
func ascending(cards []card.Card) []card.Card {
	list := slices.Clone(cards)
	slices.SortStableFunc(list, func(a, b card.Card) int {
		if top(a) != top(b) {
			return top(a) - top(b)
		}
		return int(a) - int(b)
	})
	return list
}

// bankDue are the cards that the bank must exchange: the first rule that fits.
func (t *table) bankDue(five []card.Card) []card.Card {
	v := t.rank.Value(five)
	cards := ascending(five)
	without := func(ranks ...int) []card.Card {
		return slices.DeleteFunc(slices.Clone(cards), func(c card.Card) bool { return slices.Contains(ranks, top(c)) })
	}
	switch v.Category() {
	case hands.Trio:
		return without(v.Rank(0))
	case hands.DoblePareja:
		return without(v.Rank(0), v.Rank(1))
	case hands.Pareja:
		return without(v.Rank(0))[:2]
	case hands.CartaAlta:
	default:
		return nil
	}
	for k, c := range cards { // four of one suit
		rest := slices.Delete(slices.Clone(cards), k, k+1)
		if !slices.ContainsFunc(rest, func(x card.Card) bool { return x.Suit() != rest[0].Suit() }) {
			return []card.Card{c}
		}
	}
	for k := range 2 { // four in a row, the ace only on top
		if top(cards[k+3])-top(cards[k]) == 3 {
			return []card.Card{cards[(k+4)%5]}
		}
	}
	return cards[:2]
}
