package luma

import "testing"

func TestPlane_Fits(t *testing.T) {
	pix := make([]byte, 2*16+10)
	for name, c := range map[string]struct {
		p    Plane
		want bool
	}{
		"last row cut to its width": {Plane{Pix: pix, Width: 10, Height: 3, Stride: 16}, true},
		"another size":              {Plane{Pix: pix, Width: 9, Height: 3, Stride: 16}, false},
		"rows that overlap":         {Plane{Pix: pix, Width: 10, Height: 3, Stride: 9}, false},
		"cut off":                   {Plane{Pix: pix[:41], Width: 10, Height: 3, Stride: 16}, false},
		"none":                      {Plane{}, false},
	} {
		if got := c.p.Fits(10, 3); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (Plane{}).Fits(0, 0) {
		t.Error("no picture is of no size")
	}
}

func TestPlane_Level(t *testing.T) {
	for name, c := range map[string]struct {
		limited bool
		sum, n  int
		want    float32
	}{
		"full black": {false, 0, 4, 0}, "full white": {false, 4 * 255, 4, 255},
		"video's black": {true, 4 * 16, 4, 0}, "video's white": {true, 4 * 235, 4, 255},
	} {
		if got := (Plane{Limited: c.limited}).Level(c.sum, c.n); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
