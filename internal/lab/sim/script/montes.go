package script

import (
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// The two games of Andalucía that are called monte.
var monteGames = map[string]kind{
	"casino_monte": {play: playCasinoMonte, norm: "andalucia-2010", faults: []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser,
		TakeWinner, LateBet, MissingCall, WrongOrder, WrongBurn}},
	"monte_banca": {play: playMonte, norm: "andalucia-2010", faults: []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser,
		NoCommission, LateBet, MissingCall, PayBefore}},
}

// playCasinoMonte plays one card each against the bank's, and the revancha of
// those that are equal to it.
func playCasinoMonte(t *table) {
	t.reshuffle()
	t.open()
	boxes := t.casinoBets()
	t.wait(1.5)
	if t.calls(round.Event{Call: "no_va_mas"}) {
		if s := t.spotOf(boxes[0], "empate"); s.stake == 0 && t.commits(LateBet) {
			t.wait(1.5)
			t.betLate(s, money.Cents(one(t, []int{2500, 10000})))
		}
	}
	t.wait(0.6)
	for _, seat := range boxes {
		t.wait(1)
		t.put(seatZone(seat), t.deal(), false)
	}
	t.wait(1)
	t.put("bank", t.deal(), false)
	slices.Reverse(boxes)
	again := t.casinoFirstPass(boxes)
	t.casinoRevancha(again)
	t.wait(1.5)
	zones := []string{"bank", "bank/revancha"}
	for _, seat := range boxes {
		zones = append(zones, seatZone(seat), seatZone(seat)+"/revancha")
	}
	for _, zone := range zones {
		if len(t.hands[zone]) > 0 {
			t.sweep(zone)
			t.wait(0.7)
		}
	}
	t.clear()
}

// casinoBets has players bet and names the boxes that play, ascending.
func (t *table) casinoBets() (boxes []int) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		s := t.spotOf(seat, "inicial")
		left := t.spotOf(seat, "empate").stake > 0 // from the round before
		if s.stake == 0 && (t.maybe(0.85) || left || seat == t.cfg.Seats && len(boxes) == 0) {
			t.wait(1.3)
			t.bet(s, money.Cents(one(t, []int{1000, 2000, 5000, 10000})))
		}
		if s.stake == 0 {
			continue
		}
		boxes = append(boxes, seat)
		if e := t.spotOf(seat, "empate"); e.stake == 0 && t.maybe(0.35) {
			t.wait(1.2)
			t.bet(e, money.Cents(one(t, []int{500, 1000})))
		}
	}
	return boxes
}

// casinoFirstPass settles the boxes that are higher or lower than the bank, then
// the tie bets; it names the boxes that are equal, in the order given.
func (t *table) casinoFirstPass(boxes []int) (tied []int) {
	bank := poker.Rank(t.cards("bank")[0])
	var first []int
	for _, seat := range boxes {
		if poker.Rank(t.cards(seatZone(seat))[0]) == bank {
			tied = append(tied, seat)
		} else {
			first = append(first, seat)
		}
	}
	if len(first) > 1 && t.commits(WrongOrder) {
		slices.Reverse(first)
		t.expect(Finding{Code: finding.PayoutOrderWrong})
	}
	for _, seat := range first {
		s := t.spotOf(seat, "inicial")
		d := due{spot: s, pays: s.stake, result: loses}
		if poker.Rank(t.cards(seatZone(seat))[0]) > bank {
			d.result = wins
		}
		t.settle(d)
	}
	for _, seat := range first {
		if e := t.spotOf(seat, "empate"); e.stake > 0 {
			t.settle(due{spot: e, result: loses})
		}
	}
	for _, seat := range tied {
		if e := t.spotOf(seat, "empate"); e.stake > 0 {
			t.settle(due{spot: e, result: wins, pays: 10 * e.stake})
		}
	}
	return tied
}

