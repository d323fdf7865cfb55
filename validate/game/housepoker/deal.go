package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// due is the number of cards that the deal puts in a zone.
func (t *table) due(zone string) int {
	d := &t.rules.Deal
	switch {
	case zone == bank:
		return d.Bank
	case zone == board:
		return d.Board
	case slices.Contains(d.Commons, zone):
		return 1
	case t.expects(zone):
		return d.Own
	}
	return 0
}

// dueZones are the zones that the deal fills, seats ascending and the bank last.
func (t *table) dueZones() []string {
	var list []string
	for _, s := range t.playing() {
		list = append(list, game.SeatZone(s))
	}
	list = append(list, t.rules.Deal.Commons...)
	if t.rules.Deal.Bank > 0 {
		list = append(list, bank)
	}
	return list
}

// playing are the seats that get cards.
func (t *table) playing() []int {
	var list []int
	for _, s := range t.active {
		list = append(list, s.n)
	}
	if b := t.opt.banker; t.rules.Deal.Hands && b > 0 && !slices.Contains(list, b) {
		list = append(list, b)
		slices.Sort(list)
	}
	return list
}

// count raises a wrong number of cards, once for a zone.
func (t *table) count(event int, zone string, due, there int) {
	t.Add(round.Finding{Code: finding.CardCountWrong, Event: event, Zone: zone, Seat: game.SeatOf(zone), Expected: due,
		Observed: there})
}

// deal judges the initial deal and what was served after it.
func (t *table) deal() {
	done := t.stop < len(t.ev) || t.closed
	right := done && t.counts()
	if done {
		t.later()
	} else {
		t.surplus()
	}
	t.oddReveals()
	t.commonsOrder()
	if right {
		t.sequence()
	}
	t.faces()
	t.burns()
}

// counts compares the cards of the initial deal with their number.
func (t *table) counts() bool {
	if len(t.order) == 0 && !t.closed {
		return true
	}
	right := true
	zones := t.dueZones()
	if len(t.active) == 0 {
		zones = nil // nobody plays: nothing is due
	}
	for name := range t.zones {
		if !slices.Contains(zones, name) && name != board && name != discard && game.SeatOf(name) > 0 {
			zones = append(zones, name)
		}
	}
	slices.Sort(zones)
	for _, name := range zones {
		z := t.zone(name)
		due := t.due(name)
		if z.initial == due {
			continue
		}
		right = false
		event := z.lastIn
		if event == none {
			event = t.last
		}
		if due == 0 && z.initial == 0 || z.wrong {
			continue
		}
		z.wrong = true
		t.count(event, name, due, z.initial)
	}
	return right
}

// surplus finds zones that hold more cards than are due while the deal goes on: no
// card that comes can put that right.
func (t *table) surplus() {
	for name, z := range t.zones {
		if due := t.due(name); due > 0 && name != board && z.initial > due {
			z.wrong = true
			t.count(z.lastIn, name, due, z.initial)
		}
	}
}

// later compares the cards served after the deal with those put aside.
func (t *table) later() {
	for name, z := range t.zones {
		if name == board || name == discard || z.wrong || z.served == len(z.gone) {
			continue
		}
		event := z.last
		if event == none {
			event = t.last
		}
		if t.rules.Deal.Draw || t.has("buy_card") {
			z.wrong = true
			t.count(event, name, len(z.gone), z.served)
		} else if due := t.due(name); due != z.initial+z.served {
			z.wrong = true
			t.count(event, name, due, z.initial+z.served)
		}
	}
}

// oddReveals raises reveals of a wrong number of cards where the deal was right.
func (t *table) oddReveals() {
	for name, z := range t.zones {
		if z.odd != nil && !z.wrong {
			z.wrong = true
			t.count(z.odd.event, name, z.odd.due, z.odd.shown)
		}
	}
}

// commonsOrder finds the right common card of trijoker shown before the left one.
func (t *table) commonsOrder() {
	for k := 1; k < len(t.rules.Deal.Commons); k++ {
		before, after := t.zone(t.rules.Deal.Commons[k-1]), t.zone(t.rules.Deal.Commons[k])
		if after.shown >= 0 && (before.shown == none || before.shown > after.shown) {
			t.procedure(after.shown)
		}
	}
}

// expected is the sequence of zones that the deal prescribes; nil where nothing is prescribed.
func (t *table) expected() []string {
	d := &t.rules.Deal
	var seats []string
	for _, n := range t.playing() {
		seats = append(seats, game.SeatZone(n))
	}
	var out []string
	switch {
	case d.Hands:
		return t.ringOrder()
	case d.Draw && t.opt.shuffler:
		return nil
	case len(d.Commons) > 0:
		for k := range d.Own {
			out = append(out, seats...)
			if k < len(d.Commons) {
				out = append(out, d.Commons[k])
			}
		}
		return out
	case t.opt.shuffler && !d.Streets && !d.InDeal:
		for _, z := range append(seats, bank) {
			out = append(out, slices.Repeat([]string{z}, t.due(z))...)
		}
		return out
	}
	for k := range max(d.Own, d.Bank) {
		if k < d.Own {
			out = append(out, seats...)
		}
		if k < d.Bank {
			out = append(out, bank)
		}
	}
	return out
}

