package jornada

import (
	"maps"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

// Talla is what was read of the cards since the talla began.
type Talla struct {
	// Rounds are those in which each card was read, by the card's name, as often as it was.
	Rounds map[string][]string `json:"rounds"`
	Unread int64               `json:"unread"` // cards that were dealt or burned and never read
	// Blind is in how many rounds nobody knows which cards were dealt: then the total is not compared.
	Blind int  `json:"blind"`
	Ended bool `json:"ended"`
}

func (t *Talla) clone() *Talla {
	if t == nil {
		return nil
	}
	c := *t
	c.Rounds = maps.Clone(t.Rounds) // the lists only grow
	return &c
}

// add takes in the cards of a round; blind where nobody could verify it.
func (t *Talla) add(ref string, cards []string, blind bool) {
	if blind {
		t.Blind++
	}
	for _, c := range cards {
		if c == card.Unseen.String() {
			t.Unread++
			continue
		}
		had := t.Rounds[c]
		t.Rounds[c] = append(had[:len(had):len(had)], ref)
	}
}

// dealt are the cards of a round, each once, "??" where one was never read.
func dealt(rec *round.Record) []string {
	zones := map[string][]card.Card{}
	burned := 0
	for _, e := range rec.Events {
		switch e.Type {
		case round.CardDealt:
			zones[e.Zone] = append(zones[e.Zone], e.Card)
		case round.Reveal: // all cards of the zone: what is new among them lay face down
			fill(zones[e.Zone], e.Cards)
		case round.Burn:
			burned += e.Count
		}
	}
	var out []string
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		for _, c := range zones[zone] {
			out = append(out, c.String())
		}
	}
	return append(out, slices.Repeat([]string{card.Unseen.String()}, burned)...)
}

// fill puts the cards that were not known before in the place of those that were unseen.
func fill(had, all []card.Card) {
	more := slices.Clone(all)
	for _, c := range had {
		if i := slices.Index(more, c); i >= 0 && c != card.Unseen {
			more = slices.Delete(more, i, i+1)
		}
	}
	for i := range had {
		if had[i] == card.Unseen && len(more) > 0 {
			had[i], more = more[0], more[1:]
		}
	}
}

// counts gives the end of a talla what was read, where who says it counted nothing
// himself; it reports whether it did.
func (t *Talla) counts(e Event) bool {
	if _, own := e["seen"]; own || t == nil || e.kind() != "talla_end" {
		return false
	}
	seen := map[string]any{}
	for c, rounds := range t.Rounds {
		seen[c] = int64(len(rounds))
	}
	e["seen"], e["unseen"] = seen, t.Unread
	if t.Blind > 0 {
		delete(e, "left")
	}
	return true
}

// unseen reports whether a step is a round that nobody could verify.
func unseen(e Event) bool {
	verifiable, told := e["verifiable"].(bool)
	return told && !verifiable
}

// follow keeps the talla of a sheet by one event more; cards are those of a round.
func (s *sheet) follow(e Event, cards []string) {
	switch e.kind() {
	case "open", "close":
		s.talla = nil
	case "talla_begin":
		s.talla = &Talla{Rounds: map[string][]string{}}
	case "talla_end":
		if s.talla != nil {
			s.talla.Ended = true
		}
	case "round":
		if s.talla != nil && !s.talla.Ended {
			ref, _ := e["ref"].(string)
			s.talla.add(ref, cards, unseen(e))
		}
	}
}

// asRead reports whether a finding rests on nothing but what was read of a talla's cards: of
// some hundred cards one may be misread, which is far likelier than a card too many. It is
// for people to look at, and no alert.
func (s *sheet) asRead(f Finding) bool {
	switch f.Code {
	case finding.DuplicateCard, finding.ForeignCard, finding.CardCountWrong:
		return s.read[f.Event]
	}
	return false
}
