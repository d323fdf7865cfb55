package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/game/settle"
	"vision/validate/round"
)

const (
	known  sight = iota
	unseen       // a card is not known: the bet is not observable
	silent       // undecidable for a reason that is reported elsewhere, or is none
)

// qualifies reports whether the bank plays with a hand.
func (t *table) qualifies(v hands.Value) bool { return t.rules.plays(t.rank, v) }

// plays reports whether a hand lets the bank play; any does where the game has no least hand.
func (r *Rules) plays(rank *hands.Ranking, v hands.Value) bool {
	return r.Qualify == nil || v >= rank.Make(r.Qualify.Category, r.Qualify.Ranks...)
}

// settle decides every spot with chips and the virtual ones that win.
func (t *table) settle() {
	room := make([]entry, len(t.places))
	t.entries = make([]*entry, 0, len(t.places)+len(t.active))
	for k, c := range t.places {
		if c.there() == 0 {
			continue
		}
		e := &room[k]
		*e = entry{Due: settle.On(c.Place, c.valid)}
		e.Back = c.void
		switch {
		case c.valid == 0:
			e.Stake, e.Back = c.void, 0
			e.Void()
		case t.void:
			e.Void()
		default:
			t.decide(e, t.rules.spot(c.Spot))
		}
		t.entries = append(t.entries, e)
	}
	if !t.void {
		t.meters()
		t.virtuals()
	}
}

func (t *table) decide(e *entry, sp *Spot) {
	s := t.seat(e.Seat)
	switch {
	case s.void:
		e.Void()
	case t.lostOut(s, e):
		e.Lose()
	case sp.Against == AgainstBank:
		t.againstBank(e, s, sp)
	case sp.Against == AgainstTwo:
		t.againstTwo(e, s, sp)
	case sp.Against == AgainstMeter:
		// by the cascade
	default:
		t.ownBet(e, s, sp)
	}
}

// lostOut reports whether a seat lost a bet by what it did outside the cards,
// before the bet was settled.
func (t *table) lostOut(s *seat, e *entry) bool {
	if !s.loses {
		return false
	}
	first := t.moved.Of(e.Place()).First()
	return first < 0 || first > s.out
}

// undecided reports whether nobody saw what a seat decided.
func (t *table) undecided(s *seat) bool {
	return t.rules.Second != "" && s.play == none && s.chips == none && s.turn == none && s.river == none
}

func (t *table) againstBank(e *entry, s *seat, sp *Spot) {
	if s.fold >= 0 {
		e.Lose()
		return
	}
	if t.undecided(s) {
		e.unknown(unseen)
		return
	}
	b, bs := t.hand(bank)
	if bs != known {
		_, ps := t.hand(game.SeatZone(s.n))
		e.unknown(max(bs, ps))
		return
	}
	o, pays, why := t.versus(s, sp, e.Stake, b.Value, t.qualifies(b.Value))
	switch o {
	case round.Unknown:
		e.unknown(why)
	case round.Lose:
		e.Settle(o, 0, 0)
	default:
		e.Settle(o, pays, e.Stake)
	}
}

// unequal is what a bet does against a bank that does not play, whatever the
// player holds; ok is false where his hand matters.
func (sp *Spot) unequal() (o round.Outcome, odds int64, ok bool) {
	switch sp.Unequal {
	case "win":
		return round.Win, 1, true
	case "push":
		return round.Push, 0, true
	}
	return "", 0, false
}

// meet is what a bet against the bank does when two hands meet: the outcome,
// and what it wins to one.
func (sp *Spot) meet(player, bank hands.Value, qualifies bool, table int) (round.Outcome, int64) {
	if !qualifies {
		if o, n, ok := sp.unequal(); ok {
			return o, n
		}
	}
	n, paid := sp.prize(player, table)
	won := player > bank || !qualifies && sp.Unequal == "table"
	switch {
	case won && paid:
		return round.Win, n
	case won:
		return round.Push, 0
	case player == bank && sp.TieWins:
		return round.Win, 1
	case player == bank:
		return round.Push, 0
	}
	return round.Lose, 0
}

