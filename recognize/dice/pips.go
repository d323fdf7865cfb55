package dice

import (
	"image"
	"image/color"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/recognize/network"
)

// namer is the network that names one face where the other has found it: it sees
// nothing else, and more of that.
type namer struct {
	*network.Net
	side int // of its input in pixels
	pix  []byte
}

// wide is the input's side in edges of the face.
const wide = 1.9

// none is the place of "no upper face" among what pips gives; the values follow.
const none = 0

func loadNamer(set fs.FS) (*namer, error) {
	net, err := network.Load(set, "pips", 7)
	if err != nil {
		return nil, err
	}
	return &namer{Net: net, side: net.Entry.Input[1]}, nil
}

// name gives the logarithms of the odds of none and the six values, the mean of
// all views; false where too much of the face lies outside the picture.
func (p *namer) name(img gocv.Mat, t hit) (logits [7]float64, ok bool, err error) {
	p.pix = p.pix[:0]
	m := gocv.NewMat()
	defer m.Close()
	for _, by := range agreeViews {
		if ok, err := crop(img, &m, t, by*wide*t.edge, p.side); err != nil || !ok {
			return logits, false, err
		}
		pix, err := m.DataPtrUint8()
		if err != nil {
			return logits, false, err
		}
		p.pix = append(p.pix, pix...)
		gocv.Flip(m, &m, 1)
		if pix, err = m.DataPtrUint8(); err != nil {
			return logits, false, err
		}
		p.pix = append(p.pix, pix...)
	}
	n := 2 * len(agreeViews)
	out, err := p.Vectors(p.pix, n)
	if err != nil {
		return logits, false, err
	}
	for row := range slices.Chunk(out, len(logits)) {
		for v, l := range row {
			logits[v] += float64(l) / float64(n)
		}
	}
	return logits, true, nil
}

// crop puts a square of img about a proposal, so many pixels wide, into m, which
// then has the given side; false where too much of it lies outside the picture.
func crop(img gocv.Mat, m *gocv.Mat, t hit, width float64, side int) (bool, error) {
	half := width / 2
	box := image.Rect(int(math.Round(t.x-half)), int(math.Round(t.y-half)), int(math.Round(t.x+half)),
		int(math.Round(t.y+half)))
	part := box.Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
	if part.Dx() < 4 || part.Dy() < 4 ||
		float64(part.Dx())/float64(box.Dx()) < witnessCropped ||
		float64(part.Dy())/float64(box.Dy()) < witnessCropped {
		return false, nil
	}
	view := img.Region(part)
	defer view.Close()
	gocv.CopyMakeBorder(view, m, part.Min.Y-box.Min.Y, box.Max.Y-part.Max.Y, part.Min.X-box.Min.X, box.Max.X-part.Max.X,
		gocv.BorderReplicate, color.RGBA{})
	way := gocv.InterpolationArea
	if box.Dx() < side {
		way = gocv.InterpolationCubic
	}
	gocv.Resize(*m, m, image.Pt(side, side), 0, 0, way)
	return true, nil
}
