package infer

import (
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// foreseen are the findings of a running round that stand however it goes on.
func (in *Inference) foreseen(r *Ruling) []round.Finding {
	s := r.Narration
	paid := func(e round.Event) bool { return e.Type == round.Pay }
	switch {
	case s.Running: // of a throw that nobody can read too
		end := round.Event{Type: round.Ball, Pocket: "??"}
		if in.Game.Kind == scene.ByDice {
			end = round.Event{Type: round.Dice, Faces: make([]int, in.Game.Dice)}
		}
		return in.followed(r, finding.LateBet, end)
	case s.Decided && in.Game.Kind != scene.ByCards && slices.ContainsFunc(r.Record.Events, paid) &&
		!narrate.Has(r.Verdict, finding.PaidBeforeCollect):
		return in.leftWhilePaid(r)
	case in.Game.Kind == scene.ByCards && !s.Game.Held &&
		s.FirstCall("no_va_mas").IsZero() && !r.Moved(0).IsZero(): // nobody closed the bets
		missing := in.followed(r, finding.AnnouncementMissing, round.Event{Type: round.Clear})
		return slices.DeleteFunc(missing, func(f round.Finding) bool { return !r.Unclosed(f) })
	case in.Game.Kind == scene.ByCards && s.Decided && slices.ContainsFunc(r.Verdict.Findings, ofMoney):
		return in.followed(r, finding.NoQualifyIgnored, round.Event{Type: round.Clear})
	}
	return nil
}

// leftWhilePaid are the findings that somebody was paid while losing bets lie there. Who
// was paid for a losing bet had it taken for a winner: it will not be collected. Where the
// rules have losers collected first, the payment came too early for several that lie there;
// a single one was forgotten if others were collected before, else it may come next.
func (in *Inference) leftWhilePaid(r *Ruling) []round.Finding {
	s := r.Narration
	first := slices.IndexFunc(r.Entries, func(e narrate.Entry) bool { return e.Event.Type == round.Pay })
	r.Forgotten = map[scene.Place]time.Time{}
	var left []round.Event
	for _, e := range s.Due {
		lost, p := e.Stake, narrate.Physical(e.Seat, e.Spot)
		if e.Outcome == round.Half {
			lost -= e.Returns
		}
		if e.Outcome != round.Lose && e.Outcome != round.Half || lost <= 0 || !s.UncountedSince[p].IsZero() {
			continue
		}
		if paid := r.Recorded(round.Pay, e); paid >= 0 && e.Outcome == round.Lose && r.Recorded(round.Collect, e) < 0 {
			r.Forgotten[p] = r.Entries[paid].At
		}
		if s.Taken(e) {
			continue
		}
		c := round.Event{Type: round.Collect, Seat: e.Seat, Spot: e.Spot, Amount: lost}
		if len(in.followed(r, finding.PaidBeforeCollect, c)) > 0 { // if the rules count it among those
			left = append(left, c)
		}
	}
	var found []round.Finding
	switch before := r.Entries[first]; {
	case len(left) > 1:
		for _, c := range left {
			r.Uncollected = append(r.Uncollected, narrate.Physical(c.Seat, c.Spot))
		}
		found = in.followed(r, finding.PaidBeforeCollect, left...)
	case len(left) == 1 && slices.ContainsFunc(r.Entries[:first], func(e narrate.Entry) bool {
		return e.Event.Type == round.Collect && e.At.Before(before.From)
	}):
		r.Forgotten[narrate.Physical(left[0].Seat, left[0].Spot)] = before.At
	}
	if len(r.Forgotten) == 0 {
		return found
	}
	missing := in.followed(r, finding.LoserNotCollected, round.Event{Type: round.Clear})
	return append(found, slices.DeleteFunc(missing, func(f round.Finding) bool {
		return r.Forgotten[narrate.Physical(f.Seat, f.Spot)].IsZero()
	})...)
}

// followed are the findings of one code if a record goes on with some events.
func (in *Inference) followed(r *Ruling, code finding.Code, events ...round.Event) []round.Finding {
	ahead := r.Record
	ahead.Events = slices.Clone(r.Record.Events)
	for _, e := range events {
		if n := len(r.Record.Events); n > 0 {
			e.T = r.Record.Events[n-1].T
		}
		ahead.Events = append(ahead.Events, e)
	}
	v, err := in.Check(&ahead)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(v.Findings, func(f round.Finding) bool { return f.Code != code })
}
