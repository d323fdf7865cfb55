package table

import (
	"cmp"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// Chips are the chips of one seat on one spot.
type Chips struct {
	game.Place
	Stake   money.Cents // what plays
	late    money.Cents // what came too late and never plays
	freed   money.Cents // what the player took back with right when the banker spoke first: it was bet all the same
	gone    money.Cents // what the player took back when the cards were dealt already
	Last    int         // last bet event
	Refused bool
	settled bool // paid, returned or half collected while the record runs: what is taken then is the player's own
}

// there is everything on the spot.
func (c *Chips) there() money.Cents { return c.Stake + c.late }

// Put is what was bet in time, by which limits and prescribed amounts are judged.
func (c *Chips) Put() money.Cents { return c.Stake + c.freed }

// AtDeal is what lay there in time when the first card was dealt.
func (c *Chips) AtDeal() money.Cents { return c.Stake + c.gone }

// Stakes are the chips of a round in the order in which they appeared.
type Stakes struct {
	List []*Chips
	By   map[game.Place]*Chips
}

// Of is what plays on a spot of a seat.
func (s *Stakes) Of(seat int, spot string) money.Cents {
	if c := s.By[game.Place{Seat: seat, Spot: spot}]; c != nil && !c.Refused {
		return c.Stake
	}
	return 0
}

// Any reports whether a stake plays on a spot.
func (s *Stakes) Any(spot string) bool {
	return slices.ContainsFunc(s.List, func(c *Chips) bool { return c.Spot == spot && c.Stake > 0 && !c.Refused })
}

func (s *Stakes) place(p game.Place, event int) *Chips {
	c := s.By[p]
	if c == nil {
		c = &Chips{Place: p, Last: event}
		s.By[p] = c
		s.List = append(s.List, c)
	}
	return c
}

// Windows say how the game opens and closes its spots.
type Windows struct {
	Bet     func(i int, e *round.Event) game.BetState
	LateOut func(i int, e *round.Event) bool // whether a withdrawal is late; nil: from the close on
	Own     func(i int, e *round.Event) bool // whether a withdrawal takes the player's own chips; nil: after the decision
	Freed   int                              // event from which players may take stakes back; 0 or below: none
	Bound   string                           // a spot that Freed does not free: the bank of him who spoke first
	Fixed   bool                             // a card face up in the shoe fixes the stakes, also before the close
}

// freed reports whether a withdrawal takes back what the banker freed by speaking first.
func (w Windows) freed(i int, e *round.Event) bool {
	return w.Freed > 0 && i > w.Freed && (w.Bound == "" || e.Spot != w.Bound)
}

// Gather adds up the chips on every spot and raises late bets and withdrawals.
func (t *Table) Gather(w Windows) (*Stakes, error) {
	s := &Stakes{By: map[game.Place]*Chips{}}
	w = t.usual(w)
	gaveUp := map[int]bool{} // seats that surrendered: once their half is off, the rest is theirs
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Type {
		case round.Action:
			if at := game.PlaceOf(e); e.Action == "surrender" {
				gaveUp[at.Seat] = true
			}
			continue
		case round.Bet, round.Withdraw, round.Collect, round.Pay, round.Return, round.Commission:
		case round.Move:
			if err := t.knows(w, i, e); err != nil {
				return nil, err
			}
			continue
		default:
			continue
		}
		how := w.Bet(i, e)
		if how == game.UnknownSpot {
			return nil, round.Malformed(round.At(i, "spot"), "see the spots of "+t.Rec.Game, "unknown spot %q", e.Spot)
		}
		switch e.Type {
		case round.Bet:
			t.bet(s, i, e, how)
		case round.Withdraw:
			if err := t.withdraw(s, i, e, w); err != nil {
				return nil, err
			}
		case round.Pay, round.Return, round.Collect:
			if c := s.By[game.PlaceOf(e)]; c != nil && (e.Type != round.Collect || gaveUp[e.Seat]) {
				c.settled = true
			}
		}
	}
	return s, nil
}

// usual fills in what the game leaves to the family.
func (t *Table) usual(w Windows) Windows {
	if w.LateOut == nil {
		from := t.Close
		if w.Fixed {
			from = min(from, t.FirstFit(func(e *round.Event) bool { return e.Type == round.Incident && e.Kind == faceUpInShoe }))
		}
		w.LateOut = func(i int, e *round.Event) bool { return i > from && !w.freed(i, e) }
	}
	if w.Own == nil {
		w.Own = func(i int, _ *round.Event) bool { return i > t.decision }
	}
	return w
}

// knows refuses a move between spots that the game does not have.
func (t *Table) knows(w Windows, i int, e *round.Event) error {
	for _, x := range []struct{ field, spot string }{{"from", e.From}, {"to", e.To}} {
		on := *e
		if on.Spot = x.spot; w.Bet(i, &on) == game.UnknownSpot {
			return round.Malformed(round.At(i, x.field), "see the spots of "+t.Rec.Game, "unknown spot %q", x.spot)
		}
	}
	return nil
}

