package track

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// A story tells a scene as a round record. It looks back from the end of what
// is known, so that chips laid down between two cards are told from chips laid
// down after the last one. It is a pure function of scene, carry and hypothesis.
type story struct {
	g         *game
	sc        *scene
	priors    *Priors
	hyp       hypothesis
	met       map[choice][]alternative // what it could have been otherwise
	final     bool                     // the round has ended: nothing more will come
	check     func(*round.Record) (round.Verdict, error)
	base      round.Record          // id, norm, game, table, carry
	held      map[place]held        // chips carried over from the round before
	adrift    bool                  // nobody knows what the throws before have decided
	slow      time.Duration         // how long after a payment it may be taken back
	hand      []dealtCard           // the cards of the round in the order of dealing
	moves     []move                // changes of chips in the order of time
	close     time.Time             // when the bets were closed; zero while open
	told      []told                // the events so far, unsorted
	notes     []Note                // what is worth a remark and no finding
	dark      map[place]time.Time   // places whose chips could not be counted
	vague     map[int]bool          // seats of which some chips could not be counted
	concealed map[int]bool          // of these, those whose chips were never counted since
	loose     map[int]loose         // counts that are only rough, by item
	uncounted map[place]bool        // places where chips lay that were never counted
	hid       bool                  // chips lay somewhere that could not be counted, and no hand was over them
	inherited bool                  // the same of the round before
	stood     map[place]money.Cents // what lay on each place when the round began
	due       []round.Settlement    // what the rules say is due, without any settlement seen
	early     bool                  // the round is decided: payments can be judged
	allShown  bool                  // the hands of all who play for one pot are turned: nobody bets any more
	lost      map[place]bool        // bets that are lost whatever still comes
	lying     []place               // of losing bets that are left while others are paid
	forgotten map[place]time.Time   // losing bets that nobody will collect, and since when that is known
	running   bool                  // the bets are closed and the throw that counts did not end yet
	rules     rulebook.Rules        // of the game in the norm
	// stalled is the moment of the last card where the rules want another one:
	// chips laid since may be payments, of a bank that stood too early.
	stalled time.Time
	// null tells that the throw does not count and the table acts on it: due is
	// what would be if it did.
	null bool
	// alias is what chips on a place are called in the record, where a call or
	// the phase of the round gives them another name than the place has.
	alias map[place]string
}

// held is what the carry says about the chips of one place.
type held struct {
	spot   string // of the record: "prison:rojo" for chips on rojo
	amount money.Cents
}

// told is one event of the record with the time in which it came about.
type told struct {
	event    round.Event
	from, at time.Time
	order    int // among events of the same moment
}

// move is one change of the chips of a place.
type move struct {
	place    place
	delta    money.Cents
	from, at time.Time
	item     int
	hidden   bool     // it was found when hidden chips were seen again
	hands    []string // sides of the table from which arms reached for it
	// before and after are the totals that may have lain there, where one of the
	// two counts was only rough; nil where delta is certain.
	before, after []money.Cents
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

func (s *story) tell(e round.Event, from, at time.Time, order int) {
	s.told = append(s.told, told{e, from, at, order})
}

// run tells the whole story.
func (s *story) run() (round.Record, []told) {
	s.retime()
	s.lookAtCards()
	s.lookAtChips()
	s.relay()
	s.heed()
	s.g.narrate(s)
	if s.final {
		at := s.sc.cleared
		for _, t := range s.told {
			if t.at.After(at) {
				at = t.at
			}
		}
		s.tell(round.Event{Type: round.Clear}, at, at, 9)
	}
	return s.record(), s.told
}

// record puts the events in order and writes their times.
func (s *story) record() round.Record {
	slices.SortStableFunc(s.told, func(a, b told) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order))
	})
	r := s.base
	r.Events = make([]round.Event, 0, len(s.told))
	if len(s.told) == 0 {
		return r
	}
	start := s.told[0].at
	for _, t := range s.told {
		e := t.event
		e.T = math.Round(t.at.Sub(start).Seconds()*1000) / 1000
		r.Events = append(r.Events, e)
	}
	return r
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

// likely is the least probability with which the first guess of a reader that
// abstains is told: the others are weighed with every finding, and often what
// is in doubt (the suit of a ten) makes no difference.
const likely = 0.5

// face is the card that a reading names, and with what confidence, or one that
// counts the same.
func (g *game) face(guesses []fact.Guess, abstain string) (card.Card, float64) {
	label, _ := fact.Best(guesses)
	p := g.mass(guesses)
	if label == "" || label == back || abstain != "" && p < likely {
		return card.Unseen, 1
	}
	c, err := card.Parse(label)
	if err != nil {
		return card.Unseen, 1
	}
	return c, p
}

