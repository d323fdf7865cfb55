package track_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// recounted reads the n-th reading of a zone's first stack one chip otherwise,
// from when it stands there on; by is added, and every reading is as sure as p.
func recounted(s *tracktest.Session, zone string, p float64, by func(reading int) int) {
	reading := 0
	for i := range s.Inputs {
		o := s.Inputs[i].Seen
		if o == nil || o.Kind != fact.Stable || o.Zone != zone || len(o.Chips) == 0 {
			continue
		}
		for k := range o.Chips {
			st := &o.Chips[k]
			if n := by(reading); k == 0 && n != 0 {
				st.Chips = append(append([]string(nil), st.Chips...), st.Chips[0])[:len(st.Chips)+n]
			}
			st.P = p
			*st = tracktest.Between(*st, max(1, len(st.Chips)-1), len(st.Chips)+1)
		}
		reading++
	}
}

// paidBeside is the round in which a winning stake of four chips is paid so many beside it.
func paidBeside(t *testing.T, pay int, reading func(*tracktest.Session)) *track.Round {
	t.Helper()
	p := &play{}
	p.lay("seat:1 punto", "e5", 4)
	cards := p.naturalPunto()
	p.lay("seat:1 punto", "e5", pay)
	p.wait(3)
	p.lift(cards...)
	s := session("punto_banco", p)
	reading(s)
	return only(t, follow(trackerOf(t, "punto_banco", nil), s))
}

// A stake that is counted one chip lower when it is laid than when the payment
// lies beside it was counted wrong once: the payment is right. What hangs on
// one of the two counts is a note; what hangs on none is an alert.
func TestStandingStackCountedTwice(t *testing.T) {
	for name, c := range map[string]struct {
		pay   int
		found []finding.Code
	}{"paid right": {4, nil}, "paid double": {8, []finding.Code{finding.PayoutOver}}} {
		t.Run(name, func(t *testing.T) {
			r := paidBeside(t, c.pay, func(s *tracktest.Session) {
				recounted(s, "seat:1 punto", 0.99, func(reading int) int {
					if reading == 0 {
						return -1
					}
					return 0
				})
			})
			if got := codes(r); !slices.Equal(got, c.found) || len(got) > 0 && !r.Findings[0].Alert {
				t.Errorf("findings %+v; want alerts of %v", r.Findings, c.found)
			}
		})
	}
}

// A stake that is read a chip too low as often as it is looked at, by a reader that is all but
// sure, is what it was paid for: the payment beside it was counted by itself.
func TestPaidBesideAStakeThatIsAlwaysMiscounted(t *testing.T) {
	for name, c := range map[string]struct {
		pay   int
		wrong string
	}{"paid right": {4, ""}, "paid double": {8, "payout_over"}} {
		t.Run(name, func(t *testing.T) {
			r := paidBeside(t, c.pay, func(s *tracktest.Session) {
				recounted(s, "seat:1 punto", 0.95, func(int) int { return -1 })
				for i := range s.Inputs { // the payment is counted surely
					if o := s.Inputs[i].Seen; o != nil && o.Zone == "seat:1 punto" && len(o.Chips) > 1 {
						o.Chips[1].P, o.Chips[1].Others = 1, nil
					}
				}
			})
			if got := alerted(r); got != c.wrong {
				t.Errorf("alerts %q, want %q: %+v", got, c.wrong, r.Findings)
			}
		})
	}
}

// alerted are the codes that a round is alerted for.
func alerted(r *track.Round) string {
	var recorded []string
	for _, f := range r.Findings {
		if f.Alert {
			recorded = append(recorded, string(f.Code))
		}
	}
	return strings.Join(recorded, " ")
}

// roughly makes the first stack of a zone, whenever it is read, one of n chips or one more.
func roughly(s *tracktest.Session, zone string, n int) {
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && o.Kind == fact.Stable && o.Zone == zone && len(o.Chips) > 0 {
			st := &o.Chips[0]
			st.Abstain, st.P = "unsure", 0.6
			*st = tracktest.Between(*st, n, n+1)
		}
	}
}

