package track

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

func square(name, spot string, seat int, x, w float64, reads ...string) calibration.Zone {
	return calibration.Zone{Name: name, Spot: spot, Seat: seat, Reads: reads, Polygon: []fact.Point{{x, 0}, {x + w, 0}, {x + w, 100}, {x, 100}}}
}

func TestLocate(t *testing.T) {
	a := newAtlas([]calibration.Zone{
		square("layout", "", 0, 0, 300, "chips"), square("pleno:1", "pleno:1", 0, 0, 100), square("pleno:2", "pleno:2", 0, 100, 100),
		square("caballo:1-2", "caballo:1-2", 0, 92, 16), square("seat:1 pay", "pay", 1, 400, 100, "chips"),
	}, nil, 500)
	for _, c := range []struct {
		zone string
		x    float64
		want string
	}{{"layout", 50, "pleno:1"}, {"layout", 95, "caballo:1-2"}, {"layout", 150, "pleno:2"}, {"layout", 210, "pleno:2"}, {"layout", 250, ""}, {"seat:1 pay", 999, "pay"}} {
		p, ok := a.locate(a.zones[c.zone], fact.Point{c.x, 50})
		if p.Spot != c.want || ok != (c.want != "") {
			t.Errorf("%s at %v: %q %v, want %q", c.zone, c.x, p.Spot, ok, c.want)
		}
	}
}

// The worth of stacks, with colours telling seats and doubts telling totals.
func TestTally(t *testing.T) {
	a := newAtlas([]calibration.Zone{square("layout", "", 0, 0, 300, "chips"), square("rojo", "rojo", 0, 0, 300)},
		[]calibration.Chip{{ID: "e5", Value: 500}, {ID: "red", Value: 0, Seat: 1}, {ID: "blue", Value: 100, Seat: 2}}, 500)
	z := a.zones["layout"]
	at := fact.Point{50, 50}
	got := a.tally(z, []fact.Stack{
		{Chips: []string{"red", "red"}, Low: 2, High: 3, P: 0.8, At: at},
		{Chips: []string{"blue"}, Low: 4, High: 4, P: 1, At: at},
	}, nil)
	one, two := got[place{1, "rojo"}], got[place{2, "rojo"}]
	if one.total != 1000 || len(one.alts) != 1 || one.alts[0].total != 1500 || two.total != 400 || len(two.alts) != 0 {
		t.Errorf("tally %+v", got)
	}
	was := map[place]count{{1, "rojo"}: {total: 700}}
	for _, chips := range [][]string{{"red"}, nil} {
		got := a.tally(z, []fact.Stack{{Chips: chips, Abstain: "occluded", At: at}}, was)
		if c := got[place{1, "rojo"}]; !c.hidden || c.total != 700 {
			t.Errorf("an uncounted stack of %q is %+v, want what was known, hidden", chips, c)
		}
	}
}

func seenCard(label string, x float64) fact.Card {
	c := fact.Card{At: fact.Point{x, 0}}
	if label == "" {
		c.Abstain = "blurred"
	} else {
		c.Guesses = []fact.Guess{{Label: label, P: 0.99}}
	}
	return c
}

// Readings of the same card are told from new cards.
func TestCardsAreMatched(t *testing.T) {
	type reading []fact.Card
	court := fact.Card{Guesses: []fact.Guess{{Label: "Kc", P: 0.87}, {Label: "Jc", P: 0.09}}, Abstain: "unsure"}
	rows := []struct {
		name     string
		readings []reading
		dealt    int
		here     int
		turned   int
	}{
		{"dealt one by one", []reading{{seenCard("As", 0)}, {seenCard("As", 1), seenCard("Kd", 60)}}, 2, 2, 0},
		{"slid along", []reading{{seenCard("As", 0)}, {seenCard("As", 150)}}, 1, 1, 0},
		{"read at last", []reading{{seenCard("", 0)}, {seenCard("As", 2)}}, 1, 1, 0},
		{"lost and found", []reading{{seenCard("As", 0), seenCard("Kd", 60)}, {seenCard("Kd", 60)}, {seenCard("As", 0), seenCard("Kd", 60)}}, 2, 2, 0},
		{"turned", []reading{{seenCard("BK", 0), seenCard("BK", 60)}, {seenCard("9h", 5), seenCard("Kd", 66)}}, 2, 2, 2},
		{"a better reading", []reading{{seenCard("6h", 0)}, {seenCard("9h", 3)}}, 1, 1, 0},
		{"equal cards", []reading{{seenCard("7h", 0)}, {seenCard("7h", 0), seenCard("7h", 60)}}, 2, 2, 0},
		{"taken away", []reading{{seenCard("As", 0)}, {}}, 1, 0, 0},
		{"turned, and which court is not sure", []reading{{seenCard("BK", 0)}, {court}}, 1, 1, 1},
		{"a hand taken for a court", []reading{{seenCard("BK", 0)}, {court}, {seenCard("BK", 0)}}, 1, 1, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			f := newFelt(newAtlas([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500), games["punto_banco"], time.Second)
			at := t0
			f.see(&fact.Observation{Kind: fact.Settled, Zone: "punto", Time: at})
			for _, cards := range r.readings {
				at = at.Add(time.Second)
				f.see(&fact.Observation{Kind: fact.Settled, Zone: "punto", Time: at, Cards: cards})
			}
			dealt, here := f.scene.dealt()
			turned := 0
			for _, h := range f.scene.items {
				if h.kind == cardTurned && h.slot != nobody {
					turned++
				}
			}
			if dealt != r.dealt || here != r.here || turned != r.turned {
				t.Errorf("%d dealt, %d here, %d turned; want %d, %d, %d", dealt, here, turned, r.dealt, r.here, r.turned)
			}
			if len(f.scene.marks) > 0 {
				t.Errorf("marked %q", f.scene.marks)
			}
		})
	}
}

