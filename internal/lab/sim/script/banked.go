package script

import (
	"fmt"
	"maps"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// The pokers against the house: what is dealt, bet and said. What the norms say of
// the bets is in bankednorm.go, what a round's bets have coming in bankeddue.go.

// banked is what one of them deals and offers.
type banked struct {
	norm    string
	house   map[string]any
	own     int // cards of a seat
	bank    int // cards of the bank
	up      int // the bank's card that is dealt face up, from 1
	commons []string
	base    []string // bet in equal parts by every seat that plays
	sides   []side
	second  string // the spot of who goes on
	times   []int  // multiples of the ante for it
	silent  bool   // the bets are closed by the first card, nothing is called
	streets bool   // hold'em: bets at turn and river, cards burnt, hands called
	inDeal  bool   // texas: the flop belongs to the deal
	draws   bool   // con descarte
	buys    bool   // sin descarte: a card may be bought
	sets    bool   // pai gow
	down    bool   // settled from the highest seat to the lowest
	never   bool   // nothing is ever drawn
	collect bool   // losing bets are taken before any is paid
	slot    string // the spot of the bet on a meter
	feeBP   int64  // commission, hundredths of a percent of the winnings
}

// side is a bet beside the base.
type side struct {
	spot    string
	amounts []money.Cents
}

var bankedGames = map[string]banked{
	"poker_sin_descarte": {norm: Norm, house: map[string]any{"progresivo_meter": 5000000}, own: 5, bank: 5, up: 5, base: []string{"ante"},
		sides: []side{{"seguro", []money.Cents{100, 250}}, {"progresivo", []money.Cents{100}}}, second: "second", times: []int{2}, buys: true, slot: "progresivo"},
	"poker_trijoker": {norm: Norm, own: 3, commons: []string{"comun_izq", "comun_der"}, base: []string{"apuesta_1", "apuesta_2", "apuesta_3"}, down: true, never: true},
	"tripoker": {norm: Norm, own: 3, bank: 3, base: []string{"ante"}, sides: []side{{"pareja_plus", []money.Cents{500, 1000}}},
		second: "second", times: []int{1}, silent: true},
	"pai_gow_poker": {norm: Norm, own: 7, bank: 7, base: []string{"apuesta"}, sets: true, feeBP: 500},
	"poker_holdem_bonus": {norm: Norm, own: 2, bank: 2, base: []string{"ante"}, sides: []side{{"bonus", []money.Cents{500, 1000}}},
		second: "flop", times: []int{2}, streets: true},
	"poker_holdem_banca": {norm: Norm, own: 2, bank: 2, base: []string{"ante"}, second: "flop", times: []int{2}, streets: true},
	"poker_cuatro_cartas": {norm: CastillaLeon, own: 5, bank: 6, up: 6, base: []string{"ante"}, sides: []side{{"ases", []money.Cents{500, 1000}}},
		second: "play", times: []int{1, 2, 3}, silent: true, collect: true, never: true},
	"poker_con_descarte": {norm: CastillaLeon, house: map[string]any{"jackpot_meter": 5000000}, own: 5, bank: 5, base: []string{"ante"},
		sides: []side{{"jackpot", []money.Cents{100, 250}}}, second: "second", times: []int{2}, draws: true, slot: "jackpot"},
	"texas_poker": {norm: CastillaLeon, own: 2, bank: 2, base: []string{"ante"}, sides: []side{{"txb", []money.Cents{500, 1000}}},
		second: "second", times: []int{2}, inDeal: true},
}

// CastillaLeon is the norm of the games that cantabria-2010 does not have.
const CastillaLeon = "castilla-y-leon-2013"

// bankedFaults are the faults of the pokers against the house.
var bankedFaults = slices.Concat(cardFaults, []Fault{LateBet, MissingCall, WrongDeal, WrongRaise, FaceUp})

// Faults of the pokers.
const (
	WrongDeal  Fault = "wrong_deal"  // a card too many
	WrongRaise Fault = "wrong_raise" // a second stake that is not the prescribed multiple
	FaceUp     Fault = "face_up"     // a player's card dealt face up
)

// bankedKinds are the games against the house as the script plays them.
func bankedKinds() map[string]kind {
	all := map[string]kind{}
	for code, b := range bankedGames {
		faults := slices.DeleteFunc(slices.Clone(bankedFaults), func(f Fault) bool {
			return b.silent && f == MissingCall || b.second == "" && f == WrongRaise || b.never && (f == TakePush || f == PayPush)
		})
		all[code] = kind{
			play:   func(t *table) { (&bankedRound{table: t, g: b}).play() },
			faults: faults,
			norm:   b.norm,
			house:  b.house,
		}
	}
	return all
}

// bankedRound is one round in the making.
type bankedRound struct {
	*table
	g       banked
	pack    pack
	seats   []int // that play
	folded  map[int]bool
	drew    map[int]bool
	dead    map[int]bool    // seats whose hand the norm annuls
	void    bool            // the norm annuls the round
	settled map[string]bool // by zone: what was due there was done, or wrongly not done
	due     []claim         // at the showdown
	left    money.Cents     // on the meter
}

func (r *bankedRound) play() {
	r.rec.Carry = r.carry
	r.left = r.reading()
	last := card.Card(52)
	if r.g.sets {
		last = card.Joker
	}
	r.pack = packOf(1, last)
	r.pack.shuffle(r.rng)
	r.folded, r.drew, r.dead, r.settled = map[int]bool{}, map[int]bool{}, map[int]bool{}, map[string]bool{}
	r.open()
	r.bets()
	r.close()
	r.deal()
	if r.void || r.annulsWrongly() {
		r.annul()
		return
	}
	r.decide()
	r.show()
	r.pay()
	r.finish()
}

func seatZone(n int) string { return fmt.Sprintf("seat:%d", n) }

func (t *table) spotOf(seat int, name string) *spot {
	return t.at(seat, name, fmt.Sprintf("seat:%d %s", seat, name))
}

func (r *bankedRound) bets() {
	for n := 1; n <= r.cfg.Seats; n++ {
		if s := r.spotOf(n, r.g.base[0]); s.stake == 0 && !r.maybe(0.85) && (n < r.cfg.Seats || len(r.seats) > 0) {
			continue
		}
		r.seats = append(r.seats, n)
		amount := r.spotOf(n, r.g.base[0]).stake
		if amount == 0 {
			amount = one(r.table, []money.Cents{1000, 2000, 3000, 4000})
		}
		for _, name := range r.g.base {
			if s := r.spotOf(n, name); s.stake == 0 {
				r.wait(1.3)
				r.bet(s, amount)
			}
		}
		for _, x := range r.g.sides {
			if s := r.spotOf(n, x.spot); s.stake == 0 && r.maybe(0.4) {
				r.wait(1.3)
				r.bet(s, one(r.table, x.amounts))
			}
		}
	}
}

func (r *bankedRound) close() {
	r.wait(2)
	if !r.g.silent && r.calls(round.Event{Call: "no_va_mas"}) {
		r.late()
	}
	r.wait(1.2)
}

// late has a player add a chip to his base bet after the close.
func (r *bankedRound) late() {
	if !r.commits(LateBet) {
		return
	}
	r.wait(1.5)
	r.betLate(r.spotOf(one(r.table, r.seats), r.g.base[0]), money.Cents(one(r.table, []int{2500, 10000})))
}

// turn shows the faces of a zone's cards, all at once.
func (t *table) turn(zone string) {
	a := Act{Who: Croupier}
	t.faceUp(&a, zone)
	t.note(round.Event{Type: round.Reveal, Zone: zone, Cards: t.cards(zone)})
	t.act(a)
}

// faceUp has an act turn the cards of a zone that lie face down.
func (t *table) faceUp(a *Act, zone string) {
	for i := range t.hands[zone] {
		if p := &t.hands[zone][i]; p.Down {
			a.Lift = append(a.Lift, p.Tag)
			p.Tag, p.Down = t.nextTag(), false
			a.Cards = append(a.Cards, *p)
		}
	}
}

func (r *bankedRound) deal() {
	if r.g.sets {
		r.dealHands()
		return
	}
	odd, bad := one(r.table, r.seats), r.commits(WrongDeal)
	for k := range max(r.g.own, r.g.bank) {
		for _, n := range r.seats {
			if k < r.g.own {
				r.wait(0.8)
				r.dealTo(n, k)
			}
		}
		if bad && n1(k, r.g.own) {
			r.wait(0.8)
			r.putDown(seatZone(odd), r.pack.draw())
			r.misdealt(odd, r.g.own)
		}
		if k < len(r.g.commons) {
			r.wait(0.8)
			r.putDown(r.g.commons[k], r.pack.draw())
		}
		if k < r.g.bank {
			r.wait(0.8)
			if k == r.g.up-1 {
				r.put("bank", r.pack.draw(), false)
			} else {
				r.putDown("bank", r.pack.draw())
			}
		}
	}
	if r.g.inDeal {
		r.common(3)
	}
	if r.g.silent {
		r.late()
	}
}

// n1 tells the pass after which a card too many is dealt: a seat's last.
func n1(pass, own int) bool { return pass == own-1 }

// dealTo gives a seat its k-th card.
func (r *bankedRound) dealTo(n, k int) {
	if k == 1 && r.commits(FaceUp) {
		r.put(seatZone(n), r.pack.draw(), false)
		r.expect(Finding{Code: finding.FaceWrong})
		r.annuls(r.norm().exposed, n)
		return
	}
	r.putDown(seatZone(n), r.pack.draw())
}

// common lays cards on the board.
func (r *bankedRound) common(n int) {
	for range n {
		r.wait(0.9)
		r.put("board", r.pack.draw(), false)
	}
}

// burn puts a card aside unseen.
func (t *table) burn(c card.Card) {
	t.wait(0.9)
	t.place(Placed{Zone: "burn", Slot: t.freeSlot("burn"), Card: c, Down: true})
	t.note(round.Event{Type: round.Burn, Count: 1})
}

// misdealt is a card too many for a seat.
func (r *bankedRound) misdealt(seat, right int) {
	r.expect(Finding{Code: finding.CardCountWrong, Expected: right, Observed: right + 1})
	r.annuls(r.norm().miscount, seat)
}

// annuls is what the norm annuls for an error at a seat.
func (r *bankedRound) annuls(what annulment, seat int) {
	switch what {
	case allHands:
		r.void = true
	case thatHand:
		r.dead[seat] = true
	}
}

// annulsWrongly has the croupier now and then annul the whole round for an error
// that annuls only one hand.
func (r *bankedRound) annulsWrongly() bool {
	if r.fault != WrongDeal || !r.done || !r.maybe(0.5) {
		return false
	}
	r.expect(Finding{Code: finding.IrregularityIgnored})
	return true
}

// annul ends a round that is annulled: everything goes back.
func (r *bankedRound) annul() {
	r.sayAfter(1.5, round.Event{Call: "jugada_anulada"})
	r.finish()
}

// finish clears the table; stakes that are nobody's but the players' are taken.
func (r *bankedRound) finish() {
	for _, z := range slices.Sorted(maps.Keys(r.hands)) {
		r.wait(0.7)
		r.sweep(z)
	}
	if len(r.dice) > 0 {
		r.act(Act{Who: Croupier, Lift: r.dice})
	}
	for _, n := range r.seats {
		r.takeSeat(n, false)
	}
	r.wait(0.3)
	r.note(round.Event{Type: round.Clear})
	r.leave()
	r.carry = r.leaves()
}

// takeSeat has a player take up all that lies on his spots; keep leaves losing
// stakes that were not collected.
func (t *table) takeSeat(n int, keep bool) {
	var lift []int
	for k, s := range t.spots {
		if s.seat != n || keep && s.paid == 0 && !s.won {
			continue
		}
		if all := tags(s.piles, s.lateP, s.paidP); len(all) > 0 {
			lift = append(lift, all...)
			delete(t.spots, k)
		}
	}
	if len(lift) > 0 {
		slices.Sort(lift)
		t.wait(1.2)
		t.act(Act{Who: Who(n), Lift: lift})
	}
}
