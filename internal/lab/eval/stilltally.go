package eval

import (
	"maps"
	"slices"
	"time"
)

// Seen is what a reader saw in one zone of a still.
type Seen struct {
	Cards  []string // from left to right; "?" for one that was not read
	Stacks []SeenStack
	Dice   []SeenDie
	Told   []Told // all of them with their probabilities
	// Pixels are those of a chip's thickness in the middle of the zone; 0: not known.
	Pixels float64
}

// SeenStack is a stack as read. Where it was not counted, only Low ≤ count ≤ High is said.
type SeenStack struct {
	Chips     []string // palette ids from the foot to the top
	Low, High int
	Counted   bool
	Spots     []string // names of the spot on which it stands: none, or alone and with its seat
}

// SeenDie is a die as read: its face, or "?", and how it lies if not flat.
type SeenDie struct {
	Face string
	Lie  string
}

// CardScore is what was read of cards.
type CardScore struct {
	Precision Share `json:"precision"` // of accepted readings, where every card of the zone is in the truth
	Recall    Share `json:"recall"`
	// OrderExact are the zones with cards that are read whole and in their order.
	OrderExact Share `json:"order_exact"`
	Abstained  int   `json:"abstained"`
}

// StackScore is what was read of stacks of chips.
type StackScore struct {
	Exact         Share `json:"amount_exact"`
	Wrong         Share `json:"amount_wrong"`
	IntervalRight Share `json:"interval_right"` // only roughly counted, and the truth lies within
	IntervalWrong Share `json:"interval_wrong"`
	NotFound      Share `json:"not_found"`
	Spot          Share `json:"spot_right"` // of the stacks that were found and whose spot is known
	Spurious      int   `json:"spurious"`
}

// DiceScore is what was read of the dice of zones.
type DiceScore struct {
	Right     Share `json:"faces_right"`
	Wrong     Share `json:"faces_wrong"`
	Abstained Share `json:"abstained"`
	// Named are the dice that do not lie flat and of which it is said how they lie;
	// Misnamed the flat ones of which it is said that they do not.
	Named    Share `json:"irregular_named"`
	Misnamed int   `json:"flat_called_irregular"`
}

// StillResult sums up a set of calibrated stills.
type StillResult struct {
	Set    string     `json:"set"`
	Form   string     `json:"form"`             // "stills"
	Camera string     `json:"camera,omitempty"` // whose pictures were read; "": those of all cameras, fused
	Images int        `json:"images"`
	Zones  int        `json:"zones"`
	Cards  CardScore  `json:"cards"`
	Stacks StackScore `json:"stacks"`
	// StacksBy are the stacks by the pixels of a chip, by their height and by whether all chips are of one kind.
	StacksBy map[string]StackScore `json:"stacks_by,omitempty"`
	Dice     DiceScore             `json:"dice"`
	Spurious Spurious              `json:"spurious"`
	// Failed are the pictures that could not be read, with the reason: they count nowhere.
	Failed   []Failure `json:"failed"`
	Notes    []string  `json:"notes,omitempty"` // what was not read, of pictures that were
	MedianMS float64   `json:"read_ms_median"`
	P95MS    float64   `json:"read_ms_p95"`
	// Judged are the readings that have a likeliest label, accepted and abstained.
	Judged map[Kind][]Judged `json:"-"`
	// Alone are the results of each camera alone where a table has several, the main one's first, and Alike is how far
	// their readings of a kind of things err alike.
	Alone []StillResult    `json:"alone,omitempty"`
	Alike map[string]Alike `json:"alike,omitempty"`
}

// Alike is the correlation of the log odds that cameras give to what each of so many things is.
type Alike struct {
	Correlation float64 `json:"correlation"`
	Things      int     `json:"things"`
}

// Spurious counts accepted readings where the truth has nothing.
type Spurious struct {
	Zones  Share `json:"zones"` // of those that are judged: with any
	Cards  int   `json:"cards"`
	Stacks int   `json:"stacks"`
	Dice   int   `json:"dice"`
}

// Failure is a picture or clip that could not be measured.
type Failure struct {
	Name string `json:"name"`
	Err  string `json:"error"`
}

// unmeasured are the pictures or clips of a set that could not be measured, and what was not
// read of others.
type unmeasured struct {
	failed []Failure
	notes  []string
}

// Fail notes a picture or clip that could not be measured.
func (u *unmeasured) Fail(name string, err error) {
	u.failed = append(u.failed, Failure{name, err.Error()})
}

// Note says once what was not read.
func (u *unmeasured) Note(text string) {
	if !slices.Contains(u.notes, text) {
		u.notes = append(u.notes, text)
	}
}

// told are both, the failures as a list that is none but empty.
func (u *unmeasured) told() ([]Failure, []string) { return append([]Failure{}, u.failed...), u.notes }

// StillTally adds stills up. Only restricts it to one kind; "": all.
type StillTally struct {
	unmeasured
	Only   Kind
	sum    StillResult
	times  []time.Duration
	judged map[Kind][]Judged
}

