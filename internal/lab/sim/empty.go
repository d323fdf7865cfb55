package sim

import (
	"fmt"
	"image"
	"math/rand/v2"

	"gocv.io/x/gocv"
)

const (
	// setUp is how long before the play the technician was there, seconds: the light has
	// changed since.
	setUp = 3 * 3600.0
	// snapshot is the quality of the JPEG that a camera gives of its picture.
	snapshot = 88
)

// Empty is the picture, as JPEG, that a technician takes of the table with nothing on it
// when he has calibrated the camera: through the same lens and sensor, hours before.
// What is played follows no differently for it.
func (t *Table) Empty() ([]byte, error) {
	bare, err := New(t.cfg)
	if err != nil {
		return nil, err
	}
	defer bare.Close()
	bare.lens.rng = rand.New(rand.NewPCG(t.cfg.Seed, 0xe3b7)) // it is another moment
	pic, _ := bare.scene.Render()
	img, err := bare.lens.expose(pic, []image.Rectangle{bare.Bounds()}, -setUp, [2]float64{})
	if err != nil {
		return nil, err
	}
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, img, []int{gocv.IMWriteJpegQuality, snapshot})
	if err != nil {
		return nil, fmt.Errorf("picture of the empty table: %w", err)
	}
	defer buf.Close()
	return append([]byte(nil), buf.GetBytes()...), nil
}
