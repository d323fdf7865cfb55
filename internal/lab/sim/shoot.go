package sim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gocv.io/x/gocv"

	"vision/internal/av"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
)

// TruthLine is one line of a truth file: a round with what was said in it and
// the frames that show it.
type TruthLine struct {
	script.Truth
	From  uint64        `json:"from"` // first frame
	To    uint64        `json:"to"`   // last frame
	Calls []fact.Sensed `json:"calls"`
	// Rack is what stood in the tubes of the bank's rack, since the round before.
	Rack []RackState `json:"rack,omitempty"`
}

// Shoot plays the given number of rounds as fast as the machine allows. Frames
// go to out: a file *.mp4, or a folder of numbered pictures; out may be empty.
// Each round's truth goes to truth as one line of JSON; truth may be nil. shot, if not nil, is told of each.
func (t *Table) Shoot(ctx context.Context, rounds int, out string, truth io.Writer, shot func()) error {
	return t.shoot(ctx, rounds, out, truth, shot, func() {})
}

// shoot is Shoot that notifies of every frame, too.
func (t *Table) shoot(ctx context.Context, rounds int, out string, truth io.Writer, shot, frame func()) (err error) {
	reel, err := t.reel(out)
	if err != nil {
		return err
	}
	line := TruthLine{}
	defer func() { err = errors.Join(err, reel.close()) }()
	for done := 0; done < rounds; {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := t.Step()
		if err == nil && t.cfg.Coded {
			err = stamp(&f.Image, f.At)
		}
		if err == nil {
			err = reel.frame(f)
			frame()
		}
		if err != nil {
			return err
		}
		line.Calls = append(line.Calls, f.Calls...)
		if f.Truth == nil {
			continue
		}
		done++
		line.Truth, line.To, line.Rack = *f.Truth, f.N, f.Rack
		if err := writeTruth(truth, line); err != nil {
			return err
		}
		line = TruthLine{From: f.N + 1}
		if shot != nil {
			shot()
		}
	}
	return nil
}

func writeTruth(w io.Writer, l TruthLine) error {
	if w == nil {
		return nil
	}
	if err := json.NewEncoder(w).Encode(l); err != nil {
		return fmt.Errorf("truth: %w", err)
	}
	return nil
}

// reel takes the frames of a shooting.
type reel struct {
	frame func(Frame) error
	close func() error
}

func (t *Table) reel(out string) (reel, error) {
	switch {
	case out == "":
		return reel{func(Frame) error { return nil }, func() error { return nil }}, nil
	case filepath.Ext(out) == ".mp4":
		return t.filmReel(out)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return reel{}, fmt.Errorf("frames: %w", err)
	}
	return reel{func(f Frame) error {
		path := filepath.Join(out, fmt.Sprintf("%s-%06d.png", t.cfg.Table, f.N))
		if !gocv.IMWrite(path, f.Image) {
			return fmt.Errorf("frames: %s cannot be written", path)
		}
		return nil
	}, func() error { return nil }}, nil
}

func (t *Table) filmReel(path string) (reel, error) {
	file, err := os.Create(path)
	if err != nil {
		return reel{}, fmt.Errorf("film: %w", err)
	}
	enc, err := t.NewEncoder(av.EncoderOptions{})
	if err != nil {
		file.Close()
		return reel{}, fmt.Errorf("film: %w", err)
	}
	buf := bufio.NewWriter(file)
	film := NewFilm(buf, t.cfg.FPS)
	return reel{func(f Frame) error {
		u, err := enc.Encode(f.Image, f.At.Sub(t.cfg.Start))
		if err != nil {
			return fmt.Errorf("film: %w", err)
		}
		return film.Write(u)
	}, func() error {
		enc.Close()
		return errors.Join(film.Close(), buf.Flush(), file.Close())
	}}, nil
}
