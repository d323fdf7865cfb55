package narrate

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// Winnings that are pushed to a player do not show for which bet they are. Of
// the ways to share them among the seat's winning bets the one that fits what
// is due is recorded.

type want struct {
	spot string
	due  money.Cents
	got  bool
}

type push struct {
	sum      money.Cents
	from, at time.Time
	done     bool
}

// payouts records the payments into the zones "seat:N pay" after an outcome.
func (s *Narration) payouts(after func(Move) bool) {
	by, places := s.byPlace(func(m Move) bool { return m.Place.Spot == scene.PaySpot && after(m) })
	for _, e := range s.Due { // who was paid without anybody seeing it
		if p := scene.PayPlace(e.Seat); e.Outcome == round.Win && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	for _, p := range places {
		s.share(p.Seat, s.withUnseen(p.Seat, s.pushes(p.Seat, by[p])))
	}
}

// withUnseen are the payments to a seat and, where less was seen than is due and the
// hypothesis has it so, the rest of it, pushed and taken up under the same hands: whole
// winnings of bets, for nobody pays a part of them by itself.
func (s *Narration) withUnseen(seat int, pushes []push) []push {
	ws := s.wants(seat)
	due, paid := dueOn(ws), money.Cents(0)
	for _, p := range pushes {
		paid += p.sum
	}
	p := scene.PayPlace(seat)
	t, ok := s.maybePaid(p)
	if !ok || due <= paid || exact(ws, due-paid) == 0 ||
		!s.underHands(p.Seat, p.Spot, untouched(t.Hands)) {
		return pushes
	}
	return append(pushes, push{sum: due - paid, from: t.From, at: t.At})
}

// maybePaid is when something may have been pushed and taken up that nobody saw, last: hands
// lay over the place and left it as it was, or the house's were among those under which what
// had been pushed before was taken up.
func (s *Narration) maybePaid(p scene.Place) (t scene.Occlusion, ok bool) {
	t, ok = s.occluded(p, s.Close, nil)
	for _, m := range s.Moves {
		if m.Place == p && m.Delta < 0 && m.At.After(s.Close) && m.At.After(t.At) && slices.Contains(m.hands, fact.Bank) {
			t, ok = scene.Occlusion{Place: p, From: m.From, At: m.At, Hands: m.hands}, true
		}
	}
	return t, ok
}

// pushes are the payments among the movements of a pay zone. What is taken
// from it is the player's, unless what was paid is right in the end.
func (s *Narration) pushes(seat int, moves []Move) []push {
	due := dueOn(s.wants(seat))
	moves = fit(s.withoutCorrections(seat, scene.PaySpot, moves), due)
	moves = slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.Delta == 0 })
	n := prefix(moves, due)
	// a losing bet left lying shows that chips taken back were not: it was paid
	right := n > 0 && due > 0 && (!mixed(moves[:n]) || s.putRight(moves[0], moves[n-1]) && s.loserOf(seat) == "") &&
		!slices.ContainsFunc(moves[n:], func(m Move) bool { return m.Delta > 0 }) // or more was paid
	if right {
		moves = moves[:n]
	}
	var out []push
	for _, m := range moves {
		if m.Delta > 0 {
			out = append(out, push{sum: m.Delta, from: m.From, at: m.At})
		} else if k := len(out) - 1; right && k >= 0 {
			s.note(NoteCorrected, seat, scene.PaySpot, -m.Delta, m.At)
			out[k].sum, out[k].at = out[k].sum+m.Delta, m.At
			if out[k].sum <= 0 {
				out = out[:k]
			}
		}
	}
	return out
}

// wants are the seat's winning bets in the order in which the game pays.
func (s *Narration) wants(seat int) (ws []want) {
	for _, e := range s.Due {
		if e.Seat == seat && e.Outcome == round.Win && e.Pays > 0 {
			ws = append(ws, want{spot: e.Spot, due: e.Pays - e.Commission})
		}
	}
	rank := func(w want) int { return s.Game.order.rank(round.Pay, w.spot) }
	slices.SortStableFunc(ws, func(a, b want) int { return cmp.Compare(rank(a), rank(b)) })
	return ws[:min(len(ws), maxWants)]
}

// dueOn is what is due on those of some bets that are not paid.
func dueOn(ws []want) (sum money.Cents) {
	for _, w := range ws {
		if !w.got {
			sum += w.due
		}
	}
	return sum
}

// maxWants bounds the bets of which all sets are tried.
const maxWants = 12

// exact is the smallest set of unpaid bets (as bits) that are due sum; 0: none.
func exact(ws []want, sum money.Cents) (set uint) {
	for try := uint(1); try < 1<<len(ws); try++ {
		due, again := money.Cents(0), false
		for i, w := range ws {
			if try>>i&1 == 1 {
				due, again = due+w.due, again || w.got
			}
		}
		if due == sum && !again && (set == 0 || bits.OnesCount(try) < bits.OnesCount(set)) {
			set = try
		}
	}
	return set
}

// shared is what one push is recorded as.
type shared struct {
	spot   string
	amount money.Cents
}

// share records for which bets the payments to one seat are.
func (s *Narration) share(seat int, pushes []push) {
	out := s.shares(seat, pushes)
	s.swapPushes(seat, pushes, out)
	for k, p := range pushes {
		for _, e := range out[k] {
			s.moved(round.Pay, seat, e.spot, e.amount, p.from, p.at)
		}
	}
}

