package narrate

import (
	"slices"
	"testing"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// Two chips that may be one are one when the house has been there after the cards:
// they may have been two, of which it took one. What hangs on them is no alert, nor
// what is due to the bank that plays against all.
func TestARoughStakeOfWhichAPartMayBeCollected(t *testing.T) {
	stake := scene.Place{Seat: 3, Spot: "raya:2"}
	for name, c := range map[string]struct {
		hands []string
		may   []scene.Worth
		held  bool // all play for one pot
		want  bool
	}{
		"the house was there":       {hands: []string{fact.Bank}, may: []scene.Worth{{Total: 5000, Odds: 1}}, want: true},
		"both were there":           {hands: []string{fact.Players, fact.Bank}, may: []scene.Worth{{Total: 5000, Odds: 1}}, want: true},
		"only players were there":   {hands: []string{fact.Players}, may: []scene.Worth{{Total: 5000, Odds: 1}}},
		"it had been counted":       {hands: []string{fact.Bank}},
		"stakes that go to one pot": {hands: []string{fact.Bank}, may: []scene.Worth{{Total: 5000, Odds: 1}}, held: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{
				Given: Given{
					Game: &Game{Course: scene.Course{Held: c.held}, Paying: Paying{Bank: []string{"banca"}}},
					Scene: &scene.Scene{Events: []scene.Event{
						{
							Kind:  scene.ChipsSeen,
							From:  at(1),
							At:    at(1),
							Place: stake,
							Chips: scene.Count{Total: 2500, Others: c.may},
						},
						{Kind: scene.CardSeen, From: at(2), At: at(2)},
						{
							Kind:  scene.ChipsSeen,
							From:  at(3),
							At:    at(3),
							Place: stake,
							Chips: scene.Count{Total: 2500},
							Hands: c.hands,
						},
					}},
				},
			}
			s.countChips()
			if s.Rough[stake.Seat] != c.want {
				t.Errorf("the stake is rough: %v, want %v", s.Rough[stake.Seat], c.want)
			}
			if got := s.AnyRough(); got != c.want {
				t.Errorf("some stake is rough: %v, want %v", got, c.want)
			}
		})
	}
}

// A payment of one hundred to four and of two chips or three of 25 was no 300,
// whoever takes it up and however soon: what he took is what lay there.
func TestChipsThatAreTakenUpAreThoseThatLay(t *testing.T) {
	may := []money.Cents{15000, 17500, 25000, 27500, 35000, 37500, 45000, 47500}
	paid := Move{Delta: 45000, before: []money.Cents{0}, after: may}
	for name, c := range map[string]struct {
		moves   []Move
		want    money.Cents
		changes []money.Cents
	}{
		"no 300": {[]Move{paid}, 30000, []money.Cents{45000}},
		"no 300, taken up": {[]Move{paid, {Delta: -45000, before: may, after: []money.Cents{0}}}, 30000,
			[]money.Cents{45000, -45000}},
		"a 350": {[]Move{paid}, 35000, []money.Cents{35000}},
		"a 350, taken up": {[]Move{paid, {Delta: -45000, before: may, after: []money.Cents{0}}}, 35000,
			[]money.Cents{35000, -35000}},
		"one chip more laid with it": {[]Move{paid, {Delta: 5000, before: may, after: []money.Cents{40000, 50000}}}, 40000, []money.Cents{45000, -5000}},
		"a stake that was taken":     {[]Move{{Delta: -45000, before: may, after: []money.Cents{0}}}, -35000, []money.Cents{-35000}},
	} {
		t.Run(name, func(t *testing.T) {
			got := fit(c.moves, c.want)
			for i, m := range got {
				if m.Delta != c.changes[i] {
					t.Errorf("movement %d of %v, want %v", i, m.Delta, c.changes[i])
				}
			}
		})
	}
}

// A pile that topples after the closing call and is put up again is read roughly, here and
// beside where it stood: no chip was withdrawn or laid. What is surely counted otherwise
// was, and so was what stays uncertain to the end of the round.
func TestAToppledPileIsNoChange(t *testing.T) {
	stake, beside := scene.Place{Seat: 2, Spot: "cuadro:8-9-11-12"}, scene.Place{Seat: 2, Spot: "caballo:8-9"}
	rough := func(total money.Cents) scene.Count {
		return scene.Count{Total: total, Others: []scene.Worth{{Total: total + 500, Odds: 1}}}
	}
	seen := func(s float64, p scene.Place, c scene.Count) scene.Event {
		return scene.Event{Kind: scene.ChipsSeen, From: at(s), At: at(s), Place: p, Chips: c}
	}
	call := scene.Event{
		Kind: scene.Heard,
		From: at(2),
		At:   at(2),
		Line: round.Event{Type: round.Announce, Call: "no_va_mas"},
	}
	ball := scene.Event{Kind: scene.Heard, From: at(6), At: at(6), Line: round.Event{Type: round.Ball}}
	laid := seen(1, stake, scene.Count{Total: 1500})
	toppled := []scene.Event{laid, call, seen(3, stake, rough(500)), seen(3, beside, rough(1000))}
	upAgain := append(
		slices.Clone(toppled),
		seen(5, stake, scene.Count{Total: 1500}),
		seen(5, beside, scene.Count{}),
		ball,
	)
	for name, c := range map[string]struct {
		game  *Game
		items []scene.Event
		final bool
		want  []money.Cents
	}{
		"put up again":   {&Game{Course: scene.Course{Kind: scene.ByWheel}}, upAgain, false, []money.Cents{1500}},
		"not yet put up": {&Game{Course: scene.Course{Kind: scene.ByWheel}}, toppled, false, []money.Cents{1500}},
		"never put up":   {&Game{Course: scene.Course{Kind: scene.ByWheel}}, toppled, true, []money.Cents{1500, -1000, 1000}},
		"a chip is gone": {&Game{Course: scene.Course{Kind: scene.ByWheel}},
			append(slices.Clone(toppled), seen(5, stake, scene.Count{Total: 1000}), ball), false, []money.Cents{1500, -500}},
		"it was surely withdrawn": {&Game{Course: scene.Course{Kind: scene.ByWheel}},
			[]scene.Event{laid, call, seen(3, stake, scene.Count{}), seen(5, stake, scene.Count{Total: 1500}),
				ball}, false, []money.Cents{1500, -1500, 1500}},
		"at cards stakes move": {&Game{Course: scene.Course{Kind: scene.ByCards}},
			[]scene.Event{call, seen(3, stake, rough(500)), seen(5, stake, scene.Count{})}, true, []money.Cents{500, -500}},
		"bets between two throws": {&Game{Point: true, Course: scene.Course{Kind: scene.ByDice}},
			[]scene.Event{call, seen(3, stake, rough(500)), seen(5, stake, scene.Count{})}, true, []money.Cents{500, -500}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Game: c.game, Final: c.final, Scene: &scene.Scene{Events: c.items}}}
			s.countChips()
			var got []money.Cents
			for _, m := range s.Moves {
				got = append(got, m.Delta)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("moved %v, want %v", got, c.want)
			}
		})
	}
}

