package settle

import (
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// The chapters of the contract that judge by the comparison, as their games do.
var (
	wheels = Rules{
		HalfPaid:   finding.PayoutToLoser,
		HalfApart:  true,
		VoidApart:  true,
		PartAtOnce: true,
		StrayTaken: finding.OtherProcedure,
	}
	points = Rules{HalfPaid: finding.PushPaid, Deducts: true, Over: true, Explains: true, Annuls: true,
		GivenBack: map[round.Outcome]Bound{
			round.Lose: Exactly, round.Push: Exactly, round.Stay: Exactly, round.Prison: Exactly, round.Void: Exactly}}
	banked = Rules{Nets: true, Deducts: true, Gross: true,
		GivenBack: map[round.Outcome]Bound{round.Win: AtMost, round.Push: AtMost, round.Void: AtMost}}
	pile = Rules{HalfPaid: finding.PushPaid, Deducts: true, Over: true, Explains: true, Uncounted: true}
)

const last = 9

// moves are amounts of pay, collect, commission and return, at events 1 to 4.
func moves(pay, collect, commission, back money.Cents) game.Moved {
	sum := func(a money.Cents, at int) game.Sum {
		if a == 0 {
			return game.None
		}
		return game.Sum{Amount: a, First: at, Last: at}
	}
	return game.Moved{Pay: sum(pay, 1), Collect: sum(collect, 2), Commission: sum(commission, 3), Return: sum(back, 4)}
}

func bet(stake money.Cents, settle func(d *Due)) *Due {
	d := On(game.Place{Seat: 2, Spot: "x"}, stake)
	settle(&d)
	return &d
}

func won(pays, commission money.Cents) *Due {
	return bet(1000, func(d *Due) { d.Win(pays); d.Commission = commission })
}

var (
	lost = bet(1000, (*Due).Lose)
	push = bet(1000, (*Due).Push)
	half = bet(1000, (*Due).Halve)
	void = bet(1000, (*Due).Void)

	lostInPart = bet(1000, func(d *Due) { d.Settle(round.Lose, 0, 400) })
)

// found is a finding in short.
type found struct {
	code               finding.Code
	event              int
	expected, observed money.Cents
}

func TestCompare(t *testing.T) {
	open := End{Last: last}
	closed := End{Closed: true, Last: last}
	for name, c := range map[string]struct {
		by    Rules
		due   *Due
		moved game.Moved
		end   End
		want  []found
	}{
		// wheels and dice, 1.7
		"1.7 win, unpaid, table not cleared": {wheels, won(2000, 0), moves(0, 0, 0, 0), open, nil},
		"1.7 win, unpaid": {wheels, won(2000, 0), moves(0, 0, 0, 0), closed,
			[]found{{finding.PayoutMissing, last, 2000, 0}}},
		"1.7 win, under": {wheels, won(2000, 0), moves(1900, 0, 0, 0), open,
			[]found{{finding.PayoutUnder, 1, 2000, 1900}}},
		"1.7 win, collected and unpaid": {wheels, won(2000, 0), moves(0, 1000, 0, 0), closed,
			[]found{{finding.PayoutMissing, last, 2000, 0}, {finding.CollectedWinner, 2, 0, 1000}}},
		"1.7 lose, part collected": {wheels, lost, moves(0, 400, 0, 0), open, []found{{finding.LoserNotCollected, 2, 1000, 400}}},
		"1.7 half, paid":           {wheels, half, moves(500, 500, 0, 0), closed, []found{{finding.PayoutToLoser, 1, 0, 500}}},
		"1.7 half, half collected": {wheels, half, moves(0, 500, 0, 0), closed, nil},
		"1.7 half, rest returned":  {wheels, half, moves(0, 500, 0, 500), closed, nil},
		"1.7 half, all collected":  {wheels, half, moves(0, 1000, 0, 0), closed, []found{{finding.ReturnWrong, 2, 500, 0}}},
		"1.7 void bet collected":   {wheels, void, moves(0, 300, 0, 0), open, []found{{finding.ReturnWrong, 2, 1000, 700}}},
		"1.7 void bet paid":        {wheels, void, moves(300, 0, 0, 0), open, []found{{finding.PayoutToLoser, 1, 0, 300}}},
		"2.4 prisoner's half may go": {wheels, bet(1000, func(d *Due) { d.Settle(round.Prison, 0, 0); d.May = 500 }),
			moves(0, 600, 0, 0), open, []found{{finding.PushCollected, 2, 500, 600}}},
		"1.4 taken too late: nothing to collect": {wheels, bet(1000, func(d *Due) { d.Lose(); d.Taken = 1000 }), moves(0, 0, 0, 0), closed, nil},

		// point cards, 0.4
		"0.4 win, collected: not unpaid too": {points, won(2000, 0), moves(0, 1000, 0, 0), closed, []found{{finding.CollectedWinner, 2, 0, 1000}}},
		"0.4 win, net paid":                  {points, won(2000, 100), moves(1900, 0, 0, 0), closed, nil},
		"0.4 win, gross paid and deducted":   {points, won(2000, 100), moves(2000, 0, 100, 0), closed, nil},
		"0.4 win, gross paid": {points, won(2000, 100), moves(2000, 0, 0, 0), open,
			[]found{{finding.CommissionMissing, last, 100, 0}}},
		"0.4 win, wrong net": {points, won(2000, 100), moves(1800, 0, 0, 0), open,
			[]found{{finding.PayoutUnder, 1, 1900, 1800}}},
		"0.4 win, wrong commission":           {points, won(2000, 100), moves(2000, 0, 50, 0), open, []found{{finding.CommissionWrong, 3, 100, 50}}},
		"0.4 lose, paid: not uncollected too": {points, lost, moves(500, 0, 0, 0), closed, []found{{finding.PayoutToLoser, 1, 0, 500}}},
		"0.4 lose, collected beyond the loss": {points, bet(1000, func(d *Due) { d.Settle(round.Lose, 0, 400) }),
			moves(0, 800, 0, 0), open, []found{{finding.ReturnWrong, 2, 400, 200}}},
		"0.4 push, paid, collected, half returned": {points, push, moves(10, 20, 0, 500), open,
			[]found{{finding.PushPaid, 1, 0, 10}, {finding.PushCollected, 2, 0, 20}, {finding.ReturnWrong, 4, 1000, 500}}},
		"0.4 half, paid":   {points, half, moves(500, 500, 0, 0), closed, []found{{finding.PushPaid, 1, 0, 500}}},
		"0.4 void settled": {points, void, moves(500, 200, 100, 0), open, []found{{finding.VoidRoundSettled, 3, 0, 200}}},
		"0.4 late chips go back with right": {points, bet(1000, func(d *Due) { d.Push(); d.Back = 300 }),
			moves(0, 0, 0, 300), closed, nil},

		// «movements that annul each other are summed»
		"0.4 win, collected and given back": {points, won(2000, 0), moves(2000, 1000, 0, 1000), closed, nil},
		"0.4 win, part collected, another given back": {points, won(2000, 0), moves(2000, 1000, 0, 400), closed,
			[]found{{finding.CollectedWinner, 2, 0, 1000}}},
		"0.4 win, paid with the stake, stake collected": {points, won(2000, 0), moves(3000, 1000, 0, 0), closed, nil},
		"0.4 win, over, excess taken back":              {points, won(2000, 100), moves(2500, 600, 0, 0), closed, nil},
		"0.4 win, over and deducted, excess taken back": {points, won(2000, 100), moves(2500, 500, 100, 0), closed, nil},
		"0.4 win, over, part taken back": {points, won(2000, 0), moves(2500, 400, 0, 0), closed,
			[]found{{finding.PayoutOver, 1, 2000, 2500}, {finding.CollectedWinner, 2, 0, 400}}},
		"0.4 push, collected and given back": {points, push, moves(0, 1000, 0, 1000), closed, nil},
		"0.4 push, paid and taken back":      {points, push, moves(700, 700, 0, 0), closed, nil},
		"0.4 void, collected and given back": {points, void, moves(0, 1000, 0, 1000), closed, nil},
		"0.4 lose, paid, and all taken back": {points, lost, moves(500, 1500, 0, 0), closed, nil},
		"0.4 lose, paid, and collected": {points, lost, moves(500, 1000, 0, 0), closed,
			[]found{{finding.PayoutToLoser, 1, 0, 500}}},
		"0.4 lose, collected and given back": {points, lost, moves(0, 1000, 0, 1000), closed,
			[]found{{finding.ReturnWrong, 4, 0, 1000}}},
		"0.4 lose, too much collected, excess given back":        {points, lost, moves(0, 1500, 0, 500), closed, nil},
		"0.4 lose, collected again after it was given back":      {points, lost, moves(0, 3000, 0, 2000), closed, nil},
		"0.4 lose, paid and taken back, excess given back":       {points, lost, moves(500, 1700, 0, 200), closed, nil},
		"0.4 lose in part, excess given back":                    {points, lostInPart, moves(0, 800, 0, 200), closed, nil},
		"0.4 lose in part, excess and what is left given back":   {points, lostInPart, moves(0, 800, 0, 600), closed, nil},
		"0.4 half, too much collected, excess given back":        {points, half, moves(0, 700, 0, 200), closed, nil},
		"0.4 push, paid and taken back, stake taken and back":    {points, push, moves(700, 1700, 0, 1000), closed, nil},
		"0.4 win, excess taken back, stake taken and given back": {points, won(2000, 0), moves(2500, 1500, 0, 1000), closed, nil},
		"0.4 half, all collected, half given back":               {points, half, moves(0, 1000, 0, 500), closed, nil},
		"1.7 win, collected and given back": {wheels, won(2000, 0), moves(2000, 1000, 0, 1000), closed,
			[]found{{finding.CollectedWinner, 2, 0, 1000}}},

		// point cards, 4: the bank's pile
		"4 bank won, nothing moved": {pile, won(2000, 100), moves(0, 0, 0, 0), closed, []found{{finding.CommissionMissing, last, 100, 0}}},
		"4 bank lost, uncollected":  {pile, lost, moves(0, 0, 0, 0), closed, nil},

		// banked poker, 9
		"9 collected and given back":     {banked, won(2000, 0), moves(2000, 1000, 0, 1000), closed, nil},
		"9 push, part not given back":    {banked, push, moves(0, 1000, 0, 400), closed, []found{{finding.PushCollected, 2, 0, 600}}},
		"9 lose, given back again":       {banked, lost, moves(0, 1000, 0, 1000), closed, []found{{finding.LoserNotCollected, 2, 1000, 0}}},
		"9 win, gross named when unpaid": {banked, won(2000, 100), moves(0, 0, 0, 0), closed, []found{{finding.PayoutMissing, 9, 2000, 0}}},
		"9 win, less than the net":       {banked, won(2000, 100), moves(1800, 0, 0, 0), closed, []found{{finding.PayoutUnder, 1, 1900, 1800}}},
		"9 win, more than the net":       {banked, won(2000, 100), moves(1950, 0, 0, 0), closed, []found{{finding.PayoutOver, 1, 1900, 1950}}},
		"1.7 half, the other left":       {wheels, half, moves(0, 0, 0, 500), closed, []found{{finding.LoserNotCollected, 9, 500, 0}}},
		"9 win, too much given back":     {banked, won(2000, 0), moves(2000, 0, 0, 1200), open, []found{{finding.ReturnWrong, 4, 1000, 1200}}},
		"9 void, collected and returned": {banked, void, moves(0, 1000, 0, 1000), closed, nil},

		"unknown is not judged": {points, bet(1000, (*Due).Unknown), moves(10, 20, 30, 40), closed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, c.by.Compare(c.due, c.moved, c.end), c.want)
		})
	}
}

