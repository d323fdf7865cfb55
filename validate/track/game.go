package track

import (
	"fmt"

	"vision/validate/finding"
	"vision/validate/round"
)

// A game as the tracker needs it: what its round consists of and who deals
// what where. What the course means for money is the rules engine's to say.
//
// A new game is an entry in one of the lists below. Its zones and spots are in
// its layout (calibration/layout); narrate is one of the courses that games
// share (tellDeal, tellSpin), or code of its own where the course demands it.
type game struct {
	code   string
	course course
	// closing is the call that closes the bets; "" where the first card does.
	closing string
	// opens is a call that opens a round, besides hagan juego.
	opens string
	// deal is the order of zones in which the first cards are dealt, where it
	// is always the same; "seats" stands for every seat's hand, ascending
	// ("seats/x" for its zones "seat:N/x"), and "x to the end" for all cards of
	// the zone x.
	deal []string
	// points tells that cards count by their points and colour alone: tens and
	// courts of a colour are alike.
	points bool
	// least is the fewest cards with which a deal can be decided.
	least int
	// open are the findings of a deal that still goes on.
	open []finding.Code
	// over are the calls after which a deal does not go on.
	over []string
	// names are the calls that name the outcome of a throw: without a wheel
	// sensor such a call is the outcome.
	names []string
	// dice are how many are thrown; 0 where it does not matter.
	dice int
	// undecided tells faces of dice that decide nothing and are thrown again.
	undecided func(faces []int) bool
	// shaken tells that the dice stay in their shaker, where they are never
	// taken up between two throws.
	shaken bool
	// point tells that a throw may set what later throws mean, until a seven.
	point bool
	// pushed tells that winnings are pushed to the player (zone "seat:N pay")
	// and not laid beside the stake.
	pushed bool
	// held tells that players may hold their cards in their hands: a table
	// without cards is cleared only when the pot was pushed to somebody.
	held bool
	// ahead tells that chips laid while the round is being settled are bets of
	// the next one; otherwise they are late.
	ahead bool
	// bank are the spots of the player who keeps the bank and of his associates:
	// their money goes to and fro with every stake.
	bank []string
	// spoken are the calls of a player that name his bet: what he lays where the
	// value says is the bet of that name.
	spoken map[string]string
	// laid is the call before which cards may be taken up and laid anew: until it
	// was made an empty table is no cleared table. "" for none.
	laid string
	// order tells that of two movements that the camera cannot tell apart in
	// time the first is made before the second; nil: as they were seen.
	order func(first, second round.Event) bool
	// narrate tells the meaning of a scene of this game.
	narrate func(*story)
}

type course uint8

const (
	cards course = iota // dealt, decided, paid, cleared
	wheel               // one ball; never cleared
	dice                // one throw; bets stay from round to round
)

// games are those that can be followed by camera, by code. Each family lists
// its own beside the code of its courses.
var games = index(blackjackGames, baccaratGames, treintaGames, crapsGames, wheelGames, monteGames, housePokerGames, ringPokerGames)

func index(families ...[]*game) map[string]*game {
	m := map[string]*game{}
	for _, family := range families {
		for _, g := range family {
			m[g.code] = g
		}
	}
	return m
}

func gameOf(code string) (*game, error) {
	g, ok := games[code]
	if !ok {
		return nil, fmt.Errorf("track: game %q cannot be followed by camera yet", code)
	}
	return g, nil
}
