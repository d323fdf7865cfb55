package density

import (
	"math"
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	q := Question{Game: "blackjack", Height: 2.2, Distance: 2}
	wide, table, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	if wide.Size != [2]int{1920, 1080} || table.Size != wide.Size || wide.Distance != 2 ||
		math.Abs(wide.Height-2.2) > 1e-6 || len(wide.Zones) == 0 {
		t.Errorf("%+v", wide)
	}
	q.Size, q.View = "3840x2160", wide.View
	fine, _, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	for i, z := range fine.Zones {
		if ratio := z.Across / wide.Zones[i].Across; math.Abs(ratio-2) > 0.01 {
			t.Errorf("%s: twice the pixels are %.2f times the density", z.Name, ratio)
		}
	}
	q.View, q.Focal, q.Sensor = 0, wide.Focal, `1/2.8"`
	again, _, err := q.Answer()
	if err != nil || math.Abs(again.View-wide.View) > 1e-6 {
		t.Errorf("by its focal length %.2f°, by its angle %.2f°: %v", again.View, wide.View, err)
	}
}

func TestPlaces(t *testing.T) {
	q := Question{Game: "blackjack", Want: map[string]Quality{"cards": Good}}
	all, err := q.Places()
	if err != nil {
		t.Fatal(err)
	}
	q.Size, q.Height = UsualSize, 2.25
	some, err := q.Places()
	if err != nil || len(some) == 0 || len(some) >= len(all) {
		t.Fatalf("%d of %d places: %v", len(some), len(all), err)
	}
	for _, p := range some {
		if p.Size != [2]int{1920, 1080} || p.Height != 2.25 {
			t.Errorf("%v at %.2f m", p.Size, p.Height)
		}
		for _, z := range p.Zones {
			if q, reads := z.Quality["cards"]; reads && q != Good {
				t.Errorf("%s: cards are %s", z.Name, q)
			}
		}
	}
}

func TestQuestionsThatHaveNoAnswer(t *testing.T) {
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Game: "ludo", Height: 2}, "ludo"},
		{Question{Game: "blackjack"}, "where is the camera?"},
		{Question{Game: "blackjack", Height: -1}, "more than 0"},
		{Question{Game: "blackjack", Height: 2, Size: "1920x1080z"}, "WIDTHxHEIGHT"},
		{Question{Game: "blackjack", Height: 2, Size: "1920x"}, "WIDTHxHEIGHT"},
		{Question{Game: "blackjack", Height: 2, Size: "8x8"}, "8×8"},
		{Question{Game: "blackjack", Height: 2, View: 170}, "1 to 150"},
		{Question{Game: "blackjack", Height: 2, View: 40, Focal: 4}, "one of them"},
		{Question{Game: "blackjack", Height: 2, Sensor: "1/9"}, "1/2.8"},
		{Question{Game: "blackjack", Want: map[string]Quality{"hats": Good}}, "hats"},
		{Question{Game: "blackjack", Want: map[string]Quality{"dice": Not}}, "good or poor"},
		{Question{Game: "blackjack", Want: map[string]Quality{"dice": Good}, Size: "big"}, "WIDTHxHEIGHT"},
	} {
		var err error
		if len(c.q.Want) > 0 {
			_, err = c.q.Places()
		} else {
			_, _, err = c.q.Answer()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.q, err, c.want)
		}
	}
}
