package recognize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/wilson"
	"vision/recognize/dice"
)

// many is a number of samples: all of them with VISION_TRIAL=all.
func many(few, all int) int {
	if os.Getenv("VISION_TRIAL") == "all" {
		return all
	}
	return few
}

// desk is a simulated table and its reader.
func desk(t *testing.T, game string, seed uint64) (*sim.Still, *Table) {
	t.Helper()
	return deskOf(t, sim.Config{Game: game, Seed: seed})
}

func deskOf(t *testing.T, cfg sim.Config) (*sim.Still, *Table) {
	t.Helper()
	if other := os.Getenv("VISION_DESK"); other != "" { // another table, light and camera
		if _, err := fmt.Sscan(other, &cfg.Seed); err != nil {
			t.Fatalf("VISION_DESK %q: %v", other, err)
		}
	}
	s, err := sim.NewStill(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	cal, opts := s.Calibration(), Options{}
	if !cfg.Condition.Ideal() { // a technician has been there
		if opts.Empty, err = s.Empty(); err != nil {
			t.Fatal(err)
		}
	}
	tab, err := NewTable(&cal, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tab.Close)
	return s, tab
}

// laidDesk is a simulated table and its reader.
type laidDesk struct {
	still *sim.Still
	table *Table
}

// desksOf sets tables of high stakes up once for all that is laid on them.
func desksOf(t *testing.T, seed uint64, games ...string) map[string]laidDesk {
	t.Helper()
	out := map[string]laidDesk{}
	for _, game := range games {
		s, tab := deskOf(t, sim.Config{Game: game, Seed: seed, Plaques: true})
		out[game] = laidDesk{s, tab}
	}
	return out
}

// look reads a zone of the table once.
func look(t *testing.T, s *sim.Still, tab *Table, zone string) fact.Observation {
	t.Helper()
	return lookAt(t, tab, zone, plain(t, s)())
}

// lookAt reads a zone of a picture once.
func lookAt(t *testing.T, tab *Table, zone string, img gocv.Mat) fact.Observation {
	t.Helper()
	for _, z := range tab.zones {
		if z.Name == zone {
			z.reset()
			o, _, err := tab.read(z, img)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
	}
	t.Fatalf("no zone %s", zone)
	return fact.Observation{}
}

// Still throws of two dice, one picture each: none is read wrong, hardly one in
// a hundred is not read.
func TestStillThrows(t *testing.T) {
	s, tab := desk(t, "dados_craps", 5)
	n := many(20, 1000)
	wrong, unread, odd := 0, 0, 0
	for i := range n {
		s.Clear()
		faces, err := s.Dice(2)
		if err != nil {
			t.Fatal(err)
		}
		o := look(t, s, tab, "dice")
		got := []int{}
		for _, d := range o.Dice {
			if l, _ := fact.Best(d.Guesses); d.Abstain == "" {
				got = append(got, int(l[0]-'0'))
			}
			if d.Irregular != "" {
				odd++
				t.Logf("throw %d is said to be %s: %+v", i, d.Irregular, d)
			}
		}
		slices.Sort(faces)
		slices.Sort(got)
		switch {
		case slices.Equal(faces, got):
		case len(got) < 2:
			unread++
			t.Logf("throw %d: %v read as %+v", i, faces, o.Dice)
		default:
			wrong++
			t.Logf("throw %d: %v read as %v: %+v", i, faces, got, o.Dice)
		}
	}
	t.Logf("%d throws: %d wrong, %d not read, %d dice said to lie badly", n, wrong, unread, odd)
	if wrong > 0 || 50*unread > n || 100*odd > n {
		t.Errorf("%d throws: %d wrong, %d not read, %d dice said to lie badly; want none, at most one in fifty and one in a hundred", n, wrong, unread, odd)
	}
}

// Cards as dealers lay them, on all zones of a table at once, each read in three
// pictures as a table's are: of those accepted at most three in ten thousand are
// wrong, and hardly one in fifty is not accepted (of those without indices more).
func TestStillCards(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "monte_banca", "treinta_cuarenta"} {
		t.Run(game, func(t *testing.T) {
			few, all := 15, 3400 // one in so many may not be accepted
			if game == "treinta_cuarenta" {
				few, all = 8, 500 // without indices
			}
			s, tab := desk(t, game, 7)
			rng := rand.New(rand.NewPCG(7, 1))
			right, wrong, unread := 0, 0, 0
			for laid, n := 0, many(36, all); laid < n; {
				s.Clear()
				truth := map[string][]card.Card{}
				for _, z := range tab.zones {
					if !z.Wants("cards") {
						continue
					}
					x0, x1 := math.Inf(1), math.Inf(-1)
					for _, p := range z.Polygon {
						x0, x1 = min(x0, p[0]), max(x1, p[0])
					}
					for range min(3, int((x1-x0-8)/70)) {
						truth[z.Name] = append(truth[z.Name], drawn(rng, game == "monte_banca"))
					}
					if err := s.Cards(z.Name, truth[z.Name]); err != nil {
						t.Fatal(err)
					}
					laid += len(truth[z.Name])
					z.reset()
				}
				seen := map[string][]fact.Card{}
				for range 3 {
					img, err := s.Picture()
					if err != nil {
						t.Fatal(err)
					}
					for _, z := range tab.zones {
						if truth[z.Name] == nil {
							continue
						}
						o, _, err := tab.read(z, img)
						if err != nil {
							t.Fatal(err)
						}
						seen[z.Name] = o.Cards
					}
				}
				for zone, cards := range truth {
					left := slices.Clone(cards)
					for _, c := range seen[zone] {
						l, _ := fact.Best(c.Guesses)
						if c.Abstain != "" {
							continue
						}
						if k := slices.IndexFunc(left, func(c card.Card) bool { return c.String() == l }); k >= 0 {
							left = slices.Delete(left, k, k+1)
							right++
							continue
						}
						wrong++
						t.Logf("%s: %v read as %s", zone, cards, labels(seen[zone]))
					}
					unread += len(left)
				}
			}
			t.Logf("%d cards accepted, %d of them wrong, %d not accepted", right+wrong, wrong, unread)
			if 10000*wrong > 3*(right+wrong) || few*unread > right {
				t.Errorf("%d cards wrong, %d not accepted of %d; want at most three in ten thousand and one in %d", wrong, unread, right+unread, few)
			}
		})
	}
}

// drawn is any card of the pack.
func drawn(rng *rand.Rand, spanish bool) card.Card {
	for {
		if c := card.Card(1 + rng.IntN(255)); spanish && c.Spanish() || !spanish && c.French() {
			return c
		}
	}
}

// Stacks of one kind of chip, and of several, one picture each: what is accepted
// is right, what is not says truly between which counts, and little is not accepted.
func TestStillStacks(t *testing.T) {
	for _, c := range []struct {
		name  string
		mixed bool
		wrong int // one in so many may be
	}{{"alike", false, 200}, {"mixed", true, 50}} {
		var sum stacksRead
		for _, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
			t.Run(c.name+"/"+game, func(t *testing.T) {
				s, tab := desk(t, game, 6)
				got := stacksOn(t, s, tab, many(10, 300), c.mixed, plain(t, s))
				t.Log(got)
				if 5*(got.rough+got.lost) > got.all() {
					t.Errorf("%s; want at most one in five rough", got)
				}
				sum = sum.plus(got)
			})
		}
		if sum.wrongly(c.wrong) {
			t.Errorf("%s: %s; want at most one in %d wrong", c.name, sum, c.wrong)
		}
	}
}

