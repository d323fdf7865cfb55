package round

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
)

// MaxAmount is the largest amount a record may hold: ten thousand million euro,
// which times any odds of the norms stays an exact integer.
const MaxAmount money.Cents = 1e12

type object map[string]json.RawMessage

// Parse reads one record strictly. Its error is an *Error.
func Parse(data []byte) (*Record, error) {
	top, err := readObject(data, "")
	if err != nil {
		return nil, err
	}
	rec := &Record{}
	if err := parseRecord(top, rec); err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Record = rec.ID
		}
		return nil, err
	}
	return rec, nil
}

// UnmarshalJSON reads a record as strictly as Parse does.
func (r *Record) UnmarshalJSON(b []byte) error {
	rec, err := Parse(b)
	if err == nil {
		*r = *rec
	}
	return err
}

func parseRecord(top object, rec *Record) error {
	if err := text(top, "id", "", &rec.ID); err != nil { // first, so that errors can name it
		return err
	}
	for _, f := range []struct {
		name string
		p    *string
	}{{"schema", &rec.Schema}, {"norm", &rec.Norm}, {"game", &rec.Game}} {
		if err := text(top, f.name, "", f.p); err != nil {
			return err
		}
	}
	if rec.Schema != Schema {
		return Malformed("schema", "write "+Schema, "unknown schema %q", rec.Schema)
	}
	if err := known(top, "", "schema", "id", "norm", "game", "table", "carry", "events"); err != nil {
		return err
	}
	if err := parseTable(top["table"], &rec.Table); err != nil {
		return err
	}
	if raw := top["carry"]; raw != nil && !isNull(raw) {
		carry, err := readObject(raw, "carry")
		if err != nil {
			return err
		}
		if len(carry) > 0 {
			rec.Carry = raw
		}
	}
	return parseEvents(top["events"], rec)
}

func parseTable(raw json.RawMessage, t *Table) error {
	if raw == nil {
		return Malformed("table", "add the object table with at least an id", "missing")
	}
	o, err := readObject(raw, "table")
	if err != nil {
		return err
	}
	if err := known(o, "table.", "id", "min", "max", "decks", "options"); err != nil {
		return err
	}
	if err := text(o, "id", "table.", &t.ID); err != nil {
		return err
	}
	var decks int64
	for _, f := range []struct {
		name  string
		least int64
		p     *int64
	}{{"min", 0, (*int64)(&t.Min)}, {"max", 0, (*int64)(&t.Max)}, {"decks", 1, &decks}} {
		if r, ok := o[f.name]; ok {
			if err := integer(r, "table."+f.name, f.least, int64(MaxAmount), f.p); err != nil {
				return err
			}
		}
	}
	t.Decks = int(decks)
	if r, ok := o["options"]; ok && !isNull(r) {
		options, err := readObject(r, "table.options")
		if err != nil {
			return err
		}
		t.Options = Options(options)
	}
	return nil
}

