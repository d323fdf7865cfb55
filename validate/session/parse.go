package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
)

// Parse reads one record strictly. Its error is a *round.Error.
func Parse(data []byte) (*Record, error) {
	f := round.ReadFields(data, "")
	rec := &Record{ID: f.Text("id")}
	rec.read(f)
	if err := f.Done(); err != nil {
		err.Record = rec.ID
		return nil, err
	}
	return rec, nil
}

var states = []string{string(room.RecordingOK), string(room.RecordingDegraded), string(room.RecordingDown),
	string(room.RecordingNone)}

func (r *Record) read(f *round.Fields) {
	if s := f.Text("schema"); s != Schema {
		f.Refuse("schema", "write "+Schema, "unknown schema %q", s)
	}
	for _, name := range []string{"id", "norm", "table", "date", "game", "events"} {
		f.Need(name, "add it")
	}
	r.Norm, r.Table, r.Date = f.Text("norm"), f.Text("table"), f.Text("date")
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
		f.Refuse("date", "write the jornada as 2026-03-14", "%q is no date", r.Date)
	}
	r.Game, r.Variant = f.Text("game"), f.Text("variant")
	if r.Cloths = f.Count("cloths", 1); r.Cloths != 1 && r.Cloths != 2 {
		f.Refuse("cloths", "write 1 or 2", "%d cloths", r.Cloths)
	}
	r.Recording = room.Recording(f.Word("recording", states...))
	if o := f.Object("options"); o != nil {
		r.Options.read(o)
		f.Close(o)
	}
	if c := f.Object("carry"); c != nil {
		r.Carry.read(c)
		f.Close(c)
	}
	f.List("events", func(i int, at string, raw json.RawMessage) *round.Error {
		e, err := readEvent(raw, at)
		if err == nil && i > 0 && e.T < r.Events[i-1].T {
			return round.Malformed(at+".t", "sort the events by time", "%d comes after %d: time runs backwards", e.T, r.Events[i-1].T)
		}
		r.Events = append(r.Events, e)
		return err
	})
	if f.Err() == nil && len(r.Events) == 0 {
		f.Refuse("events", "write at least one event", "is empty")
	}
	r.neighbours(f)
}

// neighbours refuses neighbours that are tables of no shift of the record.
func (r *Record) neighbours(f *round.Fields) {
	known := map[string]bool{r.Table: true}
	for i := range r.Events {
		for _, t := range r.Events[i].Tables {
			known[t.ID] = true
		}
	}
	for i := range r.Events {
		for k, t := range r.Events[i].Tables {
			if bad := room.Unknown(t.Adjacent, known); bad >= 0 {
				f.Refuse(fmt.Sprintf("events[%d].tables[%d].adjacent[%d]", i, k, bad), "name a table of a shift of the record",
					"unknown table %q", t.Adjacent[bad])
			}
		}
	}
}

func (o *Options) read(f *round.Fields) {
	o.StrictRecording = f.Bool("strict_recording", false)
	if n := f.Int("max_tables", 0); n != nil {
		o.MaxTables = new(int(*n))
	}
	floats := f.Counts("floats")
	for _, text := range slices.Sorted(maps.Keys(floats)) {
		amount := floats[text]
		least, err := strconv.ParseInt(text, 10, 64)
		if err != nil || least < 0 || strconv.FormatInt(least, 10) != text {
			f.Refuse("floats."+text, "write the minimum in cents", "%q is no minimum", text)
			continue
		}
		if o.Floats == nil {
			o.Floats = map[int64]int64{}
		}
		o.Floats[least] = amount
	}
	o.AuthorisedMin, o.BandMin = f.Int("authorised_min", 0), f.Int("band_min", 0)
	o.MaxAuthorised = f.Bool("max_authorised", false)
	o.GraceS, o.CircleS = f.Count("grace_s", 0), f.Int("circle_session_s", 0)
	o.NotRecorded = f.Texts("not_recorded")
	for i, t := range o.NotRecorded {
		if _, ok := readers[Type(t)]; !ok {
			f.Refuse(fmt.Sprintf("not_recorded[%d]", i), "write a type of event", "unknown event type %q", t)
		}
	}
}

