package points

import (
	"encoding/json"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

// carryCut is the part of the carry that every game reads.
type carryCut struct {
	CutCard bool `json:"cut_card"`
}

// readCarry reads the carry into v; fields that v does not have are ignored.
func (t *table) readCarry(v any) error {
	if t.rec.Carry == nil {
		return nil
	}
	if err := json.Unmarshal(t.rec.Carry, v); err != nil {
		return round.Malformed("carry", "write the previous verdict's next", "%v", err)
	}
	return nil
}

// shoe checks the start and the end of a shoe: shuffling, cutting, burned
// cards, cards that lie face up in it, the cut card. A burn for which
// prescribed is true belongs to the game and is left to it.
func (t *table) shoe(prescribed func(i int) bool) error {
	var carry carryCut
	if err := t.readCarry(&carry); err != nil {
		return err
	}
	shuffle, cut := len(t.ev), len(t.ev)
	for i := range t.ev {
		switch t.ev[i].Type {
		case round.Shuffle:
			shuffle = min(shuffle, i)
		case round.Cut:
			if i > shuffle {
				cut = min(cut, i)
			}
		}
	}
	if carry.CutCard && t.firstDealt < len(t.ev) && shuffle > t.firstDealt {
		t.at(t.firstDealt, finding.ContinuedAfterCutCard)
	}
	dealt := t.dealtAfter(shuffle)
	if dealt < len(t.ev) && cut > dealt {
		t.at(min(cut, t.last), finding.OtherProcedure)
	}
	t.burns(shuffle, dealt, t.faceUp(), prescribed)
	if t.firstOf(round.CutCard) < len(t.ev) && !t.kind.ownCut {
		t.next["cut_card"] = true
		if t.mandatory("ultima_jugada") {
			t.demand("ultima_jugada", "", -1, len(t.ev))
		}
	}
	return nil
}

func (t *table) firstOf(k round.Type) int {
	for i := range t.ev {
		if t.ev[i].Type == k {
			return i
		}
	}
	return len(t.ev)
}

// burns checks the cards put aside: after a shuffle as many as the game says,
// and otherwise none.
func (t *table) burns(shuffle, dealt int, eliminated map[int]bool, prescribed func(int) bool) {
	total, at, shown := 0, t.last, card.Unseen
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != round.Burn || eliminated[i] || prescribed != nil && prescribed(i) {
			continue
		}
		if i < shuffle || i > dealt || t.rules.Burn == (Burn{}) {
			t.add(round.Finding{Code: finding.BurnWrong, Event: i, Expected: 0, Observed: e.Count})
			continue
		}
		total, at = total+e.Count, i
		if shown == card.Unseen && e.Confidence() >= 0.5 {
			shown = e.Card
		}
	}
	if shuffle == len(t.ev) || dealt == len(t.ev) {
		return
	}
	switch b := t.rules.Burn; {
	case b.Count > 0 && total != b.Count:
		t.add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: b.Count, Observed: total})
	case b.ByCard && total == 0:
		t.add(round.Finding{Code: finding.BurnWrong, Event: at, Observed: 0})
	case b.ByCard && t.readable(shown):
		if n := pips(shown, 10); total != n && total != n+1 {
			t.add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: n, Observed: total})
		}
	}
}

// faceUp checks that a card lying face up in the shoe is eliminated, and tells
// the burns that do so.
func (t *table) faceUp() map[int]bool {
	eliminated := map[int]bool{}
	t.incidents("card_faceup_in_shoe", func(i int, e *round.Event) {
		for k := i + 1; k < len(t.ev); k++ {
			switch n := &t.ev[k]; n.Type {
			case round.Burn:
				eliminated[k] = true
				if n.Count != 1 {
					t.add(round.Finding{Code: finding.BurnWrong, Event: k, Expected: 1, Observed: n.Count})
				}
				return
			case round.CardDealt:
				c := t.finally(k)
				switch {
				case c != card.Unseen && (e.Card == card.Unseen || c == e.Card):
					t.add(round.Finding{Code: finding.IrregularityIgnored, Event: k, Observed: c.String()})
				case c != card.Unseen:
					t.add(round.Finding{Code: finding.BurnWrong, Event: k, Expected: 1, Observed: 0})
				}
				return
			}
		}
	})
	return eliminated
}

// finally is the card of a card event as the record finally shows it.
func (t *table) finally(event int) card.Card {
	for _, d := range t.zones[t.ev[event].Zone] {
		if d.event == event {
			return d.card
		}
	}
	return card.Unseen
}
