package narrate

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/game/ringpoker"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// The pokers among the players have one course: antes or blinds, the deal, intervals of betting
// after each of which the chips go to the pot, common cards or streets between them, the
// showdown, the house's part, and the pot pushed to who won it.

// ringPokerRound is a hand of poker among the players while it is narrated.
type ringPokerRound struct {
	*Narration
	rules   *ringpoker.Rules
	players []int
	marca   int
	mano    int
	dir     int
	dealt   time.Time         // the first card
	shown   time.Time         // the first hand was turned at the showdown
	fold    map[int]time.Time // by seat
	back    map[int]money.Cents
}

// narrateRingPoker records a hand of poker among the players.
func narrateRingPoker(s *Narration) {
	rules, ok := s.Rules.(*ringpoker.Rules)
	if !ok {
		return
	}
	c := &ringPokerRound{Narration: s, rules: rules, fold: map[int]time.Time{}, back: map[int]money.Cents{}}
	c.burns()
	c.openerCards()
	c.seats()
	if len(c.players) < 2 {
		return
	}
	for _, p := range c.players {
		s.dealtUnder(scene.SeatZone(p), max(len(c.rules.Own), c.street(scene.SeatZone(p))))
	}
	s.arrangeDeal(c.order())
	s.cardEvents(all)
	s.reveals()
	c.showdown()
	c.folds()
	s.AllShown = c.showedAll()
	c.bets()
	s.assess()
	c.pushes()
	s.Decided = slices.ContainsFunc(s.Entries, func(t Entry) bool { return t.Event.Type == round.Pay })
}

// street is how many cards a seat has with the next one, if another got so many before its hand was taken up.
func (c *ringPokerRound) street(zone string) int {
	left, _, up := c.left(zone)
	next, got := c.cardsIn(zone)+1, map[string]int{}
	for _, d := range c.Hand {
		if d.zone != zone && scene.SeatOf(d.zone) > 0 && up && !d.at.After(left) {
			if got[d.zone]++; got[d.zone] == next {
				return next
			}
		}
	}
	return 0
}

// openerCards takes the opener's discard out of the hand; it is recorded when it is
// turned to prove that he could open.
func (c *ringPokerRound) openerCards() {
	e := round.Event{Type: round.Reveal, Zone: scene.OpenerOut}
	var from, at time.Time
	for _, d := range c.takeOut(func(zone string) bool { return zone == scene.OpenerOut }) {
		if !d.turned.IsZero() {
			e.Cards = append(e.Cards, d.card)
			from, at = d.from, d.turned
		}
	}
	if len(e.Cards) > 0 {
		c.record(e, from, at, 2)
	}
}

// seats finds who plays: the seats that got cards, or else that put chips. The
// marca lies where the hand before left it, or where the house has it begin;
// without either, where the deal shows.
func (c *ringPokerRound) seats() {
	if c.players = c.dealtSeats(""); len(c.players) < 2 {
		return
	}
	c.dir = 1
	if c.word("direction", c.rules.Direction) == "ccw" {
		c.dir = -1
	}
	var left struct{ Marca int }
	if len(c.Base.Carry) > 0 && json.Unmarshal(c.Base.Carry, &left) == nil && left.Marca > 0 {
		c.marca = left.Marca
	} else if raw := c.Base.Table.Options["marca"]; raw == nil || json.Unmarshal(raw, &c.marca) != nil {
		c.marca = c.marcaByDeal()
	}
	if !slices.Contains(c.players, c.marca) { // the next who plays
		c.marca = c.players[max(slices.IndexFunc(c.players, func(p int) bool { return p > c.marca }), 0)]
	}
	c.mano = c.marca
	if c.rules.Postre {
		c.mano = c.after(c.marca, 1)
	}
	options := maps.Clone(c.Base.Table.Options)
	if options == nil {
		options = round.Options{}
	}
	options["marca"], _ = json.Marshal(c.marca)
	options["players"], _ = json.Marshal(c.players)
	c.Base.Table.Options = options
}

