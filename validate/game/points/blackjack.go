package points

import (
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// blackjack is one round of blackjack: the record is walked once, hands change
// as cards and actions come.
type blackjack struct {
	*table
	r     *Blackjack
	opt   bjOptions
	s     *stakes
	hands []*box
	bank  []dealt

	bankAt      int          // event of the bank's first card; len(ev) without one
	bankSecond  int          // of its second card
	third       int          // first card to a box beyond its first two
	thirdBy     map[int]bool // boxes that took one
	boxes       []int        // boxes with a stake, ascending
	actions     map[string]int
	bankTotal   int
	sideOffered bool
}

type bjOptions struct {
	boxes      int
	paga       bool
	resplit    bool
	sideStake  money.Cents
	pool       money.Cents
	sidePays   SidePays
	minPool    int64
	tableGiven bool
}

func (g *blackjack) options() error {
	o := g.rec.Table.Options
	if err := o.Known("boxes", "bj_contra_bj", "resplit_ases", "bolsa_stake", "bolsa_pool", "jackpot_pool", "jackpot_pays"); err != nil {
		return err
	}
	var err error
	if g.opt.boxes, err = o.OneInt("boxes", g.r.Boxes[0], g.r.Boxes...); err != nil {
		return err
	}
	word, err := o.Word("bj_contra_bj", "push", "push", "paga")
	if err != nil {
		return err
	}
	g.opt.paga = word == "paga"
	if g.opt.resplit, err = o.Bool("resplit_ases", true); err != nil {
		return err
	}
	if g.opt.sideStake, err = o.Cents("bolsa_stake", 0); err != nil {
		return err
	}
	if g.r.SideSpot != "" {
		if g.opt.pool, err = o.Cents(g.r.SideSpot+"_pool", 0); err != nil {
			return err
		}
	}
	return g.sideTable(o)
}

// sideTable is the side bet's pay table: the norm's, raised by the house's own.
func (g *blackjack) sideTable(o round.Options) error {
	house := SidePays{}
	given, err := o.Decode("jackpot_pays", &house)
	if err != nil {
		return err
	}
	for k, v := range house {
		if sideRank(k) < 0 || v < 0 || v > 1e6 {
			return round.Malformed("table.options.jackpot_pays", "keys are 7, 77, 77s, 777, 777s and odds to one", "unknown combination or odds %q: %d", k, v)
		}
	}
	g.opt.sidePays = g.r.SidePays
	if given && g.r.SideSpot == "jackpot" {
		merged := SidePays{}
		for _, k := range sideKeys {
			v, ok := house[k]
			least, printed := g.r.SidePays[k]
			if ok || printed {
				merged[k] = max(v, least)
			}
		}
		g.opt.sidePays = merged
	}
	g.sideOffered = g.r.SideSpot != "" && len(g.opt.sidePays) > 0
	return nil
}

func checkBlackjack(in game.Input, r *Rules) (round.Verdict, error) {
	t, err := newTable(in, r, true, false, func(z string) bool {
		_, _, ok := boxZone(z)
		return ok || z == "bank"
	})
	if err != nil {
		return round.Verdict{}, err
	}
	g := &blackjack{table: t, r: r.Blackjack, thirdBy: map[int]bool{}, actions: map[string]int{}, bankTotal: -1}
	if err := g.options(); err != nil {
		return round.Verdict{}, err
	}
	if err := g.check(); err != nil {
		return round.Verdict{}, err
	}
	return g.done(), nil
}

func (g *blackjack) check() error {
	g.marks()
	var err error
	if g.s, err = g.gather(windows{bet: g.window}); err != nil {
		return err
	}
	g.seats()
	if err := g.shoe(nil); err != nil {
		return err
	}
	g.walk()
	g.finish()
	g.dealing()
	g.bankPlay()
	g.announcements()
	g.limits()
	g.settleMoney(g.entries(g.s, g.settle))
	g.order()
	return nil
}

// marks finds the bank's cards and the first third card, on which windows depend.
func (g *blackjack) marks() {
	n := len(g.ev)
	g.bankAt, g.bankSecond, g.third = n, n, n
	given := map[int]int{}
	for _, i := range g.table.order {
		seat, _, ok := boxZone(g.ev[i].Zone)
		switch {
		case !ok && g.bankAt == n:
			g.bankAt = i
		case !ok && g.bankSecond == n:
			g.bankSecond = i
		case ok:
			if given[seat]++; given[seat] > 2 {
				g.third = min(g.third, i)
			}
		}
	}
	for i := range g.ev {
		if e := &g.ev[i]; e.Type == round.Action && (e.Action == "split" || e.Action == "double") {
			seat, k, ok := g.actionZone(e)
			if !ok {
				continue
			}
			name := "double"
			if e.Action == "split" {
				name, k = "split", 0
			}
			g.actions[name+strconv.Itoa(seat)+"/"+strconv.Itoa(k)]++
		}
	}
}

func (g *blackjack) actionZone(e *round.Event) (seat, k int, ok bool) {
	if e.Zone == "" {
		return e.Seat, 1, e.Seat > 0
	}
	return boxZone(e.Zone)
}

func (g *blackjack) bankAce() (ace, known bool) {
	if c := g.zones["bank"]; len(c) > 0 && g.readable(c[0].card) {
		return c[0].card.Rank() == 'A', true
	}
	return false, false
}

// window tells how a bet stands on its spot.
func (g *blackjack) window(i int, e *round.Event) state {
	name, arg, has := strings.Cut(e.Spot, ":")
	n, err := strconv.Atoi(arg)
	if has && (err != nil || n < 1) {
		return unknownSpot
	}
	open := plays
	if i > g.close {
		open = late
	}
	switch {
	case name == "main" && !has:
		return g.onBox(open, e.Seat)
	case name == "main" && n == e.Seat:
		return refused
	case name == "main":
		return g.onBox(open, n)
	case name == "split" && has && n >= 2:
		if g.actions["split"+strconv.Itoa(e.Seat)+"/0"] < n-1 {
			return refused
		}
		return plays
	case name == "double" && (!has || n >= 2):
		if g.actions["double"+strconv.Itoa(e.Seat)+"/"+strconv.Itoa(max(n, 1))] == 0 {
			return refused
		}
		return plays
	case e.Spot == "seguro":
		if ace, known := g.bankAce(); known && !ace {
			return refused
		}
		if i > g.third {
			return late
		}
		return plays
	case e.Spot == "bolsa" || e.Spot == "jackpot":
		if e.Spot != g.r.SideSpot || !g.sideOffered {
			return refused
		}
		return open
	}
	return unknownSpot
}

func (g *blackjack) onBox(open state, box int) state {
	if box > g.opt.boxes {
		return refused
	}
	return open
}

// boxOf is the box that a stake plays on; 0 for side bets and insurance.
func boxOf(c game.Place) int {
	name, arg, has := strings.Cut(c.Spot, ":")
	if name == "main" && has {
		n, _ := strconv.Atoi(arg)
		return n
	}
	if name == "main" || name == "split" || name == "double" {
		return c.Seat
	}
	return 0
}

func isMain(spot string) bool { return spot == "main" || strings.HasPrefix(spot, "main:") }

// seats lists the boxes with a stake and refuses bettors above the number that a box takes.
func (g *blackjack) seats() {
	bettors := map[int]int{}
	for _, c := range g.s.list {
		if !isMain(c.Spot) || c.refused || c.stake == 0 {
			continue
		}
		b := boxOf(c.Place)
		if bettors[b]++; g.r.MaxBettors > 0 && bettors[b] > g.r.MaxBettors {
			c.refused = true
		}
		if !slices.Contains(g.boxes, b) {
			g.boxes = append(g.boxes, b)
		}
	}
	slices.Sort(g.boxes)
	if len(g.boxes) < g.r.MinBoxes && g.firstDealt < len(g.ev) {
		g.at(g.firstDealt, "other_procedure")
	}
}

func (g *blackjack) find(seat, k int) *box {
	for _, b := range g.hands {
		if b.seat == seat && b.k == k {
			return b
		}
	}
	return nil
}

func (g *blackjack) open(seat, k int) *box {
	zone := seatZone(seat)
	if k > 1 {
		zone += "/" + strconv.Itoa(k)
	}
	b := &box{zone: zone, seat: seat, k: k, bustAt: -1, secondAt: -1, thirdAt: -1, value: -1,
		evenBy: map[int]bool{}, surrenderBy: map[int]bool{}}
	g.hands = append(g.hands, b)
	return b
}

// walk plays the record: cards and actions in their order.
func (g *blackjack) walk() {
	shown := map[int]card.Card{} // card events as the record finally shows them
	for _, cards := range g.zones {
		for _, d := range cards {
			shown[d.event] = d.card
		}
	}
	for i := range g.ev {
		switch e := &g.ev[i]; e.Type {
		case round.CardDealt:
			if seat, k, ok := boxZone(e.Zone); ok {
				g.cardTo(i, seat, k, dealt{shown[i], i, i, e.Face})
			} else if e.Zone == "bank" {
				g.bank = append(g.bank, dealt{shown[i], i, i, e.Face})
				g.bankCard(i)
			}
		case round.Action:
			if seat, k, ok := g.actionZone(e); ok {
				g.act(i, e, seat, k)
			}
		}
	}
}

func (g *blackjack) notAllowed(i, seat int, action string) {
	g.add(round.Finding{Code: "player_action_not_allowed", Event: i, Seat: seat, Observed: action})
}

// cardTo deals a card to a hand and judges it as a hit.
func (g *blackjack) cardTo(i, seat, k int, d dealt) {
	b := g.find(seat, k)
	if b == nil {
		if b = g.open(seat, k); k > 1 {
			b.split = true
			g.notAllowed(i, seat, "split") // a hand that no split made
		}
	}
	n := len(b.cards)
	before, _ := g.total(b.cards)
	if n >= 2 && !g.mayHit(b, n, before) {
		g.notAllowed(i, seat, "hit")
	}
	b.cards = append(b.cards, d)
	switch len(b.cards) {
	case 2:
		b.secondAt = i
	case 3:
		b.thirdAt = i
	}
	if b.split || len(b.cards) > 2 {
		g.thirdBy[seat] = true
	}
	if total, _ := g.total(b.cards); total > 21 && b.bustAt < 0 {
		b.bustAt = i
	}
}

func (g *blackjack) mayHit(b *box, n, total int) bool {
	if b.doubled && n == b.doubledAt {
		return true // the card of the double
	}
	return total < 21 && !b.doubled && !b.stood && !b.splitAces && !b.surrendered && !b.evenMoney
}

// act judges an action and lets it take effect.
func (g *blackjack) act(i int, e *round.Event, seat, k int) {
	b := g.find(seat, k)
	if b == nil {
		switch e.Action {
		case "split", "double", "surrender", "even_money":
			g.notAllowed(i, e.Seat, e.Action)
		}
		return
	}
	by := e.Seat
	if by == 0 {
		by = seat
	}
	switch e.Action {
	case "stand":
		b.stood = true
	case "split":
		g.split(i, b)
	case "double":
		if !g.mayDouble(b) {
			g.notAllowed(i, seat, "double")
		}
		if !b.doubled {
			b.doubled, b.doubledAt = true, len(b.cards)
		}
		g.raise(i, seat, b.spot("double"), g.s.of(seat, b.stakeSpot()))
	case "surrender":
		g.surrender(i, b, by)
	case "even_money":
		g.evenMoney(i, b, by)
	}
}

// raise checks a second stake against the first.
func (g *blackjack) raise(i, seat int, spot string, want money.Cents) {
	p := game.Place{Seat: seat, Spot: spot}
	got := g.s.of(seat, spot)
	if got == want {
		return
	}
	if c := g.s.by[p]; c != nil {
		i = max(i, c.last)
	}
	g.amounts(i, "raise_wrong", p, want, got)
}

func (g *blackjack) split(i int, b *box) {
	two := len(b.cards) == 2
	legal := two && !b.doubled && !b.stood && sameValue(b.cards[0].card, b.cards[1].card) &&
		(!b.splitAces || g.opt.resplit)
	known := two && g.readable(b.cards[0].card) && g.readable(b.cards[1].card)
	if !legal && (known || !two) {
		g.notAllowed(i, b.seat, "split")
	}
	if !two {
		return
	}
	k := 2
	for g.find(b.seat, k) != nil {
		k++
	}
	aces := known && b.cards[0].card.Rank() == 'A' && b.cards[1].card.Rank() == 'A'
	n := g.open(b.seat, k)
	n.cards = []dealt{b.cards[1]}
	b.cards = b.cards[:1:1]
	b.secondAt = -1
	for _, h := range []*box{b, n} {
		h.split, h.splitAces, h.stood = true, aces, false
	}
	g.raise(i, b.seat, n.spot("split"), g.s.of(b.seat, "main"))
}

func (g *blackjack) mayDouble(b *box) bool {
	d := g.r.Double
	best, low := g.total(b.cards)
	switch {
	case len(b.cards) != 2 || b.doubled || b.stood || b.surrendered || b.evenMoney:
		return false
	case best < 0:
		return true
	case d.NotSplitAce && b.splitAces, d.NotAces && low == 2:
		return false
	}
	return len(d.Totals) == 0 || slices.Contains(d.Totals, best) || slices.Contains(d.Totals, low)
}

func (g *blackjack) surrender(i int, b *box, by int) {
	ace, known := g.bankAce()
	if !g.r.Surrender || known && ace || i > g.third || len(b.cards) != 2 || b.split || b.doubled {
		g.notAllowed(i, by, "surrender")
		return
	}
	if by == b.seat {
		b.surrendered = true
	} else {
		b.surrenderBy[by] = true
	}
}

func (g *blackjack) evenMoney(i int, b *box, by int) {
	ace, known := g.bankAce()
	total, _ := g.total(b.cards)
	legal := g.r.Pays.EvenMoney.Den > 0 && (!known || ace) && len(b.cards) == 2 && !b.split && (total == 21 || total < 0)
	for seat := range g.thirdBy {
		legal = legal && seat <= b.seat
	}
	switch {
	case !legal:
		g.notAllowed(i, by, "even_money")
	case by == b.seat:
		b.evenMoney = true
	default:
		b.evenBy[by] = true
	}
}

// alive tells whether any hand still plays against the bank; known is false
// where an unseen card leaves it open.
func (g *blackjack) alive() (alive, known bool) {
	known = true
	for _, b := range g.hands {
		total, _ := g.total(b.cards)
		switch {
		case b.surrendered || b.evenMoney || total > 21:
		case total < 0:
			known = false
		default:
			return true, true
		}
	}
	return false, known
}

// bankCard judges a card that the bank takes.
func (g *blackjack) bankCard(i int) {
	before, _ := g.total(g.bank[:len(g.bank)-1])
	if len(g.bank) == 1 || before < 0 {
		return
	}
	forbidden := before >= g.r.BankStands
	if !forbidden && g.r.BankNeeds {
		alive, known := g.alive()
		forbidden = !alive && known && !g.insured()
	}
	if forbidden {
		g.add(round.Finding{Code: "drew_must_stand", Event: i, Zone: "bank", Observed: before})
	}
}

func (g *blackjack) insured() bool {
	for _, c := range g.s.list {
		if c.Spot == "seguro" && c.stake > 0 && !c.refused {
			return true
		}
	}
	return false
}

// finish fixes the totals once everything lies.
func (g *blackjack) finish() {
	g.bankTotal, _ = g.total(g.bank)
	if len(g.bank) == 0 {
		g.bankTotal = -1
	}
	for _, b := range g.hands {
		b.value, _ = g.total(b.cards)
	}
	if len(g.bank) > 0 {
		g.verdict.Hands = append(g.verdict.Hands, g.shown("bank", g.bank, g.bankTotal, g.bankCategory()))
	}
	for _, b := range g.hands {
		g.verdict.Hands = append(g.verdict.Hands, g.shown(b.zone, b.cards, b.value, g.category(b)))
	}
	if len(g.bank) >= 2 && g.bankTotal >= 0 {
		g.verdict.Result = map[string]any{"bank": g.bankTotal, "bank_category": g.bankCategory()}
	}
}

func (g *blackjack) shown(zone string, cards []dealt, value int, category string) round.Hand {
	h := round.Hand{Zone: zone, Cards: make([]card.Card, 0, len(cards))}
	for _, d := range cards {
		h.Cards = append(h.Cards, d.card)
	}
	if value >= 0 {
		h.Value, h.Category = value, category
	}
	return h
}

func (g *blackjack) bankBlackjack() bool { return len(g.bank) == 2 && g.bankTotal == 21 }

func (g *blackjack) bankCategory() string {
	switch {
	case g.bankBlackjack():
		return "blackjack"
	case g.bankTotal > 21:
		return "bust"
	}
	return "points"
}

func (g *blackjack) category(b *box) string {
	switch {
	case b.surrendered:
		return "surrendered"
	case b.blackjack():
		return "blackjack"
	case g.r.ThreeSevens && threeSevens(b.cards):
		return "tres_sietes"
	case b.bust():
		return "bust"
	}
	return "points"
}

// dealing checks order, faces and number of the cards.
func (g *blackjack) dealing() {
	g.dealOrder()
	for _, i := range g.table.order {
		if e := &g.ev[i]; e.Face == "down" {
			g.zoneAt(i, "face_wrong", e.Zone)
		}
	}
	if len(g.table.order) == 0 {
		return
	}
	for _, n := range g.boxes {
		if g.find(n, 1) == nil {
			g.count(g.last, seatZone(n), 2, 0)
		}
	}
	for _, b := range g.hands {
		if b.bustAt >= 0 {
			continue
		}
		want := 2
		if b.doubled {
			want = 3
		}
		if n := len(b.cards); n < want || b.doubled && n > want {
			g.count(g.beyond(b.cards, want), b.zone, want, n)
		}
	}
}

// dealOrder: a card to each box with a stake, one to the bank, a second to each
// box, and the bank's second after every player's card.
func (g *blackjack) dealOrder() {
	want := make([]string, 0, 2*len(g.boxes)+1)
	for _, n := range g.boxes {
		want = append(want, seatZone(n))
	}
	want = append(append(want, "bank"), want...)
	bank := 0
	for k, i := range g.table.order {
		zone := g.ev[i].Zone
		if k < len(want) && zone != want[k] || zone != "bank" && bank >= 2 {
			g.at(i, "deal_order_wrong")
			return
		}
		if zone == "bank" {
			bank++
		}
	}
}

// bankPlay: the bank draws to its total while a hand is alive.
func (g *blackjack) bankPlay() {
	alive, _ := g.alive()
	if alive && len(g.bank) > 0 && g.bankTotal >= 0 && g.bankTotal < g.r.BankStands {
		g.add(round.Finding{Code: "stood_must_draw", Event: g.last, Zone: "bank", Observed: g.bankTotal})
	}
}

func (g *blackjack) limits() {
	tab := g.rec.Table
	for _, c := range g.s.list {
		switch {
		case c.refused || c.stake == 0:
		case isMain(c.Spot):
			g.limit(c, tab.Min, tab.Max)
		case c.Spot == "seguro":
			if most := g.ownStake(c.Seat) / 2; c.stake > most {
				g.amountsPlain(c, "side_bet_limit", most)
			}
			if least := money.MulDiv(tab.Min, 1, 2); g.r.SeguroMin && c.stake < least {
				g.amountsPlain(c, "bet_below_min", least)
			}
		case c.Spot == "bolsa" && g.opt.sideStake > 0 && c.stake != g.opt.sideStake:
			g.amountsPlain(c, "raise_wrong", g.opt.sideStake)
		case c.Spot == g.r.SideSpot && g.r.SideHalfMin && tab.Min > 0 && c.stake > tab.Min/2:
			g.amountsPlain(c, "side_bet_limit", tab.Min/2)
		}
	}
}

// ownStake is the stake that a player may insure: on his own box, else on those of others.
func (g *blackjack) ownStake(seat int) money.Cents {
	if own := g.s.of(seat, "main"); own > 0 {
		return own
	}
	var sum money.Cents
	for _, c := range g.s.list {
		if c.Seat == seat && isMain(c.Spot) && !c.refused {
			sum += c.stake
		}
	}
	return sum
}
