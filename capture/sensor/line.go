package sensor

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vision/internal/fact"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 4096

// integers are the arguments of a line that are numbers; all others are words.
var integers = map[string]bool{"seat": true, "points": true, "amount": true, "count": true}

// ParseLine reads one line of the line protocol (docs/integrator.md):
//
//	[t=TIME] [id=ID] [table=TABLE] WORD [ARGUMENT] [name=value …]
//
// Its error wraps ErrForm and says what is wrong and how to put it right.
func ParseLine(line string) (fact.Sensed, error) {
	s := fact.Sensed{Args: map[string]any{}}
	if len(line) > MaxLine {
		return s, fmt.Errorf("%w: line of %d bytes; the limit is %d", ErrForm, len(line), MaxLine)
	}
	var w word
	first := false
	for _, f := range strings.Fields(line) {
		name, value, pair := strings.Cut(f, "=")
		switch {
		case pair:
			if err := pairArg(&s, name, value); err != nil {
				return s, err
			}
		case s.Kind == "":
			var ok bool
			if w, ok = words[f]; !ok {
				return s, fmt.Errorf("%w: %q is no word of a line; lines begin with ball, call, card, dice, action, burn, incident, shuffle, cut, cut_card or clear", ErrForm, clip(f))
			}
			s.Kind = w.kind
		case !first && w.arg != "":
			first = true
			if err := firstArg(&s, w, f); err != nil {
				return s, err
			}
		default:
			return s, fmt.Errorf("%w: %q; further arguments are written name=value", ErrForm, clip(f))
		}
	}
	if s.Kind == "" {
		return s, fmt.Errorf("%w: empty line", ErrForm)
	}
	if w.must && !first {
		if _, ok := s.Args[w.arg]; !ok {
			return s, fmt.Errorf("%w: %s needs %s, like %s", ErrForm, s.Kind, w.arg, example[s.Kind])
		}
	}
	return s, nil
}

var example = map[string]string{"ball": "ball 17", "announce": "call no_va_mas", "card": "card As zone=bank", "dice": "dice 3,4",
	"action": "action double seat=2", "burn": "burn 5", "incident": "incident ball_out"}

func pairArg(s *fact.Sensed, name, value string) error {
	switch {
	case name == "" || value == "":
		return fmt.Errorf("%w: %q; want name=value", ErrForm, clip(name+"="+value))
	case name == "t":
		t, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return fmt.Errorf("%w: t=%s is no RFC 3339 time like 2026-11-21T04:50:01.250Z", ErrForm, clip(value))
		}
		s.Time = t
	case name == "id":
		s.ID = value
	case name == "table":
		s.Table = value
	case integers[name]:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%w: %s=%s is no integer", ErrForm, name, clip(value))
		}
		s.Args[name] = n
	default:
		s.Args[name] = value
	}
	return nil
}

func firstArg(s *fact.Sensed, w word, f string) error {
	switch w.arg {
	case "faces":
		var faces []int
		for _, d := range strings.Split(f, ",") {
			n, err := strconv.Atoi(d)
			if err != nil || n < 0 || n > 6 {
				return fmt.Errorf("%w: dice %s; want faces like 3,4", ErrForm, clip(f))
			}
			faces = append(faces, n)
		}
		s.Args["faces"] = faces
	case "count":
		n, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("%w: %s is no count", ErrForm, clip(f))
		}
		s.Args["count"] = n
	default:
		s.Args[w.arg] = f
	}
	return nil
}

func clip(s string) string { return s[:min(len(s), 60)] }