// versus compares a seat's hand with the bank's known one, which qualifies or not.
func (t *table) versus(s *seat, sp *Spot, stake money.Cents, b hands.Value,
	qualifies bool) (round.Outcome, money.Cents, sight) {
	if !qualifies {
		if o, n, ok := sp.unequal(); ok {
			return o, stake * money.Cents(n), known
		}
	}
	h, why := t.hand(game.SeatZone(s.n))
	if why != known {
		return round.Unknown, 0, why
	}
	o, n := sp.meet(h.Value, b, qualifies, t.opt.plusTable)
	return o, stake * money.Cents(n), known
}

// sight says whether the cards that a bet needs are known; the greater hides the lesser.
type sight int

// entry is what is due on one spot.
type entry struct {
	settle.Due
	cause sight // why the outcome is unknown
}

func (e *entry) unknown(why sight) {
	e.Unknown()
	e.cause = why
}

// entryOf is the index of a place's entry; -1 without one.
func (t *table) entryOf(p game.Place) int {
	return slices.IndexFunc(t.entries, func(e *entry) bool { return e.Place() == p })
}

// view reports whether a zone's cards are all there and known.
func (t *table) view(zone string) sight {
	z := t.zone(zone)
	if t.due(zone) == 0 {
		return silent // nothing is dealt here: there is no hand to know
	}
	s := known
	if len(z.slots) != t.due(zone) {
		s = unseen
	}
	for _, c := range z.slots {
		switch {
		case c.card == card.Unseen:
			s = max(s, unseen)
		case t.foreign(c.card):
			return silent
		}
	}
	return s
}

func (t *table) cards(zone string) []card.Card { return t.appendCards(nil, zone) }

func (t *table) appendCards(list []card.Card, zone string) []card.Card {
	for _, s := range t.zone(zone).slots {
		list = append(list, s.card)
	}
	return list
}

var boardOnly = []string{board}

// common are the zones whose cards belong to every hand.
func (t *table) common() []string {
	if t.rules.Deal.Board == 5 {
		return boardOnly
	}
	return t.rules.Deal.Commons
}

// reading is what is known of a zone's hand.
type reading struct {
	hand  hands.Hand
	sight sight
}

// hand is the best hand of a zone's cards with the common ones. It is asked for
// once all cards lie, and read once.
func (t *table) hand(zone string) (hands.Hand, sight) {
	r, ok := t.hands[zone]
	if !ok {
		r.hand, r.sight = t.readHand(zone)
		t.hands[zone] = r
	}
	return r.hand, r.sight
}

func (t *table) readHand(zone string) (hands.Hand, sight) {
	s := t.view(zone)
	for _, z := range t.common() {
		s = max(s, t.view(z))
	}
	if s != known {
		return hands.Hand{}, s
	}
	var room [16]card.Card
	cards := t.appendCards(room[:0], zone)
	for _, z := range t.common() {
		cards = t.appendCards(cards, z)
	}
	h := t.rank.Best(cards)
	if h.Value == 0 {
		return h, silent // the same card twice in pai gow's pack and the like
	}
	return h, known
}

// prize is what a spot pays to one for a hand, by the table that the house
// chose where the norm prints several.
func (sp *Spot) prize(v hands.Value, table int) (int64, bool) {
	name := v.Category().String()
	if v.Category() == hands.Pareja && v.Rank(0) < sp.PairFrom {
		return 0, false
	}
	for _, row := range sp.Tables {
		if c, n, err := tableRow(row, table); err == nil && c == name {
			return n, n > 0
		}
	}
	n, ok := sp.Pays[name]
	if !ok {
		n, ok = sp.Pays["any"]
	}
	return n, ok
}

