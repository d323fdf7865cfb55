package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// foreign reports whether a card is not of the game's pack.
func (t *table) foreign(c card.Card) bool { return c != card.Unseen && !t.rank.Has(c) }

// sighting is one place where a card is seen.
type sighting struct {
	card  card.Card
	event int
}

// sightings are all places where cards are seen at the end: the zones, the
// cards that legal decisions put aside, and burnt cards.
func (t *table) sightings() []sighting {
	var list []sighting
	for _, z := range t.zones {
		for _, s := range z.slots {
			list = append(list, sighting{s.card, s.seen})
		}
	}
	aside := map[card.Card]bool{}
	if z := t.zones[discard]; z != nil {
		for _, s := range z.slots {
			aside[s.card] = true
		}
	}
	for i := range t.ev {
		e := &t.ev[i]
		switch {
		case e.Type == round.Burn && !game.Doubtful(e):
			list = append(list, sighting{e.Card, i})
		case e.Type == round.Action && t.tookEffect(i, e):
			for _, c := range e.Discard {
				if !aside[c] { // what lies in the discard is seen there
					list = append(list, sighting{c, i})
				}
			}
		}
	}
	return list
}

// tookEffect reports whether a decision to put cards aside was legal.
func (t *table) tookEffect(i int, e *round.Event) bool {
	if e.Zone == bank {
		return slices.ContainsFunc(t.drawings, func(d drawing) bool { return d.event == i })
	}
	s := t.seats[seatOf(e)]
	return s != nil && (s.draw == i || s.bought == i)
}

// deck raises cards that the pack does not hold.
func (t *table) deck() {
	list := t.sightings()
	slices.SortFunc(list, func(a, b sighting) int {
		if a.event != b.event {
			return a.event - b.event
		}
		return int(a.card) - int(b.card)
	})
	count, latest := map[card.Card]int{}, map[card.Card]int{}
	var order []card.Card
	for _, s := range list {
		if s.card == card.Unseen {
			continue
		}
		if count[s.card] == 0 {
			order = append(order, s.card)
			if t.foreign(s.card) {
				t.defects = true
				t.Add(round.Finding{Code: finding.ForeignCard, Event: s.event, Observed: s.card.String(), Rule: t.cite("misdeal")})
			}
		}
		count[s.card]++
		latest[s.card] = s.event
	}
	for _, c := range order {
		if count[c] > 1 && !t.foreign(c) {
			t.defects = true
			t.Add(round.Finding{Code: finding.DuplicateCard, Event: latest[c], Expected: 1, Observed: count[c], Rule: t.cite("misdeal")})
		}
	}
}

// misdeals decides whether the norm annuls the round.
func (t *table) misdeals() {
	m := &t.rules.Misdeal
	for name, z := range t.zones {
		if !z.wrong || name == board || t.corrected(name, z) {
			continue
		}
		what := m.Bank
		if game.SeatOf(name) > 0 {
			what = m.Player
		}
		t.consequence(what, z.last, name, card.Unseen)
	}
	if m.Defective == voids && t.defects {
		t.void = true
	}
	if m.Shoe {
		t.shoe()
	}
	t.early()
	t.boardCount()
}

// corrected reports whether a zone that was dealt short had its number before the
// first decision: the bank of hold'em and the players of texas poker may (§8).
func (t *table) corrected(name string, z *zone) bool {
	d := &t.rules.Deal
	if z.odd != nil && z.odd.shown != t.due(name) || !(d.Streets && name == bank || d.InDeal && game.SeatOf(name) > 0) {
		return false
	}
	before, all, decided := 0, 0, false
	for i := range t.ev {
		switch e := &t.ev[i]; {
		case e.Type == round.Action:
			decided = true
		case e.Type == round.CardDealt && e.Zone == name:
			all++
			if !decided {
				before++
			}
		}
	}
	return before == t.due(name) && all == before
}

// early judges the bank's cards turned before every seat has decided.
func (t *table) early() {
	if t.rules.Second == "" || t.bankAt == len(t.ev) {
		return
	}
	i := t.bankAt
	undecided := t.waiting(i, func(s *seat) bool {
		return s.decidedBy(i) && (!t.rules.Deal.Streets || s.turn >= 0 && s.turn < i && s.river >= 0 && s.river < i)
	})
	open := t.rules.Deal.Board == 5 && t.boardBy(i) < 5 && t.waiting(i, func(*seat) bool { return false })
	if undecided || open {
		t.procedure(i)
	}
	switch t.rules.Misdeal.EarlyBank {
	case voidsOpen:
		t.void = t.void || open
	case voids:
		t.void = t.void || undecided || open
	}
}

