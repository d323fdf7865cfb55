package trial

import (
	"testing"

	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/testkit/books"
)

// The reader of a trial knows the cloth from the picture that was taken before the play,
// but in a laboratory, and where nobody took one.
func TestTheEmptyTableIsTaken(t *testing.T) {
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	felt, err := house.Only("felt")
	if err != nil {
		t.Fatal(err)
	}
	norms := books.Shipped(t)
	read := func(cfg Config) (n int) {
		b, err := newBench(cfg, norms)
		if err != nil {
			t.Fatal(err)
		}
		defer b.close()
		f, err := b.cameras[0].sim.Step()
		if err != nil {
			t.Fatal(err)
		}
		var all []fact.Observation
		if all, err = b.cameras[0].table.Still(f.Image, f.At); err != nil {
			t.Fatal(err)
		}
		for _, o := range all {
			n += len(o.Cards) + len(o.Chips) + len(o.Dice)
		}
		return n
	}
	// The cloth of this seed bears faces of dice where dice are thrown.
	cfg := Config{Game: "sic_bo", Seed: 42, Rounds: 1, Plain: true, Condition: felt}
	if n := read(cfg); n != 0 {
		t.Errorf("%d things are read on the empty table", n)
	}
	cfg.NoEmpty = true
	if n := read(cfg); n == 0 {
		t.Error("nothing printed is read although nobody took the empty table: this test shows nothing")
	}
}