// casinoRevancha has the equal boxes decline or play on.
func (t *table) casinoRevancha(tied []int) {
	var again []int
	for _, seat := range tied {
		s := t.spotOf(seat, "inicial")
		if t.maybe(0.4) {
			t.wait(1)
			t.sense("terminal", round.Event{Type: round.Action, Seat: seat, Action: "surrender"})
			t.wait(1.4)
			t.collectPart(s, (s.stake+1)/2)
			continue
		}
		t.wait(1.3)
		t.bet(t.spotOf(seat, "revancha"), s.stake)
		again = append(again, seat)
	}
	if len(again) == 0 {
		return
	}
	t.wait(1)
	burned := 1 + t.rng.IntN(3)
	if t.commits(WrongBurn) {
		t.expect(Finding{Code: finding.BurnWrong})
		burned = 4
	}
	t.sense("shoe", round.Event{Type: round.Burn, Count: burned})
	for _, seat := range slices.Backward(again) {
		t.wait(1)
		t.put(seatZone(seat)+"/revancha", t.deal(), false)
	}
	t.wait(1)
	t.put("bank/revancha", t.deal(), false)
	bank := poker.Rank(t.cards("bank/revancha")[0])
	for _, seat := range again {
		own := poker.Rank(t.cards(seatZone(seat) + "/revancha")[0])
		first, second := t.spotOf(seat, "inicial"), t.spotOf(seat, "revancha")
		stake := first.stake
		switch {
		case own > bank:
			t.settle(due{spot: second, result: wins, pays: stake})
		case own < bank:
			t.settle(due{spot: first, result: loses})
			t.settle(due{spot: second, result: loses})
		default:
			t.settle(due{spot: first, result: wins, pays: 2 * stake})
		}
	}
}

// A monte o banca table in the making: four places, the pack, and what the
// cards uncovered have decided.
type monte struct {
	pack    pack
	places  [5]card.Card // 1 to 4
	doubled int          // the place on which a second card lies; 0 for none
	burned  int
	first   monteHit // Primeras
	second  monteHit // Segundas
}

// monteHit is the deciding card of a phase.
type monteHit struct {
	place  int
	rel    string
	atOnce bool // it was the first card uncovered
}

// spanishPack is the pack of forty, shuffled.
func (t *table) spanishPack() (p pack) {
	for _, r := range card.SpanishRanks {
		for _, s := range card.SpanishSuits {
			c, err := card.Parse(string(r) + string(s))
			if err != nil {
				panic(err) // our own letters
			}
			p = append(p, c)
		}
	}
	p.shuffle(t.rng)
	return p
}

// next draws the first card that fits.
func (m *monte) next(fits func(card.Card) bool) card.Card {
	i := slices.IndexFunc(m.pack, fits)
	c := m.pack[i]
	m.pack = slices.Delete(m.pack, i, i+1)
	return c
}

// placeOf is the place whose card has the value of c; 0 for none.
func (m *monte) placeOf(c card.Card) int {
	for n := 1; n <= 4; n++ {
		if m.places[n] != card.Unseen && m.places[n].Rank() == c.Rank() {
			return n
		}
	}
	return 0
}

// playMonte plays Primeras and Segundas.
func playMonte(t *table) {
	m := &monte{pack: t.spanishPack()}
	t.wait(1)
	t.monteLay(m)
	t.monteBets(m, false)
	m.first = t.uncover(m, []int{1, 2, 3, 4})
	t.monteSettle(m, false)
	t.monteBets(m, true)
	m.second = t.uncover(m, m.staying())
	t.monteSettle(m, true)
	t.wait(1.5)
	for _, zone := range []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4", "descubiertas"} {
		t.sweep(zone)
		t.wait(0.7)
	}
	t.clear()
}

var monteCalls = []string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta"}

// monteLay fills the four places. A card of a value that lies there is laid on
// it, once; if the first two are equal both are burned.
func (t *table) monteLay(m *monte) {
	pair := t.maybe(0.12)
	for n := 1; n <= 4; n++ {
		if call := monteCalls[n-1]; n == 3 && t.commits(MissingCall) && t.maybe(0.4) {
			t.expect(Finding{Code: finding.AnnouncementMissing, Expected: call})
		} else {
			t.say(round.Event{Call: call})
		}
		if n == 1 {
			t.fetchAll()
		}
		t.wait(1.1)
		zone := fmt.Sprintf("emplazado:%d", n)
		if n == 2 && pair {
			c := m.next(func(c card.Card) bool { return m.placeOf(c) == 1 })
			t.put(zone, c, false)
			t.burnPair(m)
			t.wait(1.1)
			m.places[1] = m.next(func(card.Card) bool { return true })
			t.put("emplazado:1", m.places[1], false)
			t.wait(1.1)
		}
		if n > 2 && m.doubled == 0 && t.maybe(0.15) {
			c := m.next(func(c card.Card) bool { return m.placeOf(c) > 0 })
			m.doubled = m.placeOf(c)
			t.put(fmt.Sprintf("emplazado:%d", m.doubled), c, false)
			t.wait(1.1)
		}
		m.places[n] = m.next(func(c card.Card) bool { return m.placeOf(c) == 0 })
		t.put(zone, m.places[n], false)
		t.wait(0.9)
	}
}

