package validate

import (
	"vision/validate/game/housepoker"
	"vision/validate/game/points"
	"vision/validate/game/ringpoker"
	"vision/validate/rulebook"
	"vision/validate/session"
)

// The kinds of packs that games are played with, as calibrations name them.
const (
	French          = "french"
	FrenchNoIndices = "french-no-index"
	Spanish         = "spanish"
)

// Packs are the kinds of packs that a norm allows for one of its games, the usual one
// first; none where the game has no cards. Whether they bear indices is said by the norm's
// section on sessions, for some games.
func Packs(norm *rulebook.Norm, game string) []string {
	g := norm.Games[game]
	if g == nil {
		return nil
	}
	switch g.Family {
	case points.Family, housepoker.Family, ringpoker.Family:
	default:
		return nil
	}
	if p, ok := g.Rules.(*points.Rules); ok && p.MonteBanca != nil {
		return []string{Spanish}
	}
	life, ok := norm.Session.(*session.Rules)
	if !ok {
		return []string{French, FrenchNoIndices}
	}
	switch bear, said := life.Indices(game); {
	case !said:
		return []string{French, FrenchNoIndices}
	case bear:
		return []string{French}
	}
	return []string{FrenchNoIndices}
}
