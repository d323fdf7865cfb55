package housepoker

import (
	"cmp"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// chips are those on one spot of one seat.
type chips struct {
	game.Place
	valid      money.Cents // a bet
	void       money.Cents // late or not allowed: no bet, given back
	timely     money.Cents // what lay as a bet when its window closed
	last       int         // last chips of the bet
	lastTimely int
	late       sum // late chips
	refused    sum // chips not allowed
	taken      sum // chips of the bet taken back too late
	pulled     pulled
}

// pulled are the chips that a player takes back while he may, in one movement or more.
type pulled struct {
	amount    money.Cents
	bet, void money.Cents // of the bet, and of chips that are none
	last      int
}

// pull takes chips back while the player may: those of the bet where they are all of it, and
// otherwise first those that are no bet.
func (c *chips) pull(i int, amount money.Cents) {
	p := &c.pulled
	c.valid, c.void = c.valid+p.bet, c.void+p.void
	p.amount, p.last = p.amount+amount, i
	if p.void = min(c.void, p.amount); p.amount == c.valid {
		p.void = 0
	}
	p.bet = p.amount - p.void
	c.valid, c.void = c.valid-p.bet, c.void-p.void
}

// sum is an amount with the event that began it.
type sum struct {
	amount money.Cents
	first  int
}

func (s *sum) add(i int, a money.Cents) {
	if s.amount == 0 {
		s.first = i
	}
	s.amount += a
}

// there is everything on the spot.
func (c *chips) there() money.Cents { return c.valid + c.void }

func (t *table) spot(p game.Place, i int) *chips {
	c := t.chips[p]
	if c == nil {
		c = t.chipRoom.New(chips{Place: p, last: i, lastTimely: i})
		t.chips[p] = c
		t.places = append(t.places, c)
	}
	return c
}

func (t *table) bet(i int, e *round.Event) {
	c := t.spot(game.PlaceOf(e), i)
	how := t.betState(i, e)
	s := t.seat(e.Seat)
	if e.Spot == t.rules.Second && s.chips == none {
		s.chips = i
	}
	switch how {
	case game.Late:
		c.late.add(i, e.Amount)
		c.void += e.Amount
	case game.Refused:
		c.refused.add(i, e.Amount)
		c.void += e.Amount
	default:
		c.valid += e.Amount
		c.timely += e.Amount
		c.last, c.lastTimely = i, i
		if e.Spot == t.rules.Second && s.valid == none {
			s.valid = i
		}
	}
	switch {
	case how != game.Plays:
	case e.Spot == "turn" && s.turn == none:
		s.turn = i
	case e.Spot == "river" && s.river == none:
		s.river = i
	}
}

// betState is what chips are when they appear.
func (t *table) betState(i int, e *round.Event) game.BetState {
	sp, offered := t.rules.spot(e.Spot), t.spotOffered(e.Spot)
	s := t.seat(e.Seat)
	if !offered || sp.Against == Virtual || e.Seat > t.maxSeat() || t.holdsBank(e.Seat) {
		return game.Refused
	}
	if sp.From == "" {
		switch {
		case i > t.close:
			return game.Late
		case sp.NeedsAnte && s.ante == 0 && !(e.Spot == "pareja_plus" && t.opt.plusAlone):
			return game.Refused
		}
		return game.Plays
	}
	if !s.active || s.ante == 0 || s.outBy(i) {
		return game.Refused
	}
	if e.Spot == "turn" || e.Spot == "river" {
		if flop := t.chips[game.Place{Seat: e.Seat, Spot: "flop"}]; flop == nil || flop.valid == 0 {
			return game.Refused
		}
	}
	from, to := t.moment(sp.From), t.moment(sp.To)
	if s.blind >= 0 && t.rules.Blind == "second_first" {
		from, to = none, t.close
	}
	switch {
	case i < from:
		return game.Refused
	case i > to:
		return game.Late
	}
	return game.Plays
}

// moment is the event that opens or closes a window; len(ev) when it did not come.
func (t *table) moment(name string) int {
	n := len(t.ev)
	switch name {
	case "deal":
		if t.dealEnd >= 0 {
			return t.dealEnd
		}
	case "bank":
		return t.bankAt
	case "draw":
		return t.drawAt
	case "board1", "board3", "board4", "board5":
		return t.boardCard(int(name[len(board)] - '0'))
	default:
		if z := t.zones[name]; z != nil && z.shown >= 0 {
			return z.shown
		}
	}
	return n
}

// turn takes note of cards that were turned, or came after the first were.
func (t *table) turn(i int, e *round.Event) {
	if e.Zone != discard {
		t.turned[seatOf(e)] = i
	}
}

// isDecided reports whether a seat's bet is decided at an event: the cards that it
// hangs on lie open. A bank that does not play gives some bets back by itself.
func (t *table) isDecided(i, seat int, sp *Spot) bool {
	last := none
	for _, n := range []int{0, t.opt.banker, seat} {
		if at, ok := t.turned[n]; ok {
			last = max(last, at)
		}
	}
	if last != none && last < i {
		return true
	}
	if at, ok := t.turned[0]; !ok || at > i || sp.Unequal != "push" {
		return false
	}
	b, why := t.readHand(bank)
	return why == known && !t.qualifies(b.Value)
}

// withdraw takes chips back: void ones first, which are the player's own.
func (t *table) withdraw(i int, e *round.Event) error {
	sp := t.rules.spot(e.Spot)
	may := sp.BackTo != "" && i > t.moment(sp.BackFrom) && i < t.moment(sp.BackTo)
	if i >= t.close && !may && t.isDecided(i, e.Seat, sp) && (sp.BackTo == "" || i > t.moment(sp.BackTo)) {
		t.afterwards = append(t.afterwards, i) // his own, unless the bet is lost
		return nil
	}
	c := t.chips[game.PlaceOf(e)]
	if c == nil || e.Amount > c.there() {
		return round.Malformed(round.At(i, "amount"), "a withdrawal is at most what lies there", "withdraws %d from %s of seat %d",
			e.Amount, e.Spot, e.Seat)
	}
	if may {
		c.pull(i, e.Amount)
		return nil
	}
	own := min(c.void, e.Amount)
	amount := e.Amount - own
	c.void -= own
	if i < t.close {
		c.valid -= amount
		c.timely -= amount
		return nil
	}
	if amount == 0 {
		return nil
	}
	c.valid -= amount
	if sp.BackTo != "" && sp.BackFrom != "deal" && i < t.moment(sp.BackFrom) {
		t.Add(round.Finding{Code: finding.PlayerActionNotAllowed, Event: i, Seat: e.Seat, Spot: e.Spot})
		return nil
	}
	c.taken.add(i, amount)
	return nil
}

// takenBack judges chips taken after the showdown: those of a lost bet were no
// longer the player's, and are no stake any more.
func (t *table) takenBack() {
	for _, i := range t.afterwards {
		p := game.PlaceOf(&t.ev[i])
		k := t.entryOf(p)
		if k < 0 || t.entries[k].Outcome != round.Lose || t.rules.spot(p.Spot).Against == AgainstMeter {
			continue
		}
		e := t.entries[k]
		amount := min(t.ev[i].Amount, e.Stake-t.moved.Of(p).Collect.Amount)
		if amount <= 0 {
			continue
		}
		t.Amounts(i, finding.LateWithdrawal, p, 0, amount)
		e.Must -= amount
		if e.Stake -= amount; e.Stake == 0 && e.Back == 0 {
			t.entries = slices.Delete(t.entries, k, k+1)
		}
	}
}

// stakes judges what was laid: late and refused chips, those taken back, and the limits.
func (t *table) stakes() {
	for _, c := range t.places {
		if c.late.amount > 0 {
			t.Amounts(c.late.first, finding.LateBet, c.Place, 0, c.late.amount)
		}
		if c.refused.amount > 0 {
			t.Amounts(c.refused.first, finding.BetNotAllowed, c.Place, 0, c.refused.amount)
		}
		if c.pulled.bet > 0 && c.valid > 0 { // a bet is taken back whole
			t.Add(round.Finding{Code: finding.PlayerActionNotAllowed, Event: c.pulled.last, Seat: c.Seat, Spot: c.Spot})
		}
		if c.taken.amount > 0 {
			t.Amounts(c.taken.first, finding.LateWithdrawal, c.Place, 0, c.taken.amount)
		}
		if c.timely > 0 {
			sp := t.rules.spot(c.Spot)
			t.limits(c, sp)
			t.sideLimits(c, sp)
		}
	}
	t.raises()
}

func (t *table) limits(c *chips, sp *Spot) {
	least, most := t.rec.Table.Min, t.rec.Table.Max
	most = cmp.Or(most, least*t.rules.MaxTimes)
	if sp.Limits == "both" && c.timely < least {
		t.Amounts(c.lastTimely, finding.BetBelowMin, c.Place, least, c.timely)
	}
	if sp.Limits != "" && most > 0 && c.timely > most {
		t.Amounts(c.lastTimely, finding.BetAboveMax, c.Place, most, c.timely)
	}
}

func (t *table) sideLimits(c *chips, sp *Spot) {
	least := t.rec.Table.Min
	switch fixed, ok := t.opt.fixed[c.Spot]; {
	case ok && c.timely != fixed:
		t.Amounts(c.last, finding.SideBetLimit, c.Place, fixed, c.timely)
	case sp.HalfMin && least > 0 && 2*c.timely > least:
		t.Amounts(c.last, finding.SideBetLimit, c.Place, least/2, c.timely)
	case sp.TenMin > 0 && least > 0 && c.timely > least*money.Cents(sp.TenMin):
		t.Amounts(c.last, finding.SideBetLimit, c.Place, least*money.Cents(sp.TenMin), c.timely)
	case sp.TenMin > 0 && c.timely < t.opt.plusMin:
		t.Amounts(c.last, finding.SideBetLimit, c.Place, t.opt.plusMin, c.timely)
	}
}