// mass is the probability of the first guess and of those that count the same.
func (g *game) mass(guesses []fact.Guess) (sum float64) {
	for i, guess := range guesses {
		if i == 0 || g.points && alike(guess.Label, guesses[0].Label) {
			sum += guess.P
		}
	}
	return sum
}

// alike tells that two cards have the same points and colour.
func alike(a, b string) bool {
	x, err := card.Parse(a)
	y, wrong := card.Parse(b)
	return err == nil && wrong == nil && x.French() && y.French() &&
		min(x.Number(), 10) == min(y.Number(), 10) && red(x) == red(y)
}

func red(c card.Card) bool { return c.Suit() == 'h' || c.Suit() == 'd' }

// relay passes on what was heard; results that are called while the card or
// the ball is still on its way count as called after it.
func (s *story) relay() {
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if h.kind != heard || h.event.Type == round.CardDealt || h.event.Type == round.Dice {
			continue // a second reading of what the camera sees
		}
		e, at, order := h.event, h.at, 1
		if e.Is("hay_banca") && e.Amount == 0 {
			e.Amount = s.bankAt(h.at) // said, and nobody wrote down how much
		}
		if len(s.g.spoken) > 0 && e.Type == round.Announce && e.Seat > 0 {
			e.Zone = "" // the terminal names the seat as a zone too
		}
		if e.Type == round.Announce {
			if after := s.calledFor(&e, h.at); after.After(at) {
				if !s.either(choice{kind: spokenOf, item: h.n}, 0.5) {
					at, order = after, 3
				}
			}
		}
		s.tell(e, h.at, at, order)
	}
}

// bankAt is what lies on the bank's first spot at a time.
func (s *story) bankAt(t time.Time) (sum money.Cents) {
	for p, c := range s.sc.opening {
		if len(s.g.bank) > 0 && p.Spot == s.g.bank[0] {
			sum += c.total
		}
	}
	for _, m := range s.moves {
		if len(s.g.bank) > 0 && m.place.Spot == s.g.bank[0] && !m.at.After(t) {
			sum += m.delta
		}
	}
	return sum
}

// heed takes a player's word for what his chips are.
func (s *story) heed() {
	s.alias = map[place]string{}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if where := s.g.spoken[h.event.Call]; h.kind == heard && where != "" && h.event.Seat > 0 {
			s.alias[place{h.event.Seat, where}] = h.event.Call
		}
	}
}

// ahead is how much earlier than the camera's or the sensor's moment of rest a
// person may name a result.
const ahead = 1200 * time.Millisecond

// calledFor is the moment of what a result call speaks of, when that came to
// rest just after the call.
func (s *story) calledFor(e *round.Event, said time.Time) (at time.Time) {
	within := func(from, t time.Time) bool {
		return t.After(said) && (t.Sub(said) <= ahead || !from.After(said) && s.sc.blinked(from, t))
	}
	switch e.Call {
	case "puntos_banca", "puntos_mano", "puntos":
		zone := e.Zone
		if e.Call == "puntos_banca" {
			zone = "bank"
		}
		for _, c := range s.hand {
			from, shown := c.from, c.at
			if c.down && !c.turned.IsZero() {
				from, shown = c.since, c.turned
			}
			if c.zone == zone && within(from, shown) && !c.from.After(said.Add(ahead/2)) {
				at = shown
			}
		}
	case "number", "total", "combination", "chance":
		for i := range s.sc.items {
			h := &s.sc.items[i]
			if (h.kind == diceSeen || h.isEvent(round.Ball)) && within(h.from, h.at) {
				at = h.at
			}
		}
	}
	return at
}

// putBack are the moves made in time, without those of chips laid in this round that were
// taken up and then laid on the same place again, to the same sum: nothing came of it.
func putBack(moves []move, inTime func(move) bool) []move {
	idle, laid := make([]bool, len(moves)), map[place]money.Cents{}
	for i, m := range moves {
		if idle[i] || !inTime(m) {
			continue
		}
		own := laid[m.place]
		if laid[m.place] += m.delta; m.delta >= 0 || own < -m.delta {
			continue
		}
		lack, back := m.delta, []int{i}
		for k := i + 1; k < len(moves) && lack < 0; k++ {
			if o := moves[k]; o.place == m.place && !idle[k] && inTime(o) {
				lack, back = lack+o.delta, append(back, k)
			}
		}
		if lack == 0 {
			laid[m.place] = own
			for _, k := range back {
				idle[k] = true
			}
		}
	}
	var out []move
	for i, m := range moves {
		if !idle[i] && inTime(m) {
			out = append(out, m)
		}
	}
	return out
}