// word is a house option, or what the norm has.
func (c *ringPokerRound) word(name, standard string) string {
	var w string
	if raw := c.Base.Table.Options[name]; raw != nil && json.Unmarshal(raw, &w) == nil {
		return w
	}
	return standard
}

// marcaByDeal is the marca of a hand that was dealt from its mano on.
func (c *ringPokerRound) marcaByDeal() int {
	first := c.Hand[0]
	for _, d := range c.Hand {
		if n := scene.SeatOf(d.zone); n > 0 && d.at.Before(first.at) {
			first = d
		}
	}
	n := scene.SeatOf(first.zone)
	if n == 0 {
		n = c.players[0]
	}
	if c.rules.DealLeft {
		n = c.after(n, -c.dir)
	}
	if c.rules.Postre {
		n = c.after(n, -1)
	}
	return n
}

// after is the next player in a direction.
func (c *ringPokerRound) after(seat, dir int) int {
	i, k := slices.Index(c.players, seat), len(c.players)
	if i < 0 {
		return seat
	}
	return c.players[(i+dir+k)%k]
}

// order is the prescribed order of the zones in the first deal.
func (c *ringPokerRound) order() (zones []string) {
	first := c.mano
	if c.rules.DealLeft {
		first = c.after(c.mano, c.dir)
	}
	for range c.rules.Own {
		seat := first
		for range c.players {
			zones = append(zones, scene.SeatZone(seat))
			seat = c.after(seat, c.dir)
		}
	}
	return zones
}

// showdown finds when the first hand was turned and when the cards began.
func (c *ringPokerRound) showdown() {
	for _, d := range c.Hand {
		c.dealt = scene.Earliest(c.dealt, d.at)
		if n := scene.SeatOf(d.zone); n > 0 {
			c.shown = scene.Earliest(c.shown, d.turned)
		}
	}
}

// showedAll reports whether the cards of all who did not give up are turned and read, or
// that one alone did not.
func (c *ringPokerRound) showedAll() bool {
	if len(c.fold) == len(c.players)-1 {
		return true
	}
	return !c.shown.IsZero() && !c.Unread() && !slices.ContainsFunc(c.Hand, func(d dealtCard) bool {
		n := scene.SeatOf(d.zone)
		_, gone := c.fold[n]
		return n > 0 && !gone && d.down && d.turned.IsZero() && c.Scene.Tracks[d.track].OnTable
	})
}

// folds records who gave up: whose cards were taken for good before any hand was
// shown while others still held theirs.
func (c *ringPokerRound) folds() {
	type leaving struct {
		seat     int
		at, from time.Time
	}
	var gone []leaving
	last := 0
	for _, seat := range c.players {
		if at := c.acted(seat, "fold", "surrender"); !at.IsZero() {
			c.fold[seat] = at
			last++
			continue
		}
		if at, from, left := c.left(scene.SeatZone(seat)); left && (c.shown.IsZero() || at.Before(c.shown)) {
			gone = append(gone, leaving{seat, at, from})
		}
	}
	slices.SortFunc(gone, func(a, b leaving) int { return a.at.Compare(b.at) })
	pushed := c.firstPush()
	for _, l := range gone {
		if last++; last >= len(c.players) || c.annulled() || !pushed.IsZero() && l.at.After(pushed) {
			return // the one who is left has won
		}
		c.fold[l.seat] = l.at
		c.record(round.Event{Type: round.Action, Seat: l.seat, Action: "fold"}, l.from, l.at, -1)
	}
}

func (c *ringPokerRound) annulled() bool { return !c.FirstCall("misdeal").IsZero() }

// firstPush is when chips were pushed to a player first.
func (c *ringPokerRound) firstPush() (t time.Time) {
	for _, m := range c.Moves {
		if m.Place.Spot == scene.PaySpot && m.Delta > 0 {
			t = scene.Earliest(t, m.At)
		}
	}
	return t
}

