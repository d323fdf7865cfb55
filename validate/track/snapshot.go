package track

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// snapshot is what a tracker needs to go on after a restart: what was carried
// over, what lay on the felt when the running round began, and the lines since.
type snapshot struct {
	Schema string `json:"schema"` // "track/1"
	Table  string `json:"table"`
	Game   string `json:"game"`
	narrate.CarryOver
	Until time.Time            `json:"until,omitzero"`
	Chips []chipsThen          `json:"chips,omitempty"`
	Dice  []fact.Die           `json:"dice,omitempty"`
	Zones map[string]time.Time `json:"zones,omitempty"` // when each was read last
	Log   []scene.Input        `json:"log,omitempty"`
}

type chipsThen struct {
	Zone string `json:"zone"`
	Seat int    `json:"seat"`
	Spot string `json:"spot"`
	scene.Count
	// May and Odds are the others of a program before: what else the chips may be worth, and with what odds.
	May  []money.Cents `json:"may,omitempty"`
	Odds []float64     `json:"odds,omitempty"`
}

// count is what is known of the chips.
func (then *chipsThen) count() scene.Count {
	c := then.Count
	for i, total := range then.May {
		if w := (scene.Worth{Total: total, Odds: 1}); total != c.Total {
			if i < len(then.Odds) {
				w.Odds = then.Odds[i]
			}
			c.Others = append(c.Others, w)
		}
	}
	return c
}

const snapshotSchema = "track/1"

// Snapshot is the tracker's state for Restore, as JSON.
func (t *Tracker) Snapshot() []byte {
	s := snapshot{
		Schema: snapshotSchema, Table: t.cfg.Table, Game: t.cfg.Game, CarryOver: t.carryOver,
		Until: t.base.Until, Dice: t.base.Dice.Dice, Zones: map[string]time.Time{}, Log: t.log,
	}
	for z, m := range t.base.Zones {
		s.Zones[z] = m.Read
	}
	for z, places := range t.base.Chips {
		for p, c := range places {
			s.Chips = append(s.Chips, chipsThen{Zone: z, Seat: p.Seat, Spot: p.Spot, Count: c})
		}
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // NaN in a reading: nothing worth keeping
	}
	return raw
}

// Restore takes over the state of an earlier tracker of the same table. The
// round that was running then is not verifiable, nor is one that begins before
// the table was seen again. Of a state from later than now the clock was set back since: it is
// taken for one of now, or all that is called until it is as late again would be too late.
func (t *Tracker) Restore(data []byte, now time.Time) error {
	var s snapshot
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("track: table %s: snapshot: %w; start without it", t.cfg.Table, err)
	}
	if s.Schema != snapshotSchema || s.Table != t.cfg.Table || s.Game != t.cfg.Game {
		return fmt.Errorf("track: table %s (%s): the snapshot is %s of table %q (%s); start without it",
			t.cfg.Table, t.cfg.Game, s.Schema, s.Table, s.Game)
	}
	if by := s.last().Sub(now); by > lateness { // clocks may differ by as much as lines may be late
		s.setBack(by)
	}
	t.carryOver = s.CarryOver
	base := scene.NewFelt(t.layout, &t.game.Course)
	base.Until, base.Dice.Dice = s.Until, s.Dice
	for z, at := range s.Zones {
		if t.layout.Zones[z] != nil { // the table may have been calibrated anew
			base.Zones[z] = scene.ZoneState{Read: at}
		}
	}
	for _, c := range s.Chips {
		if base.Chips[c.Zone] == nil {
			base.Chips[c.Zone] = map[scene.Place]scene.Count{}
		}
		base.Chips[c.Zone][scene.Place{Seat: c.Seat, Spot: c.Spot}] = c.count()
	}
	base.Scene.Opening = base.Totals()
	t.base, t.log = base, nil
	t.now = base.Clone()
	last := s.last()
	for _, e := range s.Log[:min(len(s.Log), maxLog)] {
		t.insert(e)
	}
	t.insert(scene.Input{At: last, Lost: "the program was restarted"})
	return nil
}

// last is the newest time that the state knows of what was seen and called.
func (s *snapshot) last() time.Time {
	last := s.Until
	for _, e := range s.Log[:min(len(s.Log), maxLog)] {
		last = scene.Latest(last, e.At)
	}
	return last
}

// setBack has the state be so much older.
func (s *snapshot) setBack(by time.Duration) {
	earlier := func(at *time.Time) {
		if !at.IsZero() {
			*at = at.Add(-by)
		}
	}
	dice := func(all []fact.Die) {
		for i := range all {
			earlier(&all[i].Still)
		}
	}
	earlier(&s.Until)
	dice(s.Dice)
	for z, at := range s.Zones {
		earlier(&at)
		s.Zones[z] = at
	}
	for i := range s.Log {
		e := &s.Log[i]
		earlier(&e.At)
		if e.Seen != nil {
			earlier(&e.Seen.Time)
			earlier(&e.Seen.Since)
			dice(e.Seen.Dice)
		}
	}
}
