package script

import (
	"fmt"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// The baccarat circle games: one player keeps the bank.
var circleGames = map[string]kind{
	"baccara_chemin_de_fer": {
		play:   playChemin,
		faults: puntoFaults,
	},
	"baccara_dos_panos": {
		play:   playPanos,
		house:  map[string]any{"unidad": 2500},
		faults: puntoFaults,
	},
}

// circle is what goes from round to round where a player keeps the bank.
type circle struct {
	Banker  int         `json:"banker,omitempty"`
	Bank    money.Cents `json:"bank,omitempty"`
	Passes  int         `json:"passes,omitempty"`
	Gain    money.Cents `json:"gain,omitempty"`
	LostBy  int         `json:"lost_by,omitempty"`
	Seguido int         `json:"banco_seguido,omitempty"`
}

// show turns the cards of a zone that lie face down.
func (t *table) show(zone string) {
	var a Act
	for i := range t.hands[zone] {
		if p := &t.hands[zone][i]; p.Down {
			p.Down = false
			a.Lift, a.Cards = append(a.Lift, p.Tag), append(a.Cards, *p)
		}
	}
	a.Who = Croupier
	t.note(round.Event{Type: round.Reveal, Zone: zone, Cards: t.cards(zone)})
	t.act(a)
}

// collectPart takes part of a stake for the house; the rest stays its owner's.
func (t *table) collectPart(s *spot, part money.Cents) {
	if part == s.stake {
		t.collect(s)
		return
	}
	t.leaveRest(s, s.name, part)
}

// leaveRest takes part of a stake, under the name that its spot has in the record.
func (t *table) leaveRest(s *spot, name string, part money.Cents) {
	rest := t.stack(s.stake-part, s.zone, 0)
	t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: name, Amount: part})
	t.act(Act{Who: Croupier, Lift: tags(s.piles), Piles: rest})
	s.piles, s.stake = rest, s.stake-part
}

// clearPlayers has the players fetch what lies on their spots from the round
// before; the bank's money stays.
func (t *table) clearPlayers() {
	for _, s := range t.inPlay() {
		if s.name != "banca" {
			t.wait(1)
			t.take(s)
		}
	}
}

// bankOf is the bank's spot; nil where nobody keeps it.
func (t *table) bankOf() *spot {
	for _, s := range t.inPlay() {
		if s.name == "banca" {
			return s
		}
	}
	return nil
}

// openBank lets the banker go on with what lies there if it is between two
// amounts, and gives the bank to the next seat otherwise.
func (t *table) openBank(least, most money.Cents, fresh []int) *spot {
	b := t.bankOf()
	if b != nil && (b.stake < least || b.stake > most) {
		t.wait(1.2)
		t.take(b)
		b = nil
	}
	if b != nil && len(b.piles) > len(t.stackSizes(b.stake)) {
		t.wait(1.5)
		piles := t.stack(b.stake, b.zone, 0) // coloured up
		t.act(Act{Who: Croupier, Lift: tags(b.piles), Piles: piles})
		b.piles = piles
	}
	t.sayAfter(1, round.Event{Call: "hagan_juego"})
	t.clearPlayers()
	if b != nil {
		t.lies()
		return b
	}
	seat := 1 + t.lastBanker%t.cfg.Seats
	t.lastBanker = seat
	b = t.spotOf(seat, "banca")
	t.wait(1.5)
	t.bet(b, money.Cents(one(t, fresh)))
	return b
}

// payBank lays what the bank has won beside it, less the deduction.
func (t *table) payBank(b *spot, won, fee money.Cents) {
	net := won - fee
	if fee > 0 && t.commits(NoCommission) {
		t.expectOn(b, finding.CommissionMissing, fee, 0)
		net = won
	}
	t.wait(1.8)
	t.pay(b, net)
}

// playChemin plays one coup of chemin de fer.
func playChemin(t *table) {
	t.reshuffle()
	if t.circle != (circle{}) {
		t.rec.Carry = asJSON(t.circle)
	}
	b := t.openBank(5000, 40000, []int{10000, 15000, 20000, 30000})
	t.cheminBets(b)
	t.closeCircle(b)
	for _, zone := range []string{"punto", "banca", "punto", "banca"} {
		t.wait(1)
		t.putDown(zone, t.deal())
	}
	t.cheminDraws()
	t.cheminSettle(b)
	t.clearHands("punto", "banca")
}

