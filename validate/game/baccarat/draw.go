package baccarat

import (
	"fmt"
	"strings"
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
