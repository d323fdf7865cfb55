package health

import (
	"testing"
	"time"
)

// Problems that come as events fade.
func TestProblemsFade(t *testing.T) {
	b := NewBoard(nil)
	f := NewFading(b)
	f.Set(SensorMalformed, "R1", "wheel", "x")
	f.Clear(time.Now().Add(fadeAfter / 2))
	if len(b.Present()) != 1 {
		t.Error("gone early")
	}
	f.Clear(time.Now().Add(fadeAfter))
	if p := b.Present(); len(p) != 0 {
		t.Errorf("stays: %+v", p)
	}
}
