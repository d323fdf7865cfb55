package track

import (
	"cmp"
	"maps"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Chips that lie on a place and were never counted are a bet that nobody can read. The
// record goes without it; what is due on that place, and what its owner may do, nobody
// knows, and it is said so. Whatever else is found must hold with such a bet as without
// one. Where all play for one pot, or against a bank that a player keeps, the round hangs
// on every bet, and is not verifiable.

// betOfNobody is said of a round that hangs on a bet which could not be counted.
const betOfNobody = "a bet could not be counted"

// whole tells that what is due to anybody follows from what all have bet.
func (g *game) whole() bool { return g.held || len(g.bank) > 0 }

// mayHoldBet tells that what lies on a place may be a bet, of a seat or, where the chips
// tell whose they are, of any.
func mayHoldBet(p place) bool { return p.Spot != paySpot && p.Spot != potSpot && p.Spot != "" }

// uncounts takes in that a place where nothing was known to lie holds chips that cannot be
// counted. Laid after the ball or the dice have come to rest they are no bet of the round.
func (k *counting) uncounts(i int, p place) {
	if k.all[p].total == 0 && mayHoldBet(p) && (k.g.course == cards || k.decided < 0 || i < k.decided) {
		k.uncounted[p] = true
	}
}

// recounts takes in that a place is counted: a bet that is counted before anything can have
// been paid is known, and where nothing lies while bets are laid there was none.
func (k *counting) recounts(i int, h *happening) {
	switch {
	case h.chips.total > 0 && (i < k.decided || k.g.pushed): // later a payment may lie with it
		delete(k.uncounted, h.place)
	case h.chips.total == 0 && !h.chips.vague() && !k.g.whole() && i < k.first:
		delete(k.uncounted, h.place)
		k.blind[h.place] = false
	}
}

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

// supposedly is a count of chips that cannot be counted as the hypothesis has it.
func (k *counting) supposedly(i int, h *happening) {
	if !k.uncounted[h.place] || k.all[h.place].total > 0 {
		return
	}
	total, ok := k.supposedBet(h.place)
	if !ok {
		return
	}
	counted := *h
	counted.chips = count{total: total}
	was := k.all[h.place]
	if was.may == nil {
		was = known{may: []money.Cents{0}, move: -1, item: -1}
	}
	k.all[h.place] = k.recounted(was, i, &counted)
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

// unobserved adds to a round that the money of its uncounted bets could not be checked.
func (t *Tracker) unobserved(out *Round, bets []place) {
	if len(bets) == 0 {
		return
	}
	for _, p := range bets {
		f := t.notObservable(out)
		f.Seat, f.Spot = p.Seat, p.Spot
		if slices.ContainsFunc(out.Verdict.Findings, func(o round.Finding) bool { return key(o) == key(f) }) {
			continue
		}
		out.Verdict.Findings = append(out.Verdict.Findings, f)
		out.Findings = append(out.Findings, Judged{Finding: f, P: 1, At: out.End, From: out.Start, To: out.End})
	}
	out.Verdict.Seal(&out.Record)
}
