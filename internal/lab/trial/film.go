package trial

import (
	"gocv.io/x/gocv"

	"vision/capture"
	"vision/capture/rtsp"
	"vision/internal/av"
	"vision/internal/cv"
	"vision/internal/lab/sim"
)

// film is the way of a picture through the camera's encoder, the network and the
// reader's decoder.
type film struct {
	enc  *av.Encoder
	line *rtsp.Line // nil where nothing is lost
	dec  *av.Decoder
	bgr  gocv.Mat
}

// quality is the quantiser of the pictures of a camera that has no bitrate, about that
// which x264 chooses at 25 pictures a second by itself: of few pictures a second it
// makes finer ones.
const quality = 22

func newFilm(t *sim.Table) (*film, error) {
	f := &film{bgr: gocv.NewMat()}
	var err error
	if f.enc, err = t.NewEncoder(av.EncoderOptions{QP: quality}); err == nil {
		f.dec, err = av.NewDecoder()
	}
	if lose := t.Losses(); err == nil && lose != nil {
		f.line, err = rtsp.NewLine(lose)
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *film) close() {
	if f.enc != nil {
		f.enc.Close()
	}
	if f.dec != nil {
		f.dec.Close()
	}
	f.bgr.Close()
}

// show hands see the picture as it comes out of the decoder: none where it was lost,
// a damaged one where an earlier one was.
func (f *film) show(frame sim.Frame, see func(p cv.Picture, damaged bool) error) error {
	u, err := f.enc.Encode(frame.Image, frame.At.Sub(Start))
	if err != nil {
		return err
	}
	u.Wall, u.N = frame.At, frame.N+1
	units := []capture.Unit{u}
	if f.line != nil {
		if units, err = f.line.Carry(u); err != nil {
			return err
		}
	}
	for _, u := range units {
		if err := f.decode(u, see); err != nil {
			return err
		}
	}
	return nil
}

func (f *film) decode(u capture.Unit, see func(p cv.Picture, damaged bool) error) error {
	out, err := f.dec.Decode(u)
	if f.line != nil {
		err = nil // a reader goes on with what the decoder makes of broken data
	}
	for _, p := range out {
		if err == nil {
			err = see(p.In(&f.bgr), p.Damaged)
		}
		p.Close()
	}
	return err
}
