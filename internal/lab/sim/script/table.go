package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// table is one round in the making: the clock, what lies on the felt, and what
// has happened so far.
type table struct {
	*Game
	now      float64
	acts     []Act
	rec      round.Record
	findings []Finding
	fault    Fault
	done     bool // the fault has been committed
	spots    map[string]*spot
	hands    map[string][]Placed
	dice     []int  // tags
	sum      int    // of the dice
	spared   *spot  // the loser who is going to be paid (roulette)
	pushed   []Pile // winnings pushed to the player who is being paid
}

// spot is the chips of one seat on one betting spot.
type spot struct {
	seat  int
	name  string // of the round record
	zone  string // of the calibration
	stake money.Cents
	late  money.Cents // put down after the close
	won   bool        // not lost: the player may take what lies there
	// carried stakes were undecided in the round before (craps)
	carried bool
	paid    money.Cents // laid beside the stake
	piles   []Pile
	lateP   []Pile
	paidP   []Pile
}

func (s *spot) key() string { return fmt.Sprintf("%d/%s", s.seat, s.name) }

// pause is a time shortened by the table's speed, but never so short that
// nothing could come to rest.
func (t *table) pause(seconds float64) float64 {
	return max(min(seconds, 0.7), seconds/t.cfg.Speed)
}

// wait lets the clock run on, a little irregularly, or as the table's pace has it.
func (t *table) wait(seconds float64) {
	even := seconds * (0.85 + 0.3*t.rng.Float64()) // drawn at every pace: it decides what chance has next
	if t.tempo == nil {
		t.now += t.pause(even)
		return
	}
	t.now += t.tempo.pause(t.pause(seconds))
}

// sayAfter is say after a wait of so many seconds.
func (t *table) sayAfter(seconds float64, e round.Event) {
	t.wait(seconds)
	t.say(e)
}

// note writes an event into the record at the present time.
func (t *table) note(e round.Event) {
	e.T = float64(int(t.now*1000)) / 1000
	t.rec.Events = append(t.rec.Events, e)
}

func (t *table) act(a Act) {
	a.At = t.now
	t.acts = append(t.acts, a)
}

// expect names a finding that the fault must raise.
func (t *table) expect(f Finding) {
	t.done = true
	t.findings = append(t.findings, f)
}

// expectOn names a finding on a spot: what should have moved there, and what did.
func (t *table) expectOn(s *spot, code finding.Code, expected, observed money.Cents) {
	t.expect(Finding{Code: code, Seat: s.seat, Spot: s.name, Expected: expected, Observed: observed})
}

// commits reports whether the round's fault is f and still has to be committed.
func (t *table) commits(f Fault) bool { return t.fault == f && !t.done }

// say is a call on the croupier's terminal.
func (t *table) say(e round.Event) {
	e.Type = round.Announce
	if e.By == "" {
		e.By = round.Croupier
	}
	t.sense("terminal", e)
}

// calls makes one of the croupier's calls, unless the round's fault is that it is missing;
// it reports whether it was made.
func (t *table) calls(e round.Event) bool {
	if t.commits(MissingCall) {
		t.expect(Finding{Code: finding.AnnouncementMissing, Expected: e.Call})
		return false
	}
	t.say(e)
	return true
}

// closing closes the bets, and late has something slipped in after it. It reports whether the
// call is left to come too late, as the round's fault has it.
func (t *table) closing(call round.Event, late func()) (tooLate bool) {
	if t.commits(CloseTooLate) {
		t.expect(Finding{Code: finding.DealtBeforeClose})
		return true
	}
	if t.calls(call) {
		late()
	}
	return false
}

// open asks for bets; what still lies on the cloth are some.
func (t *table) open() {
	t.sayAfter(1, round.Event{Call: "hagan_juego"})
	t.lies()
}

