package track

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// felt is what lies on the table and the rounds it has seen, as a fold over
// entries in the order of time. It decides nothing that money depends on.
type felt struct {
	atlas     *atlas
	game      *game
	scene     *scene   // the running round
	past      []*scene // ended rounds that still wait for late lines
	zones     map[string]memory
	chips     map[string]map[place]count // by zone
	standing  map[string][]standing      // the stacks of a zone as read last
	dice      dicebox
	blind     string    // why nothing can be seen at present
	displaced bool      // the camera does not stand as calibrated
	dark      time.Time // nothing that came about before this was seen
	unwatched time.Time // the same, but for bets
	brief     time.Duration
	until     time.Time // the end of the last finished round
}

// memory is what is remembered of a zone between two readings.
type memory struct {
	settled time.Time // of the last reading
	rest    time.Time // since when it was at rest then
	stirred time.Time // since when it moves; zero while at rest
}

type dicebox struct {
	dice    []fact.Die // as they lay last
	emptied bool       // the zone was seen without dice since
}

// entry is one input in the tracker's log: an observation, a line heard, or
// the end of the round, decided by the clock.
type entry struct {
	At     time.Time         `json:"at"`
	Seq    uint64            `json:"seq"`
	Seen   *fact.Observation `json:"seen,omitempty"`
	Heard  *round.Event      `json:"heard,omitempty"`
	Source string            `json:"source,omitempty"` // who said it
	Ending string            `json:"ending,omitempty"`
	Lost   string            `json:"lost,omitempty"` // why nothing was seen until the next reading
}

func newFelt(a *atlas, g *game, brief time.Duration) *felt {
	return &felt{
		atlas: a, game: g, brief: brief, scene: &scene{game: g, opening: map[place]count{}},
		zones: map[string]memory{}, chips: map[string]map[place]count{}, standing: map[string][]standing{},
	}
}

func (f *felt) clone() *felt {
	c := *f
	c.scene = f.scene.clone()
	c.past = make([]*scene, len(f.past))
	for i, sc := range f.past {
		c.past[i] = sc.clone()
	}
	c.zones, c.standing = maps.Clone(f.zones), maps.Clone(f.standing) // the lists are never written to
	c.chips = make(map[string]map[place]count, len(f.chips))
	for z, m := range f.chips {
		c.chips[z] = maps.Clone(m)
	}
	return &c
}

// step takes in one entry.
func (f *felt) step(e entry) {
	switch {
	case e.Seen != nil:
		f.see(e.Seen)
	case e.Heard != nil:
		f.hear(*e.Heard, e.At)
	case e.Lost != "":
		f.blind, f.displaced = e.Lost, false // who looks on from here says anew whether the camera stands
		f.darken(e.At, e.Lost)
	case e.Ending != "":
		f.end(e.At, e.Ending)
	}
}

func (f *felt) see(o *fact.Observation) {
	switch o.Kind {
	case fact.Stirred:
		m := f.zones[o.Zone]
		if m.stirred.IsZero() {
			if m.stirred = o.Time; !o.Since.IsZero() && o.Time.Sub(o.Since) > blink {
				m.stirred = o.Since // it may have begun as soon as nobody looked
			}
			f.zones[o.Zone] = m
		}
		if !o.Since.IsZero() {
			f.miss(span{o.Since, o.Time}, unlooked)
		}
	case fact.Looked:
		f.miss(span{o.Since, o.Time}, unlooked)
	case fact.Settled:
		f.settle(o)
	case fact.Gap:
		f.miss(span{o.Since, o.Time}, because("frames were lost", o.Note))
	case fact.Blind:
		f.blind = because("the camera sent nothing", o.Note)
		f.darken(o.Time, f.blind)
	case fact.Moved:
		why := because("the camera was moved", o.Note)
		f.displaced, f.blind = !o.OK, ""
		if f.displaced {
			f.blind = why
		}
		f.darken(o.Time, why)
	}
}

// unlooked is said of a round of which too few pictures were looked at.
const unlooked = "the reader did not look for a while"

func because(why, note string) string {
	if note == "" {
		return why
	}
	return why + ": " + note
}

// darken marks the running round, and any that begins with something that
// came about before to.
func (f *felt) darken(to time.Time, why string) {
	if to.After(f.dark) {
		f.dark = to
	}
	if f.scene.begun() {
		f.scene.mark(why)
	}
}

