package housepoker

import (
	"slices"
	"strconv"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// firstCall is the first announcement of a call, for a seat unless it is 0.
func (t *table) firstCall(call string, seat int) int {
	for i, e := range game.Calls(t.ev, call) {
		if seat == 0 || e.Seat == seat {
			return i
		}
	}
	return none
}

func (t *table) missing(call string, seat int) {
	if t.closed && t.rules.Calls[call].Mandatory && t.firstCall(call, seat) == none {
		t.Add(round.Finding{Code: finding.AnnouncementMissing, Event: t.last, Seat: seat, Expected: call})
	}
}

// announcements checks what was said and what was not.
func (t *table) announcements() {
	if t.quiet() {
		return
	}
	if t.dealt < len(t.ev) {
		t.missing("no_va_mas", 0)
		t.missing("suma_dados", 0)
		if t.rules.Calls["no_va_mas"].Mandatory && t.nvm < len(t.ev) && t.dealt < t.nvm {
			t.At(t.dealt, finding.DealtBeforeClose)
		}
	}
	t.truth()
	t.callOrder()
	if t.void {
		return
	}
	inPlay := false
	for _, s := range t.active {
		if s.inPlay(t) {
			inPlay = true
			t.missing("player_hand", s.n)
		}
	}
	if inPlay {
		t.missing("bank_hand", 0)
	}
	if slices.ContainsFunc(t.places, func(c *chips) bool {
		return c.Spot == "txb" && c.valid > 0 && !t.seat(c.Seat).folded()
	}) {
		t.missing("texas_bonus", 0)
	}
}

// truth compares what was announced with what is so.
func (t *table) truth() {
	wrong := func(i, seat int, expected, observed any, topic string) {
		t.Add(round.Finding{Code: finding.AnnouncementWrong, Event: i, Seat: seat, Expected: expected, Observed: observed,
			Rule: t.cite(topic, "deal")})
	}
	if sum := t.sumOfDice(); sum > 0 && t.rules.Deal.Hands {
		for i, e := range game.Calls(t.ev, "suma_dados") {
			if said, err := strconv.Atoi(string(e.Number)); err == nil && said < 1e5 && said != sum {
				wrong(i, 0, sum, said, "deal")
			}
		}
	}
	if t.rules.Deal.Hands {
		return
	}
	say := func(i int, e *round.Event, seat int, zone string) {
		if h, why := t.hand(zone); why == known && e.Category != "" && e.Category != h.Value.Category().String() {
			wrong(i, seat, h.Value.Category().String(), e.Category, "ranks")
		}
	}
	if t.rules.Deal.Bank > 0 {
		for i, e := range game.Calls(t.ev, "bank_hand") {
			say(i, e, 0, bank)
		}
	}
	for i, e := range game.Calls(t.ev, "player_hand") {
		if n := seatOf(e); n > 0 {
			say(i, e, n, game.SeatZone(n))
		}
	}
}

// callOrder checks the order of the calls of hold'em and of the Texas Bonus.
func (t *table) callOrder() {
	if t.rules.Calls["bank_hand"].Mandatory {
		first := t.firstCall("bank_hand", 0)
		for i, e := range game.Calls(t.ev, "player_hand") {
			if i < first {
				t.Add(round.Finding{Code: finding.AnnouncementOrder, Event: i, Seat: e.Seat})
			}
		}
	}
	if t.rules.Calls["texas_bonus"].Mandatory {
		if i := t.firstCall("texas_bonus", 0); i > t.boardCard(4) {
			t.At(i, finding.AnnouncementOrder)
		}
	}
}
