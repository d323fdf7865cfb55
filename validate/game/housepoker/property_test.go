package housepoker_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// words writes cards as round records do.
func words(list []card.Card) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = c.String()
	}
	return strings.Join(parts, " ")
}

// drawShow deals a round at random from one pack.
func drawShow(rt *rapid.T, norm, game string) show {
	l := layouts[game]
	n := 52
	if game == "pai_gow_poker" {
		n = 53
	}
	pack := make([]card.Card, n)
	for i := range pack {
		pack[i] = card.Card(i + 1)
	}
	pack = rapid.Permutation(pack).Draw(rt, "pack")
	const straight = "As Ks Qs Js Ts" // a bank that draws nothing; draws have tests of their own
	if game == "poker_con_descarte" {
		pack = slices.DeleteFunc(pack, func(c card.Card) bool { return strings.Contains(straight, c.String()) })
	}
	take := func(k int) string {
		var out []card.Card
		out, pack = pack[:k], pack[k:]
		return words(out)
	}
	w := show{norm: norm, game: game, hands: map[string]string{}, lowHand: map[string]string{},
		sides: map[string]money.Cents{}}
	players := rapid.SliceOfNDistinct(rapid.IntRange(1, 6), 1, 4, rapid.ID[int]).Draw(rt, "seats")
	for _, s := range players {
		w.hands[fmt.Sprintf("seat:%d", s)] = take(l.own)
		if rapid.Bool().Draw(rt, "fold") {
			w.folds = append(w.folds, s)
		}
	}
	if l.bank > 0 {
		w.hands["bank"] = take(l.bank)
	}
	if l.commons {
		w.hands["comun_izq"], w.hands["comun_der"] = take(1), take(1)
	}
	if l.board > 0 {
		w.hands["board"] = take(l.board)
	}
	if game == "poker_con_descarte" {
		w.hands["bank"] = straight
	}
	for zone, hand := range w.hands {
		if game == "pai_gow_poker" {
			all := strings.Fields(hand)
			w.lowHand[zone] = lowest(all)
		}
	}
	for spot, stake := range map[string]money.Cents{"seguro": 250, "fortuna": 700, "pareja_plus": 900, "ases": 600, "bonus": 300} {
		if has := sideSpots[norm+" "+game]; slices.Contains(has, spot) && rapid.Bool().Draw(rt, spot) {
			w.sides[spot] = stake
		}
	}
	return w
}

// lowest are two unpaired cards that never outrank the other five: the lowest
// of different ranks, or the two lowest cards.
func lowest(all []string) string {
	rank := func(s string) int { return strings.Index("23456789TJQKAJk", s[:1]) }
	list := slices.Clone(all)
	list = slices.DeleteFunc(list, func(s string) bool { return s == "Jk" })
	slices.SortFunc(list, func(a, b string) int { return rank(a) - rank(b) })
	for _, c := range list[1:] {
		if c[0] != list[0][0] {
			return list[0] + " " + c
		}
	}
	return list[0] + " " + list[1]
}

var sideSpots = map[string][]string{
	bal + " poker_sin_descarte": {"seguro"}, and + " poker_sin_descarte": {"seguro"}, can + " poker_sin_descarte": {"seguro"}, cyl + " poker_sin_descarte": {"seguro"},
	and + " tripoker": {"fortuna"}, can + " tripoker": {"pareja_plus"}, cyl + " tripoker": {"pareja_plus"},
	can + " poker_holdem_bonus": {"bonus"}, cyl + " poker_holdem_bonus": {"bonus"}, cyl + " poker_cuatro_cartas": {"ases"},
}

// eachGame runs a test for every game of every norm.
func eachGame(t *testing.T, test func(t *testing.T, norm, game string)) {
	for _, norm := range []string{bal, and, can, cyl} {
		for _, game := range offered[norm] {
			t.Run(norm+" "+game, func(t *testing.T) { test(t, norm, game) })
		}
	}
}

