package jornada

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/room"
)

// sheet is the record of one table.
type sheet struct {
	place  Place
	day    string // of the record; "" before the first opening
	carry  json.RawMessage
	tape   room.Recording // when the record began
	events []Event
	by     []string // who said each, with the second person after "+"
	ruling Ruling
	open   bool
	known  map[string]bool // findings that are alerts
	low    int64           // minimum in force since the opening, cents; 0 is not known
	talla  *Talla          // since its beginning; nil: none was begun
	read   map[int]bool    // ends of tallas whose counts are of the readers
	floats map[int]*Float  // as they were read at steps that moved or counted money
}

// blank is a sheet on which nothing stands yet.
func blank(p Place) *sheet {
	return &sheet{place: p, known: map[string]bool{}, read: map[int]bool{}, floats: map[int]*Float{}}
}

func (s *sheet) clone() *sheet {
	c := *s
	c.events, c.by, c.known = slices.Clone(s.events), slices.Clone(s.by), maps.Clone(s.known)
	c.talla, c.read, c.floats = s.talla.clone(), maps.Clone(s.read), maps.Clone(s.floats)
	return &c
}

// fresh is the sheet of a new jornada, with what the one before carries over.
func (b *Book) fresh(s *sheet, now time.Time) *sheet {
	n := blank(s.place)
	n.day, n.tape = now.Format(time.DateOnly), b.tapes[s.place.ID]
	var next struct {
		DiceSets []string `json:"dice_sets"`
	}
	if json.Unmarshal(s.ruling.Next, &next) == nil && len(next.DiceSets) > 0 {
		n.carry, _ = json.Marshal(map[string]any{"last_dice_sets": next.DiceSets})
	}
	return n
}

// seconds is a time of the record: from 00:00 of its date, never less than before.
func (s *sheet) seconds(now time.Time, zone *time.Location) int64 {
	midnight, _ := time.ParseInLocation(time.DateOnly, s.day, zone)
	t := int64(now.Sub(midnight) / time.Second)
	if n := len(s.events); n > 0 {
		if last, ok := number(s.events[n-1]["t"]); ok {
			t = max(t, last)
		}
	}
	return max(t, 0)
}

func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), true
	}
	return 0, false
}

func (s *sheet) put(e Event, who string, cards []string) {
	s.events, s.by = append(s.events, e), append(s.by, who)
	s.follow(e, cards)
	switch e.kind() {
	case "open":
		s.open = true
	case "close":
		s.open = false
	}
}

func (s *sheet) id() string { return s.place.ID + "-" + s.day }

// news are the findings that did not hold before.
func (s *sheet) news(before *sheet) (out []Finding) {
	for _, f := range s.ruling.Findings {
		if s.day != before.day || !slices.ContainsFunc(before.ruling.Findings, func(o Finding) bool {
			return o.Key == f.Key
		}) {
			out = append(out, f)
		}
	}
	return out
}

// against are the news of some codes.
func (s *sheet) against(before *sheet, codes []finding.Code) (out []Finding) {
	return slices.DeleteFunc(s.news(before), func(f Finding) bool { return !slices.Contains(codes, f.Code) })
}
