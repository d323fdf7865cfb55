package track

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// outstanding tells that money which is due did not move yet.
func (r *ruling) outstanding() bool {
	return r.err == nil && (has(r.verdict, finding.PayoutMissing) || has(r.verdict, finding.LoserNotCollected))
}

// settledAt is when the last thing happened that belongs to the round.
func (r *ruling) settledAt(since time.Time, c course) time.Time {
	at := since
	if c != cards {
		at = time.Time{}
	}
	for _, e := range r.told {
		if e.event.Type != round.Clear && e.event.Type != round.Bet && e.event.Type != round.Withdraw && e.at.After(at) {
			at = e.at
		}
	}
	for _, m := range r.story.moves { // what goes to a pot that is pushed at once is no event
		if c == cards && m.delta < 0 && m.from.Before(since) && m.at.After(at) {
			at = m.at
		}
	}
	if t := r.story.lastUnseen(); t.After(at) {
		at = t
	}
	if t := r.story.hiddenStakes(); c != cards && t.After(at) {
		at = t
	}
	return at
}

// hiddenStakes is when chips were last seen that could not be counted, since the
// outcome, where a stake lies or winnings are pushed to: what was done there
// belongs to the round. Zero: none were.
func (s *story) hiddenStakes() (t time.Time) {
	for i := max(s.sc.outcome(), 0); i < len(s.sc.items); i++ {
		h := &s.sc.items[i]
		if h.kind != chipsSeen || !h.chips.hidden || h.chips.under {
			continue
		}
		if _, staked := s.entry(h.place); staked || h.place.Spot == paySpot {
			t = h.at
		}
	}
	return t
}

// carry is what the round leaves for the next.
func (r *ruling) carry() carryOver {
	switch {
	case r.story.adrift && !r.story.threw(7), r.story.g.point && r.story.unreadDice(),
		r.story.g.point && len(r.story.sc.marks) > 0 && r.story.thrownUnseen() && !r.story.threw(7):
		return carryOver{adrift: true}
	case r.story.adrift, !r.story.g.point && r.story.unreadDice():
		return carryOver{} // a seven, or whatever fell, ended it; what still lies there is bet anew
	}
	c := carryFrom(&r.verdict)
	c.hid = r.story.hid
	return c
}

// glimpsed tells that a finding hangs on something that came about while nobody
// looked.
func (s *story) glimpsed(f round.Finding) bool {
	unwatched := finding.Of(f.Code).Round.Unwatched
	switch {
	case len(s.sc.spans) == 0:
		return false
	case s.g.held || s.exchanged(): // one pot, or cards that others replace: all hangs together
		return s.sc.blinked(s.sc.start(), s.now())
	case unwatched == finding.LiesThere:
		return false
	case unwatched == finding.MayBeTaken || unwatched == finding.SeenBefore:
		return s.takenUnseen(f)
	case unwatched == finding.WhenSaid:
		return slices.ContainsFunc(s.told, func(e told) bool {
			return e.event.Type == round.Announce && s.amidBlink(e.from, e.from, -1)
		})
	case f.Event < 0 || f.Event >= len(s.told):
		return true
	}
	e := s.told[f.Event]
	return s.amidBlink(e.from, e.at, f.Event) || s.sc.blinked(e.from, e.at)
}

// exchanged tells that cards of the round were changed for others.
func (s *story) exchanged() bool {
	return slices.ContainsFunc(s.told, func(e told) bool { return e.event.Action == "draw" || e.event.Action == "buy_card" })
}

// amidBlink tells that a time overlaps with another event that came about while
// nobody looked: nobody knows which was first.
func (s *story) amidBlink(from, to time.Time, but int) bool {
	for i, e := range s.told {
		if i != but && e.event.Type != round.Announce && !e.from.After(to) && !e.at.Before(from) && s.sc.blinked(e.from, e.at) {
			return true
		}
	}
	return false
}

// takenUnseen tells that chips a finding speaks of were taken while nobody
// looked: what was laid there before may have been taken with them. What was
// seen to be too much is so whatever was taken later.
func (s *story) takenUnseen(f round.Finding) bool {
	counts := func(t time.Time) bool { return !t.IsZero() }
	if finding.Of(f.Code).Round.Unwatched == finding.SeenBefore && f.Event >= 0 && f.Event < len(s.told) {
		until := s.told[f.Event].at
		counts = func(t time.Time) bool { return !t.IsZero() && !t.After(until) }
	}
	return counts(s.sc.murky[f.Seat]) || slices.ContainsFunc(s.moves, func(m move) bool {
		return m.place.Seat == f.Seat && m.delta < 0 && counts(m.at) && s.sc.blinked(m.from, m.at)
	})
}

// lastUnseen is when chips were last taken, or may have been, while nobody looked.
func (s *story) lastUnseen() (t time.Time) {
	for _, at := range s.sc.murky {
		if at.After(t) {
			t = at
		}
	}
	for _, m := range s.moves {
		if m.delta < 0 && m.at.After(t) && s.sc.blinked(m.from, m.at) {
			t = m.at
		}
	}
	return t
}

// glimpse is the most that a finding is told with which hangs on what nobody
// watched.
const glimpse = 0.4