// TestSettledAsDueHasNoFindings: a round that is dealt by the rules and settled
// as the verdict says raises nothing, and its verdict is the same each time.
func TestSettledAsDueHasNoFindings(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rapid.Check(t, func(rt *rapid.T) {
			rec := settle(t, drawShow(rt, norm, game).play(t))
			v := rounds.Verdict(t, rec)
			if len(v.Findings) > 0 || v.Void {
				rt.Fatalf("void %v: %s", v.Void, rounds.Full(v.Findings))
			}
			rounds.Same(rt, rec)
			for _, e := range v.Settlement {
				if e.Pays < 0 || e.Returns < 0 || e.Returns > e.Stake || e.Commission > e.Pays || e.Outcome == round.Unknown {
					rt.Fatalf("%+v", e)
				}
			}
		})
	})
}

// TestSuitsAreEqual: suits exchanged, the same money.
func TestSuitsAreEqual(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rapid.Check(t, func(rt *rapid.T) {
			w := drawShow(rt, norm, game)
			before := paysOf(rounds.Verdict(t, w.play(t)))
			turn := strings.NewReplacer("s", "h", "h", "d", "d", "c", "c", "s")
			for _, m := range []map[string]string{w.hands, w.lowHand} {
				for z, h := range m {
					m[z] = turn.Replace(h)
				}
			}
			if after := paysOf(rounds.Verdict(t, w.play(t))); before != after {
				rt.Fatalf("%s\n%s", before, after)
			}
		})
	})
}

// TestMutations: one fault in a clean round is found, at its place.
func TestMutations(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rapid.Check(t, func(rt *rapid.T) {
			w := drawShow(rt, norm, game)
			clean := settle(t, w.play(t))
			i := rapid.IntRange(0, len(clean.Events)-1).Draw(rt, "event")
			rec := *clean
			rec.Events = slices.Clone(clean.Events)
			e := &rec.Events[i]
			want := ""
			switch e.Type {
			case round.Pay:
				e.Amount++
				want = "payout_over"
				if game == "tripoker" || game == "poker_cuatro_cartas" {
					want = "payout" // one cent more on the ante may read as part of the automatic prize
				}
			case round.Collect:
				e.Amount--
				want = "loser_not_collected"
				if e.Amount == 0 {
					return
				}
			case round.CardDealt:
				if e.Face == "up" {
					e.Face = "down"
				} else {
					e.Face, e.Card = "up", card.Unseen
				}
				want = "face_wrong"
			case round.Announce:
				switch e.Call {
				case "no_va_mas":
					*e = round.Event{T: e.T, Type: round.Announce, By: round.Croupier, Call: "hagan_juego"}
					want = "announcement_missing"
				case "suma_dados":
					e.Number = "17"
					want = "announcement_wrong"
				case "bank_hand", "player_hand":
					e.Category = "cinco_ases"
					want = "announcement_wrong"
				}
			case round.Reveal:
				e.Cards = append(slices.Clone(e.Cards), card.Unseen)
				want = "card_count_wrong"
			case round.Burn:
				e.Count++
				want = "burn_wrong"
			case round.Commission:
				e.Amount++
				want = "commission_wrong"
			}
			v := rounds.Verdict(t, &rec)
			if silent := want == "announcement_missing" && (game == "poker_cuatro_cartas" || game == "tripoker" && norm != and); silent {
				want = ""
			}
			if want != "" && !strings.Contains(rounds.Full(v.Findings), want) {
				rt.Fatalf("event %d %s: want %s, got %s", i, e.Type, want, rounds.Full(v.Findings))
			}
		})
	})
}

// FuzzRecord: no events, however odd, make the engine panic or leave its books.
func FuzzRecord(f *testing.F) {
	rounds.Seeds(f, 60, 300)
	f.Fuzz(func(t *testing.T, data []byte) { rounds.Sound(t, arbitrary(data)) })
}

