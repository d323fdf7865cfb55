package track

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
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

// back is the label of a card that shows its back.
const back = "BK"

// likely is the least probability with which the first guess of a reader that
// abstains is told: the others are weighed with every finding, and often what
// is in doubt (the suit of a ten) makes no difference.
const likely = 0.5

func red(c card.Card) bool { return c.Suit() == 'h' || c.Suit() == 'd' }

// earliest is the earlier of two times, of which zero is none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// moment is a time within a scene and the zone in which something happened then.
type moment struct {
	at   time.Time
	zone string
}

// sameMotion reports whether two happenings were seen at once in one zone.
func (h *happening) sameMotion(o *happening) bool {
	return h.kind == o.kind && h.zone == o.zone && h.from.Equal(o.from) && h.at.Equal(o.at)
}

// moments are when something came about in the scene, in order.
func (sc *scene) moments() (ms []moment) {
	for i := range sc.items {
		ms = append(ms, moment{sc.items[i].at, sc.items[i].zone})
	}
	for i := range sc.slots {
		if sl := &sc.slots[i]; !sl.here && !sl.stale && !sl.left.IsZero() {
			ms = append(ms, moment{sl.left, sl.zone})
		}
	}
	slices.SortStableFunc(ms, func(a, b moment) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.zone, b.zone)) })
	return ms
}
