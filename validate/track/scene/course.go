package scene

import "slices"

// A Course is what the scene of a game must know of it: what a round consists of, and
// what begins and ends one.
type Course struct {
	Kind CourseKind
	// Opens is a call that opens a round, besides hagan juego.
	Opens string
	// Laid is the call before which cards may be taken up and laid anew: until it
	// was made an empty table is no cleared table. "" for none.
	Laid string
	// Held: players may hold their cards in their hands and play for one pot, so that a
	// table without cards is cleared only when the pot was pushed to somebody.
	Held bool
	// Names are the calls that name the outcome of a throw: without a wheel
	// sensor such a call is the outcome.
	Names []string
	// Dice are how many are thrown; 0 where it does not matter.
	Dice int
	// Deciding are the sums of dice that decide: with any other they are thrown again. Nil: all do.
	Deciding []int
	// Shaken: the dice stay in their shaker, where they are never taken up between two
	// throws.
	Shaken bool
}

// undecided reports whether dice that were read decide nothing and are thrown again.
func (c *Course) undecided(faces []int) bool {
	return c.Deciding != nil && !slices.Contains(faces, 0) && !slices.Contains(c.Deciding, Sum(faces))
}

// CourseKind is by what a round is decided.
type CourseKind uint8

// The kinds of course.
const (
	ByCards CourseKind = iota // dealt, decided, paid, cleared
	ByWheel                   // one ball; never cleared
	ByDice                    // one throw; bets stay from round to round
)
