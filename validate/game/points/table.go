package points

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

// dealt is one card as the record finally shows it.
type dealt struct {
	card  card.Card // Unseen while it cannot be read
	event int       // of the card event, or of the reveal that first showed it
	seen  int       // event that showed what it is
	face  string
}

// table is one round while it is judged: the cards by zone, the time marks and
// the findings.
type table struct {
	in    game.Input
	rules *Common
	kind  kind
	rec   *round.Record
	ev    []round.Event

	last       int  // index of the last event
	closed     bool // the table was cleared
	firstDealt int  // first card in a zone other than discard; len(ev) when there is none
	close      int  // where the betting closed; len(ev) when it did not
	decision   int  // last card or reveal; len(ev) when there is none

	zones   map[string][]dealt
	order   []int // card events in zones other than discard
	moved   game.Tally
	verdict round.Verdict
	list    []round.Finding
	next    map[string]any
}

const discard = "discard"

// kind is what a game's table is like.
type kind struct {
	zones     func(zone string) bool // the zones of cards, discard apart
	laid      func(zone string) bool // the zones from where a card may be put aside; nil: none
	spanish   bool                   // the pack; otherwise French
	closing   bool                   // the closing call ends the betting, if it comes before the first card
	ownCut    bool                   // the game itself says what follows the cut card
	incidents game.IncidentWords     // beside the zones
}

// newTable reads the cards of a record.
func newTable(in game.Input, r *Common, k kind) (*table, error) {
	t := &table{in: in, rules: r, kind: k, rec: in.Rec, ev: in.Rec.Events,
		last: game.Last(in.Rec), closed: game.Closed(in.Rec), zones: map[string][]dealt{}, next: map[string]any{}}
	words := k.incidents
	words.Zone = func(z string) bool { return z == discard || k.zones(z) }
	if err := words.Incidents(in.Rec); err != nil {
		return nil, err
	}
	t.firstDealt, t.decision = len(t.ev), len(t.ev)
	for i := range t.ev {
		if err := t.read(i, k.zones); err != nil {
			return nil, err
		}
	}
	t.close = t.firstDealt
	if call := t.first("no_va_mas"); k.closing && call < t.close {
		t.close = call
	}
	t.moved = game.Sums(t.rec, 0)
	t.deckFindings()
	return t, nil
}

func (t *table) read(i int, known func(string) bool) error {
	e := &t.ev[i]
	switch e.Type {
	case round.CardDealt, round.Reveal:
		if e.Zone != discard && !known(e.Zone) {
			return round.Malformed(round.At(i, "zone"), "see the zones of "+t.rec.Game, "unknown zone %q", e.Zone)
		}
	case round.Announce:
		if _, ok := t.rules.Calls[e.Call]; !ok && !slices.Contains(freeCalls, e.Call) {
			if err := game.Word(i, "call", e.Call, append(slices.Sorted(maps.Keys(t.rules.Calls)), freeCalls...)); err != nil {
				return err
			}
		}
		if e.Zone != "" && !known(e.Zone) {
			return round.Malformed(round.At(i, "zone"), "see the zones of "+t.rec.Game, "unknown zone %q", e.Zone)
		}
	}
	switch e.Type {
	case round.CardDealt:
		c := e.Card
		if e.Confidence() < 0.5 {
			c = card.Unseen
		}
		t.zones[e.Zone] = append(t.zones[e.Zone], dealt{c, i, i, e.Face})
		if e.Zone != discard {
			t.order = append(t.order, i)
			t.firstDealt = min(t.firstDealt, i)
		}
		t.decision = i
	case round.Reveal:
		if cards := reveal(t.zones[e.Zone], e, i); len(cards) > 0 {
			t.zones[e.Zone] = cards
		}
		t.decision = i
	}
	return nil
}

// reveal is a zone's cards after all of them were shown: what is seen last holds.
func reveal(cards []dealt, e *round.Event, i int) []dealt {
	if e.Confidence() < 0.5 {
		return cards
	}
	for k, c := range e.Cards {
		switch {
		case k >= len(cards):
			cards = append(cards, dealt{c, i, i, "up"})
		case c != card.Unseen:
			cards[k].card, cards[k].seen = c, i
		}
	}
	return cards
}

// readable tells whether a card is seen and of the game's pack.
func (t *table) readable(c card.Card) bool {
	return c != card.Unseen && !t.foreign(c)
}

func (t *table) foreign(c card.Card) bool {
	if !t.kind.spanish {
		return c != card.Unseen && !c.French()
	}
	return c != card.Unseen && !c.Spanish()
}

// seen tells whether every card of a zone is readable.
func (t *table) seen(zone string) bool {
	for _, d := range t.zones[zone] {
		if !t.readable(d.card) {
			return false
		}
	}
	return true
}

// cardsAt are the cards that lie in a zone at an event.
func (t *table) cardsAt(zone string, event int) []dealt {
	cards := t.zones[zone]
	n := len(cards)
	for n > 0 && cards[n-1].event > event {
		n--
	}
	return cards[:n]
}

// dealtAfter is the first card event in a zone other than discard after event;
// len(ev) when there is none.
func (t *table) dealtAfter(event int) int {
	for _, i := range t.order {
		if i > event {
			return i
		}
	}
	return len(t.ev)
}

