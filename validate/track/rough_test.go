package track_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// Stacks that are counted only roughly and dice that are not read cost records,
// never a false alert.
func TestRoughReadingsRaiseNothing(t *testing.T) {
	for _, game := range thorough {
		t.Run(game, func(t *testing.T) {
			played, dark, exact := 0, 0, 0
			for seed := range uint64(seedsOr(12)) {
				dis := tracktest.Disorder{Jitter: 1, Rough: 0.1, Blurred: 0.1, Covered: 0.1}
				s, err := tracktest.Play(scriptOf(game, seed), tracktest.Zones(game, seats), 10, dis)
				if err != nil {
					t.Fatal(err)
				}
				outs := follow(trackerOf(t, game, nil), s)
				got := rounds(outs)
				if len(got) != len(s.Rounds) {
					t.Fatalf("seed %d: %d rounds told, %d played", seed, len(got), len(s.Rounds))
				}
				for _, a := range alerts(outs) {
					t.Errorf("seed %d: %+v", seed, a)
				}
				for i, r := range got {
					played++
					if r.NotVerifiable != "" {
						dark++
					}
					recorded, truth := lines(t, r.Record.Events), lines(t, s.Rounds[i].Record.Events)
					if slices.Equal(recorded, truth) {
						exact++
					}
					for _, f := range r.Findings {
						if f.Alert && len(s.Rounds[i].Findings) == 0 {
							t.Errorf("seed %d round %d: %+v\n%s", seed, i, f, sideBySide(recorded, truth))
						}
					}
				}
			}
			t.Logf("%d rounds: %d not verifiable, %d records exact", played, dark, exact)
			if 10*dark > played || 2*exact < played {
				t.Errorf(
					"%d rounds: %d not verifiable, %d records exact; want at most a tenth and at least half",
					played,
					dark,
					exact,
				)
			}
		})
	}
}

// A tracker that begins while a round is being played says nothing of that
// round, and nothing wrong of those that follow.
func TestJoiningAPlayedTable(t *testing.T) {
	for _, game := range thorough {
		t.Run(game, func(t *testing.T) {
			verified := 0
			for seed := range uint64(seedsOr(8)) {
				s, err := tracktest.Play(
					scriptOf(game, seed),
					tracktest.Zones(game, seats),
					8,
					tracktest.Disorder{Jitter: 1, Lingers: 0.1 * float64(seed%2)},
				)
				if err != nil {
					t.Fatal(err)
				}
				for _, after := range []time.Duration{0, 4, 9, 12, 14, 16, 19, 25} {
					outs := follow(trackerOf(t, game, nil), joined(s, s.Starts[2].Add(after*time.Second)))
					for _, a := range alerts(outs) {
						t.Fatalf("seed %d, joined %d s after the start of a round: %+v", seed, after, a)
					}
					for _, r := range rounds(outs) {
						if r.NotVerifiable == "" {
							verified++
						}
						for _, f := range r.Findings {
							if f.Alert {
								t.Fatalf(
									"seed %d, joined %d s after the start of a round: %+v in\n%v",
									seed,
									after,
									f,
									lines(t, r.Record.Events),
								)
							}
						}
					}
				}
			}
			if verified == 0 {
				t.Error("no round was verified")
			}
		})
	}
}

// joined is a session as a reader sees it that starts at a time: first what lies
// on the table or moves there, then what happens.
func joined(s *tracktest.Session, at time.Time) *tracktest.Session {
	out := &tracktest.Session{End: s.End}
	lying := map[string]fact.Observation{}
	var names []string
	for _, in := range s.Inputs {
		switch {
		case in.Arrives.After(at):
			out.Inputs = append(out.Inputs, in)
		case in.Seen != nil:
			if _, ok := lying[in.Seen.Zone]; !ok {
				names = append(names, in.Seen.Zone)
			}
			lying[in.Seen.Zone] = *in.Seen
		}
	}
	var first []tracktest.Input
	for _, n := range names {
		o := lying[n]
		if o.Time = at; o.Kind == fact.Stable {
			o.Since = at.Add(-time.Second / 2)
		}
		first = append(first, tracktest.Input{Arrives: at, Seen: &o})
	}
	out.Inputs = append(first, out.Inputs...)
	return out
}

// What the tracker notes of a die that the camera could not read.
func TestUnreadDieIsTakenFromTheCall(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 field", "e5", 1)
	p.call("no_va_mas")
	p.tag += 2
	p.act(script.Act{Dice: []int{3, 1}, Tag: p.tag - 1})
	p.call("total", "points", 4.0)
	p.lay("seat:1 field", "e5", 1)
	p.wait(10)
	s := session("dados_craps", p)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && len(o.Dice) == 2 {
			o.Dice[0].Guesses, o.Dice[0].Abstain = nil, "unsure"
		}
	}
	r := only(t, follow(trackerOf(t, "dados_craps", nil), s))
	if len(r.Findings) > 0 || r.NotVerifiable != "" || !slices.Contains(notes(r), track.NoteCalled) {
		t.Errorf("not verifiable %q, findings %+v, notes %v", r.NotVerifiable, r.Findings, notes(r))
	}
}

