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

func seenAt(s float64, p scene.Place, total money.Cents, hands ...string) scene.Event {
	return scene.Event{
		Kind: scene.ChipsSeen, From: at(s - 0.5), At: at(s), Place: p, Chips: scene.Count{Total: total}, Hands: hands,
	}
}

func closing(s float64) scene.Event {
	return scene.Event{
		Kind: scene.Heard, From: at(s), At: at(s), Line: round.Event{Type: round.Announce, Call: "no_va_mas"},
	}
}

func movedOf(s *Narration) (deltas []money.Cents) {
	s.countChips()
	for _, m := range s.Moves {
		deltas = append(deltas, m.Delta)
	}
	return deltas
}

// Where a seat's places are zones of their own nobody sees what fell between them: a pile that is
// counted as before was put up again, also under the cards, and what lay elsewhere meanwhile fell
// from it. A pile that is gone, raised, or not what it was is a movement.
func TestAPileIsPutUpAgainBetweenZones(t *testing.T) {
	stake, beside := scene.Place{Seat: 1, Spot: "punto"}, scene.Place{Seat: 2, Spot: "banca"}
	card := func(s float64) scene.Event { return scene.Event{Kind: scene.CardSeen, From: at(s), At: at(s)} }
	laid, roughly := seenAt(1, stake, 2000), seenAt(5, stake, 1500)
	roughly.Chips.Others = []scene.Worth{{Total: 2000, Odds: 0.5}}
	deal := scene.Course{Kind: scene.ByCards}
	for name, c := range map[string]struct {
		course scene.Course
		pushed bool
		events []scene.Event
		want   []money.Cents
	}{
		"and what fell on another place": {deal, false, []scene.Event{laid, seenAt(3, stake, 500),
			seenAt(3.2, beside, 1000), closing(4), seenAt(5, stake, 2000), seenAt(5.1, beside, 0), card(7)},
			[]money.Cents{2000}},
		"while cards are dealt": {deal, false, []scene.Event{laid, seenAt(3, stake, 500), closing(4), card(6),
			seenAt(8, stake, 2000), card(9)}, []money.Cents{2000}},
		"after the last card": {deal, false, []scene.Event{laid, seenAt(3, stake, 500), closing(4), card(6),
			seenAt(9, stake, 2000)}, []money.Cents{2000, -1500, 1500}},
		"all for one pot, after a card": {scene.Course{Kind: scene.ByCards, Held: true}, false, []scene.Event{laid, card(2),
			seenAt(3, stake, 500), seenAt(5, stake, 2000), card(7)}, []money.Cents{2000, -1500, 1500}},
		"it was gone": {deal, false, []scene.Event{laid, seenAt(3, stake, 0), closing(4), seenAt(5, stake, 2000), card(7)},
			[]money.Cents{2000, -2000, 2000}},
		"counted roughly": {deal, false, []scene.Event{laid, seenAt(3, stake, 500), closing(4), roughly, card(7)},
			[]money.Cents{2000}},
		"it is higher": {deal, false, []scene.Event{laid, seenAt(3, stake, 500), closing(4), seenAt(5, stake, 2500), card(7)},
			[]money.Cents{2000, -1500, 2000}},
		"what came elsewhere stays": {deal, false, []scene.Event{laid, seenAt(3, stake, 500), seenAt(3.2, beside, 1000),
			closing(4), seenAt(5, stake, 2000), card(7)}, []money.Cents{2000, 1000}},
		"on a layout what fell is seen": {scene.Course{Kind: scene.ByWheel}, true, []scene.Event{laid, closing(2),
			seenAt(3, stake, 500), seenAt(5, stake, 2000)}, []money.Cents{2000, -1500, 1500}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{
				Game: &Game{Course: c.course, Paying: Paying{Pushed: c.pushed}}, Scene: &scene.Scene{Events: c.events},
			}}
			if got := movedOf(s); !slices.Equal(got, c.want) {
				t.Errorf("moved %v, want %v", got, c.want)
			}
		})
	}
}

// A bet of rounds before that its owner takes up and lays down again while bets are open is the
// same bet; once they are closed it is not.
func TestABetThatStaysIsTakenUpAndPutBack(t *testing.T) {
	stake := scene.Place{Seat: 3, Spot: "dont_win"}
	taken, back := seenAt(2, stake, 0), seenAt(4, stake, 500)
	for name, c := range map[string]struct {
		events []scene.Event
		want   []money.Cents
	}{
		"while bets are open":    {[]scene.Event{taken, back, closing(5)}, nil},
		"when they were closed":  {[]scene.Event{closing(1), taken, back}, []money.Cents{-500, 500}},
		"not all of it":          {[]scene.Event{taken, seenAt(4, stake, 200), closing(5)}, []money.Cents{-500, 200}},
		"back after the closing": {[]scene.Event{taken, closing(3), back}, []money.Cents{-500, 500}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{
				Game: &Game{Point: true, Course: scene.Course{Kind: scene.ByDice}},
				Held: map[scene.Place]HeldChips{stake: {}},
				Scene: &scene.Scene{
					Events: c.events, Opening: map[scene.Place]scene.Count{stake: {Total: 500}},
				},
			}}
			if got := movedOf(s); !slices.Equal(got, c.want) {
				t.Errorf("moved %v, want %v", got, c.want)
			}
		})
	}
}

