package narrate

import (
	"fmt"
	"testing"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// uncountedStakes is a round of a wheel in which somebody laid some stakes that nobody could count
// and as many of different worth that were counted. Everything suits its rules.
func uncountedStakes(tb testing.TB, n int) (s *Narration, narrated *int) {
	tb.Helper()
	g, err := GameByCode("ruleta_francesa")
	if err != nil {
		tb.Fatal(err)
	}
	sc := &scene.Scene{Course: &g.Course}
	add := func(e scene.Event, second float64) {
		e.Number, e.From, e.At = len(sc.Events), at(second), at(second)
		sc.Events = append(sc.Events, e)
	}
	for i := range n {
		place := func(spot string, c scene.Count) {
			add(scene.Event{Kind: scene.ChipsSeen, Place: scene.Place{Seat: 1, Spot: fmt.Sprint(spot, i)}, Chips: c}, float64(i))
		}
		place("uncounted", scene.Count{Hidden: true, Unread: 1})
		place("counted", scene.Count{Total: money.Cents(500 + 700*i)})
	}
	add(scene.Event{Kind: scene.Heard, Line: round.Event{Type: round.Announce, By: "croupier", Call: "no_va_mas"}}, float64(n+1))
	add(scene.Event{Kind: scene.Heard, Line: round.Event{Type: round.Ball, Pocket: "7"}}, float64(n+2))
	narrated = new(int)
	s = &Narration{Given: Given{
		Game: g, Scene: sc, Final: true, Base: round.Record{Table: round.Table{Min: 500}},
		Check: func(*round.Record) (round.Verdict, error) { *narrated++; return round.Verdict{}, nil },
	}}
	s.Run()
	if len(s.UncountedBets()) != n {
		tb.Fatalf("%d bets that nobody could count, want %d", len(s.UncountedBets()), n)
	}
	return s, narrated
}

// However many stakes nobody could count, and however many others suggest what they are, the rules
// are asked a bounded number of times.
func TestStakesThatNobodyCountedTakeBoundedWork(t *testing.T) {
	for n := range 30 {
		s, narrated := uncountedStakes(t, n)
		each := *narrated
		s.Implied()
		if asked := *narrated - each; asked > maxImplied*(maxAmounts+4)*(each+1) {
			t.Errorf("of %d stakes the rules were asked %d times, %d in one narration", n, asked, each)
		}
	}
}

// What nobody could count is no bet where the rules find more with any than with none: an ashtray, say.
func TestNothingFollowsThatIsWorseThanNoBet(t *testing.T) {
	for without, want := range []money.Cents{0, 500, 500} {
		s, _ := uncountedStakes(t, 1)
		p := s.UncountedBets()[0]
		s.Check = func(r *round.Record) (v round.Verdict, _ error) {
			n := without
			for _, e := range r.Events {
				if e.Type == round.Bet && e.Spot == p.Spot {
					if n = 2; e.Amount == 500 {
						n = 1
					}
				}
			}
			v.Findings = make([]round.Finding, n)
			return v, nil
		}
		if got := s.Implied()[p]; got != want {
			t.Errorf("with %d findings without a bet %v follows, want %v", without, got, want)
		}
	}
}

func BenchmarkStakesThatNobodyCounted(b *testing.B) {
	for _, n := range []int{1, maxImplied, 24} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, _ := uncountedStakes(b, n)
			for b.Loop() {
				s.Implied()
			}
		})
	}
}