// bets records the chips before the players: laid there they are compulsory
// before the deal and bets after it; taken they went to the pot, or back to
// their owner where the pot did not grow.
func (c *ringPokerRound) bets() {
	over, swept := c.Scene.Cleared, c.swept()
	for _, m := range c.Moves {
		switch {
		case m.Place.Spot == scene.PotSpot && c.deducted(m), m.Place.Spot == scene.RakeSpot && m.Delta > 0:
			part := round.Event{Type: round.Commission, Zone: scene.PotSpot, Amount: max(m.Delta, -m.Delta)}
			c.record(part, m.From, m.At, 2)
		case m.Place.Spot != scene.BoteSpot || m.Delta == 0 || !over.IsZero() && m.From.After(over):
		case m.Delta > 0:
			c.laid(m)
		default:
			back, gone := swept[m.item]
			if !gone && !m.by(fact.Bank) { // the house gives nobody his chips back by itself
				back = -m.Delta
			}
			if back > 0 {
				c.back[m.Place.Seat] += back
				c.moved(round.Return, m.Place.Seat, scene.BoteSpot, back, m.From, m.At)
			}
		}
	}
}

// laid records chips that a player laid before him: compulsory before the deal, bets after it.
func (c *ringPokerRound) laid(m Move) {
	e := round.Event{Type: round.Bet, Seat: m.Place.Seat, Spot: scene.BoteSpot, Amount: m.Delta}
	if c.dealt.IsZero() || m.At.Before(c.dealt) {
		e.Spot = c.compulsory(m)
	}
	c.record(e, m.From, m.At, 0)
}

// deducted reports whether the house took its part of the pot and nobody saw it lie
// where it is laid for a moment: the pot shrank before anything was pushed.
func (c *ringPokerRound) deducted(m Move) bool {
	if pushed := c.firstPush(); m.Delta >= 0 || pushed.IsZero() || !m.At.Before(pushed) || !m.From.After(c.dealt) {
		return false
	}
	if m.hidden || m.before != nil || c.AnyRough() || -m.Delta > c.potAt(m.At)/2 {
		return false // or it was pushed to somebody and not counted there
	}
	return !slices.ContainsFunc(c.Moves, func(o Move) bool {
		return apart(m, o) < scene.Act &&
			(o.Place.Spot == scene.RakeSpot && o.Delta > 0 || o.Place.Spot == scene.PaySpot && o.Delta == -m.Delta)
	})
}

// potAt is what lay in the pot just before a time.
func (c *ringPokerRound) potAt(t time.Time) money.Cents {
	return c.lying(scene.PotSpot, func(m Move) bool { return m.At.Before(t) })
}

// compulsory is the spot of chips laid before the deal.
func (c *ringPokerRound) compulsory(m Move) string {
	if c.word("forced", c.rules.Forced[0]) != "ciegas" {
		return "ante"
	}
	small := c.mano
	if c.rules.DealLeft {
		small = c.after(c.marca, 1)
	}
	switch m.Place.Seat {
	case small:
		return "ciega_pequena"
	case c.after(small, 1):
		return "ciega_grande"
	}
	if m.Delta <= c.Base.Table.Min/2 {
		return "ciega_pequena"
	}
	return "ciega_grande"
}