// fetchAll has the players fetch what lies on the cloth from the round before.
func (t *table) fetchAll() {
	for _, s := range t.inPlay() {
		t.wait(1)
		t.take(s)
	}
}

// burnPair puts the equal first two cards aside.
func (t *table) burnPair(m *monte) {
	t.wait(2)
	a := Act{Who: Croupier}
	for _, zone := range []string{"emplazado:1", "emplazado:2"} {
		for _, p := range t.hands[zone] {
			t.note(round.Event{Type: round.Burn, Count: 1, Card: p.Card})
			a.Lift = append(a.Lift, p.Tag)
		}
		delete(t.hands, zone)
	}
	t.act(a)
	m.places[1], m.burned = card.Unseen, 2
}

// monteBets opens a phase, has players bet in colour chips, and closes it.
func (t *table) monteBets(m *monte, second bool) {
	t.sayAfter(1, round.Event{Call: "hagan_juego"})
	t.monteStakes(m, second)
	t.wait(1.5)
	if !t.calls(round.Event{Call: "no_va_mas"}) {
		return
	}
	s := t.monteSpot(1+t.rng.IntN(t.cfg.Seats), "camo:"+fmt.Sprint(m.staying()[0]), second)
	if s.stake == 0 && len(t.slots(s.name)) == 0 && t.commits(LateBet) {
		t.wait(1.4)
		t.colourLate(s, 2)
	}
}

// monteSpot is a seat's spot; the bets of Segundas lie on the same places.
func (t *table) monteSpot(seat int, name string, second bool) *spot {
	if second {
		return t.at(seat, "s2/"+name, name)
	}
	return t.layoutSpot(seat, name)
}

// monteStakes has players bet in a phase.
func (t *table) monteStakes(m *monte, second bool) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		for range 1 + t.rng.IntN(3) {
			name := t.montePlace(m, second)
			s := t.monteSpot(seat, name, second)
			if s.stake > 0 || t.taken(name) || second && t.maybe(0.5) {
				continue
			}
			t.wait(1)
			t.betColour(s, 1+t.rng.IntN(3))
		}
	}
	if len(t.inPlay()) == 0 {
		t.wait(1)
		t.betColour(t.monteSpot(1, "camo:"+fmt.Sprint(m.staying()[0]), second), 2)
	}
}

// taken reports whether chips lie on a place, by whatever name.
func (t *table) taken(place string) bool {
	for _, s := range t.spots {
		if s.zone == place && len(s.piles)+len(s.lateP) > 0 {
			return true
		}
	}
	return false
}

func (t *table) montePlace(m *monte, second bool) string {
	if second {
		pair := m.staying()
		if t.maybe(0.3) {
			return fmt.Sprintf("cartas:%d-%d", pair[0], pair[1])
		}
		return fmt.Sprintf("%s:%d", one(t, []string{"camo", "anti", "viudo"}), one(t, pair))
	}
	n := 1 + t.rng.IntN(4)
	return one(t, []string{fmt.Sprintf("vis:%d", n), fmt.Sprintf("camo:%d", n), fmt.Sprintf("anti:%d", n), fmt.Sprintf("viudo:%d", n),
		fmt.Sprintf("salto:%d", n), "cartas:1-2", "cartas:3-4", "cartas:4-3", "cartas:1-3", "cartas:4-2", "cartas:12-34", "cartas:13-24"})
}

// uncover turns cards until one has the value of a place in play.
func (t *table) uncover(m *monte, places []int) (hit monteHit) {
	t.wait(0.6)
	for n := 1; ; n++ {
		t.wait(1.1)
		c := m.next(func(c card.Card) bool { return n < 6 || slices.Contains(places, m.placeOf(c)) })
		t.put("descubiertas", c, false)
		if k := m.placeOf(c); slices.Contains(places, k) {
			suit := func(c card.Card) int { return slices.Index([]byte(card.SpanishSuits), c.Suit()) }
			rel := []string{"igual", "camo", "viudo", "anti"}[(suit(c)-suit(m.places[k])+4)%4]
			return monteHit{place: k, rel: rel, atOnce: n == 1}
		}
	}
}