// Dice that lie still are one throw, dice that are pushed about are none.
func TestDiceAreThrown(t *testing.T) {
	die := func(face string, x float64) fact.Die {
		return fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 0}}
	}
	f := newFelt(newAtlas([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500), games["dados_craps"], time.Second)
	at := t0
	see := func(dice ...fact.Die) {
		at = at.Add(time.Second)
		f.see(&fact.Observation{Kind: fact.Settled, Zone: "dice", Time: at, Dice: dice})
	}
	throws := func() (n int) {
		for _, h := range f.scene.items {
			if h.kind == diceSeen {
				n++
			}
		}
		return n
	}
	see()
	see(die("3", 10), die("4", 50))
	see(die("3", 11), die("4", 51))
	if throws() != 1 {
		t.Fatalf("%d throws, want 1", throws())
	}
	see(die("3", 100), die("4", 150))
	if throws() != 1 {
		t.Errorf("%d throws after a push, want 1", throws())
	}
}

// A die that comes to lie by another belongs to its throw; from when they came to
// rest it follows whether they were thrown together.
func TestDiceNotThrownTogether(t *testing.T) {
	for _, c := range []struct {
		name          string
		alone         bool          // the first is seen at rest by itself
		first, second time.Duration // when they came to rest; 0: not known
		lies, want    string
	}{
		{"together", false, 5 * time.Second, 6 * time.Second, "", ""},
		{"one spins on", false, 5 * time.Second, 7400 * time.Millisecond, "", ""},
		{"one after the other", false, 5 * time.Second, 8 * time.Second, "", "not_thrown_together"},
		{"the other was first", false, 8 * time.Second, 5 * time.Second, "", "not_thrown_together"},
		{"the first seen alone", true, 5 * time.Second, 9 * time.Second, "", "not_thrown_together"},
		{"the first not seen coming", true, 0, 9 * time.Second, "", ""},
		{"the second covered when it came", true, 5 * time.Second, 0, "", ""},
		{"one leans as well", false, 5 * time.Second, 9 * time.Second, "cocked", "cocked"},
	} {
		f := newFelt(newAtlas([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500), games["dados_craps"], time.Second)
		die := func(face string, x float64, still time.Duration) fact.Die {
			d := fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 0}}
			if still > 0 {
				d.Still = t0.Add(still)
			}
			return d
		}
		see := func(at time.Duration, dice ...fact.Die) {
			f.see(&fact.Observation{Kind: fact.Settled, Zone: "dice", Time: t0.Add(at), Dice: dice})
		}
		one, two := die("3", 10, c.first), die("4", 50, c.second)
		two.Irregular = c.lies
		see(0)
		if c.alone {
			see(6*time.Second, one)
		}
		see(10*time.Second, one, two)
		var throws []round.Event
		for i := range f.scene.items {
			if h := &f.scene.items[i]; h.kind == diceSeen {
				throws = append(throws, diceEvent(h, nil))
				if len(h.dice) != 2 {
					t.Errorf("%s: %d dice, want two", c.name, len(h.dice))
				}
			}
		}
		if len(throws) != 1 || throws[0].Irregular != c.want {
			t.Errorf("%s: throws %+v, want one %q", c.name, throws, c.want)
		}
	}
}