// ownBet decides a bet that does not look at the bank's hand.
func (t *table) ownBet(e *entry, s *seat, sp *Spot) {
	if s.fold >= 0 && sp.FoldLoses && (e.Spot != "pareja_plus" || t.opt.foldPlus) {
		e.Lose()
		return
	}
	var n int64
	var paid bool
	var why sight
	switch sp.Against {
	case AgainstHole:
		n, paid, why = t.hole(s, sp)
	case AgainstFlop:
		n, paid, why = t.flop(s, sp)
	default:
		var h hands.Hand
		if h, why = t.hand(game.SeatZone(s.n)); why == known {
			n, paid = sp.prize(h.Value, t.opt.plusTable)
		}
	}
	switch {
	case why == unseen && s.fold >= 0 && !sp.FoldShows:
		e.Lose()
	case why != known:
		e.unknown(why)
	case !paid:
		e.Lose()
	default:
		e.Win(e.Stake * money.Cents(n))
		if e.Spot == "seguro" && !t.opt.seguroBack {
			e.Returns = 0
		}
	}
}

// hole is the prize of the two own cards, and of two aces against two aces.
func (t *table) hole(s *seat, sp *Spot) (int64, bool, sight) {
	why := t.view(game.SeatZone(s.n))
	if why != known {
		return 0, false, why
	}
	name := holeName(t.cards(game.SeatZone(s.n)))
	if both, ok := sp.Pays[name+"-"+name]; ok {
		if why := t.view(bank); why != known {
			return 0, false, why
		}
		if holeName(t.cards(bank)) == name {
			return both, true, known
		}
	}
	n, ok := sp.Pays[name]
	return n, ok, known
}

// holeName writes two cards as tables of hold'em do: "AA", "AKs" suited, "AKo" not.
func holeName(cards []card.Card) string {
	a, b := cards[0], cards[1]
	rank := func(c card.Card) int { return (c.Number() + 11) % 13 } // ace highest
	if rank(a) < rank(b) {
		a, b = b, a
	}
	name := string([]byte{a.Rank(), b.Rank()})
	switch {
	case a.Rank() == b.Rank():
		return name
	case a.Suit() == b.Suit():
		return name + "s"
	}
	return name + "o"
}

// flop is the prize of the two own cards with the first three of the board.
func (t *table) flop(s *seat, sp *Spot) (int64, bool, sight) {
	why := t.view(game.SeatZone(s.n))
	cards := t.cards(game.SeatZone(s.n))
	z := t.zone(board)
	if len(z.slots) < 3 {
		return 0, false, max(why, unseen)
	}
	for _, c := range z.slots[:3] {
		switch {
		case t.foreign(c.card):
			why = silent
		case c.card == card.Unseen:
			why = max(why, unseen)
		}
		cards = append(cards, c.card)
	}
	if why != known {
		return 0, false, why
	}
	n, ok := sp.prize(t.rank.Best(cards).Value, t.opt.plusTable)
	return n, ok, known
}

// virtuals settles the automatic prizes on the ante, which have no chips.
func (t *table) virtuals() {
	for _, s := range t.active {
		a := t.chips[game.Place{Seat: s.n, Spot: ante}]
		if !s.inPlay(t) || a == nil || a.valid == 0 || t.undecided(s) {
			continue
		}
		h, why := t.hand(game.SeatZone(s.n))
		if why != known {
			continue
		}
		for name, sp := range t.rules.Spots {
			if sp.Against != Virtual {
				continue
			}
			if n, ok := sp.prize(h.Value, t.opt.plusTable); ok && n > 0 {
				e := &entry{Due: settle.On(game.Place{Seat: s.n, Spot: name}, 0)}
				e.Settle(round.Win, a.valid*money.Cents(n), 0)
				t.addVirtual(e)
			}
		}
	}
}

// addVirtual adds a prize to the entry of chips that were laid on its spot by
// mistake, or as an entry of its own.
func (t *table) addVirtual(e *entry) {
	k := t.entryOf(e.Place())
	if k < 0 {
		t.entries = append(t.entries, e)
		return
	}
	x := t.entries[k]
	x.Back, x.Stake = x.Stake, 0
	x.Settle(round.Win, e.Pays, 0)
}
