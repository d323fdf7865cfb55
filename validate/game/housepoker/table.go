package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

const (
	bank    = "bank"
	board   = "board"
	discard = "discard"
	ante    = "ante"
)

// none is the index of an event that is not there.
const none = -1

// slot is one card in a zone.
type slot struct {
	card  card.Card // Unseen while it is not known
	seen  int       // last event that showed what it is
	extra bool      // bought or drawn after the deal
}

// zone are the cards of one place.
type zone struct {
	slots   []slot
	initial int         // cards of the initial deal
	served  int         // cards after it
	gone    []card.Card // discarded by legal actions; Unseen where not named and not known
	last    int         // last card event
	lastIn  int         // last card event of the initial deal
	shown   int         // first reveal
	wrong   bool        // its count was found wrong
	odd     *oddReveal  // first reveal of another number of cards than there should be
}

// oddReveal is a reveal of a wrong number of cards.
type oddReveal struct{ event, due, shown int }

// seat is what one seat did.
type seat struct {
	n         int
	active    bool        // dealt in
	ante      money.Cents // timely chips on the ante
	blind     int         // events; none where there is none
	play      int
	fold      int
	chips     int // first chips on the second stake's spot, of any sort
	valid     int // first valid chips there
	turn      int // decided, by word or by chips
	turnSaid  int
	riverSaid int
	river     int
	draw      int
	set       int
	bought    int
	out       int  // event from which the seat is out of the game without a fold
	loses     bool // everything, side bets too
	void      bool // its bets are annulled
	high, low []card.Card
	arranged  int
	bad       bool // hands badly set
}

// table is one round while it is judged.
type table struct {
	in    game.Input
	rules *Rules
	opt   *options
	rec   *round.Record
	ev    []round.Event

	last     int
	closed   bool // the table was cleared
	close    int  // where the betting closed; len(ev) when it did not
	nvm      int  // first closing call
	dealt    int  // first card or dice
	stop     int  // first event after the initial deal
	dealEnd  int  // last card of the initial deal
	boardAt  []int
	bankAt   int         // first reveal of the bank
	drawAt   int         // first draw of a seat
	turned   map[int]int // last cards turned, by seat, and what came on top; 0 the bank's and the common ones
	annulled int         // call that annuls the round

	zones  map[string]*zone
	hands  map[string]reading // of zones read so far, once all cards lie
	seats  map[int]*seat
	active []*seat // dealt in, ascending
	chips  map[game.Place]*chips
	places []*chips

	afterwards []int // chips taken after the showdown
	chipRoom   game.Room[chips]
	seatRoom   game.Room[seat]
	moved      game.Tally
	order      []int // card events of the initial deal
	more       []int // card events to seats after it
	dice       int   // the throw that counts
	rank       *hands.Ranking
	low        *hands.Ranking
	wheel      *hands.Ranking // tripóquer's carrusel
	void       bool
	defects    bool // a card twice, missing or foreign

	bankHigh, bankLow []card.Card
	bankSet           int

	entries []*entry
	*game.Findings
	verdict  round.Verdict
	next     map[string]any
	other    int // first breach of procedure that names no seat
	drawings []drawing
}

