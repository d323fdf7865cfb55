// Package tracktest plays rounds at invented tables and tells them twice: as
// the facts that readers and sensors would report, with the disorder of real
// ones, and as the exact record and findings that a tracker must make of them.
package tracktest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// Input is one fact and when it reaches the tracker.
type Input struct {
	Arrives time.Time
	Seen    *fact.Observation
	Heard   *fact.Sensed
}

// Fault is one mistake put into a round and what must be found.
type Fault struct {
	Code string
	Seat int
	Spot string
	Zone string
}

// Round is the truth about one played round.
type Round struct {
	Events   []round.Event // T is seconds from the start of the session
	Faults   []Fault       // what must be found; nothing else may be
	Noted    string        // code of a note that must be made, "" for none
	Blind    bool          // the round must be not verifiable
	Start    time.Time
	Decisive time.Time // when the chips of the (first) fault were at rest
}

// Disorder is how unlike perfect the facts are, 0 to 1 each.
type Disorder struct {
	Jitter    float64 // spread of the times of rest and of arrival
	Reread    float64 // chance that a card is first not read, or read as unsure
	Covered   float64 // chance that a hand lies over a zone for a while
	LateCalls float64 // chance that a call arrives up to two seconds late
	Twice     float64 // chance that a fact arrives twice
}

// Table is a table being played at.
type Table struct {
	Rand     *rand.Rand
	Now      time.Time
	Zones    []calibration.Zone
	Palette  []calibration.Chip
	Disorder Disorder
	Inputs   []Input
	Rounds   []Round

	cards map[string][]lying
	chips map[string]map[stack]int // per zone: how many chips of a kind on a stack
	cur   *Round
	line  int
}

type lying struct {
	label string
	at    fact.Point
}

type stack struct {
	chip string
	at   fact.Point
}

// Chips are the denominations of every invented table, in cents.
var Chips = []calibration.Chip{
	{ID: "w1", Value: 100}, {ID: "r5", Value: 500}, {ID: "g25", Value: 2500}, {ID: "b100", Value: 10000}, {ID: "v500", Value: 50000},
}

// NewTable is an empty table.
func NewTable(seed uint64, zones []calibration.Zone, palette []calibration.Chip) *Table {
	return &Table{
		Rand: rand.New(rand.NewPCG(seed, 7)), Now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC),
		Zones: zones, Palette: palette, cards: map[string][]lying{}, chips: map[string]map[stack]int{},
	}
}

// Box is a rectangular zone.
func Box(name string, x, y, w, h float64, reads ...string) calibration.Zone {
	return calibration.Zone{Name: name, Reads: reads, Polygon: []fact.Point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}}
}

// Spot gives a zone its seat and spot.
func Spot(z calibration.Zone, seat int, spot string) calibration.Zone {
	z.Seat, z.Spot = seat, spot
	return z
}

// Wait lets time pass.
func (t *Table) Wait(low, high float64) {
	t.Now = t.Now.Add(time.Duration((low + t.Rand.Float64()*(high-low)) * float64(time.Second)))
}

func (t *Table) chance(p float64) bool { return t.Rand.Float64() < p }

// Begin starts the truth of a round, End closes it.
func (t *Table) Begin() {
	t.Rounds = append(t.Rounds, Round{Start: t.Now})
	t.cur = &t.Rounds[len(t.Rounds)-1]
}

// Truth writes an event of the true record.
func (t *Table) Truth(e round.Event) { t.TruthAt(e, t.Now) }

// TruthAt writes an event that came about at another time.
func (t *Table) TruthAt(e round.Event, at time.Time) {
	e.T = at.Sub(time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)).Seconds()
	t.cur.Events = append(t.cur.Events, e)
}

// Fault writes what must be found.
func (t *Table) Fault(code string, seat int, spot, zone string) {
	t.cur.Faults = append(t.cur.Faults, Fault{code, seat, spot, zone})
	if t.cur.Decisive.IsZero() {
		t.cur.Decisive = t.Now
	}
}

// Round is the round being played.
func (t *Table) Round() *Round { return t.cur }

func (t *Table) zone(name string) *calibration.Zone {
	for i := range t.Zones {
		if t.Zones[i].Name == name {
			return &t.Zones[i]
		}
	}
	panic("no zone " + name)
}

// spotZone is the zone of a place.
func (t *Table) spotZone(seat int, spot string) *calibration.Zone {
	for i := range t.Zones {
		if z := &t.Zones[i]; z.Spot == spot && (z.Seat == seat || z.Seat == 0) {
			return z
		}
	}
	panic(fmt.Sprintf("no zone for %d %s", seat, spot))
}

