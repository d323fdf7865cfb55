package narrate

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// known is what a place is known to hold while its counts are gone through.
type known struct {
	total money.Cents
	may   []money.Cents // what the total may be, sorted, itself among it
	read  []money.Cents // what it may be as it was read, whatever the hypothesis has it to be
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

// nothing reports whether nothing happened under a hand: the chips are counted as
// they were known, to the chip, and too soon for any to be laid and taken.
func (c cover) nothing(h *scene.Event) bool {
	return c.hand && c.lay.sure() && h.Chips.Total == c.lay.total && !h.Chips.Rough() &&
		h.At.Sub(c.from) < scene.LayAndTake
}

// counting goes through the counts of a round in the order of time.
type counting struct {
	*Narration
	decided int // the last item before which nothing can have been paid
	first   int // the first item before which bets may be laid, or the number of items
	all     map[scene.Place]known
	blind   map[scene.Place]bool // nobody knows how many chips lie there
	covered map[scene.Place]cover
	counts  map[scene.Place]scene.Count // as no hand hid it
}

// countChips turns the counts of every place into changes. A rough count is no
// change where it allows that nothing changed, and a later, better count of the
// same chips puts it right.
func (s *Narration) countChips() {
	s.UncountedSince, s.Rough, s.opening = map[scene.Place]time.Time{}, map[int]bool{}, map[scene.Place]money.Cents{}
	s.Uncounted, s.NeverCounted, s.RoughCounts = map[scene.Place]bool{}, map[int]bool{}, map[int]RoughCount{}
	k := &counting{
		Narration: s, all: map[scene.Place]known{}, blind: map[scene.Place]bool{}, covered: map[scene.Place]cover{},
		counts: map[scene.Place]scene.Count{},
	}
	k.decided = s.Scene.Last(decides)
	k.first = slices.IndexFunc(s.Scene.Events, func(h scene.Event) bool { return decides(&h) || h.IsCall("no_va_mas") })
	if k.first < 0 {
		k.first = len(s.Scene.Events)
	}
	k.open()
	restored := k.restored()
	for i := range s.Scene.Events {
		if h := &s.Scene.Events[i]; h.Kind == scene.ChipsSeen && !slices.Contains(restored, i) {
			k.count(i, h)
		}
	}
	s.meetCounts()
	for p := range k.covered {
		s.NeverCounted[p.Seat] = true
	}
	for p, yes := range k.blind {
		s.Rough[p.Seat] = s.Rough[p.Seat] || yes
	}
}

// decides reports whether an event is of what decides the bets.
func decides(h *scene.Event) bool {
	return h.Kind == scene.CardSeen || h.Kind == scene.DiceSeen || h.IsEvent(round.Ball) || h.IsCall("number")
}

// open takes in what lay there when the round began; its counts have the items
// -2, -3 and so on.
func (k *counting) open() {
	places := slices.SortedFunc(maps.Keys(k.Scene.Opening), scene.Place.Compare)
	for n, p := range places {
		c, item := k.Scene.Opening[p], -2-n
		k.counts[p] = c
		lay := known{total: c.Total, may: c.Totals(), read: c.Totals(), move: -1, item: item}
		if a, ok := k.Hyp.Chosen[hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: item}]; ok {
			lay.total, lay.may = a.Total, []money.Cents{a.Total}
		}
		held, carried := k.Held[p] // with an amount that was recorded before, or is counted later
		if carried && c.Hidden && c.Total == 0 {
			lay.total, lay.may = held.amount, []money.Cents{held.amount}
		}
		k.all[p], k.opening[p], k.blind[p] = lay, lay.total, c.Hidden || c.Rough() && carried
		k.addRough(item, p, c, lay.may, lay.total)
		if c.Hidden && c.Total == 0 && !carried && scene.MayHoldBet(p) {
			k.Uncounted[p], k.Hidden = true, true
			if total, ok := k.supposedBet(p); ok {
				k.all[p], k.opening[p] = known{total: total, may: []money.Cents{total}, move: -1, item: item}, total
			}
		}
	}
}

