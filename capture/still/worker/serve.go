// Package worker is the process that decodes a camera's stream for one picture; capture/still
// starts it. It calls C.
package worker

import (
	"encoding/json"
	"errors"
	"io"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/capture/still"
	"vision/internal/av"
)

// Serve answers one still.Request.
func Serve(in io.Reader, out io.Writer) error {
	var q still.Request
	var a still.Answer
	err := json.NewDecoder(in).Decode(&q)
	if err == nil {
		a.PNG, err = newest(q.Units)
	}
	if err != nil {
		a = still.Answer{Error: err.Error()}
	}
	return json.NewEncoder(out).Encode(a)
}

// newest is the last whole picture of some units, as a PNG.
func newest(units [][]byte) ([]byte, error) {
	dec, err := av.NewDecoder()
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	var last *av.Frame
	defer func() {
		if last != nil {
			last.Close()
		}
	}()
	for _, b := range units {
		u, err := capture.ParseUnit(b)
		if err != nil {
			return nil, err
		}
		frames, _ := dec.Decode(u) // the next key picture mends a damaged one
		for _, f := range frames {
			if f.Damaged {
				f.Close()
				continue
			}
			if last != nil {
				last.Close()
			}
			last = f
		}
	}
	if last == nil {
		return nil, errors.New("nothing could be decoded")
	}
	return encode(last)
}

func encode(f *av.Frame) ([]byte, error) {
	img := gocv.NewMat()
	defer func() { img.Close() }()
	if err := f.BGR(&img); err != nil {
		return nil, err
	}
	b, err := gocv.IMEncode(gocv.PNGFileExt, img)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return append([]byte(nil), b.GetBytes()...), nil
}
