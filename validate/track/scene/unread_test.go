package scene

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// What no reader names where a stack was counted is that stack, and what comes beside it is
// counted; something larger, or elsewhere, hides the place.
func TestAStackThatIsUnreadStands(t *testing.T) {
	box := func(size float64) fact.Quad { return fact.Quad{{0, 0}, {size, 0}, {size, size}, {0, size}} }
	counted := func(x float64, n int) fact.Stack {
		return fact.Stack{Chips: []string{"a", "a", "a"}[:n], Low: n, High: n, P: 1, At: fact.Point{x, 50}, Quad: box(40)}
	}
	unread := func(x, size float64) fact.Stack {
		return fact.Stack{Abstain: fact.Unread, High: 20, At: fact.Point{x, 50}, Quad: box(size)}
	}
	kindless := fact.Stack{Abstain: "unsure", Low: 2, High: 3, At: fact.Point{51, 50}, Quad: box(42)} // its height shows
	hand := fact.Stack{Abstain: "unsure", Low: 0, High: 20, At: fact.Point{54, 40}, Quad: box(90)}
	for _, c := range []struct {
		spot   string
		name   string
		then   [][]fact.Stack
		events int
		total  money.Cents
		came   money.Cents
		hidden bool
	}{
		{"rojo", "it stands", [][]fact.Stack{{unread(51, 42)}}, 1, 200, 0, false},
		{"rojo", "and is read again", [][]fact.Stack{{unread(51, 42)}, {counted(50, 2)}}, 1, 200, 0, false},
		{"rojo", "and is paid", [][]fact.Stack{{unread(51, 42)}, {unread(51, 42), counted(95, 2)}}, 2, 400, 200, false},
		{"rojo", "it was raised meanwhile", [][]fact.Stack{{unread(51, 42)}, {counted(50, 3)}}, 2, 300, 0, false},
		{"rojo", "only its kind is not read", [][]fact.Stack{{kindless}, {counted(50, 2)}}, 1, 200, 0, false},
		{"rojo", "a cup", [][]fact.Stack{{unread(51, 80)}}, 2, 200, 0, true},
		{"rojo", "elsewhere", [][]fact.Stack{{unread(80, 42)}}, 2, 200, 0, true},
		{"rojo", "a hand first", [][]fact.Stack{{hand},
			{unread(51, 42), counted(95, 1)}}, 3, 300, 0, false},
		{"rojo", "taken away", [][]fact.Stack{{unread(51, 42)}, nil}, 2, 0, 0, false},
		{PotSpot, "a pot heaped up anew", [][]fact.Stack{{unread(51, 42)}}, 2, 200, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := NewFelt(NewLayout([]calibration.Zone{square("z", c.spot, 1, 0, 300, "chips")},
				[]calibration.Chip{{ID: "a", Value: 100}}, 500, erring), &Course{Kind: ByWheel})
			for i, chips := range append([][]fact.Stack{nil, {counted(50, 2)}}, c.then...) {
				at := t0.Add(time.Duration(i) * 10 * time.Second)
				f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: at})
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at.Add(time.Second), Since: at.Add(time.Second),
					Chips: chips})
			}
			last, came := f.Scene.Events[len(f.Scene.Events)-1].Chips, money.Cents(0)
			if len(last.Came) > 0 {
				came = last.Came[0].Total
			}
			if now := f.On(Place{1, c.spot}); now.Hidden != c.hidden || len(f.Scene.Events) != c.events ||
				last.Total != c.total || came != c.came {
				t.Errorf("%d events, the last %+v; there lies %+v", len(f.Scene.Events), last, now)
			}
		})
	}
}

// A die lies on chips where some are known to lie, or something that nobody names; where
// there are none it may be believed or not.
func TestADieOnChipsThatNobodySaw(t *testing.T) {
	for name, c := range map[string]struct {
		chips     []fact.Stack
		irregular string
		want      bool
	}{
		"none":         {nil, OnChips, true},
		"elsewhere":    {[]fact.Stack{{Chips: []string{"a"}, Low: 1, High: 1, P: 1, At: fact.Point{250, 50}}}, OnChips, true},
		"under it":     {[]fact.Stack{{Chips: []string{"a"}, Low: 1, High: 1, P: 1, At: fact.Point{60, 50}}}, OnChips, false},
		"unread":       {[]fact.Stack{{Abstain: fact.Unread, High: 20, At: fact.Point{60, 50}}}, OnChips, false},
		"and it leans": {nil, "cocked", false},
		"on the felt":  {nil, "", false},
	} {
		zones := []calibration.Zone{square("z", "rojo", 1, 0, 300, "chips"), square("dice", "", 0, 0, 300, "dice")}
		f := NewFelt(NewLayout(zones,
			[]calibration.Chip{{ID: "a", Value: 100}}, 500, erring), &Course{Kind: ByDice})
		die := fact.Die{Guesses: []fact.Guess{{Label: "2", P: 1}}, Irregular: c.irregular, At: fact.Point{50, 40}}
		for i, o := range []fact.Observation{
			{Zone: "z"}, {Zone: "dice"}, {Zone: "z", Chips: c.chips}, {Zone: "dice", Dice: []fact.Die{die}},
		} {
			o.Kind, o.Time = fact.Stable, t0.Add(time.Duration(i)*time.Second)
			f.observe(&o)
		}
		i := f.Scene.Last(func(h *Event) bool { return h.Kind == DiceSeen })
		if i < 0 || f.Scene.Events[i].ChipsUnknown != c.want {
			t.Errorf("%s: %+v; want bare %v", name, f.Scene.Events, c.want)
		}
	}
}

// Chips that are read beside what nobody could name before may have lain there since that
// came; elsewhere they came since the zone was read.
func TestChipsMayHaveLainBesideWhatIsUnread(t *testing.T) {
	zones := []calibration.Zone{
		square("z", "", 0, 0, 300, "chips"), square("a", "8", 0, 0, 100), square("b", "9", 0, 100, 200),
	}
	lay := NewLayout(zones, []calibration.Chip{{ID: "a", Value: 100, Seat: 1}, {ID: "b", Value: 100, Seat: 2}}, 500, erring)
	heap := fact.Stack{Abstain: "unsure", Low: 12, High: 12, At: fact.Point{50, 70}}
	stack := func(kind string, x, y float64) fact.Stack {
		return fact.Stack{Chips: []string{kind}, Low: 1, High: 1, P: 1, At: fact.Point{x, y}}
	}
	for _, c := range []struct {
		name string
		x    float64
		want time.Duration
	}{{"beside it", 50, 10 * time.Second}, {"elsewhere", 200, 30 * time.Second}} {
		f := NewFelt(lay, &Course{Kind: ByWheel})
		for i, chips := range [][]fact.Stack{nil, {heap}, {heap}, {stack("a", 50, 70), stack("b", c.x, 25)}} {
			at := t0.Add(time.Duration(i) * 10 * time.Second)
			f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Time: at})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "z", Time: at.Add(time.Second), Since: at.Add(time.Second),
				Chips: chips})
		}
		i := f.Scene.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place.Seat == 2 })
		if i < 0 || !f.Scene.Events[i].From.Equal(t0.Add(c.want)) {
			t.Errorf("%s: %+v; want from %v", c.name, f.Scene.Events, c.want)
		}
	}
}
