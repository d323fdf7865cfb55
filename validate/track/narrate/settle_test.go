package narrate

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

var t0 = time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)

// movesOf are changes of a place, one every 1.5 s.
func movesOf(p scene.Place, deltas ...money.Cents) (ms []Move) {
	for i, d := range deltas {
		at := t0.Add(time.Duration(i) * 1500 * time.Millisecond)
		ms = append(ms, Move{Place: p, Delta: d, From: at.Add(-500 * time.Millisecond), At: at, item: i})
	}
	return ms
}

func words(ts []Entry) (out []string) {
	for _, t := range ts {
		out = append(out, fmt.Sprintf("%s %s %d", t.Event.Type, t.Event.Spot, t.Event.Amount))
	}
	return out
}

// What movements on one spot mean, given what is due there.
func TestSettle(t *testing.T) {
	type row struct {
		name        string
		outcome     round.Outcome
		stake, pays money.Cents
		fee, back   money.Cents
		deltas      []money.Cents
		want        []string
		noted       bool
	}
	rows := []row{
		{
			"winner paid and gone",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{1500, -2500},
			[]string{"pay main 1500"},
			false,
		},
		{
			"paid in two goes",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{1000, 500},
			[]string{"pay main 1000", "pay main 500"},
			false,
		},
		{
			"paid too much, taken back",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{2000, -500},
			[]string{"pay main 1500"},
			true,
		},
		{
			"paid wrong, replaced",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{1000, -1000, 1500},
			[]string{"pay main 1500"},
			true,
		},
		{
			"paid too little, carried off",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{1000, -2000},
			[]string{"pay main 1000"},
			false,
		},
		{
			"paid twice",
			round.Win,
			1000,
			1000,
			0,
			1000,
			[]money.Cents{1000, 1000},
			[]string{"pay main 1000", "pay main 1000"},
			false,
		},
		{
			"winner collected",
			round.Win,
			1000,
			1000,
			0,
			1000,
			[]money.Cents{-1000},
			[]string{"collect main 1000"},
			false,
		},
		{
			"stake changed up, then paid",
			round.Win,
			1000,
			1500,
			0,
			1000,
			[]money.Cents{-1000, 2500},
			[]string{"pay main 1500"},
			true,
		},
		{"net of commission", round.Win, 2000, 2000, 100, 2000, []money.Cents{1900}, []string{"pay main 1900"}, false},
		{
			"gross, then commission",
			round.Win,
			2000,
			2000,
			100,
			2000,
			[]money.Cents{2000, -100},
			[]string{"pay main 2000", "commission main 100"},
			false,
		},
		{
			"gross, then taken up",
			round.Win,
			2000,
			2000,
			100,
			2000,
			[]money.Cents{2000, -4000},
			[]string{"pay main 2000"},
			false,
		},
		{"loser", round.Lose, 1000, 0, 0, 0, []money.Cents{-1000}, []string{"collect main 1000"}, false},
		{
			"loser in parts",
			round.Lose,
			1000,
			0,
			0,
			0,
			[]money.Cents{-600, -400},
			[]string{"collect main 600", "collect main 400"},
			false,
		},
		{
			"loser, then the next bet",
			round.Lose,
			1000,
			0,
			0,
			0,
			[]money.Cents{-1000, 500},
			[]string{"collect main 1000"},
			false,
		},
		{
			"loser paid, carried off",
			round.Lose,
			1000,
			0,
			0,
			0,
			[]money.Cents{1000, -2000},
			[]string{"pay main 1000"},
			false,
		},
		{
			"loser paid, put right",
			round.Lose,
			1000,
			0,
			0,
			0,
			[]money.Cents{1000, -1000, -1000},
			[]string{"collect main 1000"},
			true,
		},
		{
			"loser paid, stake taken",
			round.Lose,
			1000,
			0,
			0,
			0,
			[]money.Cents{700, -1000},
			[]string{"pay main 700", "collect main 1000"},
			false,
		},
		{"push untouched", round.Push, 1000, 0, 0, 1000, nil, nil, false},
		{"push paid", round.Push, 1000, 0, 0, 1000, []money.Cents{1000, -2000}, []string{"pay main 1000"}, false},
		{"push paid, put right", round.Push, 1000, 0, 0, 1000, []money.Cents{1000, -1000}, nil, true},
		{
			"push taken up or collected",
			round.Push,
			1000,
			0,
			0,
			1000,
			[]money.Cents{-1000},
			[]string{"collect main 1000"},
			false,
		},
		{"half", round.Half, 1000, 0, 0, 500, []money.Cents{-500, -500}, []string{"collect main 500"}, false},
		{
			"all of a half, then half back",
			round.Half,
			1000,
			0,
			0,
			500,
			[]money.Cents{-1000, 500},
			[]string{"collect main 1000", "return main 500"},
			false,
		},
		{
			"half rather than prison",
			round.Prison,
			1000,
			0,
			0,
			0,
			[]money.Cents{-500, -500},
			[]string{"collect main 500"},
			false,
		},
		{"prison", round.Prison, 1000, 0, 0, 0, []money.Cents{-500}, []string{"collect main 500"}, false},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			p := scene.Place{Seat: 1, Spot: "main"}
			s := &Narration{
				Given: Given{Game: &Game{}, Scene: &scene.Scene{}},
				Progress: Progress{Due: []round.Settlement{{
					Seat: 1, Spot: "main", Stake: r.stake, Outcome: r.outcome, Pays: r.pays, Commission: r.fee, Returns: r.back,
				}}},
			}
			s.settle(p, movesOf(p, r.deltas...))
			if got := words(s.Entries); !slices.Equal(got, r.want) {
				t.Errorf("told %q, want %q", got, r.want)
			}
			if (len(s.Notes) > 0) != r.noted {
				t.Errorf("notes %+v, want one: %v", s.Notes, r.noted)
			}
		})
	}
}

