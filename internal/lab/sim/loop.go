package sim

import (
	"context"
	"fmt"
	"time"

	"vision/internal/av"
	"vision/internal/backoff"
)

// record films the beginning of the play as the table's camera sends it, as fast as the machine
// allows; loop shows it. Config.Film says for how long.
func (t *Table) record(ctx context.Context) error {
	enc, err := t.NewEncoder(av.EncoderOptions{})
	if err != nil {
		return err
	}
	defer enc.Close()
	for began := t.cfg.Start; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := t.Step()
		if err != nil {
			return err
		}
		at := f.At.Sub(began)
		if at >= t.cfg.Film {
			return nil
		}
		u, err := encode(enc, f, at)
		if err != nil {
			return fmt.Errorf("simulated camera %s: %w", t.cfg.Camera, err)
		}
		t.film = append(t.film, u)
	}
}

// loop sends what was filmed, over and over in real time.
func (s *shot) loop(ctx context.Context, began time.Time) error {
	film := s.t.film
	for n := 0; ; n++ {
		u := film[n%len(film)] // the first is a key picture
		u.PTS = seconds(float64(n) / s.t.cfg.FPS)
		u.Wall = began.Add(u.PTS)
		if err := backoff.Sleep(ctx, time.Until(u.Wall)); err != nil {
			return err
		}
		if err := s.out.Write(u); err != nil {
			return fmt.Errorf("simulated camera %s: %w", s.t.cfg.Camera, err)
		}
	}
}
