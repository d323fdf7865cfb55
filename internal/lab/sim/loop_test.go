package sim

import (
	"context"
	"errors"
	"testing"
	"time"

	"vision/capture"
)

// taker takes units until it has enough of them.
type taker struct {
	units []capture.Unit
	most  int
	full  context.CancelFunc
}

func (r *taker) Write(u capture.Unit) error {
	if r.units = append(r.units, u); len(r.units) == r.most {
		r.full()
	}
	return nil
}

func TestTable_filmIsShownOverAndOver(t *testing.T) {
	tab, err := New(Config{Game: "blackjack", Size: small, FPS: 20, Film: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	if err := tab.record(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(tab.film) != 6 || !tab.film[0].Key {
		t.Fatalf("%d pictures, the first a key picture: %v; want 6", len(tab.film), tab.film[0].Key)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &taker{most: 14, full: cancel}
	if err := tab.Serve(ctx, out, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for i, u := range out.units {
		if want := time.Duration(i) * 50 * time.Millisecond; u.PTS != want || &u.NALs[0] != &tab.film[i%6].NALs[0] {
			t.Errorf("picture %d: at %v, want picture %d at %v", i, u.PTS, i%6, want)
		}
	}
}