// Several stacks at once on the places of a roulette's layout, over its print:
// none is wrong, none of one kind is lost, and few are read roughly. Those of
// several are of all eleven kinds, of which some show one another's colours, and
// may be sought in the wrong place where their foot is hidden.
func TestStillLayout(t *testing.T) {
	s, tab := desk(t, "ruleta_francesa", 6)
	for _, c := range []struct {
		name        string
		mixed       bool
		lost, rough int // one in so many may be
		wrong       int
	}{{"alike", false, 1e6, 4, 200}, {"mixed", true, 10, 2, 50}} {
		t.Run(c.name, func(t *testing.T) {
			got := stillLayout(t, s, tab, c.mixed)
			t.Log(got)
			if c.lost*got.lost > got.all() || got.wrongly(c.wrong) || c.rough*(got.rough+got.lost) > got.all() {
				t.Errorf("%s; want at most one in %d lost, one in %d wrong and one in %d rough", got, c.lost, c.wrong, c.rough)
			}
		})
	}
}

func stillLayout(t *testing.T, s *sim.Still, tab *Table, mixed bool) (sum stacksRead) {
	var places []calibration.Zone
	for _, z := range tab.cal.Zones {
		if strings.HasPrefix(z.Name, "pleno:") || strings.HasPrefix(z.Name, "caballo:") {
			places = append(places, z)
		}
	}
	for i := range many(3, 60) {
		s.Clear()
		laid := map[string][]string{}
		for k := range 7 {
			z := places[(7*i+13*k)%len(places)]
			stacks, err := s.Stacks(z.Name, 1, 8, mixed)
			if err != nil {
				t.Fatal(err)
			}
			laid[z.Name] = stacks[0]
		}
		o := look(t, s, tab, "layout")
		for name, want := range laid {
			z, _ := tab.cal.Zone(name)
			k := slices.IndexFunc(o.Chips, func(c fact.Stack) bool {
				return math.Hypot(c.At[0]-z.Centre()[0], c.At[1]-z.Centre()[1]) < 12
			})
			if k < 0 {
				sum.lost++
				t.Logf("%s: %v not found among %+v", name, want, o.Chips)
				continue
			}
			sum.add(t, name, want, o.Chips[k])
		}
		if len(o.Chips) > len(laid) {
			sum.wrong++
			t.Logf("%d stacks read as %+v", len(laid), o.Chips)
		}
	}
	return sum
}

