package points_test

import (
	"errors"
	"strings"
	"testing"

	"vision/validate"
	"vision/validate/round"
)

// TestIncidentsOfTheGame: what an incident concerns is of the game's vocabulary,
// or the record is refused; it is never applied in part.
func TestIncidentsOfTheGame(t *testing.T) {
	for _, c := range []struct {
		id   string
		e    round.Event
		path string // "": accepted
	}{
		{chemin13, round.Event{Kind: "card_exposed", Zone: "punto", By: round.Banquero, Count: 1, CardNo: 2}, ""},
		{chemin13, round.Event{Kind: "card_exposed", Zone: "punto", By: round.Banquero, Count: 1, CardNo: 3}, "card_no"},
		{chemin13, round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, CardNo: 3}, ""},
		{chemin13, round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, CardNo: 4}, "card_no"},
		{chemin13, round.Event{Kind: "card_into_basket", Zone: "pano1", By: round.Player}, "zone"},
		{chemin13, round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, Thrown: new(bool)}, "thrown"},
		{chemin13, round.Event{Kind: "cards_stuck", CardNo: 1}, "card_no"},
		{chemin13, round.Event{Kind: "something_else", Zone: "discard", Seat: 3}, ""},
		{chemin13, round.Event{Kind: "something_else", Zone: "board"}, "zone"},
		{panos18, round.Event{Kind: "card_into_basket", Zone: "banca", By: round.Banquero, Thrown: new(bool)}, ""},
		{panos18, round.Event{Kind: "card_exposed", Zone: "pano2", Count: 1, CardNo: 1}, "card_no"},
		{panos18, round.Event{Kind: "wrong_cloth_card", Zone: "punto"}, "zone"},
		{"monte_banca-22", round.Event{Kind: "card_floor", Zone: "emplazado:5"}, "zone"},
	} {
		rec := edited(t, c.id, "andalucia-2010", "")
		c.e.Type, c.e.T = round.Incident, rec.Events[len(rec.Events)-1].T
		rec.Events = append(rec.Events, c.e)
		_, err := validate.Check(books(t), rec)
		var bad *round.Error
		switch {
		case c.path == "" && err != nil:
			t.Errorf("%+v: %v", c.e, err)
		case c.path != "" && (!errors.As(err, &bad) || !strings.HasSuffix(bad.Path, "]."+c.path)):
			t.Errorf("%+v: %v, want an error at %s", c.e, err, c.path)
		}
	}
}
