//go:build matprofile

package sim

import (
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/lab/sim/condition"
)

func TestNoMatLeaks(t *testing.T) {
	before := gocv.MatProfile.Count()
	tab, err := New(Config{Game: "punto_banco", Seed: 1, Size: [2]int{640, 360}, FPS: 3, Condition: conditions(t, condition.Hard)})
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if _, err := tab.Step(); err != nil {
			t.Fatal(err)
		}
	}
	tab.Close()
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before, %d after", before, after)
	}
}
