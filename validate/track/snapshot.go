package track

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
)

// snapshot is what a tracker needs to go on after a restart: what was carried
// over, what lay on the felt when the running round began, and the lines since.
type snapshot struct {
	Schema string               `json:"schema"` // "track/1"
	Table  string               `json:"table"`
	Game   string               `json:"game"`
	Carry  json.RawMessage      `json:"carry,omitempty"`
	Adrift bool                 `json:"adrift,omitempty"`
	Hid    bool                 `json:"hid,omitempty"`
	Until  time.Time            `json:"until,omitzero"`
	Chips  []chipsThen          `json:"chips,omitempty"`
	Dice   []fact.Die           `json:"dice,omitempty"`
	Zones  map[string]time.Time `json:"zones,omitempty"` // when each was read last
	Log    []entry              `json:"log,omitempty"`
}

type chipsThen struct {
	Zone   string      `json:"zone"`
	Seat   int         `json:"seat"`
	Spot   string      `json:"spot"`
	Total  money.Cents `json:"total"`
	Hidden bool        `json:"hidden,omitempty"`

	May []money.Cents `json:"may,omitempty"`
}

const snapshotSchema = "track/1"

// Snapshot is the tracker's state for Restore, as JSON.
func (t *Tracker) Snapshot() []byte {
	s := snapshot{
		Schema: snapshotSchema, Table: t.cfg.Table, Game: t.cfg.Game, Carry: t.carry.raw, Adrift: t.carry.adrift, Hid: t.carry.hid,
		Until: t.base.until, Dice: t.base.dice.dice, Zones: map[string]time.Time{}, Log: t.log,
	}
	for z, m := range t.base.zones {
		s.Zones[z] = m.settled
	}
	for z, places := range t.base.chips {
		for p, c := range places {
			s.Chips = append(s.Chips, chipsThen{z, p.Seat, p.Spot, c.total, c.hidden, c.may})
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
// the table was seen again.
func (t *Tracker) Restore(data []byte) error {
	var s snapshot
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("track: table %s: snapshot: %w; start without it", t.cfg.Table, err)
	}
	if s.Schema != snapshotSchema || s.Table != t.cfg.Table || s.Game != t.cfg.Game {
		return fmt.Errorf("track: table %s (%s): the snapshot is %s of table %q (%s); start without it",
			t.cfg.Table, t.cfg.Game, s.Schema, s.Table, s.Game)
	}
	t.carry = carryOver{raw: s.Carry, held: carried(s.Carry), adrift: s.Adrift, hid: s.Hid}
	base := newFelt(t.atlas, t.game, t.cfg.GapTolerance)
	base.until, base.dice.dice = s.Until, s.Dice
	for z, at := range s.Zones {
		base.zones[z] = memory{settled: at}
	}
	for _, c := range s.Chips {
		if base.chips[c.Zone] == nil {
			base.chips[c.Zone] = map[place]count{}
		}
		base.chips[c.Zone][place{c.Seat, c.Spot}] = count{total: c.Total, hidden: c.Hidden, may: c.May}
	}
	base.scene.opening = base.totals()
	t.base, t.log = base, nil
	t.now = base.clone()
	last := s.Until
	for _, e := range s.Log[:min(len(s.Log), maxLog)] {
		t.insert(e)
		if e.At.After(last) {
			last = e.At
		}
	}
	t.insert(entry{At: last, Lost: "the program was restarted"})
	return nil
}
