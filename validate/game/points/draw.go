package points

import (
	"fmt"
	"strings"

	"vision/internal/card"
	"vision/validate/finding"
)

// Draw are the drawing rules of the baccarat games: letters T (draw), P (stand)
// and O (free), by two-card total.
type Draw struct {
	Punto string   `yaml:"punto" json:"punto"` // the player's hand, total 0 to 7
	Banca []string `yaml:"banca" json:"banca"` // the bank, a row for each total 0 to 7; columns: punto's third card 0 to 9, punto stood
}

// columns of a row of Draw.Banca.
const drawColumns = 11

func (d *Draw) check(free bool) error {
	letters := "TP"
	if free {
		letters = "TPO"
	}
	if len(d.Punto) != 8 || strings.Trim(d.Punto, letters) != "" {
		return fmt.Errorf("draw.punto: %q: want 8 letters of %s", d.Punto, letters)
	}
	if len(d.Banca) != 8 {
		return fmt.Errorf("draw.banca: %d rows: want one for each total 0 to 7", len(d.Banca))
	}
	for i, row := range d.Banca {
		if len(row) != drawColumns || strings.Trim(row, letters) != "" {
			return fmt.Errorf("draw.banca: row %d %q: want %d letters of %s", i, row, drawColumns, letters)
		}
	}
	return nil
}

// stood is the third card of a hand that took none.
const stood = -1

// punto is what the player's hand must do; 'O' above 7.
func (d *Draw) punto(total int) byte {
	if total < 0 || total >= len(d.Punto) {
		return 'O'
	}
	return d.Punto[total]
}

// banca is what the bank must do against a third card's value or stood; 'O'
// above 7, where the table has no row.
func (d *Draw) banca(total, third int) byte {
	if total < 0 || total >= len(d.Banca) {
		return 'O'
	}
	if third == stood {
		third = drawColumns - 1
	}
	return d.Banca[total][third]
}

// judge compares what a hand must do with what it did.
func (t *table) judge(h *baccarat, letter byte) {
	switch {
	case letter == 'T' && !h.drew():
		t.zoneAt(t.last, finding.StoodMustDraw, h.zone)
	case letter == 'P' && h.drew():
		t.zoneAt(h.cards[2].event, finding.DrewMustStand, h.zone)
	}
}

// pips is the value of a card where figures and ten are top (0 or 10) and the ace is 1.
func pips(c card.Card, top int) int {
	if n := c.Number(); n < 10 {
		return n
	}
	return top
}

// baccarat is one hand of the baccarat games.
type baccarat struct {
	zone  string
	cards []dealt
	two   int  // total of the first two cards; -1 when unknown or not there
	value int  // points that count; -1 when unknown
	fixed bool // the norm fixes the value: no cards are needed
	abate bool // shown as a natural before any third card
}

func (t *table) baccaratHand(zone string) *baccarat {
	h := &baccarat{zone: zone, cards: t.zones[zone], two: -1, value: -1}
	if len(h.cards) >= 2 {
		h.two = t.points(h.cards[:2])
	}
	if len(h.cards) > 0 { // too few cards count as they lie
		h.value = t.points(h.cards)
	}
	return h
}

func (h *baccarat) drew() bool    { return len(h.cards) > 2 }
func (h *baccarat) natural() bool { return h.two >= 8 }
func (h *baccarat) known() bool   { return h.value >= 0 }

// third is the value of the third card, stood without one, and whether it is known.
func (t *table) third(h *baccarat) (int, bool) {
	if !h.drew() {
		return stood, true
	}
	v := t.points(h.cards[2:3])
	return v, v >= 0
}

// points is the sum of the cards modulo ten, -1 with an unseen or foreign card.
func (t *table) points(cards []dealt) int {
	sum := 0
	for _, d := range cards {
		if !t.readable(d.card) {
			return -1
		}
		sum += pips(d.card, 0)
	}
	return sum % 10
}

// pointsAt is the total of a zone's cards that lie there at an event.
func (t *table) pointsAt(zone string, event int) int {
	return t.points(t.cardsAt(zone, event))
}
