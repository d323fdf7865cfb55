package sim

import (
	"math"
	"slices"

	"vision/internal/lab/sim/script"
)

// beside plans what hands do beside the play of one round: when, where and to what.
// It knows what the round's acts touch, and keeps hands away from there at that time.
type beside struct {
	*upsets
	lies   []lie
	visits []visit
	from   float64 // bets are open from here
	to     float64
}

// lie is a card or a pile from when it lies to when it is taken up.
type lie struct {
	tag      int
	who      script.Who
	at       [2]float64
	from, to float64
	chips    []string // nil for a card
	card     *script.Placed
	plaques  bool
}

// visit is a moment at which a hand is at a place.
type visit struct {
	at    float64
	place [2]float64
}

// plan looks through the round that begins.
func (u *upsets) plan() *beside {
	b := &beside{upsets: u}
	r := &u.dir.round
	b.from, b.to = r.Open()
	for tag, t := range u.dir.things {
		if t.id != 0 && (t.chips != nil || t.card != nil) {
			b.lies = append(
				b.lies,
				lie{tag: tag, who: t.who, at: t.at, to: r.Length, chips: t.chips, card: t.card, plaques: t.plaques},
			)
		}
	}
	slices.SortFunc(b.lies, func(x, y lie) int { return x.tag - y.tag })
	for i := range r.Acts {
		b.follow(&r.Acts[i], r.Length)
	}
	return b
}

// follow takes an act into account.
func (b *beside) follow(a *script.Act, end float64) {
	for _, tag := range a.Lift {
		if at, ok := b.dir.whereabouts(tag); ok {
			b.visits = append(b.visits, visit{a.At, at})
		}
		for i := range b.lies {
			if l := &b.lies[i]; l.tag == tag && l.to == end {
				l.to = a.At
			}
		}
	}
	laid, _ := b.dir.layings(a) // it has place for all: see director.begin
	for _, l := range laid {
		b.visits = append(b.visits, visit{a.At, l.at})
		lies := lie{tag: l.tag, who: a.Who, at: l.at, from: a.At, to: end, card: l.card}
		if l.pile != nil {
			lies.chips, lies.plaques = l.pile.Chips, l.pile.Plaques
		}
		if l.card != nil || l.pile != nil {
			b.lies = append(b.lies, lies)
		}
	}
}

// free reports whether a person's hand has nothing to do in a time.
func (b *beside) free(who script.Who, from, to float64) bool {
	const away = 1.1 // a hand needs to come and to go
	return from > 1 && to < b.dir.round.Length-0.8 &&
		!slices.ContainsFunc(b.dir.paths[who], func(m move) bool { return m.at > from-away && m.at < to+away })
}

// quiet reports whether nobody else comes near some places in a time.
func (b *beside) quiet(from, to, near float64, places ...[2]float64) bool {
	return !slices.ContainsFunc(b.visits, func(v visit) bool {
		return v.at > from-0.7 && v.at < to+0.7 &&
			slices.ContainsFunc(places, func(p [2]float64) bool { return apart(p, v.place) < near })
	})
}

// send has hands come to places, which nobody else will then plan to touch.
func (b *beside) send(some ...touch) {
	b.dir.touches(some...)
	for _, t := range some {
		b.visits = append(b.visits, visit{at: t.at, place: t.target})
	}
}

// clearOf reports whether a place is far enough from all but one of the things that lie
// there in a time, so that chips can lie on it.
func (b *beside) clearOf(place [2]float64, but int, from, to float64) bool {
	return !slices.ContainsFunc(b.lies, func(l lie) bool {
		far := chipPitch - 4
		if l.card != nil || l.plaques {
			far = 68
		}
		return l.tag != but && l.from < to && l.to > from && apart(l.at, place) < far
	})
}

// times is how often something comes in a round, at a rate per minute.
func (b *beside) times(rate float64) (n int) {
	mean := rate * b.dir.round.Length / 60
	for p := b.rng.Float64(); p > math.Exp(-mean); n++ { // Knuth
		p *= b.rng.Float64()
	}
	return n
}

// tries is how many moments are tried for what may find none.
const tries = 25

// some is a moment of a span; false where it is empty.
func (b *beside) some(from, to float64) (float64, bool) {
	return from + (to-from)*b.rng.Float64(), to > from
}

func apart(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
