package recognize

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/av"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
)

// racks counts how a rack was read.
type racks struct {
	exact, wrong, abstained int // changes, of tubes in rests
	moved, movedExact       int // of those with chips that moved
	number, within          int // numbers told, and those of them that hold the truth
	near                    int // of them, with nothing in them further than one from it
	why                     map[string]int
	amiss                   map[string]int // of tubes in which something was amiss: what it was, and how it was read
	spent                   time.Duration
	rests                   int
}

// playRack reads the rack of a table that is played, coded as its camera codes it.
func playRack(t *testing.T, cfg sim.Config, rounds int, into *racks) {
	t.Helper()
	st, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	if cal.Rack == nil {
		return
	}
	cal.Zones = nil // of the table only the rack
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	enc, err := st.NewEncoder(av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	dec, err := av.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	bgr := gocv.NewMat()
	defer bgr.Close()
	var start time.Time
	var reported []fact.Observation // the last of each rest
	var states []sim.RackState
	for done, n := 0, uint64(0); done < rounds; n++ {
		f, err := st.Step()
		if err != nil {
			t.Fatal(err)
		}
		if start.IsZero() {
			start = f.At
		}
		if f.Truth != nil {
			done++
			states = append(states, f.Rack...)
		}
		u, err := enc.Encode(f.Image, f.At.Sub(start))
		if err != nil {
			t.Fatal(err)
		}
		u.N = n
		pictures, err := dec.Decode(u)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pictures {
			began := time.Now()
			out, err := tab.Frame(p.In(&bgr), f.At, n)
			p.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				if o.Kind != fact.Rack {
					continue
				}
				into.spent += time.Since(began)
				into.rests++
				if k := len(reported) - 1; k >= 0 && reported[k].Since.Equal(o.Since) {
					reported[k] = o
				} else {
					reported = append(reported, o)
				}
			}
		}
	}
	at := func(when time.Time) (state sim.RackState) {
		for _, s := range states {
			if s.At <= when.Sub(start).Seconds() {
				state = s
			}
		}
		return state
	}
	for _, o := range reported {
		state := at(o.Since)
		now := state.Tubes
		for i, u := range o.Tubes {
			if u.Abstain == "" {
				into.number++
				if u.Low <= now[i] && now[i] <= u.High {
					into.within++
				}
				if u.Low >= now[i]-1 && u.High <= now[i]+1 {
					into.near++
				}
			}
			if u.Since.IsZero() {
				continue
			}
			was := at(u.Since)
			want := now[i] - was.Tubes[i]
			if odd := cmp.Or(state.Amiss[i], was.Amiss[i]); odd != "" {
				read := cmp.Or(u.Abstain, "right")
				if read == "right" && (u.Change[0].N != want || state.Amiss[i] == sim.WrongTube && want > 0) {
					read = "wrong"
				}
				into.amiss[fmt.Sprintf("%s: %s", odd, read)]++
				continue
			}
			moved := want != 0
			if moved {
				into.moved++
			}
			switch {
			case u.Abstain != "":
				into.abstained++
				into.why[u.Abstain]++
			case u.Change[0].N == want:
				into.exact++
				if moved {
					into.movedExact++
				}
			default:
				into.wrong++
			}
			if os.Getenv("VISION_RACK") != "" && (u.Abstain != "" || u.Change[0].N != want) {
				t.Logf("%s %d at %.1f s: tube %d (%s): want %+d (now %d), read %+v", cfg.Game, cfg.Seed, o.Since.Sub(start).Seconds(),
					i, cal.Rack.Tubes[i].Chip, want, now[i], u)
			}
		}
	}
}

func (r *racks) String() string {
	n := r.exact + r.wrong + r.abstained
	s := fmt.Sprintf("%d changes of tubes between rests: %d exact, %d wrong, %d abstained; of %d that moved %d exact; "+
		"%d of %d numbers hold the truth, %d within one; %.1f ms a reading", n, r.exact, r.wrong, r.abstained, r.moved, r.movedExact,
		r.within, r.number, r.near, r.spent.Seconds()*1000/float64(max(r.rests, 1)))
	for _, why := range slices.Sorted(maps.Keys(r.why)) {
		s += fmt.Sprintf("; %s %d", why, r.why[why])
	}
	for _, what := range slices.Sorted(maps.Keys(r.amiss)) {
		s += fmt.Sprintf("; amiss, %s %d", what, r.amiss[what])
	}
	return s
}

// Where something is amiss with a tube the reader says so, or is right for all that.
func TestRackThatGoesAmiss(t *testing.T) {
	total := newRacks()
	hands := condition.Hands{Amiss: 1}
	for seed := range many(1, 6) {
		cfg := sim.Config{Game: "blackjack", Seed: 7100 + uint64(seed), Condition: condition.Set{Hands: hands}, FPS: 6}
		playRack(t, cfg, many(2, 8), total)
		t.Log(total)
	}
	wrong, all := 0, 0
	for what, n := range total.amiss {
		if all += n; strings.HasSuffix(what, "wrong") {
			wrong += n
		}
	}
	if all < 4 || wrong*5 > all {
		t.Errorf("%d of %d tubes with something amiss are read wrong", wrong, all)
	}
}

func newRacks() *racks { return &racks{why: map[string]int{}, amiss: map[string]int{}} }

// Racks of tables that are played, in H.264, five pictures a second. VISION_TRIAL=all plays every game that has
// one, VISION_DESK another seed; -run RackOfATableThatIsPlayed/GAME one game.
func TestRackOfATableThatIsPlayed(t *testing.T) {
	total := newRacks()
	seed := uint64(7000)
	if other := os.Getenv("VISION_DESK"); other != "" {
		if _, err := fmt.Sscan(other, &seed); err != nil {
			t.Fatal(err)
		}
	}
	set := conditioned(t, "house")
	games := []string{"blackjack", "sic_bo"}
	if os.Getenv("VISION_TRIAL") == "all" {
		games = sim.Games()
	}
	for k, game := range games {
		t.Run(game, func(t *testing.T) {
			playRack(t, sim.Config{Game: game, Seed: seed + uint64(k), Condition: set, FPS: 5}, many(1, 2), total)
			t.Log(total)
		})
	}
	if n := total.exact + total.wrong + total.abstained; total.wrong*100 > n || total.exact*10 < n*8 {
		t.Error("too many changes are wrong or not told")
	}
}