// count takes in one count.
func (k *counting) count(i int, h *scene.Event) {
	k.cover(h)
	// Counted well before anything can have been paid, they are known again.
	k.blind[h.Place] = h.Chips.Hidden || k.blind[h.Place] && (i > k.decided || h.Chips.Total == 0 || h.Chips.Rough())
	if h.Chips.Hidden {
		k.Hidden = k.Hidden || !h.Chips.Occluded
		k.markUncounted(i, h.Place)
		k.supposedly(i, h)
		k.besideUncounted(i, h)
		// What players alone put where the house pays is no payment: one that is seen later came later.
		if k.UncountedSince[h.Place].IsZero() && !(onlyBy(h.Hands, fact.Players) && h.Place.Spot == scene.PaySpot) {
			k.UncountedSince[h.Place] = h.From
		}
		return
	}
	k.counts[h.Place] = h.Chips
	k.unmarkCounted(i, h)
	if was := k.lies(h.Place); !k.passes(was, i, h) {
		k.all[h.Place] = k.recounted(was, i, h)
	}
}

// lies is what a place is known to hold: nothing where it was never counted.
func (k *counting) lies(p scene.Place) known {
	if lay, ok := k.all[p]; ok {
		return lay
	}
	return known{may: []money.Cents{0}, read: []money.Cents{0}, move: -1, item: -1}
}

// passes reports whether a count, of a time in which nobody may move a stake, is no change: a
// pile that toppled and was put up again is counted before and after as it was. While the round
// goes on, after a rough one the next that is sure is waited for.
func (k *counting) passes(was known, i int, h *scene.Event) bool {
	still := k.Game.Kind != scene.ByCards && !k.Game.Point && i > k.first && (k.decided < 0 || i < k.decided)
	if !still || !was.sure() || !h.Chips.Rough() && (h.Chips.Total >= was.total || !k.fellBeside(h)) {
		return false
	}
	for j := i + 1; j < len(k.Scene.Events); j++ {
		next := &k.Scene.Events[j]
		if next.Kind == scene.ChipsSeen && next.Place == h.Place && !next.Chips.Hidden && !next.Chips.Rough() {
			return next.Chips.Total == was.total
		}
	}
	return h.Chips.Rough() && !k.Final
}

// fellBeside reports whether chips of the seat, of which nobody knows how many, came to another
// place as those of a place became fewer.
func (k *counting) fellBeside(h *scene.Event) bool {
	return slices.ContainsFunc(k.Scene.Events, func(o scene.Event) bool {
		return o.Kind == scene.ChipsSeen && o.At.Equal(h.At) && o.Place.Seat == h.Place.Seat && o.Place != h.Place &&
			(o.Chips.Rough() || o.Chips.Hidden)
	})
}

// besideUncounted takes in what came to a place, once something may have been paid, where chips
// lie that nobody can count: what was counted beside them, or, beside what was counted, something
// of which nobody knows how much it is.
func (k *counting) besideUncounted(i int, h *scene.Event) {
	was, now := k.counts[h.Place], h.Chips
	if now.Occluded {
		return
	}
	k.counts[h.Place] = now
	lay := k.lies(h.Place)
	if i < max(k.first, k.decided) || lay.total == 0 && h.Place.Spot != scene.PaySpot {
		return
	}
	m := Move{Place: h.Place, From: h.From, At: h.At, item: i, hands: h.Hands}
	came, more := now.Beside-was.Counted(), now.Unread-was.Unread
	if came < 0 || more < 0 || came == 0 && more == 0 {
		return // what lay there is not read as it was
	}
	m.Delta, m.unread = came, more > 0
	lay.total, lay.may, lay.since = lay.total+came, plus(lay.may, came), lay.since+came
	k.all[h.Place], k.Moves = lay, append(k.Moves, m)
}

// cover follows what is hidden and seen again.
func (k *counting) cover(h *scene.Event) {
	switch c, under := k.covered[h.Place]; {
	case h.Chips.Hidden && !under:
		k.covered[h.Place] = cover{k.lies(h.Place), k.blind[h.Place], h.Chips.Occluded, h.From}
	case under && h.Chips.Hidden:
		c.hand = c.hand && h.Chips.Occluded
		k.covered[h.Place] = c
	case under && c.nothing(h):
		k.blind[h.Place] = c.blind // it lies there as it lay: a hand was over it
		delete(k.covered, h.Place)
	}
}

