package track

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/game/ringpoker"
	"vision/validate/round"
)

// ringPokerGames are the pokers among the players. Their course is one: antes or
// blinds, the deal, intervals of betting after each of which the chips go to the
// pot, common cards or streets between them, the showdown, the house's part,
// and the pot pushed to who won it.
var ringPokerGames = func() (gs []*game) {
	for _, code := range []string{
		"holdem_circulo", "omaha_circulo", "omaha_5_circulo", "omaha_hilo_circulo", "doble_holdem_circulo",
		"poker_sintetico", "poker_descubierto_5", "poker_descubierto_7", "poker_cubierto_5",
	} {
		gs = append(gs, &game{code: code, course: cards, pushed: true, held: true, narrate: tellCirculo})
	}
	return gs
}()

// circuloStory is a hand of poker among the players in the telling.
type circuloStory struct {
	*story
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

// tellCirculo tells a hand of poker among the players.
func tellCirculo(s *story) {
	rules, ok := s.rules.(*ringpoker.Rules)
	if !ok {
		return
	}
	c := &circuloStory{story: s, rules: rules, fold: map[int]time.Time{}, back: map[int]money.Cents{}}
	c.burns()
	c.openerCards()
	c.seats()
	if len(c.players) < 2 {
		return
	}
	s.arrangeDeal(c.order())
	s.cardEvents()
	s.reveals()
	c.showdown()
	c.folds()
	s.allShown = c.showedAll()
	c.bets()
	s.assess()
	c.pushes()
	s.early = slices.ContainsFunc(s.told, func(t told) bool { return t.event.Type == round.Pay })
}

// openerCards takes the opener's discard out of the hand; it is told when it is
// turned to prove that he could open.
func (c *circuloStory) openerCards() {
	e := round.Event{Type: round.Reveal, Zone: openerOut}
	var from, at time.Time
	c.hand = slices.DeleteFunc(c.hand, func(d dealtCard) bool {
		if d.zone != openerOut {
			return false
		}
		if !d.turned.IsZero() {
			e.Cards = append(e.Cards, d.card)
			from, at = d.from, d.turned
		}
		return true
	})
	if len(e.Cards) > 0 {
		c.tell(e, from, at, 2)
	}
}

// seats finds who plays: the seats that got cards, or else that put chips. The
// marca lies where the hand before left it, or where the house says it began;
// without either, where the deal shows.
func (c *circuloStory) seats() {
	for _, z := range c.dealtSeats() {
		n, _ := handOf(z)
		c.players = append(c.players, n)
	}
	if len(c.players) < 2 {
		return
	}
	c.dir = 1
	if c.word("direction", c.rules.Direction) == "ccw" {
		c.dir = -1
	}
	var left struct{ Marca int }
	if len(c.base.Carry) > 0 && json.Unmarshal(c.base.Carry, &left) == nil && left.Marca > 0 {
		c.marca = left.Marca
	} else if raw := c.base.Table.Options["marca"]; raw == nil || json.Unmarshal(raw, &c.marca) != nil {
		c.marca = c.marcaByDeal()
	}
	for i := 0; !slices.Contains(c.players, c.marca) && i < 20; i++ { // the next who plays
		c.marca = c.marca%20 + 1
	}
	c.mano = c.marca
	if c.rules.Postre {
		c.mano = c.after(c.marca, 1)
	}
	options := maps.Clone(c.base.Table.Options)
	if options == nil {
		options = round.Options{}
	}
	options["marca"], _ = json.Marshal(c.marca)
	options["players"], _ = json.Marshal(c.players)
	c.base.Table.Options = options
}

// word is a house option, or what the norm has.
func (c *circuloStory) word(name, standard string) string {
	var w string
	if raw := c.base.Table.Options[name]; raw != nil && json.Unmarshal(raw, &w) == nil {
		return w
	}
	return standard
}

// marcaByDeal is the marca of a hand that was dealt from its mano on.
func (c *circuloStory) marcaByDeal() int {
	first := c.hand[0]
	for _, d := range c.hand {
		if n, _ := handOf(d.zone); n > 0 && d.at.Before(first.at) {
			first = d
		}
	}
	n, _ := handOf(first.zone)
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
func (c *circuloStory) after(seat, dir int) int {
	i, k := slices.Index(c.players, seat), len(c.players)
	if i < 0 {
		return seat
	}
	return c.players[(i+dir+k)%k]
}

// order is the prescribed order of the zones in the first deal.
func (c *circuloStory) order() (zones []string) {
	first := c.mano
	if c.rules.DealLeft {
		first = c.after(c.mano, c.dir)
	}
	for range c.rules.Own {
		seat := first
		for range c.players {
			zones = append(zones, seatZone(seat))
			seat = c.after(seat, c.dir)
		}
	}
	return zones
}

// showdown finds when the first hand was turned and when the cards began.
func (c *circuloStory) showdown() {
	for _, d := range c.hand {
		c.dealt = earliest(c.dealt, d.at)
		if n, _ := handOf(d.zone); n > 0 {
			c.shown = earliest(c.shown, d.turned)
		}
	}
}

// showedAll tells that the cards of all who did not give up are turned and read, or
// that one alone did not.
func (c *circuloStory) showedAll() bool {
	if len(c.fold) == len(c.players)-1 {
		return true
	}
	return !c.shown.IsZero() && !c.unread() && !slices.ContainsFunc(c.hand, func(d dealtCard) bool {
		n, _ := handOf(d.zone)
		_, gone := c.fold[n]
		return n > 0 && !gone && d.down && d.turned.IsZero() && c.sc.slots[d.slot].here
	})
}

// folds tells who gave up: whose cards were taken for good before any hand was
// shown while others still held theirs.
func (c *circuloStory) folds() {
	type leaving struct {
		seat     int
		at, from time.Time
	}
	var gone []leaving
	last := 0
	for _, seat := range c.players {
		if at := c.saidFold(seat); !at.IsZero() {
			c.fold[seat] = at
			last++
			continue
		}
		if at, from, left := c.left(seatZone(seat)); left && (c.shown.IsZero() || at.Before(c.shown)) {
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
		c.tell(round.Event{Type: round.Action, Seat: l.seat, Action: "fold"}, l.from, l.at, -1)
	}
}

func (c *circuloStory) annulled() bool { return !c.firstCall("misdeal").IsZero() }

// firstPush is when chips were pushed to a player first.
func (c *circuloStory) firstPush() (t time.Time) {
	for _, m := range c.moves {
		if m.place.Spot == paySpot && m.delta > 0 {
			t = earliest(t, m.at)
		}
	}
	return t
}

// bets tells the chips before the players: laid there they are compulsory
// before the deal and bets after it; taken they went to the pot, or back to
// their owner where the pot did not grow.
func (c *circuloStory) bets() {
	over, swept := c.sc.cleared, c.swept()
	for _, m := range c.moves {
		switch {
		case m.place.Spot == potSpot && c.deducted(m):
			c.tell(round.Event{Type: round.Commission, Zone: potSpot, Amount: -m.delta}, m.from, m.at, 2)
		case m.place.Spot == rakeSpot && m.delta > 0:
			c.tell(round.Event{Type: round.Commission, Zone: potSpot, Amount: m.delta}, m.from, m.at, 2)
		case m.place.Spot != boteSpot || !over.IsZero() && m.from.After(over):
		case m.delta > 0:
			c.laid(m)
		case !swept[m.item]:
			c.back[m.place.Seat] += -m.delta
			c.tell(round.Event{Type: round.Return, Seat: m.place.Seat, Spot: boteSpot, Amount: -m.delta}, m.from, m.at, 2)
		}
	}
}

// laid tells chips that a player laid before him: compulsory before the deal, bets after it.
func (c *circuloStory) laid(m move) {
	e := round.Event{Type: round.Bet, Seat: m.place.Seat, Spot: boteSpot, Amount: m.delta}
	if c.dealt.IsZero() || m.at.Before(c.dealt) {
		e.Spot = c.compulsory(m)
	}
	c.tell(e, m.from, m.at, 0)
}

// deducted tells that the house took its part of the pot and nobody saw it lie
// where it is laid for a moment: the pot shrank before anything was pushed.
func (c *circuloStory) deducted(m move) bool {
	const together = 2500 * time.Millisecond
	if pushed := c.firstPush(); m.delta >= 0 || pushed.IsZero() || !m.at.Before(pushed) || !m.from.After(c.dealt) {
		return false
	}
	if m.hidden || m.before != nil || c.anyVague() || -m.delta > c.potBefore(m)/2 {
		return false // or it was pushed to somebody and not counted there
	}
	return !slices.ContainsFunc(c.moves, func(o move) bool {
		return apart(m, o) < together && (o.place.Spot == rakeSpot && o.delta > 0 || o.place.Spot == paySpot && o.delta == -m.delta)
	})
}

// potBefore is what lay in the pot before a movement.
func (c *circuloStory) potBefore(m move) (sum money.Cents) {
	for p, total := range c.stood {
		if p.Spot == potSpot {
			sum += total
		}
	}
	for _, o := range c.moves {
		if o.place == m.place && o.at.Before(m.at) {
			sum += o.delta
		}
	}
	return sum
}

// compulsory is the spot of chips laid before the deal.
func (c *circuloStory) compulsory(m move) string {
	if c.word("forced", c.rules.Forced[0]) != "ciegas" {
		return "ante"
	}
	small := c.mano
	if c.rules.DealLeft {
		small = c.after(c.marca, 1)
	}
	switch m.place.Seat {
	case small:
		return "ciega_pequena"
	case c.after(small, 1):
		return "ciega_grande"
	}
	if m.delta <= c.base.Table.Min/2 {
		return "ciega_pequena"
	}
	return "ciega_grande"
}

// swept are the movements by which chips before the players went to the pot:
// those at about the time when it grew that make up what it grew by, with what the
// house deducted and what was pushed to a player meanwhile: a pot that is pushed
// with the last bets in it only shrinks, and one that was pushed at once was never
// seen. Where more was taken, a movement of just the excess went back to its owner.
func (c *circuloStory) swept() map[int]bool {
	const together = 2500 * time.Millisecond
	swept := map[int]bool{}
	moves := c.moves
	if p, ok := c.unseenPot(); ok {
		moves = append(slices.Clip(moves), p)
	}
	for _, p := range moves {
		if p.place.Spot != potSpot || p.delta <= 0 && !c.pushedAmid(p) {
			continue
		}
		var near []move
		excess := -p.delta
		for _, m := range c.moves {
			if m.given() && !m.at.Before(p.from) && !m.at.After(p.at) {
				excess -= m.delta
			}
			if m.place.Spot == boteSpot && m.delta < 0 && !swept[m.item] && apart(m, p) < together {
				near = append(near, m)
				excess -= m.delta
			}
		}
		if excess < 0 && p.item >= 0 {
			c.unseenBet(p, -excess)
		}
		back := slices.IndexFunc(near, func(m move) bool { return excess > 0 && -m.delta == excess })
		if p.delta <= 0 && excess > 0 && back < 0 || p.delta == 0 && excess < 0 {
			continue // it lost more than was pushed, or what was pushed was not theirs
		}
		for i, m := range near {
			swept[m.item] = i != back
		}
	}
	return swept
}

// unseenBet tells the bet by which the pot grew more than chips were seen to go there,
// where the hypothesis has it that a player laid it under the hands that swept it.
func (c *circuloStory) unseenBet(pot move, missing money.Cents) {
	if c.sc == nil {
		return
	}
	for _, t := range c.sc.touches {
		if t.place.Spot != boteSpot || !slices.Contains(c.players, t.place.Seat) || apart(move{from: t.from, at: t.at}, pot) > swept {
			continue
		}
		late := earliest(t.at, pot.from)
		if late.Before(t.from) {
			late = t.from
		}
		each := (1 - c.prior().Untouched) / c.prior().Untouched / 2
		a, ok := c.pick(choice{unseenBet, c.number(pot.item), t.place}, alternative{odds: each, at: late}, alternative{odds: each, at: t.from})
		if ok {
			c.laid(move{place: t.place, delta: missing, from: t.from, at: a.at})
			return
		}
	}
}

// given tells that chips came out of the pot, for the house or a player.
func (m move) given() bool {
	return m.delta > 0 && (m.place.Spot == rakeSpot || m.place.Spot == paySpot)
}

// unseenPot is the pot of chips that were swept together and pushed to players before
// it came to rest: what they got came out of no pot that anybody saw, and what the house
// deducted first came out of the same.
func (c *circuloStory) unseenPot() (pot move, ok bool) {
	pot = move{item: -1, place: place{0, potSpot}}
	for _, m := range c.moves {
		if !m.given() {
			continue
		}
		pot.from = earliest(pot.from, m.from)
		if m.place.Spot == paySpot {
			ok = true
			if m.at.After(pot.at) {
				pot.at = m.at
			}
		}
	}
	return pot, ok && c.potBefore(move{place: pot.place, at: pot.at}) == 0 && !slices.ContainsFunc(c.moves, func(m move) bool {
		return m.place == pot.place && m.at.After(pot.from)
	})
}

// pushedAmid tells that chips were pushed to a player while the pot was not at rest.
func (c *circuloStory) pushedAmid(pot move) bool {
	return slices.ContainsFunc(c.moves, func(m move) bool {
		return m.place.Spot == paySpot && m.delta > 0 && !m.at.Before(pot.from) && !m.at.After(pot.at)
	})
}

// apart is the time between two movements; 0 when both may have been at once.
// Either can be seen late, when the hand that made it leaves its chips.
func apart(a, b move) time.Duration {
	return max(a.from.Sub(b.at), b.from.Sub(a.at), 0)
}

// pushes tells the chips that were pushed to the players: their part of the
// pot, and what comes back to them.
func (c *circuloStory) pushes() {
	for _, m := range c.moves {
		if m.place.Spot != paySpot || m.delta <= 0 || m.place.Seat == 0 {
			continue
		}
		seat, amount := m.place.Seat, m.delta
		if gone := c.outOfThePot(m); m.can(gone) {
			amount = gone // counted only roughly: what is missing in the pot tells it
			delete(c.loose, m.item)
		}
		due := c.dueTo(seat)
		back := due.Returns - c.back[seat]
		switch {
		case back > 0 && (amount == back || due.Pays == 0):
			c.back[seat] += amount
			c.tell(round.Event{Type: round.Return, Seat: seat, Spot: boteSpot, Amount: amount}, m.from, m.at, 2)
			continue
		case back > 0 && amount == due.Pays+back:
			c.back[seat] += back
			c.tell(round.Event{Type: round.Return, Seat: seat, Spot: boteSpot, Amount: back}, m.from, m.at, 2)
			amount -= back
		}
		c.tell(round.Event{Type: round.Pay, Seat: seat, Spot: boteSpot, Amount: amount}, m.from, m.at, 2)
	}
}

// outOfThePot is what the pot shrank by when chips were pushed to a player, without what
// left it meanwhile for the house and others; 0 where not all of that was counted well.
func (c *circuloStory) outOfThePot(push move) money.Cents {
	const slack = 500 * time.Millisecond
	pot := slices.IndexFunc(c.moves, func(m move) bool {
		return m.place.Spot == potSpot && m.delta < 0 && apart(m, push) <= slack
	})
	if pot < 0 || c.moves[pot].after != nil {
		return 0
	}
	gone := -c.moves[pot].delta
	for i, m := range c.moves {
		switch given := m.given() && m.item != push.item; {
		case i == pot || apart(m, c.moves[pot]) > slack:
		case m.place.Spot == potSpot, given && m.after != nil:
			return 0
		case given:
			gone -= m.delta
		}
	}
	return gone
}

func (c *circuloStory) dueTo(seat int) round.Settlement {
	for _, e := range c.due {
		if e.Seat == seat && e.Spot == boteSpot {
			return e
		}
	}
	return round.Settlement{}
}