func (c *Carry) read(f *round.Fields) {
	if l := f.Object("limits"); l != nil {
		c.Limits = readLimits(l)
		f.Close(l)
	}
	c.LimitChanges, c.GameChanges = f.Count("limit_changes", 0), f.Count("game_changes", 0)
	c.DiceSets, c.LastDiceSets = f.Texts("dice_sets"), f.Texts("last_dice_sets")
}

func readLimits(f *round.Fields) *Limits {
	f.Need("min", "write the minimum in cents")
	return &Limits{Min: f.Count("min", 0), Max: f.Int("max", 0)}
}

// readers read the fields of each type of event.
var readers = map[Type]func(e *Event, f *round.Fields){
	Open: readOpen, Close: readClose,
	ShiftStart: readShift,
	ShiftEnd:   func(e *Event, f *round.Fields) { e.Jefe = need(f, "jefe") },
	TableState: func(e *Event, f *round.Fields) {
		e.Table = need(f, "table")
		f.Need("open", "write true or false")
		e.IsOpen = f.Bool("open", false)
	},
	RecordingLost: func(e *Event, f *round.Fields) {
		e.Table, e.Recording = f.Text("table"), room.Recording(f.Word("state", "down", "degraded"))
	},
	RecordingRestored: func(e *Event, f *round.Fields) { e.Table, e.Recording = f.Text("table"), room.RecordingOK },
	CameraMoved:       nothing,
	Staff:             readStaff,
	LimitsShown: func(e *Event, f *round.Fields) {
		f.Need("min", "write what the sign says, or null")
		e.Min = f.IntOrNull("min")
		f.Int("max", 0)
	},
	ChangeAnnounced: func(e *Event, f *round.Fields) { e.Last, e.Min = amount(f, "last"), f.Int("min", 0) },
	LimitsChanged:   func(e *Event, f *round.Fields) { e.Limits = readLimits(f) },
	FirstRound:      nothing,
	LastRoundsSaid: func(e *Event, f *round.Fields) {
		e.Last = amount(f, "last")
		if f.Has("by") {
			e.By = f.Word("by", "croupier", "jefe")
		}
	},
	GameChange:  func(e *Event, f *round.Fields) { e.Game, e.Variant = need(f, "game"), f.Text("variant") },
	ClothOpened: nothing, ClothClosed: nothing,
	Fill:       func(e *Event, f *round.Fields) { e.Amount = amount(f, "amount") },
	Credit:     func(e *Event, f *round.Fields) { e.Amount = amount(f, "amount") },
	CountFloat: func(e *Event, f *round.Fields) { n := amount(f, "amount"); e.Float = &n },
	Change: func(e *Event, f *round.Fields) {
		e.Told, e.Chips, e.Kind = amount(f, "told"), f.Int("chips", 0), f.Word("kind", "cash", "chips")
	},
	Shuffle: nothing,
	Cut: func(e *Event, f *round.Fields) {
		if f.Has("by") {
			e.By = f.Word("by", "player", "croupier", "jefe")
		}
		e.Lifted = f.Int("cards", 0)
	},
	CutCard:    func(e *Event, f *round.Fields) { e.Below = amount(f, "below") },
	TallaBegin: nothing,
	TallaEnd: func(e *Event, f *round.Fields) {
		e.Cards = cards(f, "seen")
		e.Unseen, e.Left = f.Count("unseen", 0), f.Int("left", 0)
	},
	ControlRequested: nothing,
	DeckControl:      func(e *Event, f *round.Fields) { e.Cards = cards(f, "cards") },
	DeckChanged:      readDeck,
	DiceChanged: func(e *Event, f *round.Fields) {
		e.Reason = choice(f, "reason", "jefe", "shooter", "lost", "wear")
		e.Gear.Dice, e.Gear.DiceSet = f.Int("dice", 0), optional(f, "dice_set")
	},
	ShoeChanged: func(e *Event, f *round.Fields) {
		e.Reason = choice(f, "reason", "jam", "routine", "other")
		e.Gear.Shoe = optional(f, "shoe")
		if f.Has("shoe_kind") {
			e.Gear.ShoeKind = f.Word("shoe_kind", shoeKinds...)
		}
	},
	Round:          readRound,
	SessionCharged: func(e *Event, f *round.Fields) { e.Amount = f.Count("amount", 0) },
	MeterShown: func(e *Event, f *round.Fields) {
		e.Amount, e.Meter.Coin = amount(f, "amount"), amount(f, "coin")
		e.Meter.Coins, e.Meter.Prizes = f.Int("coins", 0), f.Count("prizes", 0)
		e.Meter.Start, e.Meter.Fixed = f.Bool("start", false), f.Bool("fixed", false)
	},
	Sealed: func(e *Event, f *round.Fields) {
		e.What, e.Hash = choice(f, "what", "clip", "still", "ledger"), need(f, "hash")
	},
}