// cheminBets has the others bet against the bank, or one of them go banco.
func (t *table) cheminBets(b *spot) {
	left := b.stake
	if seat := 1 + t.rng.IntN(t.cfg.Seats); seat != b.seat && t.maybe(0.15) && left%1000 == 0 &&
		len(t.stackSizes(left)) <= 5 {
		t.sayAfter(1, round.Event{By: round.Player, Call: "banco", Seat: seat})
		t.wait(1.2)
		t.bet(t.at(seat, "banco", fmt.Sprintf("seat:%d punto", seat)), left)
		return
	}
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		stake := money.Cents(one(t, []int{1000, 2000, 3000, 5000, 10000}))
		spot := one(t, []string{"punto", "punto", "punto", "raya"})
		part := stake
		if spot == "raya" {
			stake = max(stake/2000, 1) * 2000
			part = stake / 2
		}
		if seat == b.seat || part > left || !t.maybe(0.85) {
			continue
		}
		t.wait(1.3)
		t.bet(t.spotOf(seat, spot), stake)
		left -= part
	}
	if left == b.stake {
		t.wait(1.3)
		t.bet(t.spotOf(1+b.seat%t.cfg.Seats, "punto"), 2000)
	}
}

// stackSizes are the piles that an amount makes.
func (t *table) stackSizes(amount money.Cents) []Pile {
	tag := t.tag
	defer func() { t.tag = tag }()
	return t.stack(amount, "", 0)
}

// closeCircle names the bank and closes the bets.
func (t *table) closeCircle(b *spot) {
	t.wait(1.5)
	said := b.stake
	switch {
	case t.commits(WrongCall) && t.maybe(0.5):
		said += 1000
		t.expect(Finding{Code: finding.AnnouncementWrong, Expected: b.stake, Observed: said})
	case t.commits(MissingCall) && t.maybe(0.5):
		said = 0
		t.expect(Finding{Code: finding.AnnouncementMissing, Expected: "hay_banca"})
	}
	if said > 0 {
		t.say(round.Event{Call: "hay_banca", Amount: said})
	}
	t.closeBets(b, "punto")
}

// closeBets calls no va más; the fault LateBet has chips laid after it.
func (t *table) closeBets(b *spot, late string) {
	t.wait(1.5)
	if t.calls(round.Event{Call: "no_va_mas"}) {
		if s := t.spotOf(1+b.seat%t.cfg.Seats, late); s.stake == 0 && t.at(s.seat, "banco", s.zone).stake == 0 &&
			t.commits(LateBet) {
			t.wait(1.5)
			t.betLate(s, money.Cents(one(t, []int{2500, 10000})))
		}
	}
	t.wait(1.2)
}

// cheminDraws has punto and banca abate, speak and draw.
func (t *table) cheminDraws() {
	punto, banca := baccarat(t.cards("punto")), baccarat(t.cards("banca"))
	t.wait(2)
	if punto >= 8 {
		t.show("punto")
		t.wait(1.5)
		t.show("banca")
		return
	}
	draws := t.clothSpeaks("punto", punto, banca < 8)
	if banca >= 8 {
		t.wait(1.5)
		t.show("banca")
		t.wait(1.5)
		t.show("punto")
		return
	}
	third := 10
	if draws {
		t.wait(1.1)
		t.put("punto", t.deal(), true)
		third = baccarat(t.cards("punto")[2:])
	}
	if bancaDraws[banca][third] {
		t.wait(1.6)
		t.put("banca", t.deal(), true)
	}
	t.wait(1.5)
	t.show("punto")
	t.wait(1.5)
	t.show("banca")
}

// clothSpeaks has a hand ask for a card or not. The faults WrongDraw and
// WrongStand do the contrary of the rule where it matters.
func (t *table) clothSpeaks(zone string, points int, matters bool) bool {
	draw := points <= 4 || points == 5 && t.maybe(0.5)
	switch {
	case matters && points >= 6 && t.commits(WrongDraw):
		t.expect(Finding{Code: finding.DrewMustStand, Zone: zone})
		draw = true
	case matters && points <= 4 && t.commits(WrongStand):
		t.expect(Finding{Code: finding.StoodMustDraw, Zone: zone})
		draw = false
	}
	t.wait(1.2)
	call := "no"
	if draw {
		call = "carta"
	}
	t.say(round.Event{By: round.Player, Call: call, Zone: zone})
	return draw
}

