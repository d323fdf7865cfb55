package track_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vision/capture/sim/condition"
	"vision/capture/sim/script"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// At the pace of real tables, where people do not wait for one another and pauses are
// long and short, hardly a round is told otherwise than it was played, or raises what
// was not planted. TRACK_SEEDS=n plays n sessions of every game, TRACK_FROM=s from seed
// s on, VISION_TRIAL=show prints what was told otherwise.
func TestRealPaces(t *testing.T) {
	from := uint64(4000)
	if s, err := strconv.ParseUint(os.Getenv("TRACK_FROM"), 10, 64); err == nil {
		from = s
	}
	list := games
	if g := os.Getenv("TRACK_GAMES"); g != "" {
		list = strings.Split(g, ",")
	}
	for _, c := range []struct {
		name       string
		faults     float64
		conditions string
	}{{"house, clean", 0, condition.House}, {"hard, clean", 0, condition.Hard}, {"house, faults", 0.5, condition.House}, {"hard, faults", 0.5, condition.Hard}} {
		t.Run(c.name, func(t *testing.T) {
			set, err := condition.Named(c.conditions)
			if err != nil {
				t.Fatal(err)
			}
			sum, taken, said := newTally(), map[string]int{}, 0
			for _, game := range list {
				for seed := range uint64(max(1, seedsOr(1))) {
					cfg := scriptOf(game, from+seed)
					cfg.Faults, cfg.Pace, cfg.Mishaps = c.faults, set.Pace, set.Mishaps
					paced(t, sum, cfg, 6, taken, &said)
				}
			}
			for _, s := range sum.strange {
				t.Log("false: ", s)
			}
			s := sum.total()
			t.Logf("%s: %d rounds, %d exact, %d not verifiable; %d clean, %d with a false alert; planted %d, alerts %d, notes %d, dark %d, false alerts %d; raised while running and never meant %d; taken back %v",
				c.name, sum.rounds, sum.exact, sum.dark, sum.clean, sum.falseClean, s.want, s.alert, s.note, s.dark, s.wrong, said, taken)
		})
	}
}

// paced plays one session and adds it up.
func paced(t *testing.T, sum *tally, cfg script.Config, n int, taken map[string]int, said *int) {
	t.Helper()
	s, err := tracktest.Play(cfg, tracktest.Zones(cfg.Game, seats), n, readings["fair"])
	if err != nil {
		t.Fatal(err)
	}
	outs, _ := followed(trackerOf(t, cfg.Game, nil), s)
	sum.hear(outs)
	var truths []script.Truth
	var starts []time.Time
	for i, r := range s.Rounds {
		if r.Mishap != script.Abandoned {
			truths, starts = append(truths, r), append(starts, s.Starts[i])
		}
	}
	s.Rounds, s.Starts = truths, starts
	got := rounds(outs)
	if len(got) != len(s.Rounds) {
		t.Logf("%s, seed %d: %d rounds told, %d played", cfg.Game, cfg.Seed, len(got), len(s.Rounds))
	}
	show := os.Getenv("VISION_TRIAL") == "show"
	for i := range min(len(got), len(s.Rounds)) {
		want := judged(t, books(t), got[i], s.Rounds[i])
		name := func(f track.Judged) string { return found([]round.Finding{f.Finding})[0] }
		if pushed(cfg.Game) {
			want = spotless(want)
			name = func(f track.Judged) string { return spotless(found([]round.Finding{f.Finding}))[0] }
		}
		want = slices.DeleteFunc(want, func(w string) bool { return strings.HasPrefix(w, "not_observable") })
		told, played := lines(t, got[i].Record.Events), lines(t, s.Rounds[i].Record.Events)
		exact := slices.Equal(told, played)
		before := len(sum.strange)
		sum.add(want, got[i], exact, name)
		for _, a := range alerts(outs) {
			if a.Round == got[i].Record.ID && s.Rounds[i].Mishap != script.PutRight && a.State == track.Raised && !slices.ContainsFunc(want, func(w string) bool { return amountless(w) == amountless(name(a.Judged)) }) {
				*said++
				taken[a.Code]++
				if show {
					t.Logf("RAISED %s seed %d round %d: %s at %v", cfg.Game, cfg.Seed, i, name(a.Judged), a.At.Sub(s.Starts[i]))
				}
			}
		}
		if show && (!exact || len(sum.strange) > before) {
			t.Logf("%s seed %d round %d, want %v, alerts %v, dark %q\n%s", cfg.Game, cfg.Seed, i, want, sum.strange[before:], got[i].NotVerifiable, aligned(got[i].Record.Events, s.Rounds[i].Record.Events, told, played))
		}
	}
}

// aligned shows two records beside one another, common lines once.
func aligned(a, b []round.Event, told, played []string) string {
	var out strings.Builder
	line := func(mark string, e round.Event, s string) {
		out.WriteString(mark + strconv.FormatFloat(e.T, 'f', 2, 64) + " " + s + "\n")
	}
	n, m := len(told), len(played)
	l := make([][]int, n+1)
	for i := range l {
		l[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if told[i] == played[j] {
				l[i][j] = l[i+1][j+1] + 1
			} else {
				l[i][j] = max(l[i+1][j], l[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && told[i] == played[j]:
			line("  ", a[i], told[i])
			i, j = i+1, j+1
		case j == m || i < n && l[i+1][j] >= l[i][j+1]:
			line("+ ", a[i], told[i])
			i++
		default:
			line("- ", b[j], played[j])
			j++
		}
	}
	return out.String()
}
