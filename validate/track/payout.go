package track

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"

	"vision/internal/money"
	"vision/validate/round"
)

// Winnings that are pushed to a player do not say for which bet they are. Of
// the ways to share them among the seat's winning bets the one that fits what
// is due is told.

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

// payouts tells the payments into the zones "seat:N pay" after an outcome.
func (s *story) payouts(after func(move) bool) {
	by := map[int][]move{}
	var seats []int
	for _, m := range s.moves {
		if m.place.Spot != paySpot || !after(m) {
			continue
		}
		if by[m.place.Seat] == nil {
			seats = append(seats, m.place.Seat)
		}
		by[m.place.Seat] = append(by[m.place.Seat], m)
	}
	for _, e := range s.due { // who was paid without anybody seeing it
		if by[e.Seat] == nil && e.Outcome == round.Win && !slices.Contains(seats, e.Seat) {
			seats = append(seats, e.Seat)
		}
	}
	for _, seat := range seats {
		s.share(seat, s.withUnseen(seat, s.pushes(seat, by[seat])))
	}
}

// withUnseen are the payments to a seat and, where less was seen than is due and the
// hypothesis has it so, the rest of it, pushed and taken up under the same hands.
func (s *story) withUnseen(seat int, pushes []push) []push {
	var due, paid money.Cents
	for _, w := range s.wants(seat) {
		due += w.due
	}
	for _, p := range pushes {
		paid += p.sum
	}
	p := place{seat, paySpot}
	t, ok := s.touched(p)
	if !ok || due <= paid || !s.either(choice{kind: underHands, place: p}, s.prior().Untouched) {
		return pushes
	}
	return append(pushes, push{sum: due - paid, from: t.from, at: t.at})
}

// pushes are the payments among the movements of a pay zone. What is taken
// from it is the player's, unless what was paid is right in the end.
func (s *story) pushes(seat int, moves []move) []push {
	var due money.Cents
	for _, w := range s.wants(seat) {
		due += w.due
	}
	moves = fit(s.mended(seat, paySpot, moves), due)
	n := prefix(moves, due)
	// a losing bet left lying says that chips taken back were not: it was paid
	right := n > 0 && due > 0 && (!mixed(moves[:n]) || s.soon(moves[:n]) && s.loserOf(seat) == "") &&
		!slices.ContainsFunc(moves[n:], func(m move) bool { return m.delta > 0 }) // or more was paid
	if right {
		moves = moves[:n]
	}
	var out []push
	for _, m := range moves {
		if m.delta > 0 {
			out = append(out, push{sum: m.delta, from: m.from, at: m.at})
		} else if k := len(out) - 1; right && k >= 0 {
			s.notes = append(s.notes, Note{Code: NoteCorrected, Seat: seat, Spot: paySpot, Amount: -m.delta, Time: m.at})
			out[k].sum, out[k].at = out[k].sum+m.delta, m.at
			if out[k].sum <= 0 {
				out = out[:k]
			}
		}
	}
	return out
}

// wants are the seat's winning bets in the order in which roulettes pay.
func (s *story) wants(seat int) (ws []want) {
	for _, e := range s.due {
		if e.Seat == seat && e.Outcome == round.Win && e.Pays > 0 {
			ws = append(ws, want{spot: e.Spot, due: e.Pays - e.Commission})
		}
	}
	slices.SortStableFunc(ws, func(a, b want) int { return cmp.Compare(payRank(a.spot), payRank(b.spot)) })
	if len(ws) > 12 {
		ws = ws[:12]
	}
	return ws
}

// payRank is the group of a spot in the order of payment (nacional-1979 01,
// two cloths): columns and dozens, simple chances, streets and lines, corners
// and splits, plenos.
func payRank(spot string) int {
	kind, _, _ := strings.Cut(spot, ":")
	for i, group := range []string{
		"columna docena doble_columna doble_docena", "rojo negro par impar falta pasa",
		"transversal seisena", "cuadro cuadro_especial caballo", "pleno",
	} {
		if slices.Contains(strings.Fields(group), kind) {
			return i
		}
	}
	return 9
}