// Two stacks that stand one behind the other on neighbouring places of a roulette's
// layout, 41 mm apart, of one kind and of two: hardly any pair is read as one stack.
func TestStillNeighbours(t *testing.T) {
	s, tab := desk(t, "ruleta_francesa", 6)
	var pairs [][2]calibration.Zone
	for _, a := range tab.cal.Zones {
		for _, b := range tab.cal.Zones {
			if strings.HasPrefix(a.Name, "caballo:") && strings.HasPrefix(b.Name, "cuadro:") && off(a.Centre(), b) < 43 {
				pairs = append(pairs, [2]calibration.Zone{a, b})
			}
		}
	}
	for _, c := range []struct {
		name  string
		alike bool
	}{{"one kind", true}, {"any kinds", false}} {
		t.Run(c.name, func(t *testing.T) {
			var got stacksRead
			for i := range many(10, 150) {
				got.pair(t, s, tab, pairs[7*i%len(pairs)], c.alike)
			}
			t.Log(got)
			if 100*got.wrong > got.all() || 8*got.lost > got.all() {
				t.Errorf("%s; want at most one in 100 wrong and one in 8 not found", got)
			}
		})
	}
}

// off is how far a point lies from the middle of a zone.
func off(p fact.Point, z calibration.Zone) float64 {
	return math.Hypot(p[0]-z.Centre()[0], p[1]-z.Centre()[1])
}

// pair lays a stack on each of two places and reads both.
func (s *stacksRead) pair(t *testing.T, still *sim.Still, tab *Table, places [2]calibration.Zone, alike bool) {
	var laid [2][]string
	for laid[0] == nil || alike && laid[0][0] != laid[1][0] {
		still.Clear()
		for k, z := range places {
			stacks, err := still.Stacks(z.Name, 1, 8, false)
			if err != nil {
				t.Fatal(err)
			}
			laid[k] = stacks[0]
		}
	}
	o := look(t, still, tab, "layout")
	for k, z := range places {
		i := slices.IndexFunc(o.Chips, func(c fact.Stack) bool { return off(c.At, z) < 14 })
		if i < 0 {
			s.lost++
			t.Logf("%s: %v not found beside %v", z.Name, laid[k], laid[1-k])
			continue
		}
		s.add(t, z.Name+fmt.Sprintf(" beside %d %s", len(laid[1-k]), laid[1-k][0]), laid[k], o.Chips[i])
	}
	if len(o.Chips) > len(laid) {
		s.wrong++
		t.Logf("%v read as %+v", laid, o.Chips)
	}
}

