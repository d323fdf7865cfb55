package track

import (
	"time"

	"vision/internal/money"
	"vision/validate/round"
)

// known is what a place is known to hold while its counts are gone through.
type known struct {
	total, low, high money.Cents
	// move is the index of the move whose amount hangs on total, -1 for what
	// lay there when the round began.
	move int
}

// cover is what was known of a place when its chips could not be counted any
// more.
type cover struct {
	lay   known
	rough bool
	hand  bool // nothing else was seen of it than a hand
	from  time.Time
}

// nothing tells that nothing happened under a hand: the chips are counted as
// they were known, to the chip, and too soon for any to be laid and taken.
func (c cover) nothing(h *happening) bool {
	const motion = 1500 * time.Millisecond
	return c.hand && c.lay.low == c.lay.high && h.chips.total == c.lay.total && !h.chips.vague() && h.at.Sub(c.from) <= motion
}

// lookAtChips turns the counts of every place into changes. A rough count is no
// change where it allows that nothing changed, and a later, better count of the
// same chips puts it right.
func (s *story) lookAtChips() {
	s.dark, s.vague, s.stood = map[place]time.Time{}, map[int]bool{}, map[place]money.Cents{}
	s.uncounted, s.concealed = map[place]bool{}, map[int]bool{}
	all, rough, covered := map[place]known{}, map[place]bool{}, map[place]cover{}
	decided := s.sc.last(func(h *happening) bool {
		return h.kind == cardSeen || h.kind == diceSeen || h.isEvent(round.Ball) || h.isCall("number")
	})
	for p, c := range s.sc.opening {
		all[p] = known{c.total, c.total - c.less, c.total + c.more, -1}
		s.stood[p] = c.total
		rough[p] = c.vague() || c.hidden
		if c.hidden && c.total == 0 && bettable(p) {
			s.uncounted[p] = true
		}
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if h.kind != chipsSeen {
			continue
		}
		c, under := covered[h.place]
		switch {
		case h.chips.hidden && !under:
			covered[h.place] = cover{all[h.place], rough[h.place], h.chips.under, h.from}
		case under && h.chips.hidden:
			c.hand = c.hand && h.chips.under
			covered[h.place] = c
		case under && c.nothing(h):
			rough[h.place] = c.rough // it lies there as it lay: a hand was over it
			delete(covered, h.place)
		}
		// Counted well before anything can have been paid, they are known again.
		rough[h.place] = h.chips.hidden || h.chips.vague() || rough[h.place] && (i > decided || h.chips.total == 0)
		if h.chips.hidden {
			if all[h.place].total == 0 && bettable(h.place) {
				s.uncounted[h.place] = true
			}
			if s.dark[h.place].IsZero() {
				s.dark[h.place] = h.from
			}
			continue
		}
		if h.chips.total > 0 && (i < decided || s.g.pushed) { // later a payment may lie with it
			delete(s.uncounted, h.place)
		}
		was, ok := all[h.place]
		if !ok {
			was = known{move: -1}
		}
		all[h.place] = s.recounted(was, i, h)
	}
	for p := range covered {
		s.concealed[p.Seat] = true
	}
	for p, yes := range rough {
		s.vague[p.Seat] = s.vague[p.Seat] || yes
	}
}

// recounted is what a place holds after one more count of it.
func (s *story) recounted(was known, i int, h *happening) known {
	from, hidden := h.from, false
	if d := s.dark[h.place]; !d.IsZero() {
		from, hidden = d, true
		delete(s.dark, h.place)
	}
	now := known{total: h.chips.total, low: h.chips.total - h.chips.less, high: h.chips.total + h.chips.more}
	if total := s.w.amount(i, h); total != h.chips.total {
		now = known{total: total, low: total, high: total}
	}
	if now.low <= was.high && was.low <= now.high && (was.low < was.high || now.low < now.high) {
		return s.narrowed(h.place, was, now)
	}
	now.move = was.move
	if d := now.total - was.total; d != 0 {
		s.moves = append(s.moves, move{
			place: h.place, delta: d, from: from, at: h.at, item: i, hidden: hidden, hands: h.hands,
			more: now.high - was.low - d, less: d - (now.low - was.high),
		})
		now.move = len(s.moves) - 1
	}
	return now
}

// narrowed is what two counts of the same chips tell together: what came before
// is put right by the surer of them.
func (s *story) narrowed(p place, was, now known) known {
	out := known{low: max(was.low, now.low), high: min(was.high, now.high), move: was.move}
	out.total = was.total
	if now.high-now.low < was.high-was.low {
		out.total = now.total
	}
	out.total = min(max(out.total, out.low), out.high)
	shift := out.total - was.total
	if was.move < 0 {
		s.stood[p] += shift
		return out
	}
	m := &s.moves[was.move]
	m.delta += shift
	m.more, m.less = min(m.more, out.high-out.total), min(m.less, out.total-out.low)
	return out
}

// fit gives rough changes the amounts with which they sum up to want, if they
// can: of the readings that are possible the one without a mistake is told.
func fit(moves []move, want money.Cents) []move {
	var sum money.Cents
	for i, m := range moves {
		if gap := want - sum - m.delta; gap != 0 && gap <= m.more && -gap <= m.less {
			out := append([]move(nil), moves...)
			out[i].delta += gap
			if i+1 < len(out) {
				out[i+1].delta -= gap
			}
			return out
		}
		if sum += m.delta; sum == want {
			return moves
		}
	}
	return moves
}
