package infer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// maxAccounts are the hypotheses with which a finding is explained: more of them are read
// by nobody, and weigh little.
const maxAccounts = 3

// Account is one hypothesis about what happened, as the probability of a finding weighs
// it: hypotheses under which the same is found count as one.
type Account struct {
	P       float64        `json:"p"`       // share of the weight of all hypotheses, by the rates of mistakes
	Holds   bool           `json:"holds"`   // the finding holds under it
	Codes   []finding.Code `json:"codes"`   // what is found under it; empty: all is in order
	Unseen  bool           `json:"unseen"`  // something was done that was not observed, and no hypothesis has it
	Assumes []Assumption   `json:"assumes"` // where it departs from the likeliest reading, of its heaviest hypothesis
}

// Departure is in what a hypothesis departs from the likeliest reading.
type Departure string

// The departures.
const (
	OtherTime    Departure = "time"    // it came about at another time while hands were there
	OtherRemoval Departure = "removal" // cards were taken at another time while hands were there
	OtherCard    Departure = "card"    // the card is another
	OtherOrder   Departure = "order"   // of two cards seen at once the right one was dealt first
	OtherAmount  Departure = "amount"  // the chips are worth something else
	OtherBet     Departure = "bet"     // chips that were never counted are a bet, or a bet was made and swept unseen
	OtherDice    Departure = "dice"    // the dice show something else
	OtherLie     Departure = "lie"     // a die lies on chips that nobody knows of
	OtherCall    Departure = "call"    // a call speaks of what comes next, not of what lay there
	OtherSide    Departure = "closing" // a movement lies on the other side of the closing of the bets
	OtherPayment Departure = "payment" // a payment is for another bet
	UnderHands   Departure = "hands"   // the hands over a place did what did not stay to be seen
)

// Departures are those of the kinds of choice.
var Departures = map[hypothesis.Kind]Departure{
	hypothesis.CameAbout: OtherTime, hypothesis.TakenAway: OtherRemoval, hypothesis.CardRead: OtherCard,
	hypothesis.DealtFirst: OtherOrder, hypothesis.DealtUnder: UnderHands,
	hypothesis.TurnedUnder: UnderHands, hypothesis.KnockedOver: UnderHands, hypothesis.ChipsCounted: OtherAmount,
	hypothesis.SupposedBet: OtherBet,
	hypothesis.UnseenBet:   OtherBet, hypothesis.DiceRead: OtherDice, hypothesis.DieLies: OtherLie,
	hypothesis.SpokenOf:      OtherCall,
	hypothesis.SideOfClosing: OtherSide, hypothesis.UnderHands: UnderHands, hypothesis.PushedFor: OtherPayment,
	hypothesis.PaidFor: OtherPayment,
}

// Assumption is one departure: where, and what it has instead of what was read. Read and
// Instead are a card, faces or a spot (string), a time, or cents (money.Cents); nil where
// there is nothing to name.
type Assumption struct {
	Departs Departure `json:"departs"`
	Seat    int       `json:"seat,omitempty"`
	Spot    string    `json:"spot,omitempty"`
	Zone    string    `json:"zone,omitempty"`
	At      time.Time `json:"at,omitzero"` // of the observation that it reads otherwise
	Read    any       `json:"read,omitempty"`
	Instead any       `json:"instead,omitempty"`
}