func (t *Table) bet(s *Stakes, i int, e *round.Event, how game.BetState) {
	c := s.place(game.PlaceOf(e), i)
	if how != game.Late {
		c.Last = i
	}
	switch how {
	case game.Late:
		c.late += e.Amount
		t.Add(round.Finding{Code: finding.LateBet, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
	case game.Refused:
		c.Refused = true
		c.Stake += e.Amount
	default:
		c.Stake += e.Amount
	}
}

func (t *Table) withdraw(s *Stakes, i int, e *round.Event, w Windows) error {
	c := s.By[game.PlaceOf(e)]
	if w.Own(i, e) || c != nil && c.settled {
		return nil // the player takes his own chips
	}
	if c == nil || e.Amount > c.there() {
		return round.Malformed(round.At(i, "amount"), "a withdrawal is at most what lies there", "withdraws %d from %s of seat %d", e.Amount, e.Spot, e.Seat)
	}
	back := min(c.late, e.Amount)
	c.late -= back
	c.Stake -= e.Amount - back
	if i > t.FirstDealt {
		c.gone += e.Amount - back
	}
	if w.freed(i, e) {
		c.freed += e.Amount - back
	}
	if e.Amount > back && w.LateOut(i, e) {
		t.Add(round.Finding{Code: finding.LateWithdrawal, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
	}
	return nil
}

// Limit checks a stake against the table's least and most; 0 is no limit.
func (t *Table) Limit(c *Chips, least, most money.Cents) {
	if c.Refused || c.Stake == 0 {
		return
	}
	if least > 0 && c.Put() < least {
		t.OnStake(c, finding.BetBelowMin, least)
	}
	if most > 0 && c.Put() > most {
		t.OnStake(c, finding.BetAboveMax, most)
	}
}

// OnStake raises a code about a stake: the limit and the stake.
func (t *Table) OnStake(c *Chips, code finding.Code, limit money.Cents) {
	t.Amounts(c.Last, code, c.Place, limit, c.Put())
}

// Settle makes one settlement entry of each spot with chips: decide fills
// those that play.
func (t *Table) Settle(s *Stakes, decide func(c *Chips, e *Entry)) []*Entry {
	var list []*Entry
	for _, c := range s.List {
		e := &Entry{Due: settle.On(c.Place, c.Stake)}
		e.Back = c.late
		switch {
		case c.Refused && c.Stake > 0:
			e.Void()
			t.Add(round.Finding{Code: finding.BetNotAllowed, Event: c.Last, Seat: c.Seat, Spot: c.Spot, Observed: c.Stake})
		case c.Stake == 0 && c.late > 0:
			e.Stake, e.Back = c.late, 0
			e.Void()
		case c.Stake == 0:
			continue
		default:
			decide(c, e)
		}
		list = append(list, e)
	}
	return list
}

// Chapter are how this family judges movements (point cards, 0.4): money that
// went the wrong way is not reported as an omission too, a loser or a half is
// not collected beyond the loss, a stake goes back whole or not at all, and what annuls
// each other did not happen.
var Chapter = settle.Rules{HalfPaid: finding.PushPaid, Deducts: true, Over: true, Explains: true, Annuls: true,
	GivenBack: map[round.Outcome]settle.Bound{
		round.Lose: settle.Exactly, round.Push: settle.Exactly, round.Stay: settle.Exactly, round.Prison: settle.Exactly,
		round.Void: settle.Exactly}}

// Entry is what is due on one spot of one seat, and how its money is judged.
type Entry struct {
	settle.Due
	By *settle.Rules // nil: as the family does
}

// CollectFirst raises the first losing stake that is collected after a payment, both among
// the events in [from, to), and reports whether there is none.
func (t *Table) CollectFirst(list []*Entry, from, to int) bool {
	lost := map[game.Place]bool{}
	for _, e := range list {
		lost[e.Place()] = lost[e.Place()] || e.Outcome == round.Lose
	}
	_, late := settle.PaidBeforeCollect(t.Events, from, to, func(p game.Place) bool { return lost[p] })
	if late >= 0 {
		t.At(late, finding.PaidBeforeCollect)
	}
	return late < 0
}

// CheckMoney compares every entry with the movements and closes the settlement.
func (t *Table) CheckMoney(list []*Entry) {
	due, end := make(map[game.Place]bool, len(list)), settle.EndOf(t.Rec)
	for k, e := range list {
		e.Rule = t.Cite(spotTopic(e.Spot))
		t.Verdict.Settlement = append(t.Verdict.Settlement, e.Settlement)
		if e.Outcome == round.Unknown {
			t.Add(round.Finding{Code: finding.NotObservable, Event: t.Last, Seat: e.Seat, Spot: e.Spot})
		}
		if p := e.Place(); !due[p] {
			due[p] = true
			moved := t.Moved.Of(p)
			whole := together(e, list[k+1:], moved.Return.Amount)
			t.AddAll(cmp.Or(e.By, &Chapter).Compare(&whole, moved, end))
		}
	}
	for p, m := range t.Moved {
		if !due[p] {
			t.AddAll(Chapter.Stray(p, *m))
		}
	}
}

// together is what may move on the place of an entry, on which a further entry may stand:
// that of a stake that joined another in prison. Where half of one is lost, what the other
// keeps whole need not be given back, but may.
func together(e *Entry, rest []*Entry, back money.Cents) settle.Due {
	sum, whole := e.Due, money.Cents(0)
	add := func(d *settle.Due) {
		if d.Outcome == round.Push {
			whole += d.Returns
		}
		if d.Outcome == round.Half {
			sum.Outcome = round.Half
			sum.Returns += d.Returns
		}
	}
	joined := false
	for _, o := range rest {
		if o.Place() != e.Place() {
			continue
		}
		if !joined {
			joined, sum.Returns = true, 0
			add(&e.Due)
		}
		sum.Stake, sum.Must, sum.May = sum.Stake+o.Stake, sum.Must+o.Must, sum.May+o.May
		add(&o.Due)
	}
	if joined && sum.Outcome != round.Half || back > sum.Returns {
		sum.Returns += whole
	}
	return sum
}
