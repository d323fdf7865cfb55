package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Clip is one line of truth of a set of clips: a video and what lies on the table while
// it is at rest, or the round that is played in it.
type Clip struct {
	Clip        string       `json:"clip"`
	Kind        Kind         `json:"kind"`
	Tags        []string     `json:"tags"`
	Calibration string       `json:"calibration"` // below the set's folder; "": none
	Empty       string       `json:"empty"`       // picture of the bare table; "": none
	Rest        []Rest       `json:"rest"`        // in time, without overlaps
	Events      []ClipEvent  `json:"events"`      // not scored
	Hands       [][2]float64 `json:"hands"`       // not scored
	// Partial: other things may lie there too, so only recall counts.
	Partial bool `json:"partial"`

	// Round is the expected record and findings of a clip with a whole round; Calls what
	// was said meanwhile and Config the table, each the name of a file below the set's
	// folder or the thing itself.
	Round  json.RawMessage `json:"round"`
	Calls  json.RawMessage `json:"calls"`
	Config json.RawMessage `json:"config"`
	Start  time.Time       `json:"start"` // of the clip, on the calls' clock; zero: not said
}

// Wheel is the kind of clips of a wheel. Nothing reads it by camera: its number comes
// from the wheel's own sensor.
const Wheel Kind = "wheel"

// Rest is a span, in seconds from the clip's first picture, in which things lie still.
type Rest struct {
	From   float64  `json:"from"`
	To     float64  `json:"to"`
	Cards  []string `json:"cards"`
	Dice   []Face   `json:"dice"`
	Chips  Counts   `json:"chips"`
	Number Number   `json:"number"`
}

// ClipEvent is something that happens at a time.
type ClipEvent struct {
	T    float64 `json:"t"`
	What string  `json:"what"`
}

// Counts are chips, by colour or palette id. They are written as an object of counts, a
// list of {"color", "count"}, or a list with every chip.
type Counts map[string]int

// mostChips bounds a count of chips: they are given one by one.
const mostChips = 2000

// UnmarshalJSON reads any of the three.
func (c *Counts) UnmarshalJSON(data []byte) error {
	*c = nil
	if string(bytes.TrimSpace(data)) == "null" {
		return nil
	}
	out := Counts{}
	var list []json.RawMessage
	var byColour map[string]int
	if json.Unmarshal(data, &list) != nil {
		if err := json.Unmarshal(data, &byColour); err != nil {
			return fmt.Errorf(`chips: want {"red":2} or [{"color":"red","count":2}]`)
		}
		maps.Copy(out, byColour)
	}
	for _, raw := range list {
		one := struct {
			Color string `json:"color"`
			Count *int   `json:"count"`
		}{}
		if json.Unmarshal(raw, &one.Color) != nil && json.Unmarshal(raw, &one) != nil || one.Color == "" {
			return fmt.Errorf(`chips: %s: want {"color":"red","count":2}`, raw)
		}
		n := 1
		if one.Count != nil {
			n = *one.Count
		}
		if n < 0 || n > mostChips {
			return fmt.Errorf("chips: %d of %s", n, one.Color)
		}
		out[one.Color] += n
	}
	total := 0
	for colour, n := range out {
		if total += n; n < 0 || n > mostChips || total > mostChips {
			return fmt.Errorf("chips: %d of %s", n, colour)
		}
	}
	*c = out
	return nil
}

// Number is the pocket in which a ball lies, written as a number or as a label.
type Number string

// UnmarshalJSON reads 17, "17" and "00".
func (n *Number) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		var v json.Number
		if err := json.Unmarshal(data, &v); err != nil {
			return fmt.Errorf("number %s: want the pocket", data)
		}
		s = v.String()
	}
	*n = Number(s)
	return nil
}

// Things are the labels of one kind that lie there.
func (r Rest) Things(k Kind) []string {
	out := []string{}
	switch k {
	case Cards:
		return append(out, r.Cards...)
	case Dice:
		for _, f := range r.Dice {
			out = append(out, string(rune('0'+f)))
		}
	case Chips:
		for _, id := range slices.Sorted(maps.Keys(r.Chips)) {
			out = append(out, slices.Repeat([]string{id}, r.Chips[id])...)
		}
	case Wheel:
		if r.Number != "" {
			out = append(out, string(r.Number))
		}
	}
	return out
}

// kinds are those of which the rest says something.
func (r Rest) kinds() (out []Kind) {
	if r.Cards != nil {
		out = append(out, Cards)
	}
	if r.Dice != nil {
		out = append(out, Dice)
	}
	if r.Chips != nil {
		out = append(out, Chips)
	}
	if r.Number != "" {
		out = append(out, Wheel)
	}
	return out
}

func (c *Clip) check() error {
	if err := cmp.Or(below("clip", c.Clip), belowIf("calibration", c.Calibration), belowIf("empty", c.Empty)); err != nil {
		return err
	}
	if len(c.Round) > 0 && string(c.Round) != "null" {
		if len(c.Rest) > 0 {
			return errors.New("a clip has rest or round, not both")
		}
		return nil
	}
	c.Round = nil
	slices.SortStableFunc(c.Rest, func(a, b Rest) int { return cmp.Compare(a.From, b.From) })
	for i, r := range c.Rest {
		if err := c.checkRest(i, r); err != nil {
			return fmt.Errorf("rest[%d]: %w", i, err)
		}
	}
	for i, h := range c.Hands {
		if !(h[0] >= 0 && h[1] >= h[0]) {
			return fmt.Errorf("hands[%d]: from %v to %v s", i, h[0], h[1])
		}
	}
	for i, e := range c.Events {
		if !(e.T >= 0) {
			return fmt.Errorf("events[%d]: at %v s", i, e.T)
		}
	}
	return c.checkKind()
}

func (c *Clip) checkRest(i int, r Rest) error {
	if !(r.From >= 0 && r.To > r.From && r.To < math.MaxInt32) {
		return fmt.Errorf("from %v to %v s: want seconds of the clip, the beginning before the end", r.From, r.To)
	}
	if i > 0 && r.From < c.Rest[i-1].To {
		return fmt.Errorf("begins at %v s, before the one before ends at %v s", r.From, c.Rest[i-1].To)
	}
	for k, l := range r.Cards {
		if err := checkCard(l); err != nil {
			return fmt.Errorf("cards[%d]: %w", k, err)
		}
	}
	return nil
}

// checkKind takes the kind from the rests where it is not said.
func (c *Clip) checkKind() error {
	if c.Kind == "" {
		for _, r := range c.Rest {
			for _, k := range r.kinds() {
				if c.Kind != "" && c.Kind != k {
					return errors.New("kind: missing, and its rests are of several: say cards, dice, chips or wheel")
				}
				c.Kind = k
			}
		}
	}
	if !slices.Contains([]Kind{Cards, Dice, Chips, Wheel}, c.Kind) {
		return fmt.Errorf("kind %q: want cards, dice, chips or wheel", c.Kind)
	}
	return nil
}
