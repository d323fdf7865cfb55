// Package wheels judges roulette, boule, the wheel of fortune, the dice games
// and bingo.
package wheels

import (
	"vision/validate/game"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Engine judges the family "wheels".
type Engine struct{}

// Rules are the rules of one wheel or dice game.
type Rules struct {
	Kind string `yaml:"kind"`
}

// Check implements rulebook.Rules.
func (r *Rules) Check() error { return nil }

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	return round.Verdict{}, round.Malformed("game", "", "no engine yet")
}
