package scene

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// The worth of stacks, with colours telling seats and doubts telling totals.
func TestTally(t *testing.T) {
	a := NewLayout(
		[]calibration.Zone{square("layout", "", 0, 0, 300, "chips"), square("rojo", "rojo", 0, 0, 300)},
		[]calibration.Chip{
			{ID: "e5", Value: 500},
			{ID: "red", Value: 0, Seat: 1},
			{ID: "blue", Value: 100, Seat: 2},
		},
		500,
		erring,
	)
	z := a.Zones["layout"]
	at := fact.Point{50, 50}
	got := a.tally(z, []fact.Stack{
		{Chips: []string{"red", "red"}, P: 0.8, At: at, Others: []fact.Content{{Chips: []string{"red", "red", "red"}, P: 0.2}}},
		{Chips: []string{"blue", "blue", "blue", "blue"}, P: 1, At: at},
	}, nil)
	one, two := got[Place{1, "rojo"}], got[Place{2, "rojo"}]
	if one.Total != 1000 || !slices.Equal(one.Totals(), []money.Cents{1000, 1500}) || one.Of(1500) != 0.25 ||
		two.Total != 400 || len(two.Others) != 0 {
		t.Errorf("tally %+v", got)
	}
	was := map[Place]Count{{1, "rojo"}: {Total: 700}}
	for _, chips := range [][]string{{"red"}, nil} {
		got := a.tally(z, []fact.Stack{{Chips: chips, Abstain: "occluded", At: at}}, was)
		if c := got[Place{1, "rojo"}]; !c.Hidden || c.Total != 700 {
			t.Errorf("an uncounted stack of %q is %+v, want what was known, hidden", chips, c)
		}
	}
}

// Chips that are counted anew without having moved were never other chips.
func TestRecount(t *testing.T) {
	p := Place{1, "punto"}
	chips := func(n int) []fact.Stack {
		ids := []string{"a", "a", "a", "a", "a"}[:n]
		return []fact.Stack{{Chips: ids, Low: n, High: n, P: 1, At: fact.Point{50, 50}}}
	}
	f := NewFelt(
		NewLayout(
			[]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
			[]calibration.Chip{{ID: "a", Value: 100}},
			500,
			erring,
		),
		&Course{Kind: ByCards},
	)
	see := func(at, since int, n int) {
		o := fact.Observation{
			Kind:  fact.Stable,
			Zone:  "z",
			Time:  t0.Add(time.Duration(at) * time.Second),
			Since: t0.Add(time.Duration(since) * time.Second),
		}
		if n > 0 {
			o.Chips = chips(n)
		}
		f.observe(&o)
	}
	see(0, 0, 0)
	see(2, 1, 3)
	see(3, 1, 4)
	if len(f.Scene.Events) != 1 || f.Scene.Events[0].Chips.Total != 400 {
		t.Errorf("after a recount: %+v", f.Scene.Events)
	}
	f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: t0.Add(4 * time.Second)})
	see(6, 5, 5)
	if len(f.Scene.Events) != 2 || f.On(p).Total != 500 {
		t.Errorf("after chips were added: %+v", f.Scene.Events)
	}
}

// Looks at a stack that nobody touched are put together: what most of them say is likeliest, and
// what one says the less, the more have said otherwise. Within a rest the last reading has the
// looks before in it.
func TestLooksAtOneStack(t *testing.T) {
	for name, c := range map[string]struct {
		reads []int
		again bool
		total money.Cents
		may   []money.Cents
	}{
		"once otherwise":        {[]int{2, 3}, false, 200, []money.Cents{200, 300}},
		"as at first":           {[]int{2, 3, 2}, false, 200, []money.Cents{200}},
		"twice otherwise":       {[]int{2, 3, 3}, false, 300, []money.Cents{300}},
		"the same all the time": {[]int{2, 2, 2}, false, 200, []money.Cents{200}},
		"in one rest":           {[]int{2, 3}, true, 300, []money.Cents{300}},
	} {
		t.Run(name, func(t *testing.T) {
			looks := erring
			looks.Correlation, looks.Restacked, looks.ByTheHouse = 0.2, 1e-9, 1e-9
			f := NewFelt(NewLayout([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
				[]calibration.Chip{{ID: "a", Value: 100}}, 500, looks), &Course{Kind: ByCards})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(0), Since: at(0)})
			for i, n := range c.reads {
				since := at(1)
				if !c.again {
					since = at(float64(i) + 1.5)
					f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: at(float64(i) + 1.2)})
				}
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(float64(i + 2)), Since: since,
					Chips: []fact.Stack{{Chips: slices.Repeat([]string{"a"}, n), P: 0.98, At: fact.Point{50, 50}}}})
			}
			if got := f.Scene.Events[0].Chips; len(f.Scene.Events) != 1 || got.Total != c.total ||
				!slices.Equal(got.Totals(), c.may) {
				t.Errorf("read as %v: %+v, want %d of %v", c.reads, f.Scene.Events, c.total, c.may)
			}
		})
	}
}