// openingBets tells the bets up to the closing: what lay there from the round
// before and stays is a bet when the betting is opened, or else when it is
// closed; what is added or taken counts when it moves. before tells that a
// move was made in time.
func (s *story) openingBets(before func(move) bool) {
	standing := map[place]money.Cents{}
	for p, total := range s.stood {
		if n := total - s.held[p].amount; n > 0 && bettable(p) {
			standing[p] = n
		}
	}
	for _, m := range putBack(s.moves, before) {
		if !bettable(m.place) {
			continue
		}
		at := s.inTime(m)
		if m.delta > 0 {
			s.tell(s.chips(round.Bet, m.place, m.delta), m.from, at, 0)
			continue
		}
		own := min(standing[m.place], -m.delta)
		standing[m.place] -= own
		if taken := -m.delta - own; taken > 0 {
			s.tell(s.chips(round.Withdraw, m.place, taken), m.from, at, 0)
		}
	}
	places := make([]place, 0, len(standing))
	for p, n := range standing {
		if n > 0 {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot)) })
	at, order := s.firstCall("hagan_juego"), 2
	if at.IsZero() || !s.close.IsZero() && at.After(s.close) {
		at, order = s.close, 0 // they lay there before the call that closed the bets
	}
	if at.IsZero() {
		at = s.now()
	}
	for _, p := range places {
		s.tell(s.chips(round.Bet, p, standing[p]), at, at, order)
	}
}

// inTime is when a bet counts: a move that was under way at the closing and
// ended after it was made just before.
func (s *story) inTime(m move) time.Time {
	if !s.close.IsZero() && m.at.After(s.close) {
		return s.close
	}
	return m.at
}

// timely tells that a move was made before the closing. Of a move that was
// under way at the closing the longer part decides, unless the hypothesis has it
// otherwise.
func (s *story) timely(m move) bool {
	if s.close.IsZero() || !m.at.After(s.close) {
		return true
	}
	if m.hidden && m.from.Before(s.close) {
		return m.delta > 0 // a bet may have lain there all the time, and have been taken since
	}
	before := s.underWay(m)
	return before >= 0.5 != s.either(choice{kind: sideOfClosing, item: s.number(m.item)}, max(before, 1-before))
}

// underWay is the share of a move's time that lies before the closing.
func (s *story) underWay(m move) float64 {
	if s.close.IsZero() || !m.from.Before(s.close) || !m.at.After(s.close) {
		return 0
	}
	return float64(s.close.Sub(m.from)) / float64(m.at.Sub(m.from))
}

func (s *story) now() time.Time {
	if n := len(s.sc.items); n > 0 {
		return s.sc.items[n-1].at
	}
	return s.sc.start()
}

// physical is the place of a spot of the record: prisoners lie where they were bet.
func physical(seat int, spot string) place { return place{seat, strings.TrimPrefix(spot, "prison:")} }

func bettable(p place) bool { return p.Seat > 0 && p.Spot != paySpot }

// chips is an event about the chips of a place, by the name that the record
// has for it.
func (s *story) chips(t round.Type, p place, amount money.Cents) round.Event {
	return round.Event{Type: t, Seat: p.Seat, Spot: s.named(p), Amount: amount}
}

// named is the record's name for chips on a place.
func (s *story) named(p place) string {
	if name, ok := s.alias[p]; ok {
		return name
	}
	return p.Spot
}

// firstCall is when one of the calls was made first; zero when none was.
func (s *story) firstCall(calls ...string) time.Time {
	for i := range s.sc.items {
		if s.sc.items[i].isCall(calls...) {
			return s.sc.items[i].at
		}
	}
	return time.Time{}
}

// earliest is the earlier of two times, of which zero is none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
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

// assess asks the rules what is due, as long as no settlement is told.
func (s *story) assess() round.Verdict {
	saved := slices.Clone(s.told)
	r := s.record()
	s.told = saved
	v, err := s.check(&r)
	if err != nil {
		return round.Verdict{}
	}
	s.due = v.Settlement
	if due, null := s.asCounted(r); null {
		s.due, s.null = due, true
	}
	return v
}

// has tells that one of the codes was found.
func has(v round.Verdict, codes ...finding.Code) bool {
	return slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return slices.Contains(codes, f.Code) })
}

// carried reads what the record before left on the table.
func carried(raw json.RawMessage) map[place]held {
	var c struct {
		Bets []struct {
			Seat   int
			Spot   string
			Amount money.Cents
		}
		Prison []struct {
			Seat  int
			Spot  string
			Stake money.Cents
		}
	}
	h := map[place]held{}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil {
		return h
	}
	for _, b := range c.Bets {
		h[place{b.Seat, b.Spot}] = held{b.Spot, b.Amount}
	}
	for _, p := range c.Prison {
		h[place{p.Seat, p.Spot}] = held{"prison:" + p.Spot, p.Stake}
	}
	return h
}
