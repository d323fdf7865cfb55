package ringpoker

import (
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// sightings are the known cards and those that will be taken back.
type sightings struct {
	seen         [256]uint8
	retired      []bool      // by event: this card is taken back later
	reported     []bool      // by event: this incident reports again what was taken back
	skip         []bool      // by event: this card was dealt early and is taken back
	board        []lines     // common cards by line
	deal         []int       // events of the cards dealt to the seats at first
	common       int         // common cards laid with the deal
	discard      []card.Card // of the opener, shown
	shownDiscard bool
	back         bool // a card was taken back: burns are not counted from then on
}

// lines is one line of common cards.
type lines struct {
	cards  []card.Card
	events []int
	turned []bool // it lies open, whether it was read or not
}

func (h *hand) startCards() {
	c := &h.cards
	c.retired, c.reported, c.skip = make([]bool, len(h.ev)), make([]bool, len(h.ev)), make([]bool, len(h.ev))
	n := 1
	if h.r.Board != nil {
		n = h.r.Board.Lines
	}
	c.board = make([]lines, n)
	if h.r.Board != nil && h.r.Board.Turned {
		return // its cards are taken back from what a reveal shows
	}
	for i, e := range game.Each(h.ev, round.Incident) {
		if e.Kind == "card_retired" {
			h.retire(i, e)
		}
	}
}

// retire finds the card that an incident takes back. One that was taken back already is
// only reported again.
func (h *hand) retire(i int, e *round.Event) {
	if e.Card != card.Unseen {
		for k := i - 1; k >= 0; k-- {
			if d := &h.ev[k]; d.Type == round.CardDealt && d.Zone == e.Zone && d.Card == e.Card {
				h.cards.reported[i] = h.cards.retired[k]
				h.cards.retired[k] = true
				return
			}
		}
	}
	for k := i - 1; k >= 0; k-- {
		d := &h.ev[k]
		if d.Type == round.CardDealt && d.Zone == e.Zone && !h.cards.retired[k] &&
			(e.Card == card.Unseen || d.Card == card.Unseen || d.Card == e.Card) {
			h.cards.retired[k] = true
			return
		}
	}
}

// line is the number of a zone of common cards, from 0; -1 for other zones.
func line(zone string) int {
	switch zone {
	case "board", "board1":
		return 0
	case "board2":
		return 1
	}
	return -1
}

// sight notes a card that was not known before.
func (h *hand) sight(i int, c card.Card) {
	if c == card.Unseen {
		return
	}
	if !h.rank.Has(c) {
		h.add("cards", round.Finding{Code: finding.ForeignCard, Event: i, Observed: c.String()})
		h.cause(i, h.r.Misdeal.Foreign)
		return
	}
	if h.cards.seen[c]++; h.cards.seen[c] > 1 {
		h.add("cards", round.Finding{Code: finding.DuplicateCard, Event: i, Observed: c.String()})
		h.cause(i, h.r.Misdeal.Duplicate)
	}
}

func (h *hand) unsight(c card.Card) {
	if c != card.Unseen && h.cards.seen[c] > 0 {
		h.cards.seen[c]--
	}
}

// card follows a card that is dealt.
func (h *hand) card(i int, e *round.Event) {
	c := game.Read(e.Card, e)
	if line(e.Zone) < 0 && !h.playing(game.SeatOf(e.Zone)) {
		return // nobody plays there
	}
	h.sight(i, c)
	h.checkAwaited(i)
	if h.cards.retired[i] && !h.cards.skip[i] {
		h.takenBack(i)
		return
	}
	if h.cards.skip[i] {
		return
	}
	if l := line(e.Zone); l >= 0 {
		h.commonCard(i, l, c, e)
		return
	}
	p := h.players[game.SeatOf(e.Zone)]
	if h.r.Errors.SkipFolded && !p.in && h.streets.dealt {
		return
	}
	d := dealt{c, i, e.Face == "up"}
	if h.streets.now == 0 && !h.streets.dealt {
		if !(h.closed() && h.dealComplete()) {
			h.dealCard(i, p, d)
			return
		}
	}
	h.laterCard(i, p, d)
}

// give puts a card before a seat.
func (p *player) give(d dealt) {
	p.cards = append(p.cards, d)
	if d.card != card.Unseen {
		p.seen = append(p.seen, d.card)
	}
}

// reveal follows cards that are shown.
func (h *hand) reveal(i int, e *round.Event) {
	cards := slices.Clone(e.Cards)
	for k := range cards {
		cards[k] = game.Read(cards[k], e)
	}
	switch seat := game.SeatOf(e.Zone); {
	case e.Zone == "opener_discard":
		for k, c := range cards { // a further reading shows what was not read before
			switch {
			case k >= len(h.cards.discard):
				h.cards.discard = append(h.cards.discard, c)
			case c == card.Unseen || c == h.cards.discard[k]:
				continue
			default:
				h.cards.discard[k] = c
			}
			h.sight(i, c)
		}
		h.cards.shownDiscard = true
	case line(e.Zone) >= 0 && h.r.Board != nil && h.r.Board.Turned:
		h.turnBoard(i, cards)
	case line(e.Zone) >= 0:
		h.seeBoard(i, line(e.Zone), cards)
	case seat > 0 && h.players[seat] != nil:
		h.show(i, h.players[seat], cards)
	}
}

// show follows the hand of a seat that is shown, at the showdown or before.
func (h *hand) show(i int, p *player, cards []card.Card) {
	fresh := slices.Clone(p.seen)
	for _, c := range cards {
		if k := slices.Index(fresh, c); k >= 0 {
			fresh = slices.Delete(fresh, k, k+1)
			continue
		}
		h.sight(i, c)
		if c != card.Unseen {
			p.seen = append(p.seen, c)
		}
	}
	if !p.in {
		return
	}
	if !h.closed() || i <= h.showAt {
		p.selfShown = true
		return
	}
	if p.shownAt < 0 && h.liveCount() > 1 {
		h.showOrder(i, p)
	}
	p.shown, p.shownAt = cards, i
}

// showOrder checks who shows first: the last bettor of the hand, without one
// the first to speak in the last interval.
func (h *hand) showOrder(i int, p *player) {
	for _, q := range h.order {
		if q.shownAt >= 0 {
			return
		}
	}
	from := h.bets.last
	if from == 0 {
		if from = h.bets.first; from == 0 {
			from = h.mano
		}
	}
	for _, s := range h.ring.from(from, h.ring.dir) {
		if !h.players[s].in {
			continue
		}
		if s != p.seat && h.r.ShowOrder {
			h.final.before, h.final.beforeAt = p.seat, i
		}
		return
	}
}

// seeBoard fills in common cards that were not read when they were laid.
func (h *hand) seeBoard(i, l int, cards []card.Card) {
	if l >= len(h.cards.board) {
		return
	}
	b := h.cards.board[l].cards
	for k, c := range cards {
		if k < len(b) && b[k] == card.Unseen && c != card.Unseen {
			h.sight(i, c)
			b[k] = c
		}
	}
}

func boardZone(r *Rules, l int) string {
	if r.Board != nil && r.Board.Lines == 2 {
		return fmt.Sprint("board", l+1)
	}
	return "board"
}
