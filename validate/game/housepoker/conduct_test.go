package housepoker_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/round"
)

// where is the index of the first event that fits; a test fails without one.
func where(t testing.TB, rec *round.Record, fits func(e *round.Event) bool) int {
	t.Helper()
	for i := range rec.Events {
		if fits(&rec.Events[i]) {
			return i
		}
	}
	t.Fatal("no such event")
	return 0
}

func is(kind round.Type, zone string) func(e *round.Event) bool {
	return func(e *round.Event) bool { return e.Type == kind && e.Zone == zone }
}

// put inserts events at an index.
func put(rec *round.Record, at int, events ...round.Event) {
	rec.Events = slices.Insert(rec.Events, at, events...)
	rounds.Retime(rec)
}

func bet(seat int, spot string, amount money.Cents) round.Event {
	return round.Event{Type: round.Bet, Seat: seat, Spot: spot, Amount: amount}
}

func act(seat int, word string) round.Event {
	return round.Event{Type: round.Action, Seat: seat, Action: word}
}

// TestConduct: one thing done against the rules in a clean round that nobody settled.
func TestConduct(t *testing.T) {
	type rec = *round.Record
	decision := func(r rec, seat int) int {
		return where(t, r, func(e *round.Event) bool { return e.Type == round.Action && e.Seat == seat })
	}
	stake := func(r rec, seat int, spot string) *round.Event {
		return &r.Events[where(t, r, func(e *round.Event) bool {
			return e.Type == round.Bet && e.Seat == seat && e.Spot == spot
		})]
	}
	call := func(r rec) int { return where(t, r, func(e *round.Event) bool { return e.Call == "no_va_mas" }) }
	take := func(seat int, spot string) round.Event {
		return round.Event{Type: round.Withdraw, Seat: seat, Spot: spot, Amount: 1000}
	}
	for _, c := range []struct {
		name, norm, game string
		spoil            func(r rec)
		want             string // codes with seat and spot; "" none
	}{
		{"nothing", can, "poker_sin_descarte", func(rec) {}, ""},
		{"late ante", can, "poker_sin_descarte", func(r rec) { put(r, call(r)+1, bet(3, "ante", 700)) }, "late_bet 3 ante 0/700"},
		{"side bet alone", can, "poker_sin_descarte", func(r rec) { put(r, 0, bet(3, "seguro", 100)) }, "bet_not_allowed 3 seguro 0/100"},
		{"seat that is not there", can, "poker_sin_descarte", func(r rec) { put(r, 0, bet(8, "ante", 700)) }, "bet_not_allowed 8 ante 0/700"},
		{"below the minimum", can, "poker_trijoker", func(r rec) {
			for _, s := range []string{"apuesta_1", "apuesta_2", "apuesta_3"} {
				stake(r, 2, s).Amount = 400
			}
		}, "bet_below_min 2 apuesta_1 500/400; bet_below_min 2 apuesta_2 500/400; bet_below_min 2 apuesta_3 500/400"},
		{"seguro over half the minimum", bal, "poker_sin_descarte", func(r rec) { put(r, 0, bet(2, "seguro", 251)) }, "side_bet_limit 2 seguro 250/251"},
		{"progresivo is free in Andalucía", and, "poker_sin_descarte", func(r rec) { put(r, 0, bet(2, "progresivo", 300)) }, ""},
		{"and not in Cantabria", can, "poker_sin_descarte", func(r rec) { put(r, 0, bet(2, "progresivo", 300)) }, "side_bet_limit 2 progresivo 250/300"},
		{"second thrice the ante", and, "poker_sin_descarte", func(r rec) { stake(r, 2, "second").Amount = 3000 }, "raise_wrong 2 second 2000/3000"},
		{"play without chips", cyl, "poker_cuatro_cartas", func(r rec) {
			i := where(t, r, func(e *round.Event) bool { return e.Spot == "play" && e.Seat == 2 })
			r.Events = slices.Delete(r.Events, i, i+1)
		}, "raise_wrong 2 play 1000/0"},
		{"play four times", cyl, "poker_cuatro_cartas", func(r rec) { stake(r, 2, "play").Amount = 4000 }, "raise_wrong 2 play 3000/4000"},
		{"play half", cyl, "poker_cuatro_cartas", func(r rec) { stake(r, 2, "play").Amount = 500 }, "raise_wrong 2 play 1000/500"},
		{"second before the deal", and, "tripoker", func(r rec) { put(r, call(r), bet(2, "second", 300)) }, "bet_not_allowed 2 second 0/300"},
		{"second after the bank", and, "tripoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "bank"))+1, bet(2, "second", 300)) }, "late_bet 2 second 0/300"},
		{"chips on an automatic prize", and, "tripoker", func(r rec) { put(r, 0, bet(2, "extra_ante", 300)) }, "bet_not_allowed 2 extra_ante 0/300"},
		{"plays twice", and, "tripoker", func(r rec) { put(r, decision(r, 2), act(2, "play")) }, "player_action_not_allowed 2"},
		{"nobody's decision", and, "tripoker", func(r rec) { put(r, decision(r, 2), act(4, "fold")) }, "player_action_not_allowed 4"},
		{"a seat's illegal decisions are raised once (§9)", and, "tripoker", func(r rec) { put(r, decision(r, 2), act(4, "fold"), act(4, "play"), act(4, "hit")) }, "player_action_not_allowed 4"},
		{"a word of another game", and, "tripoker", func(r rec) { put(r, decision(r, 2), act(2, "hit")) }, "player_action_not_allowed 2"},
		{"bank before a decision", and, "tripoker", func(r rec) {
			i := where(t, r, is(round.Reveal, "bank"))
			e := r.Events[i]
			r.Events = slices.Delete(r.Events, i, i+1)
			put(r, decision(r, 5), e)
		}, "other_procedure; late_bet 5 second 0/1000"},
		{"blind in Balears", bal, "poker_sin_descarte", func(r rec) { put(r, 1, act(2, "blind")) }, "player_action_not_allowed 2"},
		{"blind in Castilla y León wants its second first", cyl, "poker_sin_descarte", func(r rec) { put(r, 1, act(2, "blind")) }, "raise_wrong 2 second 2000/0; late_bet 2 second 0/2000"},
		{"card bought", cyl, "poker_sin_descarte", func(r rec) {
			buy := act(2, "buy_card")
			buy.Amount, buy.Discard = 1000, []card.Card{card.Unseen}
			put(r, decision(r, 2), buy, round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"})
		}, ""},
		{"card bought too dear", cyl, "poker_sin_descarte", func(r rec) {
			buy := act(2, "buy_card")
			buy.Amount, buy.Discard = 1200, []card.Card{card.Unseen}
			put(r, decision(r, 2), buy, round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"})
		}, "raise_wrong 2 ante 1000/1200"},
		{"first bet taken back in time", bal, "poker_trijoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "comun_izq")), take(2, "apuesta_1")) }, ""},
		{"too late", bal, "poker_trijoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "comun_izq"))+1, take(2, "apuesta_1")) }, "late_withdrawal 2 apuesta_1 0/1000"},
		{"second bet taken back in time", bal, "poker_trijoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "comun_der")), take(2, "apuesta_2")) }, ""},
		{"too early", bal, "poker_trijoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "comun_izq")), take(2, "apuesta_2")) }, "player_action_not_allowed 2 apuesta_2"},
		{"third bet in two parts (§9)", bal, "poker_trijoker", func(r rec) {
			half := take(2, "apuesta_3")
			half.Amount = 500
			put(r, where(t, r, is(round.Reveal, "comun_der")), half, half)
		}, "late_withdrawal 2 apuesta_3 0/1000"},
		{"third bet", bal, "poker_trijoker", func(r rec) { put(r, where(t, r, is(round.Reveal, "comun_der")), take(2, "apuesta_3")) }, "late_withdrawal 2 apuesta_3 0/1000"},
		{"right common card first", bal, "poker_trijoker", func(r rec) {
			a, b := where(t, r, is(round.Reveal, "comun_izq")), where(t, r, is(round.Reveal, "comun_der"))
			r.Events[a], r.Events[b] = r.Events[b], r.Events[a]
			rounds.Retime(r)
		}, "other_procedure"},
		{"turn bet without flop", can, "poker_holdem_banca", func(r rec) {
			put(r, where(t, r, func(e *round.Event) bool { return e.Action == "check" }), bet(4, "turn", 500))
		}, "bet_not_allowed 4 turn 0/500"},
		{"river bet twice the ante", can, "poker_holdem_banca", func(r rec) {
			i := where(t, r, is(round.Reveal, "bank"))
			put(r, i-2, bet(2, "river", 2000))
		}, "raise_wrong 2 river 1000/2000"},
		{"turn card before the checks", can, "poker_holdem_banca", func(r rec) {
			i := where(t, r, func(e *round.Event) bool { return e.Action == "check" })
			r.Events = slices.Delete(r.Events, i, i+1)
			rounds.Retime(r)
		}, "other_procedure"},
		{"burnt card seen", can, "poker_holdem_banca", func(r rec) {
			r.Events[where(t, r, func(e *round.Event) bool { return e.Type == round.Burn })].Card = cards(t, "Kd")[0]
		}, "burn_wrong 1/1"},
		{"no burns at all are raised once (§9)", can, "poker_holdem_banca", func(r rec) {
			r.Events = slices.DeleteFunc(r.Events, func(e round.Event) bool { return e.Type == round.Burn })
		}, "burn_wrong 1/0"},
		{"hand said for a seat that has none (A.14.6)", can, "poker_holdem_banca", func(r rec) {
			put(r, where(t, r, is(round.Reveal, "bank"))+1, round.Event{Type: round.Announce, By: "croupier", Call: "player_hand", Seat: 7, Category: "trio"})
		}, ""},
		{"two cards face up in the pack annul the hand and are nothing else (R-23)", can, "poker_holdem_banca", func(r rec) {
			first := where(t, r, is(round.CardDealt, "board"))
			put(r, first, round.Event{Type: round.Incident, Kind: "card_faceup_in_shoe", Count: 2, Card: r.Events[first].Card})
		}, ""},
		{"one that is used", can, "poker_holdem_banca", func(r rec) {
			first := where(t, r, is(round.CardDealt, "board"))
			put(r, first, round.Event{Type: round.Incident, Kind: "card_faceup_in_shoe", Count: 1, Card: r.Events[first].Card})
		}, "irregularity_ignored"},
		{"hands set down twice (A.14.3)", can, "pai_gow_poker", func(r rec) {
			i := where(t, r, func(e *round.Event) bool { return e.Action == "set" })
			put(r, i, r.Events[i])
		}, ""},
		{"bank's cards before the river", cyl, "poker_holdem_banca", func(r rec) {
			i := where(t, r, is(round.Reveal, "bank"))
			e := r.Events[i]
			put(r, i-1, e)
		}, "other_procedure"},
		{"texas second after the turn", cyl, "texas_poker", func(r rec) { put(r, where(t, r, is(round.Reveal, "bank")), bet(2, "second", 300)) }, "late_bet 2 second 0/300"},
		{"draw of three", cyl, "poker_con_descarte", func(r rec) {
			draw := act(2, "draw")
			draw.Discard = make([]card.Card, 3)
			down := round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"}
			put(r, where(t, r, is(round.Reveal, "bank")), draw, down, down, down)
		}, "player_action_not_allowed 2"},
		{"a draw before the decision has no effect (art. 48)", cyl, "poker_con_descarte", func(r rec) {
			put(r, decision(r, 2), act(2, "draw"))
		}, "player_action_not_allowed 2"},
		{"the bank draws once (art. 50.3)", cyl, "poker_con_descarte", func(r rec) {
			stand := round.Event{Type: round.Action, Zone: "bank", Action: "stand"}
			put(r, where(t, r, is(round.Reveal, "bank"))+1, stand, stand)
		}, "player_action_not_allowed"},
		{"payment less commission on no bet of an annulled round (§9)", can, "poker_holdem_banca", func(r rec) {
			put(r, where(t, r, is(round.CardDealt, "board")), round.Event{Type: round.Incident, Kind: "card_faceup_in_shoe", Count: 2})
			put(r, len(r.Events), round.Event{Type: round.Pay, Seat: 7, Spot: "ante", Amount: 500},
				round.Event{Type: round.Commission, Seat: 7, Spot: "ante", Amount: 50})
		}, "void_round_settled 7 ante 0/450"},
		{"one card served for two", cyl, "poker_con_descarte", func(r rec) {
			draw := act(2, "draw")
			draw.Discard = make([]card.Card, 2)
			put(r, where(t, r, is(round.Reveal, "bank")), draw, round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"})
		}, "card_count_wrong 2 2/1"},
		{"wrong sum of the dice", and, "pai_gow_poker", func(r rec) {
			r.Events[where(t, r, func(e *round.Event) bool { return e.Call == "suma_dados" })].Number = "9"
		}, "announcement_wrong 8/9"},
		{"dealt from another start", and, "pai_gow_poker", func(r rec) {
			r.Events[where(t, r, func(e *round.Event) bool { return e.Type == round.Dice })].Faces = []int{4, 3, 2}
			r.Events[where(t, r, func(e *round.Event) bool { return e.Call == "suma_dados" })].Number = "9"
		}, "deal_order_wrong seat:2/bank"},
		{"croupier's hand before a player's", can, "pai_gow_poker", func(r rec) {
			i := where(t, r, func(e *round.Event) bool { return e.Action == "set" })
			r.Events = slices.Delete(r.Events, i, i+1)
			rounds.Retime(r)
		}, "other_procedure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := clean(t, c.norm, c.game)
			c.spoil(r)
			rounds.Retime(r)
			got := rounds.Brief(rounds.Cited(t, r).Findings, rounds.Seat, rounds.Spot, rounds.Amounts)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAnnulledWithoutCause: the call is the finding, and the money is not judged.
func TestAnnulledWithoutCause(t *testing.T) {
	rec := clean(t, can, "poker_sin_descarte")
	put(rec, len(rec.Events), round.Event{Type: round.Announce, By: round.Croupier, Call: "jugada_anulada"},
		round.Event{Type: round.Clear})
	v := rounds.Cited(t, rec)
	if got := codes(v.Findings); got != "irregularity_ignored" || v.Void {
		t.Errorf("void %v: %s", v.Void, got)
	}
	if strings.Contains(paysOf(v), "void") {
		t.Error(paysOf(v))
	}
}

// TestOutOfTheGame: who discloses his cards, or touches another's, loses.
func TestOutOfTheGame(t *testing.T) {
	for _, c := range []struct {
		norm, game, kind string
		lose             bool
	}{
		{bal, "poker_sin_descarte", "player_disclosure", true}, {bal, "poker_trijoker", "player_disclosure", true},
		{can, "poker_trijoker", "player_disclosure", false}, {and, "tripoker", "player_disclosure", true},
		{can, "tripoker", "player_disclosure", false}, {cyl, "poker_con_descarte", "player_disclosure", false},
		{cyl, "texas_poker", "cards_touch", true}, {can, "poker_holdem_banca", "cards_touch", false},
	} {
		t.Run(c.norm+" "+c.game, func(t *testing.T) {
			rec := clean(t, c.norm, c.game)
			before := paysOf(rounds.Cited(t, rec))
			last := where(t, rec, func(e *round.Event) bool { return e.Type == round.Reveal })
			put(rec, last, round.Event{Type: round.Incident, Kind: c.kind, Seat: 2, Seats: []int{2, 5}})
			after := paysOf(rounds.Cited(t, rec))
			lost := !strings.Contains(strings.Join(seatOnly(after, "2 "), ";"), "win") &&
				!strings.Contains(strings.Join(seatOnly(after, "2 "), ";"), "push")
			if c.lose && !lost || !c.lose && before != after {
				t.Errorf("%s\n%s", before, after)
			}
		})
	}
}

// TestTouchInEitherForm: zone and with, or seats, mean the same, and what cannot
// be read whole is refused whole (art. 59.3 L978).
func TestTouchInEitherForm(t *testing.T) {
	touched := func(e round.Event) (round.Verdict, error) {
		rec := clean(t, cyl, "texas_poker")
		e.Type, e.Kind = round.Incident, "cards_touch"
		put(rec, where(t, rec, func(e *round.Event) bool { return e.Type == round.Reveal }), e)
		return validate.Check(books.Shipped(t), rec)
	}
	want := "2 ante lose 0; 2 second lose 0; 5 ante lose 0; 5 second lose 0"
	for name, e := range map[string]round.Event{
		"all named": {Seats: []int{2, 5}}, "the other named": {Zone: "seat:2", With: []int{5}}, "from the other side": {Zone: "seat:5", With: []int{2}},
	} {
		v, err := touched(e)
		if err != nil || paysOf(v) != want {
			t.Errorf("%s: %s %v", name, paysOf(v), err)
		}
	}
	for name, c := range map[string]struct {
		e    round.Event
		path string
	}{
		"one hand":              {round.Event{Zone: "seat:2"}, "with"},
		"none":                  {round.Event{}, "with"},
		"one of the seats":      {round.Event{Seats: []int{2}}, "seats"},
		"itself":                {round.Event{Zone: "seat:2", With: []int{2}}, "with"},
		"no seat of the table":  {round.Event{Seats: []int{2, 10}}, "seats"},
		"nor the other":         {round.Event{Zone: "seat:2", With: []int{99}}, "with"},
		"the bank's hand":       {round.Event{Zone: "bank", With: []int{2, 5}}, "zone"},
		"no zone of the game":   {round.Event{Zone: "seat:two", With: []int{5}}, "zone"},
		"a card that has no no": {round.Event{Seats: []int{2, 5}, CardNo: 1}, "card_no"},
	} {
		_, err := touched(c.e)
		var bad *round.Error
		if !errors.As(err, &bad) || !strings.HasSuffix(bad.Path, "]."+c.path) {
			t.Errorf("%s: %v, want an error at %s", name, err, c.path)
		}
	}
}

// TestBonusSettledBeforeTheTouch: a bet that was settled before its player was
// out stays settled.
func TestBonusSettledBeforeTheTouch(t *testing.T) {
	w := show{norm: cyl, game: "texas_poker", sides: map[string]money.Cents{"txb": 200},
		hands: map[string]string{"seat:2": "As Ac", "seat:5": "Kd Qc", "bank": "4c 4d", "board": "8s 9h Js 5h 2d"}}
	rec := w.play(t)
	turn := 0
	for i, e := range rec.Events {
		if e.Zone == "board" {
			turn = i - 1 // before the last but one board card in the end
		}
	}
	put(rec, turn, round.Event{Type: round.Pay, Seat: 2, Spot: "txb", Amount: 1400},
		round.Event{Type: round.Incident, Kind: "cards_touch", Seats: []int{2, 5}})
	if got, want := paysOf(rounds.Cited(t, rec)), "2 ante lose 0; 2 second lose 0; 2 txb win 1400; 5 ante lose 0; 5 second lose 0; 5 txb lose 0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPrizeOfAnUnseenHand: an automatic prize that nobody can check is not judged.
func TestPrizeOfAnUnseenHand(t *testing.T) {
	rec := clean(t, can, "tripoker")
	i := where(t, rec, is(round.Reveal, "seat:2"))
	rec.Events = slices.Delete(rec.Events, i, i+1)
	put(rec, len(rec.Events), round.Event{Type: round.Pay, Seat: 2, Spot: "bonus", Amount: 1000})
	if got := codes(rounds.Cited(t, rec).Findings); strings.Contains(got, "payout_to_loser") {
		t.Error(got)
	}
}

// TestPrizePaidOnTheAnte: the automatic prize of a beaten straight, laid beside
// the ante that is taken, is paid all the same (cantabria-2010 A.14.4 VII).
func TestPrizePaidOnTheAnte(t *testing.T) {
	w := show{norm: can, game: "tripoker", hands: map[string]string{"seat:1": "2h 3d 4c", "bank": "6s 7s 8s"}}
	rec := settle(t, w.play(t))
	i := where(t, rec, func(e *round.Event) bool { return e.Type == round.Pay && e.Spot == "bonus" })
	rec.Events[i].Spot = "ante"
	if got := rounds.Full(rounds.Cited(t, rec).Findings); got != "" {
		t.Errorf("found %s", got)
	}
	rec.Events[i].Amount++
	if got := rounds.Full(rounds.Cited(t, rec).Findings); !strings.Contains(got, "payout_to_loser 1 ante") || !strings.Contains(got, "payout_missing 1 bonus") {
		t.Errorf("another amount: found %s", got)
	}
}

func seatOnly(s, prefix string) []string {
	return slices.DeleteFunc(strings.Split(s, "; "), func(x string) bool { return !strings.HasPrefix(x, prefix) })
}

// TestMalformed: what the game does not know is an error with its place.
func TestMalformed(t *testing.T) {
	for _, c := range []struct {
		name, norm, game, path string
		spoil                  func(r *round.Record)
	}{
		{"zone", can, "poker_sin_descarte", "events[0].zone", func(r *round.Record) { put(r, 0, round.Event{Type: round.CardDealt, Zone: "board", Face: "up"}) }},
		{"board without interconnection", and, "tripoker", "events[0].zone", func(r *round.Record) { put(r, 0, round.Event{Type: round.CardDealt, Zone: "board", Face: "up"}) }},
		{"spot", can, "poker_sin_descarte", "events[0].spot", func(r *round.Record) { put(r, 0, bet(1, "txb", 5)) }},
		{"call", can, "poker_sin_descarte", "events[0].call", func(r *round.Record) {
			put(r, 0, round.Event{Type: round.Announce, By: round.Croupier, Call: "abate"})
		}},
		{"action", can, "poker_sin_descarte", "events[0].action", func(r *round.Record) { put(r, 0, act(1, "leave")) }},
		{"option", can, "poker_sin_descarte", "table.options.upcrad", func(r *round.Record) { r.Table.Options = round.Options{"upcrad": []byte(`"any"`)} }},
		{"option's value", cyl, "texas_poker", "table.options.second_multiple", func(r *round.Record) { r.Table.Options = round.Options{"second_multiple": []byte("3")} }},
		{"banker", can, "pai_gow_poker", "carry.bank", func(r *round.Record) { r.Carry = []byte(`{"bank":9}`) }},
		{"deduction from nobody", can, "pai_gow_poker", "events[0].seat", func(r *round.Record) {
			put(r, 0, round.Event{Type: round.Commission, Zone: "bank", Spot: "apuesta", Amount: 25})
		}},
		{"withdrawal from nothing", can, "poker_sin_descarte", "events[0].amount", func(r *round.Record) {
			put(r, 0, round.Event{Type: round.Withdraw, Seat: 3, Spot: "ante", Amount: 100})
		}},
		{"withdrawal of more than lies there", bal, "poker_trijoker", "events[7].amount", func(r *round.Record) {
			put(r, 7, round.Event{Type: round.Withdraw, Seat: 2, Spot: "apuesta_1", Amount: 1001})
		}},
		{"meter", can, "poker_sin_descarte", "carry.progresivo_meter", func(r *round.Record) { r.Carry = []byte(`{"progresivo_meter":-1}`) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := clean(t, c.norm, c.game)
			c.spoil(rec)
			rounds.Refused(t, rec, c.path)
		})
	}
}