// A payment that lies beside a stake is as much as was counted of it, however many chips
// the stake has: too little for any is too little, and what suits one of them is right.
func TestPaidBesideARoughStake(t *testing.T) {
	for name, c := range map[string]struct {
		pay   int
		wrong string
	}{"too little": {1, "payout_under"}, "for the fewer": {4, ""}, "for the more": {5, ""}, "too much": {7, "payout_over"}} {
		t.Run(name, func(t *testing.T) {
			r := paidBeside(t, c.pay, func(s *tracktest.Session) { roughly(s, "seat:1 punto", 4) })
			if got := alerted(r); got != c.wrong {
				t.Errorf("alerts %q, want %q: %+v", got, c.wrong, r.Findings)
			}
		})
	}
}

// A chip laid on a standing stake after the closing is doubted while it was
// counted once, and believed when the stack is counted so again and again.
func TestChipLaidOnAStandingStack(t *testing.T) {
	for name, times := range map[string]int{"seen once": 0, "seen again": 2} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			stake := p.lay("rojo", "color1", 4)
			other := p.lay("negro", "color2", 2)
			p.call("no_va_mas")
			p.wait(2)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.lift(stake)
			pay := p.lay("seat:2 pay", "e5", 2)
			p.wait(1)
			p.lift(pay, other)
			s := session("ruleta_francesa", p)
			grown := false
			for _, in := range s.Inputs {
				grown = grown || in.Seen != nil && len(in.Seen.Chips) > 1
			}
			if !grown {
				t.Fatal("the stakes were never read together")
			}
			s = nudged(s, "color1", "no_va_mas", times)
			outs := follow(trackerOf(t, "ruleta_francesa", nil), s)
			alert := false
			for _, f := range only(t, outs).Findings {
				alert = alert || f.Code == finding.LateBet && f.Alert
			}
			if alert != (times > 0) {
				t.Errorf("late_bet is an alert: %v; want %v in %+v", alert, times > 0, only(t, outs).Findings)
			}
		})
	}
}

// nudged is a session in which the layout stirs after a call and is read with
// one chip more on the stack of a colour, then so many times more.
func nudged(s *tracktest.Session, colour, call string, times int) *tracktest.Session {
	out := &tracktest.Session{Rounds: s.Rounds, Starts: s.Starts, End: s.End}
	var last fact.Observation
	for _, in := range s.Inputs {
		out.Inputs = append(out.Inputs, in)
		if o := in.Seen; o != nil && len(o.Chips) > 0 {
			for k := range o.Chips {
				st := &o.Chips[k]
				st.P = 0.999
				*st = tracktest.Between(*st, max(1, len(st.Chips)-1), len(st.Chips)+1)
			}
			last = *o
		}
		if in.Heard == nil || in.Heard.Args["call"] != call {
			continue
		}
		more := last
		more.Chips = append([]fact.Stack(nil), last.Chips...)
		for k := range more.Chips {
			if st := &more.Chips[k]; st.Chips[0] == colour {
				st.Chips = append([]string{colour}, st.Chips...)
				*st = tracktest.Between(*st, len(st.Chips)-1, len(st.Chips)+1)
			}
		}
		at := in.Arrives.Add(beat)
		for range times + 1 {
			stir, seen := more, more
			stir.Kind, stir.Chips, stir.Since, stir.Time = fact.MotionStarted, nil, time.Time{}, at
			seen.Since, seen.Time = at.Add(beat), at.Add(2*beat)
			out.Inputs = append(
				out.Inputs,
				tracktest.Input{Arrives: stir.Time, Seen: &stir},
				tracktest.Input{Arrives: seen.Time, Seen: &seen},
			)
			at = at.Add(3 * beat)
		}
	}
	return out
}

// beat is the time between two things that happen in a row.
const beat = 200 * time.Millisecond
