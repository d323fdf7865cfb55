package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	players "vision/validate/game/circle"
	"vision/validate/round"
)

// Poker among the players. Cards, streets and directions are the rulebook's;
// whose turn it is and who wins what is asked of the rules.

// Andalucia is the norm that has all these games.
const Andalucia = "andalucia-2010"

// circulo are the games by their norm.
var circulo = map[string]string{
	"holdem_circulo": Andalucia, "omaha_circulo": Andalucia, "omaha_5_circulo": Andalucia, "omaha_hilo_circulo": Andalucia,
	"doble_holdem_circulo": Andalucia, "poker_sintetico": Andalucia, "poker_descubierto_5": Andalucia,
	"poker_descubierto_7": CastillaLeon, "poker_cubierto_5": Andalucia,
}

// Faults of poker among the players.
const (
	OutOfTurn Fault = "out_of_turn" // a player bets before it is his turn
	RakeOver  Fault = "rake_over"   // the house keeps more than it may
	WrongPot  Fault = "wrong_pot"   // the pot is pushed to a player who lost
)

func circuloKinds() map[string]kind {
	all := map[string]kind{}
	for code, norm := range circulo {
		faults := []Fault{PayUnder, WrongPot, NoCommission, RakeOver, OutOfTurn}
		if norm == Andalucia {
			faults = append(faults, MissingCall, WrongCall, WrongDeal)
		}
		house := map[string]any{"rake": map[string]any{"mode": "percent", "rate_bp": 500, "unit": 50}, "chip": 50, "marca": 1}
		switch code {
		case "holdem_circulo":
			house["forced"] = "ciegas"
		case "poker_descubierto_7":
			house["limit"] = "none"
		}
		all[code] = kind{play: func(t *table) { (&circuloHand{table: t}).play() }, faults: faults, norm: norm, house: house}
	}
	return all
}

// circuloHand is one hand in the making.
type circuloHand struct {
	*table
	rules  *players.Rules
	pack   []card.Card
	seats  []int // that play, ascending
	mano   int
	dir    int
	in     map[int]bool
	out    map[int]bool // all-in
	commit map[int]money.Cents
	pot    money.Cents
	potP   []Pile
	raises int
	opener int
}

func (h *circuloHand) play() {
	books, err := rules()
	if err != nil {
		panic(err)
	}
	_, g, err := books.Game(h.rec.Norm, h.cfg.Game)
	if err != nil {
		panic(err)
	}
	h.rules = g.Rules.(*players.Rules)
	h.begin()
	h.wait(1)
	h.forced()
	h.wait(1.5)
	h.deal()
	if h.fault == WrongDeal && h.done { // noticed at once: everything goes back
		h.wait(1.5)
		h.say(round.Event{Call: "misdeal"})
		h.sweepBets()
		h.finish()
		return
	}
	for street := 0; ; street++ {
		h.interval()
		if h.live() < 2 || street == h.streets() {
			break
		}
		h.street(street)
	}
	h.finish()
}

// begin sets the hand up: who plays, where the marca lies, the pack.
func (h *circuloHand) begin() {
	h.rec.Carry = h.carry
	h.in, h.out = map[int]bool{}, map[int]bool{}
	for n := 1; n <= h.cfg.Seats; n++ {
		h.seats = append(h.seats, n)
		h.in[n] = true
	}
	marca := 1
	var left struct{ Marca int }
	if len(h.carry) > 0 && json.Unmarshal(h.carry, &left) == nil && left.Marca > 0 {
		marca = left.Marca
	}
	h.dir = 1
	if h.rules.Direction == "ccw" {
		h.dir = -1
	}
	h.mano = marca
	if h.rules.Postre {
		h.mano = h.after(marca, 1)
	}
	h.rec.Table.Options["marca"], _ = json.Marshal(marca)
	h.rec.Table.Options["players"], _ = json.Marshal(h.seats)
	least := h.rules.Packs[0]
	for c := card.Card(1); c <= 52; c++ {
		if high(c) >= least {
			h.pack = append(h.pack, c)
		}
	}
	h.rng.Shuffle(len(h.pack), func(i, j int) { h.pack[i], h.pack[j] = h.pack[j], h.pack[i] })
}

func (h *circuloHand) draw() card.Card {
	c := h.pack[len(h.pack)-1]
	h.pack = h.pack[:len(h.pack)-1]
	return c
}

// after is the next player in a direction.
func (h *circuloHand) after(seat, dir int) int {
	i := slices.Index(h.seats, seat)
	return h.seats[(i+dir+len(h.seats))%len(h.seats)]
}

