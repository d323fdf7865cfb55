// Package simulated has what tests take from the simulator's tables.
package simulated

import (
	"path/filepath"
	"testing"

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
