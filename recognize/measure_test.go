package recognize

import (
	"os"
	"slices"
	"testing"

	"vision/capture/sim"
	"vision/internal/fact"
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
	s, err := sim.NewStill(sim.Config{Game: game, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	cal := s.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tab.Close)
	return s, tab
}

// look reads a zone of the table once.
func look(t *testing.T, s *sim.Still, tab *Table, zone string) fact.Observation {
	t.Helper()
	img, err := s.Picture()
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range tab.zones {
		if z.Name == zone {
			z.stir()
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
	n := many(40, 3000)
	wrong, unread := 0, 0
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
	t.Logf("%d throws: %d wrong, %d not read", n, wrong, unread)
	if wrong > 0 || 50*unread > n {
		t.Errorf("%d throws: %d wrong, %d not read; want none and at most one in fifty", n, wrong, unread)
	}
}

// Stacks of one kind of chip, one picture each: what is accepted is right, and
// little is not accepted.
func TestStillStacks(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
		t.Run(game, func(t *testing.T) {
			s, tab := desk(t, game, 6)
			var zones []string
			for _, z := range tab.zones {
				if z.Wants("chips") && z.Spot != "" && z.Spot != "pay" {
					zones = append(zones, z.Name)
				}
			}
			n := many(30, 300)
			right, wrong, rough, lost := 0, 0, 0, 0
			for i := range n {
				s.Clear()
				zone := zones[i%len(zones)]
				stacks, err := s.Stacks(zone, 1+i%2, 20, false)
				if err != nil {
					t.Fatal(err)
				}
				o := look(t, s, tab, zone)
				for k, want := range stacks {
					if k >= len(o.Chips) {
						lost++
						t.Logf("%s: %d×%s not found among %+v", zone, len(want), want[0], o.Chips)
						continue
					}
					got := o.Chips[k]
					switch {
					case got.Abstain != "":
						rough++
						if len(want) < got.Low || len(want) > got.High {
							t.Logf("%s: %d×%s said to be %d to %d (%s)", zone, len(want), want[0], got.Low, got.High, got.Abstain)
						}
					case slices.Equal(got.Chips, want):
						right++
					default:
						wrong++
						t.Logf("%s: %d×%s read as %v p %.3f", zone, len(want), want[0], got.Chips, got.P)
					}
				}
			}
			all := right + wrong + rough + lost
			t.Logf("%d stacks: %d right, %d wrong, %d only roughly, %d not found", all, right, wrong, rough, lost)
			if 200*wrong > all || 5*(rough+lost) > all {
				t.Errorf("%d stacks: %d right, %d wrong, %d only roughly, %d not found; want at most one in 200 wrong and one in five rough", all, right, wrong, rough, lost)
			}
		})
	}
}

// The picture of a table as a photograph, the dice's size unknown: the network
// that reads photographs finds them and names no wrong value.
func TestThrowsOnAPhotograph(t *testing.T) {
	s, tab := desk(t, "dados_craps", 8)
	right, wrong, extra, unread := 0, 0, 0, 0
	n := many(6, 200)
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
	if 20*(wrong+extra) > right || 3*right < n {
		t.Errorf("%d throws: %d dice right, %d wrong, %d that are none, %d not read", n, right, wrong, extra, unread)
	}
}