// cheminSettle collects what lost and pays what won, the bank last.
func (t *table) cheminSettle(b *spot) {
	winner := t.callWinner()
	bank, covered, banco := b.stake, money.Cents(0), 0
	for _, s := range t.inPlay() {
		if s != b {
			part, _ := played(s)
			covered += part
			if s.name == "banco" {
				banco = s.seat
			}
		}
	}
	if winner == "punto" {
		t.wait(1.5)
		t.collectPart(b, covered)
	}
	for _, s := range t.inPlay() {
		if s != b {
			t.settleAgainst(s, winner)
		}
	}
	t.cheminNext(b, winner, bank, covered, banco)
}

// played is the part of a stake that plays against the bank: half of one on the line.
func played(s *spot) (part money.Cents, whole bool) {
	if s.name == "raya" {
		return s.stake / 2, false
	}
	return s.stake, true
}

func (t *table) settleAgainst(s *spot, winner string) {
	part, whole := played(s)
	d := due{spot: s, pays: part, result: map[string]result{"punto": wins, "banca": loses, "empate": pushes}[winner]}
	switch {
	case whole:
		t.settle(d)
	case d.result == wins:
		t.wait(1.8)
		t.pay(s, part)
		t.fetch(d)
	case d.result == loses:
		t.wait(1.4)
		t.collectPart(s, part)
	}
}

// cheminNext pays the bank and hands on what the next round must know.
func (t *table) cheminNext(b *spot, winner string, bank, covered money.Cents, banco int) {
	was := t.circle
	t.circle = circle{Banker: b.seat, Bank: bank}
	if was.Banker == b.seat {
		t.circle.Passes, t.circle.Gain = was.Passes, was.Gain
	}
	switch winner {
	case "punto":
		t.circle = circle{LostBy: b.seat}
		if b.stake > 0 {
			t.wait(1.4)
			t.take(b)
		}
	case "banca":
		fee := (covered*5 + 50) / 100
		t.payBank(b, covered, fee)
		t.circle.Bank += covered - fee
		t.circle.Passes++
		t.circle.Gain += covered - fee
		t.circle.Seguido = banco
	}
}

// playPanos plays one coup of baccará a dos paños.
func playPanos(t *table) {
	t.reshuffle()
	least := money.Cents(10000 * max(3, t.cfg.Seats-1)) // that the others may win
	b := t.openBank(least, 120000, []int{60000, 70000, 80000})
	t.panosBets(b)
	t.closeBets(b, "pano1")
	for range 2 {
		for _, zone := range []string{"pano1", "pano2", "banca"} {
			t.wait(1)
			t.putDown(zone, t.deal())
		}
	}
	t.panosDraws()
	t.panosCalls()
	t.panosSettle(b)
	t.wait(1.5)
	for _, zone := range []string{"pano1", "pano2", "banca"} {
		t.sweep(zone)
		t.wait(0.8)
	}
	t.clear()
}

func (t *table) panosBets(b *spot) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		if seat == b.seat || !t.maybe(0.9) {
			continue
		}
		t.wait(1.3)
		t.bet(t.spotOf(seat, one(t, []string{"pano1", "pano2", "caballo", "pano1", "pano2", "raya:1", "raya:2"})),
			money.Cents(one(t, []int{5000, 10000, 7500, 2500})))
	}
	for _, s := range t.inPlay() {
		if (s.name == "raya:1" || s.name == "raya:2") && s.stake%5000 != 0 {
			t.wait(1.3)
			t.bet(s, 5000-s.stake%5000)
		}
	}
	if len(t.inPlay()) == 1 {
		t.wait(1.3)
		t.bet(t.spotOf(1+b.seat%t.cfg.Seats, "pano2"), 5000)
	}
}