func (t *Table) send(o fact.Observation, delay float64) {
	o.Table, o.Camera = "T", "top"
	at := o.Time.Add(time.Duration(delay * (0.5 + t.Disorder.Jitter*t.Rand.Float64()) * float64(time.Second)))
	t.Inputs = append(t.Inputs, Input{Arrives: at, Seen: &o})
	if t.chance(t.Disorder.Twice) {
		again := o
		t.Inputs = append(t.Inputs, Input{Arrives: at.Add(80 * time.Millisecond), Seen: &again})
	}
}

// Stir moves something in a zone for a while, after which Now is when it rests.
func (t *Table) stir(zone string, seconds float64) {
	t.send(fact.Observation{Kind: fact.Stirred, Zone: zone, Time: t.Now}, 0.05)
	t.Now = t.Now.Add(time.Duration(seconds * (1 + t.Disorder.Jitter*(t.Rand.Float64()-0.5)) * float64(time.Second)))
}

// rest reports a zone that came to rest now.
func (t *Table) rest(zone string) {
	o := t.reading(zone)
	o.Kind, o.Zone, o.Since = fact.Settled, zone, t.Now
	o.Time = t.Now.Add(300 * time.Millisecond)
	if len(o.Cards) > 0 && t.chance(t.Disorder.Reread) {
		first := o
		first.Cards = slices.Clone(o.Cards)
		i := len(first.Cards) - 1
		if t.chance(0.5) {
			first.Cards[i].Abstain, first.Cards[i].Guesses = "blurred", nil
		} else {
			first.Cards[i].Abstain = "unsure"
		}
		t.send(first, 0.1)
		o.Time = o.Time.Add(400 * time.Millisecond)
	}
	t.send(o, 0.1)
	if t.chance(t.Disorder.Covered) {
		t.cover(zone)
	}
}

// cover lays a hand over a zone for a second; what is read meanwhile lacks
// cards, or is an abstention.
func (t *Table) cover(zone string) {
	start := t.Now.Add(700 * time.Millisecond)
	t.send(fact.Observation{Kind: fact.Stirred, Zone: zone, Time: start}, 0.05)
	o := t.reading(zone)
	o.Kind, o.Zone, o.Since, o.Time = fact.Settled, zone, start.Add(200*time.Millisecond), start.Add(500*time.Millisecond)
	if t.chance(0.5) || len(o.Cards) < 2 {
		o.Cards, o.Chips, o.Dice, o.Note = nil, nil, nil, "occluded"
	} else {
		o.Cards = o.Cards[1:]
	}
	t.send(o, 0.1)
	away := start.Add(time.Second)
	t.send(fact.Observation{Kind: fact.Stirred, Zone: zone, Time: away}, 0.05)
	o = t.reading(zone)
	o.Kind, o.Zone, o.Since, o.Time = fact.Settled, zone, away.Add(200*time.Millisecond), away.Add(500*time.Millisecond)
	t.send(o, 0.1)
	if end := away.Add(600 * time.Millisecond); end.After(t.Now) {
		t.Now = end
	}
}

// reading is what a reader sees in a zone.
func (t *Table) reading(zone string) (o fact.Observation) {
	for _, c := range t.cards[zone] {
		o.Cards = append(o.Cards, fact.Card{
			Guesses: []fact.Guess{{Label: c.label, P: 0.999}}, At: t.shake(c.at), Angle: 90 + 4*t.Rand.Float64(),
		})
	}
	stacks := make([]stack, 0, 8)
	for s := range t.chips[zone] {
		stacks = append(stacks, s)
	}
	sort.Slice(stacks, func(i, j int) bool {
		a, b := stacks[i], stacks[j]
		return a.at[1] < b.at[1] || a.at[1] == b.at[1] && (a.at[0] < b.at[0] || a.at[0] == b.at[0] && a.chip < b.chip)
	})
	for _, s := range stacks {
		n := t.chips[zone][s]
		ids := make([]string, n)
		for i := range ids {
			ids[i] = s.chip
		}
		o.Chips = append(o.Chips, fact.Stack{Chips: ids, Low: n, High: n, P: 0.999, At: t.shake(s.at)})
	}
	return o
}

func (t *Table) shake(p fact.Point) fact.Point {
	return fact.Point{p[0] + 2*(t.Rand.Float64()-0.5), p[1] + 2*(t.Rand.Float64()-0.5)}
}

// Lay puts chips on a place and tells it as an event of type typ ("" for none).
func (t *Table) Lay(seat int, spot string, amount money.Cents, typ round.Type) {
	z, read := t.target(seat, spot)
	t.stir(read, 0.6)
	t.move(read, z, seat, amount)
	t.rest(read)
	t.tellChips(typ, seat, spot, amount)
}

