package ringpoker

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// cause is something that annuls the hand.
type cause struct {
	event int
	early bool // only before two decisions have been made
}

// cause notes what annuls the hand; when is the rulebook's word for it.
func (h *hand) cause(i int, when string) {
	if when != "" {
		h.causes = append(h.causes, cause{i, when == early})
	}
}

// void reports whether the hand is annulled, and by which event at the latest:
// findings after it do not stand.
func (h *hand) void() (bool, int) {
	for _, c := range h.causes {
		if c.early && h.bets.decisions >= 2 {
			continue
		}
		if h.misdeal >= 0 {
			return true, h.misdeal
		}
		return true, max(c.event, h.causeSeen(c.event))
	}
	return false, 0
}

// causeSeen is the last event of the cards that were dealt together with a cause.
func (h *hand) causeSeen(i int) int {
	for k := i; k < len(h.ev); k++ {
		if decides(&h.ev[k]) {
			return max(i, k-1)
		}
	}
	return i
}

// incidentWords are the family's words for what an incident concerns. Hands that
// touch are those of the hand's players.
func incidentWords(r *Rules, o *options) game.IncidentWords {
	return game.IncidentWords{
		Zone:  func(z string) bool { return game.SeatOf(z) > 0 || slices.Contains(r.zones(), z) },
		Seat:  func(kind string, n int) bool { return kind != "cards_touch" || slices.Contains(o.Players, n) },
		Hands: []string{"cards_touch"},
		Whose: []string{"protected_mucked", "chips_added"},
	}
}

// incident follows an irregularity that was seen or reported.
func (h *hand) incident(i int, e *round.Event) {
	m, x := &h.r.Misdeal, &h.r.Errors
	p := h.players[game.PlaceOf(e).Seat]
	switch e.Kind {
	case "card_retired":
		if h.cards.reported[i] {
			return
		}
		h.unsight(e.Card)
		h.cards.back = h.cards.back || line(e.Zone) >= 0 || h.r.stud() && p != nil
	case "wrong_card_seen":
		h.cause(i, m.Seen)
	case "card_seen":
		if h.r.Draw {
			h.cause(i, m.Looked)
		}
	case "card_floor":
		if h.bets.decisions == 0 {
			h.fallen(i)
		}
	case "deck_defective":
		h.cause(i, m.Foreign)
	case "foreign_back":
		h.cause(i, m.Back)
	case "cards_touch":
		if x.Touch {
			h.touch(e)
		}
	case "protected_mucked":
		if x.Mucked && p != nil && p.in {
			p.refund = true
			h.leaves(p)
		}
	case "chips_added":
		if x.Added && p != nil {
			h.at(i, "chips", finding.OtherProcedure, p.seat)
		}
	}
}

// touch annuls the hands that touched; their chips stay.
func (h *hand) touch(e *round.Event) {
	for _, s := range game.Between(e) {
		if p := h.players[s]; p != nil && p.in {
			h.leaves(p)
		}
	}
}

// seventhFace checks the face of the seventh card of seven stud.
func (h *hand) seventhFace(i int, p *player, up bool) {
	if !h.r.Errors.BothUp { // Cantabria, Castilla y León
		h.seventhUp(i, p, up)
		return
	}
	if h.liveCount() == 2 && h.seventhsUp() > 0 { // both lie open then
		if !up {
			h.at(i, "seventh", finding.IrregularityIgnored, p.seat)
		}
		return
	}
	if p.allIn && up {
		return
	}
	h.seventhUp(i, p, up)
}

// seventhsUp counts the seventh cards that lie open already.
func (h *hand) seventhsUp() int {
	n := 0
	for _, ev := range h.streets.cards[:max(len(h.streets.cards)-1, 0)] {
		if h.ev[ev].Face == "up" && !h.players[game.SeatOf(h.ev[ev].Zone)].allIn {
			n++
		}
	}
	return n
}

func (h *hand) seventhUp(i int, p *player, up bool) {
	if up == p.selfShown {
		return
	}
	h.at(i, "seventh", finding.FaceWrong, p.seat)
	switch {
	case !up:
	case h.liveCount() > 2:
		p.asked = i
	case !h.r.Errors.BothUp:
		h.bets.noBets = true
	}
}

// answer is what a player whose seventh card was seen wants: to go on, or to
// play for what has been bet.
func (h *hand) answer(p *player, action string) {
	if p.asked < 0 {
		return
	}
	p.asked = -1
	switch {
	case action == "sit_out":
		p.allIn = true
	case !h.r.Errors.BothUp: // the card is covered, and is none of those that lie open (A.15.2.III.1, art. 69.2)
		p.cards[len(p.cards)-1].up = false
	}
}

// unanswered raises seats that nobody asked.
func (h *hand) unanswered(i int) {
	for _, p := range h.order {
		if p.asked >= 0 && p.in {
			p.asked = -1
			h.at(i, "seventh", finding.IrregularityIgnored, p.seat)
		}
	}
}
