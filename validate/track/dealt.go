package track

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/validate/round"
)

// burnZone is where the croupier puts cards aside unseen.
const burnZone = "burn"

// burns tells the cards put aside and takes them out of the hand.
func (s *story) burns() {
	all := slices.Clone(s.hand)
	s.hand = slices.DeleteFunc(s.hand, func(c dealtCard) bool {
		if c.zone != burnZone {
			return false
		}
		s.tell(round.Event{Type: round.Burn, Count: 1}, c.from, burnt(c, all), 2)
		return true
	})
}

// burnt is when a card was put aside: the dealing arm lies over it until the cards
// after it lie in their zones, and of two that came to rest in one look at the
// latest the camera does not know the first. So it came before those that were
// dealt one soon after the other while it can have come: no sooner after the arm
// reached its place than a card can be put aside and the next be dealt.
func burnt(c dealtCard, cards []dealtCard) time.Time {
	const together, motion = 2500 * time.Millisecond, 500 * time.Millisecond
	at := c.at
	for {
		before := slices.IndexFunc(cards, func(o dealtCard) bool {
			return o.zone != burnZone && o.at.Before(at) && o.at.Sub(c.from) >= motion && at.Sub(o.at) <= together
		})
		if before < 0 {
			return at
		}
		at = cards[before].at
	}
}

// cardsIn is how many cards a zone got.
func (s *story) cardsIn(zone string) (n int) {
	for _, c := range s.hand {
		if c.zone == zone {
			n++
		}
	}
	return n
}

// dealtSeats are the zones of the seats that have cards, ascending.
func (s *story) dealtSeats() (zones []string) {
	var seats []int
	for _, c := range s.hand {
		if n, k := handOf(c.zone); k == 1 && !slices.Contains(seats, n) {
			seats = append(seats, n)
		}
	}
	slices.Sort(seats)
	for _, n := range seats {
		zones = append(zones, seatZone(n))
	}
	return zones
}

// left is when the last card of a zone was taken; gone is false while one lies
// there, or came back, or was shown.
func (s *story) left(zone string) (at, from time.Time, gone bool) {
	n := 0
	for _, c := range s.hand {
		sl := &s.sc.slots[c.slot]
		if sl.zone != zone || !sl.retired.IsZero() {
			continue
		}
		if sl.here || sl.left.IsZero() {
			return time.Time{}, time.Time{}, false
		}
		n++
		if sl.left.After(at) {
			at, from = sl.left, sl.gone
		}
	}
	return at, from, n > 0
}

// begunAmid is when chips were first moved, from the beginning to the end, between two
// times; zero when none were.
func (s *story) begunAmid(from, to time.Time) (t time.Time) {
	for _, m := range s.moves {
		if m.from.After(from) && !m.at.After(to) {
			t = earliest(t, m.from)
		}
	}
	return t
}

// dealOrder is the prescribed order of the first cards, with the seats that
// got any.
func (s *story) dealOrder() (zones []string) {
	for _, z := range s.g.deal {
		row, whole := strings.CutSuffix(z, " to the end")
		suffix, seats := strings.CutPrefix(z, "seats")
		switch {
		case whole:
			for _, c := range s.hand {
				if c.zone == row {
					zones = append(zones, row)
				}
			}
		case seats:
			zones = append(zones, s.seatZones(suffix)...)
		default:
			zones = append(zones, z)
		}
	}
	return zones
}

// seatZones are the zones "seat:N"+suffix that got a card, ascending.
func (s *story) seatZones(suffix string) (zones []string) {
	var seats []int
	for _, c := range s.hand {
		n, _ := handOf(c.zone)
		if n > 0 && c.zone == "seat:"+strconv.Itoa(n)+suffix && !slices.Contains(seats, n) {
			seats = append(seats, n)
		}
	}
	slices.Sort(seats)
	for _, n := range seats {
		zones = append(zones, "seat:"+strconv.Itoa(n)+suffix)
	}
	return zones
}

// arrangeDeal puts the first cards into the prescribed order of zones if the
// times at which they can have been dealt allow it: of two cards that lie in
// their zones when both are next at rest, the camera does not know the first. It
// tells whether they do.
func (s *story) arrangeDeal(zones []string) bool {
	used := map[int]bool{}
	var dealt []int
	for _, z := range zones {
		i := s.next(z, used)
		if i < 0 {
			continue
		}
		used[i] = true
		dealt = append(dealt, i)
	}
	if len(dealt) == 0 {
		return true
	}
	at := make([]time.Time, len(dealt))
	for k := len(dealt) - 1; k >= 0; k-- {
		c := s.hand[dealt[k]]
		at[k] = c.at
		if k+1 < len(dealt) && at[k+1].Before(at[k]) {
			at[k] = at[k+1]
		}
		if at[k].Before(c.from) {
			return false // the order that was seen is the order
		}
	}
	hand := make([]dealtCard, 0, len(s.hand))
	for k, i := range dealt {
		c := s.hand[i]
		c.at = at[k]
		hand = append(hand, c)
	}
	for i, c := range s.hand {
		if !used[i] {
			hand = append(hand, c)
		}
	}
	s.hand = hand
	return true
}

func (s *story) next(zone string, used map[int]bool) int {
	for i, c := range s.hand {
		if c.zone == zone && !used[i] {
			return i
		}
	}
	return -1
}

