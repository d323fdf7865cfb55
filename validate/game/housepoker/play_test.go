package housepoker_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/game"
	"vision/validate/round"
)

const (
	bal = "balears-2005"
	and = "andalucia-2010"
	can = "cantabria-2010"
	cyl = "castilla-y-leon-2013"
)

func TestMain(m *testing.M) {
	os.Exit(cited.Main(m))
}

// layout is what a game puts on the table, written down apart from the rulebook.
type layout struct {
	own, bank, up int
	commons       bool
	board         int
	base          []string // what a full seat bets at the start
	second        string
	times         money.Cents
}

var layouts = map[string]layout{
	"poker_sin_descarte":  {own: 5, bank: 5, up: 5, base: []string{"ante"}, second: "second", times: 2},
	"poker_trijoker":      {own: 3, commons: true, base: []string{"apuesta_1", "apuesta_2", "apuesta_3"}},
	"tripoker":            {own: 3, bank: 3, base: []string{"ante"}, second: "second", times: 1},
	"pai_gow_poker":       {own: 7, bank: 7, base: []string{"apuesta"}},
	"poker_holdem_bonus":  {own: 2, bank: 2, board: 5, base: []string{"ante"}, second: "flop", times: 2},
	"poker_holdem_banca":  {own: 2, bank: 2, board: 5, base: []string{"ante"}, second: "flop", times: 2},
	"poker_cuatro_cartas": {own: 5, bank: 6, up: 6, base: []string{"ante"}, second: "play", times: 1},
	"poker_con_descarte":  {own: 5, bank: 5, base: []string{"ante"}, second: "second", times: 2},
	"texas_poker":         {own: 2, bank: 2, board: 5, base: []string{"ante"}, second: "second", times: 2},
}

// offered are the games of each norm.
var offered = map[string][]string{
	bal: {"poker_sin_descarte", "poker_trijoker"},
	and: {"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker"},
	can: {"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus", "poker_holdem_banca"},
	cyl: {"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus", "poker_holdem_banca",
		"poker_cuatro_cartas", "poker_con_descarte", "texas_poker"},
}

// show is a round to be played by the rules.
type show struct {
	norm, game string
	hands      map[string]string // by zone: "seat:1": "As Kd ..."; comun_izq, comun_der, board, bank
	sides      map[string]money.Cents
	folds      []int
	options    string
	carry      string
	lowHand    map[string]string // pai gow: the two cards of each zone
}

// stage writes a record event by event.
type stage struct {
	rec *round.Record
}

func (s *stage) add(e round.Event) {
	e.T = float64(len(s.rec.Events))
	s.rec.Events = append(s.rec.Events, e)
}

