package script

import (
	"slices"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Card games in which several rows or hands are dealt on common places.
var deskGames = map[string]kind{
	"treinta_cuarenta": {play: playTreinta,
		faults: slices.Concat(cardFaults, []Fault{LateBet, WrongCall, MissingCall, WrongDraw, WrongOrder, PayBefore})},
}

// captive is a stake in prison.
type captive struct {
	Seat  int         `json:"seat"`
	Spot  string      `json:"spot"`
	Stake money.Cents `json:"stake"`
	K     int         `json:"k"`
}

// treinta is one round of treinta y cuarenta in the making.
type treinta struct {
	negro, rojo int
	color       bool
	jailed      []*spot
}

// playTreinta plays two rows; equal rows are null, two of 31 take half.
func playTreinta(t *table) {
	t.reshuffle()
	t.carryPrison()
	t.open()
	t.treintaBets()
	r := t.treintaDeal()
	t.treintaCalls(r)
	t.treintaSettle(r)
	t.keepPrison(r.jailed)
	t.clearHands("negro", "rojo")
}

// carryPrison writes the stakes in prison of the rounds before.
func (t *table) carryPrison() {
	var held []captive
	for _, s := range t.inPlay() {
		if s.carried {
			held = append(held, captive{s.seat, s.name, s.stake, 1})
		}
	}
	if len(held) > 0 {
		t.rec.Carry = asJSON(map[string]any{"prison": held})
	}
}

func (t *table) keepPrison(jailed []*spot) {
	for _, s := range t.spots {
		s.carried = slices.Contains(jailed, s)
	}
}

// treintaBets has players bet on the chances and now and then insure.
func (t *table) treintaBets() {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		for _, pair := range [][]string{{"negro", "rojo"}, {"color", "inverso"}} {
			s := t.spotOf(seat, one(t, pair))
			if s.stake > 0 || !t.maybe(0.6) {
				continue
			}
			t.wait(1.3)
			t.bet(s, money.Cents(one(t, []int{5000, 5000, 10000, 15000, 20000})))
			if premium := t.spotOf(seat, "seguro:"+s.name); t.maybe(0.2) && s.stake%5000 == 0 {
				t.wait(1.1)
				t.bet(premium, s.stake/100)
			}
		}
	}
	if len(t.inPlay()) == 0 {
		t.wait(1.3)
		t.bet(t.spotOf(1, "negro"), 5000)
	}
}

// worth is a card's points: figures ten, the ace one.
func worth(c card.Card) int { return min(c.Number(), 10) }

// treintaDeal deals the black row to 31 or more and then the red one.
func (t *table) treintaDeal() *treinta {
	t.wait(2)
	r := &treinta{}
	for _, row := range []struct {
		zone string
		sum  *int
	}{{"negro", &r.negro}, {"rojo", &r.rojo}} {
		for *row.sum < 31 {
			t.wait(1)
			c := t.deal()
			for row.zone == "rojo" && r.negro == 31 && r.rojo+worth(c) == 31 && len(t.rec.Carry) > 0 {
				c = t.deal() // nobody goes to prison twice here
			}
			t.put(row.zone, c, false)
			*row.sum += worth(c)
			if len(t.hands[row.zone]) == 1 && row.zone == "negro" {
				t.maybeLate(func(seat int, _ string) *spot { return t.freeChance(seat) })
			}
		}
		if len(t.hands[row.zone]) < 9 && t.commits(WrongDraw) {
			t.wait(1)
			t.put(row.zone, t.deal(), false)
			t.expect(Finding{Code: finding.DrewMustStand})
		}
	}
	return r
}

// freeChance is a chance of a seat without chips, or else its black one.
func (t *table) freeChance(seat int) *spot {
	for _, name := range []string{"negro", "rojo", "color", "inverso"} {
		if s := t.spotOf(seat, name); s.stake == 0 {
			return s
		}
	}
	return t.spotOf(seat, "negro")
}

// treintaCalls names the points of the rows and what has won.
func (t *table) treintaCalls(r *treinta) {
	t.points("puntos", "negro", r.negro, 40)
	t.points("puntos", "rojo", r.rojo, 40)
	r.color = t.colourWins(r)
	if r.negro == r.rojo {
		return
	}
	said := round.Event{Call: "suertes", Winner: "negro", Color: "inverso"}
	if r.rojo < r.negro {
		said.Winner = "rojo"
	}
	if r.color {
		said.Color = "color"
	}
	if !t.commits(MissingCall) {
		if t.commits(WrongCall) {
			t.expect(Finding{Code: finding.AnnouncementWrong})
			said.Winner = without([]string{"negro", "rojo"}, said.Winner)[0]
		}
		t.wait(1)
	}
	t.calls(said)
}

// colourWins reports whether the first card of the black row has the winning row's colour.
func (t *table) colourWins(r *treinta) bool {
	red := strings.ContainsRune("hd", rune(t.hands["negro"][0].Card.Suit()))
	return red == (r.rojo < r.negro)
}

