package track

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// graces are the findings that are raised while the round runs, with how long they
// stand first where that is longer than Config.Grace: a line may come late, a card be
// seen late under hands, and dice be called and thrown again.
var graces = map[string]time.Duration{
	"payout_under": 0, "payout_over": 0, "payout_to_loser": 0, "collected_winner": 0,
	"push_collected": 0, "push_paid": 0, "commission_wrong": 0, "void_round_settled": 0, "no_qualify_ignored": 0,
	"drew_must_stand": time.Second, "card_count_wrong": time.Second, "hand_set_wrong": time.Second, "late_bet": time.Second,
	"paid_before_collect": time.Second, "payout_order_wrong": 0, "irregularity_ignored": time.Second, "other_procedure": time.Second,
	"bet_below_min": time.Second, "bet_above_max": time.Second, "side_bet_limit": time.Second,
	"irregular_throw_counted": 2 * time.Second, "null_ball_counted": 2 * time.Second, "raise_wrong": 2 * time.Second,
	"dealt_before_close": 2 * time.Second, "burn_wrong": 2 * time.Second, "deal_order_wrong": 3 * time.Second, "face_wrong": 3 * time.Second,
	"duplicate_card": 3 * time.Second, "foreign_card": 3 * time.Second, "announcement_wrong": 3 * time.Second,
}

// omission is how long it is given to do what should have been done by then, and to
// say a word otherwise.
const omission = time.Second

// swept is how long before an arm came to the pot a bet that it takes there may be told
// as given back.
const swept = time.Second

// staking are those that more chips may still put right or make so while bets
// are laid.
var staking = map[string]bool{"bet_below_min": true, "bet_above_max": true, "side_bet_limit": true}

// premature tells that a finding of a running round must wait: for the decision of
// the round, for the end of the betting (which comes again and again where all
// play for one pot), or for what is done with chips that may be a payment.
func (s *story) premature(f round.Finding, at time.Time) bool {
	switch {
	case f.Code == "commission_wrong" && s.allShown && more(f.Expected, f.Observed):
		return false // nobody bets any more, and what was taken too much is seen
	case f.Code == "no_qualify_ignored": // all is settled as if the bank had the hand to play, or had it not
		return !s.early
	case moneyCodes[f.Code]:
		return !s.early && !s.lost[physical(f.Seat, f.Spot)]
	case staking[f.Code]:
		return s.g.held || s.close.IsZero() && (s.g.closing != "" || len(s.hand) == 0)
	case f.Code == "late_bet":
		return s.mayBePayment(at)
	case f.Code == "card_count_wrong":
		return !s.tooMany(f)
	case f.Code == "burn_wrong":
		return !s.burntTooMany(f)
	case f.Code == "hand_set_wrong":
		return !s.setWhole(f)
	case f.Code == "raise_wrong": // what has not been laid may still be
		return !s.lays(f)
	case f.Code == "payout_order_wrong" || f.Code == "paid_before_collect":
		return len(s.doubts) > 0 // which of the bets was paid is not known yet
	case f.Code == "irregularity_ignored": // who annuls a round says so; else it shows in what is done
		return !s.toldOf(f, func(e round.Event) bool { return e.Is("jugada_anulada") })
	case f.Code == "other_procedure": // collected in another order
		return !s.early || !s.toldOf(f, func(e round.Event) bool { return e.Type == round.Collect })
	}
	return false
}

