package trial

import (
	"testing"
	"time"

	"vision/internal/lab/sim/script"
	"vision/internal/testkit/books"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
)

// An alert that is taken back was right while a payment lay wrong, and false in any
// other round; of a round that was called off nothing is to be told.
func TestMishapsAreCompared(t *testing.T) {
	norms := books.Shipped(t)
	end := Start.Add(20 * time.Second)
	of := func(mishap script.Mishap) []truth {
		rec := round.Record{Schema: round.Schema, ID: "t-1", Norm: script.Norm, Game: "blackjack",
			Table: round.Table{ID: "t", Min: 500, Max: 50000}, Events: []round.Event{{Type: round.Clear}}}
		return []truth{{Truth: script.Truth{Record: rec, Mishap: mishap}, from: Start, to: end}}
	}
	about := track.Judged{Finding: round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: "main"}, At: Start.Add(time.Second)}
	said := []told{
		{&track.Alert{Round: "t-1", State: track.Raised, Judged: about}, Start.Add(2 * time.Second)},
		{&track.Alert{Round: "t-1", State: track.Corrected, Judged: about}, Start.Add(4 * time.Second)},
		{&track.Round{Record: of("")[0].Record, Start: Start, End: end}, end},
	}
	for _, c := range []struct {
		mishap     script.Mishap
		said       []told
		got, back  int
		exact      bool
		toldAtAll  int
		strayAlert int
	}{
		{mishap: script.PutRight, said: said, back: 1, exact: true, toldAtAll: 1},
		{mishap: script.PutRight, said: append(said[:1:1], said[2]), got: 1, exact: true, toldAtAll: 1},
		{mishap: script.Touched, said: said, got: 1, exact: true, toldAtAll: 1},
		{mishap: script.Abandoned, exact: true},
		{mishap: script.Abandoned, said: said[2:], toldAtAll: 1},
		{mishap: script.Abandoned, said: said[:1], exact: true, strayAlert: 1},
	} {
		r, err := compare(Config{Game: "blackjack"}, norms, of(c.mishap), c.said, nil)
		if err != nil {
			t.Fatal(err)
		}
		if one := r.Rounds[0]; len(one.Got) != c.got || len(one.Back) != c.back || one.Exact != c.exact ||
			one.Told != c.toldAtAll || len(r.Stray) != c.strayAlert {
			t.Errorf("%s: %+v, stray %v; want %+v", c.mishap, one, r.Stray, c)
		}
	}
}

// What was left out is known where the cards are taken up, or else when the next round is
// opened; what hangs on cards that lie face down when they are turned.
func TestWhenAMistakeCanBeKnown(t *testing.T) {
	one := truth{from: Start.Add(10 * time.Second)}
	opened := []time.Time{Start.Add(9 * time.Second), Start.Add(33 * time.Second)}
	cards := []round.Event{{T: 2, Type: round.CardDealt, Zone: "punto"}, {T: 5, Type: round.Reveal, Zone: "banca"},
		{T: 7, Type: round.Reveal, Zone: "punto"}, {T: 20, Type: round.Clear}}
	spin := []round.Event{{T: 4, Type: round.Ball}, {T: 20, Type: round.Clear}}
	paid := []round.Event{{T: 4, Type: round.Ball}, {T: 8, Type: round.Pay, Seat: 1, Spot: "par"},
		{T: 11, Type: round.Pay, Seat: 1, Spot: "rojo"}, {T: 13, Type: round.Pay, Seat: 2, Spot: "rojo"}, {T: 20, Type: round.Clear}}
	for _, c := range []struct {
		name   string
		events []round.Event
		of     round.Finding
		opened []time.Time
		want   float64
	}{
		{"left at a wheel", spin, round.Finding{Code: finding.PayoutMissing, Event: 1}, opened, 33},
		{"in the last round", spin, round.Finding{Code: finding.PayoutMissing, Event: 1}, opened[:1], 30},
		{"done at a wheel", spin, round.Finding{Code: finding.DealtBeforeClose, Event: 0}, opened, 14},
		{"a loser is paid before the seat's winner", paid, round.Finding{Code: finding.PayoutToLoser, Seat: 1, Spot: "par", Event: 1}, opened, 21},
		{"a loser is paid when the seat's winner was", paid, round.Finding{Code: finding.PayoutToLoser, Seat: 1, Spot: "rojo", Event: 2}, opened, 21},
		{"another seat's loser is paid", paid, round.Finding{Code: finding.PayoutToLoser, Seat: 2, Spot: "rojo", Event: 3}, opened, 23},
		{"left at cards", cards, round.Finding{Code: finding.PayoutMissing, Event: 3}, opened, 30},
		{"drawn face down", cards, round.Finding{Code: finding.DrewMustStand, Zone: "punto", Event: 0}, opened, 17},
		{"a card too many", cards, round.Finding{Code: finding.CardCountWrong, Zone: "punto", Event: 0}, opened, 12},
	} {
		if got := known(one, round.Record{Events: c.events}, c.of, c.opened); got != c.want {
			t.Errorf("%s: known after %v s, want %v", c.name, got, c.want)
		}
	}
}
