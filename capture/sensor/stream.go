package sensor

import (
	"context"
	"errors"
	"fmt"
)

// Messages is a Redis stream read by a consumer group. Next waits for the next
// message; Done acknowledges it.
type Messages interface {
	Next(ctx context.Context) (id string, fields map[string]string, err error)
	Done(ctx context.Context, id string) error
}

// Stream reads sensor lines from a Redis stream: each message has a field "line"
// in the line protocol, and optionally "table" and "source".
type Stream struct {
	Name  string
	Table string
	In    Intake
	From  Messages
}

// Run reads until ctx ends. A message is acknowledged once it was handed on, or
// refused for good.
func (s *Stream) Run(ctx context.Context) error {
	s.In.defaults()
	for {
		id, fields, err := s.From.Next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("sensor %s: %w", s.Name, err)
		}
		if err := s.take(id, fields); err != nil {
			s.In.Malformed(s.Name, fmt.Errorf("message %s: %w", id, err))
		}
		if err := s.From.Done(ctx, id); err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("sensor %s: %w", s.Name, err)
		}
	}
}

func (s *Stream) take(id string, fields map[string]string) error {
	line, ok := fields["line"]
	if !ok {
		return fmt.Errorf("%w: no field \"line\"", ErrForm)
	}
	e, err := ParseLine(line)
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
	e.Source = s.Name
	return s.In.take(e)
}