func cards(t testing.TB, s string) []card.Card {
	t.Helper()
	var list []card.Card
	for _, f := range strings.Fields(s) {
		c, err := card.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func seats(hands map[string]string) []int {
	var list []int
	for z := range hands {
		var n int
		if _, err := fmt.Sscanf(z, "seat:%d", &n); err == nil {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// play makes the round without its money.
func (w show) play(t testing.TB) *round.Record {
	t.Helper()
	l := layouts[w.game]
	rec := &round.Record{Schema: round.Schema, ID: "play", Norm: w.norm, Game: w.game,
		Table: round.Table{ID: "P1", Min: 500, Max: 50000}}
	if w.options != "" {
		if err := json.Unmarshal([]byte(w.options), &rec.Table.Options); err != nil {
			t.Fatal(err)
		}
	}
	if w.carry != "" {
		rec.Carry = json.RawMessage(w.carry)
	}
	s := &stage{rec}
	list := seats(w.hands)
	for _, n := range list {
		for _, spot := range l.base {
			s.add(round.Event{Type: round.Bet, Seat: n, Spot: spot, Amount: 1000})
		}
		for _, spot := range sortedKeys(w.sides) {
			s.add(round.Event{Type: round.Bet, Seat: n, Spot: spot, Amount: w.sides[spot]})
		}
	}
	s.add(round.Event{Type: round.Announce, By: round.Croupier, Call: "no_va_mas"})
	w.deal(t, s, l, list)
	w.decide(t, s, l, list)
	return rec
}

func sortedKeys[V any](m map[string]V) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

func (w show) deal(t testing.TB, s *stage, l layout, list []int) {
	down := func(zone string) { s.add(round.Event{Type: round.CardDealt, Zone: zone, Face: "down"}) }
	if w.game == "pai_gow_poker" {
		s.add(round.Event{Type: round.Dice, Faces: []int{4, 3, 1}}) // the croupier's hand is first
		s.add(round.Event{Type: round.Announce, By: round.Croupier, Call: "suma_dados", Number: "8"})
		zones := []string{"bank"}
		for _, n := range list {
			zones = append(zones, fmt.Sprintf("seat:%d", n))
		}
		for _, z := range zones {
			for range 7 {
				down(z)
			}
		}
		s.add(round.Event{Type: round.Burn, Count: 53 - 7*len(zones)})
		return
	}
	for k := range max(l.own, l.bank) {
		for _, n := range list {
			if k < l.own {
				down(fmt.Sprintf("seat:%d", n))
			}
		}
		if l.commons && k < 2 {
			down([]string{"comun_izq", "comun_der"}[k])
		}
		switch {
		case k >= l.bank:
		case k == l.up-1:
			s.add(round.Event{Type: round.CardDealt, Zone: "bank", Card: cards(t, w.hands["bank"])[k], Face: "up"})
		default:
			down("bank")
		}
	}
}

// decide plays the round on from the deal to the showdown.
func (w show) decide(t testing.TB, s *stage, l layout, list []int) {
	reveal := func(zone string) {
		s.add(round.Event{Type: round.Reveal, Zone: zone, Cards: cards(t, w.hands[zone])})
	}
	street := func(from, to int) {
		if !strings.HasPrefix(w.game, "texas") {
			s.add(round.Event{Type: round.Burn, Count: 1})
		}
		for _, c := range cards(t, w.hands["board"])[from:to] {
			s.add(round.Event{Type: round.CardDealt, Zone: "board", Card: c, Face: "up"})
		}
	}
	var in []int
	if w.game == "texas_poker" {
		street(0, 3)
	}
	for _, n := range list {
		switch {
		case l.second == "":
			in = append(in, n)
		case slices.Contains(w.folds, n):
			s.add(round.Event{Type: round.Action, Seat: n, Action: "fold"})
			s.add(round.Event{Type: round.Collect, Seat: n, Spot: "ante", Amount: 1000})
		default:
			in = append(in, n)
			s.add(round.Event{Type: round.Action, Seat: n, Action: "play"})
			s.add(round.Event{Type: round.Bet, Seat: n, Spot: l.second, Amount: 1000 * l.times})
		}
	}
	switch w.game {
	case "poker_trijoker":
		reveal("comun_izq")
		reveal("comun_der")
	case "pai_gow_poker":
		w.arrange(t, s, list)
		return
	case "texas_poker":
		street(3, 5)
	case "poker_holdem_bonus", "poker_holdem_banca":
		street(0, 3)
		for k := 3; k < 5; k++ {
			for _, n := range in {
				s.add(round.Event{Type: round.Action, Seat: n, Action: "check"})
			}
			street(k, k+1)
		}
	}
	if l.bank > 0 {
		reveal("bank")
	}
	for _, n := range list {
		reveal(fmt.Sprintf("seat:%d", n))
	}
}

func (w show) arrange(t testing.TB, s *stage, list []int) {
	for _, n := range list {
		s.add(round.Event{Type: round.Action, Seat: n, Action: "set"})
	}
	zones := []string{"bank"}
	for _, n := range list {
		zones = append(zones, fmt.Sprintf("seat:%d", n))
	}
	for _, z := range zones {
		all := cards(t, w.hands[z])
		low := cards(t, w.lowHand[z])
		high := slices.DeleteFunc(slices.Clone(all), func(c card.Card) bool { return slices.Contains(low, c) })
		s.add(round.Event{Type: round.Reveal, Zone: z, Cards: all})
		s.add(round.Event{Type: round.Arrange, Zone: z, High: high, Low: low})
	}
}

// settle appends the calls of the showdown and the money that the verdict asks for.
func settle(t testing.TB, rec *round.Record) *round.Record {
	t.Helper()
	v := rounds.Verdict(t, rec)
	s := &stage{rec}
	if strings.HasPrefix(rec.Game, "poker_holdem") && !v.Void {
		for _, h := range v.Hands { // the bank sorts first
			var n int
			if h.Zone == "bank" {
				s.add(round.Event{Type: round.Announce, By: round.Croupier, Call: "bank_hand", Category: h.Category})
			} else if _, err := fmt.Sscanf(h.Zone, "seat:%d", &n); err == nil {
				s.add(round.Event{Type: round.Announce, By: round.Croupier, Call: "player_hand", Seat: n, Category: h.Category})
			}
		}
	}
	order := slices.Clone(v.Settlement)
	rank := map[string]int{"play": -2, "ante": -1, "bono_ante": 0, "ases": 1}
	slices.SortStableFunc(order, func(a, b round.Settlement) int {
		switch {
		case rec.Game == "poker_trijoker":
			return b.Seat - a.Seat
		case rec.Game == "poker_cuatro_cartas" && (a.Outcome == round.Lose) != (b.Outcome == round.Lose):
			return map[bool]int{true: -1, false: 1}[a.Outcome == round.Lose]
		case a.Seat != b.Seat:
			return a.Seat - b.Seat
		}
		return rank[a.Spot] - rank[b.Spot]
	})
	taken := game.Sums(rec, 0)
	for _, e := range order {
		if taken.Of(game.Place{Seat: e.Seat, Spot: e.Spot}).First() >= 0 {
			continue
		}
		if lost := e.Stake - e.Returns; lost > 0 && e.Outcome == round.Lose {
			s.add(round.Event{Type: round.Collect, Seat: e.Seat, Spot: e.Spot, Amount: lost})
		}
		if e.Pays > 0 {
			s.add(round.Event{Type: round.Pay, Seat: e.Seat, Spot: e.Spot, Amount: e.Pays})
		}
		if e.Commission > 0 {
			s.add(round.Event{Type: round.Commission, Seat: e.Seat, Spot: e.Spot, Amount: e.Commission})
		}
	}
	s.add(round.Event{Type: round.Clear})
	return rec
}

// codes are the codes of findings, sorted.
func codes(list []round.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, string(f.Code))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// paysOf writes a settlement as "seat spot outcome pays; ...".
func paysOf(v round.Verdict) string {
	var parts []string
	for _, e := range v.Settlement {
		parts = append(parts, fmt.Sprintf("%d %s %s %d", e.Seat, e.Spot, e.Outcome, e.Pays))
	}
	return strings.Join(parts, "; ")
}
