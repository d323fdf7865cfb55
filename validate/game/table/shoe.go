package table

import (
	"cmp"
	"encoding/json"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// carryCut is the part of the carry that every game reads.
type carryCut struct {
	CutCard bool `json:"cut_card"`
}

// ReadCarry reads the carry into v; fields that v does not have are ignored.
func (t *Table) ReadCarry(v any) error {
	if t.Rec.Carry == nil {
		return nil
	}
	if err := json.Unmarshal(t.Rec.Carry, v); err != nil {
		return round.Unread("carry", "write the previous verdict's next", err)
	}
	return nil
}

// Shoe checks the start and the end of a shoe: shuffling, cutting, burned
// cards, cards that lie face up in it, the cut card. A burn for which
// prescribed is true belongs to the game and is left to it.
func (t *Table) Shoe(prescribed func(i int) bool) error {
	var carry carryCut
	if err := t.ReadCarry(&carry); err != nil {
		return err
	}
	shuffle, cut := len(t.Events), len(t.Events)
	for i := range t.Events {
		switch t.Events[i].Type {
		case round.Shuffle:
			shuffle = min(shuffle, i)
		case round.Cut:
			if i > shuffle {
				cut = min(cut, i)
			}
		}
	}
	if carry.CutCard && t.FirstDealt < len(t.Events) && shuffle > t.FirstDealt {
		t.At(t.FirstDealt, finding.ContinuedAfterCutCard)
	}
	dealt := t.DealtAfter(shuffle)
	if dealt < len(t.Events) && cut > dealt {
		t.At(min(cut, t.Last), finding.OtherProcedure)
	}
	t.burns(shuffle, dealt, t.faceUp(), prescribed)
	if t.FirstOf(round.CutCard) < len(t.Events) && !t.kind.OwnCut {
		t.Next["cut_card"] = true
		if t.Mandatory("ultima_jugada") {
			t.Demand("ultima_jugada", "", -1, len(t.Events))
		}
	}
	return nil
}

// FirstOf is the index of the first event of a type; len(Events) without one.
func (t *Table) FirstOf(k round.Type) int {
	return t.FirstFit(func(e *round.Event) bool { return e.Type == k })
}

// burns checks the cards put aside: after a shuffle as many as the game says,
// and otherwise none.
func (t *Table) burns(shuffle, dealt int, eliminated map[int]bool, prescribed func(int) bool) {
	total, at, shown := 0, t.Last, card.Unseen
	for i := range t.Events {
		e := &t.Events[i]
		if e.Type != round.Burn || eliminated[i] || prescribed != nil && prescribed(i) {
			continue
		}
		if i < shuffle || i > dealt || t.rules.Burn == (Burn{}) {
			t.Add(round.Finding{Code: finding.BurnWrong, Event: i, Expected: 0, Observed: e.Count})
			continue
		}
		total, at = total+e.Count, i
		if shown == card.Unseen {
			shown = game.Read(e.Card, e)
		}
	}
	if shuffle == len(t.Events) || dealt == len(t.Events) {
		return
	}
	switch b := t.rules.Burn; {
	case b.Count > 0 && total != b.Count:
		t.Add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: b.Count, Observed: total})
	case b.ByCard && total == 0:
		t.Add(round.Finding{Code: finding.BurnWrong, Event: at, Observed: 0})
	case b.ByCard && t.Readable(shown):
		if n := Pips(shown, 10); total != n && total != n+1 {
			t.Add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: n, Observed: total})
		}
	}
}

// faceUpInShoe is the incident of a card that comes out of the shoe face up.
const faceUpInShoe = "card_faceup_in_shoe"

// faceUp checks that a card lying face up in the shoe is eliminated, and tells
// the burns that do so.
func (t *Table) faceUp() map[int]bool {
	eliminated := map[int]bool{}
	t.Incidents(faceUpInShoe, func(i int, e *round.Event) {
		for k := i + 1; k < len(t.Events); k++ {
			switch n := &t.Events[k]; n.Type {
			case round.Burn:
				eliminated[k] = true
				if n.Count != 1 {
					t.Add(round.Finding{Code: finding.BurnWrong, Event: k, Expected: 1, Observed: n.Count})
				}
				return
			case round.CardDealt:
				c := t.FinalCard(k)
				switch {
				case c != card.Unseen && (e.Card == card.Unseen || c == e.Card):
					t.Add(round.Finding{Code: finding.IrregularityIgnored, Event: k, Observed: c.String()})
				case c != card.Unseen:
					t.Add(round.Finding{Code: finding.BurnWrong, Event: k, Expected: 1, Observed: 0})
				}
				return
			}
		}
	})
	return eliminated
}

// FinalCard is the card of a card event as the record finally shows it.
func (t *Table) FinalCard(event int) card.Card {
	for _, d := range t.Zones[t.Events[event].Zone] {
		if d.Event == event {
			return d.Card
		}
	}
	return card.Unseen
}

// deck raises cards that the packs in play do not hold.
func (t *Table) deck() {
	packs := cmp.Or(t.Rec.Table.Decks, t.rules.Decks)
	var copies [256]uint8
	for _, d := range t.sightings() {
		switch {
		case d.Card == card.Unseen:
		case t.foreign(d.Card):
			t.Add(round.Finding{Code: finding.ForeignCard, Observed: d.Card.String(), Event: d.seen})
		default:
			if copies[d.Card] < 255 {
				copies[d.Card]++
			}
			if int(copies[d.Card]) == packs+1 {
				t.Add(round.Finding{Code: finding.DuplicateCard, Observed: d.Card.String(), Event: d.seen})
			}
		}
	}
}

// sightings are the copies of cards that were seen, in the order in which they were, and
// at last those that only a reveal of the discard showed. A card that is put aside from
// where it was laid is no further copy.
func (t *Table) sightings() []Dealt {
	var all []Dealt
	for zone, cards := range t.Zones {
		if zone != Discard {
			all = append(all, cards...)
		}
	}
	laid := map[card.Card]int{} // where cards may be put aside from
	discarded := t.Zones[Discard]
	moved := func(c card.Card) bool {
		if laid[c] == 0 {
			return false
		}
		laid[c]--
		return true
	}
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Type == round.CardDealt && t.kind.Laid != nil && t.kind.Laid(e.Zone):
			laid[e.Card]++
		case e.Type == round.CardDealt && e.Zone == Discard:
			if d := discarded[0]; !moved(d.Card) {
				all = append(all, d)
			}
			discarded = discarded[1:]
		case e.Type == round.Burn && game.Read(e.Card, e) != card.Unseen && !moved(e.Card):
			all = append(all, Dealt{Card: e.Card, Event: i, seen: i})
		}
	}
	slices.SortFunc(all, func(a, b Dealt) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Card, b.Card))
	})
	return append(all, discarded...)
}
