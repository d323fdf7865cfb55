package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track"
)

// state is what the wall shows of a table's running round.
type state struct {
	Phase         string             `json:"phase"`
	Round         string             `json:"round,omitempty"`
	PerHour       int                `json:"per_hour,omitempty"`
	Events        []round.Event      `json:"events"` // the newest: what was dealt, called, bet and paid
	Settlement    []round.Settlement `json:"settlement,omitempty"`
	NotVerifiable string             `json:"not_verifiable,omitempty"`
	Last          *span              `json:"last,omitempty"`

	seen  map[string]map[string]fact.Observation // camera → zone → newest reading
	racks map[string]*rackRead                   // by camera
}

// span is a stretch of recording.
type span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// eventsShown is how many of the round's events the wall gets.
const eventsShown = 12

func (s *state) live(l *track.Live) {
	s.Phase, s.Round, s.Settlement, s.NotVerifiable = string(l.Phase), l.Record.ID, l.Settlement, l.NotVerifiable
	ev := l.Record.Events
	if len(ev) > eventsShown {
		ev = ev[len(ev)-eventsShown:]
	}
	s.Events = slices.Clone(ev)
}

func (s *state) finished(r *track.Round, last *span, ended []time.Time) {
	s.Last, s.NotVerifiable = last, r.NotVerifiable
	if n := len(ended); n > 1 {
		if d := ended[n-1].Sub(ended[0]); d > 0 {
			s.PerHour = int(float64(n-1) * float64(time.Hour) / float64(d))
		}
	}
}

// Reading is one thing that the system reads, as the overlay draws it.
type Reading struct {
	Kind    string    `json:"kind"` // "card", "chip", "die", "tube"
	Label   string    `json:"label"`
	Chip    string    `json:"chip,omitempty"`   // kind of a tube's chips
	Amount  int64     `json:"amount,omitempty"` // of a stack, cents, where every chip in it has a value
	P       float64   `json:"p"`
	Quad    fact.Quad `json:"quad"` // pixels of the camera's picture
	Abstain bool      `json:"abstain,omitempty"`
}

// observe keeps the newest reading of each zone; what lay in a zone that moved is stale.
func (s *state) observe(o fact.Observation) {
	if s.seen == nil {
		s.seen = map[string]map[string]fact.Observation{}
	}
	zones := s.seen[o.Camera]
	if zones == nil {
		zones = map[string]fact.Observation{}
		s.seen[o.Camera] = zones
	}
	switch o.Kind {
	case fact.Stable:
		zones[o.Zone] = o
	case fact.MotionStarted:
		delete(zones, o.Zone)
	case fact.Gap, fact.Moved, fact.Blind:
		clear(zones)
		delete(s.racks, o.Camera)
	}
}

// rack takes in a reading of the rack of a camera, by its calibration.
func (s *state) rack(o *fact.Observation, cal *calibration.Table) *rackRead {
	if s.racks == nil {
		s.racks = map[string]*rackRead{}
	}
	r := s.racks[o.Camera]
	if r == nil {
		r = &rackRead{}
		s.racks[o.Camera] = r
	}
	r.observe(o, cal)
	return r
}

// overlay is all that a camera's zones hold; worth is the value of each kind of
// chip in cents.
func (s *state) overlay(camera string, worth map[string]int64) []Reading {
	out := []Reading{}
	zones := s.seen[camera]
	for _, name := range slices.Sorted(maps.Keys(zones)) {
		o := zones[name]
		for _, c := range o.Cards {
			out = append(out, guessReading("card", c.Guesses, c.Abstain, c.Quad))
		}
		for _, d := range o.Dice {
			out = append(out, guessReading("die", d.Guesses, d.Abstain, d.Quad))
		}
		for _, c := range o.Chips {
			out = append(
				out,
				Reading{Kind: "chip", Label: chips(c), Amount: amount(c, worth), P: c.P, Quad: c.Quad, Abstain: c.Abstain != ""},
			)
		}
	}
	if r := s.racks[camera]; r != nil {
		out = append(out, r.tubes...)
	}
	return out
}

func guessReading(kind string, g []fact.Guess, abstain string, q fact.Quad) Reading {
	label, p := fact.Best(g)
	if abstain != "" {
		label = "?"
	}
	return Reading{Kind: kind, Label: label, P: p, Quad: q, Abstain: abstain != ""}
}

// amount is what a stack is worth in cents; 0 where that is not known: it could not
// be read, or has a player's colour, whose value the marker of the table shows.
func amount(s fact.Stack, worth map[string]int64) (sum int64) {
	if s.Abstain != "" {
		return 0
	}
	for _, c := range s.Chips {
		if worth[c] == 0 {
			return 0
		}
		sum += worth[c]
	}
	return sum
}

// chips formats a stack: "3×25", or its kinds where they differ.
func chips(s fact.Stack) string {
	if s.Abstain != "" {
		return "?"
	}
	count := map[string]int{}
	for _, c := range s.Chips {
		count[c]++
	}
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d×%s", count[id], id))
	}
	return strings.Join(parts, " ")
}