// arbitrary makes a record of events that know no rule from bytes.
func arbitrary(data []byte) *round.Record {
	tape := rounds.Tape{Data: data}
	n, of := tape.N, tape.Of
	norm := []string{bal, and, can, cyl, cyl}[n(5)]
	game := offered[norm][n(len(offered[norm]))]
	rec := &round.Record{Schema: round.Schema, ID: "fuzz", Norm: norm, Game: game, Table: round.Table{ID: "F", Min: 500, Max: 9000}}
	one := func() card.Card { return card.Card(n(58)) }
	some := func(most int) []card.Card {
		var list []card.Card
		for range n(most + 1) {
			list = append(list, one())
		}
		return list
	}
	l := layouts[game]
	zones := []string{"seat:1", "seat:2", "seat:3", "discard"}
	switch {
	case l.commons:
		zones = append(zones, "comun_izq", "comun_der")
	case l.board > 0:
		zones = append(zones, "bank", "board", "board")
	default:
		zones = append(zones, "bank")
	}
	spots := append(slices.Clone(l.base), sideSpots[norm+" "+game]...)
	if l.second != "" {
		spots = append(spots, l.second)
	}
	if strings.HasPrefix(game, "poker_holdem") {
		spots = append(spots, "turn", "river", "bonus")
	}
	money := func(kind round.Type) round.Event {
		return round.Event{Type: kind, Seat: 1 + n(9), Spot: of(spots...), Amount: 1 + 100*money.Cents(n(90))}
	}
	for len(tape.Data) > 0 && len(rec.Events) < 90 {
		var e round.Event
		switch n(16) {
		case 0, 1, 2:
			e = money(round.Bet)
		case 3:
			e = money([]round.Type{round.Withdraw, round.Collect, round.Return, round.Commission}[n(4)])
		case 4:
			e = money(round.Pay)
		case 5, 6:
			e = round.Event{Type: round.Action, Seat: n(4), Zone: of("", zones[0]), Discard: some(3), Amount: 500,
				Action: of("play", "fold", "bet", "check", "buy_card", "draw", "set", "blind", "stand", "hit")}
		case 7:
			e = round.Event{Type: round.Reveal, Zone: of(zones...), Cards: some(7)}
		case 8:
			e = round.Event{Type: round.Announce, By: round.Croupier, Seat: n(4), Number: "7", Category: "pareja",
				Call: of("no_va_mas", "suma_dados", "bank_hand", "player_hand", "jugada_anulada", "texas_bonus")}
		case 9:
			e = round.Event{Type: round.Incident, Zone: of(zones...), Card: one(), Count: n(3), Seat: n(4), Seats: []int{1, 2},
				Kind: of("card_exposed", "card_faceup_in_shoe", "card_drawn_unseen", "cards_touch", "player_disclosure", "card_missing")}
		case 10:
			e = round.Event{Type: []round.Type{round.Clear, round.Shuffle, round.Burn, round.Dice}[n(4)], Count: n(40),
				Faces: []int{1, n(7), n(7)}}
		case 11:
			e = round.Event{Type: round.Arrange, Zone: of(zones...), High: some(6), Low: some(3)}
		default:
			e = round.Event{Type: round.CardDealt, Zone: of(zones...), Card: one(), Face: of("down", "up")}
		}
		e.T = float64(len(rec.Events))
		rec.Events = append(rec.Events, e)
	}
	return rec
}

