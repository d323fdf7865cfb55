package wheels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// stake are the chips on one spot of one seat.
type stake struct {
	game.Place
	carried   money.Cents // from the previous round
	fresh     money.Cents // laid in time in this round
	late      money.Cents // laid too late and not given back
	taken     money.Cents // taken back too late: it still plays
	givenBack money.Cents // returned of late chips
	zeros     int         // zeros that a prisoner has suffered
	refused   bool        // the norm does not admit the new chips
	first     int         // first bet that counts, -1 when none
	last      int         // last bet
	fellow    *stake      // a further prisoner of the same seat and chance
}

// total is what plays.
func (s *stake) total() money.Cents {
	if s.refused {
		return s.carried
	}
	return s.carried + s.fresh
}

// at is the stake of a place, made when there is none.
func (t *table) at(p game.Place) *stake {
	s := t.stakes[p]
	if s == nil {
		s = t.room.New(stake{Place: p, first: -1, last: -1})
		t.stakes[p] = s
	}
	return s
}

// lay follows the chips through the record.
func (t *table) lay() error {
	late := []int{}
	for i := range t.ev {
		e := &t.ev[i]
		var err error
		switch e.Type {
		case round.Bet:
			if accepted := t.accepted(i); accepted || t.open[i] {
				t.put(t.at(game.PlaceOf(e)), i, e.Amount)
			} else {
				late = append(late, i)
			}
		case round.Withdraw:
			err = t.withdraw(i, late)
		case round.Move:
			err = t.move(i)
		}
		if err != nil {
			return err
		}
	}
	t.lateBets(late)
	return nil
}

func (t *table) put(s *stake, i int, amount money.Cents) {
	s.fresh += amount
	s.last = i
	if s.first < 0 {
		s.first = i
	}
}

// take takes chips off in time; more than there are cannot be.
func (t *table) take(p game.Place, i int, amount money.Cents) error {
	s := t.at(p)
	if amount > s.carried+s.fresh {
		return round.Malformed(round.At(i, "amount"), "check the bets on this spot",
			"takes %d from %s of seat %d where %d lie", amount, p.Spot, p.Seat, s.carried+s.fresh)
	}
	rest := max(amount-s.fresh, 0)
	s.fresh -= amount - rest
	s.carried -= rest
	return nil
}

// keeper is a game in which some stakes may not be taken back even in time, nor
// moved; the code that it names for a withdrawal at event i is raised and the stake
// plays on.
type keeper interface {
	kept(t *table, s *stake, i int) (code finding.Code)
}

// keeps is what the game says of a stake that is taken from a place; "" where it may be.
func (t *table) keeps(p game.Place, i int) finding.Code {
	if k, ok := t.play.(keeper); ok {
		return k.kept(t, t.at(p), i)
	}
	return ""
}

// withdraw follows chips that a player takes. In a window what exceeds his
// stake comes from chips that he had laid too late on the spot.
func (t *table) withdraw(i int, late []int) error {
	e := &t.ev[i]
	p := game.PlaceOf(e)
	if code := t.keeps(p, i); code != "" {
		t.at(p).taken += e.Amount
		t.kept[i] = true
		if code != finding.LateWithdrawal && t.HasCode(code, p.Seat, p.Spot) {
			return nil // a further movement of the same act
		}
		x := round.Finding{Code: code, Event: i, Seat: p.Seat, Spot: p.Spot}
		if code == finding.LateWithdrawal {
			x.Observed = e.Amount
		}
		t.add(t.rules.Articles.Bets, x)
		return nil
	}
	if t.open[i] {
		s := t.at(p)
		rest := e.Amount - s.carried - s.fresh
		if rest > 0 && rest <= t.laidLate(p, late) {
			if t.over == nil {
				t.over = map[int]money.Cents{}
			}
			t.over[i] = rest
			s.carried, s.fresh = 0, 0
			return nil
		}
		return t.take(p, i, e.Amount)
	}
	return nil // too late: judged in lateBets, when it is known what was given back
}

func (t *table) beforeOutcome(i int) bool { return t.outcome < 0 || i < t.outcome }

