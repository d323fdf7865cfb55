package track

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/card"
	"vision/validate/round"
)

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
