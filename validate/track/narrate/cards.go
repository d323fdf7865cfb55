package narrate

import (
	"math"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// burnZone is where the croupier puts cards aside unseen.
const burnZone = "burn"

// burns records the cards put aside and takes them out of the hand.
func (s *Narration) burns() {
	for _, c := range s.takeOut(func(zone string) bool { return zone == burnZone }) {
		s.record(round.Event{Type: round.Burn, Count: 1}, c.from, c.at, 2)
	}
}

// takeOut takes the cards of some zones out of the hand, and gives them.
func (s *Narration) takeOut(zone func(string) bool) (out []dealtCard) {
	s.Hand = slices.DeleteFunc(s.Hand, func(c dealtCard) bool {
		if zone(c.zone) {
			out = append(out, c)
		}
		return zone(c.zone)
	})
	return out
}

// dealtUnder comes to the choice whether a zone got as many cards as are due though fewer were
// seen: hands that came amid the deal took up those that lay there, and with them any that
// they were dealt.
func (s *Narration) dealtUnder(zone string, due int) {
	cs := s.handIn(zone)
	n := len(cs)
	left, gone, up := s.left(zone)
	if n == 0 || n >= due || !up {
		return
	}
	var at time.Time
	got := map[string]int{}
	for _, c := range s.Hand {
		if c.zone != zone && c.at.After(gone) && !c.at.After(left) && c.at.After(at) {
			at = c.at
		}
		if got[c.zone]++; c.zone != zone && got[c.zone] == due && at.IsZero() && !c.at.After(left) {
			at = gone // the others had theirs when hands came: it is the last that is dealt to
		}
	}
	seat := scene.Place{Seat: scene.SeatOf(zone)}
	under := hypothesis.Choice{Kind: hypothesis.DealtUnder, Item: cs[n-1].track, Place: seat}
	if at.IsZero() || !s.either(under, hypothesis.Whole) {
		return
	}
	s.dealUnseen(zone, due-n, true, gone, at)
}

// calledUnder comes to the choice whether a hand got one card more that nobody saw, where its points were called as
// more than lies there, and the hands that were there then took it up.
func (s *Narration) calledUnder() {
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		zone, points := s.pointsCalled(h)
		left, gone, up := s.left(zone)
		if cs := s.handIn(zone); up && h.At.After(gone) && h.At.Before(left) && s.fewer(cs, points) {
			under := hypothesis.Choice{
				Kind: hypothesis.DealtUnder, Item: cs[len(cs)-1].track, Place: scene.Place{Seat: scene.SeatOf(zone)},
			}
			if s.either(under, hypothesis.Whole) {
				first := s.Scene.First(func(o *scene.Event) bool { // no card comes once points are called
					of, _ := s.pointsCalled(o)
					return of != "" && o.At.After(gone)
				})
				s.dealUnseen(zone, 1, false, gone, scene.JustBefore(first))
			}
		}
	}
}

// pointsCalled are the points that were called of the cards of a zone; "" where none were.
func (s *Narration) pointsCalled(h *scene.Event) (zone string, points int) {
	switch {
	case !h.IsCall("puntos_banca", "puntos_mano", "puntos") || h.Line.Points == nil:
		return "", 0
	case h.Line.Call == "puntos_banca":
		return "bank", *h.Line.Points
	}
	return h.Line.Zone, *h.Line.Points
}

// fewer reports whether cards that were all read are of fewer points than were called.
func (s *Narration) fewer(hand []dealtCard, called int) bool {
	var cs []card.Card
	sum := 0
	for _, c := range hand {
		cs, sum = append(cs, c.card), sum+min(c.card.Number(), 10)
	}
	total, read := points(cs)
	if !s.Game.upTo21 {
		total = sum
	}
	return read && len(cs) > 0 && total < called
}

// dealUnseen deals cards to a zone that nobody saw after those that were seen there, face down or up as others got
// theirs, or else as said.
func (s *Narration) dealUnseen(zone string, n int, down bool, from, at time.Time) {
	cs, got := s.handIn(zone), map[string]int{}
	c := cs[len(cs)-1]
	c.card, c.conf, c.down, c.from, c.at, c.turned = card.Unseen, 1, down, from, at, time.Time{}
	for _, o := range s.Hand {
		if got[o.zone]++; o.zone != zone && scene.SeatOf(o.zone) > 0 && got[o.zone] == len(cs)+1 {
			c.down = o.down
		}
	}
	s.Hand = append(s.Hand, slices.Repeat([]dealtCard{c}, n)...)
}

