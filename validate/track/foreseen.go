package track

import (
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// foreseen are the findings of a running round that stand however it goes on.
func (t *Tracker) foreseen(r *ruling) []round.Finding {
	s := r.story
	switch {
	case s.running: // of a throw that nobody can read too
		end := round.Event{Type: round.Ball, Pocket: "??"}
		if t.game.course == dice {
			end = round.Event{Type: round.Dice, Faces: make([]int, t.game.dice)}
		}
		return t.followed(r, finding.LateBet, end)
	case s.early && t.game.course != cards && r.paid() && !has(r.verdict, finding.PaidBeforeCollect):
		return t.leftWhilePaid(r)
	case t.game.course == cards && !s.g.held && s.firstCall("no_va_mas").IsZero() && !r.moved(0).IsZero(): // nobody closed the bets
		return slices.DeleteFunc(t.followed(r, finding.AnnouncementMissing, round.Event{Type: round.Clear}), func(f round.Finding) bool {
			return !r.unclosed(f)
		})
	case t.game.course == cards && s.early && slices.ContainsFunc(r.verdict.Findings, ofMoney):
		return t.followed(r, finding.NoQualifyIgnored, round.Event{Type: round.Clear})
	}
	return nil
}

// leftWhilePaid are the findings that somebody was paid while losing bets lie there. Who
// was paid for a losing bet had it taken for a winner: it will not be collected. Where the
// rules have losers collected first, the payment came too early for several that lie there;
// a single one was forgotten if others were collected before, else it may come next.
func (t *Tracker) leftWhilePaid(r *ruling) []round.Finding {
	s := r.story
	first := slices.IndexFunc(r.told, func(e told) bool { return e.event.Type == round.Pay })
	s.forgotten = map[place]time.Time{}
	var left []round.Event
	for _, e := range s.due {
		lost, p := e.Stake, physical(e.Seat, e.Spot)
		if e.Outcome == round.Half {
			lost -= e.Returns
		}
		if e.Outcome != round.Lose && e.Outcome != round.Half || lost <= 0 || !s.dark[p].IsZero() {
			continue
		}
		if paid := r.first(round.Pay, e); paid >= 0 && e.Outcome == round.Lose && r.first(round.Collect, e) < 0 {
			s.forgotten[p] = r.told[paid].at
		}
		if s.taken(e) {
			continue
		}
		c := round.Event{Type: round.Collect, Seat: e.Seat, Spot: e.Spot, Amount: lost}
		if len(t.followed(r, finding.PaidBeforeCollect, c)) > 0 { // if the rules count it among those
			left = append(left, c)
		}
	}
	var found []round.Finding
	switch before := r.told[first]; {
	case len(left) > 1:
		for _, c := range left {
			s.lying = append(s.lying, physical(c.Seat, c.Spot))
		}
		found = t.followed(r, finding.PaidBeforeCollect, left...)
	case len(left) == 1 && slices.ContainsFunc(r.told[:first], func(e told) bool {
		return e.event.Type == round.Collect && e.at.Before(before.from)
	}):
		s.forgotten[physical(left[0].Seat, left[0].Spot)] = before.at
	}
	if len(s.forgotten) == 0 {
		return found
	}
	return append(found, slices.DeleteFunc(t.followed(r, finding.LoserNotCollected, round.Event{Type: round.Clear}), func(f round.Finding) bool {
		return s.forgotten[physical(f.Seat, f.Spot)].IsZero()
	})...)
}

// first is the first event of a type about the bet of a settlement; -1 without one.
func (r *ruling) first(t round.Type, of round.Settlement) int {
	return slices.IndexFunc(r.told, func(e told) bool {
		return e.event.Type == t && e.event.Seat == of.Seat && e.event.Spot == of.Spot
	})
}

// paid tells that somebody was paid.
func (r *ruling) paid() bool {
	return slices.ContainsFunc(r.record.Events, func(e round.Event) bool { return e.Type == round.Pay })
}

// followed are the findings of one code if a record goes on with some events.
func (t *Tracker) followed(r *ruling, code finding.Code, events ...round.Event) []round.Finding {
	ahead := r.record
	ahead.Events = slices.Clone(r.record.Events)
	for _, e := range events {
		if n := len(r.record.Events); n > 0 {
			e.T = r.record.Events[n-1].T
		}
		ahead.Events = append(ahead.Events, e)
	}
	v, err := t.check(&ahead)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(v.Findings, func(f round.Finding) bool { return f.Code != code })
}
