package script

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

// puntoFaults are the faults of punto y banca and of the baccarats.
var puntoFaults = slices.Concat(cardFaults,
	[]Fault{NoCommission, LateBet, WrongCall, MissingCall, WrongDraw, WrongStand})

// baccarat is a card's worth: figures and tens nothing, the ace one.
func baccarat(cards []card.Card) int {
	sum := 0
	for _, c := range cards {
		if n := c.Number(); n < 10 {
			sum += n
		}
	}
	return sum % 10
}

// playPunto plays one hand at a mini table: all cards face up.
func playPunto(t *table) {
	t.reshuffle()
	t.open()
	t.puntoBets()
	t.closePunto()
	t.puntoDeal()
	t.puntoDraws()
	winner := t.callWinner()
	t.puntoSettle(winner)
	t.clearHands("punto", "banca")
}

func (t *table) puntoBets() {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		side := one(t, []string{"punto", "banca", "banca", "punto", "punto"})
		if s := t.spotOf(seat, side); s.stake == 0 && t.maybe(0.85) {
			t.wait(1.3)
			t.bet(s, t.stake(2000, 2000, 4000, 6000, 10000, 12000))
		}
		if s := t.spotOf(seat, "empate"); s.stake == 0 && t.maybe(0.2) {
			t.wait(1.3)
			t.bet(s, t.stake(500, 1000, 2500))
		}
	}
	if len(t.inPlay()) == 0 {
		t.wait(1.3)
		t.bet(t.spotOf(1, "punto"), 2000*t.cfg.Stakes)
	}
}

func (t *table) closePunto() {
	t.wait(2)
	if t.calls(round.Event{Call: "no_va_mas"}) {
		t.maybeLate(t.spotOf)
	}
	t.sayAfter(1.2, round.Event{Call: "cartas"})
}

// maybeLate has a player put a chip on punto after the close.
func (t *table) maybeLate(spot func(int, string) *spot) {
	if !t.commits(LateBet) {
		return
	}
	t.wait(1.5)
	t.betLate(spot(1+t.rng.IntN(t.cfg.Seats), "punto"), t.stake(2500, 10000, 50000))
}

func (t *table) puntoDeal() {
	for _, zone := range []string{"punto", "banca", "punto", "banca"} {
		t.wait(1)
		t.put(zone, t.deal(), false)
	}
	t.points("puntos", "punto", baccarat(t.cards("punto")), 9)
	t.points("puntos", "banca", baccarat(t.cards("banca")), 9)
}

// bancaDraws is the table of the third card: banca's points by the value of
// punto's third card (10 where punto stood).
var bancaDraws = [8][11]bool{
	0: {true, true, true, true, true, true, true, true, true, true, true},
	1: {true, true, true, true, true, true, true, true, true, true, true},
	2: {true, true, true, true, true, true, true, true, true, true, true},
	3: {true, true, true, true, true, true, true, true, false, true, true},
	4: {2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 10: true},
	5: {4: true, 5: true, 6: true, 7: true, 10: true},
	6: {6: true, 7: true},
	7: {},
}

func (t *table) puntoDraws() {
	punto, banca := baccarat(t.cards("punto")), baccarat(t.cards("banca"))
	if punto >= 8 || banca >= 8 {
		return
	}
	third := 10
	if t.third("punto", punto, punto <= 5) {
		third = baccarat(t.cards("punto")[2:])
	}
	t.third("banca", banca, bancaDraws[banca][third])
}

// third gives a hand its third card, or has it stand, and says so. The faults
// WrongDraw and WrongStand do the contrary of the rule.
func (t *table) third(zone string, points int, draw bool) bool {
	switch {
	case !draw && t.commits(WrongDraw):
		t.expect(Finding{Code: finding.DrewMustStand, Zone: zone})
		draw = true
	case draw && t.commits(WrongStand):
		t.expect(Finding{Code: finding.StoodMustDraw, Zone: zone})
		draw = false
	}
	t.wait(1.2)
	if !draw {
		t.say(round.Event{Call: "planta", Zone: zone, Points: new(points)})
		return false
	}
	t.say(round.Event{Call: "carta", Zone: zone})
	t.wait(1.1)
	t.put(zone, t.deal(), true)
	return true
}

// callWinner decides and calls the winner.
func (t *table) callWinner() string {
	winner := sideOf(baccarat(t.cards("punto")), baccarat(t.cards("banca")))
	said := winner
	if t.commits(WrongCall) {
		said = one(t, without([]string{"punto", "banca", "empate"}, winner))
		t.expect(Finding{Code: finding.AnnouncementWrong, Expected: winner, Observed: said})
	}
	t.sayAfter(1.4, round.Event{Call: "ganador", Winner: said})
	return winner
}

func sideOf(punto, banca int) string {
	switch {
	case punto > banca:
		return "punto"
	case banca > punto:
		return "banca"
	}
	return "empate"
}

func without(list []string, no string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == no })
}

// puntoSettle collects what lost, then pays: banca less 5 %, empate 8 to 1.
func (t *table) puntoSettle(winner string) {
	for pass := range 2 {
		for _, s := range t.inPlay() {
			d := due{spot: s, result: loses}
			switch {
			case s.name == winner:
				d.result, d.pays = wins, s.stake
				if winner == "banca" {
					d.fee = (s.stake*5 + 50) / 100
				} else if winner == "empate" {
					d.pays = 8 * s.stake
				}
			case winner == "empate":
				d.result = pushes
			}
			if (d.result == loses) == (pass == 0) {
				t.settle(d)
			}
		}
	}
}
