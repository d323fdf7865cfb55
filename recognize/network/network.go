// Package network loads the networks of the readers, those of photographs and those of
// calibrated tables alike.
package network

import (
	"fmt"
	"io/fs"

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

// Load reads the network called name from a set. fits reports whether the caller can use what
// the manifest has of it; want is what it can use. Errors are of models.ErrModel.
func Load(set fs.FS, name, want string, fits func(*models.Entry) bool) (*Net, error) {
	data, entry, err := models.Load(set, name)
	if err != nil {
		return nil, err
	}
	if !fits(entry) {
		return nil, fmt.Errorf("%w %s: want %s", models.ErrModel, name, want)
	}
	net, err := cv.NewNet(data)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", models.ErrModel, name, err)
	}
	return &Net{net, entry, name}, nil
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
