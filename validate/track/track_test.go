package track_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/capture/sim/script"
	"vision/validate"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

var games = []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"}

const seats = 3

func books(t testing.TB) *rulebook.Books {
	t.Helper()
	b, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func scriptOf(game string, seed uint64) script.Config {
	cfg := script.Config{
		Game: game, Table: "T1", Seed: seed, Seats: seats, Palette: tracktest.Palette(seats), Min: 500, Max: 50000,
	}
	if game == "ruleta_francesa" {
		cfg.Max = 10000
	}
	return cfg
}

func trackerOf(t testing.TB, game string, change func(*track.Config)) *track.Tracker {
	t.Helper()
	s := scriptOf(game, 0)
	cfg := track.Config{
		Table: "T1", Game: game, Norm: script.Norm, Min: s.Min, Max: s.Max, Books: books(t),
		Zones: tracktest.Zones(game, seats), Palette: s.Palette,
	}
	switch game {
	case "punto_banco":
		cfg.Options = map[string]any{"mesa": "mini"}
	case "ruleta_francesa":
		cfg.Options = map[string]any{"panos": 1}
	}
	if change != nil {
		change(&cfg)
	}
	tr, err := track.New(cfg)
	if err != nil {
		t.Skipf("the rules engine does not know %s yet: %v", game, err)
	}
	return tr
}

// follow feeds a session to a tracker as it arrives, with the clock running.
func follow(tr *track.Tracker, s *tracktest.Session) (outs []track.Out) {
	clock := tracktest.Start
	until := func(end time.Time) {
		for clock.Before(end) {
			clock = clock.Add(100 * time.Millisecond)
			outs = append(outs, tr.Advance(clock)...)
		}
	}
	for _, in := range s.Inputs {
		until(in.Arrives)
		if in.Seen != nil {
			tr.Observe(*in.Seen)
		} else {
			tr.Hear(*in.Heard)
		}
	}
	until(s.End.Add(40 * time.Second))
	return outs
}

func rounds(outs []track.Out) (rs []*track.Round) {
	for _, o := range outs {
		if r, ok := o.(*track.Round); ok {
			rs = append(rs, r)
		}
	}
	return rs
}

// lines are the events of a record without times and confidences.
func lines(t testing.TB, events []round.Event) (out []string) {
	t.Helper()
	for _, e := range events {
		e.T, e.Conf = 0, nil
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(raw))
	}
	return out
}

func sideBySide(a, b []string) string {
	var s strings.Builder
	for i := range max(len(a), len(b)) {
		x, y := "", ""
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		mark := " "
		if x != y {
			mark = "≠"
		}
		fmt.Fprintf(&s, "%s %-100s %s\n", mark, x, y)
	}
	return s.String()
}

var disorders = map[string]tracktest.Disorder{
	"perfect": {},
	"jitter":  {Jitter: 1, Twice: 0.1},
	"late":    {Jitter: 1, LateCalls: 0.5, Twice: 0.1},
	"unread":  {Jitter: 1, Reread: 0.3},
	"covered": {Jitter: 1, Covered: 0.15},
	"all":     {Jitter: 1, LateCalls: 0.3, Reread: 0.2, Covered: 0.1, Twice: 0.1},
}

// Clean rounds give exactly the record that was played, and no finding.
func TestCleanRoundsAreToldExactly(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 3
	}
	for _, game := range games {
		for name, dis := range disorders {
			t.Run(game+"/"+name, func(t *testing.T) {
				for seed := range uint64(seeds) {
					s, err := tracktest.Play(scriptOf(game, seed), tracktest.Zones(game, seats), 8, dis)
					if err != nil {
						t.Fatal(err)
					}
					outs := follow(trackerOf(t, game, nil), s)
					got := rounds(outs)
					if len(got) != len(s.Rounds) {
						t.Fatalf("seed %d: %d rounds told, %d played", seed, len(got), len(s.Rounds))
					}
					for i, r := range got {
						if r.NotVerifiable != "" {
							t.Fatalf("seed %d round %d: not verifiable: %s", seed, i, r.NotVerifiable)
						}
						a, b := lines(t, r.Record.Events), lines(t, s.Rounds[i].Record.Events)
						if !slices.Equal(a, b) || len(r.Verdict.Findings) > 0 {
							t.Fatalf("seed %d round %d: told | played\n%s\nfindings %+v\nsettlement %+v", seed, i, sideBySide(a, b), r.Findings, r.Verdict.Settlement)
						}
					}
					for _, o := range outs {
						switch o := o.(type) {
						case *track.Alert, *track.Variance, *track.Note:
							t.Fatalf("seed %d: %+v", seed, o)
						}
					}
				}
			})
		}
	}
}

// Every fault is found with its seat and spot, and nothing else is.
func TestFaultsAreFound(t *testing.T) {
	for _, game := range games {
		for _, fault := range script.FaultsOf(game) {
			t.Run(game+"/"+string(fault), func(t *testing.T) {
				played := 0
				for seed := range uint64(6) {
					cfg := scriptOf(game, seed)
					cfg.Faults, cfg.Only = 0.5, []script.Fault{fault}
					s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), 8, tracktest.Disorder{Jitter: 1, LateCalls: 0.2})
					if err != nil {
						t.Fatal(err)
					}
					outs := follow(trackerOf(t, game, nil), s)
					got := rounds(outs)
					if len(got) != len(s.Rounds) {
						t.Fatalf("seed %d: %d rounds told, %d played", seed, len(got), len(s.Rounds))
					}
					for i, r := range got {
						played += len(s.Rounds[i].Findings)
						if want, have := claimed(s.Rounds[i]), found(r, s.Rounds[i]); !slices.Equal(want, have) {
							t.Fatalf("seed %d round %d: want %v, found %v\n%s\n%+v", seed, i, want, have,
								sideBySide(lines(t, r.Record.Events), lines(t, s.Rounds[i].Record.Events)), r.Findings)
						}
					}
				}
				if played == 0 {
					t.Error("the fault was never played: more seeds needed")
				}
			})
		}
	}
}

func claimed(tr script.Truth) (out []string) {
	for _, f := range tr.Findings {
		out = append(out, fmt.Sprint(f.Code, " ", f.Seat, f.Spot, f.Zone))
	}
	slices.Sort(out)
	return out
}

// found are the findings of a round, as far as the truth claims them.
func found(r *track.Round, tr script.Truth) (out []string) {
	for _, f := range r.Findings {
		seat, spot, zone := f.Seat, f.Spot, f.Zone
		for _, c := range tr.Findings {
			if c.Code != f.Code {
				continue
			}
			if c.Seat == 0 {
				seat = 0
			}
			if c.Spot == "" {
				spot = ""
			}
			if c.Zone == "" {
				zone = ""
			}
		}
		out = append(out, fmt.Sprint(f.Code, " ", seat, spot, zone))
	}
	slices.Sort(out)
	return out
}
