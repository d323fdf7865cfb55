package trial

import (
	"fmt"
	"strings"

	"vision/internal/fact"
)

// describe is an observation in one line.
func describe(o fact.Observation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%7.2f %s %s", o.Time.Sub(Start).Seconds(), o.Kind, o.Zone)
	if !o.Since.IsZero() {
		fmt.Fprintf(&b, " since %.2f", o.Since.Sub(Start).Seconds())
	}
	for _, c := range o.Cards {
		fmt.Fprintf(&b, " [%s%s @%.0f,%.0f]", guesses(c.Guesses), abstained(c.Abstain), c.At[0], c.At[1])
	}
	for _, s := range o.Chips {
		fmt.Fprintf(&b, " {%s %d-%d p%.2f%s @%.0f,%.0f}", strings.Join(s.Chips, "+"), s.Low, s.High, s.P, abstained(s.Abstain), s.At[0], s.At[1])
	}
	for _, d := range o.Dice {
		fmt.Fprintf(&b, " <%s%s%s>", guesses(d.Guesses), d.Irregular, abstained(d.Abstain))
	}
	if len(o.Hands) > 0 {
		fmt.Fprintf(&b, " by %s", strings.Join(o.Hands, " and "))
	}
	if o.Note != "" {
		fmt.Fprintf(&b, " (%s)", o.Note)
	}
	return b.String()
}

func guesses(gs []fact.Guess) string {
	var out []string
	for _, g := range gs {
		if len(out) < 2 && g.P >= 0.01 {
			out = append(out, fmt.Sprintf("%s %.2f", g.Label, g.P))
		}
	}
	return strings.Join(out, "|")
}

func abstained(why string) string {
	if why == "" {
		return ""
	}
	return " ?" + why
}
