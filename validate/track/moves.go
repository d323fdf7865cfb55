package track

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// known is what a place is known to hold while its counts are gone through.
type known struct {
	total money.Cents
	may   []money.Cents // what the total may be, sorted, itself among it
	// move is the index of the move whose amount hangs on total, and item that
	// of its first count; -1 for what lay there when the round began.
	move, item int
	since      money.Cents // what came beside it after that
}

func (k known) sure() bool { return len(k.may) < 2 }

// cover is what was known of a place when its chips could not be counted any
// more.
type cover struct {
	lay   known
	blind bool
	hand  bool // nothing else was seen of it than a hand
	from  time.Time
}

// nothing tells that nothing happened under a hand: the chips are counted as
// they were known, to the chip, and too soon for any to be laid and taken.
func (c cover) nothing(h *happening) bool {
	const motion = 1500 * time.Millisecond
	return c.hand && c.lay.sure() && h.chips.total == c.lay.total && !h.chips.vague() && h.at.Sub(c.from) <= motion
}

// counting goes through the counts of a round in the order of time.
type counting struct {
	*story
	decided int // the last item before which nothing can have been paid
	first   int // the first item before which bets may be laid, or the number of items
	all     map[place]known
	blind   map[place]bool // nobody knows how many chips lie there
	covered map[place]cover
}

// lookAtChips turns the counts of every place into changes. A rough count is no
// change where it allows that nothing changed, and a later, better count of the
// same chips puts it right.
func (s *story) lookAtChips() {
	s.dark, s.vague, s.stood = map[place]time.Time{}, map[int]bool{}, map[place]money.Cents{}
	s.uncounted, s.concealed, s.loose = map[place]bool{}, map[int]bool{}, map[int]loose{}
	k := &counting{story: s, all: map[place]known{}, blind: map[place]bool{}, covered: map[place]cover{}}
	k.decided = s.sc.last(func(h *happening) bool {
		return h.kind == cardSeen || h.kind == diceSeen || h.isEvent(round.Ball) || h.isCall("number")
	})
	k.first = slices.IndexFunc(s.sc.items, func(h happening) bool {
		return h.kind == cardSeen || h.kind == diceSeen || h.isEvent(round.Ball) || h.isCall("number", "no_va_mas")
	})
	if k.first < 0 {
		k.first = len(s.sc.items)
	}
	k.open()
	for i := range s.sc.items {
		if h := &s.sc.items[i]; h.kind == chipsSeen {
			k.count(i, h)
		}
	}
	s.meetCounts()
	for p := range k.covered {
		s.concealed[p.Seat] = true
	}
	for p, yes := range k.blind {
		s.vague[p.Seat] = s.vague[p.Seat] || yes
	}
}

