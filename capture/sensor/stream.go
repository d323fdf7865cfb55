package sensor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"vision/internal/fact"
)

// ErrStale is why a message is refused that waited for longer than any call can
// still belong to a round.
var ErrStale = errors.New("too old")

// Stream takes the messages of a Redis stream: each has a field "line" in the
// line protocol, or "data" with a line or one JSON event as over HTTP, and
// optionally "table".
type Stream struct {
	Name  string
	Table string // of messages that name none
	In    Intake

	pace *rate.Limiter
}

// Wait waits until the next message may be taken: the rest waits in Redis meanwhile. It
// fails at the end of ctx.
func (s *Stream) Wait(ctx context.Context) error {
	s.In.defaults()
	if s.pace == nil {
		s.pace = newPace()
	}
	return s.In.keep(ctx, s.pace, s.Name)
}

// Message takes one message; it was refused for good where In.Malformed is told.
// at is when the stream got it: the time of a line that names none.
func (s *Stream) Message(id string, at time.Time, fields map[string]string) {
	s.In.defaults()
	if err := s.take(id, at, fields); err != nil {
		s.In.Malformed(s.Name, fmt.Errorf("message %s: %w", id, err))
	}
}

func (s *Stream) take(id string, at time.Time, fields map[string]string) error {
	e, err := parseMessage(fields)
	if err != nil {
		return err
	}
	if e.ID == "" {
		e.ID = id
	}
	if e.Table == "" {
		e.Table = fields["table"]
	}
	if e.Table == "" {
		e.Table = s.Table
	}
	if e.Time.IsZero() {
		e.Time = at
	}
	if age := s.In.Now().Sub(e.Time); age > behindLimit {
		return fmt.Errorf("%w: a %s of %s, %v ago; the stream was not read meanwhile", ErrStale, e.Kind, e.Time.Format(time.RFC3339), age.Round(time.Second))
	}
	e.Source = s.Name
	return s.In.take(e)
}

func parseMessage(fields map[string]string) (fact.Sensed, error) {
	text, ok := fields["line"]
	if !ok {
		text, ok = fields["data"]
	}
	if !ok {
		return fact.Sensed{}, fmt.Errorf("%w: no field \"line\" and no field \"data\"", ErrForm)
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return ParseLine(text)
	}
	list, err := parseBody([]byte(text))
	if err != nil {
		return fact.Sensed{}, err
	}
	return list[0], nil
}