// deckFindings raises cards that the packs in play do not hold.
func (t *table) deckFindings() {
	decks := t.rules.Decks
	if t.rec.Table.Decks > 0 {
		decks = t.rec.Table.Decks
	}
	var copies [256]uint8
	count := func(c card.Card, event int) {
		switch {
		case c == card.Unseen:
		case t.foreign(c):
			t.add(round.Finding{Code: finding.ForeignCard, Observed: c.String(), Event: event})
		default:
			if copies[c] < 255 {
				copies[c]++
			}
			if int(copies[c]) == decks+1 {
				t.add(round.Finding{Code: finding.DuplicateCard, Observed: c.String(), Event: event})
			}
		}
	}
	var all []dealt
	for zone, cards := range t.zones {
		if zone != discard {
			all = append(all, cards...)
		}
	}
	laid := map[card.Card]int{} // where cards may be put aside from
	discarded := t.zones[discard]
	for i := range t.ev {
		e := &t.ev[i]
		switch {
		case e.Type == round.CardDealt && t.kind.laid != nil && t.kind.laid(e.Zone):
			laid[e.Card]++
		case e.Type == round.CardDealt && e.Zone == discard:
			if d := discarded[0]; laid[d.card] > 0 {
				laid[d.card]-- // moved there
			} else {
				all = append(all, d)
			}
			discarded = discarded[1:]
		case e.Type != round.Burn || e.Card == card.Unseen || e.Confidence() < 0.5:
		case laid[e.Card] > 0:
			laid[e.Card]-- // the card that lay there is put aside: no further copy
		default:
			all = append(all, dealt{card: e.Card, event: i, seen: i})
		}
	}
	slices.SortFunc(all, func(a, b dealt) int {
		if a.seen != b.seen {
			return a.seen - b.seen
		}
		if a.event != b.event {
			return a.event - b.event
		}
		return int(a.card) - int(b.card)
	})
	all = append(all, discarded...) // seen there by a reveal alone
	for _, d := range all {
		count(d.card, d.seen)
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

// cite is the citation of a topic: the game as a whole where the rulebook has
// no section for it.
func (t *table) cite(topic string) string {
	if a := t.rules.Articles[topic]; a != "" {
		return t.in.Rule("." + a)
	}
	return t.in.Rule("")
}

func (t *table) add(f round.Finding) {
	if f.Severity == "" {
		f.Severity = finding.Of(f.Code).Round.Of(finding.Points)
	}
	if f.Rule == "" {
		topic := topics[f.Code]
		if topic == "" {
			topic = spotTopic(f.Spot)
		}
		f.Rule = t.cite(topic)
	}
	t.list = append(t.list, f)
}

func (t *table) at(event int, code finding.Code) { t.add(round.Finding{Code: code, Event: event}) }

func (t *table) zoneAt(event int, code finding.Code, zone string) {
	t.add(round.Finding{Code: code, Event: event, Zone: zone})
}

// amounts raises a code on a place with what was due and what was seen.
func (t *table) amounts(event int, code finding.Code, p game.Place, expected, observed money.Cents) {
	t.add(game.Amounts(round.Finding{Code: code, Event: event, Seat: p.Seat, Spot: p.Spot}, expected, observed))
}

func (t *table) count(event int, zone string, expected, observed int) {
	t.add(round.Finding{Code: finding.CardCountWrong, Event: event, Zone: zone, Expected: expected, Observed: observed})
}

// beyond is the event of the first card more than want; the last event where
// cards are missing.
func (t *table) beyond(cards []dealt, want int) int {
	if len(cards) > want {
		return cards[want].event
	}
	return t.last
}

// dealOrder compares the first cards with the prescribed zones and tells the
// first wrong event; -1 when all are right.
func (t *table) dealOrder(want []string) int {
	for k, i := range t.order {
		if k < len(want) && t.ev[i].Zone != want[k] {
			return i
		}
	}
	return -1
}

// faces raises each of a zone's cards from index from to below to that does not lie as prescribed.
func (t *table) faces(zone, face string, from, to int) {
	cards := t.zones[zone]
	for k := from; k < min(to, len(cards)); k++ {
		if cards[k].face != face {
			t.zoneAt(cards[k].event, finding.FaceWrong, zone)
		}
	}
}

// hand adds a hand to the verdict; value -1 is unknown.
func (t *table) hand(zone string, value int, category string) {
	h := round.Hand{Zone: zone, Category: category}
	for _, d := range t.zones[zone] {
		h.Cards = append(h.Cards, d.card)
	}
	if value >= 0 {
		h.Value = value
	}
	t.verdict.Hands = append(t.verdict.Hands, h)
}

// incidents calls do for each incident of a kind.
func (t *table) incidents(kind string, do func(i int, e *round.Event)) {
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.Incident && e.Kind == kind {
			do(i, e)
		}
	}
}

// action is the index of a seat's first action of a name; len(ev) when there is none.
func (t *table) action(seat int, name string) int {
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.Action && e.Action == name && e.Seat == seat {
			return i
		}
	}
	return len(t.ev)
}

// done is the verdict.
func (t *table) done() round.Verdict {
	v := t.verdict
	v.Findings = t.list
	if t.verdict.Result == nil {
		v.Result = struct{}{}
	}
	v.Next = t.next
	return v
}

// pips is the value of a card where figures and ten are top (0 or 10) and the ace is 1.
func pips(c card.Card, top int) int {
	if n := c.Number(); n < 10 {
		return n
	}
	return top
}

// boxZone reads "seat:3" and "seat:3/2"; ok is false for anything else.
func boxZone(zone string) (seat, k int, ok bool) {
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
