package track

import (
	"slices"
	"testing"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Two chips that may be one are one when the house has been there after the cards:
// they may have been two, of which it took one. What hangs on them is no alert, nor
// what is due to the bank that plays against all.
func TestARoughStakeOfWhichAPartMayBeCollected(t *testing.T) {
	stake := place{3, "raya:2"}
	for name, c := range map[string]struct {
		hands []string
		may   []money.Cents
		held  bool // all play for one pot
		want  bool
	}{
		"the house was there":       {hands: []string{fact.Bank}, may: []money.Cents{2500, 5000}, want: true},
		"both were there":           {hands: []string{fact.Players, fact.Bank}, may: []money.Cents{2500, 5000}, want: true},
		"only players were there":   {hands: []string{fact.Players}, may: []money.Cents{2500, 5000}},
		"it had been counted":       {hands: []string{fact.Bank}},
		"stakes that go to one pot": {hands: []string{fact.Bank}, may: []money.Cents{2500, 5000}, held: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{g: &game{bank: []string{"banca"}, held: c.held}, sc: &scene{items: []happening{
				{kind: chipsSeen, from: at(1), at: at(1), place: stake, chips: count{total: 2500, may: c.may}},
				{kind: cardSeen, from: at(2), at: at(2)},
				{kind: chipsSeen, from: at(3), at: at(3), place: stake, chips: count{total: 2500}, hands: c.hands},
			}}}
			s.lookAtChips()
			if s.vague[stake.Seat] != c.want {
				t.Errorf("the stake is rough: %v, want %v", s.vague[stake.Seat], c.want)
			}
			if got := s.unsure(round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: "banca"}); got != c.want {
				t.Errorf("what is due to the bank is unsure: %v, want %v", got, c.want)
			}
		})
	}
}

// A payment of one hundred to four and of two chips or three of 25 was no 300,
// whoever takes it up and however soon: what he took is what lay there.
func TestChipsThatAreTakenUpAreThoseThatLay(t *testing.T) {
	may := []money.Cents{15000, 17500, 25000, 27500, 35000, 37500, 45000, 47500}
	paid := move{delta: 45000, before: []money.Cents{0}, after: may}
	for name, c := range map[string]struct {
		moves []move
		want  money.Cents
		told  []money.Cents
	}{
		"no 300":                     {[]move{paid}, 30000, []money.Cents{45000}},
		"no 300, taken up":           {[]move{paid, {delta: -45000, before: may, after: []money.Cents{0}}}, 30000, []money.Cents{45000, -45000}},
		"a 350":                      {[]move{paid}, 35000, []money.Cents{35000}},
		"a 350, taken up":            {[]move{paid, {delta: -45000, before: may, after: []money.Cents{0}}}, 35000, []money.Cents{35000, -35000}},
		"one chip more laid with it": {[]move{paid, {delta: 5000, before: may, after: []money.Cents{40000, 50000}}}, 40000, []money.Cents{45000, -5000}},
		"a stake that was taken":     {[]move{{delta: -45000, before: may, after: []money.Cents{0}}}, -35000, []money.Cents{-35000}},
	} {
		t.Run(name, func(t *testing.T) {
			got := fit(c.moves, c.want)
			for i, m := range got {
				if m.delta != c.told[i] {
					t.Errorf("movement %d of %v, want %v", i, m.delta, c.told[i])
				}
			}
		})
	}
}

// Of a stack of which only two counts are possible the likelier is told.
func TestARoughCountIsTheLikelierOfTwo(t *testing.T) {
	a := &atlas{chips: map[string]chip{"e5": {value: 500}}}
	for _, r := range []struct {
		p    float64
		low  int
		high int
		want money.Cents
	}{{0.6, 1, 2, 500}, {0.4, 1, 2, 1000}, {0.4, 1, 3, 500}, {0.4, 1, 1, 500}, {0, 1, 2, 500}} {
		s := fact.Stack{Chips: []string{"e5"}, Low: r.low, High: r.high, P: r.p, Abstain: "unsure"}
		if got := a.worth(s, place{1, "main"})[0].chips; got.total != r.want {
			t.Errorf("1 of %d to %d with %v: %d, want %d", r.low, r.high, r.p, got.total, r.want)
		}
	}
	s := fact.Stack{Chips: []string{"e5", "e5"}, Low: 1, High: 2, P: 0.4, Abstain: "unsure"}
	if got := a.worth(s, place{1, "main"})[0].chips; got.total != 500 {
		t.Errorf("2 of 1 to 2 with 0.4: %d, want one", got.total)
	}
}

