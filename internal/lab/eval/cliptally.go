package eval

import (
	"cmp"
	"slices"

	"vision/internal/fact"
)

// Held is what a pipeline holds to be on the table from a time on, in seconds from the
// clip's first picture.
type Held struct {
	At     float64
	Things []string
}

// Holder gathers what a pipeline holds of one kind out of what it says of zones: the
// last accepted reading of each.
type Holder struct {
	kind  Kind
	zones map[string][]string
	log   []Held
}

// NewHolder holds nothing.
func NewHolder(k Kind) *Holder { return &Holder{kind: k, zones: map[string][]string{}} }

// Hear takes one observation, made so many seconds after the first picture.
func (h *Holder) Hear(o fact.Observation, at float64) {
	if o.Kind != fact.Stable {
		return
	}
	h.zones[o.Zone] = accepted(o, h.kind)
	var all []string
	for _, things := range h.zones {
		all = append(all, things...)
	}
	slices.Sort(all)
	switch n := len(h.log); {
	case n > 0 && slices.Equal(h.log[n-1].Things, all):
	case n > 0 && h.log[n-1].At == at: // other zones of the same picture
		h.log[n-1].Things = all
	default:
		h.log = append(h.log, Held{at, all})
	}
}

// Log is what was held, in time.
func (h *Holder) Log() []Held { return h.log }

// accepted are the things of a kind that an observation vouches for.
func accepted(o fact.Observation, k Kind) (out []string) {
	switch k {
	case Cards:
		for _, c := range o.Cards {
			if l, _ := fact.Best(c.Guesses); c.Abstain == "" && l != "" {
				out = append(out, l)
			}
		}
	case Dice:
		for _, d := range o.Dice {
			if l, _ := fact.Best(d.Guesses); d.Abstain == "" && d.Irregular == "" && l != "" {
				out = append(out, l)
			}
		}
	case Chips:
		for _, s := range o.Chips {
			if s.Counted() {
				out = append(out, s.Chips...)
			}
		}
	}
	return out
}

// RestScore is what came of the rests of clips.
type RestScore struct {
	Clips   int     `json:"clips"`
	Minutes float64 `json:"minutes"`
	// Exact are the rests in which the right multiset is held all the time that counts,
	// ExactEnd those in which it is at the end.
	Exact    Share `json:"exact_rests"`
	ExactEnd Share `json:"exact_at_end"`
	// Recall counts things that are held all the time, Precision those that are held when
	// most of them are wrong.
	Precision Share `json:"precision"`
	Recall    Share `json:"recall"`
	Spurious  int   `json:"spurious"`
	// PerMinute is over the minutes of the clips in which it is counted; nil: there are none.
	PerMinute *float64 `json:"spurious_per_minute"`
	// P50 and P95 are the delay in seconds of the rests that came to the right multiset;
	// Never counts the others.
	P50   *float64 `json:"delay_p50"`
	P95   *float64 `json:"delay_p95"`
	Never int      `json:"never_right"`

	counted float64 // minutes in which spurious things count
	delays  []float64
}

// ClipScore is the score of one clip.
type ClipScore struct {
	Clip string   `json:"clip"`
	Kind Kind     `json:"kind"`
	Tags []string `json:"tags,omitempty"`
	*RestScore
}

// FindingCounts are how many findings were expected, and what came of them.
type FindingCounts struct {
	Wanted int `json:"findings"`
	Found  int `json:"found"`
	Noted  int `json:"noted"`
	Missed int `json:"missed"`
	False  int `json:"false"` // raised, and not expected
}

// RoundScore is what came of clips with a whole round.
type RoundScore struct {
	Exact Share `json:"exact_records"`
	FindingCounts
	// Each says what came of every round.
	Each []RoundClip `json:"each"`
}

// RoundClip is one clip with a whole round.
type RoundClip struct {
	Clip  string `json:"clip"`
	Told  int    `json:"told"` // rounds reported of it
	Exact bool   `json:"exact"`
	Dark  string `json:"dark,omitempty"` // why the round is not verifiable
	FindingCounts
	// Played and Record are the events where they differ, one line of JSON each.
	Played []string `json:"played,omitempty"`
	Record []string `json:"record,omitempty"`
}

// ClipResult sums up a set of clips.
type ClipResult struct {
	Set    string              `json:"set"`
	Form   string              `json:"form"` // "clips"
	Clips  int                 `json:"clips"`
	All    *RestScore          `json:"all,omitempty"`
	Kinds  map[Kind]*RestScore `json:"kinds,omitempty"`
	Each   []ClipScore         `json:"each,omitempty"`
	Rounds *RoundScore         `json:"rounds,omitempty"`
	Failed []Failure           `json:"failed"` // counted nowhere
	Notes  []string            `json:"notes,omitempty"`
}

// ClipTally adds clips up.
type ClipTally struct {
	unmeasured
	sum ClipResult
}

