package e2e

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

// shownChip is a chip that somebody lays on the felt: its field and its inserts.
type shownChip struct{ face, edge color.RGBA }

// shownChips are of other colours than those that the page begins with.
var shownChips = []shownChip{
	{color.RGBA{112, 60, 150, 255}, color.RGBA{240, 232, 210, 255}},
	{color.RGBA{226, 120, 40, 255}, color.RGBA{40, 40, 44, 255}},
}

// lie paints the chip on a camera's picture of the empty table, in the middle of the felt,
// and gives the picture's path.
func (c shownChip) lie(t *testing.T, sheet, empty string) string {
	t.Helper()
	cal, err := calibration.Load(sheet)
	if err != nil {
		t.Fatal(err)
	}
	view, err := cal.View()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(empty)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	bare, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	pic := image.NewRGBA(bare.Bounds())
	draw.Draw(pic, pic.Bounds(), bare, image.Point{}, draw.Src)
	at := fact.Point{600, 330}
	px := view.ToImage(at)
	for y := int(px[1]) - 60; y < int(px[1])+60; y++ {
		for x := int(px[0]) - 60; x < int(px[0])+60; x++ {
			mm := view.ToTable(fact.Point{float64(x) + 0.5, float64(y) + 0.5})
			if paint, on := c.at(mm[0]-at[0], mm[1]-at[1]); on {
				pic.Set(x, y, paint)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "chip.jpg")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := jpeg.Encode(out, pic, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return path
}

// at is the chip's colour at a place from its middle, mm: inserts at the rim, a pale inlay.
func (c shownChip) at(x, y float64) (paint color.RGBA, on bool) {
	r := math.Hypot(x, y) / 19.5
	sector := math.Atan2(y, x) / (2 * math.Pi) * 8
	switch {
	case r > 1:
		return paint, false
	case r < 0.5:
		return color.RGBA{238, 236, 230, 255}, true
	case r > 0.78 && math.Abs(sector-math.Round(sector)) < 0.25:
		return c.edge, true
	}
	return c.face, true
}

// alike reports whether colours as pages have them are the chip's, as far as a camera's
// encoder lets them be, which has a quarter of the pixels for their hue.
func (c shownChip) alike(learned [2]string) bool {
	for i, want := range []color.RGBA{c.face, c.edge} {
		var r, g, b int
		if _, err := fmt.Sscanf(learned[i], "rgb(%d, %d, %d)", &r, &g, &b); err != nil {
			return false
		}
		for k, v := range []int{r, g, b} {
			if d := v - int([]uint8{want.R, want.G, want.B}[k]); d < -50 || d > 50 {
				return false
			}
		}
	}
	return true
}
