package eval

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// Result sums up one reader on one set. Shares that nothing was measured for
// are absent. Intervals are 95 % (Wilson), under the name of their share.
type Result struct {
	Set       string `json:"set"`
	Kind      Kind   `json:"kind"`
	Images    int    `json:"images"`
	Instances int    `json:"instances"`
	Accepted  int    `json:"accepted"`
	Right     int    `json:"right"`

	Precision        *float64 `json:"precision,omitempty"`
	Recall           *float64 `json:"recall,omitempty"`
	F1               *float64 `json:"f1,omitempty"`
	Abstained        int      `json:"abstained"`
	AccuracyAccepted *float64 `json:"accuracy_accepted,omitempty"`
	ExactImages      *float64 `json:"exact_images,omitempty"`
	SumExact         *float64 `json:"sum_exact,omitempty"`
	CountExact       *float64 `json:"count_exact,omitempty"`
	CountWithin1     *float64 `json:"count_within_1,omitempty"`
	CountMAE         *float64 `json:"count_mae,omitempty"`
	ColorAccuracy    *float64 `json:"color_accuracy,omitempty"`

	Intervals map[string][2]float64 `json:"intervals"`
	Parts     map[string]Part       `json:"parts,omitempty"`   // recall by owner, and of backs
	Reasons   map[string]int        `json:"reasons,omitempty"` // abstentions by their reason
	Confusion []Confused            `json:"confusion"`
	MedianMS  float64               `json:"read_ms_median"`
	P95MS     float64               `json:"read_ms_p95"`
	// Judged are the readings that have a likeliest label, accepted and abstained.
	Judged []Judged `json:"-"`
}

// Part is the recall of a part of the instances.
type Part struct {
	Instances int `json:"instances"`
	Right     int `json:"right"`
}

// Confused counts readings of Read where Truth was; "" stands for nothing.
type Confused struct {
	Truth string `json:"truth"`
	Read  string `json:"read"`
	Count int    `json:"count"`
}

// Tally collects pictures of one kind. The zero value of all but Kind is ready.
type Tally struct {
	Kind Kind

	images, accepted, abstained  int
	instances                    Share
	counted                      Share // accepted readings of complete pictures
	labels                       Share
	exact, sums                  Share // complete pictures
	countExact, countNear, color Share
	countOff                     float64
	parts                        map[string]Part
	reasons                      map[string]int
	confused                     map[[2]string]int
	times                        []time.Duration
	judged                       []Judged
}

// Add counts what a reader said of one picture, and how long it took.
func (t *Tally) Add(m *Image, readings []Reading, took time.Duration) {
	if t.parts == nil {
		t.parts, t.reasons, t.confused = map[string]Part{}, map[string]int{}, map[[2]string]int{}
	}
	o := match(m, t.Kind, readings)
	t.judged = append(t.judged, judge(m, t.Kind, readings)...)
	t.images++
	t.instances.Samples += len(m.Items(t.Kind))
	t.accepted += o.accepted
	t.abstained += o.abstained
	for _, why := range o.reasons {
		t.reasons[cmp.Or(why, "unsure")]++
	}
	t.times = append(t.times, took)
	right := 0
	for _, p := range o.pairs {
		ok := p.right(t.Kind)
		if ok {
			right++
		} else {
			t.confuse(t.name(p.item), t.said(p.reading))
		}
		t.part(p.item, ok)
		t.chip(p)
	}
	t.instances.Right += right
	t.addLabels(&o, right)
	for _, it := range o.missed {
		t.part(it, false)
		t.confuse(t.name(it), "")
	}
	if m.complete(t.Kind) {
		t.addComplete(m, &o, right)
	}
}

// addLabels counts accuracy_accepted: of readings on an instance; without boxes
// of min(accepted, instances).
func (t *Tally) addLabels(o *outcome, right int) {
	t.labels.Right += right
	if o.byLabel {
		t.labels.Samples += min(o.accepted, len(o.pairs)+len(o.missed))
		return
	}
	t.labels.Samples += len(o.pairs)
}

// addComplete counts what only complete pictures can show.
func (t *Tally) addComplete(m *Image, o *outcome, right int) {
	t.counted.Samples += o.accepted
	t.counted.Right += right
	for _, r := range o.spurious {
		t.confuse("", t.said(r))
	}
	t.exact.add(right == len(m.Items(t.Kind)) && right == o.accepted)
	if t.Kind == Dice {
		t.sums.add(sum(m.Dice) == readSum(o))
	}
}