// A die that the camera could not read shows what the others leave of the sum that
// was called, at pai gow too; where two were not read nobody knows.
func TestOneUnreadDieIsWhatTheSumLeaves(t *testing.T) {
	total := func(game, call string, sum int, seen ...int) []int {
		p := &play{}
		p.call("hagan_juego")
		zone := map[string]string{"dados_craps": "seat:1 field", "pai_gow_poker": "seat:1 apuesta"}[game]
		p.lay(zone, "e5", 2)
		p.call("no_va_mas")
		faces := slices.Clone(seen)
		for i, f := range seen {
			faces[i] = max(f, 1)
		}
		p.rollDice(faces...)
		if call == "total" {
			p.call(call, "points", float64(sum))
		} else {
			p.call(call, "number", strconv.Itoa(sum))
		}
		p.wait(4)
		s := session(game, p)
		for i := range s.Inputs {
			if o := s.Inputs[i].Seen; o != nil && len(o.Dice) == len(seen) {
				for k, f := range seen {
					if f == 0 {
						o.Dice[k].Guesses, o.Dice[k].Abstain = nil, "unsure"
					}
				}
			}
		}
		var recorded []int
		for _, o := range follow(trackerOf(t, game, nil), s) {
			if l, ok := o.(*track.Live); ok {
				for _, e := range l.Record.Events {
					if e.Type == round.Dice {
						recorded = e.Faces
					}
				}
			}
		}
		return recorded
	}
	for name, c := range map[string]struct {
		game, call string
		sum        int
		seen, want []int
	}{
		"craps":      {"dados_craps", "total", 9, []int{0, 4}, []int{5, 4}},
		"pai gow":    {"pai_gow_poker", "suma_dados", 15, []int{0, 3, 6}, []int{6, 3, 6}},
		"not enough": {"pai_gow_poker", "suma_dados", 17, []int{0, 3, 6}, []int{0, 3, 6}},
		"two unread": {"pai_gow_poker", "suma_dados", 15, []int{0, 0, 6}, []int{0, 0, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := total(c.game, c.call, c.sum, c.seen...); !slices.Equal(got, c.want) {
				t.Errorf("told %v, want %v", got, c.want)
			}
		})
	}
}

// A payment that was counted only roughly is judged by all the amounts that it
// may have: what is wrong with each of them is an alert.
func TestRoughPayment(t *testing.T) {
	for name, c := range map[string]struct {
		faces     []int
		paid      int // chips of five euros, for a stake of four
		low, high int
		abstain   string
		code      finding.Code
		alert     bool
	}{
		"a loser is paid":                 {[]int{4, 3}, 3, 2, 4, "unsure", finding.PayoutToLoser, true},
		"a loser is paid, nothing seen":   {[]int{4, 3}, 3, 0, 0, "occluded", "", false},
		"a winner, perhaps what is due":   {[]int{3, 1}, 3, 2, 4, "unsure", "", false},
		"a winner, too little in any way": {[]int{3, 1}, 2, 1, 3, "unsure", finding.PayoutUnder, true},
		"a winner, too much in any way":   {[]int{3, 1}, 7, 6, 9, "unsure", finding.PayoutOver, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("seat:1 field", "e5", 4)
			p.call("no_va_mas")
			p.tag += 2
			p.act(script.Act{Dice: c.faces, Tag: p.tag - 1})
			p.call("total", "points", float64(c.faces[0]+c.faces[1]))
			p.lay("seat:1 field", "e5", c.paid)
			p.wait(5)
			s := session("dados_craps", p)
			for i := range s.Inputs {
				if o := s.Inputs[i].Seen; o != nil && len(o.Chips) == 2 {
					o.Chips[1].P, o.Chips[1].Abstain = 0.6, c.abstain
					o.Chips[1] = tracktest.Between(o.Chips[1], c.low, c.high)
				}
			}
			outs := follow(trackerOf(t, "dados_craps", nil), s)
			var got []finding.Code
			for _, f := range only(t, outs).Findings {
				if f.Code != finding.LoserNotCollected && f.Code != finding.PayoutMissing {
					got = append(got, f.Code)
				}
				if f.Alert != c.alert {
					t.Errorf("%s: alert %v with p %.2f", f.Code, f.Alert, f.P)
				}
			}
			if want := []finding.Code{c.code}; c.code != "" && !slices.Equal(got, want) ||
				c.code == "" && len(got) > 0 {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}