// Chips that came beside others are the same many when all are counted again.
func TestAnotherCountKeepsWhatCame(t *testing.T) {
	both := count{total: 2000, may: []money.Cents{2000, 2500}, alts: []altCount{{2500, 0.7}}}
	both = both.beside(count{total: 1000, alts: []altCount{{1500, 0.02}}})
	again := count{total: 2500, alts: []altCount{{2000, 0.5}}}.keeping(both)
	if again.came != 1000 || !slices.Equal(again.alts, []altCount{{3000, 0.02}}) {
		t.Errorf("counted again: %+v", again)
	}
	if plain := (count{total: 500, alts: []altCount{{1000, 0.5}}}).keeping(count{total: 500}); plain.came != 0 || len(plain.alts) != 1 {
		t.Errorf("where nothing came: %+v", plain)
	}
}

// A pile that topples after the closing call and is put up again is read roughly, here and
// beside where it stood: no chip was withdrawn or laid. What is surely counted otherwise
// was, and so was what stays uncertain to the end of the round.
func TestAToppledPileIsNoChange(t *testing.T) {
	stake, beside := place{2, "cuadro:8-9-11-12"}, place{2, "caballo:8-9"}
	rough := func(total money.Cents) count { return count{total: total, may: []money.Cents{total, total + 500}} }
	seen := func(s float64, p place, c count) happening {
		return happening{kind: chipsSeen, from: at(s), at: at(s), place: p, chips: c}
	}
	call := happening{kind: heard, from: at(2), at: at(2), event: round.Event{Type: round.Announce, Call: "no_va_mas"}}
	ball := happening{kind: heard, from: at(6), at: at(6), event: round.Event{Type: round.Ball}}
	laid := seen(1, stake, count{total: 1500})
	toppled := []happening{laid, call, seen(3, stake, rough(500)), seen(3, beside, rough(1000))}
	upAgain := append(slices.Clone(toppled), seen(5, stake, count{total: 1500}), seen(5, beside, count{}), ball)
	for name, c := range map[string]struct {
		game  *game
		items []happening
		final bool
		want  []money.Cents
	}{
		"put up again":            {&game{course: wheel}, upAgain, false, []money.Cents{1500}},
		"not yet put up":          {&game{course: wheel}, toppled, false, []money.Cents{1500}},
		"never put up":            {&game{course: wheel}, toppled, true, []money.Cents{1500, -1000, 1000}},
		"a chip is gone":          {&game{course: wheel}, append(slices.Clone(toppled), seen(5, stake, count{total: 1000}), ball), false, []money.Cents{1500, -500}},
		"it was surely withdrawn": {&game{course: wheel}, []happening{laid, call, seen(3, stake, count{}), seen(5, stake, count{total: 1500}), ball}, false, []money.Cents{1500, -1500, 1500}},
		"at cards stakes move":    {&game{course: cards}, []happening{call, seen(3, stake, rough(500)), seen(5, stake, count{})}, true, []money.Cents{500, -500}},
		"bets between two throws": {&game{course: dice, point: true}, []happening{call, seen(3, stake, rough(500)), seen(5, stake, count{})}, true, []money.Cents{500, -500}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{g: c.game, final: c.final, sc: &scene{items: c.items}}
			s.lookAtChips()
			var got []money.Cents
			for _, m := range s.moves {
				got = append(got, m.delta)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("moved %v, want %v", got, c.want)
			}
		})
	}
}