// reveals tells when cards that were dealt face down show their faces: one
// event for the cards of a zone that are turned together.
func (s *story) reveals() {
	const together = 4 * time.Second
	var zones []string
	last := map[string]time.Time{}
	for _, c := range s.hand {
		if c.turned.IsZero() {
			continue
		}
		if last[c.zone].IsZero() {
			zones = append(zones, c.zone)
			last[c.zone] = c.turned
		}
		if c.turned.After(last[c.zone]) && c.turned.Sub(last[c.zone]) <= together {
			last[c.zone] = c.turned
		}
	}
	for _, z := range zones {
		s.reveal(z, last[z])
		for _, c := range s.hand { // one that was turned much later
			if c.zone == z && c.turned.After(last[z]) {
				s.reveal(z, c.turned)
			}
		}
	}
}

// goneBy tells that a card had been exchanged for another by a time.
func (s *story) goneBy(c dealtCard, at time.Time) bool {
	r := earliest(s.sc.slots[c.slot].retired, c.replaced)
	return !r.IsZero() && r.Before(at)
}

func (s *story) reveal(zone string, at time.Time) {
	e := round.Event{Type: round.Reveal, Zone: zone}
	from, conf := at, 1.0
	for _, c := range s.hand {
		if c.zone != zone || c.at.After(at) || s.goneBy(c, at) {
			continue
		}
		shown := c.card
		if c.down && (c.turned.IsZero() || c.turned.After(at)) {
			shown = card.Unseen
		}
		e.Cards = append(e.Cards, shown)
		conf = min(conf, c.conf)
		if c.turned.Before(from) && !c.turned.IsZero() {
			from = c.turned
		}
	}
	e.Conf = confidence(conf)
	s.tell(e, from, at, 2)
}

// dealtIn is when the last card was dealt to a zone; zero without one.
func (s *story) dealtIn(zone string) (t time.Time) {
	for _, c := range s.hand {
		if c.zone == zone && c.at.After(t) {
			t = c.at
		}
	}
	return t
}

// takenAfter has what the croupier took while a card came, and his arm lay over it,
// come after that card: it decides, and before it only their owners take bets, also
// where nobody closed them and the card does.
func (s *story) takenAfter(c dealtCard) {
	for i := range s.moves {
		if m := &s.moves[i]; m.delta < 0 && m.by(fact.Bank) && m.at.Before(c.at) && m.at.After(c.from) {
			m.from, m.at = c.at, c.at.Add(1)
		}
	}
}

// lastCard is when the last card was dealt or turned; zero without cards.
func (s *story) lastCard() (t time.Time) {
	for _, c := range s.hand {
		if c.at.After(t) {
			t = c.at
		}
		if c.turned.After(t) {
			t = c.turned
		}
	}
	return t
}

// unseen tells that a card of the round could not be read.
func (s *story) unseen() bool {
	for _, c := range s.hand {
		if c.card == 0 || c.down && c.turned.IsZero() {
			return true
		}
	}
	return false
}

// unread tells that a card lies face up and nobody could read it: then chips
// that are laid may be a payment for all that is known.
func (s *story) unread() bool {
	return slices.ContainsFunc(s.hand, func(c dealtCard) bool { return c.card == 0 && !c.down })
}

// dealtCard is a card of the round.
type dealtCard struct {
	slot     int
	zone     string // where it was dealt to
	card     card.Card
	conf     float64
	down     bool // dealt face down
	from, at time.Time
	turned   time.Time // when it showed its face; zero when it never did
	since    time.Time // when it can have been turned first
	item     int
	replaced time.Time // when another was laid in its place unseen; zero for most
}

// lookAtCards lists the cards as dealt.
func (s *story) lookAtCards() {
	index := map[int]int{}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		switch h.kind {
		case cardSeen:
			sl := &s.sc.slots[h.slot]
			if sl.ghost() {
				s.notes = append(s.notes, Note{Code: NoteGhost, Text: "a card was seen for a moment in " + h.zone, Time: h.at})
				continue
			}
			c, conf := s.readCard(h.slot, sl)
			index[h.slot] = len(s.hand)
			s.hand = append(s.hand, dealtCard{
				slot: h.slot, zone: h.zone, card: c, conf: conf, down: sl.back, from: h.from, at: h.at, item: i,
			})
			if k := len(s.hand) - 1; k > 0 && s.atOnce(k) && s.swapped(i) {
				s.hand[k-1], s.hand[k] = s.hand[k], s.hand[k-1]
				index[s.hand[k-1].slot], index[s.hand[k].slot] = k-1, k
			}
		case cardTurned:
			if k, ok := index[h.slot]; ok {
				s.hand[k].down = true
				if s.hand[k].turned.IsZero() {
					s.hand[k].turned, s.hand[k].since = h.at, h.from
				}
			}
		}
	}
	s.changed()
	s.changedAndTaken()
}

// cardEvents tells the cards of the round.
func (s *story) cardEvents() {
	for _, c := range s.hand {
		s.tell(cardEvent(c), c.from, c.at, 2)
	}
}

func cardEvent(c dealtCard) round.Event {
	e := round.Event{Type: round.CardDealt, Zone: c.zone, Card: c.card, Face: "up"}
	if c.down {
		e.Card, e.Face = card.Unseen, "down"
	} else {
		e.Conf = confidence(c.conf)
	}
	return e
}

func confidence(p float64) *float64 {
	if p <= 0 || p >= 0.9995 {
		return nil
	}
	p = math.Round(p*1000) / 1000
	return &p
}
