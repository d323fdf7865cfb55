package scene

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// lain is a die that came to rest at a time, in millimetres from the edge.
func lain(face string, x, still float64) fact.Die {
	return fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 50}, Still: at(still)}
}

// crapsFelt is a table of craps, and what its dice zone is seen to show: since it
// moves, since it rests, and when it was read.
func crapsFelt() (*Felt, func(stirred, rest, read float64, dice ...fact.Die)) {
	f := NewFelt(
		NewLayout([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500, erring),
		&Course{Kind: ByDice, Dice: 2},
	)
	return f, func(stirred, rest, read float64, dice ...fact.Die) {
		f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "dice", Time: at(stirred)})
		f.observe(&fact.Observation{Kind: fact.Stable, Zone: "dice", Since: at(rest), Time: at(read), Dice: dice})
	}
}

// An arm over one of two dice that lie still changes nothing of when they came to rest.
func TestAnArmOverADieThrowsNothing(t *testing.T) {
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
	see(3, 4, 4.5, lain("6", 60, 3.8), lain("2", 120, 4))
	see(7, 9, 9.5, lain("6", 61, 3.8), lain("2", 120, 9))
	i := f.Scene.Outcome()
	if i < 0 || len(f.Scene.Events[i].Dice) != 2 {
		t.Fatalf("%+v", f.Scene.Events)
	}
	if notTogether(f.Scene.Events[i].Dice) {
		t.Errorf("not thrown together: %+v", f.Scene.Events[i].Dice)
	}
}

// Dice that nobody could read are no dice of which anything was called.
func TestUnreadDiceStayWhereTheyWereSeen(t *testing.T) {
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(5))
	see(
		3,
		8,
		8.5,
		fact.Die{At: fact.Point{60, 50}, Abstain: "blurred"},
		fact.Die{At: fact.Point{120, 50}, Abstain: "blurred"},
	)
	if n := len(f.Scene.Events); n != 2 || f.Scene.Events[1].Kind != DiceSeen {
		t.Errorf("%d happenings: %+v", n, f.Scene.Events)
	}
}

// Dice under hands are called and paid before anybody sees them: they had come to rest
// before the call, if it is of them.
func TestDiceUnderHandsLieBeforeTheyAreCalled(t *testing.T) {
	for name, c := range map[string]struct {
		points int
		called float64
		want   int // index of the dice among closing call, call of the total and dice
	}{
		"called meanwhile":        {8, 5, 1},
		"another total":           {7, 5, 2},
		"called before they came": {8, 2.5, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f, see := crapsFelt()
			see(0, 1, 1.5)
			f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
			f.foldLine(round.Event{Type: round.Announce, Call: "total", Points: &c.points}, at(c.called))
			see(3, 8, 8.5, lain("6", 60, 8), lain("2", 120, 8))
			if n := len(f.Scene.Events); n != 3 {
				t.Fatalf("%d happenings: %+v", n, f.Scene.Events)
			}
			if got := f.Scene.Events[c.want]; got.Kind != DiceSeen {
				t.Errorf("the dice are not at %d: %+v", c.want, f.Scene.Events)
			}
			if c.want == 1 && !f.Scene.Events[1].At.Before(f.Scene.Events[2].At) {
				t.Errorf("the dice lie from %v, called at %v", f.Scene.Events[1].At, f.Scene.Events[2].At)
			}
		})
	}
}

// Dice that lie still are one throw, dice that are pushed about are none.
func TestDiceAreThrown(t *testing.T) {
	die := func(face string, x float64) fact.Die {
		return fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 0}}
	}
	f := NewFelt(
		NewLayout([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500, erring),
		&Course{Kind: ByDice, Dice: 2},
	)
	at := t0
	see := func(dice ...fact.Die) {
		at = at.Add(time.Second)
		f.observe(&fact.Observation{Kind: fact.Stable, Zone: "dice", Time: at, Dice: dice})
	}
	throws := func() (n int) {
		for _, h := range f.Scene.Events {
			if h.Kind == DiceSeen {
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
		name            string
		alone           bool          // the first is seen at rest by itself
		first, second   time.Duration // when they came to rest; 0: not known
		irregular, want string
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
		f := NewFelt(
			NewLayout([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500, erring),
			&Course{Kind: ByDice, Dice: 2},
		)
		die := func(face string, x float64, still time.Duration) fact.Die {
			d := fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 0}}
			if still > 0 {
				d.Still = t0.Add(still)
			}
			return d
		}
		see := func(at time.Duration, dice ...fact.Die) {
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "dice", Time: t0.Add(at), Dice: dice})
		}
		one, two := die("3", 10, c.first), die("4", 50, c.second)
		two.Irregular = c.irregular
		see(0)
		if c.alone {
			see(6*time.Second, one)
		}
		see(10*time.Second, one, two)
		var throws []string
		for i := range f.Scene.Events {
			if h := &f.Scene.Events[i]; h.Kind == DiceSeen {
				throws = append(throws, h.Irregular())
				if len(h.Dice) != 2 {
					t.Errorf("%s: %d dice, want two", c.name, len(h.Dice))
				}
			}
		}
		if len(throws) != 1 || throws[0] != c.want {
			t.Errorf("%s: throws %q, want one %q", c.name, throws, c.want)
		}
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
		got := (&Course{Kind: ByDice, Dice: 3, Shaken: true}).thrown(c.dice)
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

// With one die that leans as many are read as are thrown, and another is unsure: the one that leans
// may be a side of another, so the unsure one stays, unread, until it is read.
func TestAnUnsureDieBesideOneThatLeans(t *testing.T) {
	unsure := lain("2", 60, 4)
	unsure.Abstain = "unsure"
	leans := lain("1", 124, 4)
	leans.Irregular = "cocked"
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
	for _, c := range []struct {
		read float64
		dice []fact.Die
		want []int
	}{
		{4.5, []fact.Die{unsure, lain("4", 120, 4), leans}, []int{4, 0}},
		{5, []fact.Die{lain("2", 60, 4), lain("4", 120, 4), leans}, []int{2, 4}},
	} {
		see(3, 4, c.read, c.dice...)
		i := f.Scene.Outcome()
		if i < 0 {
			t.Fatal("no throw")
		}
		h := &f.Scene.Events[i]
		if got := BestFaces(h.Dice); !slices.Equal(got, c.want) || h.Irregular() != "" {
			t.Errorf("read at %v: %v, irregular %q; want %v", c.read, got, h.Irregular(), c.want)
		}
	}
}

// Dice of which one was not read are read whole later, though the one that was taken for it lies
// elsewhere.
func TestAThrowIsReadWholeLater(t *testing.T) {
	unsure := lain("", 30, 4)
	unsure.Abstain = "unsure"
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
	see(3, 4, 4.5, unsure, lain("4", 120, 4))
	see(3, 4, 5, lain("5", 200, 4), lain("4", 120, 4))
	if got := BestFaces(f.Scene.Events[f.Scene.Outcome()].Dice); !slices.Equal(got, []int{5, 4}) {
		t.Errorf("read %v", got)
	}
}
