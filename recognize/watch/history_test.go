package watch

import (
	"testing"
	"time"

	"vision/internal/fact"
)

func corners(o box) []fact.Point {
	x0, y0, x1, y1 := float64(o.x), float64(o.y), float64(o.x+o.w), float64(o.y+o.h)
	return []fact.Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// Two things that come to rest 2.5 s apart, with what may happen meanwhile.
func TestStillTellsWhenThingsCameToRest(t *testing.T) {
	one, two := box{150, 150, 24, 24, 230}, box{300, 200, 24, 24, 20}
	shade := box{130, 130, 60, 60, 140} // lies over the first for a moment
	arm := box{290, 0, 44, 240, 170}    // reaches in over the second
	edge := box{300, 0, 90, 540, 60}    // lies over both all the time
	for _, c := range []struct {
		name           string
		pause, late    []box // besides, for half a second between the two and after them
		known1, known2 bool
		between        time.Duration
	}{
		{"one after the other", nil, nil, true, true, 2500 * time.Millisecond},
		{"something passes over the first", []box{shade}, nil, true, true, 2500 * time.Millisecond},
		{"an arm passes over the second afterwards", nil, []box{arm}, true, true, 2500 * time.Millisecond},
		{"an arm lays the second", []box{arm, edge}, nil, true, false, 0},
	} {
		f := newFilm(t)
		f.noise = 2
		f.play(12)
		f.objects = []box{one}
		began := f.at
		f.play(24)
		f.objects = append([]box{one}, c.pause...)
		f.play(6)
		f.objects = []box{one, two}
		f.play(12)
		f.objects = append([]box{one, two}, c.late...)
		f.play(6)
		f.objects = []box{one, two}
		f.play(12)
		a, known1 := f.w.Still(0, corners(one))
		b, known2 := f.w.Still(0, corners(two))
		if known1 != c.known1 || known2 != c.known2 {
			t.Errorf("%s: known %v and %v, want %v and %v", c.name, known1, known2, c.known1, c.known2)
			continue
		}
		if d := a.Sub(began); d < -50*time.Millisecond || d > 150*time.Millisecond {
			t.Errorf("%s: the first came to rest %v after it did", c.name, d)
		}
		if known2 {
			if d := b.Sub(a) - c.between; d.Abs() > 200*time.Millisecond {
				t.Errorf("%s: %v between them, want %v", c.name, b.Sub(a), c.between)
			}
		}
	}
	f := newFilm(t)
	f.objects = []box{one}
	f.play(24)
	if at, ok := f.w.Still(0, corners(one)); ok {
		t.Errorf("what lay there from the first picture came to rest at %v", at)
	}
	if _, ok := f.w.Still(1, corners(box{700, 150, 24, 24, 0})); ok {
		t.Error("a zone without a history knows one")
	}
}
