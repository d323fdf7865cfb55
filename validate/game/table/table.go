// Package table is what the card games of points share: the cards of a round by
// zone and its marks in time (table.go), the chips on the spots (stakes.go) and
// what is due on them against what moved (money.go), the calls (calls.go) and the
// shoe (shoe.go). It knows none of the games.
package table

import (
	"maps"
	"slices"
	"strconv"
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

	Last       int  // index of the last event
	closed     bool // the table was cleared
	FirstDealt int  // first card in a zone other than discard; len(Events) when there is none
	Close      int  // where the betting closed; len(Events) when it did not
	decision   int  // last card or reveal; len(Events) when there is none

	Zones   map[string][]Dealt
	Order   []int // card events in zones other than discard
	Moved   game.Tally
	Verdict round.Verdict
	list    []round.Finding
	Next    map[string]any
}

// Discard is the zone of cards that are out of play.
const Discard = "discard"

// Kind is what a game's table is like.
type Kind struct {
	Zones     func(zone string) bool // the zones of cards, discard apart
	Laid      func(zone string) bool // the zones from where a card may be put aside; nil: none
	Spanish   bool                   // the pack; otherwise French
	Closing   bool                   // the closing call ends the betting, if it comes before the first card
	OwnCut    bool                   // the game itself says what follows the cut card
	Incidents game.IncidentWords     // beside the zones
}

// New reads the cards of a record.
func New(in game.Input, r *Rules, k Kind) (*Table, error) {
	t := &Table{in: in, rules: r, kind: k, Rec: in.Rec, Events: in.Rec.Events,
		Last: game.Last(in.Rec), closed: game.Closed(in.Rec), Zones: map[string][]Dealt{}, Next: map[string]any{}}
	words := k.Incidents
	words.Zone = func(z string) bool { return z == Discard || k.Zones(z) }
	if err := words.Incidents(in.Rec); err != nil {
		return nil, err
	}
	t.FirstDealt, t.decision = len(t.Events), len(t.Events)
	for i := range t.Events {
		if err := t.read(i, k.Zones); err != nil {
			return nil, err
		}
	}
	t.Close = t.FirstDealt
	if call := t.First("no_va_mas"); k.Closing && call < t.Close {
		t.Close = call
	}
	t.Moved = game.Sums(t.Rec, 0)
	t.deckFindings()
	return t, nil
}