// depends tells that a finding of the order in which was paid or collected is so only
// if payments of the same amount are shared out in one of several ways.
func (r *ruling) depends(f round.Finding) bool {
	return (f.Code == "payout_order_wrong" || f.Code == "paid_before_collect") &&
		slices.ContainsFunc(r.rivals, func(other *ruling) bool { return !paid(f, other.verdict.Findings) })
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

// watch judges the rounds that are not finished: what people see, and what is
// raised at once.
func (t *Tracker) watch(now time.Time) {
	carry := t.carry
	for i, sc := range t.now.past {
		r := t.rule(sc, world{}, carry, true)
		t.raise(r, r, carry, t.round+i, now)
		if r.err == nil {
			carry = r.carry()
		}
	}
	sc := t.now.scene
	r := t.rule(sc, world{}, carry, false)
	number := t.round + len(t.now.past)
	t.raise(r, t.atItsEnd(sc, carry), carry, number, now)
	t.variances(sc, number, false)
	phase := t.phaseOf(r)
	if phase != t.phase {
		t.phase = phase
		t.say(&PhaseChange{t.cfg.Table, phase, now})
	}
	if !t.changed {
		return
	}
	live := &Live{Table: t.cfg.Table, Phase: phase, Time: now, Record: r.record, Settlement: r.verdict.Settlement}
	live.NotVerifiable = r.dark()
	t.say(live)
}

// waiting tells that an alert is on its way and only time is missing.
func (t *Tracker) waiting() bool {
	for _, m := range t.alerts {
		for _, p := range m {
			if !p.raised && !p.weighed || p.raised && !p.gone.IsZero() && !p.done {
				return true
			}
		}
	}
	return false
}

// atItsEnd is the running round as if it had ended; nil while it goes on.
func (t *Tracker) atItsEnd(sc *scene, carry carryOver) *ruling {
	if t.game.course != cards || sc.cleared.IsZero() {
		return nil
	}
	return t.rule(sc, world{}, carry, true)
}

// over is when the money of a round should have been settled.
func (sc *scene) over() time.Time {
	if sc.cleared.IsZero() {
		return sc.ended
	}
	return sc.cleared
}

// raise keeps the findings of a running round until their grace has passed and
// then says them, once; and says when one of them was put right. Omissions are
// taken from the round at its end; nil while it goes on.
func (t *Tracker) raise(r, end *ruling, carry carryOver, number int, now time.Time) {
	if r.err != nil || r.dark() != "" {
		return
	}
	standing := map[about]bool{}
	for _, f := range r.verdict.Findings {
		grace, ok := graces[f.Code]
		since, hold := r.atEvent(f), max(grace, t.cfg.Grace)
		switch {
		case r.unclosed(f):
			since = earliest(r.moved(), r.named())
			hold, ok = t.cfg.Lateness, !since.IsZero()
		case f.Code == "loser_not_collected" && !r.story.final:
			since, hold = r.story.forgotten[physical(f.Seat, f.Spot)], omission
			ok = !since.IsZero()
		case f.Code == "payout_under" && r.story.g.held: // what the seat got stands since then
			since = r.lastTo(f.Seat)
		case f.Code == "dealt_before_close" && !r.story.g.held: // the call was heard, and came after
			hold = omission
		case f.Code == "announcement_wrong" && r.ofResult(f), f.Code == "face_wrong" && r.dealtOn(f),
			f.Code == "raise_wrong" && more(f.Expected, f.Observed):
			hold = omission
		case f.Code == "late_bet" && r.story.running: // that it was accepted before may be heard so late
			hold = max(hold, r.story.close.Add(t.cfg.Lateness).Sub(since))
		}
		said := t.alerts[number][key(f)] != nil && t.alerts[number][key(f)].raised
		if ok && (said || !r.story.premature(f, r.atEvent(f)) && !r.depends(f)) {
			standing[key(f)] = true
			t.consider(r, f, t.pend(number, key(f), since), hold, carry, now)
		}
	}
	if end != nil && end.err == nil {
		for _, f := range end.verdict.Findings {
			since, hold := slices.MaxFunc([]time.Time{end.atEvent(f), end.story.sc.over()}, time.Time.Compare), omission
			switch unsaid := f.Code == "announcement_missing" && !end.unclosed(f); {
			case unsaid && !end.settled().IsZero(): // what may be heard late was said before the last chips moved
				standing[key(f)] = true
				t.consider(end, f, t.pend(number, key(f), end.settled()), t.cfg.Lateness, carry, now)
			case f.Code == "stood_must_draw": // no card comes once all are gone
				standing[key(f)] = true
				t.consider(end, f, t.pend(number, key(f), since), omission, carry, now)
			case omitted[f.Code]:
				standing[key(f)] = true
				if ended := end.story.sc.ended; !ended.IsZero() && t.sight.after(ended) {
					hold = 0 // all hands are known that were there before the end
				} else if !ended.IsZero() {
					hold /= 2
				}
				t.consider(end, f, t.pend(number, key(f), since), hold, carry, now)
			}
		}
	}
	for k, p := range t.alerts[number] {
		if standing[k] {
			continue
		}
		if !p.raised {
			delete(t.alerts[number], k)
			continue
		}
		if p.gone.IsZero() {
			p.gone = now
		} else if !p.done && now.Sub(p.gone) >= omission {
			p.done = true
			t.say(&Alert{Table: t.cfg.Table, Round: r.record.ID, State: Corrected, Judged: p.last})
		}
	}
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
	return f.Code == "announcement_missing" && f.Expected == "no_va_mas"
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
// lay there; zero when none were.
func (r *ruling) moved() (t time.Time) {
	shown := false
	for _, e := range r.told {
		switch e.event.Type {
		case round.CardDealt, round.Ball, round.Dice:
			shown = true
		}
		if shown && e.event.Movement() {
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

// consider says a finding that has stood for its hold, unless hands are at what it
// speaks of.
func (t *Tracker) consider(r *ruling, f round.Finding, p *pending, hold time.Duration, carry carryOver, now time.Time) {
	p.gone = time.Time{}
	if p.raised || p.weighed && !t.changed || now.Sub(p.since) < hold || t.stirring(r, f) || r.story.beingMended(f, now) {
		return
	}
	t.decide(r, carry, f, p)
}

func (t *Tracker) pend(number int, k about, at time.Time) *pending {
	if t.alerts[number] == nil {
		t.alerts[number] = map[about]*pending{}
	}
	p := t.alerts[number][k]
	if p == nil {
		p = &pending{since: at}
		t.alerts[number][k] = p
	}
	if !p.raised && at.After(p.since) {
		p.since = at // more was laid since
	}
	return p
}

// decide weighs a finding whose grace has passed.
func (t *Tracker) decide(r *ruling, carry carryOver, f round.Finding, p *pending) {
	for _, j := range t.judged(r, carry) {
		if key(j.Finding) != key(f) {
			continue
		}
		p.last, p.weighed = j, true
		if j.Alert {
			p.raised = true
			t.say(&Alert{Table: t.cfg.Table, Round: r.record.ID, State: Raised, Judged: j})
		}
		return
	}
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
	if f.Code == "push_collected" || f.Code == "collected_winner" {
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

// stirring tells that hands are at the chips a finding speaks of, or at the cards
// of which something was said.
func (t *Tracker) stirring(r *ruling, f round.Finding) bool {
	s := r.story
	switch f.Code {
	case "announcement_wrong":
		return t.handling() || slices.ContainsFunc(s.g.bank, t.handledSpot)
	case "card_count_wrong":
		return t.handlingOf(cmp.Or(f.Zone, seatZone(f.Seat)))
	case "hand_set_wrong":
		return t.handlingOf(f.Zone)
	case "deal_order_wrong", "irregularity_ignored": // a card that was dealt before may lie under the dealing arm
		return t.handlingSince(r.atEvent(f))
	}
	p := physical(f.Seat, f.Spot)
	if f.Code == "raise_wrong" {
		return t.reached(p)
	}
	if f.Code == "late_bet" && s.running {
		return t.reached(p) || !t.game.pushed && t.thrownBefore(s, r.atEvent(f))
	}
	if f.Code == "paid_before_collect" { // they may be collecting
		return slices.ContainsFunc(s.lying, t.reached)
	}
	if f.Code == "loser_not_collected" && !s.final && t.reached(p) { // they may be collecting it
		return true
	}
	if !moneyCodes[f.Code] {
		return false
	}
	empty := s.g.held && s.early && t.now.on(p).like(count{}) // nobody bets there any more: arms only pass over it
	for name, m := range t.now.zones {
		if m.stirred.IsZero() || !s.sc.ended.IsZero() && m.stirred.After(s.sc.ended) {
			continue // who comes after the end lays for the next round
		}
		z := t.atlas.zones[name]
		if z.chips && (z.own == p && !empty || z.own == place{f.Seat, paySpot} || z.own == place{0, potSpot} && (s.maySweep(f.Seat, m.stirred.Add(-swept)) || s.pushedRoughly(f.Seat))) {
			return true
		}
	}
	return false
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

// reached tells that hands are where a place is: late chips are pushed back there.
func (t *Tracker) reached(p place) bool {
	for name, m := range t.now.zones {
		z := t.atlas.zones[name]
		if z.chips && (z.own == p || z.own.Spot == "") && !m.stirred.IsZero() {
			return true
		}
	}
	return false
}

// handledSpot tells that hands are at a spot of any seat.
func (t *Tracker) handledSpot(spot string) bool {
	for name, m := range t.now.zones {
		if z := t.atlas.zones[name]; z.chips && z.own.Spot == spot && !m.stirred.IsZero() {
			return true
		}
	}
	return false
}

// thrownBefore tells that the dice may have come to rest before chips were laid:
// then these may be a payment.
func (t *Tracker) thrownBefore(s *story, laid time.Time) bool {
	for name, m := range t.now.zones {
		if t.atlas.zones[name].dice && (m.rest.After(s.close) || !m.stirred.IsZero() && m.stirred.Before(laid)) {
			return true
		}
	}
	return false
}

// handling tells that hands are at cards: what lies there may be seen otherwise
// when they go.
func (t *Tracker) handling() bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && t.atlas.zones[name].cards {
			return true
		}
	}
	return false
}

// handlingOf tells that hands are at the cards of a zone or of a part of it.
func (t *Tracker) handlingOf(zone string) bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && (name == zone || strings.HasPrefix(name, zone+"/")) {
			return true
		}
	}
	return false
}

// handlingSince tells that hands came to some cards before a time and have not left.
func (t *Tracker) handlingSince(at time.Time) bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && m.stirred.Before(at) && t.atlas.zones[name].cards {
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

// phaseOf names what the table does.
func (t *Tracker) phaseOf(r *ruling) Phase {
	sc := r.story.sc
	if !sc.begun() {
		return Idle
	}
	if slices.ContainsFunc(r.told, func(e told) bool { return e.event.Movement() }) {
		if !sc.cleared.IsZero() {
			return Cleared
		}
		return Settling
	}
	out := sc.outcome()
	switch {
	case !sc.cleared.IsZero():
		return Cleared
	case out >= 0 && !sc.nullified(out) || r.story.early:
		return Resolution
	case len(r.story.hand) > len(r.story.dealOrder()):
		return Deciding
	case len(r.story.hand) > 0:
		return Dealing
	case !r.story.close.IsZero():
		return Closed
	}
	return Betting
}

// variances compares two readings of one fact: wheel and call, shoe and
// camera, terminal and dice. Each disagreement is said once.
func (t *Tracker) variances(sc *scene, number int, final bool) {
	for _, v := range disagreements(sc, final) {
		v.Table = t.cfg.Table
		id := fmt.Sprint(v.Fact, v.One, v.Other)
		if t.told[number] == nil {
			t.told[number] = map[string]bool{}
		}
		if !t.told[number][id] {
			t.told[number][id] = true
			t.say(v)
		}
	}
}

func disagreements(sc *scene, final bool) (vs []*Variance) {
	var pocket, faces string
	var shoe []string
	for i := range sc.items {
		h := &sc.items[i]
		switch {
		case h.isEvent(round.Ball):
			pocket = h.event.Pocket
		case h.isCall(sc.game.names...) && pocket != "" && cmp.Or(string(h.event.Number), h.event.Combination) != pocket:
			said := cmp.Or(string(h.event.Number), h.event.Combination)
			vs = append(vs, &Variance{Fact: "number", One: Reading{By: "wheel", What: pocket}, Other: Reading{By: "call", What: said}, Time: h.at})
		case h.kind == diceSeen:
			faces = fmt.Sprint(bestFaces(h.dice))
		case h.isEvent(round.Dice) && faces != "" && fmt.Sprint(h.event.Faces) != faces:
			vs = append(vs, &Variance{Fact: "dice", One: Reading{By: "camera", What: faces}, Other: Reading{By: "terminal", What: fmt.Sprint(h.event.Faces)}, Time: h.at})
		case h.isEvent(round.CardDealt):
			shoe = append(shoe, h.event.Card.String())
		}
	}
	if final && len(shoe) > 0 {
		vs = append(vs, shoeAgainst(sc, shoe)...)
	}
	return vs
}

// shoeAgainst compares the shoe's cards with the cards seen, in dealing order,
// where both saw the same number of them.
func shoeAgainst(sc *scene, shoe []string) (vs []*Variance) {
	n := 0
	for i := range sc.items {
		h := &sc.items[i]
		if h.kind != cardSeen {
			continue
		}
		sl := &sc.slots[h.slot]
		seen, _ := sc.game.face(sl.guesses, sl.abstain)
		_, p := fact.Best(sl.guesses) // of this very card, whatever counts the same
		if n < len(shoe) && seen != 0 && p >= 0.5 && shoe[n] != "??" && seen.String() != shoe[n] {
			vs = append(vs, &Variance{Fact: "card", One: Reading{By: "shoe", What: shoe[n]}, Other: Reading{By: "camera", What: seen.String(), Zone: h.zone}, Time: h.at})
		}
		n++
	}
	if n != len(shoe) {
		return nil
	}
	return vs
}
