package infer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Outstanding reports whether money which is due did not move yet.
func (r *Ruling) Outstanding() bool {
	return r.Err == nil &&
		(narrate.Has(r.Verdict, finding.PayoutMissing) || narrate.Has(r.Verdict, finding.LoserNotCollected))
}

// SettledAt is when the last thing happened that belongs to the round.
func (r *Ruling) SettledAt(since time.Time, c scene.CourseKind) time.Time {
	at := scene.Latest(r.lastUnseen(), r.Last(func(e round.Event) bool {
		return e.Type != round.Clear && e.Type != round.Bet && e.Type != round.Withdraw
	}))
	if c == scene.ByCards {
		at = scene.Latest(at, since)
	} else {
		at = scene.Latest(at, r.hiddenStakes())
	}
	for _, m := range r.Moves {
		// No event is what goes to a pot that is pushed at once, nor who takes up his winnings.
		if c == scene.ByCards && m.Delta < 0 && m.From.Before(since) ||
			c != scene.ByCards && m.Place.Spot == scene.PaySpot {
			at = scene.Latest(at, m.At)
		}
	}
	return at
}

// TouchedAt is when hands last left chips as they lay where money is due that was not seen to
// move: it may have been paid and taken up under them. Zero: none did.
func (r *Ruling) TouchedAt() (t time.Time) {
	if !r.Outstanding() {
		return t
	}
	out := max(r.Scene.Outcome(), 0)
	for _, o := range r.Scene.Occlusions {
		if r.settledOn(o.Place) && o.At.After(r.Scene.Events[out].At) {
			t = scene.Latest(t, o.At)
		}
	}
	return t
}

// settledOn reports whether a stake lies on a place, or winnings are pushed there.
func (r *Ruling) settledOn(p scene.Place) bool {
	_, staked := r.DueOn(p)
	return staked || p.Spot == scene.PaySpot
}

// hiddenStakes is when chips were last seen that could not be counted, since the
// outcome, where a stake lies or winnings are pushed to: what was done there
// belongs to the round. Zero: none were.
func (r *Ruling) hiddenStakes() (t time.Time) {
	for i := max(r.Scene.Outcome(), 0); i < len(r.Scene.Events); i++ {
		h := &r.Scene.Events[i]
		if h.Kind == scene.ChipsSeen && h.Chips.Hidden && !h.Chips.Occluded && r.settledOn(h.Place) {
			t = h.At
		}
	}
	return t
}

// Next is what a round that is over leaves for the next; its verdict has the same. Of a round
// that was not seen whole nobody knows what it decided.
func (in *Inference) Next(r *Ruling) narrate.CarryOver {
	if r.leaves == nil {
		c := in.next(r)
		r.leaves = &c
	}
	return *r.leaves
}

func (in *Inference) next(r *Ruling) narrate.CarryOver {
	watched := len(r.Scene.Reasons) == 0 || r.Game.Point && !r.ThrownUnseen() // each throw was seen and called
	watched = watched && !r.OutcomeMissed() && !r.ThrowMissed()
	v, err := in.Leaves(&r.Record, watched)
	if err != nil {
		return narrate.CarryOver{}
	}
	r.Verdict.Next = v.Next
	switch {
	case r.Game.Point && r.pointMissed():
		return narrate.CarryOver{PointUnknown: true}
	case r.PointUnknown:
		return narrate.CarryOver{} // a seven ended it; what still lies there is bet anew
	}
	raw, _ := v.Carry() // nil where it cannot be written
	next := narrate.CarryOver{Raw: raw, Hidden: r.Hidden}
	if r.Game.Point {
		next.Uncounted = r.UncountedBets()
	}
	return next
}

// pointMissed reports whether nobody knows what the throws of a round have decided.
func (r *Ruling) pointMissed() bool {
	switch {
	case r.UnreadDice(), r.OutcomeMissed(), r.ThrowMissed() && !r.Threw(7):
		return true
	case r.Threw(7):
		return false
	}
	return r.PointUnknown || len(r.Scene.Reasons) > 0 && r.ThrownUnseen()
}

// HasOutcome reports whether a round came to cards, a ball or dice.
func (r *Ruling) HasOutcome() bool {
	return slices.ContainsFunc(r.Entries, func(e narrate.Entry) bool {
		return ofOutcome(e.Event) || e.Event.Is("null_throw")
	})
}

// ofOutcome reports whether an event is a card, the ball or the dice.
func ofOutcome(e round.Event) bool {
	return e.Type == round.CardDealt || e.Type == round.Ball || e.Type == round.Dice
}

// OutcomeMissed reports whether a round has no outcome, and there must have been one: it was
// called, or chips were moved after the bets were closed.
func (r *Ruling) OutcomeMissed() bool {
	if r.HasOutcome() {
		return false
	}
	closed := r.Scene.Last(func(h *scene.Event) bool { return h.IsCall(r.Game.Closing) })
	called := r.Scene.Last(func(h *scene.Event) bool { return scene.TotalCalled(h) > 0 })
	return called >= 0 || closed >= 0 && slices.ContainsFunc(r.Moves, func(m narrate.Move) bool {
		return m.From.After(r.Scene.Events[closed].At)
	})
}

