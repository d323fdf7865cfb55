package script

import (
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// A spin is a game of one outcome on a layout that all seats share: bets in
// colour chips, a wheel or dice, the rake, winnings pushed to the players. What
// the games differ in is data; outcomes are pockets or sums as the record has them.
type spin struct {
	opener string // who opens the bets
	asks   bool   // «¿están hechas las apuestas?»
	free   bool   // no call closes the bets by the norm; it is made all the same
	// draw makes the outcome; for dice it is nil and dice says how many.
	draw func(*table) string
	dice int
	// kept is set if the dice stay in their shaker between two throws.
	kept bool
	// undecided outcomes are thrown again; nil for none.
	undecided func(outcome string) bool
	// place picks a place and how many chips go there.
	place func(*table) (string, int)
	// room is how many stacks fit on a place.
	room func(name string) int
	// odds are what a place wins in all with a stake; 0 when it loses.
	odds func(t *table, name, outcome string, stake money.Cents) money.Cents
	// half is set if a place loses only half.
	half func(name, outcome string) bool
	// call names the outcome; its zero value says that nobody does.
	call func(outcome string) round.Event
	// wrong is another outcome, to be called by mistake.
	wrong func(t *table, outcome string) string
	// last is the place on which chips are slipped after the close.
	last func(t *table, outcome string) string
	// rank is the group of a place in the order of payment; nil for no order.
	rank func(name string) int
	// first is the place that is raked before the others; "" for none.
	first string
}

// play plays one round.
func (g *spin) play(t *table) {
	t.sayAfter(1, round.Event{Call: "hagan_juego", By: g.opener})
	t.lies()
	t.spinBets(g)
	outcome := ""
	if g.draw != nil {
		outcome = g.draw(t)
	}
	outcome = t.decide(g, outcome)
	t.spinSettle(g, outcome)
	t.wait(1)
	if g.dice > 0 && !g.kept {
		t.act(Act{Who: Croupier, Lift: t.dice})
		t.wait(0.3)
	}
	t.clear()
}

func (t *table) layoutSpot(seat int, name string) *spot { return t.at(seat, name, name) }

// spinBets has each player put colour chips on a few places.
func (t *table) spinBets(g *spin) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		for range 1 + t.rng.IntN(4) {
			name, chips := g.place(t)
			if s := t.layoutSpot(seat, name); s.stake == 0 && t.vacant(g, name) {
				t.wait(1)
				t.betColour(s, chips)
			}
		}
	}
	for len(t.inPlay()) == 0 {
		name, chips := g.place(t)
		t.wait(1)
		t.betColour(t.layoutSpot(1, name), chips)
	}
}

// vacant reports whether a place has room for another stack.
func (t *table) vacant(g *spin, name string) bool { return len(t.slots(name)) < g.room(name) }

// slots are the slots taken on a place, by whomever.
func (t *table) slots(name string) []int {
	var out []int
	for _, s := range t.spots {
		if s.name == name {
			for _, p := range slices.Concat(s.piles, s.lateP) {
				out = append(out, p.Slot)
			}
		}
	}
	return out
}

// colour is a player's kind of chip.
func (t *table) colour(seat int) chip {
	for _, c := range t.cfg.Palette {
		if c.Seat == seat {
			return c
		}
	}
	panic(fmt.Sprintf("script: no colour chip for seat %d", seat))
}

// pileOf is colour chips on a place, in a slot nobody uses.
func (t *table) pileOf(s *spot, chips int) Pile {
	slot, taken := 0, t.slots(s.name)
	for slices.Contains(taken, slot) {
		slot++
	}
	return Pile{Tag: t.nextTag(), Zone: s.zone, Slot: slot, Chips: Alike(t.colour(s.seat).ID, chips)}
}

func (t *table) betColour(s *spot, chips int) {
	t.laid(s, t.colourWorth(s, chips), []Pile{t.pileOf(s, chips)})
}

// colourLate slips colour chips onto a spot after the close.
func (t *table) colourLate(s *spot, chips int) {
	t.laidLate(s, t.colourWorth(s, chips), []Pile{t.pileOf(s, chips)})
}

func (t *table) colourWorth(s *spot, chips int) money.Cents {
	return money.Cents(int64(chips) * t.colour(s.seat).Value)
}

// decide closes the bets, lets the ball or the dice come to rest, and calls it.
func (t *table) decide(g *spin, outcome string) string {
	t.wait(3)
	if g.asks {
		t.say(round.Event{Call: "hechas_apuestas"})
		t.wait(1.2)
	}
	tooLate, late := false, func() { t.spinLate(g, outcome) }
	if closes := (round.Event{Call: "no_va_mas"}); g.free {
		t.say(closes)
		late()
	} else {
		tooLate = t.closing(closes, late)
	}
	t.wait(4)
	if g.dice > 0 {
		outcome = t.roll(g)
	} else {
		t.sense("wheel", round.Event{Type: round.Ball, Pocket: outcome})
	}
	if tooLate {
		t.sayAfter(0.8, round.Event{Call: "no_va_mas"})
	}
	t.callOutcome(g, outcome)
	return outcome
}

