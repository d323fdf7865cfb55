package cv

import "testing"

func TestPeak(t *testing.T) {
	cells := []float32{
		5, 1, 0, 0,
		1, 0, 3, 3,
		0, 0, 3, 2,
	}
	want := map[[2]int]bool{{0, 0}: true, {2, 1}: true} // of three equal ones the first
	for y := range 3 {
		for x := range 4 {
			if got := Peak(cells, 4, 3, x, y); got != want[[2]int{x, y}] {
				t.Errorf("cell %d, %d: peak %v", x, y, got)
			}
		}
	}
}