// InGap reports whether a finding hangs on something that came about while nobody
// looked.
func (r *Ruling) InGap(f round.Finding) bool {
	unwatched := finding.Of(f.Code).Round.Unwatched
	switch {
	case len(r.Scene.Gaps) == 0:
		return false
	case r.Game.Held || !r.Last(exchanges).IsZero(): // one pot, or cards that others replace: all hangs together
		return r.Scene.HasGap(r.Scene.Start(), r.Now())
	case unwatched == finding.LiesThere:
		return false
	case unwatched == finding.MayBeTaken || unwatched == finding.SeenBefore:
		return r.takenUnseen(f)
	case unwatched == finding.WhenSaid:
		return slices.ContainsFunc(r.Entries, func(e narrate.Entry) bool {
			return e.Event.Type == round.Announce && r.amidGap(e.From, e.From, -1)
		})
	}
	e, ok := r.Entry(f)
	return !ok || r.amidGap(e.From, e.At, f.Event) || r.Scene.HasGap(e.From, e.At)
}

// exchanges reports whether cards are changed for others by an event.
func exchanges(e round.Event) bool { return e.Action == "draw" || e.Action == "buy_card" }

// amidGap reports whether a time overlaps with another event that came about while
// nobody looked: nobody knows which was first.
func (r *Ruling) amidGap(from, to time.Time, but int) bool {
	for i, e := range r.Entries {
		if i != but && e.Event.Type != round.Announce && !e.From.After(to) && !e.At.Before(from) &&
			r.Scene.HasGap(e.From, e.At) {
			return true
		}
	}
	return false
}

// takenUnseen reports whether chips a finding speaks of were taken while nobody
// looked: what was laid there before may have been taken with them. What was
// seen to be too much is so whatever was taken later.
func (r *Ruling) takenUnseen(f round.Finding) bool {
	counts := func(t time.Time) bool { return !t.IsZero() }
	if e, ok := r.Entry(f); ok && finding.Of(f.Code).Round.Unwatched == finding.SeenBefore {
		counts = func(t time.Time) bool { return !t.IsZero() && !t.After(e.At) }
	}
	return counts(r.Scene.GapHands[f.Seat]) || slices.ContainsFunc(r.Moves, func(m narrate.Move) bool {
		return m.Place.Seat == f.Seat && m.Delta < 0 && counts(m.At) && r.Scene.HasGap(m.From, m.At)
	})
}

// lastUnseen is when chips were last taken, or may have been, while nobody looked.
func (r *Ruling) lastUnseen() (t time.Time) {
	for _, at := range r.Scene.GapHands {
		t = scene.Latest(t, at)
	}
	for _, m := range r.Moves {
		if m.Delta < 0 && r.Scene.HasGap(m.From, m.At) {
			t = scene.Latest(t, m.At)
		}
	}
	return t
}

// potBalances reports, where all play for one pot, whether what was bet is what the house
// deducted and what was pushed to players, with what is left in the pot or without: nobody may
// have seen that go.
func (r *Ruling) potBalances() bool {
	in, out, left := narrate.PotFlow(r.Record.Events, r.Moves)
	return r.Game.Held && out > 0 && (in == out || in == out+left)
}

// accounted reports whether a pot balances by chips that were counted where they lay: not if what was
// bet or what was pushed is recorded by what the pot held, which gives the sum and not whose it was.
func (r *Ruling) accounted() bool { return r.potBalances() && !r.OfPot }

// vanished reports whether money of a pot is in the end neither given out nor left there, or comes
// from nowhere.
func (r *Ruling) vanished() bool { return r.Final && r.Game.Held && !r.potBalances() }

// Ruling is a scene narrated and judged under a hypothesis.
type Ruling struct {
	*narrate.Narration
	seen         *scene.Scene // as it was seen; the narration's may have other times
	Record       round.Record
	Verdict      round.Verdict
	Err          error
	weight       float64 // of its hypothesis and of just its mistakes, against the likeliest without any
	needs        int     // mistakes
	procedureToo bool    // a procedure was not followed beside them
	read         bool    // the rack was,
	shows        float64 // and how likely it is that it grew by what is recorded
	carried      narrate.CarryOver
	leaves       *narrate.CarryOver // see Next
	// What is foreseen of a running round: losing bets that are left while others are
	// paid, and those that nobody will collect, since when that is known.
	Uncollected []scene.Place
	Forgotten   map[scene.Place]time.Time
	tried       []*Ruling          // see hypotheses
	known       map[string]*Ruling // by hypothesis
	gaps        []hole             // see holes
}

