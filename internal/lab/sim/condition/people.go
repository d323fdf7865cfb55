package condition

// Pace is in which time things happen.
type Pace struct {
	// Spread is the standard deviation of the logarithm of a pause, whose ends are cut
	// off at 2.5 of them; 0 without Croupier: within ±15 %.
	Spread float64
	// Croupier are the paces of which a table's croupier has one, who sets that of all
	// at his table: 1 is the script's, 2 twice as quick.
	Croupier Span
	// Overlap is the share of acts that another person does not wait for, of those whose
	// order is all one: two players bet at once, a payment is made while another takes
	// his chips up.
	Overlap float64
}

// Hands are what people do beside the play. Rates are per minute and table, shares of
// what comes, as far as the play gives occasion.
type Hands struct {
	Rest    float64 // a player's other hand stays over or on the cloth for some seconds
	Lean    float64 // a player leans in: forearm, shoulder and head over his places
	Nudge   float64 // chips are pushed by some millimetres
	Restack float64 // a player takes his own stake up while bets are open and sets the same chips down again
	Cup     float64 // a cup, glass, phone or ashtray is set down near the stakes and taken away again
	Squeeze float64 // share of hands of cards that are pushed together to cover one another
	Topple  float64 // share of rounds in which a pile is knocked over and put up again
	Amiss   float64 // share of visits to the rack that leave something there as it should not be
	Change  float64 // share of rounds before which a player is given change from the rack
}

var (
	housePace = Pace{Spread: 0.45, Croupier: Span{0.6, 1.6}, Overlap: 0.2}
	hardPace  = Pace{Spread: 0.65, Croupier: Span{0.5, 2}, Overlap: 0.4}

	houseHands = Hands{
		Rest: 1.5, Lean: 0.7, Nudge: 1.2, Restack: 0.5, Cup: 0.3, Squeeze: 0.15, Topple: 0.05, Amiss: 0.02, Change: 0.1,
	}
	hardHands = Hands{
		Rest: 4, Lean: 2, Nudge: 4, Restack: 1.5, Cup: 0.8, Squeeze: 0.4, Topple: 0.15, Amiss: 0.08, Change: 0.2,
	}
)
