// Package table is what the card games of points share: the cards of a round by
// zone and its marks in time (table.go), the packs that they come from and the shoe
// (shoe.go), the chips on the spots and what is due on them against what moved
// (stakes.go), the calls and the articles that findings cite (findings.go). It knows none
// of the games.
package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// Dealt is one card as the record finally shows it.
type Dealt struct {
	Card  card.Card // Unseen while it cannot be read
	Event int       // of the card event, or of the reveal that first showed it
	seen  int       // event that showed what it is
	Face  string
}

// Table is one round while it is judged: the cards by zone, the time marks and
// the findings.
type Table struct {
	in     game.Input
	rules  *Rules
	kind   Kind
	Rec    *round.Record
	Events []round.Event

	Last       int // index of the last event
	FirstDealt int // first card in a zone other than discard; len(Events) when there is none
	Close      int // where the betting closed; len(Events) when it did not
	decision   int // last card or reveal; len(Events) when there is none

	Zones   map[string][]Dealt
	Order   []int // card events in zones other than discard
	Moved   game.Tally
	Verdict round.Verdict
	Next    map[string]any
	*game.Findings
}

// Discard is the zone of cards that are out of play.
const Discard = "discard"

// Kind is what a game's table is like.
type Kind struct {
	Zones     func(zone string) bool // the zones of cards, discard apart
	Choices   func(zone string) bool // what actions name beside those zones; nil: nothing
	Laid      func(zone string) bool // the zones from where a card may be put aside; nil: none
	Spanish   bool                   // the pack; otherwise French
	Closing   bool                   // the closing call ends the betting, if it comes before the first card
	OwnCut    bool                   // the game itself says what follows the cut card
	Incidents game.IncidentWords     // beside the zones
	Said      game.CallWords         // what may be said with the calls
}

// New is the table of a record, of which nothing is read yet.
func New(in game.Input, r *Rules) *Table {
	t := &Table{in: in, rules: r, Rec: in.Rec, Events: in.Rec.Events,
		Last: game.Last(in.Rec), Zones: map[string][]Dealt{}, Next: map[string]any{}}
	t.Findings = game.NewFindings(finding.Points, t.cite)
	t.Repeats = true
	return t
}

// Read reads the cards of the record. Its error is a *round.Error.
func (t *Table) Read(k Kind) error {
	t.kind = k
	words := k.Incidents
	words.Zone = func(z string) bool { return z == Discard || k.Zones(z) }
	if err := cmp.Or(words.Incidents(t.Rec), k.Said.Calls(t.Rec)); err != nil {
		return err
	}
	t.FirstDealt, t.decision = len(t.Events), len(t.Events)
	for i := range t.Events {
		if err := t.read(i, k.Zones); err != nil {
			return err
		}
	}
	t.Close = t.FirstDealt
	if call := t.First("no_va_mas"); k.Closing && call < t.Close {
		t.Close = call
	}
	t.Moved = game.Sums(t.Rec, 0)
	t.deck()
	return nil
}

func (t *Table) read(i int, known func(string) bool) error {
	e := &t.Events[i]
	strange := func() error {
		return round.Malformed(round.At(i, "zone"), "see the zones of "+t.Rec.Game, "unknown zone %q", e.Zone)
	}
	switch e.Type {
	case round.CardDealt, round.Reveal:
		if e.Zone != Discard && !known(e.Zone) {
			return strange()
		}
	case round.Action, round.Commission:
		if e.Zone != "" && !known(e.Zone) && (t.kind.Choices == nil || !t.kind.Choices(e.Zone)) {
			return strange()
		}
		if err := game.Payer(i, e); err != nil {
			return err
		}
	case round.Announce:
		if _, ok := t.rules.Calls[e.Call]; !ok && !slices.Contains(freeCalls, e.Call) {
			calls := append(slices.Collect(maps.Keys(t.rules.Calls)), freeCalls...)
			slices.Sort(calls)
			if err := game.Word(i, "call", e.Call, slices.Compact(calls)); err != nil {
				return err
			}
		}
		if e.Zone != "" && !known(e.Zone) {
			return strange()
		}
	}
	switch e.Type {
	case round.CardDealt:
		t.Zones[e.Zone] = append(t.Zones[e.Zone], Dealt{game.Read(e.Card, e), i, i, e.Face})
		if e.Zone != Discard {
			t.Order = append(t.Order, i)
			t.FirstDealt = min(t.FirstDealt, i)
		}
		t.decision = i
	case round.Reveal:
		if cards := reveal(t.Zones[e.Zone], e, i); len(cards) > 0 {
			t.Zones[e.Zone] = cards
		}
		t.decision = i
	}
	return nil
}

// reveal is a zone's cards after all of them were shown: what is seen last holds, and a
// doubtful reveal shows nothing.
func reveal(cards []Dealt, e *round.Event, i int) []Dealt {
	if game.Doubtful(e) {
		return cards
	}
	for k, c := range e.Cards {
		switch {
		case k >= len(cards):
			cards = append(cards, Dealt{c, i, i, "up"})
		case c != card.Unseen:
			cards[k].Card, cards[k].seen = c, i
		}
	}
	return cards
}

