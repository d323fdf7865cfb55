package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// While bets are open a player takes his stake up and lays the same chips down again:
// nothing came of it. What he does not lay again, or not all of it, he withdrew.
func TestAStakeIsTakenUpAndLaidAgain(t *testing.T) {
	for name, c := range map[string]struct {
		again int
		want  []round.Type
	}{
		"all of it":  {4, []round.Type{round.Bet}},
		"a part":     {2, []round.Type{round.Bet, round.Withdraw, round.Bet}},
		"none of it": {0, []round.Type{round.Bet, round.Withdraw}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			stake := p.lay("seat:1 punto", "e5", 4)
			p.wait(1)
			p.lift(stake)
			p.wait(2)
			if c.again > 0 {
				p.lay("seat:1 punto", "e5", c.again)
			}
			p.lay("seat:2 banca", "e5", 4)
			cards := p.naturalPunto()
			p.wait(1)
			p.lift(cards...)
			r := only(t, perform(t, "punto_banco", nil, p))
			var got []round.Type
			for _, e := range r.Record.Events {
				if e.Seat == 1 && (e.Type == round.Bet || e.Type == round.Withdraw) {
					got = append(got, e.Type)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("told %v, want %v", got, c.want)
			}
		})
	}
}

// A croupier collects while his arm lies over the layout, on the way to push a player's
// winnings, and the layout is at rest only after the push: which was first nobody saw, and
// nothing is reported of it. Where the bet was seen to lie there after the push, it was left.
func TestCollectedUnderTheArmThatPays(t *testing.T) {
	for name, seen := range map[string]bool{"nobody saw": false, "it was seen lying there": true} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("docena:3", "color1", 4)
			first := p.lay("falta", "color2", 4)
			last := p.lay("docena:1", "color3", 4)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "30"})
			p.call("number", "number", "30", "color", "rojo", "parity", "par", "half", "pasa")
			p.wait(2)
			p.lift(first)
			p.wait(2)
			push := p.lay("seat:1 pay", "e5", 8)
			pushed := p.now
			p.lift(last)
			p.wait(3)
			p.lift(push)
			s := session("ruleta_americana", p)
			start := s.Starts[0]
			for i := range s.Inputs {
				o := s.Inputs[i].Seen
				if o == nil || o.Kind != fact.MotionStarted || o.Zone != "layout" || seen {
					continue
				}
				if at := o.Time.Sub(start).Seconds(); at > pushed && at < pushed+1 {
					early := *o
					early.Time = start.Add(time.Duration((pushed - 0.5) * float64(time.Second)))
					s.Inputs[i] = tracktest.Input{Arrives: early.Time, Seen: &early}
				}
			}
			slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
			r := only(t, follow(trackerOf(t, "ruleta_americana", nil), s))
			if got := slices.Contains(codes(r), finding.PaidBeforeCollect); got != seen {
				t.Errorf("findings %v", codes(r))
			}
		})
	}
}

// A pile that topples while the bets are closed, so that a heap of which nobody knows how many
// chips it has lies beside it, and is put up again is neither a late withdrawal nor a late bet.
// Chips that are gone when the ball has fallen were withdrawn, and so were those that nobody
// saw beside.
func TestAPileThatTopplesAndIsPutUpAgain(t *testing.T) {
	for name, c := range map[string]struct {
		again int
		heap  bool
		want  []finding.Code
	}{
		"all of it":          {2, true, nil},
		"none":               {0, true, []finding.Code{finding.LateWithdrawal}},
		"and no heap beside": {2, false, []finding.Code{finding.LateWithdrawal, finding.LateBet}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("docena:1", "color1", 1)
			fallen := p.lay("docena:1", "color1", 2)
			p.call("no_va_mas")
			p.wait(1)
			p.tag += 2
			heap, put := p.tag-1, p.tag
			topples, up := script.Act{Lift: []int{fallen}}, script.Act{}
			if c.heap {
				topples.Piles = []script.Pile{{Tag: heap, Zone: "pleno:5", Chips: script.Alike("color1", 1)}}
				up.Lift = []int{heap}
			}
			if c.again > 0 {
				up.Piles = []script.Pile{{Tag: put, Zone: "docena:1", Slot: 1, Chips: script.Alike("color1", c.again)}}
			}
			p.act(topples)
			p.wait(2)
			p.act(up)
			p.wait(2)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.wait(4)
			s := session("ruleta_americana", p)
			for i := range s.Inputs {
				o := s.Inputs[i].Seen
				if o == nil || o.Zone != "layout" || len(o.Chips) != 2 || len(o.Chips[0].Chips)+len(o.Chips[1].Chips) != 2 {
					continue
				}
				heaped := 0
				if o.Chips[1].At[1] < o.Chips[0].At[1] { // the numbers lie above the dozens
					heaped = 1
				}
				st := &o.Chips[heaped]
				st.Abstain, st.P = "unsure", 0.45
				*st = tracktest.Between(*st, 1, 3)
			}
			var got []finding.Code
			for _, code := range codes(only(t, follow(trackerOf(t, "ruleta_americana", nil), s))) {
				if code == finding.LateBet || code == finding.LateWithdrawal {
					got = append(got, code)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}
