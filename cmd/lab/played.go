package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"

	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
)

// played are the flags that say what simulated tables play, and what they are like.
type played struct {
	Seed    seed     `help:"Everything follows from it; now draws one and prints it." default:"1"`
	Faults  float64  `help:"Share of rounds with a fault, 0 to 1."`
	Only    []string `help:"Faults to commit, like pay_under,late_bet; without it all that the game knows."`
	Mixed   float64  `help:"Share of bets in money chips that are laid as one stack of several kinds, 0 to 1."`
	Mishap  []string `help:"What may come: put_right, said_twice, touched, together or abandoned; without it any." placeholder:"NAME"`
	Plaques bool     `help:"Play for high stakes, with plaques; limits and stakes are fifty times as high."`
	Speed   float64  `help:"Shorten the pauses of the play by this factor." default:"1"`

	Conditions string   `help:"What the tables are like: ideal (a laboratory), house (a casino on an ordinary night) or hard (a bad one)." enum:"ideal,house,hard" default:"house"`
	Parts      []string `help:"Only these parts of the conditions, the others ideal: ${parts}." placeholder:"PART"`
	Mishaps    *float64 `help:"Share of clean rounds to which something comes that is no mistake that counts, 0 to 1; default the conditions'." placeholder:"SHARE"`
	Cameras    int      `help:"Cameras of each table: the main one, then low ones at its sides." default:"1"`
	Size       string   `help:"Picture size of the main camera." default:"1920x1080"`
	FPS        float64  `help:"Pictures a second; default the conditions', or 12." placeholder:"N"`
}

// condition is what the tables are like.
func (c played) condition() (condition.Set, error) {
	s, err := condition.Named(c.Conditions)
	if err == nil && len(c.Parts) > 0 {
		s, err = s.Only(c.Parts...)
	}
	if c.Mishaps != nil {
		s.Mishaps = *c.Mishaps
	}
	return s, err
}

// hd is the picture size of a camera of which nothing else is said.
const hd = "1920x1080"

// size is the main camera's picture size, pixels.
func (c played) size() (size [2]int, err error) {
	if n, err := fmt.Sscanf(c.Size, "%dx%d", &size[0], &size[1]); n != 2 || err != nil {
		return size, fmt.Errorf("--size %q: want WIDTHxHEIGHT like 1920x1080", c.Size)
	}
	if c.Cameras < 1 || c.Cameras > sim.MostCameras {
		return size, fmt.Errorf("--cameras %d: want 1 to %d", c.Cameras, sim.MostCameras)
	}
	return size, nil
}

// faults are those that may be committed, mishaps those that may come; nil: any.
func (c played) faults() []script.Fault   { return named[script.Fault](c.Only) }
func (c played) mishaps() []script.Mishap { return named[script.Mishap](c.Mishap) }

func named[T ~string](names []string) (out []T) {
	for _, name := range names {
		out = append(out, T(name))
	}
	return out
}

// seed is a number from which everything follows that is played.
type seed uint64

// UnmarshalText takes a number, or now: a seed that nobody has seen before, which is
// printed so that the play can be repeated.
func (s *seed) UnmarshalText(text []byte) error {
	if string(text) == "now" {
		var b [4]byte
		if _, err := rand.Read(b[:]); err != nil {
			return err
		}
		*s = seed(binary.LittleEndian.Uint32(b[:]))
		_, err := fmt.Fprintf(os.Stderr, "seed %d\n", *s)
		return err
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("seed %q: want a whole number or now", text)
	}
	*s = seed(n)
	return nil
}
