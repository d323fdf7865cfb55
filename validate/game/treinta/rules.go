package treinta

import (
	"errors"

	"vision/internal/money"
	"vision/validate/game/table"
)

// Rules are the rules of treinta y cuarenta.
type Rules struct {
	Target     int        `yaml:"target" json:"target"`           // 31
	Pays       money.Odds `yaml:"pays" json:"pays"`               // every chance
	Insurance  money.Odds `yaml:"insurance" json:"insurance"`     // 1:100 of the stake
	SeguroMin  bool       `yaml:"seguro_min" json:"seguro_min"`   // the house fixes the least insured stake
	MaxTimes   int64      `yaml:"max_times" json:"max_times"`     // maximum as a multiple of the minimum
	LastBurned int        `yaml:"last_burned" json:"last_burned"` // cards counted after the red card
}

// Check refuses rules by which no round can be judged.
func (r *Rules) Check() error {
	if r.Target < 1 || r.MaxTimes < 1 || r.LastBurned < 0 {
		return errors.New("target, max_times or last_burned: out of range")
	}
	return errors.Join(table.Positive("pays", r.Pays), table.Positive("insurance", r.Insurance))
}
