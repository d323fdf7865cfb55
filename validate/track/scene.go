package track

import (
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// A scene is the physical course of one round: what appeared where, in the
// order of time, before anyone asks what it meant. narrate tells the meaning.
type scene struct {
	game    *game
	items   []happening
	slots   []slot          // every card seen in the round
	opening map[place]count // chips that lay there when the round began
	marks   []string        // why the round cannot be verified; empty when it can
	// found tells that chips lay there when the table was seen first, and nobody
	// knows since when; joined is the same, and is not forgotten when bets are opened.
	found, joined bool
	cleared       time.Time         // since when no card of the round lies on the table
	ended         time.Time         // zero while it runs
	end           string            // what ended it
	swaps         swaps             // cards that are to be exchanged
	spans         []span            // in which nobody looked
	touches       []touch           // of chips that lay as before when hands had left them
	murky         map[int]time.Time // per seat: when hands had last been at its chips and nobody looked
	straddled     map[place]bool    // hands came before the round's end, and when they left its chips had changed
}

// touch is a time in which hands were over the chips of a place and changed nothing that
// lasts: what they laid they may have taken again.
type touch struct {
	place    place
	from, at time.Time
	hands    []string
}

type kind uint8

const (
	cardSeen   kind = iota // slot appeared in zone
	cardTurned             // slot lay face down and shows its face
	cardMoved              // slot went to zone (a split)
	chipsSeen              // the chips of place are now so many
	diceSeen               // the dice came to rest
	heard                  // a sensor's or the terminal's line
)

// happening is one change on the felt or one line heard. It came about after
// from (when the zone began to stir) and not after at (when it was at rest).
type happening struct {
	n     int // its number in the scene as it was seen
	kind  kind
	from  time.Time
	at    time.Time
	zone  string
	to    string // where a card was moved to
	slot  int
	place place
	chips count
	hands []string // sides of the table from which arms lay over the chips
	dice  []fact.Die
	event round.Event // of a line heard: the event it reports
}

// slot is one card of the round with the best reading of it so far.
type slot struct {
	zone    string // where it lies now
	at      fact.Point
	guesses []fact.Guess
	abstain string
	back    bool // its back is up
	here    bool // still on the table
	stale   bool // lay there before the round began
	came    time.Time
	gone    time.Time  // when it was missing last
	alone   bool       // when it went, no other card was left in its zone
	aside   bool       // it may have been put aside and another card laid in its stead
	lay     fact.Point // where it lay before it was turned
	turn    int        // the item that turned it, counted from 1; 0 for none
	left    time.Time  // when its zone was at rest without it
	retired time.Time  // when it was exchanged for another; zero for most
	lain    fact.Point // where it lay when cards of its hand were to be exchanged
	shift   float64    // how far from there its back lies since, in millimetres; 0: there
	shifted time.Time  // when that was seen first; zero: it lies there
}

// ghost tells that a card was no card: it was seen for a moment among others
// that stayed, and never again.
func (s *slot) ghost() bool {
	const moment = 1200 * time.Millisecond
	return !s.here && !s.alone && !s.gone.IsZero() && s.gone.Sub(s.came) < moment
}

// count is what chips are worth, with the readings that are less likely.
type count struct {
	total  money.Cents
	hidden bool // the chips could not be counted; total is the last known
	under  bool // hidden by a hand or the like; no chip was seen
	// may are the totals that chips may have which could be counted only roughly,
	// sorted; nil where the count is exact.
	may  []money.Cents
	alts []altCount
	// came are the chips that came to those that stand there as they stood: so many,
	// however many those are. 0: nothing came, or more happened than that.
	came money.Cents
}

// vague tells that the chips could be counted only roughly.
func (c count) vague() bool { return len(c.may) > 1 }

// totals are the totals that the chips may have.
func (c count) totals() []money.Cents {
	if c.vague() {
		return c.may
	}
	return []money.Cents{c.total}
}

// like tells that two counts say the same.
func (c count) like(o count) bool {
	return c.total == o.total && c.hidden == o.hidden && c.under == o.under && slices.Equal(c.may, o.may)
}

type altCount struct {
	total money.Cents
	odds  float64 // against the best reading
}

// maxItems and maxSlots bound a round; more than that is no round of cards but
// a fault of the readers, and the round is given up as not verifiable.
const (
	maxItems = 600
	maxSlots = 160
)

func (sc *scene) begun() bool { return len(sc.items) > 0 }

func (sc *scene) start() time.Time {
	if len(sc.items) == 0 {
		return sc.ended
	}
	return sc.items[0].at
}

// add appends a happening; beyond the bound the round is marked instead.
func (sc *scene) add(h happening) {
	if len(sc.items) >= maxItems {
		sc.mark("too many events for one round")
		return
	}
	sc.items = append(sc.items, h)
}

func (sc *scene) mark(why string) {
	if !slices.Contains(sc.marks, why) && len(sc.marks) < 8 {
		sc.marks = append(sc.marks, why)
	}
}

// bare tells that no chips lay on the table when the round began: then no throw
// before it matters, for the shooter must have a bet.
func (sc *scene) bare() bool {
	for _, c := range sc.opening {
		if c.total > 0 || c.hidden || c.vague() {
			return false
		}
	}
	return true
}

// dark is why the round cannot be verified; empty when it can.
func (sc *scene) dark() string {
	switch {
	case len(sc.marks) > 0:
		return sc.marks[0]
	case sc.found:
		return underWay
	}
	return ""
}

// underWay is said of a round that nobody saw begin.
const underWay = "the table was already in play"

// dealt tells how many cards of this round were seen, onTable how many still lie.
func (sc *scene) dealt() (dealt, onTable int) {
	for _, s := range sc.slots {
		if s.stale {
			continue
		}
		dealt++
		if s.here {
			onTable++
		}
	}
	return dealt, onTable
}

// last is the index of the last happening that fits, -1 for none.
func (sc *scene) last(fits func(*happening) bool) int {
	for i := len(sc.items) - 1; i >= 0; i-- {
		if fits(&sc.items[i]) {
			return i
		}
	}
	return -1
}

func (h *happening) isCall(calls ...string) bool { return h.kind == heard && h.event.Is(calls...) }

func (h *happening) isEvent(t round.Type) bool { return h.kind == heard && h.event.Type == t }

func (sc *scene) clone() *scene {
	c := *sc
	c.items = slices.Clone(sc.items)
	c.slots = slices.Clone(sc.slots)
	c.opening = maps.Clone(sc.opening)
	c.marks = slices.Clone(sc.marks)
	c.touches = slices.Clone(sc.touches)
	c.spans, c.murky, c.straddled = slices.Clone(sc.spans), maps.Clone(sc.murky), maps.Clone(sc.straddled)
	c.swaps = sc.swaps.clone()
	return &c
}