// TestStray: wheels and dice, 1.7 («no stake at all»); point cards, 0.4.
func TestStray(t *testing.T) {
	m := moves(300, 200, 0, 0)
	p := game.Place{Seat: 2, Spot: "x"}
	same(t, wheels.Stray(p, m), []found{{finding.PayoutToLoser, 1, 0, 300}, {finding.OtherProcedure, 2, 0, 200}})
	same(t, points.Stray(p, m), []found{{finding.PayoutToLoser, 1, 0, 300}})
}

func same(t *testing.T, got []round.Finding, want []found) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i, g := range got {
		w := want[i]
		if g.Code != w.code || g.Event != w.event || g.Expected != w.expected || g.Observed != w.observed ||
			*g.Delta != w.observed-w.expected || g.Seat != 2 || g.Spot != "x" {
			t.Errorf("got %+v, want %+v", g, w)
		}
	}
}

// TestRightIsSilent: whoever moves exactly what is due is reproached with nothing, and who
// leaves a winner unpaid or a loser uncollected always is.
func TestRightIsSilent(t *testing.T) {
	families := map[string]Rules{"wheels": wheels, "points": points, "banked": banked}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"wheels", "points", "banked"}).Draw(t, "family")
		r := families[name]
		d := On(game.Place{Seat: 2, Spot: "x"}, money.Cents(rapid.Int64Range(1, 1e9).Draw(t, "stake")))
		odds := money.Odds{Num: rapid.Int64Range(1, 40).Draw(t, "num"), Den: rapid.Int64Range(1, 3).Draw(t, "den")}
		if cmp := rapid.IntRange(-1, 2).Draw(t, "cmp"); cmp < 2 {
			d.Decide(cmp, odds)
		} else if d.Void(); name != "banked" { // no banked poker takes half
			d.Halve()
		}
		if d.Outcome == round.Win && r.Deducts {
			d.Commission = d.Pays / 20
		}
		end := End{Closed: true, Last: last}
		if got := r.Compare(&d, moves(d.Pays-d.Commission, d.Must, 0, 0), end); len(got) > 0 {
			t.Fatalf("%+v: %+v", d, got)
		}
		got := r.Compare(&d, moves(0, 0, 0, 0), end)
		if omitted := d.Pays > 0 || d.Must > 0; omitted != (len(got) > 0) {
			t.Fatalf("%+v, nothing moved: %+v", d, got)
		}
	})
}