// roll throws the dice until they decide and names their outcome.
func (t *table) roll(g *spin) string {
	for {
		faces := t.faces(g.dice)
		t.note(round.Event{Type: round.Dice, Faces: faces})
		old := t.dice
		if g.kept && old == nil {
			old = t.lain
		}
		t.dice = t.diceTags(faces)
		t.act(Act{Who: Who(1 + t.count/7%t.cfg.Seats), Lift: old, Dice: faces, Tag: t.dice[0]})
		if g.kept {
			t.lain = t.dice
		}
		outcome := facesOf(faces)
		if g.undecided == nil || !g.undecided(outcome) {
			return outcome
		}
		t.wait(2)
		t.act(Act{Who: Croupier, Lift: t.dice})
		t.dice = nil
		t.wait(3)
	}
}

// faces are those that n dice show.
func (t *table) faces(n int) []int {
	faces := make([]int, n)
	for i := range faces {
		faces[i] = 1 + t.rng.IntN(6)
	}
	return faces
}

func (t *table) diceTags(faces []int) (tags []int) {
	for range faces {
		tags = append(tags, t.nextTag())
	}
	return tags
}

// facesOf writes faces as one word, ascending: "125".
func facesOf(faces []int) string {
	s := ""
	for _, f := range slices.Sorted(slices.Values(faces)) {
		s += fmt.Sprint(f)
	}
	return s
}

// sumOf is the sum of the faces of a word.
func sumOf(word string) (sum int) {
	for _, c := range word {
		sum += int(c - '0')
	}
	return sum
}

func (t *table) callOutcome(g *spin, outcome string) {
	said := g.call(outcome)
	if said.Call == "" {
		return
	}
	if g.free && t.commits(MissingCall) {
		t.expect(Finding{Code: finding.AnnouncementMissing, Expected: said.Call})
		return
	}
	if t.commits(WrongCall) {
		wrong := g.call(g.wrong(t, outcome))
		t.expect(Finding{Code: finding.AnnouncementWrong, Expected: named(said), Observed: named(wrong)})
		said = wrong
	}
	t.sayAfter(1.5, said)
}

// named is what a call says the outcome is: a sum as a number, all else as a word.
func named(e round.Event) any {
	switch {
	case e.Number != "":
		return string(e.Number)
	case e.Points != nil:
		return *e.Points
	}
	return e.Combination + e.Winner
}

// spinLate slips chips onto the place towards which the ball runs.
func (t *table) spinLate(g *spin, outcome string) {
	s := t.layoutSpot(1+t.rng.IntN(t.cfg.Seats), g.last(t, outcome))
	if !t.commits(LateBet) || s.stake > 0 || !t.vacant(g, s.name) {
		return
	}
	t.wait(1.6)
	t.colourLate(s, 1+t.rng.IntN(3))
}

// wins is what a spot wins; 0 when it loses or loses half.
func (g *spin) wins(t *table, s *spot, outcome string) money.Cents {
	return g.odds(t, s.name, outcome, s.stake)
}

// spinSettle rakes the losers in, then pays seat by seat.
func (t *table) spinSettle(g *spin, outcome string) {
	early := t.commits(PayBefore) && t.someWinAndLose(g, outcome)
	if early {
		t.expect(Finding{Code: finding.PaidBeforeCollect})
		t.payWinners(g, outcome)
	}
	t.rakeLosers(g, outcome)
	if !early {
		t.payWinners(g, outcome)
	}
}

func (t *table) someWinAndLose(g *spin, outcome string) bool {
	var won, lost bool
	for _, s := range t.inPlay() {
		k := g.wins(t, s, outcome)
		won, lost = won || k > 0, lost || k == 0
	}
	return won && lost
}

// rakeLosers takes the losing chips, one sweep per player; some places lose
// only half.
func (t *table) rakeLosers(g *spin, outcome string) {
	t.rakeFirst(g, outcome)
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		var sweep []*spot
		for _, s := range t.inPlay() {
			switch {
			case s.seat != seat || g.wins(t, s, outcome) > 0:
			case g.half(s.name, outcome):
				t.takeHalf(s)
			case t.commits(KeepLoser):
				t.settle(t.pushDue(s, loses, 0))
			case t.commits(PayLoser) && t.spared == nil:
				t.spared = s
			default:
				sweep = append(sweep, s)
			}
		}
		t.rake(sweep)
	}
}