// handIn are the cards that a zone got, or "" for all, in the order of dealing.
func (s *Narration) handIn(zone string) (cs []dealtCard) {
	for _, c := range s.Hand {
		if c.zone == zone || zone == "" {
			cs = append(cs, c)
		}
	}
	return cs
}

// cardsIn is how many they are.
func (s *Narration) cardsIn(zone string) int { return len(s.handIn(zone)) }

// left is when the last card of a zone was taken; gone is false while one lies
// there, or came back, or was shown.
func (s *Narration) left(zone string) (at, from time.Time, gone bool) {
	n := 0
	for _, c := range s.Hand {
		sl := &s.Scene.Tracks[c.track]
		if sl.Zone != zone || !sl.Retired.IsZero() {
			continue
		}
		if sl.OnTable || sl.Left.IsZero() {
			return time.Time{}, time.Time{}, false
		}
		n++
		if sl.Left.After(at) {
			at, from = sl.Left, sl.Gone
		}
	}
	return at, from, n > 0
}

// DealOrder is the prescribed order of the first cards, with the seats that
// got any.
func (s *Narration) DealOrder() (zones []string) {
	for _, z := range s.Game.deal {
		row, whole := strings.CutSuffix(z, " to the end")
		suffix, seats := strings.CutPrefix(z, "seats")
		switch {
		case whole:
			zones = append(zones, slices.Repeat([]string{row}, s.cardsIn(row))...)
		case seats:
			zones = append(zones, zonesOf(s.dealtSeats(suffix), suffix)...)
		default:
			zones = append(zones, z)
		}
	}
	return zones
}

// dealtSeats are the seats that got a card in their zone "seat:N"+part, ascending.
func (s *Narration) dealtSeats(part string) (seats []int) {
	for _, c := range s.Hand {
		n := scene.SeatOf(c.zone)
		if n > 0 && c.zone == scene.SeatZone(n)+part && !slices.Contains(seats, n) {
			seats = append(seats, n)
		}
	}
	slices.Sort(seats)
	return seats
}

// zonesOf are the zones of some seats, or a part of them.
func zonesOf(seats []int, part string) (zones []string) {
	for _, n := range seats {
		zones = append(zones, scene.SeatZone(n)+part)
	}
	return zones
}

// arrangeDeal puts the first cards into the prescribed order of zones if the
// times at which they can have been dealt allow it: of two cards that lie in
// their zones when both are next at rest, the camera does not know the first. It
// reports whether they do.
func (s *Narration) arrangeDeal(zones []string) bool {
	var dealt []int
	for _, z := range zones {
		for i, c := range s.Hand {
			if c.zone == z && !slices.Contains(dealt, i) {
				dealt = append(dealt, i)
				break
			}
		}
	}
	if len(dealt) == 0 {
		return true
	}
	at := make([]time.Time, len(dealt))
	for k := len(dealt) - 1; k >= 0; k-- {
		c := s.Hand[dealt[k]]
		at[k] = c.at
		if k+1 < len(dealt) && at[k+1].Before(at[k]) {
			at[k] = at[k+1]
		}
		if at[k].Before(c.from) {
			return false // the order that was seen is the order
		}
	}
	hand := make([]dealtCard, 0, len(s.Hand))
	for k, i := range dealt {
		c := s.Hand[i]
		c.at = at[k]
		hand = append(hand, c)
	}
	for i, c := range s.Hand {
		if !slices.Contains(dealt, i) {
			hand = append(hand, c)
		}
	}
	s.Hand = hand
	return true
}

// reveals records when cards that were dealt face down show their faces: one
// event for the cards of a zone that are turned in one go.
func (s *Narration) reveals() {
	var zones []string
	turned := map[string][]time.Time{}
	for _, c := range s.Hand {
		if c.turned.IsZero() {
			continue
		}
		if turned[c.zone] == nil {
			zones = append(zones, c.zone)
		}
		turned[c.zone] = append(turned[c.zone], c.turned)
	}
	for _, z := range zones {
		slices.SortFunc(turned[z], time.Time.Compare)
		for i, at := range turned[z] {
			if last := i+1 == len(turned[z]); last || turned[z][i+1].Sub(at) > scene.OneGo {
				s.reveal(z, at)
			}
		}
	}
}

// goneBy reports whether a card had been exchanged for another by a time.
func (s *Narration) goneBy(c dealtCard, at time.Time) bool {
	r := scene.Earliest(s.Scene.Tracks[c.track].Retired, c.replaced)
	return !r.IsZero() && !r.After(at)
}