func readEvent(raw json.RawMessage, at string) (Event, *round.Error) {
	f := round.ReadFields(raw, at)
	f.Need("t", "write the seconds since 00:00 of the date")
	f.Need("type", "write the type of the event")
	e := Event{T: f.Count("t", 0), Type: Type(f.Text("type"))}
	if read := readers[e.Type]; read != nil {
		read(&e, f)
	} else {
		f.Refuse("type", "see the events of the session record", "unknown event type %q", e.Type)
	}
	return e, f.Done()
}

func nothing(*Event, *round.Fields) {}

// need reads a string that must be there.
func need(f *round.Fields, name string) string {
	f.Need(name, "add it as a string")
	return f.Text(name)
}

// choice reads one of a few words that must be there.
func choice(f *round.Fields, name string, words ...string) string {
	f.Need(name, "write what it is")
	return f.Word(name, words...)
}

// amount reads an amount or a number of 0 or more that must be there.
func amount(f *round.Fields, name string) int64 {
	f.Need(name, "write an integer of 0 or more")
	return f.Count(name, 0)
}

// optional reads a string that may be left out.
func optional(f *round.Fields, name string) *string {
	s := f.Text(name)
	if s == "" {
		return nil
	}
	return &s
}

var shoeKinds = []string{"manual", "automatic", "continuous"}

func readOpen(e *Event, f *round.Fields) {
	e.Float, e.Cloth = f.Int("float", 0), optional(f, "cloth")
	if l := f.Object("limits"); l != nil {
		e.Limits = readLimits(l)
		f.Close(l)
	}
	if e.ClothsOpen = f.Int("cloths_open", 1); e.ClothsOpen != nil && *e.ClothsOpen > 2 {
		f.Refuse("cloths_open", "write 1 or 2", "%d cloths", *e.ClothsOpen)
	}
	e.Gear = readPacks(f)
	e.Gear.Shoe, e.Gear.ShoeKind = optional(f, "shoe"), f.Word("shoe_kind", shoeKinds...)
	e.Gear.Dice, e.Gear.DiceSet = f.Int("dice", 0), optional(f, "dice_set")
}

func readPacks(f *round.Fields) Gear {
	return Gear{Packs: f.Int("packs", 0), Backs: f.Counts("backs"), Indices: f.Flag("indices"), New: f.Flag("new")}
}

func readClose(e *Event, f *round.Fields) {
	e.Float = f.Int("float", 0)
	e.Reason = f.Word("reason", endOfDay, "game_change", "no_players", "other")
	if f.Has("cover") {
		e.Cover = f.Word("cover", "locked", "sealed", "none")
	}
	if f.Has("shoe_left") {
		e.ShoeLeft = f.Word("shoe_left", "removed", "locked", "unlocked")
	}
}

const endOfDay = "end_of_day"

