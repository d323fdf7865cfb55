package index

import (
	"slices"
	"testing"

	"vision/stream/ledger"
)

// Rounds and alerts are found by what was dealt, moved and found in them; a seat named
// with a card or an amount has to have that one.
func TestSearch(t *testing.T) {
	l, x := setup(t)
	put(t, l, ledger.Round, "bj1", `{"id":"one","game":"blackjack","events":[{"t":0,"type":"bet","zone":"seat:3/2 main","amount":50000},
		{"t":1,"type":"card","zone":"seat:3","card":"Kd"},{"t":2,"type":"card","zone":"bank","card":"As"},{"t":3,"type":"pay","seat":1,"spot":"main","amount":700}]}`)
	put(t, l, ledger.Verdict, "bj1", `{"id":"one","game":"blackjack","findings":[{"code":"payout_under","severity":"major"}]}`)
	put(t, l, ledger.Round, "pb1", `{"id":"one","game":"punto_banco","events":[{"t":0,"type":"reveal","zone":"bank","cards":["Kc","2h"]},{"t":1,"type":"bet","zone":"seat:1 bank","amount":10000}]}`)
	put(t, l, ledger.Verdict, "pb1", `{"id":"one","game":"punto_banco","findings":[]}`)
	put(t, l, ledger.Round, "pb1", `{"id":"two","game":"punto_banco"}`)
	put(t, l, ledger.Alert, "bj1", `{"id":"a1","state":"open","code":"payout_under","round":"one","seat":1,"amount":800}`)
	put(t, l, ledger.Alert, "pb1", `{"id":"a2","state":"open","code":"late_bet","round":"two","seat":2}`)
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		q              Query
		rounds, alerts []string
	}{
		{"a rank of any suit", Query{Card: "K"}, []string{"bj1/one", "pb1/one"}, []string{"a1"}},
		{"a card", Query{Card: "Kd"}, []string{"bj1/one"}, []string{"a1"}},
		{"a card that nobody had", Query{Card: "3d"}, nil, nil},
		{"a card at a seat", Query{Card: "K", Seat: 3}, []string{"bj1/one"}, nil},
		{"a card that another seat had", Query{Card: "As", Seat: 3}, nil, nil},
		{"a seat", Query{Seat: 1}, []string{"bj1/one", "pb1/one"}, []string{"a1"}},
		{"an amount", Query{Amount: 10000}, []string{"bj1/one", "pb1/one"}, nil},
		{"an amount at a seat", Query{Amount: 800, Seat: 1}, []string{"pb1/one"}, []string{"a1"}},
		{"a code", Query{Code: "payout_under"}, []string{"bj1/one"}, []string{"a1"}},
		{"a table among one's own", Query{Card: "K", Tables: []string{"pb1"}}, []string{"pb1/one"}, nil},
		{"everything", Query{Table: "bj1", Code: "payout_under", Card: "Kd", Seat: 3}, []string{"bj1/one"}, nil},
	} {
		rounds, err := x.Rounds(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		var got, found []string
		for _, r := range rounds {
			got = append(got, r.Table+"/"+r.ID)
		}
		alerts, err := x.Alerts(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range alerts {
			found = append(found, a.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.rounds) || !slices.Equal(found, c.alerts) {
			t.Errorf("%s: rounds %q, alerts %q; want %q, %q", c.name, got, found, c.rounds, c.alerts)
		}
	}
}

// A record that comes again replaces the one before.
func TestARecordComesAgain(t *testing.T) {
	l, x := setup(t)
	put(t, l, ledger.Round, "bj1", `{"id":"one","events":[{"type":"card","zone":"bank","card":"As"}]}`)
	put(t, l, ledger.Round, "bj1", `{"id":"one","events":[{"type":"card","zone":"bank","card":"2c"}]}`)
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for card, want := range map[string]int{"As": 0, "2c": 1} {
		if got, err := x.Rounds(t.Context(), Query{Card: card}); err != nil || len(got) != want {
			t.Errorf("%s is in %d rounds, want %d; %v", card, len(got), want, err)
		}
	}
}
