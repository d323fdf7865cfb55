package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"

	"vision/capture/sim/condition"
)

// conditions are the flags that say what simulated tables are like beside their game.
type conditions struct {
	Conditions string   `help:"What the tables are like: ideal (a laboratory), house (a casino on an ordinary night) or hard (a bad one)." enum:"ideal,house,hard" default:"house"`
	Parts      []string `help:"Only these parts of the conditions, the others ideal: ${parts}." placeholder:"PART"`
	Mishaps    *float64 `help:"Share of clean rounds to which something comes that is no mistake that counts, 0 to 1; default the conditions'." placeholder:"SHARE"`
	FPS        float64  `help:"Pictures a second; default the conditions', or 12." placeholder:"N"`
}

// set is what the flags ask for.
func (c conditions) set() (condition.Set, error) {
	s, err := condition.Named(c.Conditions)
	if err == nil && len(c.Parts) > 0 {
		s, err = s.Only(c.Parts...)
	}
	if c.Mishaps != nil {
		s.Mishaps = *c.Mishaps
	}
	return s, err
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