// sense is a line of a sensor; the record holds the same event.
func (t *table) sense(source string, e round.Event) {
	t.note(e)
	args := map[string]any{}
	if err := json.Unmarshal(asJSON(e), &args); err != nil {
		panic(err)
	}
	delete(args, "t")
	delete(args, "type")
	t.said++
	t.act(Act{Sensed: []fact.Sensed{{Table: t.cfg.Table, Source: source, Kind: string(e.Type), Args: args,
		ID: fmt.Sprintf("%s-%d-%d", t.cfg.Table, t.cfg.Seed, t.said)}}})
}

func (t *table) nextTag() int { t.tag++; return t.tag }

// put deals a card into a zone, at the next free slot.
func (t *table) put(zone string, c card.Card, across bool) {
	t.place(Placed{Zone: zone, Slot: t.freeSlot(zone), Card: c, Across: across})
	t.note(round.Event{Type: round.CardDealt, Zone: zone, Card: c, Face: "up"})
}

// putDown deals a card face down.
func (t *table) putDown(zone string, c card.Card) {
	t.place(Placed{Zone: zone, Slot: t.freeSlot(zone), Card: c, Down: true})
	t.note(round.Event{Type: round.CardDealt, Zone: zone, Face: "down"})
}

// place lays a card without a word of it in the record.
func (t *table) place(p Placed) {
	p.Tag = t.nextTag()
	t.hands[p.Zone] = append(t.hands[p.Zone], p)
	t.act(Act{Who: Croupier, Cards: []Placed{p}})
}

// freeSlot is the first place of a zone where no card lies.
func (t *table) freeSlot(zone string) int {
	for n := 0; ; n++ {
		if !slices.ContainsFunc(t.hands[zone], func(p Placed) bool { return p.Slot == n }) {
			return n
		}
	}
}

// cards are the cards of a zone in the order in which they were dealt.
func (t *table) cards(zone string) []card.Card {
	var out []card.Card
	for _, p := range t.hands[zone] {
		out = append(out, p.Card)
	}
	return out
}

// sweep lifts the cards of a zone.
func (t *table) sweep(zone string) {
	var tags []int
	for _, p := range t.hands[zone] {
		tags = append(tags, p.Tag)
	}
	delete(t.hands, zone)
	if len(tags) > 0 {
		t.act(Act{Who: Croupier, Lift: tags})
	}
}

// clearHands takes up two hands, which ends the round.
func (t *table) clearHands(first, second string) {
	t.wait(1.5)
	t.sweep(first)
	t.wait(0.9)
	t.sweep(second)
	t.wait(0.3)
	t.clear()
}

// stack makes an amount of the palette's money chips, high values first, each
// kind in piles of at most eight; what is laid in plaques, where the palette holds
// any, lies together.
func (t *table) stack(amount money.Cents, zone string, slot int) []Pile {
	out := t.plaques(&amount, zone, &slot)
	kinds := slices.DeleteFunc(slices.Clone(t.cfg.Palette), chip.Plaque)
	slices.SortFunc(kinds, func(a, b chip) int { return int(b.Value - a.Value) })
	for _, k := range kinds {
		if k.Value == 0 || k.Seat != 0 {
			continue
		}
		n := int(int64(amount) / k.Value)
		amount -= money.Cents(int64(n) * k.Value)
		for n > 0 {
			high := min(n, maxHigh)
			out = append(out, Pile{Tag: t.nextTag(), Zone: zone, Slot: slot, Chips: Alike(k.ID, high)})
			n, slot = n-high, slot+1
		}
	}
	if amount != 0 {
		panic(fmt.Sprintf("script: %d cents cannot be laid with the palette", amount))
	}
	return out
}