func (t *Table) read(i int, known func(string) bool) error {
	e := &t.Events[i]
	switch e.Type {
	case round.CardDealt, round.Reveal:
		if e.Zone != Discard && !known(e.Zone) {
			return round.Malformed(round.At(i, "zone"), "see the zones of "+t.Rec.Game, "unknown zone %q", e.Zone)
		}
	case round.Announce:
		if _, ok := t.rules.Calls[e.Call]; !ok && !slices.Contains(freeCalls, e.Call) {
			if err := game.Word(i, "call", e.Call, append(slices.Sorted(maps.Keys(t.rules.Calls)), freeCalls...)); err != nil {
				return err
			}
		}
		if e.Zone != "" && !known(e.Zone) {
			return round.Malformed(round.At(i, "zone"), "see the zones of "+t.Rec.Game, "unknown zone %q", e.Zone)
		}
	}
	switch e.Type {
	case round.CardDealt:
		c := e.Card
		if e.Confidence() < 0.5 {
			c = card.Unseen
		}
		t.Zones[e.Zone] = append(t.Zones[e.Zone], Dealt{c, i, i, e.Face})
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

// reveal is a zone's cards after all of them were shown: what is seen last holds.
func reveal(cards []Dealt, e *round.Event, i int) []Dealt {
	if e.Confidence() < 0.5 {
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
func (t *Table) Readable(c card.Card) bool {
	return c != card.Unseen && !t.foreign(c)
}

func (t *Table) foreign(c card.Card) bool {
	if !t.kind.Spanish {
		return c != card.Unseen && !c.French()
	}
	return c != card.Unseen && !c.Spanish()
}

// Seen reports whether every card of a zone is readable.
func (t *Table) Seen(zone string) bool {
	for _, d := range t.Zones[zone] {
		if !t.Readable(d.Card) {
			return false
		}
	}
	return true
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

// deckFindings raises cards that the packs in play do not hold.
func (t *Table) deckFindings() {
	decks := t.rules.Decks
	if t.Rec.Table.Decks > 0 {
		decks = t.Rec.Table.Decks
	}
	var copies [256]uint8
	count := func(c card.Card, event int) {
		switch {
		case c == card.Unseen:
		case t.foreign(c):
			t.Add(round.Finding{Code: finding.ForeignCard, Observed: c.String(), Event: event})
		default:
			if copies[c] < 255 {
				copies[c]++
			}
			if int(copies[c]) == decks+1 {
				t.Add(round.Finding{Code: finding.DuplicateCard, Observed: c.String(), Event: event})
			}
		}
	}
	var all []Dealt
	for zone, cards := range t.Zones {
		if zone != Discard {
			all = append(all, cards...)
		}
	}
	laid := map[card.Card]int{} // where cards may be put aside from
	discarded := t.Zones[Discard]
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Type == round.CardDealt && t.kind.Laid != nil && t.kind.Laid(e.Zone):
			laid[e.Card]++
		case e.Type == round.CardDealt && e.Zone == Discard:
			if d := discarded[0]; laid[d.Card] > 0 {
				laid[d.Card]-- // moved there
			} else {
				all = append(all, d)
			}
			discarded = discarded[1:]
		case e.Type != round.Burn || e.Card == card.Unseen || e.Confidence() < 0.5:
		case laid[e.Card] > 0:
			laid[e.Card]-- // the card that lay there is put aside: no further copy
		default:
			all = append(all, Dealt{Card: e.Card, Event: i, seen: i})
		}
	}
	slices.SortFunc(all, func(a, b Dealt) int {
		if a.seen != b.seen {
			return a.seen - b.seen
		}
		if a.Event != b.Event {
			return a.Event - b.Event
		}
		return int(a.Card) - int(b.Card)
	})
	all = append(all, discarded...) // seen there by a reveal alone
	for _, d := range all {
		count(d.Card, d.seen)
	}
}

// codes of findings by the topic of the article that they cite.
var topics = map[finding.Code]string{
	finding.LateBet: "conduct", finding.LateWithdrawal: "conduct", finding.DealtBeforeClose: "conduct",
	finding.AnnouncementWrong: "calls", finding.AnnouncementMissing: "calls", finding.AnnouncementOrder: "calls",
	finding.DealOrderWrong: "deal", finding.FaceWrong: "deal", finding.CardCountWrong: "deal",
	finding.DrewMustStand: "draw", finding.StoodMustDraw: "draw", finding.PlayerActionNotAllowed: "draw",
	finding.BurnWrong: "shoe", finding.ContinuedAfterCutCard: "shoe",
	finding.IrregularityIgnored: "irregular", finding.BetBelowMin: "limits", finding.BetAboveMax: "limits",
	finding.PayoutOrderWrong: "order", finding.PaidBeforeCollect: "order",
}

// Cite is the citation of a topic: the game as a whole where the rulebook has
// no section for it.
func (t *Table) Cite(topic string) string {
	if a := t.rules.Articles[topic]; a != "" {
		return t.in.Rule("." + a)
	}
	return t.in.Rule("")
}

// Add raises a finding, under the article of its code or spot.
func (t *Table) Add(f round.Finding) {
	if f.Severity == "" {
		f.Severity = finding.Of(f.Code).Round.Of(finding.Points)
	}
	if f.Rule == "" {
		topic := topics[f.Code]
		if topic == "" {
			topic = spotTopic(f.Spot)
		}
		f.Rule = t.Cite(topic)
	}
	t.list = append(t.list, f)
}

// At raises a code at an event.
func (t *Table) At(event int, code finding.Code) { t.Add(round.Finding{Code: code, Event: event}) }

// ZoneAt raises a code about a zone.
func (t *Table) ZoneAt(event int, code finding.Code, zone string) {
	t.Add(round.Finding{Code: code, Event: event, Zone: zone})
}

// Amounts raises a code on a place with what was due and what was seen.
func (t *Table) Amounts(event int, code finding.Code, p game.Place, expected, observed money.Cents) {
	t.Add(game.Amounts(round.Finding{Code: code, Event: event, Seat: p.Seat, Spot: p.Spot}, expected, observed))
}

// Count raises a number of cards.
func (t *Table) Count(event int, zone string, expected, observed int) {
	t.Add(round.Finding{Code: finding.CardCountWrong, Event: event, Zone: zone, Expected: expected, Observed: observed})
}

// Beyond is the event of the first card more than want; the last event where
// cards are missing.
func (t *Table) Beyond(cards []Dealt, want int) int {
	if len(cards) > want {
		return cards[want].Event
	}
	return t.Last
}

// DealOrder compares the first cards with the prescribed zones and tells the
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
	for i := range t.Events {
		if e := &t.Events[i]; e.Type == round.Incident && e.Kind == kind {
			do(i, e)
		}
	}
}

// Action is the index of a seat's first action of a name; len(Events) when there is none.
func (t *Table) Action(seat int, name string) int {
	for i := range t.Events {
		if e := &t.Events[i]; e.Type == round.Action && e.Action == name && e.Seat == seat {
			return i
		}
	}
	return len(t.Events)
}

// Done is the verdict.
func (t *Table) Done() round.Verdict {
	v := t.Verdict
	v.Findings = t.list
	if t.Verdict.Result == nil {
		v.Result = struct{}{}
	}
	v.Next = t.Next
	return v
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
	rest, ok := strings.CutPrefix(zone, "seat:")
	if !ok {
		return 0, 0, false
	}
	first, second, split := strings.Cut(rest, "/")
	seat, err := strconv.Atoi(first)
	if err != nil || seat < 1 {
		return 0, 0, false
	}
	if !split {
		return seat, 1, true
	}
	k, err = strconv.Atoi(second)
	return seat, k, err == nil && k >= 2
}