// move follows a bet that changes its spot.
func (t *table) move(i int) error {
	e := &t.ev[i]
	if strings.TrimPrefix(e.From, "prison:") == strings.TrimPrefix(e.To, "prison:") {
		return nil
	}
	if t.outcome >= 0 && i > t.outcome {
		return nil // settlement: the game judges its own moves
	}
	from, to := game.Place{Seat: e.Seat, Spot: e.From}, game.Place{Seat: e.Seat, Spot: e.To}
	late := round.Finding{Code: finding.LateBet, Event: i, Seat: e.Seat, Spot: e.From, Observed: e.Amount}
	if t.open[i] || t.rules.Late.Corrected {
		switch code := t.keeps(from, i); code {
		case "":
		case finding.LateWithdrawal: // what may not be taken any more may not be moved either
			t.add(t.rules.Articles.Conduct, late)
			return nil
		default:
			t.add(t.rules.Articles.Bets, round.Finding{Code: code, Event: i, Seat: e.Seat, Spot: e.From})
			return nil
		}
		amount := e.Amount
		if s := t.at(from); !t.open[i] {
			amount = min(amount, s.carried+s.fresh) // chips that came too late play nowhere
		}
		if err := t.take(from, i, amount); err != nil {
			return err
		}
		if amount > 0 {
			t.put(t.at(to), i, amount)
		}
		return nil
	}
	t.add(t.rules.Articles.Conduct, late)
	return nil
}

// admission raises what the norm does not admit, and the limits.
func (t *table) admission() {
	for p, s := range t.stakes {
		if s.first < 0 && s.late == 0 {
			continue
		}
		if !t.play.admits(t, s) {
			s.refused = true
			t.add(t.rules.Articles.Bets, round.Finding{Code: finding.BetNotAllowed, Event: t.firstBet(p, s), Seat: p.Seat,
				Spot: p.Spot})
			continue
		}
		if s.fresh > 0 {
			t.limit(s)
		}
	}
}

// firstBet is the first bet that put chips on the place and was not given back.
func (t *table) firstBet(p game.Place, s *stake) int {
	if s.first >= 0 {
		return s.first
	}
	return max(game.Find(t.ev, 0, len(t.ev), func(e *round.Event) bool {
		return e.Type == round.Bet && e.Seat == p.Seat && e.Spot == p.Spot
	}), 0)
}

// limit is what a stake may be; 0 is unlimited. Where a stake consists of so many
// equal chips, the limits are those of one.
type limit struct {
	min, max money.Cents
	chips    money.Cents // 0 and 1: the stake as a whole
}

func (t *table) limit(s *stake) {
	l := t.play.limits(t, s)
	placed := s.total() / max(l.chips, 1) // an announced bet that its chips do not divide is not admitted
	raise := func(code finding.Code, expected money.Cents) {
		x := game.Amounts(round.Finding{Code: code, Event: s.last, Seat: s.Seat, Spot: s.Spot}, expected, placed)
		t.add(t.rules.Articles.Limits, x)
	}
	if l.min > 0 && placed < l.min {
		raise(finding.BetBelowMin, l.min)
	}
	if l.max > 0 && placed > l.max {
		raise(finding.BetAboveMax, l.max)
	}
}

// bets is the carry of the dice games whose stakes may stay.
type bets struct {
	Bets []Kept `json:"bets,omitempty"`
}

// Kept is a stake that stays on the table.
type Kept struct {
	Seat   int         `json:"seat"`
	Spot   string      `json:"spot"`
	Amount money.Cents `json:"amount"`
}

// lay puts carried stakes on the table.
func (t *table) carryBets(list []Kept, allowed func(spot string) bool) error {
	for i, b := range list {
		path := fmt.Sprintf("carry.bets[%d]", i)
		s := t.at(game.Place{Seat: b.Seat, Spot: b.Spot})
		switch {
		case !allowed(b.Spot):
			return round.Malformed(path+".spot", "", "%s carries no bet on %q", t.Game.Code, b.Spot)
		case b.Seat < 1 || b.Amount <= 0 || b.Amount > round.MaxAmount:
			return round.Malformed(path, "", "a carried bet needs a seat and an amount above 0")
		case s.carried > 0:
			return round.Malformed(path, "add the two", "seat %d is there twice on %s", b.Seat, b.Spot)
		}
		s.carried = b.Amount
	}
	return nil
}

func sortKept(list []Kept) []Kept {
	slices.SortFunc(list, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
	return list
}

// staying are the stakes that the round leaves on the table.
func (t *table) staying() []Kept {
	out := []Kept{}
	for at, l := range t.lines {
		if l.Outcome == round.Stay || l.Outcome == round.Unknown {
			out = append(out, Kept{at.Seat, at.Spot, l.Stake})
		}
	}
	return sortKept(out)
}
