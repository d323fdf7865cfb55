package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
	"vision/recognize/fusion"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// What was seen and heard in a trial can be kept and told to a tracker again,
// without pictures and in a thousandth of the time.

// fed is one thing that the tracker is given, at a time: an observation, a line,
// or nothing but the time. What was played stands among them.
type fed struct {
	At    time.Time         `json:"at"`
	Seen  *fact.Observation `json:"seen,omitempty"`
	Heard *fact.Sensed      `json:"heard,omitempty"`
	Began time.Time         `json:"began,omitzero"` // of the round that was played
	Truth *script.Truth     `json:"truth,omitempty"`
}

// head names the trial whose facts follow.
type head struct {
	Game   string `json:"game"`
	Seed   uint64 `json:"seed"`
	Rounds int    `json:"rounds"`
	// Plaques tells that it was a table of high stakes.
	Plaques bool `json:"plaques,omitempty"`
	// NoRack tells that nobody read its rack.
	NoRack bool `json:"no_rack,omitempty"`
	// Cameras is how many saw it; 0: one.
	Cameras int `json:"cameras,omitempty"`
}

// follower is a tracker in its table's own time, and what it said.
type follower struct {
	trk    *track.Tracker
	views  *fusion.Views
	trace  io.Writer     // may be nil
	keep   *json.Encoder // may be nil
	clock  time.Time
	truths []truth
	told   []told
	opened []time.Time // when the croupier opened the bets
}

// asPlayed is the policy of who knows that the scripts err in a third of the rounds: a finding is an alert
// where it is likelier so than not.
func asPlayed() track.Policy {
	rates := operating.Rates{}
	for _, c := range finding.Classes {
		rates[c] = 344
	}
	return track.Policy{Rates: rates, Threshold: 0.6}
}

// calibrated is the calibration of a simulated table, with its rack or without.
func calibrated(t *sim.Table, noRack bool) calibration.Table {
	cal := t.Calibration()
	if noRack {
		cal.Rack = nil
	}
	return cal
}

// follow makes the tracker of a simulated table.
func follow(game string, t *sim.Table, cals []*calibration.Table, books *rulebook.Books) (*follower, error) {
	low, high, options := t.House()
	racks, cal := track.Racks{}, cals[0]
	var cameras, zones []string
	for _, c := range cals {
		cameras = append(cameras, c.Camera)
		racks.Add(c.Camera, c.Rack, c.Palette)
	}
	for _, z := range cal.Zones {
		if len(z.Reads) > 0 {
			zones = append(zones, z.Name)
		}
	}
	trk, err := track.New(track.Config{Table: cal.Table, Game: game, Norm: script.NormOf(game), Min: money.Cents(low),
		Max: money.Cents(high), Options: options, Zones: cal.Zones, Palette: cal.Palette, Racks: racks, Books: books,
		Policy: asPlayed})
	views := fusion.NewViews(cameras, func(string) []string { return zones })
	return &follower{trk: trk, views: views, clock: Start}, err
}

// feed gives the tracker one thing.
func (w *follower) feed(f fed) error {
	if w.keep != nil {
		if err := w.keep.Encode(f); err != nil {
			return fmt.Errorf("keep what was seen: %w", err)
		}
	}
	if f.Truth != nil {
		w.truths = append(w.truths, truth{*f.Truth, f.Began, f.At})
		return nil
	}
	for !w.clock.Add(step).After(f.At) {
		w.clock = w.clock.Add(step)
		w.tell(w.trk.Advance(w.clock), w.clock)
	}
	switch {
	case f.Seen != nil:
		w.write(*f.Seen)
		for _, o := range w.views.Observe(*f.Seen) {
			w.trk.Observe(o)
		}
	case f.Heard != nil:
		w.write(*f.Heard)
		if f.Heard.Args["call"] == "hagan_juego" {
			w.opened = append(w.opened, f.Heard.Time)
		}
		w.trk.Hear(*f.Heard)
	default:
		w.tell(w.trk.Advance(f.At), f.At)
	}
	return nil
}

func (w *follower) tell(outs []track.Out, at time.Time) {
	for _, o := range outs {
		w.told = append(w.told, told{o, at})
		w.write(o)
	}
}

func (w *follower) write(v any) {
	if w.trace == nil {
		return
	}
	switch v := v.(type) {
	case fact.Observation:
		fmt.Fprintln(w.trace, describe(v))
	case fact.Sensed:
		fmt.Fprintf(w.trace, "%7.2f heard %s %v\n", v.Time.Sub(Start).Seconds(), v.Kind, v.Args)
	case *track.Live, *track.Round: // the comparison shows it
	default:
		fmt.Fprintf(w.trace, "%7.2f   %T %+v\n", w.clock.Sub(Start).Seconds(), v, v)
	}
}

// Again tells a tracker once more what Config.Keep kept of a trial; without what was read of the rack where noRack
// says so: then it is told what it would have been had the same play been watched without one.
func Again(kept io.Reader, noRack bool, trace io.Writer) (*Result, error) {
	books, err := shipped()
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(kept)
	var h head
	if err := dec.Decode(&h); err != nil {
		return nil, fmt.Errorf("kept trial: its first line: %w", err)
	}
	t, err := sim.New(sim.Config{Game: h.Game, Seed: h.Seed, Plaques: h.Plaques, Size: [2]int{480, 270}})
	if err != nil {
		return nil, fmt.Errorf("kept trial: %w", err)
	}
	defer t.Close()
	cal := calibrated(t, noRack || h.NoRack)
	cals := []*calibration.Table{&cal}
	for view := range max(1, h.Cameras) - 1 {
		beside := cal
		beside.Camera = sim.CameraName(view + 1)
		cals = append(cals, &beside)
	}
	w, err := follow(h.Game, t, cals, books)
	if err != nil {
		return nil, fmt.Errorf("kept trial: %w", err)
	}
	w.trace = trace
	for n := 2; ; n++ {
		var f fed
		if err := dec.Decode(&f); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("kept trial: fact %d: %w", n, err)
		}
		if f.Seen != nil && f.Seen.Kind == fact.Rack && cal.Rack == nil {
			continue
		}
		if err := w.feed(f); err != nil {
			return nil, err
		}
	}
	if len(w.truths) < h.Rounds {
		return nil, fmt.Errorf("kept trial: %d of its %d rounds are there", len(w.truths), h.Rounds)
	}
	return compare(Config{Game: h.Game, Seed: h.Seed}, books, w.truths, w.told, w.opened)
}