// Readable reports whether a card is seen and of the game's pack.
func (t *Table) Readable(c card.Card) bool { return c != card.Unseen && !t.foreign(c) }

func (t *Table) foreign(c card.Card) bool {
	if !t.kind.Spanish {
		return c != card.Unseen && !c.French()
	}
	return c != card.Unseen && !c.Spanish()
}

// Seen reports whether every card of a zone is readable.
func (t *Table) Seen(zone string) bool {
	return !slices.ContainsFunc(t.Zones[zone], func(d Dealt) bool { return !t.Readable(d.Card) })
}

// CardsAt are the cards that lie in a zone at an event.
func (t *Table) CardsAt(zone string, event int) []Dealt {
	cards := t.Zones[zone]
	n := len(cards)
	for n > 0 && cards[n-1].Event > event {
		n--
	}
	return cards[:n]
}

// DealtAfter is the first card event in a zone other than discard after event;
// len(Events) when there is none.
func (t *Table) DealtAfter(event int) int {
	for _, i := range t.Order {
		if i > event {
			return i
		}
	}
	return len(t.Events)
}

// Beyond is the event of the first card more than want; the last event where
// cards are missing.
func (t *Table) Beyond(cards []Dealt, want int) int {
	if len(cards) > want {
		return cards[want].Event
	}
	return t.Last
}

// DealOrder compares the first cards with the prescribed zones and gives the
// first wrong event; -1 when all are right.
func (t *Table) DealOrder(want []string) int {
	for k, i := range t.Order {
		if k < len(want) && t.Events[i].Zone != want[k] {
			return i
		}
	}
	return -1
}

// Faces raises each of a zone's cards from index from to below to that does not lie as prescribed.
func (t *Table) Faces(zone, face string, from, to int) {
	cards := t.Zones[zone]
	for k := from; k < min(to, len(cards)); k++ {
		if cards[k].Face != face {
			t.ZoneAt(cards[k].Event, finding.FaceWrong, zone)
		}
	}
}

// Hand adds a hand to the verdict; value -1 is unknown.
func (t *Table) Hand(zone string, value int, category string) {
	h := round.Hand{Zone: zone, Category: category}
	for _, d := range t.Zones[zone] {
		h.Cards = append(h.Cards, d.Card)
	}
	if value >= 0 {
		h.Value = value
	}
	t.Verdict.Hands = append(t.Verdict.Hands, h)
}

// Incidents calls do for each incident of a kind.
func (t *Table) Incidents(kind string, do func(i int, e *round.Event)) {
	for i, e := range game.Each(t.Events, round.Incident) {
		if e.Kind == kind {
			do(i, e)
		}
	}
}

// FirstFit is the index of the first event that fits; len(Events) when there is none.
func (t *Table) FirstFit(fits func(*round.Event) bool) int {
	if i := game.Find(t.Events, 0, len(t.Events), fits); i >= 0 {
		return i
	}
	return len(t.Events)
}

// Action is the index of a seat's first action of a name; len(Events) when there is none.
func (t *Table) Action(seat int, name string) int {
	return t.FirstFit(func(e *round.Event) bool { return e.Type == round.Action && e.Action == name && e.Seat == seat })
}

// Done is the verdict of a game that has been judged, unless that met an error.
func (t *Table) Done(err error) (round.Verdict, error) {
	if err != nil {
		return round.Verdict{}, err
	}
	v := t.Verdict
	v.Findings = t.List()
	if t.Verdict.Result == nil {
		v.Result = struct{}{}
	}
	v.Next = t.Next
	return v, nil
}

// Pips is the value of a card where figures and ten are top (0 or 10) and the ace is 1.
func Pips(c card.Card, top int) int {
	if n := c.Number(); n < 10 {
		return n
	}
	return top
}

// BoxZone reads "seat:3" and "seat:3/2"; ok is false for anything else.
func BoxZone(zone string) (seat, k int, ok bool) {
	first, second, split := strings.Cut(zone, "/")
	if seat = game.SeatOf(first); seat == 0 {
		return 0, 0, false
	}
	if !split {
		return seat, 1, true
	}
	k = game.Ordinal(second)
	return seat, k, k >= 2
}

// Rules are the rules that every game has.
type Rules struct {
	Decks    int               `yaml:"decks" json:"decks"`       // packs in play unless the table says otherwise
	Articles map[string]string `yaml:"articles" json:"articles"` // section of the norm by topic, after the game's label
	Calls    map[string]Call   `yaml:"calls" json:"calls"`       // the calls that the game has
	Burn     Burn              `yaml:"burn" json:"burn"`         // cards put aside at the start of a shoe
}

// Call is one call that the game has.
type Call struct {
	Mandatory bool   `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding where the game's section demands it
	Words     string `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Burn says how many cards are put aside at the start of a shoe.
type Burn struct {
	Count  int  `yaml:"count" json:"count,omitempty"`     // a fixed number; 0: none
	ByCard bool `yaml:"by_card" json:"by_card,omitempty"` // the value of the first, shown card
}

// Positive refuses odds that are missing or pay nothing.
func Positive(name string, o money.Odds) error {
	if o.Num <= 0 || o.Den <= 0 {
		return fmt.Errorf("%s: missing or no odds", name)
	}
	return nil
}
