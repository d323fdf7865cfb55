package recognize

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/av"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
)

// conditioned is the set that VISION_CONDITIONS names, or else name, with only the parts
// that VISION_PARTS names, divided by commas, or else parts.
func conditioned(t *testing.T, name string, parts ...string) condition.Set {
	t.Helper()
	if other := os.Getenv("VISION_CONDITIONS"); other != "" {
		name = other
	}
	if other := os.Getenv("VISION_PARTS"); other != "" {
		parts = strings.Split(other, ",")
	}
	set, err := condition.Named(name)
	if err == nil && len(parts) > 0 {
		set, err = set.Only(parts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// plain are pictures of a table as its camera takes them.
func plain(t *testing.T, s *sim.Still) func() gocv.Mat {
	return func() gocv.Mat {
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
}

// coded are pictures of a table as they come out of the reader's decoder, each after so
// many that the encoder has caught up with what was laid.
func coded(t *testing.T, s *sim.Still) func() gocv.Mat {
	t.Helper()
	const caughtUp = 4
	enc, err := s.NewEncoder(av.EncoderOptions{QP: 22})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { enc.Close() })
	dec, err := av.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dec.Close() })
	bgr, n, shoot := gocv.NewMat(), 0, plain(t, s)
	t.Cleanup(func() { bgr.Close() })
	return func() gocv.Mat {
		for range caughtUp {
			u, err := enc.Encode(shoot(), time.Duration(n)*40*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			n++
			u.N = uint64(n)
			pictures, err := dec.Decode(u)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pictures {
				if err := p.BGR(&bgr); err != nil {
					t.Fatal(err)
				}
				p.Close()
			}
		}
		return bgr
	}
}

// Stacks of chips in use on a casino's table: faded, scratched, askew, of a house's own
// design, of which the calibration says no more than the colours, in H.264 (VISION_DESK
// takes another seed).
func TestStillStacksInUse(t *testing.T) {
	all, right, wrong, lost := 0, 0, 0, 0
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
		s, tab := deskOf(t, sim.Config{Game: game, Seed: 37, Condition: conditioned(t, condition.House)})
		shoot := coded(t, s)
		for _, mixed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/mixed %v", game, mixed), func(t *testing.T) {
				got := stacksOn(t, s, tab, many(6, 300), mixed, shoot)
				t.Log(got)
				all, right, wrong, lost = all+got.all(), right+got.right, wrong+got.wrong, lost+got.lost
			})
		}
	}
	if 60*wrong > all || 60*lost > all || 10*right < 7*all {
		t.Errorf("of %d stacks %d right, %d wrong, %d not found; want seven tenths right, at most one in 60 wrong and one in 60 not found", all, right, wrong, lost)
	}
}

// Chips that lie off one another make a stack look higher or lower than it is, as far as
// its outline goes: three that lean towards the camera are as high as two. What cannot
// be told is said roughly, and no count is sure and wrong by that.
func TestStacksThatLean(t *testing.T) {
	set := conditioned(t, condition.House)
	s, tab := deskOf(t, sim.Config{Game: "dados_craps", Seed: 7301, Condition: set})
	shoot, sum := coded(t, s), stacksRead{}
	for range many(2, 20) {
		s.Clear()
		laid := map[string][]string{}
		for _, z := range tab.zones {
			if !z.Wants("chips") || z.Spot == "" || z.Spot == "pay" {
				continue
			}
			list, err := s.Stacks(z.Name, 1, 4, false)
			if err != nil {
				t.Fatal(err)
			}
			laid[z.Name] = list[0]
		}
		img := shoot()
		for zone, want := range laid {
			if o := lookAt(t, tab, zone, img); len(o.Chips) == 1 {
				sum.add(t, zone, want, o.Chips[0])
			} else {
				sum.lost++
			}
		}
	}
	t.Log(sum)
	if sum.all() < 40 || 30*sum.wrong > sum.all() || 2*sum.right < sum.all() {
		t.Errorf("of %d stacks %d right, %d wrong; want half of them right, at most one in 30 wrong", sum.all(), sum.right, sum.wrong)
	}
}
