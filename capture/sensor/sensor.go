// Package sensor takes in what is said and sensed at the tables: the croupier's
// terminal, the wheel, the shoe. Lines come over HTTP, TCP, a serial port or a
// Redis stream, and leave as fact.Sensed. It checks form and sender and knows no
// game; order and lateness are the tracker's business.
package sensor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
)

// Errors that callers tell apart.
var (
	ErrForm = errors.New("malformed")
	ErrAuth = errors.New("not authenticated")
	// ErrLater is why an event was not taken that is right in itself: its sender is to send it
	// again, with the same id.
	ErrLater = errors.New("retry")
)

// word is what one kind of line looks like: its first argument's name, and
// whether that argument must be there.
type word struct {
	kind string // of fact.Sensed
	arg  string
	must bool
}

// words are the first words of a line (docs/integrator.md).
var words = map[string]word{
	"ball":     {"ball", "pocket", true},
	"call":     {"announce", "call", true},
	"card":     {"card", "card", true},
	"dice":     {"dice", "faces", true},
	"action":   {"action", "action", true},
	"burn":     {"burn", "count", true},
	"incident": {"incident", "kind", true},
	"shuffle":  {"shuffle", "", false},
	"cut":      {"cut", "", false},
	"cut_card": {"cut_card", "", false},
	"clear":    {"clear", "", false},
}

// kinds are the kinds of fact.Sensed with the argument that each must have.
var kinds = func() map[string]word {
	m := map[string]word{}
	for _, w := range words {
		m[w.kind] = w
	}
	return m
}()

// Kinds lists the kinds of event that are taken, for people.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Intake is where checked lines go.
type Intake struct {
	// Hear takes an event: when it returns nil the event is kept, and its sender may forget it.
	// It returns within seconds. Its error wraps ErrLater where the event may be taken later,
	// and does not for a table that it does not know.
	Hear func(fact.Sensed) error
	// Refused is notified of every event that was not taken for now (ErrLater).
	Refused func(source string, err error)
	// Skewed is notified when a sender's clock is so far off that its time was replaced.
	Skewed func(source string, by time.Duration)
	// Malformed is notified of every line that was refused for good.
	Malformed func(source string, err error)
	// Flooding is notified each time when a sender says more than it may.
	Flooding func(source string)
	Now      func() time.Time
}

func (in *Intake) defaults() {
	if in.Now == nil {
		in.Now = time.Now
	}
	if in.Skewed == nil {
		in.Skewed = func(string, time.Duration) {}
	}
	if in.Malformed == nil {
		in.Malformed = func(string, error) {}
	}
	if in.Refused == nil {
		in.Refused = func(string, error) {}
	}
	if in.Flooding == nil {
		in.Flooding = func(string) {}
	}
}

// How far a sender's clock may be off: ahead by less than a network's whim;
// behind by as long as a terminal may have been offline.
const (
	aheadLimit  = 2 * time.Second
	behindLimit = 10 * time.Minute
)

// Limits of one event.
const (
	maxName = 128
	maxArgs = 32
)

// take checks an event and hands it on, and notifies of one that is not taken.
func (in *Intake) take(s fact.Sensed) error {
	err := in.check(s)
	switch {
	case errors.Is(err, ErrLater):
		in.Refused(s.Source, err)
	case err != nil:
		in.Malformed(s.Source, err)
	}
	return err
}

func (in *Intake) check(s fact.Sensed) error {
	w, ok := kinds[s.Kind]
	switch {
	case !ok:
		return fmt.Errorf("%w: kind %q; want one of %s", ErrForm, s.Kind, strings.Join(Kinds(), ", "))
	case s.Table == "":
		return fmt.Errorf("%w: no table; give table=…", ErrForm)
	case len(s.Table) > maxName || len(s.ID) > maxName || len(s.Source) > maxName || len(s.Args) > maxArgs:
		return fmt.Errorf("%w: names are at most %d bytes and arguments at most %d", ErrForm, maxName, maxArgs)
	}
	if _, ok := s.Args[w.arg]; w.must && !ok {
		return fmt.Errorf("%w: a %s needs %s", ErrForm, s.Kind, w.arg)
	}
	now := in.Now()
	s.Received = now
	if s.Time.IsZero() {
		s.Time = now
	} else if d := s.Time.Sub(now); d > aheadLimit || d < -behindLimit {
		in.Skewed(s.Source, d)
		s.Time = now
	}
	return in.Hear(s)
}
