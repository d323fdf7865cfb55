package sim

import (
	"bytes"
	"testing"
	"time"

	"vision/internal/av"
	"vision/internal/lab/sim/condition"
)

// calmTable is a table of a house, before a calm camera or another.
func calmTable(t *testing.T, game string, calm bool) *Table {
	t.Helper()
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	tbl, err := New(Config{Game: game, Seed: 3, Size: small, FPS: 8, Condition: house, Calm: calm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tbl.Close)
	return tbl
}

func stepped(t *testing.T, tbl *Table) Frame {
	t.Helper()
	f, err := tbl.Step()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A calm camera takes no picture anew of a table at which nothing moves, and its encoder says so
// in a few bytes. Another's noise is new in each.
func TestAStillTableIsNotDrawnAgain(t *testing.T) {
	for _, game := range []string{"blackjack", "ruleta_francesa"} {
		for _, calm := range []bool{true, false} {
			tbl := calmTable(t, game, calm)
			for range 24 {
				stepped(t, tbl)
			}
			enc, err := tbl.NewEncoder(av.EncoderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer enc.Close()
			if _, err := encode(enc, Frame{Image: tbl.lens.out}, 0); err != nil {
				t.Fatal(err)
			}
			var last []byte
			drawn := 0
			for i := range 12 {
				tbl.again(tbl.n - 1)
				f := stepped(t, tbl)
				u, err := encode(enc, f, time.Duration(i+1)*time.Second/8)
				if err != nil {
					t.Fatal(err)
				}
				if !f.Same {
					drawn++
				}
				if calm && i > 0 {
					if !f.Same || !bytes.Equal(f.Image.ToBytes(), last) {
						t.Errorf("%s: picture %d of a table that stands still is another", game, i)
					}
					if n := len(bytes.Join(u.NALs, nil)); n > 100 {
						t.Errorf("%s: picture %d of a table that stands still takes %d bytes", game, i, n)
					}
				}
				last = f.Image.ToBytes()
			}
			if !calm && drawn != 12 {
				t.Errorf("%s: a camera that is not calm repeated %d of 12 pictures", game, 12-drawn)
			}
			if tbl.lens.fresh = true; calm {
				tbl.again(tbl.n - 1)
				if f := stepped(t, tbl); f.Same || bytes.Equal(f.Image.ToBytes(), last) {
					t.Errorf("%s: a key picture is the last one to the bit, as a frozen camera's", game)
				}
			}
		}
	}
}

// What a calm camera takes over bit by bit is what it would take at once.
func TestACalmCameraMissesNothing(t *testing.T) {
	for _, game := range []string{"blackjack", "dados_craps"} {
		tbl := calmTable(t, game, true)
		same := 0
		for i := range 160 {
			f := stepped(t, tbl)
			if f.Same {
				same++
			}
			if i%20 != 19 || tbl.lens.shook {
				continue
			}
			was := f.Image.ToBytes()
			if err := tbl.lens.develop(tbl.lens.seen, tbl.Bounds()); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(was, tbl.lens.out.ToBytes()) {
				t.Errorf("%s: picture %d is not what its camera sees", game, i)
			}
		}
		if same == 0 || same == 160 {
			t.Errorf("%s: %d of 160 pictures are as the last one", game, same)
		}
	}
}
