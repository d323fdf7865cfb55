package decoder

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vision/internal/child"
)

// Subcommand of the program under which a device is tried: drivers are C, and may crash.
const Subcommand = "decoder-process"

// patience is how long a device may take to open and to decode its trial.
const patience = 20 * time.Second

// Asked is what such a process is asked.
type Asked struct {
	Decoder string `json:"decoder"` // a Choice in hardware
}

// Told is its answer.
type Told struct {
	Decoder string   `json:"decoder"`          // the device that decodes rightly; "": none
	Cannot  []string `json:"cannot,omitempty"` // why not, or which codec it does not decode
}

// ErrNone says that the machine has no device file of what was asked for.
var ErrNone = errors.New("no such device on this machine")

// Found is what decodes, and what has to be said of it.
type Found struct {
	Choice
	Cannot []string // of the device: a codec that the processor decodes nonetheless
	Err    error    // why it is the processor where hardware was asked for, or is there
}

// Find tries what want leaves open, each device in a process of its own with env added to
// its environment. Nothing is tried where the machine has no device file.
func Find(ctx context.Context, want Choice, env []string) Found {
	kinds := []Choice{want}
	switch want.Kind {
	case Auto:
		kinds = nil
		for _, k := range Hardware {
			kinds = append(kinds, Choice{Kind: k})
		}
	case Software:
		return Found{Choice: want}
	}
	var errs []error
	for _, c := range kinds {
		if len(c.nodes()) == 0 {
			if want.Kind != Auto {
				errs = append(errs, fmt.Errorf("%v: %w", c, ErrNone))
			}
			continue
		}
		f, err := try(ctx, c, env)
		if err == nil {
			return f
		}
		errs = append(errs, fmt.Errorf("%v: %w", c, err))
	}
	return Found{Choice: Choice{Kind: Software}, Err: errors.Join(errs...)}
}

// try asks a process whether a device decodes.
func try(ctx context.Context, c Choice, env []string) (Found, error) {
	var told Told
	if err := child.Ask(ctx, child.Self(Subcommand), env, patience, Asked{c.String()}, &told); err != nil {
		return Found{}, err
	}
	if told.Decoder == "" {
		return Found{}, errors.New(strings.Join(told.Cannot, "; "))
	}
	got, err := Parse(told.Decoder)
	return Found{Choice: got, Cannot: told.Cannot}, err
}