// staying is the horizontal pair that Primeras did not hit.
func (m *monte) staying() []int {
	if m.first.place >= 3 || m.first.place == 0 {
		return []int{1, 2}
	}
	return []int{3, 4}
}

// annulled reports whether a hit does not count for cartas and salto: the camo of
// the cards beside and below a doubled one.
func (m *monte) annulled(h monteHit) bool {
	beside := map[int][]int{1: {2, 3}, 2: {1, 4}, 3: {4, 1}, 4: {3, 2}}[m.doubled]
	return h.rel == "camo" && slices.Contains(beside, h.place)
}

// monteDue decides a spot in a phase; stays where the phase does not decide it.
func (m *monte) monteDue(s *spot, second bool) due {
	name, two := s.name, false
	if len(name) > 3 && name[:3] == "s2/" {
		name, two = name[3:], true
	}
	kind, arg := name[:len(name)-1], name[len(name)-1:]
	h, extra := m.first, money.Cents(0)
	if m.doubled > 0 {
		extra = 1
	}
	if second {
		h = m.second
	}
	d := due{spot: s, result: loses}
	hit := arg == fmt.Sprint(h.place)
	win := func(times money.Cents) due {
		d.result, d.pays = wins, times*s.stake
		if h.atOnce && !second && kind != "vis:" {
			d.fee = (d.pays + 5) / 10
		}
		return d
	}
	switch kind {
	case "vis:":
		if hit && h.atOnce && h.rel == "camo" {
			return win(32 - extra - money.Cents(m.burned))
		}
	case "camo:", "anti:", "viudo:":
		switch {
		case hit && kind == h.rel+":" && two:
			return win(5)
		case hit && kind == h.rel+":":
			return win(11 - extra)
		}
	case "salto:":
		switch {
		case hit && m.annulled(h):
			d.result = pushes
		case hit:
			return win(3)
		}
	default:
		return m.cartasDue(d, h, win)
	}
	return d
}

// cartasDue decides a bet on one value's coming before another.
func (m *monte) cartasDue(d due, h monteHit, win func(money.Cents) due) due {
	var a, b string
	if _, err := fmt.Sscanf(d.name[len(d.name)-3:], "%1s-%1s", &a, &b); err != nil || d.name[len(d.name)-4] != ':' {
		a, b = d.name[len(d.name)-5:len(d.name)-3], d.name[len(d.name)-2:]
	}
	in := func(side string, place int) bool {
		return slices.Contains([]byte(side), byte('0'+place))
	}
	switch {
	case !in(a+b, h.place):
		d.result = pushes
		if stay := m.staying(); h == m.first && len(a) == 1 && in(a+b, stay[0]) && in(a+b, stay[1]) {
			d.result = stays
		}
	case m.annulled(h):
		d.result = pushes
	case in(a, h.place):
		return win(1)
	}
	return d
}

// monteSettle rakes what lost in a phase and pushes winnings to the players.
func (t *table) monteSettle(m *monte, second bool) {
	var won, lost []due
	for _, s := range t.inPlay() {
		d := m.monteDue(s, second)
		switch {
		case s.carried: // decided before
		case d.result == wins:
			push := t.pushDue(s, wins, d.pays)
			push.fee, push.both = d.fee, false
			won = append(won, push)
		case d.result == loses:
			lost = append(lost, d)
		}
		s.carried = d.result != stays
	}
	early := len(won) > 0 && len(lost) > 0 && t.commits(PayBefore)
	if early {
		t.expect(Finding{Code: finding.PaidBeforeCollect})
		t.payPushed(t.everySeat(), won)
	}
	var spared *due
	for _, d := range lost {
		push := t.pushDue(d.spot, loses, 0)
		push.both = false
		switch {
		case t.commits(KeepLoser):
			t.settle(push)
		case t.commits(PayLoser) && spared == nil && !early:
			spared = &push
		default:
			t.rake([]*spot{d.spot})
		}
	}
	if spared != nil {
		t.paySpared(*spared)
	}
	if !early {
		t.payPushed(t.everySeat(), won)
	}
}