// swept are the movements by which chips before the players went to the pot:
// those at about the time when it grew that make up what it grew by, with what the
// house deducted and what was pushed to a player meanwhile: a pot that is pushed
// with the last bets in it only shrinks, and one that was pushed at once was never
// seen. Where more was taken, the excess went back to its owner: how much of each did.
func (c *ringPokerRound) swept() map[int]money.Cents {
	swept := map[int]money.Cents{}
	moves := c.Moves
	if p, ok := c.unseenPot(); ok {
		moves = append(slices.Clip(moves), p)
	}
	for _, p := range moves {
		if p.Place.Spot != scene.PotSpot || p.Delta <= 0 && !c.pushedAmid(p) {
			continue
		}
		var near []Move
		excess := -p.Delta
		for _, m := range c.Moves {
			if m.given() && !m.At.Before(p.From) && !m.At.After(p.At) {
				excess -= m.Delta
			}
			_, gone := swept[m.item]
			if m.Place.Spot == scene.BoteSpot && m.Delta < 0 && !gone && apart(m, p) < scene.LayAndTake {
				near = append(near, m)
				excess -= m.Delta
			}
		}
		if excess < 0 {
			c.unseenBet(p, near, -excess)
		}
		back := c.uncalled(near, excess)
		if p.Delta <= 0 && excess > 0 && back < 0 || p.Delta == 0 && excess < 0 {
			continue // it lost more than was pushed, or what was pushed was not theirs
		}
		for i, m := range near {
			if swept[m.item] = 0; i == back {
				swept[m.item] = excess
			}
		}
	}
	return swept
}

// uncalled is the index of the movement of which the excess went back to its owner, -1 for none:
// of chips that the house alone took none did. What nobody called is a bet of who did not give
// up, or a part of it; else it is just what somebody had laid.
func (c *ringPokerRound) uncalled(near []Move, excess money.Cents) int {
	back, best := -1, 0
	for i, m := range near {
		if excess <= 0 || -m.Delta < excess || m.by(fact.Bank) {
			continue
		}
		_, gone := c.fold[m.Place.Seat]
		rank := 0
		if -m.Delta == excess {
			rank = 2
		}
		if !gone {
			rank++
		}
		if rank > best {
			back, best = i, rank
		}
	}
	return back
}

// given reports whether chips came out of the pot, for the house or a player.
func (m Move) given() bool {
	return m.Delta > 0 && (m.Place.Spot == scene.RakeSpot || m.Place.Spot == scene.PaySpot)
}

// unseenPot is the pot of chips that were swept together and pushed to players before
// it came to rest: what they got came out of no pot that anybody saw, and what the house
// deducted first came out of the same.
func (c *ringPokerRound) unseenPot() (pot Move, ok bool) {
	pot = Move{item: -1, Place: scene.Place{Seat: 0, Spot: scene.PotSpot}}
	for _, m := range c.Moves {
		if !m.given() {
			continue
		}
		pot.From = scene.Earliest(pot.From, m.From)
		if m.Place.Spot == scene.PaySpot {
			ok = true
			pot.At = scene.Latest(pot.At, m.At)
		}
	}
	return pot, ok && c.potAt(pot.At) == 0 &&
		!slices.ContainsFunc(c.Moves, func(m Move) bool {
			return m.Place == pot.Place && m.At.After(pot.From)
		})
}

// pushedAmid reports whether chips were pushed to a player while the pot was not at rest.
func (c *ringPokerRound) pushedAmid(pot Move) bool {
	return slices.ContainsFunc(c.Moves, func(m Move) bool {
		return m.Place.Spot == scene.PaySpot && m.Delta > 0 && !m.At.Before(pot.From) && !m.At.After(pot.At)
	})
}

// apart is the time between two movements; 0 when both may have been at once.
// Either can be seen late, when the hand that made it leaves its chips.
func apart(a, b Move) time.Duration { return max(a.From.Sub(b.At), b.From.Sub(a.At), 0) }

// pushes records the chips that were pushed to the players: their part of the
// pot, and what comes back to them.
func (c *ringPokerRound) pushes() {
	for _, m := range c.Moves {
		if m.Place.Spot != scene.PaySpot || m.Delta <= 0 && !m.unread || m.Place.Seat == 0 {
			continue
		}
		seat, amount := m.Place.Seat, m.Delta
		if gone := c.outOfThePot(m); m.can(gone) {
			amount = gone // counted only roughly: what is missing in the pot shows it
			delete(c.RoughCounts, m.item)
			c.OfPot = true
		}
		if amount == 0 {
			continue
		}
		due, _ := c.DueOn(scene.Place{Seat: seat, Spot: scene.BoteSpot})
		back := due.Returns - c.back[seat]
		switch {
		case back > 0 && (amount == back || due.Pays == 0):
			c.back[seat] += amount
			c.moved(round.Return, seat, scene.BoteSpot, amount, m.From, m.At)
			continue
		case back > 0 && amount == due.Pays+back:
			c.back[seat] += back
			c.moved(round.Return, seat, scene.BoteSpot, back, m.From, m.At)
			amount -= back
		}
		c.moved(round.Pay, seat, scene.BoteSpot, amount, m.From, m.At)
	}
	c.unseenPushes()
	c.unseenPart()
}

