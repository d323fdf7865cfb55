package round

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

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
