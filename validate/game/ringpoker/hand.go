package ringpoker

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// hand is one hand (mano) under judgement.
type hand struct {
	in    game.Input
	r     *Rules
	o     *options
	carry carried
	rank  *hands.Ranking
	ev    []round.Event
	last  int
	*game.Findings

	ring    ring
	mano    int
	players map[int]*player
	order   []*player // by seat: those of the hand, then others that put chips

	cards   sightings
	bets    betting
	streets streets
	draw    drawing
	said    spoken
	causes  []cause
	misdeal int   // event of the call, -1: none
	early   []int // events of cards dealt early and kept
	missed  []missed
	showAt  int // first event after which a hand shown is a showdown
	spoke   int // last decision that counted, or its chips; -1: none yet
	final   outcome
	next    map[string]any
}

func newHand(in game.Input, r *Rules, o *options, carry carried, rank *hands.Ranking) *hand {
	h := &hand{in: in, r: r, o: o, carry: carry, rank: rank, ev: in.Rec.Events, last: game.Last(in.Rec),
		players: map[int]*player{}, ring: ring{o.Players, 1}, misdeal: -1, next: map[string]any{}}
	if o.CCW {
		h.ring.dir = -1
	}
	h.Findings = h.newFindings()
	h.mano = o.Marca
	if r.Postre {
		h.mano = h.ring.after(o.Marca, 1)
	}
	for _, s := range o.Players {
		h.join(s).in = true
	}
	h.startCards()
	h.startBetting()
	h.startStreets()
	h.draw.opener = -1
	h.said = spoken{fold: -1, hagan: -1, ultima: -1, descarte: map[int]int{}}
	h.showAt, h.spoke = h.lastDecision(), -1
	return h
}

// join is the player of a seat; a seat that is not of the hand gets one that is out.
func (h *hand) join(seat int) *player {
	if p := h.players[seat]; p != nil {
		return p
	}
	p := &player{seat: seat, shownAt: -1, discarded: -1, drawAt: -1, asked: -1, forced: map[string]forced{}}
	p.stack, p.known = h.o.Stacks[seat]
	h.players[seat] = p
	h.order = append(h.order, p)
	return p
}

func (h *hand) playing(seat int) bool { return slices.Contains(h.o.Players, seat) }

// live are the players in hand, in the order of their seats.
func (h *hand) live() []*player {
	var out []*player
	for _, p := range h.order {
		if p.in {
			out = append(out, p)
		}
	}
	return out
}

func (h *hand) liveCount() int {
	n := 0
	for _, p := range h.order {
		if p.in {
			n++
		}
	}
	return n
}

// around are the players for whom is holds, in a direction from a seat on.
func (h *hand) around(seat, dir int, is func(*player) bool) []int {
	var out []int
	for _, s := range h.ring.from(seat, dir) {
		if is(h.players[s]) {
			out = append(out, s)
		}
	}
	return out
}

// pot is every chip in the pot, carried ones included.
func (h *hand) pot() money.Cents {
	sum := h.carry.Bote
	for _, p := range h.order {
		if !p.refund {
			sum += p.ante + p.total
		}
	}
	return sum
}

// cite is the citation of a topic; the game as a whole where it has no article.
func (h *hand) cite(topic string) string {
	return h.in.Norm.Code + " " + cmp.Or(h.r.Articles[topic], h.r.Articles["game"])
}

// newFindings makes a collector of findings that cite the game as a whole.
func (h *hand) newFindings() *game.Findings {
	return game.NewFindings(finding.Circle, func(*round.Finding) string { return h.cite("game") })
}

// add keeps a finding under a topic's article.
func (h *hand) add(topic string, f round.Finding) {
	f.Rule = h.cite(topic)
	h.Add(f)
}

func (h *hand) at(i int, topic string, code finding.Code, seat int) {
	h.add(topic, round.Finding{Code: code, Event: i, Seat: seat})
}

// amounts raises a code on the pot with what was due and seen.
func (h *hand) amounts(i int, topic string, code finding.Code, seat int, spot string, expected, observed money.Cents) {
	h.add(topic, game.Amounts(round.Finding{Code: code, Event: i, Seat: seat, Spot: spot}, expected, observed))
}

// counts raises a code with numbers.
func (h *hand) counts(i int, topic string, code finding.Code, seat, expected, observed int) {
	h.add(topic, round.Finding{Code: code, Event: i, Seat: seat, Expected: expected, Observed: observed})
}

// player is one seat of a hand.
type player struct {
	seat        int
	in          bool // has neither folded nor lost the hand
	allIn       bool // cannot bet any more (sat out of the last interval, too)
	dead        bool // wrong number of cards: plays, cannot win
	refund      bool // the norm gives all chips back
	falseOpener bool

	stack money.Cents // before the compulsory bets
	known bool        // of the stack

	put    money.Cents       // every chip put, what goes back included
	ante   money.Cents       // dead money
	total  money.Cents       // of all intervals, blinds included
	commit money.Cents       // of this interval
	excess money.Cents       // chips that do not count and go back
	taken  money.Cents       // taken back by the player, to be made good
	forced map[string]forced // by compulsory spot

	// of this interval
	pending   bool
	acted     bool
	reopened  bool // a full raise since the last decision
	outOfTurn bool
	raises    int

	cards   []dealt     // as dealt, in order
	seen    []card.Card // known cards of the seat
	shown   []card.Card // at the showdown
	shownAt int         // event, -1: not shown
	paid    bool        // has got chips: what is taken from now on is the player's own

	discarded int // cards changed; -1: neither drawn nor stood
	drawAt    int
	served    int
	bothUp    bool // both hole cards were seen (seven stud)
	holeUp    int
	selfShown bool // showed the own hole cards in play
	asked     int  // event of the seventh card dealt up that waits for an answer, -1: none
}

// dealt is one card of a seat.
type dealt struct {
	card  card.Card
	event int
	up    bool
}

// left is what a player has not yet put, and whether that is known.
func (p *player) left() (money.Cents, bool) { return p.stack - p.ante - p.total, p.known }

// able reports whether a player may still bet.
func (p *player) able() bool { return p.in && !p.allIn }

// ring walks round the players' seats.
type ring struct {
	seats []int // ascending: clockwise
	dir   int   // 1 clockwise, -1 anticlockwise: of deal and turn
}

// from lists the seats once round in a direction, beginning at seat or, where
// nobody sits there, at the next one.
func (r ring) from(seat, dir int) []int {
	n := len(r.seats)
	at, found := slices.BinarySearch(r.seats, seat)
	if dir < 0 && !found {
		at--
	}
	out := make([]int, n)
	for k := range n {
		out[k] = r.seats[((at+dir*k)%n+n)%n]
	}
	return out
}

// after is the next seat in a direction.
func (r ring) after(seat, dir int) int {
	for _, s := range r.from(seat, dir) {
		if s != seat {
			return s
		}
	}
	return seat
}
