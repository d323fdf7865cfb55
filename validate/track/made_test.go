package track_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
	"vision/internal/wilson"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// Seeds of made rounds: those by which something is chosen, and those by which it is
// measured. Fresh ones (TRACK_FROM) are above both.
const (
	fitSeeds  = 20000
	testSeeds = 30000
)

// made is how many rounds of which games are made with what noise.
type made struct {
	from, seeds uint64
	rounds      int
	games       []string
	noise       tracktest.Disorder
	racks       bool // of the tables that have one the rack is read
}

// madeBy is what the environment asks for: TRACK_FROM and TRACK_SEEDS are the seeds,
// TRACK_GAMES and TRACK_PARTS restrict games and noise (names with commas).
func madeBy() made {
	split := func(name string) []string {
		return strings.FieldsFunc(os.Getenv(name), func(r rune) bool { return r == ',' })
	}
	m := made{
		from: testSeeds, seeds: uint64(max(1, seedsOr(1))), rounds: 6, games: split("TRACK_GAMES"),
		noise: tracktest.Real().Only(split("TRACK_PARTS")...),
	}
	if s, err := strconv.ParseUint(os.Getenv("TRACK_FROM"), 10, 64); err == nil {
		m.from = s
	}
	if len(m.games) == 0 {
		if m.games = games; os.Getenv("TRACK_SEEDS") == "" {
			m.games = []string{"blackjack", "dados_craps", "ruleta_americana", "poker_holdem_bonus"}
		}
	}
	return m
}

// play plays one session of a game at a house's pace with its mishaps.
func (m made) play(t *testing.T, game string, seed uint64) (*tracktest.Session, []track.Out) {
	t.Helper()
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	cfg := scriptOf(game, seed)
	cfg.Faults, cfg.Mishaps, cfg.Pace = 0.35, house.Mishaps, house.Pace
	s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), m.rounds, m.noise)
	if err != nil {
		t.Fatal(err)
	}
	return s, follow(trackerOf(t, game, func(c *track.Config) {
		if c.Basis = true; m.racks {
			c.Racks = track.Racks{"top": tracktest.Tubes(c.Palette)}
		}
	}), s)
}

// heldAgainst adds a session up: every round that was played against what was told in its time.
func heldAgainst(t *testing.T, sum *tally, game string, s *tracktest.Session, outs []track.Out, show string) {
	t.Helper()
	sum.hear(outs)
	name := func(f track.Judged) string { return found([]round.Finding{f.Finding})[0] }
	if pushed(game) {
		name = func(f track.Judged) string { return spotless(found([]round.Finding{f.Finding}))[0] }
	}
	for i, truth := range s.Rounds {
		r, recorded := recordOf(s, i, rounds(outs))
		if truth.Mishap == script.Abandoned && recorded == 0 {
			continue
		}
		want := judged(t, books(t), r, truth)
		if pushed(game) {
			want = spotless(want)
		}
		want = slices.DeleteFunc(want, func(w string) bool { return strings.HasPrefix(w, string(finding.NotObservable)) })
		exact := recorded == 1 && slices.Equal(loosely(t, r.Record.Events), loosely(t, truth.Record.Events))
		before := len(sum.strange)
		sum.add(want, r, exact, name)
		if show != "" && (len(sum.strange) > before || show == "all" && !exact) {
			t.Logf("%s round %d, mishap %q, planted %q, false %q: told | played\n%s", game, i, truth.Mishap, want, sum.strange[before:],
				sideBySide(lines(t, r.Record.Events), lines(t, truth.Record.Events)))
			for _, f := range r.Findings {
				if f.Alert {
					t.Logf("  %s p %.3f %+v", name(f), f.P, f.Accounts)
				}
			}
		}
	}
}

// toldOf is what was told in the time of a round that was played, all of it as one, and of
// how many rounds it was told.
func recordOf(s *tracktest.Session, i int, recorded []*track.Round) (*track.Round, int) {
	all, n := &track.Round{}, 0
	for _, r := range recorded {
		middle := r.Start.Add(r.End.Sub(r.Start) / 2)
		if middle.Before(s.Starts[i]) || i+1 < len(s.Starts) && !middle.Before(s.Starts[i+1]) {
			continue
		}
		one := *r
		one.Findings = append(all.Findings, r.Findings...)
		all, n = &one, n+1
	}
	return all, n
}

// loosely are the events of a record; those of one kind that follow one another are sorted
// where a hand moves several at once, as for whole trials.
func loosely(t *testing.T, events []round.Event) []string {
	t.Helper()
	out, from := lines(t, events), 0
	for i, e := range events {
		loose := e.Type == round.Bet || e.Type == round.Withdraw || e.Type == round.Collect || e.Type == round.Pay
		if i > 0 && (e.Type != events[from].Type || !loose) {
			slices.Sort(out[from:i])
			from = i
		}
	}
	slices.Sort(out[from:])
	return out
}