// Take removes chips from a place.
func (t *Table) Take(seat int, spot string, amount money.Cents, typ round.Type) {
	z, read := t.target(seat, spot)
	t.stir(read, 0.6)
	t.move(read, z, seat, -amount)
	t.rest(read)
	t.tellChips(typ, seat, spot, amount)
}

func (t *Table) tellChips(typ round.Type, seat int, spot string, amount money.Cents) {
	if typ != "" && t.cur != nil {
		t.Truth(round.Event{Type: typ, Seat: seat, Spot: spot, Amount: amount})
	}
}

// target is the place's zone and the zone that is read for it.
func (t *Table) target(seat int, spot string) (*calibration.Zone, string) {
	z := t.spotZone(seat, spot)
	if len(z.Reads) > 0 {
		return z, z.Name
	}
	return z, "layout"
}

// On is what lies on a place.
func (t *Table) On(seat int, spot string) (sum money.Cents) {
	z, read := t.target(seat, spot)
	for s, n := range t.chips[read] {
		if t.belongs(s, z, seat) {
			sum += money.Cents(n) * t.worth(s.chip)
		}
	}
	return sum
}

func (t *Table) worth(id string) money.Cents {
	for _, c := range t.Palette {
		if c.ID == id {
			return money.Cents(c.Value)
		}
	}
	panic("no chip " + id)
}

func (t *Table) belongs(s stack, z *calibration.Zone, seat int) bool {
	if s.at[0] < z.Polygon[0][0] || s.at[0] > z.Polygon[2][0] || s.at[1] < z.Polygon[0][1] || s.at[1] > z.Polygon[2][1] {
		return false
	}
	if z.Seat != 0 {
		return true
	}
	for _, c := range t.Palette {
		if c.ID == s.chip {
			return c.Seat == seat
		}
	}
	return false
}

// move restacks a place to hold amount more (or less), in the largest chips.
func (t *Table) move(read string, z *calibration.Zone, seat int, amount money.Cents) {
	if t.chips[read] == nil {
		t.chips[read] = map[stack]int{}
	}
	total := amount
	for s, n := range t.chips[read] {
		if t.belongs(s, z, seat) {
			total += money.Cents(n) * t.worth(s.chip)
			delete(t.chips[read], s)
		}
	}
	if total < 0 {
		panic("more taken than lies there")
	}
	var kinds []calibration.Chip
	for _, c := range t.Palette {
		if z.Seat != 0 && c.Seat == 0 || z.Seat == 0 && c.Seat == seat {
			kinds = append(kinds, c)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].Value > kinds[j].Value })
	x, y := z.Polygon[0][0], z.Polygon[0][1]
	w, h := z.Polygon[2][0]-x, z.Polygon[2][1]-y
	k := 0
	for _, c := range kinds {
		n := int(total / money.Cents(c.Value))
		if n == 0 {
			continue
		}
		total -= money.Cents(n) * money.Cents(c.Value)
		f := (0.5 + float64(k)) / 6
		if z.Seat == 0 { // a shared place: one column per seat
			f = (0.5 + float64(seat%7)) / 8
		}
		t.chips[read][stack{c.ID, fact.Point{x + w*f, y + h*0.5}}] = n
		k++
	}
	if total != 0 {
		panic(fmt.Sprintf("%d cannot be laid", total))
	}
}

// Deal puts a card into a zone; down deals it face down.
func (t *Table) Deal(zone, label string, down bool) {
	z := t.zone(zone)
	t.stir(zone, 0.5)
	shown, e := label, round.Event{Type: round.CardDealt, Zone: zone, Face: "up"}
	if down {
		shown, e.Face = "BK", "down"
	} else {
		e.Card = mustCard(label)
	}
	n := len(t.cards[zone])
	at := fact.Point{z.Polygon[0][0] + 40 + 30*float64(n), z.Polygon[0][1] + 60 + 5*float64(n)}
	t.cards[zone] = append(t.cards[zone], lying{shown, at})
	t.Truth(e)
	t.rest(zone)
}

// Turn shows the faces of a zone's cards.
func (t *Table) Turn(zone string, labels []string) {
	t.stir(zone, 0.8)
	e := round.Event{Type: round.Reveal, Zone: zone}
	for i, l := range labels {
		t.cards[zone][i].label = l
		e.Cards = append(e.Cards, mustCard(l))
	}
	t.Truth(e)
	t.rest(zone)
}

