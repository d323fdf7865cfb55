package sim

import (
	"bytes"
	"image"
	"image/jpeg"
	"path/filepath"
	"testing"

	"vision/calibration"
	"vision/internal/lab/sim/condition"
)

// With the calibration files come pictures of the empty tables that fit them, and what is
// played is the same whether one is taken or not.
func TestEmptyTable(t *testing.T) {
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Game: "punto_banco", Table: "PB1", Seed: 9, Size: small, Condition: house}
	dir := t.TempDir()
	tables := [2]*Table{}
	for i := range tables {
		if tables[i], err = New(cfg); err != nil {
			t.Fatal(err)
		}
		defer tables[i].Close()
	}
	if err := tables[1].calibrate(dir, tables[1].cfg.Table); err != nil {
		t.Fatal(err)
	}
	cal, err := calibration.Load(filepath.Join(dir, "PB1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := cal.ReadEmpty(filepath.Join(dir, "PB1-empty.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	var frames [2][]byte
	for range 3 {
		for i := range tables {
			f, err := tables[i].Step()
			if err != nil {
				t.Fatal(err)
			}
			frames[i] = f.Image.ToBytes()
		}
		if !bytes.Equal(frames[0], frames[1]) {
			t.Fatal("what is shown differs where the empty table was taken")
		}
	}
	// It shows the same camera's view of the same cloth: the table's first picture, but
	// for light, grain and coding.
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	off, n := 0, 0
	for y := range small[1] {
		for x := range small[0] {
			want, got := int(frames[0][3*(y*small[0]+x)+1]), luminous(img, x, y)
			if n++; max(want-got, got-want) > 40 {
				off++
			}
		}
	}
	if 50*off > n {
		t.Errorf("%d of %d pixels of the empty table are none of the camera's picture", off, n)
	}
}

// luminous is the green of a pixel.
func luminous(img image.Image, x, y int) int {
	_, g, _, _ := img.At(x, y).RGBA()
	return int(g >> 8)
}