// stacksRead counts what came of stacks; missed are intervals without the truth.
type stacksRead struct{ right, wrong, rough, missed, lost int }

func (s stacksRead) all() int { return s.right + s.wrong + s.rough + s.lost }

func (s stacksRead) plus(o stacksRead) stacksRead {
	return stacksRead{s.right + o.right, s.wrong + o.wrong, s.rough + o.rough, s.missed + o.missed, s.lost + o.lost}
}

// wrongly reports whether more than one in so many is wrong, as far as the sample can say: the lower end of the 95 %
// interval. Of the few stacks of a game's pictures one that is wrong would say nothing.
func (s stacksRead) wrongly(oneIn int) bool {
	low, _ := wilson.Interval(s.wrong, s.all())
	return low > 1/float64(oneIn)
}

func (s stacksRead) String() string {
	return fmt.Sprintf("%d stacks: %d right, %d wrong, %d only roughly (%d of them outside their interval), %d not found", s.all(), s.right, s.wrong, s.rough, s.missed, s.lost)
}

// add compares one stack with how it was read.
func (s *stacksRead) add(t *testing.T, where string, want []string, got fact.Stack) {
	t.Helper()
	switch {
	case got.Abstain != "":
		s.rough++
		if len(want) < got.Low || len(want) > got.High {
			s.missed++
		}
		t.Logf("%s: %d, %v said to be %d to %d (%s, %.2f)", where, len(want), want, got.Low, got.High, got.Abstain, got.P)
	case slices.Equal(got.Chips, want):
		s.right++
	default:
		s.wrong++
		t.Logf("%s: %d, %v read as %v p %.3f", where, len(want), want, got.Chips, got.P)
	}
}

// stacksOn lays one stack or two on the places of a table and reads them.
func stacksOn(t *testing.T, s *sim.Still, tab *Table, n int, mixed bool, shoot func() gocv.Mat) (sum stacksRead) {
	var zones []string
	for _, z := range tab.zones {
		if z.Wants("chips") && z.Spot != "" && z.Spot != "pay" {
			zones = append(zones, z.Name)
		}
	}
	for i := range n {
		s.Clear()
		zone := zones[i%len(zones)]
		stacks, err := s.Stacks(zone, 1+i%2, 20, mixed)
		if err != nil {
			t.Fatal(err)
		}
		o := lookAt(t, tab, zone, shoot())
		if len(o.Chips) == 1 && len(stacks) == 2 && slices.Equal(o.Chips[0].Chips, stacks[1]) {
			slices.Reverse(stacks) // the first is the one that was not found
		}
		for k, want := range stacks {
			if k >= len(o.Chips) {
				sum.lost++
				t.Logf("%s: %d, %v not found among %+v", zone, len(want), want, o.Chips)
				continue
			}
			sum.add(t, zone, want, o.Chips[k])
		}
	}
	return sum
}

