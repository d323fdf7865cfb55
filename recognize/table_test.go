package recognize

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/recognize/fusion"
	"vision/validate/round"
)

// show plays rounds of a simulated table to a Table and gives back what it said
// and the truth.
func show(t *testing.T, game string, seed uint64, rounds int) ([]fact.Observation, []round.Record, calibration.Table) {
	t.Helper()
	st, err := sim.New(sim.Config{Game: game, Seed: seed, Start: time.Unix(1e6, 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	var all []fact.Observation
	var truth []round.Record
	for len(truth) < rounds {
		f, err := st.Step()
		if err != nil {
			t.Fatal(err)
		}
		obs, err := tab.Frame(cv.Still(f.Image), f.At, f.N)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, obs...)
		if f.Truth != nil {
			truth = append(truth, f.Truth.Record)
		}
	}
	return all, truth, cal
}

// A reader that has too little time says how many zones wait to be read; one that has enough
// never does.
func TestZonesThatWaitAreCounted(t *testing.T) {
	for budget, want := range map[time.Duration]bool{1: true, 0: false} {
		st, err := sim.New(sim.Config{Game: "punto_banco", Seed: 5, FPS: 5, Start: time.Unix(1e6, 0)})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		cal := st.Calibration()
		tab, err := NewTable(&cal, Options{Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		looked, unread := 0, 0
		for range 60 {
			f, err := st.Step()
			if err != nil {
				t.Fatal(err)
			}
			obs, err := tab.Frame(cv.Still(f.Image), f.At, f.N)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range obs {
				if o.Kind == fact.Watermark {
					looked, unread = looked+1, max(unread, o.Unread)
				}
			}
		}
		if looked == 0 || (unread > 0) != want {
			t.Errorf("budget %v: up to %d zones wait in %d words; some should: %t", budget, unread, looked, want)
		}
	}
}

// worth adds up the stacks of a reading; -1 where one was not read.
func worth(cal calibration.Table, chips []fact.Stack) int64 {
	var sum int64
	for _, s := range chips {
		if s.Abstain != "" {
			return -1
		}
		for _, id := range s.Chips {
			i := slices.IndexFunc(cal.Palette, func(c calibration.Chip) bool { return c.ID == id })
			sum += cal.Palette[i].Value
		}
	}
	return sum
}

func TestReadsBlackjack(t *testing.T) {
	obs, truth, cal := show(t, "blackjack", 7, 1)
	var bank string
	bets := map[int]int64{}
	for _, o := range obs {
		switch {
		case o.Kind == fact.PartialReading:
			for _, c := range o.Cards {
				if !slices.ContainsFunc(truth[0].Events, func(e round.Event) bool {
					return e.Type == round.CardDealt && e.Zone == o.Zone && e.Card.String() == labels([]fact.Card{c})
				}) {
					t.Errorf("glimpsed in %s: %s, which was not dealt", o.Zone, labels([]fact.Card{c}))
				}
			}
		case o.Kind != fact.Stable:
		case o.Zone == "bank" && len(o.Cards) > 0:
			bank = labels(o.Cards)
		case strings.HasSuffix(o.Zone, " main") && len(o.Chips) > 0:
			var seat int
			fmt.Sscanf(o.Zone, "seat:%d", &seat)
			if bets[seat] == 0 {
				bets[seat] = worth(cal, o.Chips)
			}
		}
	}
	var want []string
	for _, e := range truth[0].Events {
		switch {
		case e.Type == round.CardDealt && e.Zone == "bank":
			want = append(want, e.Card.String())
		case e.Type == round.Bet && e.Spot == "main" && bets[e.Seat] != int64(e.Amount):
			t.Errorf("seat %d staked %d, read %d", e.Seat, e.Amount, bets[e.Seat])
		}
	}
	if bank != strings.Join(want, " ") {
		t.Errorf("the bank has %v, read %s", want, bank)
	}
}

func labels(cards []fact.Card) string {
	var out []string
	for _, c := range cards {
		l, _ := fact.Best(c.Guesses)
		out = append(out, l)
	}
	return strings.Join(out, " ")
}

func TestReadsDice(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	obs, truth, _ := show(t, "dados_craps", 7, rounds)
	var got, want []string
	for _, o := range obs {
		if o.Kind == fact.Stable && len(o.Dice) > 0 {
			got = append(got, faces(o.Dice))
		}
	}
	for _, r := range truth {
		for _, e := range r.Events {
			if e.Type == round.Dice {
				f := slices.Clone(e.Faces)
				slices.Sort(f)
				want = append(want, fmt.Sprint(f))
			}
		}
	}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("thrown %v, read %v", want, got)
	}
}

func faces(dice []fact.Die) string {
	var out []int
	for _, d := range dice {
		l, _ := fact.Best(d.Guesses)
		n := 0
		fmt.Sscan(l, &n)
		if d.Abstain != "" {
			n = 0
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

// The printed numbers of the felt are no chips, and every chip is where its
// bet is.
func TestReadsRoulette(t *testing.T) {
	obs, truth, cal := show(t, "ruleta_francesa", 7, 1)
	want := map[string]int64{}
	for _, e := range truth[0].Events {
		if e.Type == round.Bet {
			want[e.Spot] += int64(e.Amount)
		}
	}
	best := 0
	for _, o := range obs {
		if o.Kind != fact.Stable || o.Zone != "layout" {
			continue
		}
		right := 0
		for _, s := range o.Chips {
			z, ok := calibration.NewPlaces(cal.Zones).At(o.Zone, s.At)
			if v := worth(cal, []fact.Stack{s}); !ok || v >= 0 && want[z.Spot] != v {
				t.Errorf("at %v: %d on %q, want %d", o.Time, v, z.Spot, want[z.Spot])
			} else if v > 0 {
				right++
			}
		}
		best = max(best, right)
	}
	if best < len(want) {
		t.Errorf("at most %d of %d bets were seen together", best, len(want))
	}
}

func TestFramesOfAnotherCameraAreRefused(t *testing.T) {
	st, err := sim.New(sim.Config{Game: "dados_craps", Seed: 1, Size: [2]int{960, 540}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	other := gocv.NewMatWithSize(720, 1280, gocv.MatTypeCV8UC3)
	defer other.Close()
	if _, err := tab.Frame(cv.Still(other), time.Now(), 0); !errors.Is(err, calibration.ErrOtherCamera) {
		t.Errorf("error %v", err)
	}
	grey := gocv.NewMatWithSize(540, 960, gocv.MatTypeCV8U)
	defer grey.Close()
	empty := gocv.NewMat()
	defer empty.Close()
	for _, m := range []gocv.Mat{grey, empty} {
		if _, err := tab.Frame(cv.Still(m), time.Now(), 0); !errors.Is(err, cv.ErrPicture) {
			t.Errorf("error %v", err)
		}
	}
	cal.Zones[0].Reads = []string{"coins"}
	if _, err := NewTable(&cal, Options{}); err == nil {
		t.Error("a calibration that reads coins")
	}
}

// Damaged pictures are looked at and not read. After a gap everything is said again.
func TestGap(t *testing.T) {
	st, err := sim.New(sim.Config{Game: "dados_craps", Seed: 1, Size: [2]int{960, 540}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	f, err := st.Step()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1e6, 0)
	look := tab.Damaged
	count := func(n int, from uint64) map[fact.Kind]int {
		kinds := map[fact.Kind]int{}
		for i := range n {
			at = at.Add(80 * time.Millisecond)
			obs, err := look(cv.Still(f.Image), at, from+uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range obs {
				kinds[o.Kind]++
			}
		}
		return kinds
	}
	zones := 0
	for _, z := range cal.Zones {
		if len(z.Reads) > 0 {
			zones++
		}
	}
	if k := count(10, 0); k[fact.Stable] != 0 || k[fact.Gap] != 0 || k[fact.Watermark] == 0 {
		t.Errorf("of damaged pictures %v, want nothing read", k)
	}
	look = tab.Frame
	if k := count(10, 10); k[fact.Stable] != zones || k[fact.Gap] != 0 {
		t.Errorf("at the start %v, want %d settled", k, zones)
	}
	at = at.Add(1500 * time.Millisecond)
	if k := count(10, 30); k[fact.Stable] != 0 || k[fact.Gap] != 0 || k[fact.Watermark] == 0 {
		t.Errorf("after a second and a half without a picture %v, want nothing read anew", k)
	}
	at = at.Add(4 * time.Second)
	if k := count(10, 50); k[fact.Stable] != zones || k[fact.Gap] != 1 {
		t.Errorf("after a gap %v, want one gap and %d settled", k, zones)
	}
	at = at.Add(-time.Minute)
	if k := count(10, 70); k[fact.Gap] != 1 || k[fact.Stable] != zones {
		t.Errorf("after the clock went back %v", k)
	}
}

func TestFusionOfARest(t *testing.T) {
	var f rest
	card := func(label string, p float64) []fact.Card {
		return []fact.Card{{Guesses: []fact.Guess{{Label: label, P: p}}, At: fact.Point{10, 10}}}
	}
	f.addCards(card("As", 0.91))
	f.addCards(card("4s", 0.95))
	f.addCards(card("As", 0.97))
	if got := labels(f.cardsNow()); got != "As" {
		t.Errorf("two of three said As, fused %s", got)
	}
	f.addCards(nil)
	f.addCards(append(card("As", 0.9), fact.Card{At: fact.Point{300, 10}, Abstain: "glare"}))
	if n := len(f.cardsNow()); n != 1 {
		t.Errorf("%d cards, want 1: the other was seen once in five readings", n)
	}
}

// What looks say is added: two that lean to one thing outweigh one that is surer of another, what
// none has first may be likeliest of all, and looks that say nothing change nothing.
func TestLooksOfARestAreAdded(t *testing.T) {
	guess := func(label string, p float64) fact.Guess { return fact.Guess{Label: label, P: p} }
	for name, c := range map[string]struct {
		looks   []fact.Card
		label   string
		abstain string
	}{
		"abstentions that agree outweigh": {[]fact.Card{
			{Guesses: []fact.Guess{guess("As", 0.92), guess("4s", 0.07)}},
			{Guesses: []fact.Guess{guess("4s", 0.8), guess("As", 0.01)}, Abstain: "unsure"},
			{Guesses: []fact.Guess{guess("4s", 0.8), guess("As", 0.01)}, Abstain: "unsure"},
		}, "4s", "unsure"},
		"the second of both": {[]fact.Card{
			{Guesses: []fact.Guess{guess("As", 0.5), guess("4s", 0.45)}, Abstain: "blurred"},
			{Guesses: []fact.Guess{guess("9s", 0.5), guess("4s", 0.45)}, Abstain: "blurred"},
		}, "4s", "blurred"},
		"a look that says nothing": {[]fact.Card{
			{Abstain: "glare"},
			{Guesses: []fact.Guess{guess("As", 0.95)}},
			{Abstain: "glare"},
		}, "As", ""},
	} {
		got := fusion.Cards.FuseOne(c.looks, 0.5)
		label, p := fact.Best(got.Guesses)
		if label != c.label || got.Abstain != c.abstain || p <= 0 || p > 1 {
			t.Errorf("%s: %s %.2f, abstains %q; want %s, %q", name, label, p, got.Abstain, c.label, c.abstain)
		}
	}
	one := []fact.Card{{Guesses: []fact.Guess{guess("As", 0.93)}}}
	sure := func(alike float64) float64 {
		return fusion.Cards.FuseOne(slices.Repeat(one, 3), alike).Guesses[0].P
	}
	if a, b := sure(0), sure(1); a < 0.99 || math.Abs(b-0.93) > 1e-9 {
		t.Errorf("three looks at 0.93 that err each by itself give %.4f, that err alike %.4f", a, b)
	}
}

// A die is put together with how it lies, and a stack with what else it may be.
func TestDiceAndStacksOfARestAreAdded(t *testing.T) {
	die := func(label, irregular string, p float64) fact.Die {
		return fact.Die{Guesses: []fact.Guess{{Label: label, P: p}}, Irregular: irregular}
	}
	dice := []fact.Die{die("3", "", 0.95), die("3", "cocked", 0.9), die("3", "", 0.9)}
	if d := fusion.Dice.FuseOne(dice, 0.5); d.Irregular != "" || d.Guesses[0].Label != "3" {
		t.Errorf("two of three lie flat: %+v", d)
	}
	stack := func(n int, p float64, other int, abstain string) fact.Stack {
		chips := func(n int) []string { return slices.Repeat([]string{"5"}, n) }
		return fact.Stack{Chips: chips(n), Low: min(n, other), High: max(n, other), P: p, Abstain: abstain,
			Others: []fact.Content{{Chips: chips(other), P: 0.98 - p}}}
	}
	s := fusion.Stacks.FuseOne([]fact.Stack{stack(3, 0.5, 4, "unsure"), stack(5, 0.5, 4, "unsure")}, 0.5)
	if len(s.Chips) != 4 || s.Abstain != "unsure" || s.Low > 4 || s.High < 4 || len(s.Others) != 2 {
		t.Errorf("four is likeliest of both: %+v", s)
	}
	s = fusion.Stacks.FuseOne([]fact.Stack{stack(3, 0.6, 4, "unsure"), stack(4, 0.93, 3, ""), {Abstain: fact.Unread}}, 0.5)
	if len(s.Chips) != 4 || s.Abstain != "" || s.Low != 4 || s.High != 4 {
		t.Errorf("one look vouches for four: %+v", s)
	}
}