// A stake of which the house takes half is gone in one motion: it may have taken all,
// or its owner took his half under the same arms.
func TestHalfGoneInOneMotion(t *testing.T) {
	p, prior := scene.Place{Seat: 1, Spot: "main"}, hypothesis.BuiltIn()
	house, both := []string{fact.Bank}, []string{fact.Bank, fact.Players}
	for name, r := range map[string]struct {
		m    Move
		want float64 // 0: nothing to doubt
	}{
		"under the bank's arm":             {Move{Delta: -1000, From: at(1), At: at(2), hands: house}, prior[hypothesis.CollectedByTheHouse]},
		"under both arms":                  {Move{Delta: -1000, From: at(1), At: at(2), hands: both}, prior[hypothesis.CollectedByBoth]},
		"nobody saw whose, at once":        {Move{Delta: -1000, From: at(1), At: at(2)}, prior[hypothesis.CollectedSoon]},
		"nobody saw whose, in a while":     {Move{Delta: -1000, From: at(1), At: at(4)}, prior[hypothesis.CollectedLate]},
		"half, in a while":                 {Move{Delta: -500, From: at(1), At: at(4)}, 0},
		"more than half, but not all":      {Move{Delta: -700, From: at(1), At: at(4)}, 0},
		"more than lies there, miscounted": {Move{Delta: -1500, From: at(1), At: at(4)}, 0},
	} {
		r.m.Place, r.m.item = p, 1
		s := &Narration{
			Given: Given{Game: &Game{}, Scene: &scene.Scene{}},
			Progress: Progress{Due: []round.Settlement{
				{Seat: 1, Spot: "main", Stake: 1000, Outcome: round.Half, Returns: 500},
			}},
		}
		s.settle(p, []Move{r.m})
		got := 0.0
		for _, a := range s.Met[hypothesis.Choice{Kind: hypothesis.UnderHands, Place: p}] {
			got = 1 / (1 + a.Odds)
		}
		if math.Abs(got-r.want) > 1e-9 {
			t.Errorf("%s: all was taken with %v, want %v", name, got, r.want)
		}
		s.Met = nil
		s.settle(p, []Move{r.m, {Place: p, Delta: 500, From: at(5), At: at(6), item: 2}})
		if len(s.Met) > 0 {
			t.Errorf("%s, and half was laid back: %v, want no choice", name, s.Met)
		}
	}
}

