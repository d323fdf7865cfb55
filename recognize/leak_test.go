//go:build matprofile

package recognize

import (
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/lab/sim"
)

// Run with -tags matprofile: no Mat outlives a Table.
func TestNoMatLeaks(t *testing.T) {
	before := gocv.MatProfile.Count()
	show(t, "dados_craps", 3, 1)
	if n := gocv.MatProfile.Count() - before; n != 0 {
		t.Errorf("%d Mats were not closed", n)
	}
}

// Nor does one of a table that was shown bare, twice, and read in stills.
func TestNoMatLeaksOfStills(t *testing.T) {
	before := gocv.MatProfile.Count()
	s, err := sim.NewStill(sim.Config{Game: "blackjack", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	cal := s.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		img, err := s.Picture()
		if err == nil {
			err = tab.Bare(img)
		}
		if err == nil {
			_, err = tab.Still(img, time.Time{})
		}
		if err != nil {
			t.Error(err)
		}
	}
	tab.Close()
	s.Close()
	if n := gocv.MatProfile.Count() - before; n != 0 {
		t.Errorf("%d Mats were not closed", n)
	}
}