// play plays all sessions, several at once, and adds them up by game and in all. The time is
// that of the tables.
func (m made) measure(t *testing.T, show string) (sum *tally, by map[string]*tally, table time.Duration) {
	t.Helper()
	sum, by = newTally(), map[string]*tally{}
	var mu sync.Mutex
	t.Run("play", func(t *testing.T) {
		for _, game := range m.games {
			by[game] = newTally()
			for seed := m.from; seed < m.from+m.seeds; seed++ {
				t.Run(fmt.Sprint(game, "/", seed), func(t *testing.T) {
					t.Parallel()
					s, outs := m.play(t, game, seed)
					mu.Lock()
					defer mu.Unlock()
					table += s.End.Sub(tracktest.Start)
					n := len(sum.weighed)
					heldAgainst(t, by[game], game, s, outs, show)
					heldAgainst(t, sum, game, s, outs, "")
					for i := range sum.weighed[n:] {
						sum.weighed[n+i].name = fmt.Sprint(game, "/", seed, " ", sum.weighed[n+i].name)
					}
				})
			}
		}
	})
	return sum, by, table
}

// Made rounds with the noise of real readers. TRACK_SEEDS=n plays n sessions of every
// game, TRACK_FROM=s those from seed s on, TRACK_GAMES=a,b some games and TRACK_PARTS=a,b
// some of the noise; VISION_TRIAL=show prints what was alerted falsely, =all what was not exact too.
func TestMadeRounds(t *testing.T) {
	m, began := madeBy(), processor()
	sum, by, table := m.measure(t, os.Getenv("VISION_TRIAL"))
	for _, game := range m.games {
		if by[game] == nil {
			continue // -run chose others
		}
		t.Logf("%-22s %s", game, by[game].shares())
	}
	t.Logf("%d seeds from %d: %s; %.1f ms of processor per second of table\n%s", m.seeds, m.from, sum.shares(),
		1000*(processor()-began).Seconds()/table.Seconds(), sum)
	t.Log("\n" + sum.ablated())
	t.Log("\n" + sum.curve())
	if os.Getenv("VISION_UPDATE") == "1" {
		raw, err := json.Marshal(sum.measured(fmt.Sprintf("%d to %d", m.from, m.from+m.seeds-1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../operating/curve.json", append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if 10*sum.falseClean > sum.clean || 10*sum.exact < 4*sum.rounds {
		t.Errorf("%s; want at most 100 ‰ and at least 40 %%", sum.shares())
	}
}

// The same rounds without the bank's rack and with it, of the games whose tables have one: what is found at so many
// false alerts, by class of mistake, and the surest findings that are false. It plays where TRACK_SEEDS says how
// many.
func TestRoundsWithTheRack(t *testing.T) {
	if os.Getenv("TRACK_SEEDS") == "" {
		t.Skip("plays only where it is asked how many seeds to play (TRACK_SEEDS)")
	}
	m := madeBy()
	m.games = tracktest.Racked(m.games)
	felt, _, _ := m.measure(t, "")
	m.racks = true
	both, _, _ := m.measure(t, os.Getenv("VISION_TRIAL"))
	t.Logf("%d seeds from %d\nwithout: %s\nwith:    %s\n%s", m.seeds, m.from, felt.shares(), both.shares(), both)
	t.Log("\n" + felt.curve())
	t.Log("\n" + both.curve())
	t.Log("\n" + beside(felt, both))
	one, _ := felt.operating(felt.rank(ablations[0]), 5)
	if two, _ := both.operating(both.rank(ablations[0]), 5); two < one {
		t.Errorf("at 5 false alerts per 1,000 clean rounds %d mistakes are found with the rack, %d without", two, one)
	}
}

// processor is the processor time that this program has used.
func processor() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// shares are the figures by which made rounds are judged, with their intervals.
func (t *tally) shares() string {
	s := t.total()
	return fmt.Sprintf("clean with a false alert %s; exact %s; found %s; alerts that are right %s; ECE %.1f %%",
		wilson.PerMille(t.falseClean, t.clean), wilson.Percent(t.exact, t.rounds), wilson.Percent(s.alert, s.want),
		wilson.Percent(s.alert, s.alert+s.wrong), 100*t.ece())
}

// ece is how far, on average, the share that is so is from the probability that was told.
func (t *tally) ece() float64 {
	var off, recorded float64
	for _, b := range t.sure {
		off, recorded = off+max(b.sum-float64(b.so), float64(b.so)-b.sum), recorded+float64(b.recorded)
	}
	return off / max(1, recorded)
}
