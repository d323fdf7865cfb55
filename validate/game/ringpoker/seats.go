package ringpoker

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
)

// player is one seat of a hand.
type player struct {
	seat        int
	in          bool // has neither folded nor lost the hand
	allIn       bool // cannot bet any more (sat out of the last interval, too)
	dead        bool // wrong number of cards: plays, cannot win
	refund      bool // the norm gives all chips back
	falseOpener bool

	stack money.Cents // before the compulsory bets
	known bool        // of the stack

	put    money.Cents       // every chip put, what goes back included
	ante   money.Cents       // dead money
	total  money.Cents       // of all intervals, blinds included
	commit money.Cents       // of this interval
	excess money.Cents       // chips that do not count and go back
	taken  money.Cents       // taken back by the player, to be made good
	forced map[string]forced // by compulsory spot

	// of this interval
	pending   bool
	acted     bool
	reopened  bool // a full raise since the last decision
	outOfTurn bool
	raises    int

	cards   []dealt     // as dealt, in order
	seen    []card.Card // known cards of the seat
	shown   []card.Card // at the showdown
	shownAt int         // event, -1: not shown
	paid    bool        // has got chips: what is taken from now on is the player's own

	discarded int // cards changed; -1: neither drawn nor stood
	drawAt    int
	served    int
	bothUp    bool // both hole cards were seen (seven stud)
	holeUp    int
	selfShown bool // showed the own hole cards in play
	asked     int  // event of the seventh card dealt up that waits for an answer, -1: none
}

// dealt is one card of a seat.
type dealt struct {
	card  card.Card
	event int
	up    bool
}

// left is what a player has not yet put, and whether that is known.
func (p *player) left() (money.Cents, bool) { return p.stack - p.ante - p.total, p.known }

// able reports whether a player may still bet.
func (p *player) able() bool { return p.in && !p.allIn }

// ring walks round the players' seats.
type ring struct {
	seats []int // ascending: clockwise
	dir   int   // 1 clockwise, -1 anticlockwise: of deal and turn
}

// from lists the seats once round in a direction, beginning at seat or, where
// nobody sits there, at the next one.
func (r ring) from(seat, dir int) []int {
	n := len(r.seats)
	at, found := slices.BinarySearch(r.seats, seat)
	if dir < 0 && !found {
		at--
	}
	out := make([]int, n)
	for k := range n {
		out[k] = r.seats[((at+dir*k)%n+n)%n]
	}
	return out
}

// after is the next seat in a direction.
func (r ring) after(seat, dir int) int {
	for _, s := range r.from(seat, dir) {
		if s != seat {
			return s
		}
	}
	return seat
}
