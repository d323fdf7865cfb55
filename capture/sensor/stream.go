package sensor

import (
	"cmp"
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

// Message takes one message; at is when the stream got it: the time of a line that names none.
// Its error wraps ErrLater: the message is to be delivered again. One that was refused for good
// is an error to nobody but In.Malformed: it would not be better the next time.
func (s *Stream) Message(id string, at time.Time, fields map[string]string) error {
	s.In.defaults()
	e, err := s.event(id, at, fields)
	if err != nil {
		s.In.Malformed(s.Name, fmt.Errorf("message %s: %w", id, err))
		return nil
	}
	if err := s.In.take(e); errors.Is(err, ErrLater) {
		return fmt.Errorf("message %s: %w", id, err)
	}
	return nil
}

// event is what a message says.
func (s *Stream) event(id string, at time.Time, fields map[string]string) (fact.Sensed, error) {
	e, err := parseMessage(fields)
	if err != nil {
		return e, err
	}
	e.ID = cmp.Or(e.ID, id)
	e.Table = cmp.Or(e.Table, fields["table"])
	e.Table = cmp.Or(e.Table, s.Table)
	if e.Time.IsZero() {
		e.Time = at
	}
	if age := s.In.Now().Sub(e.Time); age > behindLimit {
		return e, fmt.Errorf("%w: a %s of %s, %v ago; the stream was not read meanwhile", ErrStale, e.Kind, e.Time.Format(time.RFC3339), age.Round(time.Second))
	}
	e.Source = s.Name
	return e, nil
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