// put adds a happening to the running round.
func (f *felt) put(h happening) {
	if f.blind != "" {
		f.scene.mark(f.blind)
	} else if f.unseen(h) {
		f.scene.mark("part of the round was not seen")
	}
	f.scene.add(h)
}

func (f *felt) settle(o *fact.Observation) {
	z := f.atlas.zones[o.Zone]
	if z == nil {
		return
	}
	if f.blind != "" {
		if f.dark.Before(o.Time) {
			f.dark = o.Time
		}
		if f.displaced {
			return // what is read through a displaced calibration is worth nothing
		}
		f.blind = ""
	}
	r := f.zones[o.Zone].next(o)
	f.zones[o.Zone] = memory{settled: o.Time, rest: o.Since}
	if o.Note == "" {
		if z.cards {
			f.readCards(z, o.Cards, r)
		}
		if z.dice {
			f.readDice(z, o.Dice, r)
		}
	}
	if z.chips {
		f.readChips(z, o, r)
	}
}

// next is the reading o of a zone, seen against the one before.
func (m memory) next(o *fact.Observation) rest {
	r := rest{first: m.settled.IsZero() && m.stirred.IsZero(), at: o.Time, from: m.stirred}
	if !o.Since.IsZero() {
		r.at = o.Since
		r.again = m.stirred.IsZero() && m.rest.Equal(o.Since)
	}
	if r.from.IsZero() || r.from.After(r.at) {
		r.from = m.settled
	}
	if r.from.IsZero() || r.from.After(r.at) {
		r.from = r.at
	}
	return r
}

// rest is one reading of a zone at rest: it stirred at from and lay still at at.
type rest struct {
	from, at time.Time
	first    bool // nothing is known of the zone before
	again    bool // nothing moved since the reading before: it is read anew
}

// readChips compares the chips of a zone with those that lay there before.
func (f *felt) readChips(z *zone, o *fact.Observation, r rest) {
	was := f.chips[z.name]
	now, moved := map[place]count{}, restacked{}
	if o.Note != "" {
		for p, c := range was {
			c.hidden, c.under, c.may = true, true, nil
			now[p] = c
		}
	} else {
		now = f.atlas.tally(z, o.Chips, was)
		f.standing[z.name], moved = f.atlas.stand(z, f.standing[z.name], o.Chips)
	}
	keys := map[place]bool{}
	for p := range was {
		keys[p] = true
	}
	for p := range now {
		keys[p] = true
	}
	places := slices.Collect(maps.Keys(keys))
	sort.Slice(places, func(i, j int) bool { return places[i].less(places[j]) })
	f.chips[z.name] = now
	if slices.EqualFunc(places, places, func(p, _ place) bool { return was[p].like(now[p]) }) {
		f.cloud(z.own.Seat, r)
		f.touch(z, now, o.Hands, r)
		f.overdue(z.own.Seat, r)
	}
	for _, p := range places {
		a, b := was[p], now[p]
		switch {
		case r.first:
			f.scene.opening[p] = f.on(p)
			if !b.like(count{}) {
				f.scene.found, f.scene.joined = true, true
			}
		case a.like(b):
			f.scene.refine(p, f.on(p), r.again)
		case r.again && f.scene.recount(p, r.at, f.on(p), moved.otherwise[p]):
			// the same chips, counted better
		default:
			c := f.on(p)
			if s, ok := moved.slips[p]; ok {
				f.scene.doubtBefore(p, s)
				c = c.doubted(-s.by, slipped)
			}
			if n, ok := moved.came[p]; ok && !c.hidden && (a.vague() || c.vague()) {
				c = c.beside(n)
			}
			f.overdue(p.Seat, r)
			f.straddle(p, r)
			f.put(happening{kind: chipsSeen, from: r.from, at: r.at, zone: z.name, place: p, chips: c, hands: o.Hands})
		}
	}
}

// maxTouches bounds the touches that are kept of a round.
const maxTouches = 400

// touch remembers that hands were over the chips of a zone, which lie as before; of hands
// that came before a round had ended, that round does.
func (f *felt) touch(z *zone, lie map[place]count, hands []string, r rest) {
	if r.again || r.first || !r.from.Before(r.at) {
		return
	}
	places := []place{z.own}
	if z.own.Spot == "" {
		places = slices.SortedFunc(maps.Keys(lie), func(a, b place) int { return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot)) })
	}
	for _, sc := range append(slices.Clone(f.past), f.scene) {
		if !sc.begun() || len(sc.touches) >= maxTouches || !sc.ended.IsZero() && !r.from.Before(sc.ended) {
			continue
		}
		for _, p := range places {
			sc.touches = append(sc.touches, touch{p, r.from, r.at, hands})
		}
	}
}

