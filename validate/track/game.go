package track

import "fmt"

// A game as the tracker needs it: what its round consists of and who deals
// what where. What the course means for money is the rules engine's to say.
type game struct {
	code   string
	course course
	// closing is the call that closes the bets; "" where the first card does.
	closing string
	// deal is the order of the initial cards: "seats" stands for every seat
	// with a stake, ascending.
	deal []string
	// faceDown tells that cards may be dealt face down and turned together.
	faceDown bool
	// pushed tells that winnings are pushed to the player (zone "seat:N pay")
	// and not laid beside the stake.
	pushed bool
	// ahead tells that chips laid while the round is being settled are bets of
	// the next one; otherwise they are late.
	ahead bool
	// bets are the spots that open during the round, with the action that
	// laying chips there means ("" for none).
	bets map[string]string
	// phases name what the table does, for people.
	narrate func(*story)
}

type course uint8

const (
	cards course = iota // dealt, decided, paid, cleared
	wheel               // one ball; never cleared
	dice                // one throw; bets stay from round to round
)

var games = map[string]*game{}

func register(gs ...*game) {
	for _, g := range gs {
		games[g.code] = g
	}
}

func gameOf(code string) (*game, error) {
	g, ok := games[code]
	if !ok {
		return nil, fmt.Errorf("track: game %q cannot be followed by camera yet", code)
	}
	return g, nil
}
