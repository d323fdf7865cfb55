package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/validate/finding"
)

// How the backs of the packs are coloured.
const (
	halves    = "halves" // two colours, as many packs of each
	oneColour = "one"
)

// packEvent judges the packs that are brought to the table (section 4.5).
func (x *examination) packEvent(i int, e *Event) {
	if e.Type != Open && e.Type != DeckChanged {
		return
	}
	if rule, lines := of(x.rules.Packs, x.game); rule != nil {
		x.packs(i, &e.Gear, rule, lines)
	}
	if lines, ok := x.rules.Replaced.has(x.game); ok && e.Type == DeckChanged && e.Card != card.Unseen &&
		e.Replacement != card.Unseen && e.Card != e.Replacement {
		x.add(Finding{Code: finding.DeckWrong, Event: i, What: "replacement", Expected: e.Card.String(),
			Observed: e.Replacement.String()}, lines)
	}
}

func (x *examination) packs(i int, g *Gear, rule *Packs, lines string) {
	wrong := func(what string, expected, observed any) {
		if expected != observed {
			x.add(Finding{Code: finding.DeckWrong, Event: i, What: what, Expected: expected, Observed: observed}, lines)
		}
	}
	if g.Packs != nil {
		wrong("packs", rule.Packs, *g.Packs)
	}
	if g.Backs != nil {
		n := slices.Sorted(maps.Values(g.Backs))
		n = slices.DeleteFunc(n, func(k int64) bool { return k == 0 }) // no packs, no colour
		slices.Reverse(n)
		var words []string
		for _, k := range n {
			words = append(words, strconv.FormatInt(k, 10))
		}
		good, want := len(n) == 1, strconv.FormatInt(rule.Packs, 10)
		if rule.Backs == halves {
			half := strconv.FormatInt(rule.Packs/2, 10)
			good, want = len(n) == 2 && n[0] == n[1], half+"+"+half
		}
		if !good {
			wrong("backs", want, strings.Join(words, "+"))
		}
	}
	for _, c := range []struct {
		what      string
		rule, got *bool
	}{{"indices", rule.Indices, g.Indices}, {"new", rule.New, g.New}} {
		if c.rule != nil && c.got != nil {
			wrong(c.what, *c.rule, *c.got)
		}
	}
}

// diceSets follows the dice at the table (section 4.7).
type diceSets struct {
	inUse *string
	used  []string // in this record
}

func (x *examination) diceEvent(i int, e *Event) {
	if e.Type != Open && e.Type != DiceChanged {
		return
	}
	set := e.Gear.DiceSet
	if rule := x.rules.Dice; rule != nil {
		if lines, ok := rule.has(x.game); ok {
			x.diceWrong(i, e, rule, lines)
		}
	}
	if set != nil {
		x.dice.inUse = set
		x.dice.used = append(x.dice.used, *set)
	} else if e.Type == Open {
		x.dice.inUse = nil
	}
}

func (x *examination) diceWrong(i int, e *Event, rule *Dice, lines string) {
	if n := e.Gear.Dice; n != nil && *n != rule.Count {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "count", Expected: rule.Count, Observed: *n}, lines)
	}
	set := e.Gear.DiceSet
	if set == nil {
		return
	}
	if slices.Contains(x.rec.Carry.LastDiceSets, *set) {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "set", Observed: *set}, lines)
	}
	if inUse := x.dice.inUse; e.Type == DiceChanged && e.Reason == "lost" && inUse != nil && *inUse == *set {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "set", Observed: *set}, lines)
	}
}
