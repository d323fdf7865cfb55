package recognize

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture/sim"
	"vision/capture/sim/condition"
)

// READ_GAME READ_SEED READ_COND READ_IMG READ_ZONES
func TestZZRead(t *testing.T) {
	if os.Getenv("READ_GAME") == "" {
		t.Skip()
	}
	seed, _ := strconv.ParseUint(os.Getenv("READ_SEED"), 10, 64)
	on, _ := condition.Named(os.Getenv("READ_COND"))
	st, err := sim.New(sim.Config{Game: os.Getenv("READ_GAME"), Seed: seed, Faults: 0.35, Condition: on})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	e, err := st.Empty()
	if err != nil {
		t.Fatal(err)
	}
	tab, err := NewTable(&cal, Options{Empty: e})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	var img gocv.Mat
	files := strings.Split(os.Getenv("READ_IMG"), ",")
	for n := range 6 * len(files) {
		if n%6 == 0 {
			fmt.Println("==", files[n/6])
			img = gocv.IMRead(files[n/6], gocv.IMReadColor)
		}
		obs, err := tab.Frame(img, time.Unix(1000, 0).Add(time.Duration(n)*200*time.Millisecond), uint64(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range obs {
			if o.Zone == "" || os.Getenv("READ_ZONES") != "" && !strings.Contains(o.Zone, os.Getenv("READ_ZONES")) {
				continue
			}
			fmt.Print(o.Kind, " ", o.Zone)
			for _, c := range o.Cards {
				fmt.Print(" [", c.Guesses[:min(1, len(c.Guesses))], " ", c.Abstain, " ", int(c.At[0]), ",", int(c.At[1]), "]")
			}
			for _, s := range o.Chips {
				fmt.Print(" {", s.Chips, " ", s.Low, "-", s.High, " ", s.P, " ", s.Abstain, " ", int(s.At[0]), ",", int(s.At[1]), " px ", int(s.Quad[0][0]), ",", int(s.Quad[0][1]), "-", int(s.Quad[2][0]), ",", int(s.Quad[2][1]), "}")
			}
			fmt.Println()
		}
	}
	for _, z := range tab.zones {
		if z.flat == nil || os.Getenv("READ_ZONES") != "" && !strings.Contains(z.Name, os.Getenv("READ_ZONES")) {
			continue
		}
		list, err := tab.cardsOn(z, img)
		fmt.Println(z.Name, err)
		for _, c := range list {
			fmt.Println("   ", c.Guesses[:min(1, len(c.Guesses))], c.Abstain, int(c.At[0]), int(c.At[1]), c.Quad)
		}
	}
}
