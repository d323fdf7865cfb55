package points

import (
	"fmt"

	"vision/validate/game"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Family is the name by which rulebooks refer to this engine.
const Family = "points"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	r, ok := in.Game.Rules.(*Rules)
	if !ok {
		return round.Verdict{}, fmt.Errorf("points: rules of %s are %T", in.Game.Code, in.Game.Rules)
	}
	switch {
	case r.Blackjack != nil:
		return checkBlackjack(in, r)
	case r.Treinta != nil:
		return checkTreinta(in, r)
	case r.PuntoBanco != nil:
		return checkPuntoBanco(in, r)
	case r.Chemin != nil:
		return checkChemin(in, r)
	case r.Panos != nil:
		return checkPanos(in, r)
	case r.CasinoMonte != nil:
		return checkCasinoMonte(in, r)
	case r.MonteBanca != nil:
		return checkMonteBanca(in, r)
	}
	return round.Verdict{}, fmt.Errorf("points: %s has no rules", in.Game.Code)
}