// What a player puts where winnings are pushed, an ashtray say, is no payment that nobody can
// count: the payment is what the house pushed there later, at its time.
func TestWhatPlayersPutWhereTheHousePaysIsNoPayment(t *testing.T) {
	pay := scene.Place{Seat: 4, Spot: scene.PaySpot}
	unread := scene.Event{
		Kind: scene.ChipsSeen, From: at(2.5), At: at(3), Place: pay, Chips: scene.Count{Hidden: true, Unread: 1},
	}
	for name, c := range map[string]struct {
		hands []string
		from  float64
		first money.Cents
	}{
		"a player alone":       {[]string{fact.Players}, 8.5, 0},
		"the house":            {[]string{fact.Bank}, 2.5, 25500},
		"both":                 {[]string{fact.Bank, fact.Players}, 2.5, 25500},
		"nobody saw whose arm": {nil, 2.5, 25500},
	} {
		t.Run(name, func(t *testing.T) {
			put := unread
			put.Hands = c.hands
			s := &Narration{Given: Given{
				Game: &Game{Course: scene.Course{Kind: scene.ByWheel}, Paying: Paying{Pushed: true}},
				Scene: &scene.Scene{Events: []scene.Event{
					{Kind: scene.Heard, From: at(1), At: at(1), Line: round.Event{Type: round.Ball}},
					put, seenAt(9, pay, 25500, fact.Bank),
				}},
			}}
			s.countChips()
			last := s.Moves[len(s.Moves)-1]
			if last.Delta != 25500 || !last.From.Equal(at(c.from)) {
				t.Errorf("%v came since %v, want since %v", last.Delta, last.From, at(c.from))
			}
			if got := fit(s.Moves, 25500)[0].Delta; got != c.first {
				t.Errorf("of what is due %v came first, want %v", got, c.first)
			}
		})
	}
}

// A pile that is lower while the round runs, and of which other places have some chips, may have fallen, and
// what is put up after the last card may be no payment: the hypothesis has it so or not. What fell on another
// stake may be taken up under the hands that collect it.
func TestAPileMayHaveFallen(t *testing.T) {
	stake, beside := scene.Place{Seat: 3, Spot: "punto"}, scene.Place{Seat: 4, Spot: "banca"}
	card := func(s float64) scene.Event { return scene.Event{Kind: scene.CardSeen, From: at(s), At: at(s)} }
	hidden := seenAt(6.5, stake, 2000)
	hidden.Chips.Hidden, hidden.Chips.Unread = true, 1
	lay := []scene.Event{seenAt(1, stake, 2000), seenAt(2, beside, 4000), closing(4), card(5)}
	down := []scene.Event{seenAt(7, stake, 500), seenAt(7.2, beside, 5000)}
	up, collected := seenAt(10, stake, 2000), seenAt(10.5, beside, 0)
	for name, c := range map[string]struct {
		final     bool
		events    []scene.Event
		so, stood []money.Cents // with the pile fallen, and without; nil where that is no choice
	}{
		"it lies there still": {false, slices.Concat(lay, down, []scene.Event{card(8)}),
			[]money.Cents{2000, 4000}, []money.Cents{2000, 4000, -1500, 1000}},
		"until the end": {true, slices.Concat(lay, down, []scene.Event{card(8)}),
			nil, []money.Cents{2000, 4000, -1500, 1000}},
		"nothing came elsewhere": {false, slices.Concat(lay, down[:1], []scene.Event{card(8)}),
			nil, []money.Cents{2000, 4000, -1500}},
		"put up, and what fell lies there still": {false, slices.Concat(lay, down, []scene.Event{up, card(11)}),
			[]money.Cents{2000, 4000}, []money.Cents{2000, 4000, 1000}},
		"put up after the last card": {true, slices.Concat(lay, down, []scene.Event{card(8), up, collected}),
			[]money.Cents{2000, 4000, -4000}, []money.Cents{2000, 4000, -1500, 1000, 1500, -5000}},
		"under a hand at first, put up before": {true,
			slices.Concat(lay, []scene.Event{hidden}, down[:1], []scene.Event{up, card(11)}), nil, []money.Cents{2000, 4000}},
	} {
		t.Run(name, func(t *testing.T) {
			events := slices.Clone(c.events)
			for i := range events {
				events[i].Number = i
			}
			tell := func(h hypothesis.Hypothesis) (*Narration, []money.Cents) {
				s := &Narration{Given: Given{
					Game:  &Game{Course: scene.Course{Kind: scene.ByCards}},
					Scene: &scene.Scene{Events: events}, Final: c.final, Hyp: h,
				}}
				return s, movedOf(s)
			}
			s, got := tell(hypothesis.Likeliest)
			if !slices.Equal(got, c.stood) {
				t.Errorf("moved %v, want %v", got, c.stood)
			}
			fell := hypothesis.Choice{Kind: hypothesis.KnockedOver, Item: 4, Place: stake}
			if as := s.Met[fell]; (as != nil) != (c.so != nil) {
				t.Fatalf("the choice has %v", as)
			} else if as != nil {
				if _, got := tell(hypothesis.Likeliest.With(fell, as[0])); !slices.Equal(got, c.so) {
					t.Errorf("if it fell moved %v, want %v", got, c.so)
				}
			}
		})
	}
}