// recounted is what a place holds after one more count of it.
func (k *counting) recounted(was known, i int, h *scene.Event) known {
	change := Move{Place: h.Place, From: h.From, At: h.At, item: i, hands: h.Hands}
	if d := k.UncountedSince[h.Place]; !d.IsZero() {
		change.From, change.hidden = d, true
		delete(k.UncountedSince, h.Place)
	}
	now := known{total: h.Chips.Total, may: h.Chips.Totals(), read: h.Chips.Totals()}
	if total, sure := k.amount(h); sure {
		now.total, now.may = total, []money.Cents{total}
	} else if change.hidden && len(now.read) == 1 && slices.Equal(was.read, now.read) && k.supposed(was) {
		return was // what is read, once a hand is gone, as it was when it was misread is what it was
	}
	if more, ok := k.grown(was, h); ok && !change.hidden {
		change.Delta = more.total - was.total
		k.Moves = append(k.Moves, change)
		return more
	}
	if both := common(was.may, now.may); len(both) > 0 && !(was.sure() && now.sure()) {
		return k.narrowed(was, now, both, i, h)
	}
	now.move, now.item = was.move, i
	if d := now.total - was.total; d != 0 {
		if change.Delta = d; !was.sure() || !now.sure() {
			change.before, change.after = was.may, now.may
		}
		now.move, k.Moves = len(k.Moves), append(k.Moves, change)
	}
	k.addRough(i, h.Place, h.Chips, now.may, now.total)
	return now
}

// supposed reports whether the hypothesis has it what a place was last known to hold.
func (k *counting) supposed(was known) bool {
	_, fixed := k.Hyp.Chosen[hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: k.number(was.item)}]
	return fixed
}