// swapPushes lets two pushes of the same amount change what they are for, where the
// hypothesis has it so.
func (s *Narration) swapPushes(seat int, pushes []push, out [][]shared) {
	for a := range pushes {
		for b := a + 1; b < len(pushes); b++ {
			if pushes[a].sum != pushes[b].sum || slices.Equal(out[a], out[b]) {
				continue
			}
			pair := hypothesis.Choice{Kind: hypothesis.PushedFor, Item: a*len(pushes) + b, Place: scene.PayPlace(seat)}
			if s.pickAt(pair, 0.5) {
				out[a], out[b] = out[b], out[a]
			}
		}
	}
}

// shares are the bets that each push is for. Of bets of which as much is due the
// push is for that whose turn it is: a wrong one before it took another's.
func (s *Narration) shares(seat int, pushes []push) [][]shared {
	ws, out := s.wants(seat), make([][]shared, len(pushes))
	for _, most := range []int{1, len(ws)} { // a push is for one bet, if one fits
		for k := range pushes {
			set := exact(ws, pushes[k].sum)
			if k < len(ws) && !ws[k].got && ws[k].due == pushes[k].sum {
				set = 1 << k
			}
			if pushes[k].done || set == 0 || bits.OnesCount(set) > most {
				continue
			}
			pushes[k].done = true
			for i := range ws {
				if set>>i&1 == 1 {
					ws[i].got = true
					out[k] = append(out[k], shared{ws[i].spot, ws[i].due})
				}
			}
		}
	}
	s.shareRest(ws, pushes, seat, out)
	return out
}

// shareRest deals with payments that fit no bet exactly: they fill what is due in turn when their sum
// is right, else each goes to the bet it is nearest. In the end the only one, if it took long enough for
// several and is more than is due on all bets left but the largest, is for all: that one is paid wrong.
func (s *Narration) shareRest(ws []want, pushes []push, seat int, out [][]shared) {
	due, paid, n, last, together := dueOn(ws), money.Cents(0), 0, -1, false
	for _, p := range pushes {
		if !p.done {
			paid, n, together = paid+p.sum, n+1, p.at.Sub(p.from) > scene.LayAndTake
		}
	}
	for i, w := range ws {
		if !w.got && (last < 0 || w.due > ws[last].due) {
			last = i
		}
	}
	if s.Final && n == 1 && together && last >= 0 && due > ws[last].due && paid+ws[last].due > due {
		ws[last].due, due = paid+ws[last].due-due, paid
	}
	for k, p := range pushes {
		if p.done {
			continue
		}
		if paid != due {
			out[k] = append(out[k], shared{s.paidFor(seat, k, p.sum, ws), p.sum})
			continue
		}
		for i := range ws {
			if part := min(ws[i].due, p.sum); !ws[i].got && part > 0 {
				out[k] = append(out[k], shared{ws[i].spot, part})
				ws[i].due -= part
				p.sum -= part
			}
		}
	}
}

// nearest is the unpaid bet whose due is nearest to what was paid, and takes
// it. Where all are paid it is other, the losing bet that was left lying, and
// without one the paid bet that is nearest.
func nearest(ws []want, paid money.Cents, other string) string {
	best := -1
	for i, w := range ws {
		if best < 0 || ws[best].got && !w.got ||
			w.got == ws[best].got && max(w.due-paid, paid-w.due) < max(ws[best].due-paid, paid-ws[best].due) {
			best = i
		}
	}
	if best < 0 || ws[best].got && other != "" {
		return other
	}
	ws[best].got = true
	return ws[best].spot
}

// paidFor is the bet that a payment is for which fits none: the nearest, or while the
// round goes on, as likely, the losing one or another about as near: until that is paid
// nobody knows.
func (s *Narration) paidFor(seat, push int, paid money.Cents, ws []want) string {
	before, loser := slices.Clone(ws), s.loserOf(seat)
	spot := nearest(ws, paid, loser)
	if s.Final {
		return spot
	}
	var others []hypothesis.Alternative
	if loser != "" && spot != loser {
		others = append(others, hypothesis.Alternative{Odds: 1, Spot: loser})
	}
	off := func(w want) money.Cents { return max(w.due-paid, paid-w.due) }
	if k := slices.IndexFunc(ws, func(w want) bool { return w.spot == spot }); k >= 0 {
		for _, w := range ws {
			if !w.got && off(w) <= 3*off(ws[k]) {
				others = append(others, hypothesis.Alternative{Odds: 1, Spot: w.spot})
			}
		}
	}
	c := hypothesis.Choice{Kind: hypothesis.PaidFor, Item: push, Place: scene.PayPlace(seat)}
	if other, ok := s.pick(c, others...); ok {
		copy(ws, before)
		for i := range ws {
			ws[i].got = ws[i].got || ws[i].spot == other.Spot
		}
		return other.Spot
	}
	return spot
}

// loserOf is the seat's losing bet that a payment without a winning bet is
// for: one that was not collected, or else, if nothing of the seat's has won,
// its largest.
func (s *Narration) loserOf(seat int) string {
	left, any, won := round.Settlement{}, round.Settlement{}, false
	for _, e := range s.Due {
		if e.Seat != seat {
			continue
		}
		won = won || e.Outcome == round.Win
		if e.Stake > any.Stake {
			any = e
		}
		if e.Outcome == round.Lose && e.Stake > left.Stake && !s.Taken(e) {
			left = e
		}
	}
	if left.Spot == "" && !won {
		return any.Spot
	}
	return left.Spot
}

// Taken reports whether chips were taken from a bet's place after the bets were closed.
func (s *Narration) Taken(e round.Settlement) bool {
	return slices.ContainsFunc(s.Moves, func(m Move) bool {
		return m.Place == Physical(e.Seat, e.Spot) && m.Delta < 0 && m.At.After(s.Close)
	})
}
