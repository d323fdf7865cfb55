package card

import (
	"image"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// The rectified patch of a card, upright; models/train cuts its samples alike.
const (
	rectW, rectH = 160, 224
	faceW, faceH = 80, 112
	idxW, idxH   = 56, 80
)

// rectify cuts the quadrilateral out of img, its first corner to the top left.
// The caller closes the patch.
func rectify(img gocv.Mat, q fact.Quad) gocv.Mat { return warp(img, q, rectW, rectH) }

func warp(img gocv.Mat, q fact.Quad, w, h int) gocv.Mat {
	from := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{pt(q[0]), pt(q[1]), pt(q[2]), pt(q[3])})
	defer from.Close()
	fw, fh := float32(w), float32(h)
	to := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{{}, {X: fw}, {X: fw, Y: fh}, {Y: fh}})
	defer to.Close()
	m := gocv.GetPerspectiveTransform2f(from, to)
	defer m.Close()
	out := gocv.NewMat()
	gocv.WarpPerspectiveWithParams(img, &out, m, image.Pt(w, h), gocv.InterpolationLinear, gocv.BorderReplicate, blank)
	return out
}

func pt(p fact.Point) gocv.Point2f { return gocv.Point2f{X: float32(p[0]), Y: float32(p[1])} }

// faceBlob appends the face network's input for a patch.
func faceBlob(blob []float32, rect gocv.Mat) []float32 {
	small := gocv.NewMat()
	defer small.Close()
	gocv.Resize(rect, &small, image.Pt(faceW, faceH), 0, 0, gocv.InterpolationArea)
	return appendPlanes(blob, small, 0, 0, faceW, faceH, false)
}

// indexBlob appends the index network's input for the top left corner of a
// patch, or for the bottom right one, turned upright.
func indexBlob(blob []float32, rect gocv.Mat, turned bool) []float32 {
	return appendPlanes(blob, rect, 0, 0, idxW, idxH, turned)
}

// rightIndexBlob is indexBlob for the top right corner.
func rightIndexBlob(blob []float32, rect gocv.Mat) []float32 {
	return appendPlanes(blob, rect, rectW-idxW, 0, idxW, idxH, false)
}

// appendPlanes appends a window of a BGR picture as three planes, 0 to 1. With
// turned the picture is first turned by half a circle.
func appendPlanes(blob []float32, img gocv.Mat, x0, y0, w, h int, turned bool) []float32 {
	px, err := img.DataPtrUint8()
	if err != nil {
		return append(blob, make([]float32, 3*w*h)...)
	}
	rows, cols := img.Rows(), img.Cols()
	for c := range 3 {
		for y := y0; y < y0+h; y++ {
			for x := x0; x < x0+w; x++ {
				yy, xx := y, x
				if turned {
					yy, xx = rows-1-y, cols-1-x
				}
				blob = append(blob, float32(px[(yy*cols+xx)*3+c])/255)
			}
		}
	}
	return blob
}