// rakeFirst rakes the place that goes before the others, unless the round's
// fault is to forget that.
func (t *table) rakeFirst(g *spin, outcome string) {
	var before, others []*spot
	for _, s := range t.inPlay() {
		switch {
		case g.wins(t, s, outcome) > 0:
		case s.name == g.first:
			before = append(before, s)
		default:
			others = append(others, s)
		}
	}
	if len(before) > 0 && len(others) > 0 && !g.half(others[0].name, outcome) && t.commits(WrongOrder) {
		t.expect(Finding{Code: finding.OtherProcedure})
		t.rake(others[:1])
	}
	for _, s := range before {
		t.rake([]*spot{s})
	}
}

func (t *table) rake(losers []*spot) {
	if len(losers) == 0 {
		return
	}
	t.wait(1.5)
	var gone []int
	for _, s := range losers {
		t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: s.name, Amount: s.stake})
		gone = append(gone, tags(s.piles)...)
		s.stake, s.piles = 0, nil
		if s.late == 0 {
			delete(t.spots, s.key())
		}
	}
	t.act(Act{Who: Croupier, Lift: gone})
}

// takeHalf takes half of a stake for the house; the player takes the rest.
func (t *table) takeHalf(s *spot) {
	t.wait(1.6)
	half := s.stake / 2
	p := s.piles[0]
	rest := Pile{Tag: t.nextTag(), Zone: p.Zone, Slot: p.Slot, Chips: p.Chips[:len(p.Chips)/2]}
	t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: s.name, Amount: half})
	t.act(Act{Who: Croupier, Lift: tags(s.piles), Piles: []Pile{rest}})
	s.piles, s.stake = []Pile{rest}, 0
	t.wait(1.6)
	t.take(s)
}

// pushDue is what is due on a spot whose winnings are pushed to the player.
func (t *table) pushDue(s *spot, r result, pays money.Cents) due {
	zone := fmt.Sprintf("seat:%d pay", s.seat)
	return due{spot: s, result: r, pays: pays, both: true, payTo: func(amount money.Cents) {
		p := t.stack(amount, zone, len(t.pushed))
		t.pushed = append(t.pushed, p...)
		s.paid += amount
		t.note(round.Event{Type: round.Pay, Seat: s.seat, Spot: s.name, Amount: amount})
		t.act(Act{Who: Croupier, Piles: p})
	}}
}

// payWinners pushes winnings to each player, who then fetches them and his stakes.
func (t *table) payWinners(g *spin, outcome string) {
	if t.spared != nil {
		t.paySpared(t.pushDue(t.spared, loses, 0))
	}
	var won []due
	for _, s := range t.inPlay() {
		if k := g.wins(t, s, outcome); k > 0 {
			won = append(won, t.pushDue(s, wins, k))
		}
	}
	t.payPushed(t.paidInTurn(g, outcome), won)
}

// paySpared pays the loser whom the round's fault is to pay.
func (t *table) paySpared(d due) {
	t.settle(d)
	d.paid = 0
	t.fetchPushed(d.seat, nil)
}

// payPushed pushes winnings to the players, seat by seat.
func (t *table) payPushed(seats []int, won []due) {
	for _, seat := range seats {
		var paid []*spot
		for _, d := range won {
			if d.seat != seat {
				continue
			}
			if t.settle(d); d.spot.paid > 0 {
				paid = append(paid, d.spot)
			}
		}
		t.fetchPushed(seat, paid)
	}
}

// everySeat are the seats of the table.
func (t *table) everySeat() (seats []int) {
	for n := range t.cfg.Seats {
		seats = append(seats, n+1)
	}
	return seats
}

// paidInTurn are the seats in the order in which they are paid: where the norm
// has an order, by the first group in which a seat has won. The fault WrongOrder
// turns it round.
func (t *table) paidInTurn(g *spin, outcome string) []int {
	seats := t.everySeat()
	if g.rank == nil {
		return seats
	}
	first := map[int]int{}
	for _, s := range t.inPlay() {
		if g.wins(t, s, outcome) == 0 {
			continue
		}
		if r, ok := first[s.seat]; !ok || g.rank(s.name) < r {
			first[s.seat] = g.rank(s.name)
		}
	}
	seats = slices.DeleteFunc(seats, func(n int) bool { _, ok := first[n]; return !ok })
	slices.SortStableFunc(seats, func(a, b int) int { return first[a] - first[b] })
	if n := len(seats); n > 1 && first[seats[0]] < first[seats[n-1]] && t.commits(WrongOrder) {
		slices.Reverse(seats)
		t.expect(Finding{Code: finding.PayoutOrderWrong})
	}
	return seats
}

func (t *table) fetchPushed(seat int, paid []*spot) {
	if len(t.pushed) > 0 {
		t.wait(1.6)
		t.act(Act{Who: Who(seat), Lift: tags(t.pushed)})
		t.pushed = nil
	}
	for _, s := range paid {
		t.wait(1)
		s.paid = 0
		t.take(s)
	}
}

// always is a number of chips or stacks that does not depend on the place.
func always(n int) func(string) int { return func(string) int { return n } }

func never(string, string) bool { return false }
