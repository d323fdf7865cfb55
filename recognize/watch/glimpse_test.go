package watch

import (
	"testing"

	"vision/internal/fact"
)

// A hand stays over one half of a zone, or touches what lies there, while something is laid
// into the other half and taken away again: the zone does not come to rest, but that is
// glimpsed where it lies open.
func TestWhatLiesOpenIsGlimpsed(t *testing.T) {
	for _, c := range []struct {
		name string
		laid box
		want bool
	}{
		{"beside the hand", box{320, 200, 60, 80, 230}, true},
		{"touched by it", box{200, 200, 180, 80, 230}, true},
		{"under it", box{130, 200, 60, 80, 230}, false},
		{"hardly anything", box{320, 200, 6, 8, 230}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			watched := []Zone{zones[1], {Name: "a", Polygons: zones[0].Polygons, Glimpses: true}}
			f := newFilm(t)
			w, err := New(960, 540, watched, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.w = w
			f.play(10)
			part := []fact.Point{{325, 205}, {375, 205}, {375, 275}, {325, 275}}
			glimpses := 0
			for i := range 30 {
				arm := box{110, 100 + 10*(i%4), 100, 440, 60}
				f.objects = []box{arm}
				if i >= 5 && i < 15 {
					f.objects = []box{c.laid, arm} // the arm lies above it
				}
				f.draw()
				f.at = f.at.Add(80e6)
				events, err := w.Frame(f.luma(), f.at)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range events {
					switch {
					case e.Kind == AtRest && watched[e.Zone].Name == "a":
						t.Errorf("picture %d: the zone is at rest under an arm", i)
					case e.Kind != Glimpse:
					case i < 5:
						t.Errorf("picture %d: glimpsed before anything was laid", i)
					case i < 15:
						glimpses++
						if since, ok := w.AtRestSince(1, part, f.at); !ok || f.at.Sub(since) < restGlance || i < 7 {
							t.Errorf("picture %d: it lies there since %v, %v", i, since, ok)
						}
						if _, ok := w.AtRestSince(1, []fact.Point{{110, 95}, {210, 95}, {210, 135}, {110, 135}}, f.at); ok {
							t.Errorf("picture %d: the arm's end lies still", i)
						}
						w.PartRead(1, part)
					}
				}
			}
			if got := glimpses > 0; got != c.want || glimpses > 2 {
				t.Errorf("%d glimpses", glimpses)
			}
		})
	}
}

// What was there before the zone was ever at rest, or before it is looked at anew, is not
// told as new.
func TestNothingIsGlimpsedBeforeRest(t *testing.T) {
	f := newFilm(t)
	w, err := New(960, 540, []Zone{{Name: "a", Polygons: zones[0].Polygons, Glimpses: true}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if i == 20 {
			w.Reset()
		}
		f.objects = []box{{320, 200, 60, 80, 230}, {110, 100 + 10*(i%4), 100, 440, 60}}
		f.draw()
		f.at = f.at.Add(80e6)
		events, err := w.Frame(f.luma(), f.at)
		if err != nil || len(events) > 0 {
			t.Fatalf("picture %d: %+v, %v", i, events, err)
		}
	}
}