// chip counts colours and counts of a found stack.
func (t *Tally) chip(p pair) {
	if t.Kind != Chips {
		return
	}
	if p.item.Color != "" {
		t.color.add(p.item.Color == p.reading.Label)
	}
	if p.item.Count != nil {
		d := math.Abs(float64(*p.item.Count - p.reading.Count))
		t.countOff += d
		t.countExact.add(d == 0)
		t.countNear.add(d <= 1)
	}
}

func (t *Tally) part(it Item, ok bool) {
	names := []string{}
	if it.Owner != "" {
		names = append(names, it.Owner)
	}
	if it.Label == "BK" {
		names = append(names, "backs")
	}
	for _, n := range names {
		p := t.parts[n]
		p.Instances++
		if ok {
			p.Right++
		}
		t.parts[n] = p
	}
}

func (t *Tally) confuse(truth, read string) { t.confused[[2]string{truth, read}]++ }

func (t *Tally) name(it Item) string {
	if t.Kind != Chips {
		return it.Label
	}
	c := cmp.Or(it.Color, "chips")
	if it.Count != nil {
		c += "×" + strconv.Itoa(*it.Count)
	}
	return c
}

func (t *Tally) said(r Reading) string {
	if t.Kind != Chips {
		return r.Label
	}
	return r.Label + "×" + strconv.Itoa(r.Count)
}

// Result sums up.
func (t *Tally) Result(set string) Result {
	r := Result{
		Set: set, Kind: t.Kind, Images: t.images, Instances: t.instances.Samples, Accepted: t.accepted,
		Right: t.instances.Right, Abstained: t.abstained, Intervals: map[string][2]float64{}, Parts: t.parts,
		Reasons: t.reasons,
	}
	share := func(name string, s Share) *float64 {
		value, interval := s.value()
		if value != nil {
			r.Intervals[name] = *interval
		}
		return value
	}
	r.Precision = share("precision", t.counted)
	r.Recall = share("recall", t.instances)
	if r.Precision != nil && r.Recall != nil {
		f := 0.0
		if p, q := *r.Precision, *r.Recall; p+q > 0 {
			f = 2 * p * q / (p + q)
		}
		r.F1 = &f
	}
	r.AccuracyAccepted = share("accuracy_accepted", t.labels)
	r.ExactImages = share("exact_images", t.exact)
	r.SumExact = share("sum_exact", t.sums)
	r.CountExact = share("count_exact", t.countExact)
	r.CountWithin1 = share("count_within_1", t.countNear)
	if n := t.countExact.Samples; n > 0 {
		r.CountMAE = new(t.countOff / float64(n))
	}
	r.ColorAccuracy = share("color_accuracy", t.color)
	r.Confusion = t.confusion()
	r.MedianMS, r.P95MS = quantile(t.times, 0.5), quantile(t.times, 0.95)
	r.Judged = t.judged
	return r
}

func (t *Tally) confusion() []Confused {
	out := []Confused{}
	for k, n := range t.confused {
		out = append(out, Confused{k[0], k[1], n})
	}
	slices.SortFunc(out, func(a, b Confused) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Truth, b.Truth), cmp.Compare(a.Read, b.Read))
	})
	return out
}

// quantile in milliseconds, by the nearest rank.
func quantile(ts []time.Duration, q float64) float64 {
	if len(ts) == 0 {
		return 0
	}
	return float64(nearestRank(slices.Sorted(slices.Values(ts)), q).Microseconds()) / 1000
}

// nearestRank is a quantile of a sorted list that is not empty.
func nearestRank[T any](sorted []T, q float64) T {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

func sum(items []Item) int {
	n := 0
	for _, it := range items {
		v, _ := strconv.Atoi(it.Label)
		n += v
	}
	return n
}

func readSum(o *outcome) int {
	n := 0
	for _, p := range o.pairs {
		v, _ := strconv.Atoi(p.reading.Label)
		n += v
	}
	for _, r := range o.spurious {
		v, _ := strconv.Atoi(r.Label)
		n += v
	}
	return n
}