// around are the players in hand from a seat on, in the game's direction.
func (h *circuloHand) around(seat int) (list []int) {
	for range h.seats {
		if h.in[seat] {
			list = append(list, seat)
		}
		seat = h.after(seat, h.dir)
	}
	return list
}

func (h *circuloHand) live() (n int) {
	for _, in := range h.in {
		if in {
			n++
		}
	}
	return n
}

func (h *circuloHand) chips(seat int) *spot { return h.spotOf(seat, "bote") }

// lay puts chips before a player, under the spot that the record has for them.
func (h *circuloHand) lay(seat int, spot string, amount money.Cents) {
	s := h.chips(seat)
	p := h.stack(amount, s.zone, s.free())
	s.piles = append(s.piles, p...)
	s.stake += amount
	h.note(round.Event{Type: round.Bet, Seat: seat, Spot: spot, Amount: amount})
	h.act(Act{Who: Who(seat), Piles: p})
}

// forced are the compulsory bets.
func (h *circuloHand) forced() {
	h.commit = map[int]money.Cents{}
	if string(h.rec.Table.Options["forced"]) == `"ciegas"` {
		small, big := h.mano, h.after(h.mano, 1)
		h.wait(1.2)
		h.lay(small, "ciega_pequena", h.cfg.Min/2)
		h.wait(1.2)
		h.lay(big, "ciega_grande", h.cfg.Min)
		h.commit[small], h.commit[big] = h.cfg.Min/2, h.cfg.Min
		return
	}
	if slices.Equal(h.rules.Forced, []string{"none"}) {
		return
	}
	for _, n := range h.seats {
		h.wait(1.1)
		h.lay(n, "ante", h.cfg.Min/2)
	}
	h.sweepBets()
}

func (h *circuloHand) deal() {
	odd := one(h.table, h.seats)
	for _, face := range h.rules.Own {
		for _, n := range h.around(h.mano) {
			h.wait(0.8)
			h.give(n, face == 'u')
		}
	}
	if h.commits(WrongDeal) {
		h.wait(0.8)
		h.give(odd, false)
		h.expect(Finding{Code: "card_count_wrong"})
	}
	if h.rules.Board != nil && h.rules.Board.WithDeal > 0 {
		h.wait(0.9)
		h.put("board", h.draw(), false)
	}
}

func (h *circuloHand) give(seat int, up bool) {
	if up {
		h.put(seatZone(seat), h.draw(), false)
	} else {
		h.putDown(seatZone(seat), h.draw())
	}
}

func (h *circuloHand) streets() int {
	switch {
	case h.rules.Board != nil:
		return len(h.rules.Board.Streets)
	case h.rules.Draw:
		return 1
	}
	return len(h.rules.Streets)
}

// street deals the k-th street.
func (h *circuloHand) street(k int) {
	if h.rules.Draw {
		h.change()
		return
	}
	if h.rules.Calls.Stud && k == 3 {
		h.wait(0.8)
		h.say(round.Event{Call: "ultima_carta"})
	}
	if h.rules.Burn == "one" && (h.rules.Board != nil || len(h.rules.Streets) == 4 || h.rec.Norm == Andalucia) {
		h.burn(h.draw())
	}
	if h.rules.Board == nil {
		for _, n := range h.around(h.mano) {
			h.wait(0.8)
			h.give(n, h.rules.Streets[k] == 'u')
		}
		return
	}
	zones := []string{"board"}
	if h.rules.Board.Lines == 2 {
		zones = []string{"board1", "board2"}
	}
	for _, z := range zones {
		for range h.rules.Board.Streets[k] {
			h.wait(0.8)
			h.put(z, h.draw(), false)
		}
	}
}

// change lets every player exchange cards; the opener keeps his.
func (h *circuloHand) change() {
	for _, n := range h.around(cmp.Or(h.opener, h.mano)) {
		h.wait(1)
		k := h.rng.IntN(4)
		if n == h.opener || k == 0 {
			h.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "stand"})
			continue
		}
		h.say(round.Event{Call: "descarte", By: round.Player, Seat: n, Number: round.Text(fmt.Sprint(k))})
		h.wait(0.6)
		h.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "draw", Discard: make([]card.Card, k)})
		r := bankedRound{table: h.table, pack: h.pack}
		r.swap(seatZone(n), h.rng.Perm(5)[:k], false)
		h.pack = r.pack
	}
}
