package cv

import (
	"gocv.io/x/gocv"

	"vision/internal/luma"
)

// Picture is one picture of a camera. Its luma is at hand. Its colours cost a conversion and are
// asked for only where something is read.
type Picture interface {
	Luma() luma.Plane
	// BGR is H×W 8UC3 and the picture's own: it is not closed, and valid as long as the picture.
	BGR() (gocv.Mat, error)
}

// Still is the picture that a Mat shows, BGR 8UC3 and continuous; any other is a picture
// without luma. The Mat stays the caller's.
func Still(bgr gocv.Mat) Picture { return &still{bgr: bgr} }

type still struct {
	bgr  gocv.Mat
	luma luma.Plane // once it was asked for
}

func (s *still) Luma() luma.Plane {
	if s.luma.Pix != nil || !Colour(s.bgr) {
		return s.luma
	}
	grey := gocv.NewMat()
	defer grey.Close()
	gocv.CvtColor(s.bgr, &grey, gocv.ColorBGRToGray)
	s.luma = luma.Plane{Pix: grey.ToBytes(), Width: grey.Cols(), Height: grey.Rows(), Stride: grey.Cols()}
	return s.luma
}

func (s *still) BGR() (gocv.Mat, error) { return s.bgr, nil }

// Colour reports whether a Mat is a BGR picture of 8 bits in one piece.
func Colour(m gocv.Mat) bool {
	return !m.Empty() && m.Type() == gocv.MatTypeCV8UC3 && m.IsContinuous()
}
