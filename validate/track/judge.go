package track

import (
	"fmt"
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

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

// explain tells and judges a scene under a hypothesis.
func (t *Tracker) explain(sc *scene, h hypothesis, carry carryOver, final bool) *ruling {
	s := &story{
		g: t.game, sc: sc, hyp: h, final: final, check: t.check, slow: t.cfg.Correction, priors: t.priors,
		rules: t.rules, held: carry.held, inherited: carry.hid, base: t.blank(sc, carry), adrift: carry.adrift && !sc.bare() || t.game.point && sc.joined,
	}
	r := &ruling{story: s, scene: sc, hyp: h, carried: carry}
	r.record, r.told = s.run()
	r.verdict, r.err = t.check(&r.record)
	if !final && r.err == nil {
		r.verdict.Findings = append(r.verdict.Findings, t.foreseen(r)...)
	}
	r.weigh(t.priors)
	return r
}

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

// blank is the record of a scene without events.
func (t *Tracker) blank(sc *scene, carry carryOver) round.Record {
	return round.Record{
		Schema: round.Schema, ID: t.id(sc), Norm: t.cfg.Norm, Game: t.cfg.Game,
		Table: t.table, Carry: carry.raw, Events: []round.Event{},
	}
}

func (t *Tracker) id(sc *scene) string {
	return fmt.Sprintf("%s-%s", t.cfg.Table, sc.start().UTC().Format("20060102T150405.000"))
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

// judged gives every finding of a ruling its probability: the weight of the hypotheses in
// which it holds.
func (t *Tracker) judged(r *ruling) []Judged {
	out := make([]Judged, len(r.verdict.Findings))
	for i, f := range r.verdict.Findings {
		p := t.posterior(r, f)
		if r.story.speaksOfUncounted(f) {
			p = min(p, uncounted)
		}
		out[i] = t.weigh(r, f, p)
	}
	return out
}

// uncounted is the most that a finding is told with which hangs on chips that
// nobody could count: of such findings nearly half are so (TestMistakesOfEveryCode).
const uncounted = 0.4

// weigh gives a finding its probability, its threshold and its place in time.
func (t *Tracker) weigh(r *ruling, f round.Finding, p float64) Judged {
	if r.story.unsure(f) || finding.Of(f.Code).Round.Omits == finding.OmittedChips && t.hiddenAtEnd(r.story.sc, physical(f.Seat, f.Spot)) {
		p = min(p, uncounted)
	} else if r.story.glimpsed(f) {
		p = min(p, glimpse)
	} else if r.story.vague[f.Seat] {
		p = min(p, 0.85) // of what hangs on no amount
	}
	j := Judged{Finding: f, P: p, At: r.story.now(), Accounts: t.accounts(r, f)}
	from := j.At
	if f.Event >= 0 && f.Event < len(r.told) {
		j.At, from = r.told[f.Event].at, r.told[f.Event].from
	}
	if from.After(j.At) {
		from = j.At
	}
	j.From, j.To = from.Add(-4*time.Second), j.At.Add(2*time.Second)
	j.Alert = f.Code != finding.NotObservable && p >= t.threshold(f.Code)
	return j
}

// hiddenAtEnd tells that nobody saw how a place looked when its round ended: hands
// lay over it before, and lie there still or have left it changed.
func (t *Tracker) hiddenAtEnd(sc *scene, p place) bool {
	if sc.straddled[p] || sc.straddled[place{p.Seat, paySpot}] {
		return true
	}
	for name, m := range t.now.zones {
		z := t.atlas.zones[name]
		at := z.own == p || z.own.Spot == "" || z.own == place{p.Seat, paySpot}
		if z.chips && at && !m.stirred.IsZero() && m.stirred.Before(sc.ended) {
			return true
		}
	}
	return false
}

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

// anyVague tells that some chips could not be counted, whosoever they are.
func (s *story) anyVague() bool {
	for _, yes := range s.vague {
		if yes {
			return true
		}
	}
	return false
}

func (t *Tracker) threshold(code finding.Code) float64 {
	if t.cfg.Limit != nil {
		return t.cfg.Limit(code)
	}
	if v, ok := t.cfg.Thresholds[code]; ok {
		return v
	}
	return t.cfg.Threshold
}