// Chips that are counted anew without having moved were never other chips.
func TestRecount(t *testing.T) {
	p := place{1, "punto"}
	chips := func(n int) []fact.Stack {
		ids := []string{"a", "a", "a", "a", "a"}[:n]
		return []fact.Stack{{Chips: ids, Low: n, High: n, P: 1, At: fact.Point{50, 50}}}
	}
	f := newFelt(newAtlas([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")}, []calibration.Chip{{ID: "a", Value: 100}}, 500),
		games["punto_banco"], time.Second)
	see := func(at, since int, n int) {
		o := fact.Observation{Kind: fact.Settled, Zone: "z", Time: t0.Add(time.Duration(at) * time.Second), Since: t0.Add(time.Duration(since) * time.Second)}
		if n > 0 {
			o.Chips = chips(n)
		}
		f.see(&o)
	}
	see(0, 0, 0)
	see(2, 1, 3)
	see(3, 1, 4)
	if len(f.scene.items) != 1 || f.scene.items[0].chips.total != 400 {
		t.Errorf("after a recount: %+v", f.scene.items)
	}
	f.see(&fact.Observation{Kind: fact.Stirred, Zone: "z", Time: t0.Add(4 * time.Second)})
	see(6, 5, 5)
	if len(f.scene.items) != 2 || f.on(p).total != 500 {
		t.Errorf("after chips were added: %+v", f.scene.items)
	}
}

// A stack that nobody touched and that is counted otherwise may have either height
// until one of the two is read again.
func TestAWaveringCount(t *testing.T) {
	p := place{1, "punto"}
	for name, c := range map[string]struct {
		reads []int
		total money.Cents
		may   []money.Cents
	}{
		"once otherwise":         {[]int{2, 4}, 200, []money.Cents{200, 400}},
		"as at first":            {[]int{2, 4, 2}, 200, nil},
		"twice otherwise":        {[]int{2, 4, 4}, 400, nil},
		"every time otherwise":   {[]int{2, 4, 3}, 200, []money.Cents{200, 300, 400}},
		"the same all the time":  {[]int{2, 2, 2}, 200, nil},
		"back after three times": {[]int{2, 3, 4, 3}, 300, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFelt(newAtlas([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")}, []calibration.Chip{{ID: "a", Value: 100}}, 500),
				games["punto_banco"], time.Second)
			f.see(&fact.Observation{Kind: fact.Settled, Zone: "z", Time: at(0), Since: at(0)})
			for i, n := range c.reads {
				ids := []string{"a", "a", "a", "a"}[:n]
				f.see(&fact.Observation{Kind: fact.Settled, Zone: "z", Time: at(float64(i + 2)), Since: at(1),
					Chips: []fact.Stack{{Chips: ids, Low: n, High: n + 1, P: 0.94, At: fact.Point{50, 50}}}})
			}
			if got := f.scene.items[0].chips; len(f.scene.items) != 1 || f.scene.items[0].place != p || got.total != c.total || !slices.Equal(got.may, c.may) {
				t.Errorf("read as %v: %+v, want %d of %v", c.reads, f.scene.items, c.total, c.may)
			}
		})
	}
}

// What is seen for a moment between cards that stay is no card.
func TestGhost(t *testing.T) {
	f := newFelt(newAtlas([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500), games["punto_banco"], time.Second)
	see := func(ms int, cards ...fact.Card) {
		f.see(&fact.Observation{Kind: fact.Settled, Zone: "punto", Time: t0.Add(time.Duration(ms) * time.Millisecond), Cards: cards})
	}
	see(0)
	see(1000, seenCard("As", 0))
	see(2000, seenCard("As", 0), seenCard("5d", 80))
	see(2500, seenCard("As", 0))
	see(4000, seenCard("As", 0), seenCard("9c", 60))
	var ghosts []bool
	for i := range f.scene.slots {
		ghosts = append(ghosts, f.scene.slots[i].ghost())
	}
	if len(ghosts) != 3 || ghosts[0] || !ghosts[1] || ghosts[2] {
		t.Errorf("ghosts %v, want only the second", ghosts)
	}
}

// Of more readings than dice are thrown, those that could not be read are none.
func TestThrownDice(t *testing.T) {
	read := fact.Die{Guesses: []fact.Guess{{Label: "4", P: 0.99}}}
	unread := fact.Die{Abstain: "unsure"}
	leaning := fact.Die{Guesses: read.Guesses, Irregular: "cocked"}
	lost := fact.Die{Abstain: "unsure", Irregular: "cocked"}
	for name, c := range map[string]struct {
		dice []fact.Die
		want int
	}{
		"prints beside three dice": {[]fact.Die{read, unread, read, unread, read}, 3},
		"a die not read":           {[]fact.Die{read, unread, read}, 3},
		"nothing read":             {[]fact.Die{unread, unread}, 2},
		"four dice":                {[]fact.Die{read, read, read, read}, 4},
		"one side read as a die":   {[]fact.Die{leaning, read, read, read}, 3},
		"one leans, two sides":     {[]fact.Die{leaning, read, leaning, read, leaning}, 3},
		"one leans, not read":      {[]fact.Die{read, lost, read}, 3},
	} {
		got := games["sic_bo"].thrown(c.dice)
		if len(got) != c.want {
			t.Errorf("%s: %d dice, want %d", name, len(got), c.want)
		}
		flat, bad := 0, ""
		for _, d := range c.dice {
			if d.Abstain == "" && d.Irregular == "" {
				flat++
			}
		}
		for _, d := range got {
			bad += d.Irregular
		}
		if flat >= 3 && bad != "" || flat < 3 && bad == "" && name[:3] == "one" {
			t.Errorf("%s: %d lie flat, told are %+v", name, flat, got)
		}
	}
}

// A table without chips has no past that matters.
func TestBareTable(t *testing.T) {
	p := place{1, "win"}
	for want, c := range map[bool][]count{true: {{}}, false: {{total: 500}, {hidden: true}, {may: []money.Cents{0, 500}}}} {
		for _, x := range c {
			if sc := (&scene{opening: map[place]count{p: x}}); sc.bare() != want {
				t.Errorf("%+v: bare %v", x, !want)
			}
		}
	}
}
