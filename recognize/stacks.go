package recognize

import (
	"errors"
	"io/fs"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
	"vision/recognize/chip"
	"vision/recognize/stack"
)

// stacks reads the round chips of a calibrated table by recognize/stack; plaques and photographs, which that does
// not read, by recognize/chip.
type stacks struct {
	round *stack.Reader
	rest  *chip.Reader
}

func newStacks(networks fs.FS, opts chip.Options) (*stacks, error) {
	round, err := stack.NewReader(stack.Options{Accept: opts.Accept, Models: networks})
	if err != nil {
		return nil, err
	}
	rest, err := chip.NewReader(opts)
	if err != nil {
		round.Close()
		return nil, err
	}
	return &stacks{round, rest}, nil
}

// Close frees both readers.
func (s *stacks) Close() {
	s.round.Close()
	s.rest.Close()
}

// Read reads as chip.Reader.Read does.
func (s *stacks) Read(img gocv.Mat, hint chip.Hint) ([]fact.Stack, error) {
	if hint.View == nil || hint.OnlyPlaques {
		return s.rest.Read(img, hint)
	}
	var out []fact.Stack
	var failed error
	if round := slices.DeleteFunc(slices.Clone(hint.Palette), calibration.Chip.Plaque); len(round) > 0 {
		out, failed = s.round.Read(img, stack.Hint{View: hint.View, Palette: round, Zone: hint.Zone})
	}
	if slices.ContainsFunc(hint.Palette, calibration.Chip.Plaque) {
		hint.OnlyPlaques = true
		plaques, err := s.rest.Read(img, hint)
		out, failed = append(out, plaques...), errors.Join(failed, err)
	}
	return out, failed
}