// straddle remembers of rounds that have ended that chips changed under hands that
// came before their end: nobody knows on which side of it.
func (f *felt) straddle(p place, r rest) {
	for _, sc := range f.past {
		if !r.from.Before(sc.ended) {
			continue
		}
		if sc.straddled == nil {
			sc.straddled = map[place]bool{}
		}
		sc.straddled[p] = true
	}
}

// recount corrects the count of chips that lie as they lay; false when the
// round knows nothing of them to correct. otherwise tells that a stack which was
// counted before now has another height.
func (sc *scene) recount(p place, at time.Time, c count, otherwise bool) bool {
	i := sc.last(func(h *happening) bool { return h.kind == chipsSeen && h.place == p })
	if i >= 0 && !sc.items[i].at.Before(at) {
		if c.hidden && !sc.items[i].chips.hidden {
			return true // they lie there as they lay when they were counted
		}
		if otherwise {
			c = c.against(sc.items[i].chips)
		} else if !c.hidden {
			c = c.keeping(sc.items[i].chips)
		}
		sc.items[i].chips = c
		return true
	}
	if i < 0 && (sc.opening[p].total > 0 || !sc.begun()) {
		sc.opening[p] = c
		return true
	}
	return false
}

// refine takes over the certainty of a later reading of the same chips. One
// that was made after something had moved beside them is a second opinion.
func (sc *scene) refine(p place, c count, again bool) {
	i := sc.last(func(h *happening) bool { return h.kind == chipsSeen && h.place == p })
	if i < 0 {
		return
	}
	known := &sc.items[i].chips
	if known.vague() && !c.vague() && slices.Contains(known.may, c.total) {
		*known = c.keeping(*known) // counted so twice
		return
	}
	if known.total != c.total {
		return
	}
	if !again {
		*known = known.confirmed(c)
	} else if doubt(c) < doubt(*known) {
		*known = c.keeping(*known)
	}
}

func doubt(c count) (d float64) {
	for _, a := range c.alts {
		d += a.odds
	}
	return d
}

func (f *felt) readDice(z *zone, dice []fact.Die, r rest) {
	was := f.dice
	dice = f.game.thrown(dice)
	if len(dice) == 0 {
		f.dice.emptied = true
		return
	}
	f.dice = dicebox{dice: dice}
	i := f.scene.last(func(h *happening) bool { return h.kind == diceSeen })
	call := f.scene.last(func(h *happening) bool { return h.isCall("no_va_mas") })
	if resting(was.dice, dice) && !(was.emptied && call > i) {
		if i >= 0 {
			f.scene.items[i].dice = cameToRest(surer(f.scene.items[i].dice, dice), f.scene.items[i].dice)
		}
		return
	}
	if i >= 0 && call <= i && !was.emptied && f.game.joined(was.dice, dice) {
		f.scene.items[i].dice, f.scene.items[i].at = dice, r.at
		return
	}
	if call <= i && !was.emptied && !(f.game.shaken && !r.first) && !f.again(i, dice) {
		return // pushed about, not thrown
	}
	f.throwTrigger(r.from)
	f.put(happening{kind: diceSeen, from: r.from, at: r.at, zone: z.name, dice: dice})
	f.scene.calledBefore()
}

// again tells that dice were thrown once more, as has to be done where the throw before
// decides nothing: all of them lie otherwise and one shows another face, though an arm hid
// that they were taken up.
func (f *felt) again(i int, dice []fact.Die) bool {
	if i < 0 || !f.scene.nullified(i) || len(dice) != f.game.dice {
		return false
	}
	before := f.scene.items[i].dice
	if slices.ContainsFunc(dice, func(d fact.Die) bool { return among([]fact.Die{d}, before) }) {
		return false
	}
	faces := bestFaces(before)
	if slices.Contains(faces, 0) {
		return false
	}
	for _, n := range bestFaces(dice) {
		k := slices.Index(faces, n)
		if n > 0 && k < 0 {
			return true
		}
		if k >= 0 {
			faces = slices.Delete(faces, k, k+1)
		}
	}
	return false
}