// plaques lays as much of an amount in plaques as can be, high values below, and takes
// it off; slot is the first that is free after them.
func (t *table) plaques(amount *money.Cents, zone string, slot *int) (out []Pile) {
	kinds := slices.DeleteFunc(slices.Clone(t.cfg.Palette), func(c chip) bool { return !c.Plaque() })
	slices.SortFunc(kinds, func(a, b chip) int { return int(b.Value - a.Value) })
	var ids []string
	for _, k := range kinds {
		n := int(int64(*amount) / k.Value)
		*amount -= money.Cents(int64(n) * k.Value)
		ids = append(ids, Alike(k.ID, n)...)
	}
	for some := range slices.Chunk(ids, maxPlaques) {
		out = append(out, Pile{Tag: t.nextTag(), Zone: zone, Slot: *slot, Chips: some, Plaques: true})
		*slot += plaqueSlots
	}
	return out
}

// maxPlaques lie on one another; a pile of them takes plaqueSlots of a zone.
const (
	maxPlaques  = 3
	plaqueSlots = 3
)

// maxHigh is how high chips are stacked, mostHigh how high where their kinds are mixed.
const (
	maxHigh  = 8
	mostHigh = 16
)

// staked is an amount as a player lays it: a stack for each kind, or now and
// then one for all, high values below.
func (t *table) staked(amount money.Cents, zone string, slot int) []Pile {
	piles := t.stack(amount, zone, slot)
	if t.cfg.Mixed <= 0 || !t.maybe(t.cfg.Mixed) || len(piles) < 2 {
		return piles
	}
	if slices.ContainsFunc(piles, func(p Pile) bool { return p.Plaques }) {
		return piles
	}
	one := piles[0]
	for _, p := range piles[1:] {
		one.Chips = slices.Concat(one.Chips, p.Chips)
	}
	if len(one.Chips) > mostHigh {
		return piles
	}
	return []Pile{one}
}

// stake is one of some stakes, as high as the table plays.
func (t *table) stake(of ...money.Cents) money.Cents { return one(t, of) * t.cfg.Stakes }

// payable reports whether an amount can be laid with the palette at all.
func (t *table) payable(amount money.Cents) bool {
	least := money.Cents(0)
	for _, k := range t.cfg.Palette {
		if v := money.Cents(k.Value); k.Seat == 0 && v > 0 && (least == 0 || v < least) {
			least = v
		}
	}
	return least > 0 && amount >= 0 && amount%least == 0
}

func tags(piles ...[]Pile) []int {
	var out []int
	for _, ps := range piles {
		for _, p := range ps {
			out = append(out, p.Tag)
		}
	}
	return out
}

// free is the first slot after all that lies on a spot.
func (s *spot) free() int {
	next := 0
	for _, p := range slices.Concat(s.piles, s.lateP, s.paidP) {
		next = max(next, p.Slot+1)
		if p.Plaques {
			next = max(next, p.Slot+plaqueSlots)
		}
	}
	return next
}

// at is the spot of a seat, made when it is not there yet.
func (t *table) at(seat int, name, zone string) *spot {
	s := &spot{seat: seat, name: name, zone: zone}
	if old := t.spots[s.key()]; old != nil {
		return old
	}
	t.spots[s.key()] = s
	return s
}

// settled are the spots with chips, by seat and name.
func (t *table) inPlay() []*spot {
	var out []*spot
	for _, s := range t.spots {
		if s.stake > 0 {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *spot) int { return cmp.Or(a.seat-b.seat, cmp.Compare(a.name, b.name)) })
	return out
}

// lies notes as bets of this round the chips left from the last one.
func (t *table) lies() {
	for _, s := range t.inPlay() {
		if s.carried {
			continue
		}
		t.note(round.Event{Type: round.Bet, Seat: s.seat, Spot: s.name, Amount: s.stake})
	}
}

// bet puts money chips on a spot in time.
func (t *table) bet(s *spot, amount money.Cents) {
	t.laid(s, amount, t.staked(amount, s.zone, s.free()))
}

