// Package network loads the networks of the readers, those of photographs and those of
// calibrated tables alike.
package network

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/models"
)

// Net is a network with its entry in the manifest. Close frees it.
type Net struct {
	*cv.Net
	Entry *models.Entry
	name  string
}

// Load reads the network called name from a set; nil is that of the shipped ones. size is how many
// values it has to give for a picture, or for a cell of it; 0: any number. Errors are of
// models.ErrModel.
func Load(set fs.FS, name string, size int) (*Net, error) {
	if set == nil {
		set = models.Shipped()
	}
	data, entry, err := models.Load(set, name)
	if err != nil {
		return nil, err
	}
	if size > 0 && entry.Size() != size {
		return nil, fmt.Errorf("%w %s: gives %d values: want %d", models.ErrModel, name, entry.Size(), size)
	}
	net, err := cv.NewNet(data)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", models.ErrModel, name, err)
	}
	return &Net{net, entry, name}, nil
}

// Close frees networks; those that are nil were not loaded.
func Close(nets ...*Net) {
	for _, n := range nets {
		if n != nil {
			n.Close()
		}
	}
}

// Map shows a picture to a network that answers cell by cell, each of so many pixels a side:
// the output, channel by channel, and how many cells it has.
func (n *Net) Map(img gocv.Mat, channels, cell int) (out []float32, w, h int, err error) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		return nil, 0, 0, err
	}
	out, shape, err := n.Pictures(pix, 1, img.Rows(), img.Cols())
	if err != nil {
		return nil, 0, 0, err
	}
	w, h = img.Cols()/cell, img.Rows()/cell
	if len(shape) != 4 || shape[1] != channels || shape[2] != h || shape[3] != w {
		return nil, 0, 0, fmt.Errorf("%w %s: gives %v for a picture of %d×%d", models.ErrModel, n.name, shape, img.Cols(), img.Rows())
	}
	return out, w, h, nil
}

// Vectors shows n pictures of the input's size, that lie behind one another in px, to a network
// that answers each with a vector: those of the pictures behind one another.
func (n *Net) Vectors(px []byte, count int) ([]float32, error) {
	if count == 0 {
		return nil, nil
	}
	out, _, err := n.Pictures(px, count, n.Entry.Input[1], n.Entry.Input[2])
	if err == nil && len(out) != count*n.Entry.Size() {
		err = fmt.Errorf("%w %s: gives %d values for %d pictures", models.ErrModel, n.name, len(out), count)
	}
	return out, err
}

// Classes are the probabilities of the classes of each head, by picture, of pictures as of Vectors.
func (n *Net) Classes(px []byte, count int) ([][][]float64, error) {
	out, err := n.Vectors(px, count)
	if err != nil {
		return nil, err
	}
	all := make([][][]float64, count)
	for i := range all {
		for _, h := range n.Entry.Heads {
			logits := make([]float64, len(h.Classes))
			for k := range logits {
				logits[k] = cmp.Or(n.Entry.Scale, 1) * float64(out[k])
			}
			all[i], out = append(all[i], Softmax(logits)), out[len(h.Classes):]
		}
	}
	return all, nil
}

// Softmax are the probabilities of which p are the logarithms, but for one addend.
func Softmax(p []float64) []float64 {
	top, sum := slices.Max(p), 0.0
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = math.Exp(v - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
