package game

// BetState is what the chips of a bet are when they appear.
type BetState int

// The states of a bet.
const (
	UnknownSpot BetState = iota // the game has no such spot
	Plays
	Late    // the betting on the spot is closed
	Refused // the norm, an option or the state of the round does not offer the spot
)

// Until is the state of a bet at an event where the betting on its spot closed at another.
func Until(event, closed int) BetState {
	if event > closed {
		return Late
	}
	return Plays
}