func (s *Narration) reveal(zone string, at time.Time) {
	e := round.Event{Type: round.Reveal, Zone: zone}
	from, conf := at, 1.0
	for _, c := range s.Hand {
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
	s.record(e, from, at, 2)
}

// dealtIn is when the last card was dealt to a zone; zero without one.
func (s *Narration) dealtIn(zone string) (t time.Time) {
	for _, c := range s.handIn(zone) {
		t = scene.Latest(t, c.at)
	}
	return t
}

// lastCard is when the last card was dealt or turned; zero without cards.
func (s *Narration) lastCard() (t time.Time) {
	for _, c := range s.Hand {
		t = scene.Latest(t, scene.Latest(c.at, c.turned))
	}
	return t
}

// unseen reports whether a card of the round could not be read.
func (s *Narration) unseen() bool {
	return slices.ContainsFunc(s.Hand, func(c dealtCard) bool { return c.card == 0 || c.down && c.turned.IsZero() })
}

// Unread reports whether a card lies face up and nobody could read it: then chips
// that are laid may be a payment for all that is known.
func (s *Narration) Unread() bool {
	return slices.ContainsFunc(s.Hand, func(c dealtCard) bool { return c.card == 0 && !c.down })
}

// dealtCard is a card of the round.
type dealtCard struct {
	track    int
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

// listCards lists the cards as dealt.
func (s *Narration) listCards() {
	index := map[int]int{}
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		switch h.Kind {
		case scene.CardSeen:
			sl := &s.Scene.Tracks[h.Track]
			if sl.Spurious() {
				s.Notes = append(s.Notes, Note{Code: NoteSpurious, Text: "a card was seen for a moment in " + h.Zone, Time: h.At})
				continue
			}
			c, conf := s.readCard(h.Track, sl)
			index[h.Track] = len(s.Hand)
			s.Hand = append(s.Hand, dealtCard{
				track: h.Track, zone: h.Zone, card: c, conf: conf, down: sl.Back, from: h.From, at: h.At, item: i,
			})
			k := len(s.Hand) - 1
			atOnce := k > 0 && s.Hand[k-1].zone == h.Zone && s.Hand[k-1].at.Equal(h.At) // with the one to its left
			if atOnce && s.either(hypothesis.Choice{Kind: hypothesis.DealtFirst, Item: s.number(i)}, hypothesis.InOrder) {
				s.Hand[k-1], s.Hand[k] = s.Hand[k], s.Hand[k-1]
				index[s.Hand[k-1].track], index[s.Hand[k].track] = k-1, k
			}
		case scene.CardTurned:
			if k, ok := index[h.Track]; ok {
				s.Hand[k].down = true
				if s.Hand[k].turned.IsZero() {
					s.Hand[k].turned, s.Hand[k].since = h.At, h.From
				}
			}
		}
	}
	s.turnedUnder()
	s.changed()
	s.changedAndTaken()
}

// turnedUnder comes to the choice whether a card that was first seen with its face was dealt face
// down and turned by the same hands, which turned others of its zone; and whether one of which the back is
// read no more was turned, and nobody can read its face.
func (s *Narration) turnedUnder() {
	for i := range s.Hand {
		c := &s.Hand[i]
		if t := s.Scene.Tracks[c.track].Dulled; c.down && c.turned.IsZero() && !t.At.IsZero() {
			if !s.pickAt(hypothesis.Choice{Kind: hypothesis.TurnedUnder, Item: c.track}, 0.5) {
				c.turned, c.since, c.card = t.At, t.From, card.Unseen
			}
			continue
		}
		k := slices.IndexFunc(s.Hand, func(o dealtCard) bool {
			return o.zone == c.zone && o.down && !o.turned.IsZero() && o.since.Equal(c.from)
		})
		if c.down || k < 0 {
			continue
		}
		if s.pickAt(hypothesis.Choice{Kind: hypothesis.TurnedUnder, Item: c.track}, 0.5) {
			c.down, c.turned, c.since = true, scene.Latest(s.Hand[k].turned, c.at), c.from
		}
	}
}

// cardEvents records the cards of the round that fit.
func (s *Narration) cardEvents(fits func(dealtCard) bool) {
	for _, c := range s.Hand {
		if !fits(c) {
			continue
		}
		e := round.Event{Type: round.CardDealt, Zone: c.zone, Card: c.card, Face: "up"}
		if c.down {
			e.Card, e.Face = card.Unseen, "down"
		} else {
			e.Conf = confidence(c.conf)
		}
		s.record(e, c.from, c.at, 2)
	}
}

// all fits every card.
func all(dealtCard) bool { return true }

func confidence(p float64) *float64 {
	p = math.Round(p*1000) / 1000
	if p <= 0 || p >= 1 {
		return nil
	}
	return &p
}
