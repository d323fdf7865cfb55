package rounds

import (
	"fmt"
	"strings"

	"vision/validate/round"
)

// Field is a part of a finding that Brief writes.
type Field func(f *round.Finding) string

// Zone is the finding's zone, where it has one.
func Zone(f *round.Finding) string { return f.Zone }

// Seat is the finding's seat, where it has one.
func Seat(f *round.Finding) string {
	if f.Seat == 0 {
		return ""
	}
	return fmt.Sprint(f.Seat)
}

// Spot is the finding's spot, where it has one.
func Spot(f *round.Finding) string { return f.Spot }

// Amounts is what was expected and observed, "-" for what is not given; nothing where
// neither is.
func Amounts(f *round.Finding) string {
	if f.Expected == nil && f.Observed == nil {
		return ""
	}
	return value(f.Expected) + "/" + value(f.Observed)
}

// Event is the finding's event, "@3".
func Event(f *round.Finding) string { return fmt.Sprint("@", f.Event) }

func value(v any) string {
	if v == nil {
		return "-"
	}
	return strings.Trim(JSON(v), `"`)
}

// Brief writes findings as their code and the fields, "payout_over 3 rojo 100/150 @9",
// joined by "; ".
func Brief(list []round.Finding, fields ...Field) string {
	out := make([]string, 0, len(list))
	for i := range list {
		words := []string{string(list[i].Code)}
		for _, field := range fields {
			if w := field(&list[i]); w != "" {
				words = append(words, w)
			}
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "; ")
}

// Full writes findings with all fields.
func Full(list []round.Finding) string {
	return Brief(list, Zone, Seat, Spot, Amounts, Event)
}