// A stack that keeps its place, its number and its top was read wrong where it shows other kinds below: a reader
// that is not quite sure of several kinds in one stack errs in them as in the number.
func TestAStackOfOneKindThatSeemedMixed(t *testing.T) {
	f := NewFelt(NewLayout([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
		[]calibration.Chip{{ID: "a", Value: 500}, {ID: "b", Value: 10000}}, 500, erring), &Course{Kind: ByCards})
	for i, chips := range [][]string{nil, {"b", "b", "b", "a"}, {"a", "a", "a", "a"}} {
		o := fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(float64(2*i + 1)), Since: at(float64(2 * i))}
		if chips != nil {
			f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: at(float64(2*i) - 0.5)})
			o.Chips = []fact.Stack{{Chips: chips, P: []float64{0, 0.904, 0.942}[i], At: fact.Point{50, 50}}}
		}
		f.observe(&o)
	}
	if len(f.Scene.Events) != 1 || f.Scene.Events[0].Chips.Total != 2000 {
		t.Errorf("counted %+v, want 2000 once", f.Scene.Events)
	}
}

// A table without chips has no past that matters.
func TestBareTable(t *testing.T) {
	p := Place{1, "win"}
	for want, c := range map[bool][]Count{true: {{}},
		false: {{Total: 500}, {Hidden: true}, {Others: []Worth{{Total: 500, Odds: 1}}}}} {
		for _, x := range c {
			if sc := (&Scene{Opening: map[Place]Count{p: x}}); sc.WithoutChips() != want {
				t.Errorf("%+v: bare %v", x, !want)
			}
		}
	}
}

// What comes beside stacks that stand is known to the chip, unless one of them is gone,
// is not what it was, or what came was counted roughly itself.
func TestWhatCameBesideStandingStacks(t *testing.T) {
	a := &Layout{chips: map[string]chip{"e5": {value: 500}}, countErrors: erring}
	z := &Zone{Own: Place{1, "main"}}
	stack := func(x float64, n, low, high int) fact.Stack {
		s := fact.Stack{At: fact.Point{x, 0}, Chips: slices.Repeat([]string{"e5"}, n), Low: 1, P: 0.98}
		if low < high {
			s.Abstain, s.P = "unsure", 0.6
			s.Others = []fact.Content{{Chips: slices.Repeat([]string{"e5"}, low+high-n), P: 0.4}}
		}
		return s
	}
	rough := stack(0, 2, 2, 3)
	for _, r := range []struct {
		name string
		now  []fact.Stack
		want money.Cents
	}{
		{"one", []fact.Stack{rough, stack(45, 3, 3, 3)}, 1500},
		{"two", []fact.Stack{stack(45, 3, 3, 3), rough, stack(90, 1, 1, 1)}, 2000},
		{"the stake counted better", []fact.Stack{stack(2, 3, 3, 3), stack(45, 3, 3, 3)}, 1500},
		{"the stake higher", []fact.Stack{stack(0, 5, 4, 5), stack(45, 3, 3, 3)}, 0},
		{"the stake elsewhere", []fact.Stack{stack(20, 2, 2, 3), stack(65, 3, 3, 3)}, 0},
		{"the stake gone", []fact.Stack{stack(45, 3, 3, 3)}, 0},
		{"counted roughly", []fact.Stack{rough, stack(45, 3, 2, 3)}, 0},
		{"not counted", []fact.Stack{rough, stack(45, 3, 3, 3), {At: fact.Point{90, 0}, Abstain: "occluded"}}, 0},
	} {
		t.Run(r.name, func(t *testing.T) {
			_, was, _ := a.matchStacks(z, nil, []fact.Stack{rough}, nil, false)
			if _, _, moved := a.matchStacks(z, was, r.now, nil, false); moved.came[z.Own].Total != r.want {
				t.Errorf("%d came, want %d", moved.came[z.Own].Total, r.want)
			}
		})
	}
}

// Chips that came beside others are the same many when all are counted again.
func TestAnotherCountKeepsWhatCame(t *testing.T) {
	both := Count{Total: 2000, Others: []Worth{{Total: 2500, Odds: 0.7}}}
	both = both.beside(Count{Total: 1000, Others: []Worth{{Total: 1500, Odds: 0.02}}})
	again := Count{Total: 2500, Others: []Worth{{Total: 2000, Odds: 0.5}}}.keeping(both)
	if got := again.Misread(); !slices.Equal(got, []Worth{{Total: 3000, Odds: 0.02}}) {
		t.Errorf("counted again: %+v", got)
	}
	half := Count{Total: 500, Others: []Worth{{Total: 1000, Odds: 0.5}}}
	if got := half.keeping(Count{Total: 500}).Misread(); len(got) != 1 {
		t.Errorf("where nothing came: %+v", got)
	}
}

