package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"golang.org/x/image/draw"

	"vision/capture"
	"vision/capture/still"
	"vision/internal/child"
	"vision/stream/alert"
	"vision/stream/record"
)

// stillTool decodes a camera's stream for one picture.
func (n *Node) stillTool() still.Tool {
	return still.Tool{Command: child.Self(still.Subcommand), Env: n.opts.ReaderEnv}
}

const (
	// pictureWait is how long the recording of an alert's moment is waited for: it is on the disk
	// a second or two later.
	pictureWait = 5 * time.Second
	// pictureWidth is in pixels: a telephone's screen, in about 100 kB.
	pictureWidth = 960
)

// moment is the picture of when it happened, a JPEG from the recording of an alert's clip.
func (n *Node) moment(ctx context.Context, a alert.Alert) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureWait)
	defer cancel()
	var units []capture.Unit
	for {
		clip, err := n.clip(a.Clip.Camera, a.At, a.At.Add(time.Second))
		if err == nil && !clip.End.Before(a.At) {
			units, err = clip.Units(a.At)
			if err := errors.Join(err, clip.Close()); err != nil {
				return nil, err
			}
			break
		}
		if err == nil {
			err = clip.Close()
		}
		if err != nil && !errors.Is(err, record.ErrNoRecording) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("alert %s: %w of %s", a.ID, record.ErrNoRecording, a.At.Format(time.RFC3339))
		case <-time.After(pictureWait / 20):
		}
	}
	whole, err := n.stillTool().Take(ctx, &recorded{units})
	if err != nil {
		return nil, err
	}
	return shrunk(whole)
}

// recorded are the units of a recording, for still.Tool.
type recorded struct{ units []capture.Unit }

// Next implements capture.Units.
func (r *recorded) Next(context.Context) (capture.Unit, error) {
	if len(r.units) == 0 {
		return capture.Unit{}, io.EOF
	}
	u := r.units[0]
	r.units = r.units[1:]
	return u, nil
}

// Close implements capture.Units.
func (r *recorded) Close() {}

// shrunk is a PNG as a JPEG of at most pictureWidth.
func shrunk(whole []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(whole))
	if err != nil {
		return nil, fmt.Errorf("still: %w", err)
	}
	size := from.Bounds().Size()
	width := min(size.X, pictureWidth)
	to := image.NewRGBA(image.Rect(0, 0, width, size.Y*width/size.X))
	draw.ApproxBiLinear.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, to, nil); err != nil {
		return nil, fmt.Errorf("still: %w", err)
	}
	return out.Bytes(), nil
}
