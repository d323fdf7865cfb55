package host

import (
	"context"
	"errors"
	"io"
	"time"

	"vision/capture"
	"vision/internal/child"
	"vision/recognize/wire"
)

// window is how many units may be on their way to the reader: about five seconds
// of video. Live, a reader that is further behind loses units up to the next key
// frame; in replay the units wait.
const window = 128

// feeder sends one camera's units to one life of the reader.
type feeder struct {
	r      *Reader
	i      int
	conn   *child.Conn
	credit chan time.Time // capture times of the units on their way
	buf    []byte
}

// taken records that the reader has decoded one unit, and reports its capture time.
func (f *feeder) taken() (time.Time, bool) {
	select {
	case wall := <-f.credit:
		return wall, true
	default:
		return time.Time{}, false
	}
}

func (f *feeder) run(ctx context.Context) error {
	units := f.r.cfg.Cameras[f.i].Open()
	defer units.Close()
	skipping := false
	for {
		u, err := units.Next(ctx)
		if errors.Is(err, io.EOF) {
			return f.conn.Write(wire.KindFinish, []byte{byte(f.i)})
		}
		if err != nil {
			return err
		}
		if skipping {
			if !u.Key {
				continue
			}
			skipping, u.Gap = false, true
		}
		ok, err := f.admit(ctx, u.Wall)
		if err != nil {
			return err
		}
		if !ok {
			skipping = true
			continue
		}
		if err := f.send(u); err != nil {
			return err
		}
	}
}

// admit takes a place in the window: at once or not at all live, with patience in replay.
func (f *feeder) admit(ctx context.Context, wall time.Time) (bool, error) {
	if f.r.cfg.Every {
		select {
		case f.credit <- wall:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	select {
	case f.credit <- wall:
		return true, nil
	default:
		return false, nil
	}
}

func (f *feeder) send(u capture.Unit) error {
	f.buf = wire.AppendUnit(f.buf[:0], f.i, u)
	if err := f.conn.Write(wire.KindUnit, f.buf); err != nil {
		return err
	}
	f.r.mu.Lock()
	f.r.last[f.i] = u.Wall
	f.r.mu.Unlock()
	return nil
}