// newTable prepares the round; the walk fills it.
func newTable(in game.Input, r *Rules) (*table, error) {
	t := &table{in: in, rules: r, rec: in.Rec, ev: in.Rec.Events, last: game.Last(in.Rec), closed: game.Closed(in.Rec),
		zones: make(map[string]*zone, 12), hands: make(map[string]reading, 12), seats: make(map[int]*seat, 8),
		chips: make(map[game.Place]*chips, 24), turned: make(map[int]int, 8),
		moved: game.Sums(in.Rec, 0), annulled: none, dice: none, other: none, bankSet: none, next: map[string]any{}}
	t.Findings = game.NewFindings(finding.Banked, t.ruleOf)
	t.OncePerSeat = oncePerSeat
	var err error
	if t.opt, err = readOptions(in.Rec, r); err != nil {
		return nil, err
	}
	spec := r.Hand
	spec.AceLow = t.opt.aceLow || spec.Second
	if t.rank, err = hands.New(spec); err != nil {
		return nil, err
	}
	if r.Low != nil {
		if t.low, err = hands.New(*r.Low); err != nil {
			return nil, err
		}
	}
	if r.Carrusel != nil {
		spec := *r.Carrusel
		spec.AceLow = t.opt.aceLow
		if t.wheel, err = hands.New(spec); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// zoneKnown reports whether the game has a zone.
func (t *table) zoneKnown(z string) bool {
	switch d := &t.rules.Deal; {
	case z == discard:
		return true
	case z == bank:
		return d.Bank > 0
	case z == board:
		return d.Board > 0 && (t.wheel == nil || t.opt.interconnected)
	case slices.Contains(d.Commons, z):
		return true
	}
	return game.SeatOf(z) > 0
}

func (t *table) zone(name string) *zone {
	z := t.zones[name]
	if z == nil {
		z = &zone{last: none, lastIn: none, shown: none}
		t.zones[name] = z
	}
	return z
}

func (t *table) seat(n int) *seat {
	s := t.seats[n]
	if s == nil {
		s = t.seatRoom.New(seat{n: n, blind: none, play: none, fold: none, chips: none, valid: none, turn: none, river: none,
			turnSaid: none, riverSaid: none, draw: none, set: none, bought: none, out: none, arranged: none})
		t.seats[n] = s
	}
	return s
}

// seatOf is the seat that an event is about, by its seat or its zone.
func seatOf(e *round.Event) int { return max(e.Seat, game.SeatOf(e.Zone)) }

// findActive lists them, once the stakes say who they are.
func (t *table) findActive() {
	for _, s := range t.seats {
		if s.active {
			t.active = append(t.active, s)
		}
	}
	slices.SortFunc(t.active, func(a, b *seat) int { return a.n - b.n })
}

// maxSeat is the highest seat of the table.
func (t *table) maxSeat() int {
	if t.rules.Deal.Hands {
		return t.opt.places
	}
	return t.rules.Seats
}

// outBy reports whether a seat is out of the game before an event.
func (s *seat) outBy(i int) bool { return s.fold >= 0 && s.fold < i || s.out >= 0 && s.out < i }

// folded reports whether the seat is out at the end.
func (s *seat) folded() bool { return s.fold >= 0 || s.out >= 0 }

// decidedBy reports whether a seat has decided before an event to go on or not.
func (s *seat) decidedBy(i int) bool {
	return s.outBy(i) || s.play >= 0 && s.play < i || s.valid >= 0 && s.valid < i
}

// inPlay reports whether the seat's hand meets the bank's.
func (s *seat) inPlay(t *table) bool {
	return s.active && !s.folded() && !s.void && (t.rules.Second == "" || s.ante > 0)
}

// topics are the sections of the norm by code of finding.
var topics = map[finding.Code]string{
	finding.BetBelowMin: "limits", finding.BetAboveMax: "limits", finding.SideBetLimit: "limits",
	finding.LateBet: "deal", finding.LateWithdrawal: "deal", finding.DealtBeforeClose: "deal", finding.CardCountWrong: "misdeal",
	finding.DealOrderWrong: "deal", finding.FaceWrong: "deal", finding.BurnWrong: "deal", finding.AnnouncementMissing: "deal",
	finding.VoidRoundSettled: "misdeal", finding.IrregularityIgnored: "misdeal", finding.PayoutOrderWrong: "end", finding.PaidBeforeCollect: "end",
	finding.RaiseWrong: "second", finding.CommissionWrong: "commission", finding.CommissionMissing: "commission",
	finding.PushCollected: "ties", finding.PushPaid: "ties", finding.AnnouncementOrder: "end",
	finding.PayoutUnder: "odds", finding.PayoutOver: "odds", finding.PayoutMissing: "odds", finding.NoQualifyIgnored: "end",
}

// cite is the citation of the first topic for which the rulebook has a section.
func (t *table) cite(names ...string) string {
	for _, n := range names {
		if a := t.rules.Articles[n]; a != "" && n != "" {
			return t.in.Rule(" " + a)
		}
	}
	return t.in.Rule("")
}

// oncePerSeat are the codes raised once for a seat and spot, or once in a round
// where no seat is named, by the first event. Calls are each checked for truth,
// and cards each for their face.
var oncePerSeat = []finding.Code{finding.PlayerActionNotAllowed, finding.BurnWrong, finding.AnnouncementOrder,
	finding.LateWithdrawal, finding.DiceCountWrong}

// ruleOf is the article of a finding by its code and spot.
func (t *table) ruleOf(f *round.Finding) string {
	spot, topic := f.Spot, topics[f.Code]
	if topic == "ties" || topic == "limits" && f.Code != finding.SideBetLimit {
		spot, topic = topic, spot // these have an article of their own
	}
	return t.cite(spot, topic)
}

// inZone raises a code about a zone.
func (t *table) inZone(event int, code finding.Code, zone string) {
	t.Add(round.Finding{Code: code, Event: event, Zone: zone, Seat: game.SeatOf(zone)})
}

// procedure keeps the first breach of procedure that names no seat.
func (t *table) procedure(event int) {
	if t.other == none || event < t.other {
		t.other = event
	}
}
