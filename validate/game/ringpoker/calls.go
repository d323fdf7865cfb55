package ringpoker

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// spoken are the calls that were made.
type spoken struct {
	fold, foldSeat int // a fold whose «no va» has not been said, -1: none
	hagan, ultima  int
	descarte       map[int]int // event of each seat's number
	gana           []int
}

// foldSaid demands «el señor o la señora no va» between a fold and what comes next.
func (h *hand) foldSaid(i int, e *round.Event) {
	if h.said.fold < 0 || !h.r.Calls.NoVa {
		return
	}
	switch e.Type {
	case round.Action, round.Bet, round.CardDealt, round.Burn, round.Reveal, round.Pay, round.Commission:
		h.foldUnsaid(i)
	}
}

func (h *hand) foldUnsaid(i int) {
	h.unsaid(i, "fold", "no_va", h.said.foldSeat)
	h.said.fold = -1
}

// unsaid notes a call that was missed at event i; its finding carries the
// record's last event, and is kept in a hand annulled after i.
func (h *hand) unsaid(i int, topic, call string, seat int) {
	h.add(topic, round.Finding{Code: finding.AnnouncementMissing, Event: h.last, Seat: seat, Expected: call})
	h.missed = append(h.missed, missed{i, seat, call})
}

// missed is a call that was not made by the time of an event.
type missed struct {
	event, seat int
	call        string
}

// missedBy reports whether the call that a finding asks for was missed by event cut.
func (h *hand) missedBy(f *round.Finding, cut int) bool {
	return f.Code == finding.AnnouncementMissing && slices.ContainsFunc(h.missed, func(m missed) bool {
		return m.event <= cut && m.seat == f.Seat && m.call == f.Expected
	})
}

// announce follows a call.
func (h *hand) announce(i int, e *round.Event) {
	switch e.Call {
	case "no_va":
		if p := h.players[e.Seat]; h.r.Calls.NoVa && p != nil && p.in {
			h.at(i, "fold", finding.AnnouncementWrong, e.Seat)
			return
		}
		if e.Seat == 0 || e.Seat == h.said.foldSeat {
			h.said.fold = -1
		}
	case "hagan_sus_apuestas":
		h.said.hagan = i
	case "ultima_carta":
		h.said.ultima = i
	case "descarte":
		h.said.descarte[game.PlaceOf(e).Seat] = i
	case "gana":
		h.said.gana = append(h.said.gana, i)
	case "misdeal":
		h.misdeal = i
		h.checkDealCut(i)
	}
}

// checkDealCut checks the deal up to a misdeal call: one made before any
// decision may cut a right deal short.
func (h *hand) checkDealCut(i int) {
	h.checkAwaited(i)
	h.checkDeal(i, h.bets.decisions == 0)
}

// checkWinnersSaid checks the calls of the winners once the hands are read.
func (h *hand) checkWinnersSaid() {
	said := map[int]bool{}
	for _, i := range h.said.gana {
		e := &h.ev[i]
		seat := game.PlaceOf(e).Seat
		if seat == 0 {
			continue
		}
		said[seat] = true
		names := h.final.categories[seat]
		switch {
		case !h.final.wins[seat]:
			h.at(i, "winner", finding.AnnouncementWrong, seat)
		case e.Hand != "" && len(names) > 0 && !slices.Contains(names, e.Hand):
			h.add("winner", round.Finding{Code: finding.AnnouncementWrong, Event: i, Seat: seat, Expected: names[0], Observed: e.Hand})
		}
	}
	if !h.r.Calls.Gana || !h.final.showdown {
		return
	}
	for _, p := range h.order {
		if h.final.wins[p.seat] && !said[p.seat] {
			h.unsaid(h.last, "winner", "gana", p.seat)
		}
	}
}