// Unverifiable is why the round cannot be verified; empty when it can.
func (r *Ruling) Unverifiable() string {
	switch why := r.Scene.Unverifiable(); {
	case why != "":
		return why
	case r.PointUnknown:
		return "the throws before were not seen: the point is not known until a seven"
	case r.UnreadDice():
		return "the dice could not be read"
	case r.ThrowMissed():
		return "a throw was called that was not seen"
	case len(r.Uncounted) > 0 && r.Game.Interdependent():
		return "a bet could not be counted"
	}
	return ""
}

// ofMoney reports whether a finding speaks of amounts on a spot.
func ofMoney(f round.Finding) bool { return finding.Of(f.Code).About == finding.Money }

// About names a finding within its round.
type About struct {
	code finding.Code
	seat int
	spot string
	zone string
}

// Compare orders what findings are about by place and code.
func (a About) Compare(b About) int {
	return cmp.Or(
		cmp.Compare(a.seat, b.seat), cmp.Compare(a.spot, b.spot), cmp.Compare(a.zone, b.zone),
		cmp.Compare(a.code, b.code))
}

// AboutOf names what a finding is about.
func AboutOf(f round.Finding) About { return About{f.Code, f.Seat, f.Spot, f.Zone} }

// Unsure reports whether a finding hangs on chips that nobody could count, or
// only roughly: what is due on one spot may follow from another of the seat.
func (r *Ruling) Unsure(f round.Finding) bool {
	if r.ofPot(f) {
		return !r.accounted() && (r.Hidden || r.AnyRough() || len(r.Uncounted)+len(r.UncountedSince) > 0)
	}
	if r.hangsOnHidden(f) {
		return true
	}
	if slices.Contains(r.Game.Bank, f.Spot) && r.AnyRough() && ofMoney(f) {
		return true // what is due to the bank, from what all others have
	}
	counts := finding.Of(f.Code).Round.Counts
	ofBank := func(p scene.Place) bool { return slices.Contains(r.Game.Bank, p.Spot) }
	if counts == finding.OfBank && slices.ContainsFunc(slices.Collect(maps.Keys(r.UncountedSince)), ofBank) {
		return true // the bank's amount may be what was called
	}
	if f.Seat == 0 || f.Spot == "" {
		return false
	}
	if counts == finding.OfNone {
		return r.NeverCounted[f.Seat]
	}
	_, dark := r.UncountedSince[narrate.Physical(f.Seat, f.Spot)]
	_, unpaid := r.UncountedSince[scene.PayPlace(f.Seat)]
	return r.Rough[f.Seat] || counts == finding.OfSpot && (dark || unpaid)
}

// uncounted reports whether a finding hangs on chips that nobody could count, and the rack does not make up for it.
func (r *Ruling) uncounted(f round.Finding) bool {
	return (r.Unsure(f) || r.SpeaksOfUncounted(f)) && !(ofMoney(f) && r.balances())
}

// hangsOnHidden reports whether a finding hangs on chips which at some time of the round lay
// where they could not be counted, in a game in which a player keeps the bank: how much it
// holds follows from them, in the next round too.
func (r *Ruling) hangsOnHidden(f round.Finding) bool {
	return len(r.Game.Bank) > 0 && (r.Hidden || r.HiddenBefore) &&
		(finding.Of(f.Code).Round.Pot || f.Code == finding.AnnouncementWrong)
}

// ofPot reports whether a finding follows from what all have bet for one pot.
func (r *Ruling) ofPot(f round.Finding) bool {
	return r.Game.Held && (finding.Of(f.Code).Round.Pot || f.Code == finding.AnnouncementMissing)
}

// ofPlay are the codes that speak of what a seat has bet, and of what it may do for that.
var ofPlay = map[finding.Code]bool{
	finding.LateBet: true, finding.LateWithdrawal: true, finding.BetBelowMin: true, finding.BetAboveMax: true,
	finding.BetNotAllowed: true,
	finding.SideBetLimit:  true, finding.RaiseWrong: true, finding.PlayerActionNotAllowed: true,
	finding.OtherProcedure:   true,
	finding.PayoutOrderWrong: true, finding.PaidBeforeCollect: true,
}

// SpeaksOfUncounted reports whether a finding is about the money of a seat whose bet could not
// be counted, or of the spot of one of which nobody knows whose it is: that may be any
// seat's, and what is paid to anybody may be for it.
func (r *Ruling) SpeaksOfUncounted(f round.Finding) bool {
	if r.ofPot(f) {
		return false // all hangs together there, see Unsure
	}
	for p := range r.Uncounted {
		switch {
		case f.Code == finding.VoidRoundSettled, f.Code == finding.DealOrderWrong:
			return true // a wrong bet of anybody makes a round void, and who has bet is dealt to
		case !ofMoney(f) && !ofPlay[f.Code]:
		case p.Seat > 0 && f.Seat == p.Seat, p.Seat == 0 && (narrate.Physical(0, f.Spot).Spot == p.Spot ||
			ofMoney(f) && finding.Of(f.Code).Round.Unwatched == finding.SeenBefore):
			return true
		}
	}
	return false
}