// Add counts what was held in the course of a clip of so many seconds.
func (t *ClipTally) Add(c *Clip, held []Held, length float64) {
	if t.sum.All == nil {
		t.sum.All, t.sum.Kinds = &RestScore{}, map[Kind]*RestScore{}
	}
	if t.sum.Kinds[c.Kind] == nil {
		t.sum.Kinds[c.Kind] = &RestScore{}
	}
	own := &RestScore{}
	t.sum.Clips++
	t.sum.Each = append(t.sum.Each, ClipScore{c.Clip, c.Kind, c.Tags, own})
	for _, s := range []*RestScore{own, t.sum.Kinds[c.Kind], t.sum.All} {
		s.add(c, held, length)
	}
}

// AddRound counts a clip with a whole round.
func (t *ClipTally) AddRound(r RoundClip) {
	if t.sum.Rounds == nil {
		t.sum.Rounds = &RoundScore{}
	}
	s := t.sum.Rounds
	t.sum.Clips++
	s.Exact.add(r.Exact)
	s.Wanted, s.Found, s.Noted = s.Wanted+r.Wanted, s.Found+r.Found, s.Noted+r.Noted
	s.Missed, s.False = s.Missed+r.Missed, s.False+r.False
	s.Each = append(s.Each, r)
}

// Result sums up.
func (t *ClipTally) Result(set string) ClipResult {
	r := t.sum
	r.Set, r.Form = set, "clips"
	r.Failed, r.Notes = t.told()
	if r.All != nil {
		r.All.finish()
	}
	for _, s := range r.Kinds {
		s.finish()
	}
	for _, c := range r.Each {
		c.finish()
	}
	return r
}

func (s *RestScore) add(c *Clip, held []Held, length float64) {
	s.Clips++
	s.Minutes += length / 60
	for _, r := range c.Rest {
		s.rest(r, c, held)
	}
	if !c.Partial {
		s.counted += length / 60
		s.Spurious += spurious(c, held)
	}
}

// settling is how long after a rest's beginning it counts what is held, in seconds, and of
// a rest that is shorter than twice that how much of it.
const (
	settling     = 1.0
	settlingPart = 0.5
)

// rest counts one rest: what is held at the worst of its moments.
func (s *RestScore) rest(r Rest, c *Clip, held []Held) {
	truth := r.Things(c.Kind)
	right := func(things []string) bool {
		return shared(truth, things) == len(truth) && (c.Partial || len(things) == len(truth))
	}
	from := r.From + min(settling, settlingPart*(r.To-r.From))
	exact, least, most, mostRight := true, len(truth), 0, 0
	for _, h := range during(held, from, r.To) {
		n := shared(truth, h.Things)
		exact = exact && right(h.Things)
		least = min(least, n)
		if wrong := len(h.Things) - n; wrong > most-mostRight || wrong == most-mostRight && n > mostRight {
			most, mostRight = len(h.Things), n
		}
	}
	s.Exact.add(exact)
	s.ExactEnd.add(right(during(held, r.To, r.To)[0].Things))
	s.Recall.Right += least
	s.Recall.Samples += len(truth)
	if !c.Partial {
		s.Precision.Right += mostRight
		s.Precision.Samples += most
	}
	for _, h := range during(held, r.From, r.To) {
		if right(h.Things) {
			s.delays = append(s.delays, max(0, h.At-r.From))
			return
		}
	}
	s.Never++
}

// during is what is held in a span, first what is at its beginning.
func during(held []Held, from, to float64) []Held {
	out := []Held{{At: from}}
	for _, h := range held {
		switch {
		case h.At <= from:
			out[0] = Held{from, h.Things}
		case h.At <= to:
			out = append(out, h)
		}
	}
	return out
}

// spurious counts what is newly accepted outside all rests and does not lie there in the
// next.
func spurious(c *Clip, held []Held) (n int) {
	var before []string
	for _, h := range held {
		was := before
		before = h.Things
		i, inside := slices.BinarySearchFunc(c.Rest, h.At, func(r Rest, t float64) int {
			switch {
			case r.To < t:
				return -1
			case r.From > t:
				return 1
			}
			return 0
		})
		if inside {
			continue
		}
		var next []string
		if i < len(c.Rest) {
			next = c.Rest[i].Things(c.Kind)
		}
		added, kept := without(h.Things, was), without(h.Things, without(h.Things, was))
		n += len(added) - shared(without(next, kept), added)
	}
	return n
}

// without is a multiset less another.
func without(a, b []string) []string {
	out := slices.Clone(a)
	for _, l := range b {
		if i := slices.Index(out, l); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

func (s *RestScore) finish() {
	if s.counted > 0 {
		s.PerMinute = new(float64(s.Spurious) / s.counted)
	}
	if len(s.delays) > 0 {
		slices.SortFunc(s.delays, cmp.Compare[float64])
		a, b := nearestRank(s.delays, 0.5), nearestRank(s.delays, 0.95)
		s.P50, s.P95 = &a, &b
	}
}
