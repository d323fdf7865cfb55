// Package monte judges casino monte (casino.go) and monte o banca: its two phases, the calls
// and what bets win (banca.go), the four places, how they are laid, and the spots (layout.go).
package monte

import (
	"errors"

	"vision/internal/money"
	"vision/validate/game/table"
)

// Casino are the rules of casino monte.
type Casino struct {
	Places    int        `yaml:"places" json:"places"`
	Inicial   money.Odds `yaml:"inicial" json:"inicial"`
	Empate    money.Odds `yaml:"empate" json:"empate"`
	Revancha  money.Odds `yaml:"revancha" json:"revancha"`
	SecondTie money.Odds `yaml:"second_tie" json:"second_tie"`
	QuemaFrom int        `yaml:"quema_from" json:"quema_from"`
	QuemaTo   int        `yaml:"quema_to" json:"quema_to"`
}

// Banca are the rules of monte o banca.
type Banca struct {
	Vis        int64            `yaml:"vis" json:"vis"`           // to one, less one for each doubled or burned card
	Relation   int64            `yaml:"relation" json:"relation"` // camo, anti, viudo: to one, less one for each doubled card
	Salto      money.Odds       `yaml:"salto" json:"salto"`
	Cartas     money.Odds       `yaml:"cartas" json:"cartas"`
	Segundas   money.Odds       `yaml:"segundas" json:"segundas"` // camo, anti, viudo of the second phase
	Commission money.Odds       `yaml:"commission" json:"commission"`
	MaxTimes   map[string]int64 `yaml:"max_times" json:"max_times"` // by kind of bet; "s2" for the second phase
	Relations  map[string]int   `yaml:"relations" json:"relations"` // steps round the circle of suits
	Circle     string           `yaml:"circle" json:"circle"`       // the circle of suits
}

// Check refuses rules by which no round can be judged.
func (r *Casino) Check() error {
	if r.Places < 1 || r.QuemaFrom < 1 || r.QuemaTo < r.QuemaFrom {
		return errors.New("places or quema: out of range")
	}
	return errors.Join(table.Positive("inicial", r.Inicial), table.Positive("empate", r.Empate), table.Positive("revancha", r.Revancha),
		table.Positive("second_tie", r.SecondTie))
}

// Check refuses rules by which no round can be judged.
func (r *Banca) Check() error {
	if len(r.Circle) != 4 || len(r.Relations) != 3 || r.Vis < 1 || r.Relation < 1 {
		return errors.New("circle, relations, vis or relation: missing or out of range")
	}
	return errors.Join(table.Positive("salto", r.Salto), table.Positive("cartas", r.Cartas), table.Positive("segundas", r.Segundas),
		table.Positive("commission", r.Commission))
}