// Split moves the second card of a hand to a new one.
func (t *Table) Split(seat int, from, to string) {
	t.stir(from, 0.2)
	t.stir(to, 0.5)
	moved := t.cards[from][1]
	t.cards[from] = t.cards[from][:1]
	z := t.zone(to)
	moved.at = fact.Point{z.Polygon[0][0] + 40, z.Polygon[0][1] + 60}
	t.cards[to] = []lying{moved}
	zone := ""
	if from != fmt.Sprintf("seat:%d", seat) {
		zone = from
	}
	t.Truth(round.Event{Type: round.Action, Seat: seat, Action: "split", Zone: zone})
	order := []string{from, to}
	if t.chance(0.5) {
		order = []string{to, from}
	}
	for _, z := range order {
		t.rest(z)
	}
}

// Clear takes the cards of every zone.
func (t *Table) Clear() {
	names := make([]string, 0, len(t.cards))
	for z, c := range t.cards {
		if len(c) > 0 {
			names = append(names, z)
		}
	}
	sort.Strings(names)
	for _, z := range names {
		t.stir(z, 0.3)
		t.cards[z] = nil
		o := fact.Observation{Kind: fact.Settled, Zone: z, Since: t.Now, Time: t.Now.Add(300 * time.Millisecond)}
		t.send(o, 0.1)
	}
	t.Truth(round.Event{Type: round.Clear})
}

// TakeCards removes one hand's cards.
func (t *Table) TakeCards(zone string) {
	t.stir(zone, 0.4)
	t.cards[zone] = nil
	t.rest(zone)
}

// Say makes a call (or another line) and tells it.
func (t *Table) Say(e round.Event) { t.say(e, "terminal") }

// Sense is a sensor's line.
func (t *Table) Sense(e round.Event, source string) { t.say(e, source) }

func (t *Table) say(e round.Event, source string) {
	t.line++
	s := fact.Sensed{Table: "T", Source: source, ID: fmt.Sprint(t.line), Time: t.Now, Kind: string(e.Type), Args: args(e)}
	s.Received = t.Now.Add(30 * time.Millisecond)
	if t.chance(t.Disorder.LateCalls) {
		s.Received = t.Now.Add(time.Duration(1950 * t.Rand.Float64() * float64(time.Millisecond)))
	}
	t.Inputs = append(t.Inputs, Input{Arrives: s.Received, Heard: &s})
	if t.chance(t.Disorder.Twice) {
		again := s
		t.Inputs = append(t.Inputs, Input{Arrives: s.Received.Add(50 * time.Millisecond), Heard: &again})
	}
	t.Truth(e)
}

// Throw lets dice come to rest.
func (t *Table) Throw(faces ...int) {
	t.stir("dice", 1.5)
	z := t.zone("dice")
	o := fact.Observation{Kind: fact.Settled, Zone: "dice", Since: t.Now, Time: t.Now.Add(300 * time.Millisecond)}
	for i, f := range faces {
		o.Dice = append(o.Dice, fact.Die{
			Guesses: []fact.Guess{{Label: fmt.Sprint(f), P: 0.998}},
			At:      fact.Point{z.Polygon[0][0] + 50 + 200*t.Rand.Float64(), z.Polygon[0][1] + 50 + 80*float64(i)},
		})
	}
	t.send(o, 0.1)
	t.Truth(round.Event{Type: round.Dice, Faces: faces})
}

// PickUp takes the dice away.
func (t *Table) PickUp() {
	t.stir("dice", 0.5)
	t.send(fact.Observation{Kind: fact.Settled, Zone: "dice", Since: t.Now, Time: t.Now.Add(300 * time.Millisecond)}, 0.1)
}

// Lose hides what happens for a while: the camera's frames are lost.
func (t *Table) Lose(seconds float64) {
	since := t.Now
	t.Now = t.Now.Add(time.Duration(seconds * float64(time.Second)))
	t.send(fact.Observation{Kind: fact.Gap, Since: since, Time: t.Now}, 0.05)
	t.cur.Blind = true
}

// Start reports every zone once, as readers do when they begin.
func (t *Table) Start() {
	for _, z := range t.Zones {
		if len(z.Reads) > 0 {
			t.send(fact.Observation{Kind: fact.Settled, Zone: z.Name, Since: t.Now, Time: t.Now}, 0.05)
		}
	}
	t.Wait(1, 2)
}

// Sorted are the inputs in the order of their arrival.
func (t *Table) Sorted() []Input {
	in := slices.Clone(t.Inputs)
	sort.SliceStable(in, func(i, j int) bool { return in[i].Arrives.Before(in[j].Arrives) })
	return in
}