// grown is what a place holds to which a counted sum came beside what stands there,
// itself perhaps counted roughly, or wrong: then it is still read so. False where something
// else may have happened.
func (k *counting) grown(was known, h *scene.Event) (known, bool) {
	total, _ := k.amount(h)
	if len(h.Chips.Came) == 0 {
		return known{}, false
	}
	counted := h.Chips.Came[0].Total
	came := counted + total - h.Chips.Total
	if came <= 0 || len(common(plus(was.read, counted), h.Chips.Totals())) == 0 {
		return known{}, false
	}
	was.total, was.may, was.since = was.total+came, plus(was.may, came), was.since+came
	was.read = h.Chips.Totals()
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

// narrowed is two counts of the same chips fused: what came before
// is put right by the surer of them.
func (k *counting) narrowed(was, now known, both []money.Cents, i int, h *scene.Event) known {
	out := was
	out.may, out.read = both, now.read
	if len(now.may) < len(was.may) {
		out.total = now.total
	}
	if !slices.Contains(both, out.total) {
		off := func(v money.Cents) money.Cents { return max(v-out.total, out.total-v) }
		out.total = slices.MinFunc(both, func(a, b money.Cents) int { return cmp.Compare(off(a), off(b)) })
	}
	if i > k.decided && !k.Game.Held && !was.sure() && slices.Contains(h.Hands, fact.Bank) {
		k.Rough[h.Place.Seat] = true // or a part of them was collected
	}
	switch {
	case i > k.decided && was.sure():
		k.addRough(i, h.Place, h.Chips, now.may, out.total) // or something was paid
	case i <= k.decided && !k.Game.Held:
		k.narrowRough(was.item, plus(both, -was.since), out.total-was.since)
	} // else others may have been laid on them, and all be as many as they may have been
	shift := out.total - was.total
	if was.move < 0 {
		k.opening[h.Place] += shift
		return out
	}
	m := &k.Moves[was.move]
	m.Delta += shift
	if m.after != nil {
		m.after = plus(both, -was.since)
	}
	return out
}

// can reports whether a rough change may be so much.
func (m Move) can(delta money.Cents) bool {
	return m.unread && delta > 0 ||
		slices.ContainsFunc(m.after, func(v money.Cents) bool { return slices.Contains(m.before, v-delta) })
}

// fit gives rough changes the amounts with which they sum up to want, if they
// can: of the readings that are possible the one without a mistake is recorded. What lay
// there before a later change is what the one before it left: only what that one left
// is open.
func fit(moves []Move, want money.Cents) []Move {
	if out, ok := fitUnread(moves, want); ok {
		return out
	}
	var sum money.Cents
	for i, m := range moves {
		gap := want - sum - m.Delta
		house := !m.unread || !m.by(fact.Players) // a player pays nobody
		if gap != 0 && house && (i == 0 || len(m.after) > 1) && m.can(m.Delta+gap) {
			out := append([]Move(nil), moves...)
			out[i].Delta += gap
			if i+1 < len(out) {
				out[i+1].Delta -= gap
			}
			return out
		}
		if sum += m.Delta; sum == want {
			return moves
		}
	}
	return moves
}

// fitUnread takes the one thing that came and that nobody could count for what is missing of want;
// with it goes what is taken next.
func fitUnread(moves []Move, want money.Cents) ([]Move, bool) {
	i := slices.IndexFunc(moves, func(m Move) bool { return m.unread && !m.by(fact.Players) })
	for _, m := range moves {
		want -= max(m.Delta, 0)
	}
	if i < 0 || want <= 0 {
		return nil, false
	}
	out := slices.Clone(moves)
	out[i].Delta, out[i].unread = out[i].Delta+want, false
	if k := slices.IndexFunc(out[i:], func(m Move) bool { return m.Delta < 0 }); k > 0 {
		out[i+k].Delta -= want
	}
	return out, true
}

// RoughCount is a count with the totals that the chips may have.
type RoughCount struct {
	Place    scene.Place
	of       scene.Count
	may      []money.Cents
	recorded money.Cents
}

// addRough remembers that the chips counted by an item may be others than recorded.
func (s *Narration) addRough(item int, p scene.Place, of scene.Count, may []money.Cents, total money.Cents) {
	if len(may) > 1 {
		s.RoughCounts[item] = RoughCount{p, of, may, total}
	}
}

// narrowRough takes over the result of a better count of the same chips.
func (s *Narration) narrowRough(item int, may []money.Cents, total money.Cents) {
	if l, ok := s.RoughCounts[item]; ok {
		s.RoughCounts[item] = RoughCount{l.Place, l.of, common(l.may, may), total}
	}
}

// AnyRough reports whether some chips could not be counted, whosoever they are.
func (s *Narration) AnyRough() bool {
	return slices.Contains(slices.Collect(maps.Values(s.Rough)), true)
}

// by reports whether arms from one side of the table only reached for the chips, and
// from which.
func (m Move) by(side string) bool { return onlyBy(m.hands, side) }

// onlyBy reports whether the arms were all from one side of the table.
func onlyBy(hands []string, side string) bool { return len(hands) == 1 && hands[0] == side }

// Move is one change of the chips of a place.
type Move struct {
	Place    scene.Place
	Delta    money.Cents
	From, At time.Time
	item     int
	hidden   bool     // it was found when hidden chips were seen again
	unread   bool     // more came, which nobody can count
	hands    []string // sides of the table from which arms reached for it
	// before and after are the totals that may have lain there, where one of the
	// two counts was only rough; nil where delta is certain.
	before, after []money.Cents
}

// Interdependent reports whether what is due to anybody follows from what all have bet.
func (g *Game) Interdependent() bool { return g.Held || len(g.Bank) > 0 }

// Chips that lie on a place and were never counted are a bet that nobody can read. The
// record goes without it; what is due on that place, and what its owner may do, nobody
// knows, and it is noted. Whatever else is found must hold with such a bet as without
// one. Where all play for one pot, or against a bank that a player keeps, the round hangs
// on every bet, and is not verifiable.

// markUncounted takes in that a place where nothing was known to lie holds chips that cannot be
// counted. Laid after the ball or the dice have come to rest they are no bet of the round.
func (k *counting) markUncounted(i int, p scene.Place) {
	if k.all[p].total == 0 && scene.MayHoldBet(p) && (k.Game.Kind == scene.ByCards || k.decided < 0 || i < k.decided) {
		k.Uncounted[p] = true
	}
}

// unmarkCounted takes in that a place is counted: a bet that is counted before anything can have
// been paid is known, and where nothing lies while bets are laid there was none.
func (k *counting) unmarkCounted(i int, h *scene.Event) {
	switch {
	case h.Chips.Total > 0 && (i < k.decided || k.Game.Pushed): // later a payment may lie with it
		delete(k.Uncounted, h.Place)
	case h.Chips.Total == 0 && !h.Chips.Rough() && !k.Game.Interdependent() && i < k.first:
		delete(k.Uncounted, h.Place)
		k.blind[h.Place] = false
	}
}

// supposedly is a count of chips that cannot be counted as the hypothesis has it.
func (k *counting) supposedly(i int, h *scene.Event) {
	if !k.Uncounted[h.Place] || k.all[h.Place].total > 0 {
		return
	}
	total, ok := k.supposedBet(h.Place)
	if !ok {
		return
	}
	counted := *h
	counted.Chips = scene.Count{Total: total}
	k.all[h.Place] = k.recounted(k.lies(h.Place), i, &counted)
}