// Two stacks of a place are worth what their distributions make together: of two that are as
// likely five as six, eleven is the likeliest.
func TestTheWorthOfTwoStacks(t *testing.T) {
	one := countOf(map[money.Cents]float64{500: 0.5, 600: 0.5}, 500)
	both := sum(one, one)
	if both.Total != 1100 || both.Of(1000) != 0.5 || both.Of(1200) != 0.5 || !both.Rough() {
		t.Errorf("two stacks of five or six: %+v", both)
	}
	sure := countOf(map[money.Cents]float64{500: 0.95, 600: 0.05}, 500)
	if sure.Rough() || sum(sure, Count{}).Of(600) != sure.Of(600) {
		t.Errorf("a sure stack: %+v", sure)
	}
}

// Chips that changed under hands which came before the end of a round may have changed on
// either side of it.
func TestAChangeAcrossTheEndOfARound(t *testing.T) {
	p, end := Place{4, "rojo"}, t0.Add(10*time.Second)
	for came, want := range map[time.Duration]bool{8 * time.Second: true, 11 * time.Second: false} {
		sc := &Scene{Ended: end}
		f := &Felt{Ended: []*Scene{sc}}
		f.noteAcrossEnd(p, rest{from: t0.Add(came), at: t0.Add(12 * time.Second)})
		if sc.AcrossEnd[p] != want {
			t.Errorf("hands that came at %v: across the end %v, want %v", came, sc.AcrossEnd[p], want)
		}
	}
}

// stackOf has a felt see a stack of so many chips at times, after hands had been there.
func stackOf(f *Felt, side string, numbers ...int) {
	for i, n := range numbers {
		t := float64(2 * i)
		f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: at(t)})
		o := fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(t + 1), Since: at(t + 0.8), Hands: []string{side}}
		if n > 0 {
			o.Chips = []fact.Stack{{Chips: slices.Repeat([]string{"a"}, n), P: 0.999, At: fact.Point{50, 50}}}
		}
		f.observe(&o)
	}
}

// unchanged are the amounts that chips may be worth if a stack did not change, as they were counted.
func unchanged(f *Felt) (all [][]money.Cents) {
	for i := range f.Scene.Events {
		var may []money.Cents
		for _, w := range f.Scene.Events[i].Chips.Others {
			if w.Unchanged {
				may = append(may, w.Total)
			}
		}
		all = append(all, may)
	}
	return all
}

// One reading of a stack between others that are alike is the wrong one, however sure its reader was; where it is
// read so again the stack was changed. What a rest is read as again takes nothing back.
func TestOneReadingBetweenOthers(t *testing.T) {
	looks := CountErrors{
		Correlation: 0.62, Misread: 0.0013, AtMost: 0.997, At97: 0.972, Restacked: 0.005, ByTheHouse: 0.018,
	}
	for name, c := range map[string]struct {
		numbers []int
		twice   bool // the last rest is read twice
		want    [][]money.Cents
	}{
		"between":    {[]int{0, 4, 5, 4, 4}, false, [][]money.Cents{{500}, {400}, nil}},
		"read again": {[]int{0, 4, 5}, true, [][]money.Cents{{500}, {400}}},
		"it grew":    {[]int{0, 4, 5, 5}, false, [][]money.Cents{nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFelt(NewLayout([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
				[]calibration.Chip{{ID: "a", Value: 100}}, 500, looks), &Course{Kind: ByCards})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(-1), Since: at(-1)})
			if stackOf(f, fact.Players, c.numbers...); c.twice {
				last := 2*float64(len(c.numbers)-1) + 0.8
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at(last + 0.5), Since: at(last), Chips: []fact.Stack{
					{Chips: slices.Repeat([]string{"a"}, 5), P: 0.999, At: fact.Point{50, 50}},
				}})
			}
			got := unchanged(f)
			if !slices.EqualFunc(got, c.want, slices.Equal[[]money.Cents]) {
				t.Errorf("counts that hold if nothing changed: %v, want %v", got, c.want)
			}
		})
	}
}

// What lies where hands are when a table is seen first lay there before, or not: nobody knows.
func TestAZoneThatMovesWhenItIsSeenFirst(t *testing.T) {
	f := NewFelt(NewLayout([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
		[]calibration.Chip{{ID: "a", Value: 100}}, 500, erring), &Course{Kind: ByWheel})
	stackOf(f, fact.Players, 4)
	f.foldLine(round.Event{Type: round.Ball, Pocket: "7"}, at(3))
	if got := f.Scene.Unverifiable(); got != underWay || len(f.Scene.Events) != 1 {
		t.Errorf("not verifiable %q, want %q: %+v", got, underWay, f.Scene.Events)
	}
}
