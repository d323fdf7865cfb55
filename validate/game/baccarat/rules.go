package baccarat

import (
	"errors"
	"fmt"
	"strings"

	"vision/internal/money"
	"vision/validate/game/table"
)

// PuntoBanco are the rules of punto y banca.
type PuntoBanco struct {
	Mesas      []string              `yaml:"mesas" json:"mesas"` // "grande" first
	Pays       map[string]money.Odds `yaml:"pays" json:"pays"`   // by spot; a spot without odds is not offered
	Commission Commission            `yaml:"commission" json:"commission"`
	EmpateMax  money.Odds            `yaml:"empate_max" json:"empate_max"` // part of the maximum; 0:0: no special limit
	Draw       Draw                  `yaml:"draw" json:"draw"`
}

// Commission is what the house keeps of the bank's winnings.
type Commission struct {
	Part   money.Odds `yaml:"part" json:"part"`               // 5:100
	Points *int       `yaml:"points" json:"points,omitempty"` // only when the bank wins with these points
}

// Chemin are the rules of baccará, chemin de fer.
type Chemin struct {
	Commission money.Odds `yaml:"commission" json:"commission"`
	Abonos     int        `yaml:"abonos" json:"abonos"`         // bets in favour of the bank; 0: not offered
	BankTimes  int64      `yaml:"bank_times" json:"bank_times"` // bank's maximum as a multiple of the minimum
	Garaje     Garaje     `yaml:"garaje" json:"garaje"`
	Draw       Draw       `yaml:"draw" json:"draw"`
}

// Garaje says when a banker may take part of the bank away.
type Garaje struct {
	GainTimes int64      `yaml:"gain_times" json:"gain_times,omitempty"` // the gain exceeds this multiple of the minimum
	Passes    int        `yaml:"passes" json:"passes,omitempty"`         // passes won
	Part      money.Odds `yaml:"part" json:"part"`                       // at most this part of the bank
}

// Panos are the rules of baccará a dos paños.
type Panos struct {
	Commission map[string]money.Odds `yaml:"commission" json:"commission"` // by modalidad
	Draw       Draw                  `yaml:"draw" json:"draw"`
}

// Check refuses rules by which no round can be judged.
func (r *PuntoBanco) Check() error {
	if len(r.Mesas) == 0 {
		return errors.New("mesas: missing")
	}
	return errors.Join(table.Positive("pays.punto", r.Pays["punto"]), table.Positive("pays.banca", r.Pays["banca"]), table.Positive("commission.part", r.Commission.Part),
		r.Draw.check(false))
}

// Check refuses rules by which no round can be judged.
func (r *Chemin) Check() error {
	return errors.Join(table.Positive("commission", r.Commission), r.Draw.check(true))
}

// Check refuses rules by which no round can be judged.
func (r *Panos) Check() error {
	return errors.Join(table.Positive("commission.limitada", r.Commission["limitada"]), table.Positive("commission.libre", r.Commission["libre"]), r.Draw.check(true))
}

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