// exact is the smallest set of unpaid bets (as bits) that are due sum; 0: none.
func exact(ws []want, sum money.Cents) (set uint) {
	for try := uint(1); try < 1<<len(ws); try++ {
		var due money.Cents
		for i, w := range ws {
			if try>>i&1 == 0 {
				continue
			}
			if w.got {
				due = -1 << 40
			}
			due += w.due
		}
		if due == sum && (set == 0 || bits.OnesCount(try) < bits.OnesCount(set)) {
			set = try
		}
	}
	return set
}

// shared is what one push is told to be for.
type shared struct {
	spot   string
	amount money.Cents
}

// share tells for which bets the payments to one seat are.
func (s *story) share(seat int, pushes []push) {
	out := s.shares(seat, pushes)
	s.swap(seat, pushes, out)
	for k, p := range pushes {
		for _, e := range out[k] {
			s.tell(round.Event{Type: round.Pay, Seat: seat, Spot: e.spot, Amount: e.amount}, p.from, p.at, 2)
		}
	}
}

// swap lets two pushes of the same amount change what they are for, where the
// hypothesis has it so.
func (s *story) swap(seat int, pushes []push, out [][]shared) {
	for a := range pushes {
		for b := a + 1; b < len(pushes); b++ {
			if pushes[a].sum != pushes[b].sum || slices.Equal(out[a], out[b]) {
				continue
			}
			if s.either(choice{pushedFor, a*len(pushes) + b, place{seat, paySpot}}, 0.5) {
				out[a], out[b] = out[b], out[a]
			}
		}
	}
}

// shares are the bets that each push is for. Of bets of which as much is due the
// push is for that whose turn it is: a wrong one before it took another's.
func (s *story) shares(seat int, pushes []push) [][]shared {
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

// shareRest deals with payments that fit no bet exactly: they fill what is
// due in turn when their sum is right, else each goes to the bet it is nearest.
func (s *story) shareRest(ws []want, pushes []push, seat int, out [][]shared) {
	var due, paid money.Cents
	for _, w := range ws {
		if !w.got {
			due += w.due
		}
	}
	for _, p := range pushes {
		if !p.done {
			paid += p.sum
		}
	}
	for k, p := range pushes {
		if p.done {
			continue
		}
		if paid != due {
			loser := s.loserOf(seat)
			spot := s.paidFor(seat, k, p.sum, ws, loser)
			out[k] = append(out[k], shared{spot, p.sum})
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
// nobody can tell.
func (s *story) paidFor(seat, push int, paid money.Cents, ws []want, loser string) string {
	before := slices.Clone(ws)
	spot := nearest(ws, paid, loser)
	if s.final {
		return spot
	}
	var others []alternative
	if loser != "" && spot != loser {
		others = append(others, alternative{odds: 1, spot: loser})
	}
	off := func(w want) money.Cents { return max(w.due-paid, paid-w.due) }
	if k := slices.IndexFunc(ws, func(w want) bool { return w.spot == spot }); k >= 0 {
		for _, w := range ws {
			if !w.got && off(w) <= 3*off(ws[k]) {
				others = append(others, alternative{odds: 1, spot: w.spot})
			}
		}
	}
	if other, ok := s.pick(choice{paidFor, push, place{seat, paySpot}}, others...); ok {
		copy(ws, before)
		for i := range ws {
			ws[i].got = ws[i].got || ws[i].spot == other.spot
		}
		return other.spot
	}
	return spot
}

// loserOf is the seat's losing bet that a payment without a winning bet is
// for: one that was not collected, or else, if nothing of the seat's has won,
// its largest.
func (s *story) loserOf(seat int) string {
	left, any, won := round.Settlement{}, round.Settlement{}, false
	for _, e := range s.due {
		if e.Seat != seat {
			continue
		}
		won = won || e.Outcome == round.Win
		if e.Stake > any.Stake {
			any = e
		}
		if e.Outcome == round.Lose && e.Stake > left.Stake && !s.taken(e) {
			left = e
		}
	}
	if left.Spot == "" && !won {
		return any.Spot
	}
	return left.Spot
}

// taken tells that chips were taken from a bet's place after the bets were closed.
func (s *story) taken(e round.Settlement) bool {
	return slices.ContainsFunc(s.moves, func(m move) bool {
		return m.place == physical(e.Seat, e.Spot) && m.delta < 0 && m.at.After(s.close)
	})
}