func parseEvents(raw json.RawMessage, rec *Record) error {
	if raw == nil {
		return Malformed("events", "add the array events", "missing")
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || isNull(raw) {
		return Malformed("events", "write an array of events", "is no array")
	}
	rec.Events = make([]Event, len(list))
	for i, r := range list {
		e := &rec.Events[i]
		if err := parseEvent(r, fmt.Sprintf("events[%d]", i), e); err != nil {
			return err
		}
		if i > 0 && e.T < rec.Events[i-1].T {
			return Malformed(At(i, "t"), "sort the events by time",
				"%v comes after %v: time runs backwards", e.T, rec.Events[i-1].T)
		}
	}
	return nil
}

// shape is what one type of event holds beside t, type and conf.
type shape struct {
	needs []string // fields that it must hold; "seat|zone" is one of the two or both
	may   []string // fields that it may hold
}

// chips are the fields of chips that appear on a spot or leave it.
var chips = shape{needs: []string{"seat", "spot", "amount"}}

// shapes are the types of event (round record, Events).
var shapes = map[Type]shape{
	Announce: {[]string{"by", "call"}, []string{"seat", "zone", "spot", "amount", "number", "numbers", "points", "faces",
		"color", "parity", "half", "combination", "winner", "hand", "category", "prize", "ok"}},
	Bet: chips, Withdraw: chips, Collect: chips, Pay: chips, Return: chips,
	Commission: {[]string{"seat|zone", "amount"}, []string{"spot"}},
	Move:       {needs: []string{"seat", "from", "to", "amount"}},
	Action:     {[]string{"action", "seat|zone"}, []string{"spot", "amount", "discard"}},
	CardDealt:  {needs: []string{"zone", "card", "face"}},
	Reveal:     {needs: []string{"zone", "cards"}},
	Arrange:    {needs: []string{"seat|zone", "high", "low"}},
	Burn:       {[]string{"count"}, []string{"card"}},
	Ball:       {needs: []string{"pocket"}},
	Dice:       {[]string{"faces"}, []string{"irregular"}},
	Incident:   {[]string{"kind"}, []string{"by", "card", "card_no", "count", "seat", "seats", "thrown", "with", "zone"}},
	Shuffle:    {}, Cut: {}, CutCard: {}, Clear: {},
}

// fields are all the fields that the event may hold.
func (s shape) fields() []string {
	all := []string{"t", "type", "conf"}
	for _, n := range s.needs {
		all = append(all, strings.Split(n, "|")...)
	}
	return append(all, s.may...)
}

func parseEvent(raw json.RawMessage, path string, e *Event) error {
	o, err := readObject(raw, path)
	if err != nil {
		return err
	}
	path += "."
	var kind string
	if err := text(o, "type", path, &kind); err != nil {
		return err
	}
	e.Type = Type(kind)
	form, ok := shapes[e.Type]
	if !ok {
		return Malformed(path+"type", "write one of "+typeNames(), "unknown event type %q", kind)
	}
	if err := known(o, path, form.fields()...); err != nil { // before what is missing: it may be misspelt
		return err
	}
	if o["t"] == nil {
		return Malformed(path+"t", "write the seconds since the start of the round", "missing")
	}
	for _, n := range form.needs {
		a, b, _ := strings.Cut(n, "|")
		if o[a] == nil && o[b] == nil {
			return Malformed(path+strings.ReplaceAll(n, "|", " or "), "an event of type "+kind+" needs it", "missing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if err := readField(e, name, o[name], path+name); err != nil {
			return err
		}
	}
	return checkEvent(e, path)
}

// checkEvent refuses values that a field's own type allows and the event's does not.
func checkEvent(e *Event, path string) error {
	switch e.Type {
	case Bet, Withdraw, Collect, Pay, Return, Commission, Move:
		if e.Amount == 0 {
			return Malformed(path+"amount", "write the cents moved, or drop the event", "is 0")
		}
	case Burn:
		if e.Count == 0 {
			return Malformed(path+"count", "write the cards put aside, or drop the event", "is 0")
		}
	case Announce:
		if !slices.Contains(speakers, e.By) {
			return Malformed(path+"by", "write one of "+strings.Join(speakers, ", "), "unknown speaker %q", e.By)
		}
	case Reveal:
		if len(e.Cards) == 0 {
			return Malformed(path+"cards", "list all cards of the zone, in the order of dealing", "none")
		}
	case Dice:
		if e.Irregular != "" && !slices.Contains(irregulars, e.Irregular) {
			return Malformed(path+"irregular", "write one of "+strings.Join(irregulars, ", "), "unknown irregularity %q", e.Irregular)
		}
	case CardDealt:
		if e.Face != "up" && e.Face != "down" {
			return Malformed(path+"face", "write up or down", "unknown face %q", e.Face)
		}
	}
	return nil
}

func typeNames() string {
	names := make([]string, 0, len(shapes))
	for t := range shapes {
		names = append(names, string(t))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// readField reads one of the fields that the event's type has.
func readField(e *Event, name string, raw json.RawMessage, path string) error {
	if e.Type == Incident {
		if generic, err := readIncident(e, name, raw, path); !generic {
			return err
		}
	}
	if p := texts[name]; p != nil {
		return str(raw, path, p(e))
	}
	if p := cardsField(e, name); p != nil {
		return cards(raw, path, p)
	}
	switch name {
	case "type":
		return nil
	case "t":
		return number(raw, path, 0, 1e9, &e.T)
	case "conf":
		e.Conf = new(float64)
		return number(raw, path, 0, 1, e.Conf)
	case "seat":
		return small(raw, path, 1, 9999, &e.Seat)
	case "amount":
		low := int64(1)
		if e.Type == Announce || e.Type == Action {
			low = 0
		}
		return integer(raw, path, low, int64(MaxAmount), (*int64)(&e.Amount))
	case "count":
		return small(raw, path, 0, 9999, &e.Count)
	case "points":
		e.Points = new(int)
		return small(raw, path, -9999, 9999, e.Points)
	case "card":
		return oneCard(raw, path, &e.Card)
	case "faces":
		return ints(raw, path, 0, 6, &e.Faces)
	case "numbers":
		return ints(raw, path, 0, 9999, &e.Numbers)
	case "number":
		return numberText(raw, path, &e.Number)
	case "ok":
		e.OK = new(bool)
		if json.Unmarshal(raw, e.OK) != nil || isNull(raw) {
			return Malformed(path, "write true or false", "%s is no boolean", clip(raw))
		}
		return nil
	}
	return nil
}

// texts are the fields of an event that hold a string.
var texts = map[string]func(*Event) *string{
	"by":          func(e *Event) *string { return &e.By },
	"call":        func(e *Event) *string { return &e.Call },
	"action":      func(e *Event) *string { return &e.Action },
	"spot":        func(e *Event) *string { return &e.Spot },
	"zone":        func(e *Event) *string { return &e.Zone },
	"from":        func(e *Event) *string { return &e.From },
	"to":          func(e *Event) *string { return &e.To },
	"kind":        func(e *Event) *string { return &e.Kind },
	"face":        func(e *Event) *string { return &e.Face },
	"pocket":      func(e *Event) *string { return &e.Pocket },
	"irregular":   func(e *Event) *string { return &e.Irregular },
	"color":       func(e *Event) *string { return &e.Color },
	"parity":      func(e *Event) *string { return &e.Parity },
	"half":        func(e *Event) *string { return &e.Half },
	"combination": func(e *Event) *string { return &e.Combination },
	"winner":      func(e *Event) *string { return &e.Winner },
	"hand":        func(e *Event) *string { return &e.Hand },
	"category":    func(e *Event) *string { return &e.Category },
	"prize":       func(e *Event) *string { return &e.Prize },
}

func cardsField(e *Event, name string) *[]card.Card {
	switch name {
	case "cards":
		return &e.Cards
	case "high":
		return &e.High
	case "low":
		return &e.Low
	case "discard":
		return &e.Discard
	}
	return nil
}

// speakers are who can be named as the one who did or said something.
var speakers = []string{Croupier, Jefe, Stickman, Banquero, Player}

// irregulars are the ways in which dice may not have been thrown or come to rest.
// Whether one makes the throw null is for the norm to say.
var irregulars = []string{"broken", "cocked", "in_basket", "near_half", "no_wall", "not_thrown_together",
	"off_table", "on_chips", "on_rim", "one_wall", "slid", "stacked"}

// readIncident reads one argument of an incident. Arguments are input like any
// other: what cannot be read is malformed. Whether
// a zone, a seat or a number of card is of the game is for the game's family to
// say. generic tells that the field is read as in every event.
func readIncident(e *Event, name string, raw json.RawMessage, path string) (generic bool, err error) {
	switch name {
	case "by":
		if err := str(raw, path, &e.By); err != nil {
			return false, err
		}
		if !slices.Contains(speakers, e.By) {
			return false, Malformed(path, "write one of "+strings.Join(speakers, ", "), "unknown speaker %q", e.By)
		}
		return false, nil
	case "count":
		return false, small(raw, path, 1, 9999, &e.Count)
	case "card_no":
		return false, small(raw, path, 1, 9999, &e.CardNo)
	case "with":
		return false, seatList(raw, path, &e.With)
	case "seats":
		return false, seatList(raw, path, &e.Seats)
	case "thrown":
		e.Thrown = new(bool)
		if json.Unmarshal(raw, e.Thrown) != nil || isNull(raw) {
			return false, Malformed(path, "write true or false", "%s is no boolean", clip(raw))
		}
		return false, nil
	}
	return true, nil
}

// seatList reads one seat, or an array of distinct ones.
func seatList(raw json.RawMessage, path string, p *[]int) error {
	const fix = "write a seat, or an array of distinct seats"
	var one int
	if small(raw, path, 1, 9999, &one) == nil {
		*p = []int{one}
		return nil
	}
	list, err := array(raw, path)
	if err != nil {
		return Malformed(path, fix, "%s is no seat", clip(raw))
	}
	if len(list) == 0 {
		return Malformed(path, fix, "is empty")
	}
	*p = make([]int, 0, len(list))
	for i, r := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := small(r, at, 1, 9999, &one); err != nil {
			return Malformed(at, fix, "%s is no seat", clip(r))
		}
		if slices.Contains(*p, one) {
			return Malformed(at, fix, "seat %d stands twice", one)
		}
		*p = append(*p, one)
	}
	return nil
}