// calledBefore puts dice that were seen last and lay under hands before the total that
// was called of them meanwhile: who called it saw them lie.
func (sc *scene) calledBefore() {
	last := len(sc.items) - 1
	if last < 0 || sc.items[last].kind != diceSeen {
		return // the round is too long
	}
	dice, sum := sc.items[last], 0
	for _, f := range bestFaces(dice.dice) {
		sum += f
	}
	for i := range sc.items {
		h := &sc.items[i]
		if sum == 0 || totalCalled(h) != sum || !h.at.After(dice.from) || !h.at.Before(dice.at) {
			continue
		}
		dice.at = h.at.Add(-time.Millisecond)
		sc.items = slices.Insert(sc.items[:last], i, dice)
		return
	}
}

// thrown are the dice of a throw: where as many as are thrown were read, what
// could not be read is no die but a print or a shadow.
func (g *game) thrown(dice []fact.Die) []fact.Die {
	var flat, clear []fact.Die // those that lie as they should come first
	for _, d := range dice {
		if d.Abstain != "" || len(d.Guesses) == 0 {
			continue
		}
		if d.Irregular == "" {
			flat = append(flat, d)
		} else {
			clear = append(clear, d)
		}
	}
	clear = append(flat, clear...)
	switch {
	case g.dice == 0:
	case len(flat) == g.dice:
		return flat
	case len(clear) == g.dice, len(clear) > g.dice && len(flat) < g.dice:
		return clear[:g.dice]
	}
	return dice
}

// resting tells that the dice lie where they lay.
func resting(a, b []fact.Die) bool { return len(a) == len(b) && among(b, a) }

// among tells that each of some dice lies where one of others does.
func among(some, others []fact.Die) bool {
	const still = 8 // millimetres
	return !slices.ContainsFunc(some, func(d fact.Die) bool {
		return !slices.ContainsFunc(others, func(e fact.Die) bool { return gap(d.At, e.At) <= still })
	})
}

// joined tells that dice of which some were missing still lie there, and others
// have come: the throw is whole now, or more of it.
func (g *game) joined(was, now []fact.Die) bool {
	return len(was) > 0 && len(was) < len(now) && len(now) <= g.dice && among(was, now)
}

// surer is the reading of the same dice that abstains less.
func surer(a, b []fact.Die) []fact.Die {
	weight := func(ds []fact.Die) (w float64) {
		for _, d := range ds {
			if _, p := fact.Best(d.Guesses); d.Abstain == "" {
				w += p
			}
		}
		return w
	}
	if weight(b) >= weight(a) {
		return b
	}
	return a
}

// cameToRest gives dice that lie where they were first read the times at which they
// came to rest then: an arm or a shadow over one of them later throws nothing.
func cameToRest(dice, first []fact.Die) []fact.Die {
	out := slices.Clone(dice)
	for i := range out {
		k := slices.IndexFunc(first, func(d fact.Die) bool { return among([]fact.Die{d}, out[i:i+1]) })
		if k >= 0 {
			out[i].Still = first[k].Still
		}
	}
	return out
}

// end closes the running round at t and opens the next on what lies there.
func (f *felt) end(t time.Time, why string) {
	if !f.scene.begun() {
		return
	}
	f.scene.ended, f.scene.end = t, why
	next := &scene{game: f.game, opening: f.totals(), spans: f.scene.recentSpans(t)}
	for _, s := range f.scene.slots {
		if s.here {
			s.stale = true
			next.slots = append(next.slots, s)
		}
	}
	if f.blind != "" {
		next.mark(f.blind)
	}
	f.past = append(f.past, f.scene)
	f.scene = next
}

// on is what lies on a place, which may reach into several zones.
func (f *felt) on(p place) (c count) {
	for _, m := range f.chips {
		if part, ok := m[p]; ok {
			hidden := c.hidden || part.hidden
			under := hidden && (!c.hidden || c.under) && (!part.hidden || part.under) // not a chip of it was seen
			c = sum(c, part)
			c.hidden, c.under = hidden, under
		}
	}
	return c
}

// totals is what lies on every place.
func (f *felt) totals() map[place]count {
	t := map[place]count{}
	for _, m := range f.chips {
		for p := range m {
			t[p] = f.on(p)
		}
	}
	return t
}
