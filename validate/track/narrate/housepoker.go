package narrate

import (
	"slices"
	"strings"
	"time"

	"vision/internal/money"
	"vision/validate/game/housepoker"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// The pokers against the house have one course: bets, the deal face down, decisions by chips
// laid or cards given up, common cards, the bank's hand turned, then the players', then money.
// How many cards lie where and which spot opens when are the rulebook's.

// housePokerRound is a round of poker against the house while it is narrated.
type housePokerRound struct {
	*Narration
	rules *housepoker.Rules
	dealt time.Time         // the last card of the first deal
	shown time.Time         // the bank's cards, or the last common one, were turned
	fold  map[int]time.Time // by seat: when it gave up
	void  bool              // the norm annuls the round, or the croupier did
}

// narrateHousePoker records a round of poker against the house.
func narrateHousePoker(s *Narration) {
	rules, ok := s.Rules.(*housepoker.Rules)
	if !ok {
		return
	}
	b := &housePokerRound{Narration: s, rules: rules, fold: map[int]time.Time{}}
	b.burns()
	b.diceThrown()
	b.setHands()
	for _, zone := range zonesOf(b.dealtSeats(""), "") {
		b.dealtUnder(zone, rules.Deal.Own)
	}
	b.dealtUnder("bank", rules.Deal.Bank)
	b.arrange()
	s.Close = b.closing()
	s.openingBets(s.timely)
	b.showFirst()
	s.cardEvents(all)
	s.reveals()
	b.marks()
	b.void = !s.FirstCall("jugada_anulada").IsZero()
	dealt := slices.Clone(s.Entries)
	if v := b.decisions(); v.Void && !b.void && b.shown.IsZero() { // then nobody gave up: all was taken away
		b.void, b.fold, s.Entries = true, map[int]time.Time{}, dealt
		b.decisions()
	}
	s.Decided = !b.shown.IsZero() && !s.Unread()
	b.settle()
	s.orderMovements(housePokerOrder(rules))
}

// decisions records what the players decide, and what the rules find in it.
func (b *housePokerRound) decisions() round.Verdict {
	if !b.void {
		b.folds()
	}
	b.plays()
	b.passes()
	b.during(func(m Move) bool { return !b.timely(m) && !b.settles(m) })
	return b.assess()
}

// diceThrown records the dice that decide where the deal begins.
func (b *housePokerRound) diceThrown() {
	for i := range b.Scene.Events {
		if h := &b.Scene.Events[i]; h.Kind == scene.DiceSeen && b.rules.Deal.Hands {
			b.record(b.diceEvent(h, b.called(b.faces(h), h.At)), h.From, h.At, 2)
		}
	}
}

// closing is when the bets were closed: by the call, the dice or the first card.
func (b *housePokerRound) closing() time.Time {
	t := b.FirstCall(b.Game.Closing)
	for _, e := range b.Entries {
		if e.Event.Type == round.Dice {
			t = scene.Earliest(t, e.At)
		}
	}
	for _, c := range b.Hand {
		t = scene.Earliest(t, c.at)
	}
	return t
}

// order is the prescribed order of the zones in the first deal.
func (b *housePokerRound) order() (zones []string) {
	seats := zonesOf(b.dealtSeats(""), "")
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

// ring is the order of a deal of one hand after the other that the dice prescribe; nil where the
// dice are not known.
func (b *housePokerRound) ring() []string {
	var faces []int
	for _, e := range b.Entries {
		if e.Event.Type == round.Dice {
			faces = e.Event.Faces
		}
	}
	all, err := b.rules.Ring(&b.Base, faces)
	if err != nil {
		return nil // the table's options, which the verdict refuses too
	}
	return all
}

// wholeHands is the order of a deal of one hand after the other: the zones by when their first
// cards were seen (nth 1) or their last (-1).
func (b *housePokerRound) wholeHands(nth int) (zones []string) {
	seen := map[string]time.Time{}
	for _, c := range b.Hand {
		if _, ok := seen[c.zone]; !ok {
			zones = append(zones, c.zone)
			seen[c.zone] = c.at
		}
		if nth < 0 {
			seen[c.zone] = c.at
		}
	}
	slices.SortStableFunc(zones, func(x, y string) int { return seen[x].Compare(seen[y]) })
	return zones
}

// last is the zone whose cards are turned before any player's.
func (b *housePokerRound) last() string {
	if n := len(b.rules.Deal.Commons); n > 0 {
		return b.rules.Deal.Commons[n-1]
	}
	return "bank"
}

// setCards are those of a player of pai gow, set as five and two.
const setCards = 7

// showFirst has the bank's cards turned before the players' are if the times allow it: the arm
// that turns theirs lies over the bank's, which are read late.
func (b *housePokerRound) showFirst() {
	var players time.Time
	for _, c := range b.Hand {
		if n := scene.SeatOf(c.zone); n > 0 {
			players = scene.Earliest(players, c.turned)
		}
	}
	for i := range b.Hand {
		if c := &b.Hand[i]; c.zone == b.last() {
			c.turned = justBefore(c.since, c.turned, players)
		}
	}
}

// justBefore is when something came about between two times that is done before another thing is:
// when it was seen, or just before that if it may have been so; zero, it is not known when it was.
func justBefore(from, seen, other time.Time) time.Time {
	if other.IsZero() || seen.Before(other) || !from.Before(other) {
		return seen
	}
	return scene.JustBefore(other)
}

// marks finds the end of the deal and the moment from which money is settled.
func (b *housePokerRound) marks() {
	d := b.rules.Deal
	count := map[string]int{}
	last := b.last()
	for _, c := range b.Hand {
		n := scene.SeatOf(c.zone)
		count[c.zone]++
		if n > 0 && count[c.zone] <= d.Own || c.zone == "bank" && count[c.zone] <= d.Bank || slices.Contains(d.Commons, c.zone) {
			b.dealt = scene.Latest(b.dealt, c.at)
		}
		if c.zone == last && !c.turned.IsZero() {
			b.shown = scene.Earliest(b.shown, c.turned)
		}
	}
}

// folds records who gave up: whose cards were taken for good before the bank
// showed its own and who had not gone on, or who lost his ante then and must
// leave his cards for a bonus.
func (b *housePokerRound) folds() {
	if !slices.Contains(b.rules.Actions, "fold") {
		return
	}
	for _, seat := range b.dealtSeats("") {
		if at := b.acted(seat, "fold", "surrender"); !at.IsZero() {
			b.fold[seat] = at
			continue
		}
		at, from := b.gaveUp(seat)
		if at.IsZero() || b.wentOn(seat, at) {
			continue
		}
		b.fold[seat] = at
		b.record(round.Event{Type: round.Action, Seat: seat, Action: "fold"}, from, at, -1)
	}
}

// gaveUp is when a seat's cards or its ante were taken before the showdown.
func (b *housePokerRound) gaveUp(seat int) (at, from time.Time) {
	before := func(t time.Time) bool { return b.shown.IsZero() || t.Before(b.shown) }
	taken := b.anteTaken(seat, before)
	left, began, gone := b.left(scene.SeatZone(seat))
	switch {
	case gone && before(left) && (!taken.At.IsZero() || b.Final):
		at, from = left, began
		if !taken.At.IsZero() && taken.At.Before(at) {
			at, from = taken.At, taken.From
		}
	case !(gone && before(left)) && !taken.At.IsZero() && b.mustShow(seat):
		at, from = taken.At, taken.From
	}
	return at, from
}

// anteTaken is the first time that chips leave the seat's ante after the deal.
func (b *housePokerRound) anteTaken(seat int, before func(time.Time) bool) (m Move) {
	for _, m := range b.Moves {
		if m.Place == (scene.Place{Seat: seat, Spot: "ante"}) && m.Delta < 0 && m.At.After(b.dealt) && before(m.At) &&
			!b.timely(m) {
			return m
		}
	}
	return Move{}
}

// mustShow reports whether a seat has a bet for which folded cards stay on the table.
func (b *housePokerRound) mustShow(seat int) bool {
	return slices.ContainsFunc(b.Entries, func(e Entry) bool {
		return e.Event.Type == round.Bet && e.Event.Seat == seat && b.rules.Spots[e.Event.Spot].FoldShows
	})
}

// wentOn reports whether a seat laid its second stake before t.
func (b *housePokerRound) wentOn(seat int, t time.Time) bool {
	return slices.ContainsFunc(b.Moves, func(m Move) bool {
		return m.Place == (scene.Place{Seat: seat, Spot: b.rules.Second}) && m.Delta > 0 && m.At.Before(t)
	})
}

// plays records the decision that a second stake shows.
func (b *housePokerRound) plays() {
	if !slices.Contains(b.rules.Actions, "play") {
		return
	}
	done := map[int]bool{}
	for _, m := range b.Moves {
		seat := m.Place.Seat
		if m.Place.Spot != b.rules.Second || m.Delta <= 0 || done[seat] || b.settles(m) || !m.At.After(b.dealt) {
			continue
		}
		done[seat] = true
		if !b.fold[seat].IsZero() || b.actedBy(b.Now(), seat, "play") {
			continue
		}
		b.record(round.Event{Type: round.Action, Seat: seat, Action: "play"}, m.From, m.At, -1)
	}
}

// passes records the checks of turn and river where the terminal reports none in
// the whole round: who is in play and lays nothing has passed.
func (b *housePokerRound) passes() {
	if !b.rules.Deal.Streets || !b.acted(0, "check").IsZero() {
		return
	}
	for k, spot := range []string{"turn", "river"} {
		at := b.streetAt(3 + k)
		if at.IsZero() {
			return
		}
		for _, seat := range b.dealtSeats("") {
			bet := func(m Move) bool {
				return m.Place == (scene.Place{Seat: seat, Spot: spot}) && m.Delta > 0 && m.At.Before(at)
			}
			if b.fold[seat].IsZero() && !slices.ContainsFunc(b.Moves, bet) {
				b.record(round.Event{Type: round.Action, Seat: seat, Action: "check"}, at, at, 1)
			}
		}
	}
}

// streetAt is just before the board card after the first n, or the burn before it.
func (s *Narration) streetAt(n int) time.Time {
	var board []time.Time
	for _, c := range s.Hand {
		if strings.HasPrefix(c.zone, "board") {
			board = append(board, c.at)
		}
	}
	if len(board) <= n {
		return time.Time{}
	}
	at := board[n]
	for _, e := range s.Entries {
		if e.Event.Type == round.Burn && e.At.After(board[n-1]) && e.At.Before(at) {
			at = e.At
		}
	}
	return scene.JustBefore(at)
}

// settles reports whether chips moved after their bet was decided.
func (b *housePokerRound) settles(m Move) bool {
	if at := b.fold[m.Place.Seat]; !at.IsZero() && !m.At.Before(at) {
		return true
	}
	if b.void {
		return m.Delta < 0 && m.At.After(b.Close)
	}
	if b.rules.Spots[m.Place.Spot].Against == housepoker.AgainstFlop {
		if at := b.FirstCall("texas_bonus"); !at.IsZero() {
			return m.At.After(at)
		}
	}
	return !b.shown.IsZero() && m.At.After(b.shown)
}

// settle records the money, place by place.
func (b *housePokerRound) settle() {
	b.annulled, b.cardsGone = b.void, map[int]time.Time{}
	for _, seat := range b.dealtSeats("") {
		if b.cardsGone[seat], _, _ = b.left(scene.SeatZone(seat)); b.rules.Deal.Hands {
			b.cardsGone[seat] = b.handsLeft(seat)
		}
	}
	by := b.settleEach(func(m Move) bool { return !b.timely(m) && b.settles(m) }, b.settlePlace)
	if !b.void && !b.shown.IsZero() {
		b.settleUnseen(by, b.shown)
		b.unseenPrizes()
	}
}

// housePokerOrder is the order that the rules of a house poker have.
func housePokerOrder(rules *housepoker.Rules) settleOrder {
	switch o := (settleOrder{kinds: []movement{{}}}); {
	case rules.PayOrder == "descending":
		o.down = true
		return o
	case rules.PayOrder == "ascending":
		o.up = true
		return o
	}
	o := settleOrder{own: !rules.Collect || rules.SpotOrder != nil}
	for _, t := range []round.Type{round.Collect, round.Pay} {
		for _, spots := range rules.SpotOrder {
			o.kinds = append(o.kinds, movement{of: t, on: spots})
		}
		if rules.Collect {
			o.kinds = append(o.kinds, movement{of: t})
		}
	}
	return o
}

// unseenPrizes records automatic prizes of which nothing was seen, where the hypothesis has it that they were
// laid under the hands of both sides that took up the ante with them.
func (b *housePokerRound) unseenPrizes() {
	for _, seat := range b.dealtSeats("") {
		prize, won := b.prize(seat)
		t, ok := b.takenUp(scene.Place{Seat: seat, Spot: "ante"}, b.shown)
		if won && ok && b.Recorded(round.Pay, prize) < 0 && b.underHands(seat, prize.Spot, untouched(t.Hands)) {
			b.moved(round.Pay, seat, prize.Spot, prize.Pays, t.From, t.At)
		}
	}
}

func (b *housePokerRound) settlePlace(p scene.Place, moves []Move) {
	if prize, won := b.prize(p.Seat); won && p.Spot == "ante" {
		ante, _ := b.DueOn(p)
		moves = b.payPrize(ante, prize, b.withoutCorrections(p.Seat, p.Spot, moves))
	}
	b.Narration.settle(p, moves)
}

// prize is the automatic prize due to a seat, which is laid with its ante.
func (b *housePokerRound) prize(seat int) (round.Settlement, bool) {
	for _, e := range b.Due {
		if e.Seat == seat && e.Stake == 0 && e.Pays > 0 && b.rules.Spots[e.Spot].Against == housepoker.Virtual {
			return e, true
		}
	}
	return round.Settlement{}, false
}

// payPrize records which of the chips laid with the ante are the automatic prize,
// and returns the other movements.
func (b *housePokerRound) payPrize(ante, prize round.Settlement, moves []Move) (rest []Move) {
	pay := func(m Move) {
		b.moved(round.Pay, prize.Seat, prize.Spot, m.Delta, m.From, m.At)
	}
	own := ante.Pays
	if ante.Outcome != round.Win {
		own = 0
	}
	var paid money.Cents
	for _, m := range moves {
		switch {
		case m.Delta <= 0:
			rest = append(rest, m)
		case own > paid && m.Delta == own-paid+prize.Pays: // both in one motion
			part := m
			m.Delta, part.Delta = prize.Pays, own-paid
			rest = append(rest, part)
			pay(m)
			paid = own
		case paid < own && (m.Delta != prize.Pays || m.Delta == own-paid):
			paid += m.Delta
			rest = append(rest, m)
		default:
			pay(m)
		}
	}
	return rest
}
