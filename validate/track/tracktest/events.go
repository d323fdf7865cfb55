package tracktest

import (
	"encoding/json"

	"vision/internal/card"
	"vision/validate/round"
)

func mustCard(label string) card.Card {
	c, err := card.Parse(label)
	if err != nil {
		panic(err)
	}
	return c
}

// args are the fields of an event as a sensor line has them.
func args(e round.Event) map[string]any {
	raw, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	m := map[string]any{}
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	delete(m, "t")
	delete(m, "type")
	return m
}

// Call is an announcement of the croupier.
func Call(call string) round.Event {
	return round.Event{Type: round.Announce, By: round.Croupier, Call: call}
}

// Points is a call about a zone's points.
func Points(call, zone string, points int) round.Event {
	e := Call(call)
	e.Zone, e.Points = zone, &points
	return e
}