// Accounts are the best hypotheses about a finding of a ruling, likeliest first, those of
// the same findings as one. Nil where nothing else was tried.
func (in *Inference) Accounts(r *Ruling, f round.Finding) []Account {
	tried := in.hypotheses(r)
	if len(tried) < 2 {
		return nil
	}
	rate := in.Rates.Odds(finding.Of(f.Code).Class())
	total, readings, groups, heads := 0.0, 0.0, map[string]*Account{}, map[string]*Ruling{}
	for _, h := range tried {
		readings += h.Hyp.Odds
		codes, so, weight := h.codes(), holds(f, h.Verdict.Findings), h.weight
		if so {
			weight *= rate
		} else if h.needs > 0 {
			weight *= in.Rates.Odds(h.class())
		}
		total += weight
		k := fmt.Sprint(so, codes)
		g := groups[k]
		if g == nil {
			g = &Account{Holds: so, Codes: codes}
			groups[k] = g
		}
		g.P += weight
		if head := heads[k]; head == nil || h.weight > head.weight {
			heads[k] = h
		}
	}
	unseen := readings * unseen(in.Priors, r.unseen(f), r.unseenShares(f), r.backed(f))
	total += unseen
	out := []Account{{P: unseen / total, Unseen: true}}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		g := groups[k]
		g.P /= total
		g.Assumes = heads[k].assumes()
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b Account) int { return cmp.Compare(b.P, a.P) })
	out = out[:min(len(out), maxAccounts)]
	if g := slices.IndexFunc(out, func(a Account) bool { return a.P < pruneRatio }); g > 0 {
		out = out[:g]
	}
	return out
}

// codes are the kinds of what a ruling finds, each once.
func (r *Ruling) codes() []finding.Code {
	codes := []finding.Code{}
	for _, f := range r.Verdict.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// assumes are the departures of a ruling's hypothesis, in the order of the narration.
func (r *Ruling) assumes() (as []Assumption) {
	for _, c := range slices.SortedFunc(maps.Keys(r.Hyp.Chosen), hypothesis.Choice.Compare) {
		as = append(as, r.assumption(c, r.Hyp.Chosen[c]))
	}
	return as
}

// assumption is what a hypothesis has at one choice, beside what was read there.
func (r *Ruling) assumption(c hypothesis.Choice, a hypothesis.Alternative) Assumption {
	as := Assumption{Departs: Departures[c.Kind], Seat: c.Place.Seat, Spot: c.Place.Spot}
	switch c.Kind {
	case hypothesis.SupposedBet:
		as.Instead = a.Total
	case hypothesis.PaidFor:
		as.Instead = a.Spot
	case hypothesis.TakenAway, hypothesis.CardRead, hypothesis.DealtUnder, hypothesis.TurnedUnder:
		if tracks := r.seen.Tracks; c.Item < len(tracks) {
			as.ofTrack(&tracks[c.Item], c.Kind, a)
			as.timed(r.Times[c], a)
		}
	case hypothesis.CameAbout, hypothesis.DealtFirst, hypothesis.ChipsCounted, hypothesis.UnseenBet, hypothesis.DiceRead,
		hypothesis.DieLies, hypothesis.SpokenOf, hypothesis.SideOfClosing:
		if events := r.seen.Events; c.Item >= 0 && c.Item < len(events) {
			as.ofEvent(&events[c.Item], c.Kind, a)
			as.timed(r.Times[c], a)
		}
	}
	return as
}

// timed takes in what is likeliest and what the hypothesis has instead at a choice of times.
func (as *Assumption) timed(likeliest time.Time, a hypothesis.Alternative) {
	if !likeliest.IsZero() {
		as.Read, as.Instead = likeliest, a.At
	}
}

func (as *Assumption) ofTrack(c *scene.Track, k hypothesis.Kind, a hypothesis.Alternative) {
	as.Zone, as.At = c.Zone, c.Came
	if k == hypothesis.TakenAway {
		as.At = c.Left
	}
	if k != hypothesis.CardRead {
		return
	}
	if label, _ := fact.Best(c.Guesses); label != "" {
		as.Read = label
	}
	if label := a.Card.String(); label != "" {
		as.Instead = label
	}
}

func (as *Assumption) ofEvent(h *scene.Event, k hypothesis.Kind, a hypothesis.Alternative) {
	as.Zone, as.At = h.Zone, h.At
	if as.Seat == 0 && as.Spot == "" {
		as.Seat, as.Spot = h.Place.Seat, h.Place.Spot
	}
	switch k {
	case hypothesis.ChipsCounted:
		as.Read, as.Instead = h.Chips.Total, a.Total
	case hypothesis.DiceRead:
		as.Read, as.Instead = facesText(scene.BestFaces(h.Dice)), facesText(a.Faces)
	}
}

// facesText writes the faces of a throw: "3 5".
func facesText(faces []int) string { return strings.Trim(fmt.Sprint(faces), "[]") }
