package script

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"vision/internal/lab/sim/condition"
	"vision/validate/round"
)

func paceOf(t *testing.T, name string) condition.Pace {
	t.Helper()
	s, err := condition.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return s.Pace
}

// written is a record's events, one a line.
func written(rec round.Record) (s string) {
	for i, e := range rec.Events {
		raw, _ := json.Marshal(e)
		s += fmt.Sprintf("%3d %s\n", i, raw)
	}
	return s
}

// timeless is a round without its times, as JSON.
func timeless(t *testing.T, r Round) string {
	t.Helper()
	r.Length = 0
	r.Acts = slices.Clone(r.Acts)
	for i := range r.Acts {
		r.Acts[i].At = 0
	}
	r.Truth.Record.Events = slices.Clone(r.Truth.Record.Events)
	for i := range r.Truth.Record.Events {
		r.Truth.Record.Events[i].T = 0
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Cards, bets, faults and the order of all that happens are a seed's own: conditions
// change nothing but the times.
func TestPaceChangesTimesAlone(t *testing.T) {
	for _, name := range []string{condition.House, condition.Hard} {
		for _, game := range allGames {
			for seed := range uint64(3) {
				even := newGame(t, Config{Game: game, Seed: seed, Faults: 0.5, Mixed: 0.3})
				real := newGame(t, Config{Game: game, Seed: seed, Faults: 0.5, Mixed: 0.3, Pace: paceOf(t, name)})
				for n := range 12 {
					a, b := even.Next(), real.Next()
					if x, y := timeless(t, a), timeless(t, b); x != y {
						t.Fatalf("%s, %s, seed %d, round %d:\n%s\n%s", name, game, seed, n, x, y)
					}
				}
			}
		}
	}
}

// Under every pace time runs on, also that of the calls and of the record; an act and
// its events are of one moment; nothing is lifted that does not lie there or laid where
// something lies, and all has lain long enough to be seen. So with mishaps.
func TestPacedActsAreConsistent(t *testing.T) {
	for _, name := range []string{condition.House, condition.Hard} {
		for _, game := range allGames {
			for seed := range uint64(4) {
				g := newGame(t, Config{Game: game, Seed: 20 + seed, Faults: 0.3, Mishaps: 0.5, Pace: paceOf(t, name)})
				lying := map[int]string{}
				for range 12 {
					checkPaced(t, game, g.Next(), lying)
				}
			}
		}
	}
}

func checkPaced(t *testing.T, game string, r Round, lying map[int]string) {
	t.Helper()
	last, laid := 0.0, map[int]float64{}
	moments := []float64{}
	for _, a := range r.Acts {
		if a.At < last || a.At > r.Length {
			t.Fatalf("%s: an act at %.3f after %.3f of %.3f", game, a.At, last, r.Length)
		}
		last = a.At
		moments = append(moments, a.At)
		apply(t, game, lying, a)
		for _, tag := range a.Lift {
			if at, ok := laid[tag]; ok && a.At-at < dwell-tick && r.Truth.Mishap != PutRight {
				t.Fatalf("%s: tag %d lies for %.2f s only", game, tag, a.At-at)
			}
		}
		for _, tag := range a.laid() {
			laid[tag] = a.At
		}
	}
	before := 0.0
	for i, e := range r.Truth.Record.Events {
		if e.T < before {
			t.Fatalf("%s: event %d at %.3f after %.3f\n%s", game, i, e.T, before, written(r.Truth.Record))
		}
		before = e.T
		own := slices.ContainsFunc(moments, func(at float64) bool { return e.T > at-2*tick && e.T <= at+1e-9 })
		if moved := e.Type == round.Bet || e.Type == round.Pay || e.Type == round.Collect ||
			e.Type == round.CardDealt; moved &&
			!own {
			t.Fatalf("%s: event %d at %.3f is of no act (mishap %q)\n%s", game, i, e.T, r.Truth.Mishap, written(r.Truth.Record))
		}
	}
}

// Pauses are log-normal about the script's over the croupier's pace, but for their
// ends: normal numbers within 2.5 deviations deviate by 0.955 of what all do.
func TestPauses(t *testing.T) {
	const n, script = 40000, 8.0
	for _, p := range []condition.Pace{{Spread: 0.25}, {Spread: 0.45},
		{Spread: 0.45, Croupier: condition.Span{0.8, 1.2}}} {
		w := newTempo(p, 5)
		logs := make([]float64, n)
		sum, squares := 0.0, 0.0
		for i := range logs {
			x := w.pause(script)
			if least, most := script*math.Exp(-widest*p.Spread)/w.quick, script*math.Exp(widest*p.Spread)/w.quick; x < max(
				least,
				shortest*script,
			)-1e-9 ||
				x > most+1e-9 {
				t.Fatalf("%+v: a pause of %.2f s", p, x)
			}
			logs[i] = math.Log(x / script)
			sum, squares = sum+logs[i], squares+logs[i]*logs[i]
		}
		slices.Sort(logs)
		median, deviation := math.Exp(logs[n/2])*w.quick, math.Sqrt(squares/n-sum/n*sum/n)
		t.Logf("%+v: pace %.2f, median %.3f of the script's, deviation %.3f", p, w.quick, median, deviation)
		if math.Abs(median-1) > 0.02 || math.Abs(deviation/(0.955*p.Spread)-1) > 0.04 {
			t.Errorf("%+v: median %.3f, deviation %.3f", p, median, deviation)
		}
	}
	if w := newTempo(condition.Pace{Spread: 0.65, Croupier: condition.Span{0.5, 2}}, 1); w.pause(0.3) < 0.3 {
		t.Error("a short pause got shorter")
	}
}

// Each table has a croupier of its own, over all of the span.
func TestCroupiersDiffer(t *testing.T) {
	span := condition.Span{0.6, 1.6}
	low, high := 9.0, 0.0
	for seed := range uint64(300) {
		w := newTempo(condition.Pace{Croupier: span}, seed)
		low, high = min(low, w.quick), max(high, w.quick)
	}
	if low < 0.6 || low > 0.65 || high > 1.6 || high < 1.55 {
		t.Errorf("paces from %.2f to %.2f of %v", low, high, span)
	}
	if newTempo(condition.Pace{Overlap: 1}, 1) != nil {
		t.Error("an even pace draws pauses")
	}
}

// Acts of two people come at one moment, about as often as is asked for (where hands leave
// no time for it they do not), and none across a call.
func TestOverlap(t *testing.T) {
	together := func(share float64) (n int) {
		for _, game := range allGames {
			g := newGame(t, Config{Game: game, Seed: 31, Pace: condition.Pace{Overlap: share}})
			for range 12 {
				r := g.Next()
				for i := 1; i < len(r.Acts); i++ {
					a, b := r.Acts[i-1], r.Acts[i]
					if a.Who == Nobody || b.Who == Nobody || a.Who == b.Who || b.At-a.At > 0.45 || b.At == a.At {
						continue
					}
					n++
					if len(a.Cards)+len(b.Cards)+len(a.Dice)+len(b.Dice) > 0 {
						t.Errorf("%s: cards or dice at the same moment as another's act: %+v %+v", game, a, b)
					}
				}
			}
		}
		return n
	}
	none, some, all := together(0), together(0.4), together(1)
	t.Logf("acts together with another's: %d at share 0, %d at 0.4, %d at 1", none, some, all)
	if none > 0 || all < 300 || math.Abs(float64(some)/float64(all)-0.4) > 0.15 {
		t.Errorf("%d, %d, %d", none, some, all)
	}
}

// Bets are open from the call to the close, where they are called.
func TestOpen(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa", "tripoker", "holdem_circulo"} {
		g := newGame(t, Config{Game: game, Seed: 2})
		for range 8 {
			r := g.Next()
			from, to := r.Open()
			if game == "holdem_circulo" {
				if from != 0 || to != 0 {
					t.Fatalf("%s: open from %v to %v", game, from, to)
				}
				continue
			}
			if to <= from {
				t.Fatalf("%s: open from %v to %v", game, from, to)
			}
			for _, a := range r.Acts {
				if in := a.At >= from && a.At < to; in && len(a.Cards)+len(a.Dice) > 0 {
					t.Fatalf("%s: cards or dice at %v, open from %v to %v", game, a.At, from, to)
				}
			}
		}
	}
}
