// Package simulated has what tests take from the simulator's tables.
package simulated

import (
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/card"
	"vision/internal/lab/sim"
)

// Calibration writes the calibration of a simulated roulette under a camera's name into
// a folder and gives its path; size is of the camera's pictures.
func Calibration(t testing.TB, dir, camera string, size [2]int) string {
	t.Helper()
	st, err := sim.New(sim.Config{Game: "ruleta_francesa", Size: [2]int{320, 180}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	cal.Camera, cal.Size = camera, size
	path := filepath.Join(dir, camera+".yaml")
	if err := cal.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Card makes a folder with a simulated table's calibration, calibration.yaml, the picture of its
// bare felt, empty.jpg, and one of the nine of hearts on seat 2, 1.jpg.
func Card(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := sim.NewStill(sim.Config{Game: "blackjack", Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cal := s.Calibration()
	if err := cal.Save(filepath.Join(dir, "calibration.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"empty.jpg", "1.jpg"} {
		if name == "1.jpg" {
			c, _ := card.Parse("9h")
			if err := s.Cards("seat:2", []card.Card{c}); err != nil {
				t.Fatal(err)
			}
		}
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		if !gocv.IMWrite(filepath.Join(dir, name), img) {
			t.Fatal(name)
		}
	}
	return dir
}
