package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"vision/calibration"
	"vision/capture/local"
	"vision/internal/av"
	"vision/internal/cv"
	"vision/internal/lab/eval"
	"vision/recognize"
	"vision/recognize/still"
)

// Clips plays the clips of the set in dir one after the other, those of one kind or, with
// "", all; done is notified of each. A clip that cannot be played is named in the result and
// costs no other; it is an error where none can. opts are of the tables; their MaxGap follows from the clip.
func Clips(
	ctx context.Context,
	dir string,
	set []eval.Clip,
	only eval.Kind,
	opts recognize.Options,
	done func(),
) (eval.ClipResult, error) {
	var tally eval.ClipTally
	for i := range set {
		c := &set[i]
		if only == "" || c.Kind == only {
			if err := clip(ctx, dir, c, opts, &tally); err != nil {
				if ctx.Err() != nil {
					return eval.ClipResult{}, ctx.Err()
				}
				tally.Fail(c.Clip, err)
			}
		}
		done()
	}
	r := tally.Result(filepath.Base(filepath.Clean(dir)))
	return r, measured(dir, "clip", r.Clips, r.Failed, only)
}

// measured is an error where none of a set's things was measured.
func measured(dir, thing string, n int, failed []eval.Failure, only eval.Kind) error {
	switch {
	case n > 0:
		return nil
	case len(failed) > 0:
		return fmt.Errorf("%s: none of its %d %ss can be measured: %s", dir, len(failed), thing, failed[0].Err)
	}
	return fmt.Errorf("%s: no %s speaks of %s", dir, thing, only)
}

// clip plays one clip and counts what is held.
func clip(ctx context.Context, dir string, c *eval.Clip, opts recognize.Options, tally *eval.ClipTally) error {
	switch {
	case c.Round != nil:
		r, err := wholeRound(ctx, dir, c)
		if err != nil {
			return err
		}
		tally.AddRound(r)
		return nil
	case c.Kind == eval.Wheel:
		tally.Note("the number of a wheel is read by no camera: it comes from the wheel's sensor; its clips count as not read")
		length, err := lengthOf(filepath.Join(dir, c.Clip))
		if err != nil {
			return err
		}
		tally.Add(c, nil, length.Seconds())
		return nil
	}
	held, length, err := play(ctx, dir, c, opts)
	if err != nil {
		return err
	}
	tally.Add(c, held, length.Seconds())
	return nil
}

// lengthOf is how long a video is that nothing reads.
func lengthOf(path string) (time.Duration, error) {
	f, err := av.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Frames(); err != nil {
		return 0, noPicture(path, err)
	}
	return f.Info.Duration, nil
}

// start is the time at which every clip begins.
var start = time.Date(2026, 1, 2, 20, 0, 0, 0, time.UTC)

// player takes a clip's pictures to a table's reader.
type player struct {
	dir    string
	clip   *eval.Clip
	table  *recognize.Table
	holder *eval.Holder
	opts   recognize.Options
	first  time.Duration
	last   time.Duration
	step   time.Duration // between the last two pictures
	n      uint64
	err    error // of the last picture that could not be read
	read   bool  // one could
}

// play shows a clip to the readers, picture by picture in its own time.
func play(ctx context.Context, dir string, c *eval.Clip, opts recognize.Options) ([]eval.Held, time.Duration, error) {
	path := filepath.Join(dir, c.Clip)
	in, err := local.Open(path, local.Options{Pictures: true, Start: start})
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	p := &player{dir: dir, clip: c, opts: opts, holder: eval.NewHolder(c.Kind)}
	defer func() {
		if p.table != nil {
			p.table.Close()
		}
	}()
	for {
		pic, err := in.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.show(pic)
		}
		pic.Close()
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	switch {
	case p.n == 0:
		return nil, 0, noPicture(path, io.EOF)
	case !p.read && p.err != nil:
		return nil, 0, fmt.Errorf("%s: %w", path, p.err)
	}
	return p.holder.Log(), p.last + p.step - p.first, nil
}

func noPicture(path string, err error) error {
	return fmt.Errorf("%s: holds no picture that can be decoded (%w): is it cut off?", path, err)
}

// show shows one picture. What cannot be read of it is remembered; the next may be read,
// as at a live table.
func (p *player) show(pic local.Picture) error {
	if pic.BGR.Ptr() == nil || pic.BGR.Empty() {
		return nil
	}
	if p.table == nil {
		p.first = pic.PTS
		if err := p.open(pic); err != nil {
			return err
		}
	}
	if p.n > 0 && pic.PTS > p.last {
		p.step = pic.PTS - p.last
	}
	p.last = pic.PTS
	p.n++
	look := p.table.Frame
	if pic.Damaged {
		look = p.table.Damaged
	}
	seen, err := look(cv.Still(pic.BGR), start.Add(pic.PTS), p.n)
	if err != nil {
		p.err = err
	} else {
		p.read = true
	}
	for _, o := range seen {
		p.holder.Hear(o, (o.Time.Sub(start) - p.first).Seconds())
	}
	return nil
}

// open prepares the reader of the clip's camera.
func (p *player) open(pic local.Picture) (err error) {
	opts := p.opts
	opts.MaxGap = p.gap()
	if p.clip.Calibration == "" {
		p.table, err = recognize.NewUncalibrated(pic.BGR.Cols(), pic.BGR.Rows(), string(p.clip.Kind), opts)
	} else {
		var cal *calibration.Table
		if cal, err = calibration.Load(filepath.Join(p.dir, p.clip.Calibration)); err != nil {
			return err
		}
		if err := cal.Fits(pic.BGR.Cols(), pic.BGR.Rows()); err != nil {
			return err
		}
		p.table, err = recognize.NewTable(cal, opts)
	}
	if err != nil || p.clip.Empty == "" {
		return err
	}
	return still.LearnBackground(p.table, filepath.Join(p.dir, p.clip.Empty))
}

// gap is after how long without a picture some are missing: longer where the clip has
// only one every few seconds. 0: the table's own.
func (p *player) gap() time.Duration {
	f, err := av.OpenFile(filepath.Join(p.dir, p.clip.Clip))
	if err != nil {
		return 0
	}
	defer f.Close()
	if f.Info.FPS <= 0 || f.Info.FPS >= 1 {
		return 0
	}
	return time.Duration(3 / f.Info.FPS * float64(time.Second))
}
