package points

import (
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// state is how a bet stands when its chips appear.
type state int

const (
	unknownSpot state = iota // the game has no such spot
	plays
	late    // the betting on the spot is closed
	refused // the norm, an option or the state does not offer the spot
)

// chips are the chips of one seat on one spot.
type chips struct {
	game.Place
	stake   money.Cents // what plays
	late    money.Cents // what came too late and never plays
	freed   money.Cents // what the player took back with right when the banker spoke first: it was bet all the same
	first   int         // first and last bet event
	last    int
	refused bool
	settled bool // paid or returned while the record runs: what is taken then is the player's own
}

func (c *chips) lies() money.Cents { return c.stake + c.late }

// put is what was bet in time, by which limits and prescribed amounts are judged.
func (c *chips) put() money.Cents { return c.stake + c.freed }

// stakes are the chips of a round in the order in which they appeared.
type stakes struct {
	list []*chips
	by   map[game.Place]*chips
}

func (s *stakes) of(seat int, spot string) money.Cents {
	if c := s.by[game.Place{Seat: seat, Spot: spot}]; c != nil && !c.refused {
		return c.stake
	}
	return 0
}

func (s *stakes) place(seat int, spot string, event int) *chips {
	p := game.Place{Seat: seat, Spot: spot}
	c := s.by[p]
	if c == nil {
		c = &chips{Place: p, first: event, last: event}
		s.by[p] = c
		s.list = append(s.list, c)
	}
	return c
}

// windows say how the game opens and closes its spots.
type windows struct {
	bet     func(i int, e *round.Event) state // how a bet stands
	lateOut func(i int, e *round.Event) bool  // whether a withdrawal is late; nil: from the close on
	own     func(i int, e *round.Event) bool  // whether a withdrawal takes the player's own chips; nil: after the decision
	freed   int                               // event from which players may take stakes back; 0 or below: none
}

// gather adds up the chips on every spot and raises late bets and withdrawals.
func (t *table) gather(w windows) (*stakes, error) {
	s := &stakes{by: map[game.Place]*chips{}}
	if w.lateOut == nil {
		w.lateOut = func(i int, _ *round.Event) bool { return i > t.close && (w.freed <= 0 || i < w.freed) }
	}
	if w.own == nil {
		w.own = func(i int, _ *round.Event) bool { return i > t.decision }
	}
	for i := range t.ev {
		e := &t.ev[i]
		switch e.Type {
		case round.Bet, round.Withdraw, round.Collect, round.Pay, round.Return, round.Commission:
		default:
			continue
		}
		how := w.bet(i, e)
		if how == unknownSpot && (e.Spot != "" || e.Type == round.Bet) {
			return nil, round.Malformed(round.At(i, "spot"), "see the spots of "+t.rec.Game, "unknown spot %q", e.Spot)
		}
		switch e.Type {
		case round.Bet:
			t.bet(s, i, e, how)
		case round.Withdraw:
			if err := t.withdraw(s, i, e, w); err != nil {
				return nil, err
			}
		case round.Pay, round.Return:
			if c := s.by[game.Place{Seat: e.Seat, Spot: e.Spot}]; c != nil {
				c.settled = true
			}
		}
	}
	return s, nil
}

func (t *table) bet(s *stakes, i int, e *round.Event, how state) {
	c := s.place(e.Seat, e.Spot, i)
	c.last = i
	switch how {
	case late:
		c.late += e.Amount
		t.add(round.Finding{Code: finding.LateBet, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
	case refused:
		c.refused = true
		c.stake += e.Amount
	default:
		c.stake += e.Amount
	}
}

func (t *table) withdraw(s *stakes, i int, e *round.Event, w windows) error {
	c := s.by[game.Place{Seat: e.Seat, Spot: e.Spot}]
	if w.own(i, e) || c != nil && c.settled {
		return nil // the player takes his own chips
	}
	if c == nil || e.Amount > c.lies() {
		return round.Malformed(round.At(i, "amount"), "a withdrawal is at most what lies there", "withdraws %d from %s of seat %d", e.Amount, e.Spot, e.Seat)
	}
	back := min(c.late, e.Amount)
	c.late -= back
	c.stake -= e.Amount - back
	if w.freed > 0 && i > w.freed {
		c.freed += e.Amount - back
	}
	if e.Amount > back && w.lateOut(i, e) {
		t.add(round.Finding{Code: finding.LateWithdrawal, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
	}
	return nil
}

// limit checks a stake against the table's least and most; 0 is no limit.
func (t *table) limit(c *chips, least, most money.Cents) {
	if c.refused || c.stake == 0 {
		return
	}
	if least > 0 && c.put() < least {
		t.amountsPlain(c, finding.BetBelowMin, least)
	}
	if most > 0 && c.put() > most {
		t.amountsPlain(c, finding.BetAboveMax, most)
	}
}

// amountsPlain raises a code about a stake: the limit and the stake.
func (t *table) amountsPlain(c *chips, code finding.Code, limit money.Cents) {
	t.amounts(c.last, code, c.Place, limit, c.put())
}

// entries makes one settlement entry of each spot with chips: decide fills
// those that play.
func (t *table) entries(s *stakes, decide func(c *chips, e *entry)) []*entry {
	var list []*entry
	for _, c := range s.list {
		e := &entry{Due: settle.On(c.Place, c.stake)}
		e.Back = c.late
		switch {
		case c.refused && c.stake > 0:
			e.Void()
			t.add(round.Finding{Code: finding.BetNotAllowed, Event: c.last, Seat: c.Seat, Spot: c.Spot, Observed: c.stake})
		case c.stake == 0 && c.late > 0:
			e.Stake, e.Back = c.late, 0
			e.Void()
		case c.stake == 0:
			continue
		default:
			decide(c, e)
		}
		list = append(list, e)
	}
	return list
}

// spotTopic is the topic of a spot's article: its name without numbers.
func spotTopic(spot string) string {
	spot = strings.TrimPrefix(spot, "s2/")
	name, _, _ := strings.Cut(spot, ":")
	if name == "" {
		return "conduct"
	}
	return name
}

// place is the seat and spot of an event.
func place(e *round.Event) game.Place { return game.Place{Seat: e.Seat, Spot: e.Spot} }
