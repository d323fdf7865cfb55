package track

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
)

// maxAccounts are the hypotheses with which a finding is explained: more of them are read
// by nobody, and weigh little.
const maxAccounts = 3

// Account is one hypothesis about what happened, as the probability of a finding weighs
// it: hypotheses under which the same is found count as one.
type Account struct {
	P       float64        `json:"p"`       // share of the weight of all hypotheses
	Holds   bool           `json:"holds"`   // the finding holds under it
	Codes   []finding.Code `json:"codes"`   // what is found under it; empty: all is in order
	Unseen  bool           `json:"unseen"`  // something was done that was not observed, and no hypothesis has it
	Assumes []Assumption   `json:"assumes"` // where it departs from the likeliest reading, of its heaviest hypothesis
}

// Departure is in what a hypothesis departs from the likeliest reading.
type Departure string

// The departures.
const (
	OtherTime    Departure = "time"    // it came about before hands had left
	OtherRemoval Departure = "removal" // cards were taken before hands had left
	OtherCard    Departure = "card"    // the card is another
	OtherOrder   Departure = "order"   // of two cards seen at once the right one was dealt first
	OtherAmount  Departure = "amount"  // the chips are worth something else
	OtherBet     Departure = "bet"     // chips that were never counted are a bet, or a bet was made and swept unseen
	OtherDice    Departure = "dice"    // the dice show something else
	OtherCall    Departure = "call"    // a call speaks of what comes next, not of what lay there
	OtherSide    Departure = "closing" // a movement lies on the other side of the closing of the bets
	OtherPayment Departure = "payment" // a payment is for another bet
	UnderHands   Departure = "hands"   // the hands over a place did what did not stay to be seen
)

var departures = map[kindOfChoice]Departure{
	cameAbout: OtherTime, takenAway: OtherRemoval, cardRead: OtherCard, dealtFirst: OtherOrder, chipsCounted: OtherAmount,
	supposedBet: OtherBet, unseenBet: OtherBet, diceRead: OtherDice, spokenOf: OtherCall, sideOfClosing: OtherSide,
	underHands: UnderHands, pushedFor: OtherPayment, paidFor: OtherPayment,
}

// Departures are all of them, in the order in which a narration comes to them.
func Departures() (ds []Departure) {
	for _, k := range slices.Sorted(maps.Keys(departures)) {
		if !slices.Contains(ds, departures[k]) {
			ds = append(ds, departures[k])
		}
	}
	return ds
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

// accounts are the best hypotheses about a finding of a ruling, likeliest first, those of
// the same findings as one. Nil where nothing else was tried.
func (t *Tracker) accounts(r *ruling, f round.Finding) []Account {
	tried := t.hypotheses(r)
	if len(tried) < 2 {
		return nil
	}
	total, groups, heads := t.priors.Unseen, map[string]*Account{}, map[string]*ruling{}
	for _, h := range tried {
		total += h.weight
		codes := h.codes()
		k := fmt.Sprint(stands(f, h.verdict.Findings), codes)
		g := groups[k]
		if g == nil {
			g = &Account{Holds: stands(f, h.verdict.Findings), Codes: codes}
			groups[k] = g
		}
		g.P += h.weight
		if head := heads[k]; head == nil || h.weight > head.weight {
			heads[k] = h
		}
	}
	out := []Account{{P: t.priors.Unseen / total, Unseen: true}}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		g := groups[k]
		g.P /= total
		g.Assumes = heads[k].assumes()
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b Account) int { return cmp.Compare(b.P, a.P) })
	out = out[:min(len(out), maxAccounts)]
	if g := slices.IndexFunc(out, func(a Account) bool { return a.P < negligible }); g > 0 {
		out = out[:g]
	}
	return out
}

// codes are the kinds of what a ruling finds, each once.
func (r *ruling) codes() []finding.Code {
	codes := []finding.Code{}
	for _, f := range r.verdict.Findings {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	slices.Sort(codes)
	return codes
}

// assumes are the departures of a ruling's hypothesis, in the order of the narration.
func (r *ruling) assumes() (as []Assumption) {
	for _, c := range slices.SortedFunc(maps.Keys(r.hyp.chosen), choice.compare) {
		as = append(as, r.assumption(c, r.hyp.chosen[c]))
	}
	return as
}

// assumption is what a hypothesis has at one choice, beside what was read there.
func (r *ruling) assumption(c choice, a alternative) Assumption {
	as := Assumption{Departs: departures[c.kind], Seat: c.place.Seat, Spot: c.place.Spot}
	switch c.kind {
	case supposedBet:
		as.Instead = a.total
	case paidFor:
		as.Instead = a.spot
	case takenAway, cardRead:
		if sl := r.scene.slots; c.item < len(sl) {
			as.ofSlot(&sl[c.item], c.kind, a)
		}
	case cameAbout, dealtFirst, chipsCounted, unseenBet, diceRead, spokenOf, sideOfClosing:
		if items := r.scene.items; c.item >= 0 && c.item < len(items) {
			as.ofItem(&items[c.item], c.kind, a)
		}
	}
	return as
}

func (as *Assumption) ofSlot(sl *slot, k kindOfChoice, a alternative) {
	as.Zone, as.At = sl.zone, sl.came
	if k == takenAway {
		as.At, as.Read, as.Instead = sl.left, sl.left, a.at
		return
	}
	if label, _ := fact.Best(sl.guesses); label != "" {
		as.Read = label
	}
	if label := a.card.String(); label != "" {
		as.Instead = label
	}
}

func (as *Assumption) ofItem(h *happening, k kindOfChoice, a alternative) {
	as.Zone, as.At = h.zone, h.at
	if as.Seat == 0 && as.Spot == "" {
		as.Seat, as.Spot = h.place.Seat, h.place.Spot
	}
	switch k {
	case cameAbout:
		as.Read, as.Instead = h.at, a.at
	case chipsCounted:
		as.Read, as.Instead = h.chips.total, a.total
	case diceRead:
		as.Read, as.Instead = spoken(bestFaces(h.dice)), spoken(a.faces)
	}
}

// spoken writes the faces of a throw: "3 5".
func spoken(faces []int) string { return strings.Trim(fmt.Sprint(faces), "[]") }
