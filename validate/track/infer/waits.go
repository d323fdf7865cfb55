package infer

import (
	"maps"
	"slices"
	"time"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Premature reports whether a finding of a running round must wait: for the decision of
// the round, for the end of the betting (which comes again and again where all
// play for one pot), or for what is done with chips that may be a payment.
func (r *Ruling) Premature(f round.Finding, at time.Time) bool {
	switch finding.Of(f.Code).Round.Running.Needs {
	case finding.Decided:
		return r.undecided(f)
	case finding.DecidedOrTooMuch:
		return r.undecided(f) && !(r.AllShown && More[money.Cents](f))
	case finding.Collected: // all is settled as if the bank had the hand to play, or had it not
		return !r.Decided || r.collecting()
	case finding.CardNotToCome:
		return f.Observed == "carta" && r.awaited(f)
	case finding.BetsClosed:
		return r.Game.Held || r.Close.IsZero() && (r.Game.Closing != "" || len(r.Hand) == 0)
	case finding.NoPayment:
		// What was laid is a bet only if the round goes on, which nobody knows yet: a card could not be read, or
		// the bank stands where it must draw.
		return r.Unread() || !r.Stalled.IsZero() && !at.Before(r.Stalled)
	case finding.CardsTooMany: // all of them are seen, while of too few some may not be yet
		return !More[int](f) || r.Unread()
	case finding.BurntTooMany: // counted by the shoe or the terminal; one that is seen may be no card put aside
		return !More[int](f) || !r.eventIs(f, func(e round.Event) bool { return e.Type == round.Burn && e.Count > 1 })
	case finding.HandRead:
		return !r.setWhole(f)
	case finding.RaiseLaid:
		return !r.eventIs(f, func(e round.Event) bool { return e.Type == round.Bet && e.Spot == f.Spot })
	case finding.RoundAnnulled:
		return !r.eventIs(f, func(e round.Event) bool { return e.Is("jugada_anulada") })
	case finding.CollectedEarly:
		return !r.Decided || !r.eventIs(f, func(e round.Event) bool { return e.Type == round.Collect })
	}
	return false
}

// undecided reports whether the bet of a finding is not decided yet.
func (r *Ruling) undecided(f round.Finding) bool {
	return !r.Decided && !r.Lost[narrate.Physical(f.Seat, f.Spot)]
}

// awaited reports whether the card of which the call of a finding speaks may still come: nothing
// was done since.
func (r *Ruling) awaited(f round.Finding) bool {
	return r.Scene.Cleared.IsZero() &&
		!slices.ContainsFunc(r.Entries[min(f.Event+1, len(r.Entries)):], func(e narrate.Entry) bool {
			return e.Event.Type == round.CardDealt || e.Event.Movement() || e.Event.Is("ganador")
		})
}

// collecting reports whether losing bets lie there that may still be collected.
func (r *Ruling) collecting() bool {
	return r.Scene.Cleared.IsZero() && slices.ContainsFunc(r.Due, func(e round.Settlement) bool {
		return e.Outcome == round.Lose && e.Stake > e.Returns && !r.Taken(e)
	})
}

// eventIs reports whether the event of a finding is of a kind.
func (r *Ruling) eventIs(f round.Finding, is func(round.Event) bool) bool {
	e, ok := r.Entry(f)
	return ok && is(e.Event)
}

// Entry is what was recorded of the event of a finding; false where it has none.
func (r *Ruling) Entry(f round.Finding) (e narrate.Entry, ok bool) {
	if f.Event < 0 || f.Event >= len(r.Entries) {
		return e, false
	}
	return r.Entries[f.Event], true
}

// More reports whether a finding is that more was observed than was expected: cards or money.
func More[T int | money.Cents](f round.Finding) bool {
	due, _ := f.Expected.(T)
	was, ok := f.Observed.(T)
	return ok && was > due
}

// setWhole reports whether all cards of two hands that were set wrong are read: of fewer
// some may still lie under a hand.
func (r *Ruling) setWhole(f round.Finding) bool {
	return r.eventIs(f, func(e round.Event) bool {
		return len(e.High) >= 5 && len(e.Low) >= 2 && !slices.Contains(e.High, card.Unseen) &&
			!slices.Contains(e.Low, card.Unseen)
	})
}

// AtEvent is when the event of a finding came about.
func (r *Ruling) AtEvent(f round.Finding) time.Time {
	if e, ok := r.Entry(f); ok {
		return e.At
	}
	return r.Now()
}

// Unclosed reports whether a finding is that nobody closed the bets: once chips have moved, or
// it was called what fell, a late call would not do any more.
func (r *Ruling) Unclosed(f round.Finding) bool {
	return f.Code == finding.AnnouncementMissing && f.Expected == "no_va_mas"
}

// DealtOn reports whether a card which should lie face down was dealt while others were still
// to come: some that lie so followed it, or another hand has fewer cards. A hand is turned
// only when the deal is over, so this one was dealt so.
func (r *Ruling) DealtOn(f round.Finding) bool {
	if !r.eventIs(f, func(e round.Event) bool { return e.Type == round.CardDealt && e.Face == "up" }) {
		return false
	}
	dealt := map[string]int{}
	for i, e := range r.Entries {
		if e.Event.Type != round.CardDealt {
			continue
		}
		if dealt[e.Event.Zone]++; i > f.Event && e.Event.Face == "down" {
			return true
		}
	}
	for zone, n := range dealt {
		if seat := scene.SeatOf(zone); (seat > 0 || zone == "bank") && n < dealt[r.Entries[f.Event].Event.Zone] {
			return true
		}
	}
	return false
}

// OfResult reports whether a finding speaks of the call of what has come to rest, or lies there. What
// is called before the next card is right or wrong by what is dealt then, and who
// wins by the hands that are not turned yet.
func (r *Ruling) OfResult(f round.Finding) bool {
	return r.eventIs(f, func(e round.Event) bool {
		return r.AllShown && e.Is("gana") || r.Decided && e.Is("ganador") ||
			e.Is("hay_banca", "number", "total", "combination", "chance", "puntos", "puntos_mano", "puntos_banca")
	})
}

// Moved is when the first chips were collected or paid since a card, the ball or the dice
// lay there, from the n-th event on; zero when none were.
func (r *Ruling) Moved(n int) (t time.Time) {
	shown := false
	for i, e := range r.Entries {
		if shown = shown || ofOutcome(e.Event); shown && i >= n && e.Event.Movement() {
			t = scene.Earliest(t, e.At)
		}
	}
	return t
}

// OutcomeCalled is when it was called first what fell; zero where nobody did.
func (r *Ruling) OutcomeCalled() (t time.Time) {
	for _, e := range r.Entries {
		if e.Event.Is("number", "total", "combination", "chance") {
			t = scene.Earliest(t, e.At)
		}
	}
	return t
}

// LastSettlement is when the last chips were collected or paid; zero when none were.
func (r *Ruling) LastSettlement() time.Time {
	return r.Last(func(e round.Event) bool { return e.Movement() })
}

// BeingCorrected reports whether a payment was taken back to the chip and nothing happened
// since: what comes next will show whether it is put right.
func (r *Ruling) BeingCorrected(f round.Finding) bool {
	if f.Code == finding.PushCollected || f.Code == finding.CollectedWinner {
		return false // what was taken was no payment
	}
	var sum money.Cents
	var last time.Time
	p := narrate.Physical(f.Seat, f.Spot)
	for _, m := range r.Moves {
		if m.Place == p && m.At.After(r.Close) && !r.Close.IsZero() && !r.staked(m) {
			sum += m.Delta
			last = m.At
		}
	}
	return !last.IsZero() && sum == 0 && !r.Final && !r.Now().After(last)
}

// staked reports whether a movement was recorded as a bet.
func (r *Ruling) staked(m narrate.Move) bool {
	return slices.ContainsFunc(r.Entries, func(t narrate.Entry) bool {
		return t.Event.Type == round.Bet && t.From.Equal(m.From) &&
			narrate.Physical(t.Event.Seat, t.Event.Spot) == m.Place
	})
}

// PushedRoughly reports whether chips which were pushed to a seat were counted only roughly:
// what is missing in the pot will give them.
func (r *Ruling) PushedRoughly(seat int) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(r.RoughCounts)), func(l narrate.RoughCount) bool {
		return l.Place == scene.PayPlace(seat)
	})
}

// MaySweep reports whether a seat's bets that are recorded as given back since a time
// may have gone to the pot.
func (r *Ruling) MaySweep(seat int, since time.Time) bool {
	return r.Game.Held && slices.ContainsFunc(r.Entries, func(e narrate.Entry) bool {
		return e.Event.Type == round.Return && e.Event.Seat == seat && e.Event.Spot == scene.BoteSpot &&
			e.At.After(since)
	})
}
