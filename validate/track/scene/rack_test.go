package scene

import (
	"math"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// rackFelt is a table with a rack of two tubes of 5 and 25 €, and a third of several kinds.
func rackFelt() *Felt {
	palette := []calibration.Chip{{ID: "5", Value: 500, Diameter: 39}, {ID: "25", Value: 2500, Diameter: 39}}
	l := NewLayout(nil, palette, 500, erring)
	l.Racks = Racks{}
	l.Racks.Add("front", &calibration.Rack{Tubes: []calibration.Tube{{Chip: "5"}, {Chip: "25"}, {Chip: calibration.AnyChip}}}, palette)
	l.Racks.Add("side", nil, palette)
	l.Racks.Add("back", &calibration.Rack{Tubes: []calibration.Tube{{Chip: "5"}}}, palette)
	plates := append(palette[:2:2], calibration.Chip{ID: "p", Value: 1e5, Length: 78, Width: 49})
	l.Racks.Add("over", &calibration.Rack{Tubes: []calibration.Tube{{Chip: calibration.AnyChip}}}, plates)
	return NewFelt(l, &Course{Kind: ByCards})
}

// rested is a reading of all tubes at a second, each against one of another second (negative: none).
func rested(at float64, tubes ...fact.Tube) *fact.Observation {
	for i := range tubes {
		tubes[i].Tube, tubes[i].Rest = i, sec(at)
	}
	return &fact.Observation{Kind: fact.Rack, Camera: "front", Zone: calibration.RackZone, Since: sec(at), Time: sec(at),
		Tubes: tubes}
}

func sec(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }

// stirred is a hand that comes to the rack at a second.
func stirred(at float64) *fact.Observation {
	return &fact.Observation{Kind: fact.MotionStarted, Camera: "front", Zone: calibration.RackZone, Time: sec(at)}
}

// grew is a tube that surely grew by n since a second.
func grew(since float64, n int) fact.Tube {
	return fact.Tube{Since: sec(since), Change: []fact.Change{{N: n}}}
}

func TestScene_RackGrowth(t *testing.T) {
	unread := fact.Tube{Since: sec(10), Abstain: "hand"}
	doubt := fact.Tube{Since: sec(10), Abstain: "unsure", Change: []fact.Change{{N: -3}, {N: -2, LogP: math.Log(1.0 / 3)}}}
	if l := rackFelt().layout; len(l.Racks) != 1 {
		t.Errorf("racks %v: want only the one into which all money goes", l.Racks)
	}
	for _, c := range []struct {
		name  string
		rests []*fact.Observation
		want  map[money.Cents]float64 // nil: not known
	}{
		{"one act", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(20, grew(10, -3), grew(10, 1), grew(10, 0)),
		}, map[money.Cents]float64{-1500 + 2500: 1}},
		{"several rests", []*fact.Observation{
			rested(5, grew(1, 9), grew(1, 9), grew(1, 0)), rested(10, grew(5, 9), grew(5, 9), grew(5, 0)),
			rested(13, grew(10, 2), grew(10, 0), grew(10, 0)), stirred(17), rested(20, grew(13, 1), grew(13, -2), grew(13, 0)),
		}, map[money.Cents]float64{1500 - 5000: 1}},
		{"read again at the same rest", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(20, grew(10, -9), grew(10, 0), grew(10, 0)),
			rested(20, grew(10, -3), grew(10, 0), grew(10, 0)),
		}, map[money.Cents]float64{-1500: 1}},
		{"a hand between", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), rested(14, unread, grew(10, 1), grew(10, 0)),
			rested(20, grew(10, -2), grew(14, 0), grew(14, 0)),
		}, map[money.Cents]float64{-1000 + 2500: 1}},
		{"in doubt", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(20, doubt, grew(10, 0), grew(10, 0)),
		}, map[money.Cents]float64{-1500: 0.75, -1000: 0.25}},
		{"it stirred before", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(10.5), rested(20, grew(10, 1), grew(10, 0), grew(10, 0)),
		}, nil},
		{"what is paid had left it", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(16, grew(10, -3), grew(10, 0), grew(10, 0)),
			stirred(19.2),
		}, map[money.Cents]float64{-1500: 1}},
		{"it stirred again at once", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(14, grew(10, -3), grew(10, 0), grew(10, 0)),
			stirred(17),
		}, nil},
		{"untouched", []*fact.Observation{rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{})}, map[money.Cents]float64{0: 1}},
		{"a hand at the end", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(20, unread, grew(10, 0), grew(10, 0)),
		}, nil},
		{"not read before", []*fact.Observation{rested(20, grew(10, 1), grew(10, 0), grew(10, 0))}, nil},
		{"chips of several kinds", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12), rested(20, grew(10, 0), grew(10, 0), grew(10, 1)),
		}, nil},
		{"another camera's", []*fact.Observation{
			rested(10, fact.Tube{}, fact.Tube{}, fact.Tube{}), stirred(12),
			{Kind: fact.Rack, Camera: "side", Since: sec(20), Time: sec(20),
				Tubes: []fact.Tube{grew(10, 1), grew(10, 1), grew(10, 0)}},
		}, nil},
	} {
		f := rackFelt()
		for i, o := range c.rests {
			f.Fold(Input{At: Latest(o.Since, o.Time), Seq: uint64(i), Seen: o})
		}
		g, ok := f.Scene.RackGrowth(sec(11), sec(19))
		if ok != (c.want != nil) {
			t.Errorf("%s: known %v, want %v", c.name, ok, !ok)
			continue
		}
		if ok && (!g.From.Equal(sec(10)) || len(g.P) != len(c.want)) {
			t.Errorf("%s: %+v, want %v from 10 s on", c.name, g, c.want)
		}
		for v, p := range c.want {
			if math.Abs(g.P[v]-p) > 1e-9 {
				t.Errorf("%s: %v with %v, want %v", c.name, v, g.P[v], p)
			}
		}
	}
}