// laid has chips lie on a spot as a player's bet.
func (t *table) laid(s *spot, amount money.Cents, p []Pile) {
	s.piles = append(s.piles, p...)
	s.stake += amount
	t.note(round.Event{Type: round.Bet, Seat: s.seat, Spot: s.name, Amount: amount})
	t.act(Act{Who: Who(s.seat), Piles: p})
}

// betLate puts chips down after the close: the fault late_bet.
func (t *table) betLate(s *spot, amount money.Cents) {
	t.laidLate(s, amount, t.staked(amount, s.zone, s.free()))
}

func (t *table) laidLate(s *spot, amount money.Cents, p []Pile) {
	s.lateP, s.late = p, amount
	t.note(round.Event{Type: round.Bet, Seat: s.seat, Spot: s.name, Amount: amount})
	t.act(Act{Who: Who(s.seat), Piles: s.lateP})
	t.expect(Finding{Code: finding.LateBet, Seat: s.seat, Spot: s.name, Observed: amount})
}

// collect takes a losing stake for the house.
func (t *table) collect(s *spot) {
	t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: s.name, Amount: s.stake})
	t.act(Act{Who: Croupier, Lift: tags(s.piles)})
	s.stake, s.piles = 0, nil
	if s.late == 0 {
		delete(t.spots, s.key())
	}
}

// pay lays winnings beside the stake.
func (t *table) pay(s *spot, amount money.Cents) {
	t.payOn(s, s.name, amount)
}

// payOn lays winnings of a spot beside the chips of another.
func (t *table) payOn(to *spot, name string, amount money.Cents) {
	p := t.stack(amount, to.zone, to.free())
	to.paid += amount
	to.paidP = append(to.paidP, p...)
	t.spots[to.key()] = to
	t.note(round.Event{Type: round.Pay, Seat: to.seat, Spot: name, Amount: amount})
	t.act(Act{Who: Croupier, Piles: p})
}

// take lets the player fetch everything from a spot.
func (t *table) take(s *spot) {
	t.act(Act{Who: Who(s.seat), Lift: tags(s.piles, s.lateP, s.paidP)})
	delete(t.spots, s.key())
}

// leave ends the round: chips still on the cloth are the next round's stakes.
func (t *table) leave() {
	for k, s := range t.spots {
		if total := s.stake + s.late + s.paid; total > 0 {
			t.lying[k] = &spot{
				seat:    s.seat,
				name:    s.name,
				zone:    s.zone,
				stake:   total,
				carried: s.carried,
				piles:   slices.Concat(s.piles, s.lateP, s.paidP),
			}
		}
	}
}

// lateral spots are opened by a round's course: chips left there cannot play on.
var lateral = []string{"double", "split:2", "seguro", "odds_win", "seguro:negro", "seguro:rojo", "seguro:color", "seguro:inverso", "revancha",
	"second", "flop", "turn", "river", "play", "progresivo", "jackpot", "bonus", "txb", "ases", "pareja_plus", "apuesta_1", "apuesta_2", "apuesta_3"}

// tidyUp has players fetch chips left over that would be too many or too few to play
// on with; the new round has not begun, so that no event speaks of it.
func (t *table) tidyUp() {
	if _, circle := circleGames[t.cfg.Game]; circle || t.cfg.Game == "monte_banca" {
		return // chips are fetched when the next round is opened, and the bank stays
	}
	for _, s := range t.inPlay() {
		if !s.carried &&
			(slices.Contains(lateral, s.name) || len(s.piles) > 2 || s.stake > t.cfg.Max/2 || s.stake < t.cfg.Min) {
			t.wait(1.2)
			t.take(s)
		}
	}
}

// clear is the end of the round.
func (t *table) clear() {
	t.note(round.Event{Type: round.Clear})
	t.leave()
}

// one picks an element by chance.
func one[T any](t *table, of []T) T { return of[t.rng.IntN(len(of))] }

// maybe is true with probability p.
func (t *table) maybe(p float64) bool { return t.rng.Float64() < p }