// balances reports, where all play for one pot, whether what was bet is what the house
// deducted and what was pushed to players.
func (r *ruling) balances() bool {
	var in, out money.Cents
	for _, e := range r.record.Events {
		switch e.Type {
		case round.Bet:
			in += e.Amount
		case round.Commission, round.Pay, round.Return, round.Withdraw:
			out += e.Amount
		}
	}
	return r.story.g.held && out > 0 && in == out
}

// ruling is a scene told and judged under a hypothesis.
type ruling struct {
	story   *story
	scene   *scene // as it was seen; the story's may have other times
	hyp     hypothesis
	record  round.Record
	told    []told
	verdict round.Verdict
	err     error
	weight  float64 // against the likeliest without a mistake
	carried carryOver
	tried   []*ruling          // see hypotheses
	known   map[string]*ruling // by hypothesis
}

// dark is why the round cannot be verified; empty when it can.
func (r *ruling) dark() string {
	switch why := r.story.sc.dark(); {
	case why != "":
		return why
	case r.story.adrift:
		return "the throws before were not seen: the point is not known until a seven"
	case r.story.unreadDice():
		return "the dice could not be read"
	case len(r.story.uncounted) > 0 && r.story.g.whole():
		return betOfNobody
	}
	return ""
}

// ofMoney tells that a finding speaks of amounts on a spot.
func ofMoney(f round.Finding) bool { return finding.Of(f.Code).About == finding.Money }

// about names a finding within its round.
type about struct {
	code finding.Code
	seat int
	spot string
	zone string
}

func key(f round.Finding) about { return about{f.Code, f.Seat, f.Spot, f.Zone} }

// uncounted is the most that a finding is told with which hangs on chips that
// nobody could count: of such findings nearly half are so (TestMistakesOfEveryCode).
const uncounted = 0.4

// unsure tells that a finding hangs on chips that nobody could count, or
// only roughly: what is due on one spot may follow from another of the seat.
func (s *story) unsure(f round.Finding) bool {
	if s.hangsOnHidden(f) {
		return true
	}
	if s.g.held && s.anyVague() && finding.Of(f.Code).Round.Pot {
		return true // what is due to anybody follows from what all have bet
	}
	if slices.Contains(s.g.bank, f.Spot) && s.anyVague() && ofMoney(f) {
		return true // what is due to the bank, from what all others have
	}
	counts := finding.Of(f.Code).Round.Counts
	if counts == finding.OfBank && s.bankDark() {
		return true // the bank's amount may be what was called
	}
	if f.Seat == 0 || f.Spot == "" {
		return false
	}
	if counts == finding.OfNone {
		return s.concealed[f.Seat]
	}
	_, dark := s.dark[physical(f.Seat, f.Spot)]
	_, unpaid := s.dark[place{f.Seat, paySpot}]
	return s.vague[f.Seat] || counts == finding.OfSpot && (dark || unpaid)
}

// bankDark tells that the chips of a bank that is called could not be counted.
func (s *story) bankDark() bool {
	for p := range s.dark {
		if slices.Contains(s.g.bank, p.Spot) {
			return true
		}
	}
	return false
}

// betOfNobody is said of a round that hangs on a bet which could not be counted.
const betOfNobody = "a bet could not be counted"

// hangsOnHidden tells that a finding hangs on chips which at some time of the round lay
// where they could not be counted, in a game in which all hangs on every bet: who has won
// without showing follows from them, or how much the bank holds, in the next round too.
func (s *story) hangsOnHidden(f round.Finding) bool {
	money := finding.Of(f.Code).Round.Pot
	if len(s.g.bank) > 0 {
		return (s.hid || s.inherited) && (money || f.Code == finding.AnnouncementWrong)
	}
	return s.hid && s.g.held && (money || f.Code == finding.AnnouncementMissing)
}

// unknownBets are the places of bets that could not be counted, in order.
func (s *story) unknownBets() []place {
	return slices.SortedFunc(maps.Keys(s.uncounted), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
}

// ofPlay are the codes that speak of what a seat has bet, and of what it may do for that.
var ofPlay = map[finding.Code]bool{
	finding.LateBet: true, finding.LateWithdrawal: true, finding.BetBelowMin: true, finding.BetAboveMax: true, finding.BetNotAllowed: true,
	finding.SideBetLimit: true, finding.RaiseWrong: true, finding.PlayerActionNotAllowed: true, finding.OtherProcedure: true,
	finding.PayoutOrderWrong: true, finding.PaidBeforeCollect: true,
}

// speaksOfUncounted tells that a finding is about the money of a seat whose bet could not
// be counted, or of the spot of one of which nobody knows whose it is: that may be any
// seat's, and what is paid to anybody may be for it.
func (s *story) speaksOfUncounted(f round.Finding) bool {
	for p := range s.uncounted {
		switch {
		case f.Code == finding.VoidRoundSettled:
			return true // a wrong bet of anybody makes a round void
		case !ofMoney(f) && !ofPlay[f.Code]:
		case p.Seat > 0 && f.Seat == p.Seat, p.Seat == 0 && (physical(0, f.Spot).Spot == p.Spot || ofMoney(f) && finding.Of(f.Code).Round.Unwatched == finding.SeenBefore):
			return true
		}
	}
	return false
}