// Where nobody can read what lies there after the house was at a stake of which it takes half, it took that, or not:
// all of it is recorded as taken by its owner.
func TestHalfOfWhatNobodyCanRead(t *testing.T) {
	p := scene.Place{Seat: 1, Spot: "main"}
	house := scene.Occlusion{Place: p, From: at(3), At: at(4), Hands: []string{fact.Bank}, Restacked: true}
	alike, others := house, house
	alike.Restacked, others.Hands = false, []string{fact.Players}
	taken := []Move{{Place: p, Delta: -1000, From: at(5), At: at(6), hands: []string{fact.Players}}}
	for name, c := range map[string]struct {
		over   scene.Occlusion
		left   bool // by the hypothesis
		want   []string
		choice bool
	}{
		"the house was there": {house, false, []string{"collect main 500"}, true},
		"it took nothing":     {house, true, nil, true},
		"read as it was":      {alike, false, nil, false},
		"players were there":  {others, false, nil, false},
	} {
		s := &Narration{
			Given: Given{Game: &Game{}, Scene: &scene.Scene{Occlusions: []scene.Occlusion{c.over}}},
			Progress: Progress{Due: []round.Settlement{
				{Seat: 1, Spot: "main", Stake: 1000, Outcome: round.Half, Returns: 500},
			}},
		}
		under := hypothesis.Choice{Kind: hypothesis.UnderHands, Place: p}
		if c.left {
			s.Hyp = hypothesis.Likeliest.With(under, hypothesis.Alternative{Odds: 1})
		}
		s.settle(p, taken)
		if _, met := s.Met[under]; met != c.choice || !slices.Equal(words(s.Entries), c.want) {
			t.Errorf("%s: told %q, a choice: %v; want %q, %v", name, words(s.Entries), met, c.want, c.choice)
		}
	}
}

// Bets of the next throw are no payments where players may bet ahead.
func TestSettleWhereBetsComeAhead(t *testing.T) {
	p := scene.Place{Seat: 1, Spot: "field"}
	s := &Narration{
		Given: Given{Game: &Game{Paying: Paying{ahead: true}}, Scene: &scene.Scene{}},
		Progress: Progress{Due: []round.Settlement{
			{Seat: 1, Spot: "field", Stake: 500, Outcome: round.Win, Pays: 500, Returns: 500},
		}},
	}
	s.settle(p, movesOf(p, 500, -1000, 700))
	if got := words(s.Entries); !slices.Equal(got, []string{"pay field 500"}) {
		t.Errorf("told %q", got)
	}
}

// Winnings pushed to a seat are shared among its winning bets.
func TestPayouts(t *testing.T) {
	win := func(spot string, pays money.Cents) round.Settlement {
		return round.Settlement{Seat: 1, Spot: spot, Stake: 500, Outcome: round.Win, Pays: pays, Returns: 500}
	}
	due := []round.Settlement{win("pleno:17", 17500), win("rojo", 500), win("columna:2", 1000)}
	alike := []round.Settlement{win("falta", 1000), win("columna:2", 1000)}
	rows := []struct {
		name   string
		due    []round.Settlement
		deltas []money.Cents
		want   []string
	}{
		{
			"one by one",
			due,
			[]money.Cents{1000, 500, 17500, -19000},
			[]string{"pay columna:2 1000", "pay rojo 500", "pay pleno:17 17500"},
		},
		{
			"all at once",
			due,
			[]money.Cents{19000},
			[]string{"pay columna:2 1000", "pay rojo 500", "pay pleno:17 17500"},
		},
		{
			"two together",
			due,
			[]money.Cents{1500, 17500},
			[]string{"pay columna:2 1000", "pay rojo 500", "pay pleno:17 17500"},
		},
		{
			"in odd parts",
			due,
			[]money.Cents{1200, 17800},
			[]string{"pay columna:2 1000", "pay rojo 200", "pay rojo 300", "pay pleno:17 17500"},
		},
		{
			"one wrong",
			due,
			[]money.Cents{1000, 500, 8500, -10000},
			[]string{"pay columna:2 1000", "pay rojo 500", "pay pleno:17 8500"},
		},
		{
			"of two alike the first wrong",
			alike,
			[]money.Cents{1500, 1000},
			[]string{"pay columna:2 1500", "pay falta 1000"},
		},
		{
			"of two alike the second wrong",
			alike,
			[]money.Cents{1000, 1500},
			[]string{"pay columna:2 1000", "pay falta 1500"},
		},
		{"wrong and replaced", due[:1], []money.Cents{8500, -8500, 17500}, []string{"pay pleno:17 17500"}},
		{
			"a loser",
			[]round.Settlement{{Seat: 1, Spot: "negro", Stake: 500, Outcome: round.Lose}},
			[]money.Cents{500, -500},
			[]string{"pay negro 500"},
		},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := &Narration{
				Given:    Given{Game: &Game{Paying: Paying{Pushed: true, order: roulette}}, Scene: &scene.Scene{}},
				Counts:   Counts{Moves: movesOf(scene.Place{Seat: 1, Spot: scene.PaySpot}, r.deltas...)},
				Progress: Progress{Due: r.due},
			}
			s.payouts(func(m Move) bool { return m.At.After(t0.Add(-time.Second)) })
			if got := words(s.Entries); !slices.Equal(got, r.want) {
				t.Errorf("told %q, want %q", got, r.want)
			}
		})
	}
}