// sequence compares the order of the deal with the prescribed one.
func (t *table) sequence() {
	want := t.expected()
	k := 0
	seen := map[string]bool{}
	for _, i := range t.order {
		z := t.ev[i].Zone
		if t.rules.Deal.Hands {
			if seen[z] {
				continue
			}
			seen[z] = true
		}
		if want != nil && (k >= len(want) || want[k] != z) {
			t.misordered(i, want, k)
			return
		}
		k++
	}
	if !t.rules.Deal.Draw {
		return
	}
	for k := 1; k < len(t.more); k++ {
		if game.SeatOf(t.ev[t.more[k]].Zone) < game.SeatOf(t.ev[t.more[k-1]].Zone) {
			t.misordered(t.more[k], nil, 0)
			return
		}
	}
}

func (t *table) misordered(i int, want []string, k int) {
	f := round.Finding{Code: finding.DealOrderWrong, Event: i}
	if k < len(want) {
		f.Expected, f.Observed = want[k], t.ev[i].Zone
	}
	t.Add(f)
	if t.rules.Misdeal.Order == voids && !t.supplied(want) {
		t.void = true
	}
}

// supplied reports whether a deal is out of order only because a player who was short
// got his card once the board lay there: that puts the number right before anybody has
// decided, and is no misdeal (art. 59.1.b).
func (t *table) supplied(want []string) bool {
	if !t.rules.Deal.InDeal || len(t.boardAt) == 0 {
		return false
	}
	want = slices.Clone(want)
	var dealt []string
	for _, i := range t.order {
		z := t.ev[i].Zone
		if i < t.boardAt[0] {
			dealt = append(dealt, z)
			continue
		}
		k := len(want) - 1
		for k >= 0 && want[k] != z {
			k--
		}
		if k < 0 || game.SeatOf(z) == 0 {
			return false
		}
		want = slices.Delete(want, k, k+1)
	}
	return slices.Equal(dealt, want)
}

// anyFace is the face where exactly one of the bank's first and last card is up.
func (t *table) anyFace(k int) string {
	if k == 0 {
		return ""
	}
	if k != t.rules.Deal.Bank-1 {
		return "down"
	}
	if first := t.dealtFaces(bank); len(first) > 0 && first[0].face == "up" {
		return "down"
	}
	return "up"
}

// burns checks the cards put aside before each street, and those left over in pai gow.
func (t *table) burns() {
	if t.rules.Deal.Hands {
		left, put, last := 53-7*len(t.dueZones()), 0, none
		for i := range t.ev {
			if e := &t.ev[i]; e.Type == round.Burn && i > t.dealEnd && t.dealEnd >= 0 {
				put, last = put+e.Count, i
			}
		}
		if last != none && put != left {
			t.Add(round.Finding{Code: finding.BurnWrong, Event: last, Expected: left, Observed: put})
		}
	}
	if !t.rules.Deal.Burns {
		return
	}
	from := 0
	for _, first := range []int{1, 4, 5} {
		to := t.boardCard(first)
		if to == len(t.ev) {
			return
		}
		count, seen := 0, false
		for i := from; i < to; i++ {
			if e := &t.ev[i]; e.Type == round.Burn {
				count += e.Count
				seen = seen || e.Card != card.Unseen
			}
		}
		if count != 1 || seen {
			t.Add(round.Finding{Code: finding.BurnWrong, Event: to, Expected: 1, Observed: count})
		}
		from = to
	}
}

// face is how the k-th card of a zone (from 0) must lie; "" where either way is right.
func (t *table) face(zone string, k int) string {
	d := &t.rules.Deal
	switch {
	case zone == board:
		return "up"
	case zone == discard:
		return ""
	case zone != bank || d.Up == 0:
		return "down"
	}
	up := d.Up - 1
	if t.has("buy_card") && !t.opt.shuffler {
		switch t.opt.upcard {
		case "first":
			up = 0
		case "any":
			return t.anyFace(k)
		}
	}
	if k == up {
		return "up"
	}
	return "down"
}

// dealtCard is a card event of a zone.
type dealtCard struct {
	event int
	face  string
	card  card.Card
}

func (t *table) dealtFaces(zone string) []dealtCard {
	list := make([]dealtCard, 0, 8)
	for i, e := range game.Each(t.ev, round.CardDealt) {
		if e.Zone == zone {
			list = append(list, dealtCard{i, e.Face, game.Read(e.Card, e)})
		}
	}
	return list
}

// faces raises cards that lie the wrong way up, and what an exposed card annuls.
func (t *table) faces() {
	for name := range t.zones {
		for k, c := range t.dealtFaces(name) {
			if name == bank && t.rules.Deal.Draw && c.event > t.stop {
				continue // the bank draws openly
			}
			want := t.face(name, k)
			if want == "" || c.face == want {
				continue
			}
			t.inZone(c.event, finding.FaceWrong, name)
			if c.face == "up" {
				t.exposed(c.event, name, c.card)
			}
		}
	}
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.Incident && e.Kind == "card_exposed" && e.Zone != "" && !t.isUpcard(e) {
			t.exposed(i, e.Zone, e.Card)
		}
	}
}

// isUpcard reports whether an exposed card is the one that the bank shows anyhow.
func (t *table) isUpcard(e *round.Event) bool {
	if e.Zone != bank || e.Card == card.Unseen || t.rules.Deal.Up == 0 {
		return false
	}
	for k, c := range t.dealtFaces(bank) {
		if c.card == e.Card && c.face == "up" && t.face(bank, k) != "down" {
			return true
		}
	}
	return false
}