// open takes in what lay there when the round began; its counts have the items
// -2, -3 and so on.
func (k *counting) open() {
	places := slices.SortedFunc(maps.Keys(k.sc.opening), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
	for n, p := range places {
		c, item := k.sc.opening[p], -2-n
		lay := known{total: c.total, may: c.totals(), move: -1, item: item}
		if a, ok := k.hyp.chosen[choice{kind: chipsCounted, item: item}]; ok {
			lay = known{total: a.total, may: []money.Cents{a.total}, move: -1, item: item}
		}
		_, carried := k.held[p] // with an amount that was told before
		k.all[p], k.stood[p], k.blind[p] = lay, lay.total, c.hidden || c.vague() && carried
		k.loosen(item, p, lay.may, lay.total)
		if c.hidden && c.total == 0 && mayHoldBet(p) {
			k.uncounted[p], k.hid = true, true
			if total, ok := k.supposedBet(p); ok {
				k.all[p], k.stood[p] = known{total: total, may: []money.Cents{total}, move: -1, item: item}, total
			}
		}
	}
}

// count takes in one count.
func (k *counting) count(i int, h *happening) {
	k.cover(h)
	if k.g.held && k.blind[h.place] && !h.chips.hidden && h.chips.total == 0 {
		k.vague[h.place.Seat] = true // what went to the pot was never counted
	}
	// Counted well before anything can have been paid, they are known again.
	k.blind[h.place] = h.chips.hidden || k.blind[h.place] && (i > k.decided || h.chips.total == 0 || h.chips.vague())
	if h.chips.hidden {
		k.hid = k.hid || !h.chips.under
		k.uncounts(i, h.place)
		k.supposedly(i, h)
		if k.dark[h.place].IsZero() {
			k.dark[h.place] = h.from
		}
		return
	}
	k.recounts(i, h)
	was, ok := k.all[h.place]
	if !ok {
		was = known{may: []money.Cents{0}, move: -1, item: -1}
	}
	if k.passes(was, i, h) {
		return
	}
	k.all[h.place] = k.recounted(was, i, h)
}

// passes reports whether a rough count, of a time in which nobody may move a stake, is no
// change: a pile that toppled and was put up again is counted before and after as it was.
// While the round goes on the next count that is sure is waited for.
func (k *counting) passes(was known, i int, h *happening) bool {
	still := k.g.course != cards && !k.g.point && i > k.first && (k.decided < 0 || i < k.decided)
	if !still || !was.sure() || !h.chips.vague() {
		return false
	}
	for j := i + 1; j < len(k.sc.items); j++ {
		next := &k.sc.items[j]
		if next.kind == chipsSeen && next.place == h.place && !next.chips.hidden && !next.chips.vague() {
			return next.chips.total == was.total
		}
	}
	return !k.final
}

// cover follows what is hidden and seen again.
func (k *counting) cover(h *happening) {
	switch c, under := k.covered[h.place]; {
	case h.chips.hidden && !under:
		k.covered[h.place] = cover{k.all[h.place], k.blind[h.place], h.chips.under, h.from}
	case under && h.chips.hidden:
		c.hand = c.hand && h.chips.under
		k.covered[h.place] = c
	case under && c.nothing(h):
		k.blind[h.place] = c.blind // it lies there as it lay: a hand was over it
		delete(k.covered, h.place)
	}
}

// recounted is what a place holds after one more count of it.
func (k *counting) recounted(was known, i int, h *happening) known {
	from, hidden := h.from, false
	if d := k.dark[h.place]; !d.IsZero() {
		from, hidden = d, true
		delete(k.dark, h.place)
	}
	now := known{total: h.chips.total, may: h.chips.totals()}
	if total, sure := k.amount(h); sure {
		now = known{total: total, may: []money.Cents{total}}
	}
	if more, ok := k.grown(was, i, h); ok && !hidden {
		k.moves = append(k.moves, move{place: h.place, delta: more.total - was.total, from: from, at: h.at, item: i, hands: h.hands})
		return more
	}
	if both := common(was.may, now.may); len(both) > 0 && !(was.sure() && now.sure()) {
		return k.narrowed(was, now, both, i, h)
	}
	now.move, now.item = was.move, i
	if d := now.total - was.total; d != 0 {
		k.moves = append(k.moves, move{place: h.place, delta: d, from: from, at: h.at, item: i, hidden: hidden, hands: h.hands})
		now.move = len(k.moves) - 1
		if !was.sure() || !now.sure() {
			k.moves[now.move].before, k.moves[now.move].after = was.may, now.may
		}
	}
	k.loosen(i, h.place, now.may, now.total)
	return now
}

// grown is what a place holds to which a counted sum came beside what stands there,
// itself perhaps counted roughly; false where something else may have happened.
func (k *counting) grown(was known, i int, h *happening) (known, bool) {
	total, _ := k.amount(h)
	came := h.chips.came + total - h.chips.total
	if h.chips.came == 0 || came <= 0 {
		return known{}, false
	}
	if len(common(plus(was.may, h.chips.came), h.chips.totals())) == 0 {
		return known{}, false
	}
	was.total, was.may, was.since = was.total+came, plus(was.may, came), was.since+came
	return was, true
}

// plus are totals, all by so much more.
func plus(may []money.Cents, by money.Cents) []money.Cents {
	out := slices.Clone(may)
	for i := range out {
		out[i] += by
	}
	return out
}

// common are the totals that are in both lists.
func common(a, b []money.Cents) []money.Cents {
	return slices.DeleteFunc(slices.Clone(a), func(v money.Cents) bool { return !slices.Contains(b, v) })
}

// narrowed is what two counts of the same chips tell together: what came before
// is put right by the surer of them.
func (k *counting) narrowed(was, now known, both []money.Cents, i int, h *happening) known {
	out := was
	out.may = both
	if len(now.may) < len(was.may) {
		out.total = now.total
	}
	if !slices.Contains(both, out.total) {
		out.total = nearestOf(both, out.total)
	}
	if i > k.decided && !k.g.held && !was.sure() && slices.Contains(h.hands, fact.Bank) {
		k.vague[h.place.Seat] = true // or a part of them was collected
	}
	switch {
	case i > k.decided && was.sure():
		k.loosen(i, h.place, now.may, out.total) // or something was paid
	case i <= k.decided && !k.g.held:
		k.tighten(was.item, plus(both, -was.since), out.total-was.since)
	} // else others may have been laid on them, and all be as many as they may have been
	shift := out.total - was.total
	if was.move < 0 {
		k.stood[h.place] += shift
		return out
	}
	m := &k.moves[was.move]
	m.delta += shift
	if m.after != nil {
		m.after = plus(both, -was.since)
	}
	return out
}

// nearestOf is the one of a list that is nearest to v.
func nearestOf(list []money.Cents, v money.Cents) money.Cents {
	return slices.MinFunc(list, func(a, b money.Cents) int { return cmp.Compare(max(a-v, v-a), max(b-v, v-b)) })
}

// can tells that a rough change may be so much.
func (m move) can(delta money.Cents) bool {
	return slices.ContainsFunc(m.after, func(v money.Cents) bool { return slices.Contains(m.before, v-delta) })
}

// fit gives rough changes the amounts with which they sum up to want, if they
// can: of the readings that are possible the one without a mistake is told. What lay
// there before a later change is what the one before it left: only what that one left
// is open.
func fit(moves []move, want money.Cents) []move {
	var sum money.Cents
	for i, m := range moves {
		if gap := want - sum - m.delta; gap != 0 && (i == 0 || len(m.after) > 1) && m.can(m.delta+gap) {
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

// loose is a count with the totals that the chips may have.
type loose struct {
	place place
	may   []money.Cents
	told  money.Cents
}

// loosen remembers that the chips counted by an item may be others than told.
func (s *story) loosen(item int, p place, may []money.Cents, told money.Cents) {
	if len(may) > 1 {
		s.loose[item] = loose{p, may, told}
	}
}

// tighten takes over what a better count of the same chips tells.
func (s *story) tighten(item int, may []money.Cents, told money.Cents) {
	if l, ok := s.loose[item]; ok {
		s.loose[item] = loose{l.place, common(l.may, may), told}
	}
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

// by tells that arms from one side of the table only reached for the chips, and
// from which.
func (m move) by(side string) bool { return len(m.hands) == 1 && m.hands[0] == side }

// move is one change of the chips of a place.
type move struct {
	place    place
	delta    money.Cents
	from, at time.Time
	item     int
	hidden   bool     // it was found when hidden chips were seen again
	hands    []string // sides of the table from which arms reached for it
	// before and after are the totals that may have lain there, where one of the
	// two counts was only rough; nil where delta is certain.
	before, after []money.Cents
}

// whole tells that what is due to anybody follows from what all have bet.
func (g *game) whole() bool { return g.held || len(g.bank) > 0 }

// Chips that lie on a place and were never counted are a bet that nobody can read. The
// record goes without it; what is due on that place, and what its owner may do, nobody
// knows, and it is said so. Whatever else is found must hold with such a bet as without
// one. Where all play for one pot, or against a bank that a player keeps, the round hangs
// on every bet, and is not verifiable.

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
