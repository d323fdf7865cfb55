package deck

import (
	"bytes"
	"image"
	"slices"
	"testing"

	"vision/internal/card"
)

func TestFacesDifferAndKeepTheirSize(t *testing.T) {
	for _, name := range slices.Concat(Styles(), Indexless(), Spanish()) {
		d, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		want := 52
		if slices.Contains(Spanish(), name) {
			want = 40
		}
		if n := len(d.Cards()); n != want {
			t.Errorf("%s: %d cards, want %d", name, n, want)
		}
		seen := map[string]card.Card{}
		for _, c := range append(d.Cards(), card.Unseen) {
			img := d.Face(c)
			if img.Bounds() != image.Rect(0, 0, Width*PxPerMM, Height*PxPerMM) {
				t.Fatalf("%s %v: bounds %v", name, c, img.Bounds())
			}
			if twin, ok := seen[string(img.Pix)]; ok {
				t.Errorf("%s: %v looks like %v", name, c, twin)
			}
			seen[string(img.Pix)] = c
		}
	}
}

// A French card without an odd pip out reads the same from both sides.
func TestIndicesStandInOppositeCorners(t *testing.T) {
	d, err := New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"2h", "4s", "Td", "Kc"} {
		c, _ := card.Parse(name)
		img := d.Face(c)
		off, b := 0, img.Bounds()
		for y := range b.Dy() {
			for x := range b.Dx() {
				a, z := img.RGBAAt(x, y), img.RGBAAt(b.Dx()-1-x, b.Dy()-1-y)
				if absDiff(a.R, z.R) > 90 || absDiff(a.G, z.G) > 90 {
					off++
				}
			}
		}
		if share := float64(off) / float64(b.Dx()*b.Dy()); share > 0.01 {
			t.Errorf("%s: %.1f %% of the pixels change when the card is turned round", name, 100*share)
		}
	}
}

func TestFaceIsKept(t *testing.T) {
	d, err := New("casino")
	if err != nil {
		t.Fatal(err)
	}
	if first := d.Face(1); d.Face(1) != first {
		t.Error("a face was drawn twice")
	}
	e, _ := New("casino")
	if !bytes.Equal(d.Face(7).Pix, e.Face(7).Pix) {
		t.Error("the same design draws differently")
	}
}

// A table that is played for hours asks for every face: no more are kept than a few, the
// ones asked for last.
func TestFewFacesAreKept(t *testing.T) {
	d, err := New("casino")
	if err != nil {
		t.Fatal(err)
	}
	all := d.Cards()
	first := d.Face(all[0])
	for _, c := range all[1:keptFaces] {
		d.Face(c)
	}
	if d.Face(all[0]) != first {
		t.Error("a face of the round was drawn twice")
	}
	d.Face(all[keptFaces]) // takes the place of all[1]
	if d.Face(all[0]) != first {
		t.Error("the face asked for last had to go")
	}
	for _, c := range all {
		d.Face(c)
	}
	if len(d.faces) != keptFaces || len(d.used) != keptFaces {
		t.Errorf("%d faces are kept, want %d", len(d.faces), keptFaces)
	}
}

func TestUnknownStyle(t *testing.T) {
	if _, err := New("nobody"); err == nil {
		t.Fatal("want an error")
	}
}

func absDiff(a, b uint8) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}
