package track_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// hungry are readers that look at fewer pictures than there are; the first looks
// at all that a camera of six a second sends.
var hungry = []struct {
	name string
	how  starvation
}{
	{"all", starvation{}},
	{"slow", starvation{Share: 1, Least: 300 * time.Millisecond, Most: 900 * time.Millisecond}},
	{"now and then", starvation{Share: 0.02, Least: 500 * time.Millisecond, Most: 3 * time.Second}},
	{
		"behind",
		starvation{Share: 0.02, Least: 300 * time.Millisecond, Most: time.Second, Behind: 4 * time.Second},
	},
}

// starved adds up a session of which a reader sees a part. A round that was told
// belongs to the one that was played in the middle of its time.
func starved(t *testing.T, sum *tally, game string, seed uint64, n int, faults float64, how starvation) {
	t.Helper()
	cfg := scriptOf(game, seed)
	cfg.Faults = faults
	s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), n, tracktest.Disorder{Jitter: 1})
	if err != nil {
		t.Fatal(err)
	}
	s = seenRarely(s, how, seed)
	outs := follow(trackerOf(t, game, nil), s)
	sum.hear(outs)
	name := func(f track.Judged) string { return found([]round.Finding{f.Finding})[0] }
	if pushed(game) {
		name = func(f track.Judged) string { return spotless(found([]round.Finding{f.Finding}))[0] }
	}
	for _, r := range rounds(outs) {
		middle := r.Start.Add(r.End.Sub(r.Start) / 2)
		i := max(0, len(s.Starts)-1)
		for i > 0 && s.Starts[i].After(middle) {
			i--
		}
		want := judged(t, books(t), r, s.Rounds[i])
		if pushed(game) {
			want = spotless(want)
		}
		want = slices.DeleteFunc(want, func(w string) bool { return w[:3] == "not" })
		sum.add(want, r, slices.Equal(lines(t, r.Record.Events), lines(t, s.Rounds[i].Record.Events)), name)
	}
}

// A reader that gets too little of the machine costs verified rounds and never
// raises a false alert; one that sees all misses nothing. VISION_TRIAL=all plays
// the full size.
func TestStarvedReaders(t *testing.T) {
	list, sessions, n := append(
		[]string{
			"sic_bo",
			"baccara_dos_panos",
			"treinta_cuarenta",
			"tripoker",
			"poker_con_descarte",
			"omaha_5_circulo",
		},
		thorough...), 1, 4
	if os.Getenv("VISION_TRIAL") == "all" {
		list, sessions, n = games, seedsOr(4), 8
	}
	for _, h := range hungry {
		for kind, faults := range map[string]float64{"clean": 0, "mistakes": 0.6} {
			t.Run(h.name+"/"+kind, func(t *testing.T) {
				sum := newTally()
				for _, game := range list {
					for seed := range uint64(sessions) {
						before := *sum
						starved(t, sum, game, seed, n, faults, h.how)
						if more := sum.strange[len(before.strange):]; len(more) > 0 {
							t.Logf("%s, seed %d: %q", game, seed, more)
						}
					}
				}
				t.Log("\n" + sum.String())
				s := sum.total()
				if s.wrong > 0 || 50*sum.takenBack > sum.raised {
					t.Errorf("%d false alerts; %d of %d alerts are taken back", s.wrong, sum.takenBack, sum.raised)
				}
				if h.name == "all" && (sum.dark > 0 || 100*s.alert < 97*s.want) {
					t.Errorf(
						"%d of %d rounds not verifiable, %d of %d mistakes are alerts",
						sum.dark,
						sum.rounds,
						s.alert,
						s.want,
					)
				}
			})
		}
	}
}
