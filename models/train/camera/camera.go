// Package camera takes the pictures of drawn tables that trainers learn and fit from.
package camera

import (
	"errors"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/av"
	"vision/internal/lab/sim"
)

// caughtUp pictures are encoded of what lies there before one is taken: the encoder has
// come to its quality by then.
const caughtUp = 6

// Camera takes pictures of a drawn table as they come out of a reader's decoder.
type Camera struct {
	still *sim.Still
	enc   *av.Encoder
	dec   *av.Decoder
	bgr   gocv.Mat
	n     int
}

// Of is the camera of a drawn table. Close it.
func Of(s *sim.Still) (*Camera, error) {
	enc, err := s.NewEncoder(av.EncoderOptions{QP: 22})
	if err != nil {
		return nil, err
	}
	dec, err := av.NewDecoder()
	if err != nil {
		enc.Close()
		return nil, err
	}
	return &Camera{still: s, enc: enc, dec: dec, bgr: gocv.NewMat()}, nil
}

// Close frees it, and the picture that was taken last.
func (c *Camera) Close() {
	c.enc.Close()
	c.dec.Close()
	c.bgr.Close()
}

// Take takes a picture of what lies there, BGR; it holds until the next one.
func (c *Camera) Take() (gocv.Mat, error) {
	for range caughtUp {
		img, err := c.still.Picture()
		if err != nil {
			return c.bgr, err
		}
		u, err := c.enc.Encode(img, time.Duration(c.n)*40*time.Millisecond)
		if err != nil {
			return c.bgr, err
		}
		c.n++
		u.N = uint64(c.n)
		pictures, err := c.dec.Decode(u)
		if err != nil {
			return c.bgr, err
		}
		for _, p := range pictures {
			if err := p.BGR(&c.bgr); err != nil {
				return c.bgr, err
			}
			p.Close()
		}
	}
	if c.bgr.Empty() {
		return c.bgr, errors.New("the decoder gave no picture")
	}
	return c.bgr, nil
}