// What came beside uncounted chips where none had been counted is put right there, and nowhere else.
func TestABetterCountWhereNothingWasCounted(t *testing.T) {
	stake, paid := scene.Place{Seat: 1, Spot: "rojo"}, scene.PayPlace(2)
	chips := func(s float64, p scene.Place, c scene.Count) scene.Event {
		return scene.Event{Kind: scene.ChipsSeen, From: at(s), At: at(s), Place: p, Chips: c}
	}
	s := &Narration{Given: Given{Game: &Game{Course: scene.Course{Kind: scene.ByWheel}}, Scene: &scene.Scene{
		Events: []scene.Event{
			chips(1, stake, scene.Count{Total: 1000}),
			{Kind: scene.Heard, From: at(2), At: at(2), Line: round.Event{Type: round.Ball}},
			chips(3, paid, scene.Count{Hidden: true, Unread: 1, Beside: 500}),
			chips(4, paid, scene.Count{Total: 500, Others: []scene.Worth{{Total: 1000, Odds: 1}}}),
			chips(5, paid, scene.Count{Total: 1000}),
		},
	}}}
	s.countChips()
	if len(s.Moves) == 0 || s.Moves[0].Place != stake || s.Moves[0].Delta != 1000 {
		t.Errorf("moved %+v, want first 1000 on %v", s.Moves, stake)
	}
}

// A stack that is read as it was before a hand covered it is what it was, also where it was misread.
func TestACountAsBeforeIsTheSame(t *testing.T) {
	p := scene.Place{Seat: 3, Spot: "flop"}
	covered := scene.Count{Total: 4500, Hidden: true, Occluded: true}
	s := &Narration{Given: Given{Game: &Game{}, Scene: &scene.Scene{Events: []scene.Event{
		{Number: 0, Kind: scene.ChipsSeen, From: at(1), At: at(1), Place: p, Chips: scene.Count{Total: 4500}},
		{Number: 1, Kind: scene.ChipsSeen, From: at(2), At: at(2), Place: p, Chips: covered},
		{Number: 2, Kind: scene.ChipsSeen, From: at(3), At: at(3), Place: p, Chips: scene.Count{Total: 4500}},
		{Number: 3, Kind: scene.ChipsSeen, From: at(5), At: at(5), Place: p, Chips: scene.Count{}},
	}}}}
	misread := hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: 0}
	s.Hyp = hypothesis.Likeliest.With(misread, hypothesis.Alternative{Odds: 0.01, Total: 4000})
	s.countChips()
	var got []money.Cents
	for _, m := range s.Moves {
		got = append(got, m.Delta)
	}
	if want := []money.Cents{4000, -4000}; !slices.Equal(got, want) {
		t.Errorf("movements of %v, want %v", got, want)
	}
}

// Of several stacks on one place each may be misread by a chip, however often others were looked at.
func TestEachOfSeveralStacksMayBeMisread(t *testing.T) {
	for name, c := range map[string]struct {
		others []scene.Worth
		want   int
	}{
		"of two stacks":      {[]scene.Worth{{Total: 6000, Odds: 3e-4}, {Total: 3000, Odds: 3e-4}, {Total: 4000, Odds: 3e-4}}, 3},
		"one less likely":    {[]scene.Worth{{Total: 4000, Odds: 3e-4}, {Total: 3000, Odds: 3e-4}, {Total: 6000, Odds: 2e-4}}, 3},
		"none":               {nil, 0},
		"if it is unchanged": {[]scene.Worth{{Total: 4000, Odds: 3e-4}, {Total: 3000, Odds: 0.1, Unchanged: true}}, 2},
	} {
		h := &scene.Event{Kind: scene.ChipsSeen, Chips: scene.Count{Total: 3500, Others: c.others}}
		if got := (&Narration{}).miscounted(h, nil); len(got) != c.want {
			t.Errorf("%s: alternatives %+v, want %d", name, got, c.want)
		}
	}
}