// Add counts what was seen in the zones of a picture, and how long that took. worth is
// what a kind of chip is worth in cents, 0 for one whose worth its colour alone does not say.
func (t *StillTally) Add(s *Still, seen map[string]Seen, worth map[string]int64, took time.Duration) {
	t.sum.Images++
	t.times = append(t.times, took)
	for name, z := range s.Zones {
		t.sum.Zones++
		got, more := seen[name], 0
		if t.wants(Cards) {
			more += t.cards(z, got.Cards, s.complete(z, Cards))
		}
		if t.wants(Chips) {
			more += t.stacks(z, got, s.complete(z, Chips), worth)
		}
		if t.wants(Dice) {
			more += t.dice(z, got.Dice, s.complete(z, Dice))
		}
		t.sum.Spurious.Zones.add(more > 0)
	}
	t.judge(s, seen, worth)
}

func (t *StillTally) wants(k Kind) bool { return t.Only == "" || t.Only == k }

// Result sums up.
func (t *StillTally) Result(set string) StillResult {
	r := t.sum
	r.Set, r.Form = set, "stills"
	r.Failed, r.Notes = t.told()
	r.StacksBy = maps.Clone(r.StacksBy)
	r.MedianMS, r.P95MS = quantile(t.times, 0.5), quantile(t.times, 0.95)
	r.Judged = t.judged
	return r
}

// cards compares the cards of a zone; it returns how many readings are of nothing.
func (t *StillTally) cards(z StillZone, read []string, complete bool) int {
	_, said := z.count(Cards)
	if !said && !complete {
		return 0
	}
	c := &t.sum.Cards
	accepted := slices.DeleteFunc(slices.Clone(read), func(l string) bool { return l == Abstained })
	c.Abstained += len(read) - len(accepted)
	known := slices.DeleteFunc(slices.Clone(z.Cards), func(l string) bool { return l == unread })
	hidden := len(z.Cards) - len(known)
	right := shared(known, accepted)
	c.Recall.Right += right
	c.Recall.Samples += len(known)
	if len(known) > 0 && hidden == 0 {
		c.OrderExact.add(slices.EqualFunc(known, read, sameLabel))
	}
	if !complete {
		return 0
	}
	counted := len(accepted) - min(hidden, len(accepted)-right) // of a card that nobody can read nothing is wrong
	c.Precision.Right += right
	c.Precision.Samples += counted
	more := max(0, counted-len(known))
	t.sum.Spurious.Cards += more
	return more
}

// dice compares the dice of a zone; it returns how many readings are of nothing.
func (t *StillTally) dice(z StillZone, read []SeenDie, complete bool) int {
	_, said := z.count(Dice)
	if !said && !complete {
		return 0
	}
	c := matchDice(z, read)
	d := &t.sum.Dice
	for _, named := range c.named {
		d.Named.add(named)
	}
	d.Misnamed += c.misnamed
	if len(z.Dice) > 0 {
		bad := c.wrong || c.misnamed > 0 || complete && c.more > 0
		abstained := !bad && c.abstained > 0 && c.missed > 0
		bad = bad || c.missed > 0 && !abstained
		d.Wrong.add(bad)
		d.Abstained.add(abstained)
		d.Right.add(!bad && !abstained)
	}
	if !complete {
		return 0
	}
	t.sum.Spurious.Dice += c.more
	return c.more
}

// diceMatch is how the dice of a zone were read.
type diceMatch struct {
	wrong     bool   // a face is said that no die shows
	missed    int    // dice of which nothing is said, or only that they are not read
	more      int    // readings beyond the dice
	abstained int    // dice that are not read
	named     []bool // of the dice that do not lie flat
	misnamed  int
}

// truthDie is a die that no reading has been paired with.
type truthDie struct {
	face Face
	lie  string
}

// matchDice pairs readings with dice: those that say how a die lies with the dice that
// lie so, then faces with faces; what is left over pairs as it comes.
func matchDice(z StillZone, read []SeenDie) (m diceMatch) {
	var open []truthDie
	for i, f := range z.Dice {
		open = append(open, truthDie{f, z.lie(i)})
	}
	take := func(want func(truthDie) bool) (d truthDie, ok bool) {
		i := slices.IndexFunc(open, want)
		if i < 0 {
			return d, false
		}
		d = open[i]
		open = slices.Delete(open, i, i+1)
		return d, true
	}
	var odd, plain []SeenDie
	for _, r := range read {
		switch {
		case r.Lie != "":
			if _, ok := take(func(d truthDie) bool { return d.lie == r.Lie }); ok {
				m.named = append(m.named, true)
			} else {
				odd = append(odd, r)
			}
		case r.Face == Abstained:
			m.abstained++
		default:
			plain = append(plain, r)
		}
	}
	for _, d := range open {
		if d.lie != Lies[0] {
			m.named = append(m.named, false)
		}
	}
	plain = slices.DeleteFunc(plain, func(r SeenDie) bool {
		_, ok := take(func(d truthDie) bool { return string(rune('0'+d.face)) == r.Face })
		return ok
	})
	for range odd { // what lies otherwise than it is said to is not read; of a flat die it is wrong
		if _, ok := take(func(d truthDie) bool { return d.lie != Lies[0] }); ok {
			m.missed++
		} else if _, ok := take(func(truthDie) bool { return true }); ok {
			m.misnamed++
		} else {
			m.more++
		}
	}
	for range plain {
		d, ok := take(func(d truthDie) bool { return d.face == 0 })
		if !ok {
			d, ok = take(func(truthDie) bool { return true })
		}
		if !ok {
			m.more++
		}
		m.wrong = m.wrong || ok && d.face != 0
	}
	m.missed += len(open)
	return m
}
