package baccarat

import (
	"errors"

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