// A losing stake is collected by the house: where only players reached for it, they
// took it back, and nobody collected it.
func TestALoserThatItsOwnerTakesUp(t *testing.T) {
	p := scene.Place{Seat: 1, Spot: "main"}
	for _, r := range []struct {
		name    string
		outcome round.Outcome
		hands   []string
		want    []string
	}{
		{"by the house", round.Lose, []string{fact.Bank}, []string{"collect main 1000"}},
		{"under arms of both", round.Lose, []string{fact.Bank, fact.Players}, []string{"collect main 1000"}},
		{"nobody seen", round.Lose, nil, []string{"collect main 1000"}},
		{"by players", round.Lose, []string{fact.Players}, nil},
		{"a half by the house", round.Half, []string{fact.Bank}, []string{"collect main 1000"}},
		{"a half by players", round.Half, []string{fact.Players}, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			due := round.Settlement{Seat: 1, Spot: "main", Stake: 1000, Outcome: r.outcome}
			if r.outcome == round.Half {
				due.Returns = 500
			}
			moves := movesOf(p, -1000)
			moves[0].hands = r.hands
			s := &Narration{
				Given:    Given{Game: &Game{}, Scene: &scene.Scene{}},
				Progress: Progress{Due: []round.Settlement{due}},
			}
			s.settle(p, moves)
			if got := words(s.Entries); !slices.Equal(got, r.want) {
				t.Errorf("told %q, want %q", got, r.want)
			}
		})
	}
}

// One payment that took long enough for two is for both bets once nothing more comes: one of them is paid
// wrong. What no more than one bet is due is for one.
func TestOnePaymentForTwoBets(t *testing.T) {
	win := func(spot string, pays money.Cents) round.Settlement {
		return round.Settlement{Seat: 1, Spot: spot, Stake: 500, Outcome: round.Win, Pays: pays, Returns: 500}
	}
	for name, c := range map[string]struct {
		sum   money.Cents
		long  float64
		final bool
		want  []string
	}{
		"both in the end":   {7250, 2.5, true, []string{"pay docena:3 3000", "pay caballo:29-30 4250"}},
		"more may come":     {7250, 2.5, false, []string{"pay caballo:29-30 7250"}},
		"too soon for two":  {7250, 1, true, []string{"pay caballo:29-30 7250"}},
		"less than on both": {2500, 2.5, true, []string{"pay docena:3 2500"}},
	} {
		t.Run(name, func(t *testing.T) {
			pay := scene.PayPlace(1)
			s := &Narration{
				Given:    Given{Game: &Game{Paying: Paying{Pushed: true, order: roulette}}, Scene: &scene.Scene{}, Final: c.final},
				Counts:   Counts{Moves: []Move{{Place: pay, Delta: c.sum, From: at(5), At: at(5 + c.long)}}},
				Progress: Progress{Due: []round.Settlement{win("caballo:29-30", 8500), win("docena:3", 3000)}},
			}
			s.payouts(func(Move) bool { return true })
			if got := words(s.Entries); !slices.Equal(got, c.want) {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}
