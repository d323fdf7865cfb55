package track

import (
	"slices"
	"time"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// omission is how long it is given to do what should have been done by then, and to
// say a word otherwise.
const omission = time.Second

// swept is how long before an arm came to the pot a bet that it takes there may be told
// as given back.
const swept = time.Second

// premature tells that a finding of a running round must wait: for the decision of
// the round, for the end of the betting (which comes again and again where all
// play for one pot), or for what is done with chips that may be a payment.
func (s *story) premature(f round.Finding, at time.Time) bool {
	switch finding.Of(f.Code).Round.Running.Needs {
	case finding.Decided:
		return s.undecided(f)
	case finding.DecidedOrTooMuch:
		return s.undecided(f) && !(s.allShown && more(f.Expected, f.Observed))
	case finding.Collected: // all is settled as if the bank had the hand to play, or had it not
		return !s.early || s.collecting()
	case finding.CardNotToCome:
		return f.Observed == "carta" && s.awaited(f)
	case finding.BetsClosed:
		return s.g.held || s.close.IsZero() && (s.g.closing != "" || len(s.hand) == 0)
	case finding.NoPayment:
		return s.mayBePayment(at)
	case finding.CardsTooMany:
		return !s.tooMany(f)
	case finding.BurntTooMany:
		return !s.burntTooMany(f)
	case finding.HandRead:
		return !s.setWhole(f)
	case finding.RaiseLaid:
		return !s.lays(f)
	case finding.RoundAnnulled:
		return !s.toldOf(f, func(e round.Event) bool { return e.Is("jugada_anulada") })
	case finding.CollectedEarly:
		return !s.early || !s.toldOf(f, func(e round.Event) bool { return e.Type == round.Collect })
	}
	return false
}

// undecided tells that the bet of a finding is not decided yet.
func (s *story) undecided(f round.Finding) bool {
	return !s.early && !s.lost[physical(f.Seat, f.Spot)]
}

// awaited tells that the card of which the call of a finding speaks may still come: nothing
// was done since.
func (s *story) awaited(f round.Finding) bool {
	return s.sc.cleared.IsZero() && !slices.ContainsFunc(s.told[min(f.Event+1, len(s.told)):], func(e told) bool {
		return e.event.Type == round.CardDealt || e.event.Movement() || e.event.Is("ganador")
	})
}

// collecting tells that losing bets lie there that may still be collected.
func (s *story) collecting() bool {
	return s.sc.cleared.IsZero() && slices.ContainsFunc(s.due, func(e round.Settlement) bool {
		return e.Outcome == round.Lose && e.Stake > e.Returns && !s.taken(e)
	})
}

// toldOf tells that the event of a finding is of a kind.
func (s *story) toldOf(f round.Finding, is func(round.Event) bool) bool {
	return f.Event >= 0 && f.Event < len(s.told) && is(s.told[f.Event].event)
}

// tooMany tells that more cards lie somewhere than are due: all of them are seen, while
// of too few some may not be yet.
func (s *story) tooMany(f round.Finding) bool {
	due, _ := f.Expected.(int)
	lie, ok := f.Observed.(int)
	return ok && lie > due && !s.unread()
}

// burntTooMany tells that the shoe or the terminal counted more cards put aside than are
// prescribed: of fewer more may come, and one that is seen may be no card put aside.
func (s *story) burntTooMany(f round.Finding) bool {
	due, _ := f.Expected.(int)
	burnt, _ := f.Observed.(int)
	return burnt > due && s.toldOf(f, func(e round.Event) bool { return e.Type == round.Burn && e.Count > 1 })
}

// more tells that what was observed is more money than was expected.
func more(expected, observed any) bool {
	due, _ := expected.(money.Cents)
	moved, ok := observed.(money.Cents)
	return ok && moved > due
}

// setWhole tells that all cards of two hands that were set wrong are read: of fewer
// some may still lie under a hand.
func (s *story) setWhole(f round.Finding) bool {
	return s.toldOf(f, func(e round.Event) bool {
		return len(e.High) >= 5 && len(e.Low) >= 2 && !slices.Contains(e.High, card.Unseen) && !slices.Contains(e.Low, card.Unseen)
	})
}

// lays tells that the event of a finding is the bet of which it speaks.
func (s *story) lays(f round.Finding) bool {
	return s.toldOf(f, func(e round.Event) bool { return e.Type == round.Bet && e.Spot == f.Spot })
}

// atEvent is when the event of a finding came about.
func (r *ruling) atEvent(f round.Finding) time.Time {
	if f.Event < 0 || f.Event >= len(r.told) {
		return r.story.now()
	}
	return r.told[f.Event].at
}

// unclosed tells that a finding is that nobody closed the bets: once chips have moved, or
// it was called what fell, a late call would not do any more.
func (r *ruling) unclosed(f round.Finding) bool {
	return f.Code == finding.AnnouncementMissing && f.Expected == "no_va_mas"
}

// dealtOn tells that a card which should lie face down was dealt while others were still
// to come: some that lie so followed it, or another hand has fewer cards. A hand is turned
// only when the deal is over, so this one was dealt so.
func (r *ruling) dealtOn(f round.Finding) bool {
	if !r.story.toldOf(f, func(e round.Event) bool { return e.Type == round.CardDealt && e.Face == "up" }) {
		return false
	}
	dealt := map[string]int{}
	for i, e := range r.told {
		if e.event.Type != round.CardDealt {
			continue
		}
		if dealt[e.event.Zone]++; i > f.Event && e.event.Face == "down" {
			return true
		}
	}
	for zone, n := range dealt {
		if seat, _ := handOf(zone); (seat > 0 || zone == "bank") && n < dealt[r.told[f.Event].event.Zone] {
			return true
		}
	}
	return false
}

// ofResult tells that a finding speaks of the call of what has come to rest, or lies there. What
// is called before the next card is right or wrong by what is dealt then, and who
// wins by the hands that are not turned yet.
func (r *ruling) ofResult(f round.Finding) bool {
	if f.Event < 0 || f.Event >= len(r.told) {
		return false
	}
	e := r.told[f.Event].event
	return r.story.allShown && e.Is("gana") || r.story.early && e.Is("ganador") || e.Is("hay_banca", "number", "total", "combination", "chance", "puntos", "puntos_mano", "puntos_banca")
}

// moved is when the first chips were collected or paid since a card, the ball or the dice
// lay there, from the n-th event on; zero when none were.
func (r *ruling) moved(n int) (t time.Time) {
	shown := false
	for i, e := range r.told {
		switch e.event.Type {
		case round.CardDealt, round.Ball, round.Dice:
			shown = true
		}
		if shown && i >= n && e.event.Movement() {
			t = earliest(t, e.at)
		}
	}
	return t
}

// named is when it was called first what fell; zero where nobody did.
func (r *ruling) named() (t time.Time) {
	for _, e := range r.told {
		if e.event.Is("number", "total", "combination", "chance") {
			t = earliest(t, e.at)
		}
	}
	return t
}

// lastTo is when a seat got chips last; zero when it got none.
func (r *ruling) lastTo(seat int) (t time.Time) {
	for _, e := range r.told {
		if (e.event.Type == round.Pay || e.event.Type == round.Return) && e.event.Seat == seat && e.at.After(t) {
			t = e.at
		}
	}
	return t
}

// settled is when the last chips were collected or paid; zero when none were.
func (r *ruling) settled() (t time.Time) {
	for _, e := range r.told {
		if e.event.Movement() && e.at.After(t) {
			t = e.at
		}
	}
	return t
}

// mayBePayment tells that what was laid at t is a bet only if the round goes on,
// which nobody knows yet: a card could not be read, or the bank stands where it
// must draw.
func (s *story) mayBePayment(t time.Time) bool {
	return s.unread() || !s.stalled.IsZero() && !t.Before(s.stalled)
}

// beingMended tells that a payment was just taken back to the chip: what comes
// next will tell whether it is put right.
func (s *story) beingMended(f round.Finding, now time.Time) bool {
	if f.Code == finding.PushCollected || f.Code == finding.CollectedWinner {
		return false // what was taken was no payment
	}
	var sum money.Cents
	var last time.Time
	p := physical(f.Seat, f.Spot)
	for _, m := range s.moves {
		if m.place == p && m.at.After(s.close) && !s.close.IsZero() && !s.staked(m) {
			sum += m.delta
			last = m.at
		}
	}
	return !last.IsZero() && sum == 0 && now.Sub(last) < s.slow
}

// staked tells that a movement was told as a bet.
func (s *story) staked(m move) bool {
	return slices.ContainsFunc(s.told, func(t told) bool {
		return t.event.Type == round.Bet && t.from.Equal(m.from) && physical(t.event.Seat, t.event.Spot) == m.place
	})
}

// pushedRoughly tells that chips which were pushed to a seat were counted only roughly:
// what is missing in the pot will tell them.
func (s *story) pushedRoughly(seat int) bool {
	for _, l := range s.loose {
		if l.place == (place{seat, paySpot}) {
			return true
		}
	}
	return false
}

// maySweep tells of a seat's bets that are told as given back since a time that they
// may have gone to the pot.
func (s *story) maySweep(seat int, since time.Time) bool {
	return s.g.held && slices.ContainsFunc(s.told, func(e told) bool {
		return e.event.Type == round.Return && e.event.Seat == seat && e.event.Spot == boteSpot && e.at.After(since)
	})
}