func readDeck(e *Event, f *round.Fields) {
	e.Reason = choice(f, "reason", "wear", "foreign", "routine", "other")
	e.Gear = readPacks(f)
	for _, c := range []struct {
		name string
		p    *card.Card
	}{{"card", &e.Card}, {"replacement", &e.Replacement}} {
		if s := f.Text(c.name); s != "" {
			*c.p = oneCard(f, c.name, s)
		}
	}
}

func oneCard(f *round.Fields, name, text string) card.Card {
	c, err := card.Parse(text)
	if err != nil || c == card.Unseen {
		f.Refuse(name, "write rank and suit like As, Td, 1O, or Jk", "%q is no card", text)
	}
	return c
}

// cards reads how many there are of each card.
func cards(f *round.Fields, name string) map[card.Card]int64 {
	f.Need(name, "write the number of each card")
	out := map[card.Card]int64{}
	counts := f.Counts(name)
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		if c := oneCard(f, name+"."+text, text); counts[text] > 0 {
			out[c] = counts[text]
		}
	}
	return out
}

func readStaff(e *Event, f *round.Fields) {
	switch choice(f, "source", "stated", "counted") {
	case "counted":
		e.Counted, e.Persons = true, amount(f, "persons")
	default:
		f.Need("staff", "write the persons by role")
		e.Staff = map[string]int{}
		counts := f.Counts("staff")
		for _, role := range slices.Sorted(maps.Keys(counts)) {
			n := counts[role]
			if !slices.Contains(room.Roles, role) {
				f.Refuse("staff."+role, fmt.Sprint("roles are ", room.Roles), "unknown role")
			}
			e.Staff[role] = int(n)
		}
		e.Waived = f.Texts("waived")
		for i, role := range e.Waived {
			if role != "subjefe" && role != "extremo" {
				f.Refuse(fmt.Sprintf("waived[%d]", i), "write subjefe or extremo", "%q cannot be dispensed with", role)
			}
		}
	}
}

func readShift(e *Event, f *round.Fields) {
	e.Jefe = need(f, "jefe")
	f.Need("tables", "list the tables that he takes over")
	ids := map[string]bool{}
	f.List("tables", func(_ int, at string, raw json.RawMessage) *round.Error {
		t := round.ReadFields(raw, at)
		s := ShiftTable{}
		s.ID = need(t, "id")
		if ids[s.ID] {
			t.Refuse("id", "an id names one table", "%q stands twice", s.ID)
		}
		ids[s.ID] = true
		s.Game, s.Variant = t.Text("game"), t.Text("variant")
		s.Open = t.Bool("open", false)
		s.Recording = room.Recording(t.Word("recording", states...))
		if n := t.Int("position", -1e12); n != nil {
			s.Position = new(int(*n))
		}
		s.Adjacent = t.Texts("adjacent")
		for _, name := range []string{"game", "open", "recording"} {
			if s.missing == "" && !t.Has(name) {
				s.missing = name
			}
		}
		e.Tables = append(e.Tables, s)
		return t.Done()
	})
}

var (
	reasons  = []string{"other", "recording_gap", "occluded", "low_confidence", "unseen_cards", "camera_moved"}
	outcomes = []string{"open", "corrected", "false_alarm", "escalated", "noted"}
)

func readRound(e *Event, f *round.Fields) {
	r := &e.Round
	r.Ref = need(f, "ref")
	r.Decided, r.Verifiable, r.Void = f.Bool("decided", true), f.Bool("verifiable", true), f.Bool("void", false)
	r.Reason = f.Word("reason", reasons...)
	f.List("findings", func(_ int, at string, raw json.RawMessage) *round.Error {
		x := round.ReadFields(raw, at)
		code := finding.Code(need(x, "code"))
		if code != "" && !finding.Known(code) {
			x.Refuse("code", "write a code of the catalogue", "unknown code %q", code)
		}
		r.Findings = append(r.Findings, RoundFinding{code, choice(x, "outcome", outcomes...)})
		return x.Done()
	})
	if m := f.Object("money"); m != nil {
		r.Money = &Money{In: amount(m, "in"), Out: amount(m, "out"), Pozo: m.Count("pozo", 0)}
		f.Close(m)
	}
}