// The picture of a table as a photograph, the dice's size unknown: the network
// that reads photographs finds them and names no wrong value.
func TestThrowsOnAPhotograph(t *testing.T) {
	s, tab := desk(t, "dados_craps", 8)
	right, wrong, extra, unread := 0, 0, 0, 0
	n := many(3, 200)
	for range n {
		s.Clear()
		faces, err := s.Dice(2)
		if err != nil {
			t.Fatal(err)
		}
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		list, err := tab.dice.Read(img, dice.Hint{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			l, _ := fact.Best(d.Guesses)
			switch i := slices.Index(faces, int(l[0]-'0')); {
			case d.Abstain != "":
				continue
			case len(faces) == 0:
				extra++
			case i < 0:
				wrong++
			default:
				right++
				faces = slices.Delete(faces, i, i+1)
			}
		}
		unread += len(faces)
	}
	t.Logf("%d throws: %d dice right, %d wrong, %d that are none, %d not read", n, right, wrong, extra, unread)
	if 50*(wrong+extra) > right || right < n {
		t.Errorf("%d throws: %d dice right, %d wrong, %d that are none, %d not read", n, right, wrong, extra, unread)
	}
}

// Throws in which a die does not lie flat on the felt, or is missing: none may
// pass for a throw of two dice, and most are named.
func TestStillIrregularThrows(t *testing.T) {
	s, tab := desk(t, "dados_craps", 12)
	for _, kind := range sim.Irregularities {
		n := many(8, 150)
		passed, named, misread := 0, 0, 0
		others := map[string]int{}
		for range n {
			s.Clear()
			faces, err := s.Irregular(kind)
			if err != nil {
				t.Fatal(err)
			}
			o := look(t, s, tab, "dice")
			plain := 0
			found := ""
			for _, d := range o.Dice {
				switch l, _ := fact.Best(d.Guesses); {
				case d.Irregular != "":
					found = d.Irregular
				case d.Abstain == "":
					if plain++; !slices.Contains(faces, int(l[0]-'0')) {
						misread++
					}
				}
			}
			switch {
			case found == kind || kind == "off_table" && found == "" && len(o.Dice) == 1:
				named++
			case found == "" && plain == 2:
				passed++
				t.Logf("%s passes: %+v", kind, o.Dice)
			default:
				others[fmt.Sprintf("%q %d", found, len(o.Dice))]++
			}
		}
		t.Logf("%s: %d of %d named, %d pass for plain, others %v; %d other faces read plainly", kind, named, n, passed, others, misread)
		least := n / 2
		if kind == "broken" { // half a die mostly looks like one that leans
			least = n / 6
		}
		if passed > 0 || named < least {
			t.Errorf("%s: %d of %d pass for throws of two dice, %d named; want none and %d", kind, passed, n, named, least)
		}
	}
}

// Piles of plaques alone, with chips on them and of several kinds, one picture each, on
// a table of high stakes: what is accepted is right, and most are accepted.
func TestStillPlaques(t *testing.T) {
	desks := desksOf(t, 9, "blackjack", "punto_banco", "ruleta_francesa")
	for _, c := range []struct {
		name                 string
		chips                int // on them, at most
		mixed                bool
		wrong, rough, missed int // one in so many may be wrong, read roughly, or not found
	}{{"alone", 0, false, 200, 20, 50}, {"with chips", 4, false, 100, 3, 20}, {"mixed", 0, true, 50, 5, 50}} {
		var sum stacksRead
		for game, d := range desks {
			t.Run(c.name+"/"+game, func(t *testing.T) {
				got := stillPlaques(t, d, c.chips, c.mixed)
				t.Log(got)
				if got.rough > 1+got.all()/c.rough || got.lost > got.all()/c.missed {
					t.Errorf("%s; want at most one in %d rough and one in %d not found", got, c.rough, c.missed)
				}
				sum = sum.plus(got)
			})
		}
		if sum.wrongly(c.wrong) {
			t.Errorf("%s: %s; want at most one in %d wrong", c.name, sum, c.wrong)
		}
	}
}

func stillPlaques(t *testing.T, d laidDesk, chips int, mixed bool) (sum stacksRead) {
	s, tab := d.still, d.table
	rng := rand.New(rand.NewPCG(9, 2))
	spots := spotsOf(tab)
	for i := range many(4, 70) {
		s.Clear()
		z := spots[7*i%len(spots)]
		n := 0
		if chips > 0 {
			n = 1 + rng.IntN(chips)
		}
		want, err := s.Plaques(z.Name, 1+rng.IntN(3), n, mixed)
		if err != nil {
			t.Fatal(err)
		}
		zone := z.Name
		if !z.Wants("chips") {
			zone = "layout"
		}
		o := look(t, s, tab, zone)
		switch len(o.Chips) {
		case 0:
			sum.lost++
			t.Logf("%d %s: %v not found", i, zone, want)
		case 1:
			sum.add(t, fmt.Sprint(i, " ", zone), want, o.Chips[0])
		default:
			sum.wrong++
			t.Logf("%d %s: %v read as %+v", i, zone, want, o.Chips)
		}
	}
	return sum
}

// spotsOf are the places of a table on which chips are laid.
func spotsOf(tab *Table) (out []calibration.Zone) {
	for _, z := range tab.cal.Zones {
		if z.Spot != "" && z.Spot != "pay" && (z.Wants("chips") || len(z.Reads) == 0 && strings.HasPrefix(z.Name, "pleno:")) {
			out = append(out, z)
		}
	}
	return out
}

// Chips, cards among them and pictures of plaques that lie flat, on a table of high
// stakes, a picture each: nothing is read as a plaque, and the chips are as without.
func TestStillNoPlaques(t *testing.T) {
	for game, d := range desksOf(t, 10, "blackjack", "punto_banco", "ruleta_francesa") {
		for _, what := range []string{"chips", "cards", "print"} {
			if what == "cards" && game == "ruleta_francesa" {
				continue
			}
			t.Run(game+"/"+what, func(t *testing.T) {
				n := many(3, 25)
				said, unsure := notPlaques(t, d.still, d.table, what, n)
				t.Logf("%d pictures: %d plaques read, %d thought of", n, said, unsure)
				if said > 0 || 20*unsure > n {
					t.Errorf("%d of %d pictures: a plaque is read, in %d one is thought of; want none and one in twenty", said, n, unsure)
				}
			})
		}
	}
}

// notPlaques counts what is read as plaques where none lie, and what is said to be
// perhaps some.
func notPlaques(t *testing.T, s *sim.Still, tab *Table, what string, n int) (said, unsure int) {
	rng := rand.New(rand.NewPCG(10, 3))
	spots := spotsOf(tab)
	for i := range n {
		s.Clear()
		z := spots[7*i%len(spots)]
		var err error
		switch what {
		case "chips":
			_, err = s.Stacks(z.Name, 1+rng.IntN(3), 12, rng.IntN(2) == 0)
		case "cards":
			err = s.Cards(z.Name, []card.Card{drawn(rng, false), drawn(rng, false)})
			if err == nil && rng.IntN(2) == 0 {
				_, err = s.Stacks(z.Name, 1, 8, false)
			}
		case "print":
			err = s.Printed(z.Name)
		}
		if err != nil {
			t.Fatal(err)
		}
		zone := z.Name
		if !z.Wants("chips") {
			zone = "layout"
		}
		for _, c := range look(t, s, tab, zone).Chips {
			plaque := slices.ContainsFunc(c.Chips, func(id string) bool { return strings.HasPrefix(id, "p") })
			switch {
			case plaque && c.Abstain == "":
				said++
			case plaque || what == "print":
				unsure++
			default:
				continue
			}
			t.Logf("%d %s %s: read as %+v", i, what, zone, c)
		}
	}
	return said, unsure
}

// A plaque where cards lie is read as no card; that one lies there which cannot be read
// may be said.
func TestStillPlaquesAreNoCards(t *testing.T) {
	s, tab := deskOf(t, sim.Config{Game: "blackjack", Seed: 11, Plaques: true})
	n, said, unsure := many(8, 100), 0, 0
	for i := range n {
		s.Clear()
		zone := []string{"bank", "seat:1", "seat:2", "seat:3"}[i%4]
		ids, err := s.Plaques(zone, 1+i%3, i%2*2, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range look(t, s, tab, zone).Cards {
			if c.Abstain == "" {
				said++
			} else {
				unsure++
			}
			t.Logf("%d: %v read as %+v", i, ids, c)
		}
	}
	t.Logf("%d pictures: %d cards read, %d thought of", n, said, unsure)
	if said > 0 {
		t.Errorf("%d pictures of plaques: %d cards are read, want none", n, said)
	}
}
