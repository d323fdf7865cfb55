package housepoker

import (
	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// face is how the k-th card of a zone (from 0) must lie; "" where either way is right.
func (t *table) face(zone string, k int) string {
	d := &t.rules.Deal
	switch {
	case zone == board:
		return "up"
	case zone == discard:
		return ""
	case zone != bank || d.Up == 0:
		return "down"
	}
	up := d.Up - 1
	if t.has("buy_card") && !t.opt.shuffler {
		switch t.opt.upcard {
		case "first":
			up = 0
		case "any":
			return t.anyFace(k)
		}
	}
	if k == up {
		return "up"
	}
	return "down"
}

// dealtCard is a card event of a zone.
type dealtCard struct {
	event int
	face  string
	card  card.Card
}

func (t *table) dealtFaces(zone string) []dealtCard {
	list := make([]dealtCard, 0, 8)
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.CardDealt && e.Zone == zone {
			list = append(list, dealtCard{i, e.Face, game.Read(e.Card, e)})
		}
	}
	return list
}

// faces raises cards that lie the wrong way up, and what an exposed card annuls.
func (t *table) faces() {
	for name := range t.zones {
		for k, c := range t.dealtFaces(name) {
			if name == bank && t.rules.Deal.Draw && c.event > t.stop {
				continue // the bank draws openly
			}
			want := t.face(name, k)
			if want == "" || c.face == want {
				continue
			}
			t.inZone(c.event, finding.FaceWrong, name)
			if c.face == "up" {
				t.exposed(c.event, name, c.card)
			}
		}
	}
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.Incident && e.Kind == "card_exposed" && e.Zone != "" && !t.isUpcard(e) {
			t.exposed(i, e.Zone, e.Card)
		}
	}
}

// isUpcard reports whether an exposed card is the one that the bank shows anyhow.
func (t *table) isUpcard(e *round.Event) bool {
	if e.Zone != bank || e.Card == card.Unseen || t.rules.Deal.Up == 0 {
		return false
	}
	for k, c := range t.dealtFaces(bank) {
		if c.card == e.Card && c.face == "up" && t.face(bank, k) != "down" {
			return true
		}
	}
	return false
}
