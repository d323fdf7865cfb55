package track

import (
	"slices"
	"strings"
	"time"

	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// housePokerGames are the pokers against the house. Their course is one: bets, the
// deal face down, decisions by chips laid or cards given up, common cards, the
// bank's hand turned, then the players', then money. How many cards lie where
// and which spot opens when are the rulebook's.
var housePokerGames = func() (gs []*game) {
	for _, code := range []string{
		"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus",
		"poker_holdem_banca", "poker_cuatro_cartas", "poker_con_descarte", "texas_poker",
	} {
		gs = append(gs, &game{code: code, course: cards, closing: "no_va_mas", narrate: tellBanked})
	}
	return gs
}()

// bankedStory is a round of poker against the house in the telling.
type bankedStory struct {
	*story
	rules *housepoker.Rules
	dealt time.Time         // the last card of the first deal
	shown time.Time         // the bank's cards, or the last common one, were turned
	fold  map[int]time.Time // by seat: when it gave up
	void  bool              // the norm annuls the round, or the croupier did
}

// tellBanked tells a round of poker against the house.
func tellBanked(s *story) {
	rules, ok := s.rules.(*housepoker.Rules)
	if !ok {
		return
	}
	b := &bankedStory{story: s, rules: rules, fold: map[int]time.Time{}}
	b.burns()
	b.diceThrown()
	b.setHands()
	b.arrange()
	s.close = b.closing()
	s.openingBets(s.timely)
	b.showFirst()
	b.bonusFirst()
	s.cardEvents()
	s.reveals()
	b.marks()
	b.void = !s.firstCall("jugada_anulada").IsZero()
	dealt := slices.Clone(s.told)
	if v := b.decisions(); v.Void && !b.void && b.shown.IsZero() { // then nobody gave up: all was taken away
		b.void, b.fold, s.told = true, map[int]time.Time{}, dealt
		b.decisions()
	}
	s.early = !b.shown.IsZero() && !s.unread()
	b.settle()
	s.together(s.g.order)
}

// decisions tells what the players decide, and what the rules say of it.
func (b *bankedStory) decisions() round.Verdict {
	if !b.void {
		b.folds()
	}
	b.plays()
	b.passes()
	b.during(func(m move) bool { return !b.timely(m) && !b.settles(m) })
	return b.assess()
}

// diceThrown tells the dice that say where the deal begins.
func (b *bankedStory) diceThrown() {
	for i := range b.sc.items {
		if h := &b.sc.items[i]; h.kind == diceSeen && b.rules.Deal.Hands {
			b.tell(diceEvent(h, b.called(b.faces(h), h.at)), h.from, h.at, 2)
		}
	}
}

// closing is when the bets were closed: by the call, the dice or the first card.
func (b *bankedStory) closing() time.Time {
	t := b.firstCall(b.g.closing)
	for _, e := range b.told {
		if e.event.Type == round.Dice {
			t = earliest(t, e.at)
		}
	}
	for _, c := range b.hand {
		t = earliest(t, c.at)
	}
	return t
}

// order is the prescribed order of the zones in the first deal.
func (b *bankedStory) order() (zones []string) {
	seats := b.dealtSeats()
	d := b.rules.Deal
	for k := range max(d.Own, d.Bank) {
		if k < d.Own {
			zones = append(zones, seats...)
		}
		if k < len(d.Commons) {
			zones = append(zones, d.Commons[k])
		}
		if k < d.Bank {
			zones = append(zones, "bank")
		}
	}
	return zones
}

// ring is the order of a deal of one hand after the other that the dice prescribe: the
// zones as often as they got cards; nil where the dice are not known.
func (b *bankedStory) ring() (zones []string) {
	var faces []int
	for _, e := range b.told {
		if e.event.Type == round.Dice {
			faces = e.event.Faces
		}
	}
	all, err := b.rules.Ring(&b.base, faces)
	if err != nil {
		return nil // the table's options, which the verdict refuses too
	}
	for _, z := range all {
		zones = append(zones, slices.Repeat([]string{z}, b.cardsIn(z))...)
	}
	return zones
}

// wholeHands is the order of a deal of one hand after the other: the zones as often
// as they got cards, by when their first cards were seen (nth 1) or their last (-1).
func (b *bankedStory) wholeHands(nth int) (zones []string) {
	seen := map[string]time.Time{}
	var names []string
	for _, c := range b.hand {
		if _, ok := seen[c.zone]; !ok {
			names = append(names, c.zone)
			seen[c.zone] = c.at
		}
		if nth < 0 {
			seen[c.zone] = c.at
		}
	}
	slices.SortStableFunc(names, func(x, y string) int { return seen[x].Compare(seen[y]) })
	for _, z := range names {
		zones = append(zones, slices.Repeat([]string{z}, b.cardsIn(z))...)
	}
	return zones
}

// last is the zone whose cards are turned before any player's.
func (b *bankedStory) last() string {
	if n := len(b.rules.Deal.Commons); n > 0 {
		return b.rules.Deal.Commons[n-1]
	}
	return "bank"
}

// setCards are those of a player of pai gow, set as five and two.
const setCards = 7

// showFirst has the bank's cards turned, and those it draws dealt, before the
// players' are turned if the times allow it: the arm that turns theirs lies over
// the bank's, which are read late.
func (b *bankedStory) showFirst() {
	var players time.Time
	for _, c := range b.hand {
		if n, _ := handOf(c.zone); n > 0 {
			players = earliest(players, c.turned)
		}
	}
	last := b.last()
	for i := range b.hand {
		c := &b.hand[i]
		if c.zone != last || players.IsZero() {
			continue
		}
		if !c.turned.Before(players) && c.since.Before(players) {
			c.turned = players.Add(-2 * time.Millisecond)
		}
		if !c.at.Before(players) && c.from.Before(players) {
			c.at = players.Add(-time.Millisecond)
		}
	}
}

// bonusFirst has the cards on which the Texas Bonus goes turned before any of it is
// settled, or if the times do not allow that, before their own seat's: the arms that
// take it lie over them.
func (b *bankedStory) bonusFirst() {
	called := b.firstCall("texas_bonus")
	if called.IsZero() {
		return
	}
	var first time.Time
	own := map[int]time.Time{} // by seat
	for _, m := range b.moves {
		if b.rules.Spots[m.place.Spot].Against == housepoker.AgainstFlop && m.at.After(called) {
			first, own[m.place.Seat] = earliest(first, m.at), earliest(own[m.place.Seat], m.at)
		}
	}
	for i := range b.hand {
		c := &b.hand[i]
		n, _ := handOf(c.zone)
		if own[n].IsZero() || c.turned.IsZero() {
			continue
		}
		for _, at := range []time.Time{first, own[n]} {
			if c.since.Before(at) {
				c.turned = earliest(c.turned, at.Add(-time.Millisecond))
				break
			}
		}
	}
}

// marks finds the end of the deal and the moment from which money is settled.
func (b *bankedStory) marks() {
	d := b.rules.Deal
	count := map[string]int{}
	last := b.last()
	for _, c := range b.hand {
		n, _ := handOf(c.zone)
		count[c.zone]++
		if (n > 0 && count[c.zone] <= d.Own || c.zone == "bank" && count[c.zone] <= d.Bank || slices.Contains(d.Commons, c.zone)) && c.at.After(b.dealt) {
			b.dealt = c.at
		}
		if c.zone == last && !c.turned.IsZero() {
			b.shown = earliest(b.shown, c.turned)
		}
	}
}

// folds tells who gave up: whose cards were taken for good before the bank
// showed its own and who had not gone on, or who lost his ante then and must
// leave his cards for a bonus.
func (b *bankedStory) folds() {
	if !slices.Contains(b.rules.Actions, "fold") {
		return
	}
	for _, zone := range b.dealtSeats() {
		seat, _ := handOf(zone)
		if at := b.saidFold(seat); !at.IsZero() {
			b.fold[seat] = at
			continue
		}
		at, from := b.gaveUp(seat, zone)
		if at.IsZero() || b.wentOn(seat, at) {
			continue
		}
		b.fold[seat] = at
		b.tell(round.Event{Type: round.Action, Seat: seat, Action: "fold"}, from, at, -1)
	}
}

// gaveUp is when a seat's cards or its ante were taken before the showdown.
func (b *bankedStory) gaveUp(seat int, zone string) (at, from time.Time) {
	before := func(t time.Time) bool { return b.shown.IsZero() || t.Before(b.shown) }
	taken := b.anteTaken(seat, before)
	left, began, gone := b.left(zone)
	switch {
	case gone && before(left) && (!taken.at.IsZero() || b.final):
		at, from = left, began
		if !taken.at.IsZero() && taken.at.Before(at) && at.Sub(taken.at) < 5*time.Second {
			at, from = taken.at, taken.from
		}
	case !(gone && before(left)) && !taken.at.IsZero() && b.mustShow(seat):
		at, from = taken.at, taken.from
	}
	return at, from
}

// anteTaken is the first time that chips leave the seat's ante after the deal.
func (b *bankedStory) anteTaken(seat int, before func(time.Time) bool) (m move) {
	for _, m := range b.moves {
		if m.place == (place{seat, "ante"}) && m.delta < 0 && m.at.After(b.dealt) && before(m.at) && !b.timely(m) {
			return m
		}
	}
	return move{}
}

// mustShow tells that a seat has a bet for which folded cards stay on the table.
func (b *bankedStory) mustShow(seat int) bool {
	return slices.ContainsFunc(b.told, func(e told) bool {
		return e.event.Type == round.Bet && e.event.Seat == seat && b.rules.Spots[e.event.Spot].FoldShows
	})
}

// wentOn tells that a seat laid its second stake before t.
func (b *bankedStory) wentOn(seat int, t time.Time) bool {
	return slices.ContainsFunc(b.moves, func(m move) bool {
		return m.place == (place{seat, b.rules.Second}) && m.delta > 0 && m.at.Before(t)
	})
}

// plays tells the decision that a second stake shows.
func (b *bankedStory) plays() {
	if !slices.Contains(b.rules.Actions, "play") {
		return
	}
	done := map[int]bool{}
	for _, m := range b.moves {
		seat := m.place.Seat
		if m.place.Spot != b.rules.Second || m.delta <= 0 || done[seat] || b.settles(m) || !m.at.After(b.dealt) {
			continue
		}
		done[seat] = true
		if !b.fold[seat].IsZero() || b.actedBefore("play", m.place, m.at.Add(b.slow)) {
			continue
		}
		b.tell(round.Event{Type: round.Action, Seat: seat, Action: "play"}, m.from, m.at, -1)
	}
}

// passes tells the checks of turn and river where the terminal reports none in
// the whole round: who is in play and lays nothing has passed.
func (b *bankedStory) passes() {
	if !b.rules.Deal.Streets || b.heardAction("check") {
		return
	}
	for k, spot := range []string{"turn", "river"} {
		at := b.streetAt(3 + k)
		if at.IsZero() {
			return
		}
		for _, zone := range b.dealtSeats() {
			seat, _ := handOf(zone)
			bet := func(m move) bool {
				return m.place == (place{seat, spot}) && m.delta > 0 && m.at.Before(at)
			}
			if b.fold[seat].IsZero() && !slices.ContainsFunc(b.moves, bet) {
				b.tell(round.Event{Type: round.Action, Seat: seat, Action: "check"}, at, at, 1)
			}
		}
	}
}

// streetAt is just before the board card after the first n, or the burn before it.
func (s *story) streetAt(n int) time.Time {
	var board []time.Time
	for _, c := range s.hand {
		if strings.HasPrefix(c.zone, "board") {
			board = append(board, c.at)
		}
	}
	if len(board) <= n {
		return time.Time{}
	}
	at := board[n]
	for _, e := range s.told {
		if e.event.Type == round.Burn && e.at.After(board[n-1]) && e.at.Before(at) {
			at = e.at
		}
	}
	return at.Add(-time.Millisecond)
}

// settles tells that chips moved after their bet was decided.
func (b *bankedStory) settles(m move) bool {
	if at := b.fold[m.place.Seat]; !at.IsZero() && !m.at.Before(at) {
		return true
	}
	if b.void {
		return m.delta < 0 && m.at.After(b.close)
	}
	if b.rules.Spots[m.place.Spot].Against == housepoker.AgainstFlop {
		if at := b.firstCall("texas_bonus"); !at.IsZero() {
			return m.at.After(at)
		}
	}
	return !b.shown.IsZero() && m.at.After(b.shown)
}

// settle tells the money, place by place.
func (b *bankedStory) settle() {
	by := map[place][]move{}
	var order []place
	for _, m := range b.moves {
		if !bettable(m.place) || b.timely(m) || !b.settles(m) {
			continue
		}
		if by[m.place] == nil {
			order = append(order, m.place)
		}
		by[m.place] = append(by[m.place], m)
	}
	for _, p := range order {
		b.settlePlace(p, by[p])
	}
}

func (b *bankedStory) settlePlace(p place, moves []move) {
	e, ok := b.entry(p)
	if moves = b.mended(p.Seat, p.Spot, moves); p.Spot == "ante" {
		if prize, won := b.prize(p.Seat); won {
			moves = b.payPrize(e, prize, moves)
		}
	}
	moves = b.croupiers(e, moves)
	switch {
	case len(moves) == 0:
	case ok && e.Outcome == round.Lose:
		(&settler{story: b.story, place: p, entry: e}).loser(moves, e.Stake)
	default:
		b.story.settle(p, moves)
	}
}

// croupiers leaves out what the owner takes: his winnings, a stake that did not
// lose when his cards are gone, and what lies beyond a lost stake.
func (b *bankedStory) croupiers(e round.Settlement, moves []move) []move {
	left, _, gone := b.left(seatZone(e.Seat))
	if b.rules.Deal.Hands {
		left, gone = b.handsLeft(e.Seat)
	}
	due := e.Stake
	for i, m := range moves {
		if m.delta > 0 {
			due += m.delta
			continue
		}
		if e.Outcome == round.Lose && b.afterClearing(m) {
			return moves[:i]
		}
		if e.Outcome == round.Lose && due > 0 && -m.delta <= due {
			due += m.delta
			continue
		}
		if e.Outcome == round.Lose || b.void || gone && m.at.After(left) {
			return moves[:i]
		}
	}
	return moves
}

// prize is the automatic prize due to a seat, which is laid with its ante.
func (b *bankedStory) prize(seat int) (round.Settlement, bool) {
	for _, e := range b.due {
		if e.Seat == seat && e.Stake == 0 && e.Pays > 0 && b.rules.Spots[e.Spot].Against == housepoker.Virtual {
			return e, true
		}
	}
	return round.Settlement{}, false
}

// payPrize tells which of the chips laid with the ante are the automatic prize,
// and returns the other movements.
func (b *bankedStory) payPrize(ante, prize round.Settlement, moves []move) (rest []move) {
	pay := func(m move) {
		b.tell(round.Event{Type: round.Pay, Seat: prize.Seat, Spot: prize.Spot, Amount: m.delta}, m.from, m.at, 2)
	}
	own := ante.Pays
	if ante.Outcome != round.Win {
		own = 0
	}
	paid := own * 0
	for _, m := range moves {
		switch {
		case m.delta < 0:
			rest = append(rest, m)
		case own > paid && m.delta == own-paid+prize.Pays: // both in one motion
			part := m
			m.delta, part.delta = prize.Pays, own-paid
			rest = append(rest, part)
			pay(m)
			paid = own
		case paid < own && (m.delta != prize.Pays || m.delta == own-paid):
			paid += m.delta
			rest = append(rest, m)
		default:
			pay(m)
		}
	}
	return rest
}
