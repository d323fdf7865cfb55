package track_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/track/tracktest"
)

// starvation is how rarely a reader that gets too little of the machine looks at a
// picture.
type starvation struct {
	Every time.Duration // between pictures while all is well: default 167 ms
	Share float64       // of the pictures after which it is kept waiting, 0 to 1
	Least time.Duration // that it is kept waiting then
	Most  time.Duration
	// Behind is how much later than it looks it reports, beside the time that the
	// next picture is waiting: units that queue before the decoder.
	Behind time.Duration
	// Mute leaves out what a reader reports of the pictures that it looked at: only
	// gaps of over a second are reported.
	Mute bool
}

// How a reader watches: see recognize.Options and watch.Options.
const (
	rest   = 400 * time.Millisecond
	forget = 3 * time.Second
)

// seenRarely is a session as a reader sees it that looks at few of the pictures:
// what changes and changes back between two of them it does not see, and it reports
// late what it sees. Calls are heard as before.
func seenRarely(s *tracktest.Session, how starvation, seed uint64) *tracktest.Session {
	out := &tracktest.Session{Rounds: s.Rounds, Starts: s.Starts, End: s.End}
	r := rareReader{how: how, rng: rand.New(rand.NewPCG(seed, 7)), zones: map[string]*glimpsed{}}
	for _, in := range s.Inputs {
		if in.Seen == nil {
			out.Inputs = append(out.Inputs, in)
			continue
		}
		r.learn(*in.Seen)
	}
	r.names = slices.Sorted(maps.Keys(r.zones))
	out.Inputs = append(out.Inputs, r.look(s.Inputs[0].Arrives, s.End.Add(20*time.Second))...)
	slices.SortStableFunc(out.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	return out
}

// state is what a zone shows from a time on: a reading, or motion.
type state struct {
	from time.Time
	seen *fact.Observation // nil: something moves
}

// glimpsed is a zone as it is, and as the reader knows it.
type glimpsed struct {
	states   []state
	at       int // index of the state at the picture looked at
	anchor   int // of the state when the present stillness began
	reported int // of the state that was reported last; -1: none
	since    time.Time
	rests    bool
}

// hands are the sides from which arms lay over the zone since it was reported last.
func (z *glimpsed) hands() []string {
	var all []string
	for i := min(z.reported+1, z.at); i <= z.at; i++ {
		if o := z.states[i].seen; o != nil {
			all = append(all, o.Hands...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rareReader looks at few of the pictures.
type rareReader struct {
	how   starvation
	rng   *rand.Rand
	zones map[string]*glimpsed
	names []string
}

// learn takes down what a zone shows from when on.
func (r *rareReader) learn(o fact.Observation) {
	z := r.zones[o.Zone]
	if z == nil {
		z = &glimpsed{reported: -1}
		r.zones[o.Zone] = z
	}
	st := state{from: o.Time}
	if o.Kind == fact.Stable {
		st.from, st.seen = cmp.Or(o.Since, o.Time), &o
	}
	if n := len(z.states); n > 0 && st.seen != nil && z.states[n-1].from.Equal(st.from) {
		z.states[n-1] = st // read anew
		return
	}
	z.states = append(z.states, st)
	slices.SortStableFunc(z.states, func(a, b state) int { return a.from.Compare(b.from) })
}

// look goes from picture to picture.
func (r *rareReader) look(from, to time.Time) (ins []tracktest.Input) {
	last := time.Time{}
	for at := from; at.Before(to); {
		next := at.Add(cmp.Or(r.how.Every, time.Second/6))
		if r.rng.Float64() < r.how.Share {
			next = at.Add(r.how.Least + time.Duration(r.rng.Float64()*float64(r.how.Most-r.how.Least)))
		}
		arrives := next.Add(r.how.Behind) // it was busy with this picture meanwhile
		for _, o := range r.picture(at, last) {
			o.Camera, o.Time = "top", at
			ins = append(ins, tracktest.Input{Arrives: arrives, Seen: &o})
		}
		last, at = at, next
	}
	return ins
}

// picture is what the reader reports of one picture.
func (r *rareReader) picture(at, last time.Time) (out []fact.Observation) {
	first := last.IsZero()
	lost := !first && at.Sub(last) > forget
	if !first && !r.how.Mute {
		out = append(out, fact.Observation{Kind: fact.Watermark, Since: last})
	} else if !first && at.Sub(last) > time.Second {
		out = append(out, fact.Observation{Kind: fact.Gap, Since: last})
	}
	for _, name := range r.names {
		z := r.zones[name]
		for z.at+1 < len(z.states) && !z.states[z.at+1].from.After(at) {
			z.at++
		}
		switch moves := z.states[z.at].seen == nil; {
		case first || lost:
			z.rests, z.anchor, z.since = false, z.at, at
		case z.rests && z.at != z.anchor:
			z.rests, z.anchor, z.since = false, z.at, at
			o := fact.Observation{Kind: fact.MotionStarted, Zone: name}
			if !r.how.Mute {
				o.Since = last
			}
			out = append(out, o)
		case !z.rests && (moves || z.at != z.anchor):
			z.anchor, z.since = z.at, at
		case !z.rests && at.Sub(z.since) >= rest:
			z.rests = true
			o := *z.states[z.at].seen
			o.Since, o.Hands, z.reported = z.since, z.hands(), z.at
			out = append(out, o)
		}
	}
	return out
}