// panosDraws has the hands abate or speak, in their order and before the bank, and then draw
// (cantabria-2010 A.12.VII).
func (t *table) panosDraws() {
	banca := baccarat(t.cards("banca"))
	t.wait(2)
	cloths := []string{"pano1", "pano2"}
	if banca >= 8 {
		t.panosAbate(cloths)
		return
	}
	var open, drawing []string
	for _, zone := range cloths {
		points := baccarat(t.cards(zone))
		if points >= 8 {
			t.wait(1.3)
			t.show(zone)
			continue
		}
		open = append(open, zone)
		if t.clothSpeaks(zone, points, true) {
			drawing = append(drawing, zone)
		}
	}
	third := 10 // of the last cloth that did not abate
	for _, zone := range drawing {
		t.wait(1.1)
		t.put(zone, t.deal(), true)
		if zone == open[len(open)-1] {
			third = baccarat(t.cards(zone)[2:])
		}
	}
	draws := len(open) == 2 && banca <= 3 || len(open) == 1 && bancaDraws[banca][third] || len(open) > 0 && banca == 0
	if draws {
		t.wait(1.6)
		t.put("banca", t.deal(), true)
	}
	for _, zone := range append(open, "banca") {
		t.wait(1.3)
		t.show(zone)
	}
}

// panosAbate has the bank show its eight or nine once both cloths have shown or
// spoken (cantabria-2010 A.12.VII: the hands pronounce themselves in their order and
// before the banker); nobody draws.
func (t *table) panosAbate(cloths []string) {
	var spoken []string
	for _, zone := range cloths {
		if points := baccarat(t.cards(zone)); points < 8 {
			t.clothSpeaks(zone, points, false)
			spoken = append(spoken, zone)
			continue
		}
		t.wait(1.3)
		t.show(zone)
	}
	for _, zone := range append([]string{"banca"}, spoken...) {
		t.wait(1.3)
		t.show(zone)
	}
}

func (t *table) panosCalls() {
	for _, zone := range []string{"pano1", "pano2", "banca"} {
		t.points("puntos", zone, baccarat(t.cards(zone)), 9)
	}
}

// beats compares two hands: two cards of eight beat three of eight or nine.
func beats(a, b []card.Card) int {
	p, q := baccarat(a), baccarat(b)
	switch {
	case p == 8 && len(a) == 2 && len(b) > 2 && q >= 8:
		return 1
	case q == 8 && len(b) == 2 && len(a) > 2 && p >= 8:
		return -1
	}
	return p - q
}

// panosSettle collects what lost, pays what won, and settles the bank with the rest.
func (t *table) panosSettle(b *spot) {
	cloth := [2]int{beats(t.cards("pano1"), t.cards("banca")), beats(t.cards("pano2"), t.cards("banca"))}
	var net money.Cents // of the bank
	type part struct {
		*spot
		won, lost money.Cents
	}
	var parts []part
	for _, s := range t.inPlay() {
		if s == b {
			continue
		}
		p := part{spot: s}
		for k, amount := range t.onCloths(s) {
			switch {
			case cloth[k] > 0:
				p.won += amount
			case cloth[k] < 0:
				p.lost += amount
			}
		}
		net += p.lost - p.won
		parts = append(parts, p)
	}
	if net < 0 {
		t.wait(1.5)
		t.collectPart(b, -net)
	}
	for pass := range 2 {
		for _, p := range parts {
			if (p.won == 0) == (pass == 0) {
				t.settlePart(p.spot, p.won, p.lost)
			}
		}
	}
	if net > 0 {
		t.payBank(b, net, (net*2+50)/100)
	}
}

// onCloths is how a stake is divided between the cloths: an odd number of units
// leaves one more on the first.
func (t *table) onCloths(s *spot) [2]money.Cents {
	switch s.name {
	case "pano1":
		return [2]money.Cents{s.stake, 0}
	case "pano2":
		return [2]money.Cents{0, s.stake}
	case "raya:1":
		return [2]money.Cents{s.stake / 2, 0}
	case "raya:2":
		return [2]money.Cents{0, s.stake / 2}
	}
	const unit = 2500
	n := s.stake / unit
	return [2]money.Cents{(n + 1) / 2 * unit, n / 2 * unit}
}

// settlePart settles a spot of which one part may win and another lose.
func (t *table) settlePart(s *spot, won, lost money.Cents) {
	plain := s.name == "pano1" || s.name == "pano2"
	switch {
	case plain && lost > 0:
		t.settle(due{spot: s, result: loses})
	case plain && won > 0:
		t.settle(due{spot: s, result: wins, pays: won})
	case plain:
		t.settle(due{spot: s, result: pushes})
	default:
		if lost > 0 {
			t.wait(1.5)
			t.collectPart(s, lost)
		}
		if won > 0 {
			t.wait(1.6)
			t.pay(s, won)
			t.fetch(due{spot: s})
		}
	}
}
