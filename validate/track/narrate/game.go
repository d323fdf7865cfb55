package narrate

import (
	"fmt"

	"vision/validate/finding"
	"vision/validate/track/scene"
)

// A Game as the tracker needs it: what its round consists of and who deals what where.
// What the course means for money is the rules engine's to decide.
//
// A new game is an entry in games.go. Its zones and spots are in its layout
// (calibration/layout); narrate is one of the courses that games share (narrateDeal,
// narrateSpin), or code of its own where the course demands it.
type Game struct {
	code string
	// Closing is the call that closes the bets; "" where the first card does.
	Closing string
	// Point: a throw may set what later throws mean, until a seven.
	Point bool
	scene.Course
	Dealing
	Paying
	// narrate writes the events of a scene of this game.
	narrate func(*Narration)
}

// Dealing is how the cards of a round come.
type Dealing struct {
	// deal is the order of zones in which the first cards are dealt, where it
	// is always the same; "seats" stands for every seat's hand, ascending
	// ("seats/x" for its zones "seat:N/x"), and "x to the end" for all cards of
	// the zone x.
	deal []string
	// Points: cards count by their points and colour alone, so that tens and courts of
	// a colour are alike.
	Points bool
	// least is the fewest cards with which a deal can be decided, of the zone counted, or of all.
	least   int
	counted string
	// upTo21: hands are played to 21, one over it is lost at once, and chips show decisions.
	upTo21 bool
	// open are the findings of a deal that still goes on.
	open []finding.Code
	// decides is the zone whose card decides; "" where the last card of all does. again is the
	// spot, and the part of the zones, of a second phase that follows ("" for none).
	decides, again string
	// over are the calls after which a deal does not go on.
	over []string
}

// Paying is how bets are laid and settled.
type Paying struct {
	// Pushed: winnings are pushed to the player (zone "seat:N pay") and not laid beside
	// the stake.
	Pushed bool
	// ahead: chips laid while the round is being settled are bets of the next one;
	// otherwise they are late.
	ahead bool
	// Bank are the spots of the player who keeps the bank and of his associates:
	// their money goes to and fro with every stake.
	Bank []string
	// spoken are the calls of a player that name his bet: what he lays where the
	// value announces is the bet of that name.
	spoken map[string]string
	// order is that of movements that the camera cannot separate in time.
	order settleOrder
}

// GameByCode is a game by its code in the round record.
func GameByCode(code string) (*Game, error) {
	g, ok := games[code]
	if !ok {
		return nil, fmt.Errorf("track: game %q cannot be followed by camera yet", code)
	}
	return g, nil
}
