package track

import "fmt"

// A game as the tracker needs it: what its round consists of and who deals
// what where. What the course means for money is the rules engine's to say.
type game struct {
	code   string
	course course
	// closing is the call that closes the bets; "" where the first card does.
	closing string
	// deal is the order of zones in which the first cards are dealt, where it
	// is always the same.
	deal []string
	// pushed tells that winnings are pushed to the player (zone "seat:N pay")
	// and not laid beside the stake.
	pushed bool
	// ahead tells that chips laid while the round is being settled are bets of
	// the next one; otherwise they are late.
	ahead bool
	// narrate tells the meaning of a scene of this game.
	narrate func(*story)
}

type course uint8

const (
	cards course = iota // dealt, decided, paid, cleared
	wheel               // one ball; never cleared
	dice                // one throw; bets stay from round to round
)

// games are those that can be followed by camera, by code.
var games = func(gs ...*game) map[string]*game {
	m := map[string]*game{}
	for _, g := range gs {
		m[g.code] = g
	}
	return m
}(
	&game{code: "blackjack", course: cards, narrate: tellBlackjack},
	&game{
		code: "punto_banco", course: cards, closing: "no_va_mas",
		deal: []string{"punto", "banca", "punto", "banca"}, narrate: tellPunto,
	},
	&game{code: "ruleta_francesa", course: wheel, closing: "no_va_mas", pushed: true, narrate: tellRuleta},
	&game{code: "ruleta_americana", course: wheel, closing: "no_va_mas", pushed: true, narrate: tellRuleta},
	&game{code: "ruleta_americana_doble_cero", course: wheel, closing: "no_va_mas", pushed: true, narrate: tellRuleta},
	&game{code: "dados_craps", course: dice, closing: "no_va_mas", ahead: true, narrate: tellCraps},
)

func gameOf(code string) (*game, error) {
	g, ok := games[code]
	if !ok {
		return nil, fmt.Errorf("track: game %q cannot be followed by camera yet", code)
	}
	return g, nil
}