// boardCount judges the board of a showdown.
func (t *table) boardCount() {
	z := t.zones[board]
	n := 0
	if z != nil {
		n = len(z.slots)
	}
	if t.rules.Deal.Board != 5 || n == 5 || t.bankAt == len(t.ev) {
		return
	}
	if !slices.ContainsFunc(t.active, func(s *seat) bool { return s.inPlay(t) }) {
		return
	}
	event := t.last
	if z != nil && z.last >= 0 {
		event = z.last
	}
	if z == nil || z.odd == nil {
		t.count(event, board, 5, n)
	}
	t.void = true
}

// shoe judges cards found face up in the pack of hold'em: one may not be used,
// two annul the hand and then nothing else is made of them.
func (t *table) shoe() {
	found, shown := 0, card.Unseen
	at := none
	for i, e := range game.Each(t.ev, round.Incident) {
		switch e.Kind {
		case "card_faceup_in_shoe":
			found += max(e.Count, 1)
			shown, at = e.Card, i
		case "card_drawn_unseen":
			t.drawnUnseen(i)
		}
	}
	switch {
	case found >= 2:
		t.void = true
	case found == 1 && shown != card.Unseen:
		for k := at + 1; k < len(t.ev); k++ {
			if x := &t.ev[k]; x.Type == round.CardDealt && x.Card == shown && x.Zone != discard {
				t.inZone(k, finding.IrregularityIgnored, x.Zone)
			}
		}
	}
}

// drawnUnseen finds a card drawn unseen that was put aside instead of being the next one.
func (t *table) drawnUnseen(i int) {
	for k := i + 1; k < len(t.ev); k++ {
		if x := &t.ev[k]; x.Type == round.CardDealt || x.Type == round.Burn {
			if x.Type == round.CardDealt && x.Zone == discard {
				t.inZone(k, finding.IrregularityIgnored, discard)
			}
			return
		}
	}
}

// streets finds board cards dealt before the decisions of their street.
func (t *table) streets() {
	if t.rules.Deal.Board != 5 {
		return
	}
	check := func(card int, met func(s *seat, i int) bool) {
		if i := t.boardCard(card); i < len(t.ev) && t.waiting(i, func(s *seat) bool { return met(s, i) }) {
			t.procedure(i)
		}
	}
	went := func(s *seat, i int) bool { return s.decidedBy(i) }
	if t.rules.Deal.InDeal {
		check(4, went)
		return
	}
	check(1, went)
	check(4, func(s *seat, i int) bool { return s.turn >= 0 && s.turn < i })
	check(5, func(s *seat, i int) bool { return s.river >= 0 && s.river < i })
}

// exposed applies what the norm says of a card that was seen.
func (t *table) exposed(i int, zone string, c card.Card) {
	m := &t.rules.Misdeal
	var what string
	switch {
	case zone == discard || zone == board:
		return
	case zone == bank:
		what = m.BankSeen
	case game.SeatOf(zone) > 0:
		what = m.PlayerSeen
	default:
		what = m.CommonSeen
		if slots := t.zone(zone).slots; c == card.Unseen && len(slots) > 0 {
			c = slots[0].card // read only when it was turned: it is the card that lay there
		}
	}
	t.consequence(what, i, zone, c)
}

// consequence annuls the round, or a seat's bets, where the norm says so.
func (t *table) consequence(what string, i int, zone string, c card.Card) {
	if t.rules.Misdeal.Option && !t.opt.misdealVoid {
		return
	}
	switch what {
	case voids:
		t.void = true
	case voidsSeat:
		if n := game.SeatOf(zone); n > 0 {
			t.seat(n).void = true
		}
	case voidsOpen:
		t.void = t.void || t.boardBy(i) < t.rules.Deal.Board && t.waiting(i, func(*seat) bool { return false })
	case voidsDeal:
		t.void = t.void || t.boardBy(i) < t.rules.Deal.Board
	case figures:
		n := c.Number()
		t.void = t.void || c.French() && (n == 1 || n >= 11)
	}
}
