package points

import (
	"fmt"

	"vision/validate/game"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Family is the name by which rulebooks refer to this engine: point cards in the contract.
const Family = "points"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	r := in.Game.Rules.(*Rules)
	one, err := game.One[variant](r)
	if err != nil {
		return round.Verdict{}, fmt.Errorf("points: %s: %w", in.Game.Code, err)
	}
	return one.Judge(in, &r.Rules)
}
