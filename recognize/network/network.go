// Package network loads the networks of the readers, those of photographs and those of
// calibrated tables alike.
package network

import (
	"fmt"
	"io/fs"

	"vision/internal/cv"
	"vision/models"
)

// Net is a network with what the manifest says of it. Close frees it.
type Net struct {
	*cv.Net
	Entry *models.Entry
}

// Load reads the network called name from a set. fits reports whether the caller can use what
// the manifest says of it; want says what it can use. Errors are of models.ErrModel.
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
	return &Net{net, entry}, nil
}
