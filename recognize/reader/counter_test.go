package reader

import (
	"errors"
	"testing"
	"time"
)

// Most pictures are only watched. One in seven is read and fails: that is told all the
// time, and for a minute after the last one.
func TestAnErrorHolds(t *testing.T) {
	var c counter
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	at := func(s int) time.Time { return begin.Add(time.Duration(s) * time.Second) }
	c.saw(at(0), 0, nil)
	if s := c.snapshot("one"); s.Err != "" {
		t.Errorf("told before anything failed: %q", s.Err)
	}
	for i := range 140 {
		var err error
		if i%7 == 3 {
			err = errors.New("no heights")
		}
		c.saw(at(i), 0, err)
		if s := c.snapshot("one"); i >= 3 && s.Err != "no heights" {
			t.Fatalf("second %d: %q", i, s.Err)
		}
	}
	c.saw(at(180), 0, nil)
	if c.snapshot("one").Err == "" {
		t.Error("forgotten within a minute")
	}
	c.saw(at(220), 0, nil)
	if s := c.snapshot("one"); s.Err != "" {
		t.Errorf("still told: %q", s.Err)
	}
}