// unseenPushes records to players to whom nothing was seen to be pushed what is due to them,
// where the hypothesis has it that they took it up under the same hands: the pot shrank by as
// much at that time.
func (c *ringPokerRound) unseenPushes() {
	for _, e := range c.Due {
		p := scene.PayPlace(e.Seat)
		got := slices.ContainsFunc(c.Moves, func(m Move) bool { return m.Place == p && m.Delta > 0 })
		if e.Spot != scene.BoteSpot || e.Pays <= 0 || got {
			continue
		}
		t, hidden := c.occluded(p, c.dealt, func(t scene.Occlusion) bool {
			return slices.ContainsFunc(c.Moves, func(m Move) bool {
				return m.Place.Spot == scene.PotSpot && -m.Delta >= e.Pays && apart(m, Move{From: t.From, At: t.At}) <= scene.Act
			})
		})
		if hidden && c.underHands(p.Seat, p.Spot, untouched(t.Hands)) {
			c.moved(round.Pay, e.Seat, scene.BoteSpot, e.Pays, t.From, t.At)
		}
	}
}

// unseenPart records the house's part of the pot where nobody saw it lie: hands were where it is laid,
// and just that much is neither pushed to a player nor left, by the hypothesis.
func (c *ringPokerRound) unseenPart() {
	var events []round.Event
	for _, e := range c.Entries {
		events = append(events, e.Event)
	}
	in, out, left := PotFlow(events, c.Moves)
	part := in - out - left // neither given out nor left in the pot
	p := scene.Place{Spot: scene.RakeSpot}
	t, hidden := c.occluded(p, c.dealt, nil)
	seen := func(e Entry) bool { return e.Event.Type == round.Commission }
	if part <= 0 || !hidden || slices.ContainsFunc(c.Entries, seen) {
		return
	}
	if c.underHands(p.Seat, p.Spot, untouched(t.Hands)) {
		c.record(round.Event{Type: round.Commission, Zone: scene.PotSpot, Amount: part}, t.From, t.At, 2)
	}
}

// PotFlow is what was bet for a pot, what was given out of it, and what its chips show to be left.
func PotFlow(events []round.Event, moves []Move) (in, out, left money.Cents) {
	for _, e := range events {
		switch e.Type {
		case round.Bet:
			in += e.Amount
		case round.Commission, round.Pay, round.Return, round.Withdraw:
			out += e.Amount
		}
	}
	for _, m := range moves {
		if m.Place.Spot == scene.PotSpot {
			left += m.Delta
		}
	}
	return in, out, left
}

// outOfThePot is what the pot shrank by when chips were pushed to a player, without what
// left it meanwhile for the house and others; 0 where not all of that was counted well.
func (c *ringPokerRound) outOfThePot(push Move) money.Cents {
	pot := slices.IndexFunc(c.Moves, func(m Move) bool {
		return m.Place.Spot == scene.PotSpot && m.Delta < 0 && apart(m, push) < scene.Act
	})
	if pot < 0 || c.Moves[pot].after != nil {
		return 0
	}
	gone := -c.Moves[pot].Delta
	for i, m := range c.Moves {
		switch given := m.given() && m.item != push.item; {
		case i == pot || apart(m, c.Moves[pot]) >= scene.Act:
		case m.Place.Spot == scene.PotSpot, given && m.after != nil:
			return 0
		case given:
			gone -= m.Delta
		}
	}
	return gone
}