// fullTable is a round with every seat taken, dealt down the pack from a bank
// that stands, and settled as due.
func fullTable(t testing.TB, norm, game string) *round.Record {
	l := layouts[game]
	var pack []card.Card
	for c := card.Card(1); c <= 52; c++ {
		pack = append(pack, card.Card(int(c)*23%53)) // every card once
	}
	w := show{norm: norm, game: game, hands: map[string]string{}, lowHand: map[string]string{}}
	deal := func(zone string, n int, cards string) {
		if n == 0 {
			return
		}
		if cards == "" {
			cards, pack = words(pack[:n]), pack[n:]
		}
		w.hands[zone] = cards
		if game == "pai_gow_poker" {
			w.lowHand[zone] = lowest(strings.Fields(cards))
		}
	}
	if game == "poker_con_descarte" {
		const straight = "As Kd Qs Js Ts"
		pack = slices.DeleteFunc(pack, func(c card.Card) bool { return strings.Contains(straight, c.String()) })
		deal("bank", 5, straight)
	}
	if l.commons {
		deal("comun_izq", 1, "")
		deal("comun_der", 1, "")
	}
	deal("board", l.board, "")
	if game != "poker_con_descarte" {
		deal("bank", l.bank, "")
	}
	for n := range rounds.Rules[*housepoker.Rules](t, norm, game).Seats {
		deal(fmt.Sprintf("seat:%d", n+1), l.own, "")
	}
	w.sides = map[string]money.Cents{}
	for _, spot := range sideSpots[norm+" "+game] {
		w.sides[spot] = 250
		if rounds.Rules[*housepoker.Rules](t, norm, game).Spots[spot].Base {
			w.sides[spot] = 600
		}
	}
	if game == "poker_con_descarte" {
		w.sides["jackpot"] = 200
	}
	return settle(t, w.play(t))
}

// TestFullTables: every seat taken and everything settled as due raises nothing.
func TestFullTables(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		if v := rounds.Cited(t, fullTable(t, norm, game)); len(v.Findings) > 0 || v.Void {
			t.Errorf("void %v: %s", v.Void, rounds.Full(v.Findings))
		}
	})
}

// TestOnePaymentChanged: one payment changed at a full table is exactly one
// finding, with that difference; and what was laid is what was taken and what stays.
func TestOnePaymentChanged(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rec := fullTable(t, norm, game)
		rounds.OnePaymentChanged(t, rec, 1, -1, 50)
		var laid, taken, stays money.Cents
		for i := range rec.Events {
			e := &rec.Events[i]
			switch e.Type {
			case round.Bet:
				laid += e.Amount
			case round.Collect:
				taken += e.Amount
			}
		}
		for _, l := range rounds.Verdict(t, rec).Settlement {
			if l.Outcome == round.Unknown {
				stays += l.Stake
			}
			stays += l.Returns
		}
		if laid != taken+stays {
			t.Errorf("%d laid, %d taken, %d stay", laid, taken, stays)
		}
	})
}

// TestSeatsExchanged: two players who change places change what they win.
func TestSeatsExchanged(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rapid.Check(t, func(rt *rapid.T) {
			w := drawShow(rt, norm, game)
			list := seats(w.hands)
			a, b := list[0], list[len(list)-1]
			there := func(n int) int {
				switch n {
				case a:
					return b
				case b:
					return a
				}
				return n
			}
			won := func(at func(int) int) map[string]round.Settlement {
				out := map[string]round.Settlement{}
				for _, l := range rounds.Verdict(t, w.play(t)).Settlement {
					l.Seat = at(l.Seat)
					out[fmt.Sprint(l.Seat, " ", l.Spot)] = l
				}
				return out
			}
			before := won(func(n int) int { return n })
			za, zb := fmt.Sprint("seat:", a), fmt.Sprint("seat:", b)
			w.hands[za], w.hands[zb] = w.hands[zb], w.hands[za]
			if game == "pai_gow_poker" {
				w.lowHand[za], w.lowHand[zb] = w.lowHand[zb], w.lowHand[za]
			}
			for i, n := range w.folds {
				w.folds[i] = there(n)
			}
			if after := won(there); !maps.Equal(before, after) {
				rt.Fatalf("%v\n%v", before, after)
			}
		})
	})
}

// BenchmarkCheck is the time of one verdict of a full table of each game.
func BenchmarkCheck(b *testing.B) {
	for _, game := range offered[cyl] {
		b.Run(game, func(b *testing.B) {
			rec := fullTable(b, cyl, game)
			if v := rounds.Verdict(b, rec); len(v.Findings) > 0 {
				b.Fatal(rounds.Full(v.Findings))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := validate.Check(books.Shipped(b), rec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(rec.Events)), "events")
		})
	}
}