// treintaDue decides one spot.
func (t *table) treintaDue(r *treinta, s *spot) due {
	d := due{spot: s, pays: s.stake}
	name, premium := strings.CutPrefix(s.name, "seguro:")
	won := map[string]bool{"negro": r.negro < r.rojo, "rojo": r.rojo < r.negro, "color": r.color, "inverso": !r.color}[name]
	switch {
	case premium:
		d.result = loses
	case r.negro == r.rojo:
		if d.result = pushes; s.carried {
			d.result = stays
		}
	case !won:
		d.result = loses
	case s.carried:
		d.result = stays // freed, without gain
	default:
		d.result = wins
	}
	return d
}

// treintaSettle collects what lost, then pays color and inverso, then negro and rojo.
func (t *table) treintaSettle(r *treinta) {
	if r.negro == 31 && r.rojo == 31 {
		t.treintaRefait(r)
		return
	}
	groups := [][]string{{"color", "inverso"}, {"negro", "rojo"}}
	if t.bothGroupsWin(r, groups) && t.commits(WrongOrder) {
		slices.Reverse(groups)
		t.expect(Finding{Code: finding.PayoutOrderWrong})
	}
	early := t.paysBefore(r)
	t.collectChances(r, early)
	for _, group := range groups {
		for _, s := range t.inPlay() {
			if d := t.treintaDue(r, s); d.result != loses && slices.Contains(group, s.name) {
				t.settleChance(d)
			}
		}
	}
	if early != nil {
		t.settleChance(t.treintaDue(r, early))
	}
	if r.negro == r.rojo {
		for _, s := range t.inPlay() {
			if s.carried {
				r.jailed = append(r.jailed, s)
			}
		}
	}
}

// collectChances collects what lost. A loser who is paid by mistake is the last:
// the others would be collected too late.
func (t *table) collectChances(r *treinta, but *spot) {
	var lost []due
	for _, s := range t.inPlay() {
		if d := t.treintaDue(r, s); d.result == loses && s != but {
			lost = append(lost, d)
		}
	}
	group := func(d due) int { return slices.Index([]string{"color", "inverso"}, d.name) }
	slices.SortStableFunc(lost, func(a, b due) int { return min(group(a), 0) - min(group(b), 0) })
	for i, d := range lost {
		fit := i == len(lost)-1 && group(d) >= 0 // paid in its turn
		if t.commits(PayLoser) && !d.carried && !fit {
			t.wait(1.4)
			t.collect(d.spot)
			continue
		}
		t.settleChance(d)
	}
}

// paysBefore is the loser whom the fault PayBefore forgets until the winners
// are paid; nil for none.
func (t *table) paysBefore(r *treinta) (lost *spot) {
	won := false
	for _, s := range t.inPlay() {
		switch t.treintaDue(r, s).result {
		case wins:
			won = true
		case loses:
			lost = s
		}
	}
	if !won || lost == nil || !t.commits(PayBefore) {
		return nil
	}
	t.expect(Finding{Code: finding.PaidBeforeCollect})
	return lost
}

func (t *table) bothGroupsWin(r *treinta, groups [][]string) bool {
	n := 0
	for _, group := range groups {
		for _, s := range t.inPlay() {
			if slices.Contains(group, s.name) && t.treintaDue(r, s).result == wins {
				n++
				break
			}
		}
	}
	return n == 2
}

// settleChance settles a chance; one in prison goes by its own name.
func (t *table) settleChance(d due) {
	if d.spot.carried {
		if d.result == loses {
			t.wait(1.4)
			t.note(round.Event{Type: round.Collect, Seat: d.seat, Spot: "prison:" + d.name, Amount: d.stake})
			t.act(Act{Who: Croupier, Lift: tags(d.piles)})
			d.spot.stake, d.spot.piles = 0, nil
			delete(t.spots, d.key())
		}
		return
	}
	t.settle(d)
}

// treintaRefait is 31 against 31: half is lost, unless a player has his stake
// put into prison or has insured it.
func (t *table) treintaRefait(r *treinta) {
	insured := map[string]bool{}
	for _, s := range t.inPlay() {
		if name, ok := strings.CutPrefix(s.name, "seguro:"); ok {
			insured[(&spot{seat: s.seat, name: name}).key()] = true
		}
	}
	for _, s := range t.inPlay() {
		if !strings.HasPrefix(s.name, "seguro:") && !insured[s.key()] && !s.carried && t.maybe(0.5) {
			t.wait(1.2)
			t.sense("terminal", round.Event{Type: round.Action, Seat: s.seat, Action: "prison", Zone: s.name})
			r.jailed = append(r.jailed, s)
		}
	}
	for _, s := range t.inPlay() {
		switch {
		case strings.HasPrefix(s.name, "seguro:"):
			t.wait(1.4)
			t.collect(s)
		case insured[s.key()] || slices.Contains(r.jailed, s):
		case s.carried:
			t.collectHalf(s, "prison:"+s.name)
		default:
			t.collectHalf(s, s.name)
		}
	}
}

// collectHalf takes half of a stake in money chips; the rest stays its owner's.
func (t *table) collectHalf(s *spot, name string) {
	t.wait(1.6)
	t.leaveRest(s, name, (s.stake+1)/2)
	s.carried = false
}
