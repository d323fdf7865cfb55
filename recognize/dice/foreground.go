package dice

import (
	"image"
	"slices"

	"gocv.io/x/gocv"
)

// segment finds, on a small copy of the picture, the parts in which something
// lies that is not felt and large enough for a die, and the felt's colour.
func segment(img gocv.Mat, edge float64) (felt [3]float64, boxes []image.Rectangle, err error) {
	shrink := max(1, int(edge/backgroundSmall))
	copied := gocv.NewMat()
	defer copied.Close()
	gocv.Resize(img, &copied, image.Pt(max(1, img.Cols()/shrink), max(1, img.Rows()/shrink)), 0, 0, gocv.InterpolationArea)
	pix, err := copied.DataPtrUint8()
	if err != nil {
		return felt, nil, err
	}
	felt = mode(pix)
	e := edge / float64(shrink)
	fore, err := foreground(pix, copied.Cols(), copied.Rows(), felt, e)
	if err != nil {
		return felt, nil, err
	}
	m, err := gocv.NewMatFromBytes(copied.Rows(), copied.Cols(), gocv.MatTypeCV8U, fore)
	if err != nil {
		return felt, nil, err
	}
	defer m.Close()
	contours := gocv.FindContours(m, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer contours.Close()
	whole := image.Rect(0, 0, img.Cols(), img.Rows())
	for i := range contours.Size() {
		c := contours.At(i)
		if gocv.ContourArea(c) < backgroundLeastThing*e*e {
			continue
		}
		b := gocv.BoundingRect(c)
		b = image.Rectangle{Min: b.Min.Mul(shrink), Max: b.Max.Mul(shrink)}
		b = b.Inset(-int(backgroundAbout * edge)).Intersect(whole)
		boxes = join(boxes, b)
	}
	return felt, boxes, nil
}

// join adds a box to boxes that do not overlap, merging those that it touches.
func join(boxes []image.Rectangle, b image.Rectangle) []image.Rectangle {
	for {
		i := slices.IndexFunc(boxes, b.Overlaps)
		if i < 0 {
			return append(boxes, b)
		}
		b = b.Union(boxes[i])
		boxes = slices.Delete(boxes, i, i+1)
	}
}

// foreground marks what cannot be the felt in some light. Thin print goes by
// an opening. Black dice are not found: they look like the felt in deep shade.
func foreground(pix []byte, w, h int, felt [3]float64, edge float64) ([]byte, error) {
	fore := make([]byte, w*h)
	for i := range fore {
		if far(pix[3*i:3*i+3], felt, backgroundOff) {
			fore[i] = 255
		}
	}
	m, err := gocv.NewMatFromBytes(h, w, gocv.MatTypeCV8U, fore)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	for _, step := range []struct {
		op   gocv.MorphType
		part float64 // of an edge
	}{
		{gocv.MorphOpen, backgroundOpenLines},
		{gocv.MorphClose, backgroundCloseSpots},
		{gocv.MorphOpen, backgroundOpenLetters},
	} {
		k := int(edge*step.part/2)*2 + 1
		kernel := gocv.GetStructuringElement(gocv.MorphEllipse, image.Pt(k, k))
		gocv.MorphologyEx(m, &m, step.op, kernel)
		kernel.Close()
	}
	return m.ToBytes(), nil
}

// far reports whether a colour, BGR, is further than so many grey levels from another in
// any light.
func far(c []byte, other [3]float64, limit float64) bool {
	var dot, mm float64
	for i := range 3 {
		dot += float64(c[i]) * other[i]
		mm += other[i] * other[i]
	}
	k := min(max(dot/max(mm, 1), backgroundLow), backgroundHigh)
	var d float64
	for i := range 3 {
		e := float64(c[i]) - k*other[i]
		d += e * e
	}
	return d > limit*limit
}

// mode is the commonest colour, BGR.
func mode(pix []byte) [3]float64 {
	var n [1 << 12]int
	var sum [1 << 12][3]int
	best := 0
	for i := 0; i+2 < len(pix); i += 3 * 7 {
		k := int(pix[i]>>4)<<8 | int(pix[i+1]>>4)<<4 | int(pix[i+2]>>4)
		n[k]++
		for j := range 3 {
			sum[k][j] += int(pix[i+j])
		}
		if n[k] > n[best] {
			best = k
		}
	}
	var out [3]float64
	for j := range 3 {
		out[j] = float64(sum[best][j]) / float64(max(n[best], 1))
	}
	return out
}
