package blackjack_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// played is a round of one box up to its score.
const played = `{"t":0,"type":"bet","seat":1,"spot":"main","amount":1000},` +
	`{"t":1,"type":"card","zone":"seat:1","card":"Ts","face":"up"},{"t":2,"type":"card","zone":"bank","card":"9d","face":"up"},`

// TestRefused: a spot or a zone that the game does not have makes the record
// malformed, whatever event names it (point cards, 0.2).
func TestRefused(t *testing.T) {
	for _, c := range []struct{ event, field string }{
		{`{"t":3,"type":"move","seat":1,"from":"main","to":"rojo","amount":1000}`, "to"},
		{`{"t":3,"type":"move","seat":1,"from":"rojo","to":"main","amount":1000}`, "from"},
		{`{"t":3,"type":"action","seat":1,"action":"stand","zone":"punto"}`, "zone"},
		{`{"t":3,"type":"commission","zone":"punto","spot":"main","amount":50}`, "zone"},
		{`{"t":3,"type":"commission","seat":1,"amount":50}`, "spot"}, // it deducts from nothing
		{`{"t":3,"type":"commission","zone":"bank","spot":"main","amount":50}`, "seat"},
	} {
		rounds.Refused(t, rounds.Of(t, "nacional-1979", "blackjack", `{"id":"B"}`, played+c.event), "events[3]."+c.field)
	}
	for _, spot := range []string{"main:+1", "main:01", "main:0", "main:-1", "main:", "main:10000", "split:1", "split:02", "double:1", "double:+2"} {
		rounds.Refused(t, rounds.Of(t, "nacional-1979", "blackjack", `{"id":"B"}`,
			played+`{"t":3,"type":"bet","seat":2,"amount":1000,"spot":"`+spot+`"}`), "events[3].spot")
	}
	for _, zone := range []string{"seat:+1", "seat:01", "seat:0", "seat:", "seat:1/1", "seat:1/02", "seat:1/+2", "seat:1/", "seat:1/2/3"} {
		rounds.Refused(t, rounds.Of(t, "nacional-1979", "blackjack", `{"id":"B"}`,
			played+`{"t":3,"type":"card","card":"9s","face":"up","zone":"`+zone+`"}`), "events[3].zone")
	}
}

// TestTakenAfterTheDeal: cards were dealt to every box with a stake; chips that
// are taken back afterwards are a late withdrawal and leave the deal as it was.
func TestTakenAfterTheDeal(t *testing.T) {
	v := rounds.Cited(t, rounds.Of(t, "nacional-1979", "blackjack", `{"id":"B"}`,
		played+`{"t":3,"type":"withdraw","seat":1,"spot":"main","amount":1000},`+
			`{"t":4,"type":"card","zone":"seat:1","card":"9s","face":"up"},`+
			`{"t":5,"type":"card","zone":"bank","card":"8d","face":"up"},`+
			`{"t":6,"type":"announce","by":"croupier","call":"puntos_banca","points":17}`))
	if got, want := rounds.Brief(v.Findings, rounds.Seat, rounds.Spot), "late_withdrawal 1 main"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBankBeforeTheHands: with all its cards dealt first the bank errs in the order, and not
// in drawing against nobody: the box waits for its cards (Andalucía V.1.a).
func TestBankBeforeTheHands(t *testing.T) {
	v := rounds.Cited(t, rounds.Script(t, "andalucia-2010 blackjack", "bet 1 main 1000; card bank 9d; card bank Kd; "+
		"card seat:1 Ts; card seat:1 9s; say croupier puntos_banca points=19; clear"))
	if got, want := rounds.Brief(v.Findings, rounds.Event), "deal_order_wrong @1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
