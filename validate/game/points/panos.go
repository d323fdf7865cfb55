package points

import (
	"strings"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// panos is one round of baccará a dos paños.
type panos struct {
	circle
	r     *Panos
	unit  money.Cents
	free  bool // banca libre: no maximum
	gross bool // deduction on the gross win
	part  money.Odds

	cloths [2]*cloth
	thrown bool // the bank threw its hand unshown
	cuadro bool // the cuadro binds if it says the same for both cloths
	net    money.Cents
	wins   money.Cents // what the bank takes
	loses  money.Cents // what the bank pays
	open   bool        // a stake is undecided
}

// cloth is one of the two hands against the bank.
type cloth struct {
	*baccarat
	spoke  int // its carta or no; len(ev)
	void   bool
	thrown bool
	cmp    int // +1 the cloth wins, -1 it loses
	known  bool
}

var clothZones = [2]string{"pano1", "pano2"}

func checkPanos(in game.Input, r *Rules) (round.Verdict, error) {
	g := &panos{r: r.Panos}
	if err := g.options(in.Rec); err != nil {
		return round.Verdict{}, err
	}
	t, err := newTable(in, r, true, true, func(z string) bool { return z == "pano1" || z == "pano2" || z == "banca" })
	if err != nil {
		return round.Verdict{}, err
	}
	g.circle = circle{table: t, draw: &r.Panos.Draw}
	if err := g.check(); err != nil {
		return round.Verdict{}, err
	}
	return g.done(), nil
}

func (g *panos) options(rec *round.Record) error {
	o := rec.Table.Options
	if err := o.Known("modalidad", "base_deduccion", "unidad"); err != nil {
		return err
	}
	mode, err := o.Word("modalidad", "limitada", "limitada", "libre")
	if err != nil {
		return err
	}
	base, err := o.Word("base_deduccion", "neto", "neto", "bruto")
	if err != nil {
		return err
	}
	g.free, g.gross, g.part = mode == "libre", base == "bruto", g.r.Commission[mode]
	g.unit, err = o.Cents("unidad", rec.Table.Min)
	return err
}

func (g *panos) check() error {
	var err error
	if g.banker, err = g.bankerSeat(); err != nil {
		return err
	}
	g.thirds = g.firstThird("pano1", "pano2", "banca")
	g.banca = g.baccaratHand("banca")
	for k, zone := range clothZones {
		g.cloths[k] = &cloth{baccarat: g.baccaratHand(zone), spoke: g.spokeOf(zone)}
	}
	if g.s, err = g.gather(windows{bet: g.window}); err != nil {
		return err
	}
	if err := g.shoe(nil); err != nil {
		return err
	}
	g.common()
	g.cuadro = g.binds
	g.irregularities()
	g.closing()
	g.bankCall(g.firstOf(round.Shuffle) < len(g.ev), len(g.ev))
	g.limits()
	if g.voidRound {
		g.verdict.Void = true
	} else {
		g.play()
	}
	list := g.entries(g.s, g.settle)
	g.settleBank(list)
	g.settleMoney(list)
	return nil
}

func (g *panos) spokeOf(zone string) int {
	first := len(g.ev)
	for _, call := range []string{"carta", "no"} {
		first = min(first, g.firstIn(call, zone, -1, len(g.ev)))
	}
	return first
}

func (g *panos) window(i int, e *round.Event) state {
	switch e.Spot {
	case "banca", "pano1", "pano2", "caballo", "raya:1", "raya:2", "banco":
	default:
		return unknownSpot
	}
	if i > g.close {
		return late
	}
	return plays
}

func (g *panos) limits() {
	tab := g.rec.Table
	most := tab.Max
	if g.free {
		most = 0
	}
	for _, c := range g.s.list {
		if c.Spot == "pano1" || c.Spot == "pano2" || c.Spot == "caballo" {
			g.limit(c, tab.Min, most)
		}
	}
}

// irregularities reads what slips do to the round (VIII of the norms).
func (g *panos) irregularities() {
	g.incidents("card_into_basket", g.basket)
	g.incidents("card_exposed", func(_ int, e *round.Event) {
		if g.clothOf(e.Zone) != nil && e.Count == 2 {
			g.exposed(e.By)
		}
	})
	g.incidents("wrong_cloth_card", func(_ int, e *round.Event) { g.exposed(e.By) })
}

// exposed: the cuadro binds if it says the same for both cloths; otherwise the
// bank is free, or plays by the threshold when the banker himself did it.
func (g *panos) exposed(by string) {
	g.cuadro = true
	g.threshold = g.threshold || by == round.Banquero
}

func (g *panos) clothOf(zone string) *cloth {
	for _, c := range g.cloths {
		if c.zone == zone {
			return c
		}
	}
	return nil
}

func (g *panos) basket(i int, e *round.Event) {
	thrown := false
	if _, err := e.Arg("thrown", &thrown); err != nil {
		thrown = false
	}
	c := g.clothOf(e.Zone)
	dealer := e.By == round.Croupier || e.By == round.Banquero
	switch {
	case c != nil && e.By == round.Player:
		c.thrown, c.value, c.fixed = true, 0, true
	case c != nil && dealer && cardNo(e) != 3:
		c.void = true
	case e.Zone == "banca" && e.By == round.Banquero && thrown:
		g.thrown, g.banca.value, g.banca.fixed = true, 0, true
	case e.Zone == "banca" && dealer:
		g.voidRound = true
	}
}

func (g *panos) play() {
	g.banca.abate = g.abates(g.banca, len(g.ev))
	for _, c := range g.cloths {
		c.abate = g.abates(c.baccarat, c.spoke)
	}
	g.dealing()
	g.drawing()
	g.decide()
	g.clothCalls()
	g.scores()
}

func (g *panos) dealing() {
	zones := []string{"pano1", "pano2", "banca"}
	void := g.cloths[0].void || g.cloths[1].void
	if !void {
		wrong := g.dealOrder(append(zones, zones...))
		if wrong < 0 {
			wrong = g.thirdOrder(zones)
		}
		if wrong >= 0 {
			g.at(wrong, "deal_order_wrong")
		}
	}
	for _, z := range zones {
		g.faces(z, "down", 0, 2)
		cards := g.zones[z]
		g.faces(z, "up", 2, len(cards))
		if len(cards) > 3 {
			g.count(cards[3].event, z, 3, len(cards))
		}
	}
}

// thirdOrder: third cards go to pano1, pano2, banca.
func (g *panos) thirdOrder(zones []string) int {
	last := -1
	for _, z := range zones {
		if c := g.zones[z]; len(c) > 2 {
			if c[2].event < last {
				return last
			}
			last = c[2].event
		}
	}
	return -1
}

func (g *panos) bancoBet() bool {
	for _, c := range g.s.list {
		if c.Spot == "banco" && c.stake > 0 && !c.refused {
			return true
		}
	}
	return false
}

// drawing judges the third cards.
func (g *panos) drawing() {
	for _, c := range g.cloths {
		switch {
		case c.void || c.thrown:
		case g.banca.abate || c.abate:
			g.judge(c.baccarat, 'P')
		case c.two >= 0 && !g.bancoBet():
			g.judge(c.baccarat, g.draw.punto(c.two))
		}
	}
	if !g.thrown && g.banca.two >= 0 && !g.cloths[0].void && !g.cloths[1].void {
		g.judge(g.banca, g.bancaMust())
	}
}

// bancaMust is what the bank must do against both cloths.
func (g *panos) bancaMust() byte {
	b := g.banca
	one, two := g.cloths[0], g.cloths[1]
	switch {
	case b.abate, one.abate && two.abate:
		return 'P'
	case b.two == 0:
		return 'T'
	case b.two >= len(g.draw.Banca):
		return 'O'
	case one.abate:
		return g.obliged(g.letter(two))
	case two.abate:
		return g.obliged(g.letter(one))
	case !g.cuadro:
		return 'O'
	}
	return g.both(g.letter(one), g.letter(two))
}

// obliged draws in the optional cases.
func (g *panos) obliged(letter byte) byte {
	if letter == 'O' {
		return 'T'
	}
	return letter
}

// letter is the cuadro's letter against one cloth; 0 where a card is unseen.
func (g *panos) letter(c *cloth) byte {
	third, known := g.third(c.baccarat)
	if !known {
		return 0
	}
	return g.draw.banca(g.banca.two, third)
}

// both joins the letters of two cloths: one O agrees with the other letter.
func (g *panos) both(a, b byte) byte {
	switch {
	case a == 0 || b == 0:
		return 'O'
	case a == b || b == 'O':
		return a
	case a == 'O':
		return b
	case g.threshold && g.banca.two <= 5:
		return 'T'
	case g.threshold:
		return 'P'
	}
	return 'O'
}

// beats compares a cloth with the bank: a two-card 8 beats a three-card 8 or 9;
// otherwise the higher points win.
func beats(c, b *baccarat) int {
	switch {
	case c.two == 8 && !c.drew() && !c.fixed && b.drew() && b.value >= 8:
		return 1
	case b.two == 8 && !b.drew() && !b.fixed && c.drew() && c.value >= 8:
		return -1
	}
	return c.value - b.value
}

func (g *panos) decide() {
	points, result := map[string]int{}, map[string]any{}
	for _, h := range []*baccarat{g.cloths[0].baccarat, g.cloths[1].baccarat, g.banca} {
		if len(h.cards) > 0 {
			g.hand(h.zone, h.value, "")
		}
		if h.known() {
			points[h.zone] = h.value
		}
	}
	for _, c := range g.cloths {
		switch {
		case c.void:
			result[c.zone] = string(round.Void)
			delete(points, c.zone)
		case c.value >= 0 && g.banca.known():
			c.known, c.cmp = true, beats(c.baccarat, g.banca)
			result[c.zone] = map[bool]string{true: "win", false: "lose"}[c.cmp > 0]
			if c.cmp == 0 {
				result[c.zone] = "push"
			}
		}
	}
	if len(points) > 0 {
		result["points"] = points
	}
	g.verdict.Result = result
}

// clothCalls: each cloth that does not abate says carta or no, the first before
// the second and both before the bank's third card.
func (g *panos) clothCalls() {
	if len(g.order) == 0 {
		return
	}
	wrong := len(g.ev)
	bankThird := g.firstThird("banca")
	for _, c := range g.cloths {
		if c.void {
			continue
		}
		if c.spoke == len(g.ev) {
			if !c.abate && !g.banca.abate && !c.thrown && c.two >= 0 && g.mandatory("carta") {
				g.missing("carta", c.zone)
			}
			continue
		}
		if c.spoke > bankThird {
			wrong = min(wrong, c.spoke)
		}
	}
	if one, two := g.cloths[0], g.cloths[1]; two.spoke < one.spoke && one.spoke < len(g.ev) && !one.void && !two.void {
		wrong = min(wrong, two.spoke)
	}
	if wrong < len(g.ev) {
		g.at(wrong, "announcement_order")
	}
}

// scores: the croupier says the final points of all three hands.
func (g *panos) scores() {
	if len(g.order) == 0 {
		return
	}
	last := g.order[len(g.order)-1]
	for _, h := range []*baccarat{g.cloths[0].baccarat, g.cloths[1].baccarat, g.banca} {
		if c := g.clothOf(h.zone); c != nil && c.void {
			continue
		}
		for i, e := range g.calls("puntos", h.zone) {
			value := h.value
			if now := g.cardsAt(h.zone, i); !h.fixed && len(now) < len(h.cards) {
				value = g.points(now)
			}
			g.pointsTrue(i, e, value)
		}
		if h.known() {
			g.demand("puntos", h.zone, last, len(g.ev))
		}
	}
}

// parts is what of a stake plays on each cloth.
func (g *panos) parts(spot string, stake money.Cents) [2]money.Cents {
	switch spot {
	case "pano1":
		return [2]money.Cents{stake, 0}
	case "pano2":
		return [2]money.Cents{0, stake}
	case "raya:1":
		return [2]money.Cents{halfUp(stake), 0}
	case "raya:2":
		return [2]money.Cents{0, halfUp(stake)}
	}
	if u := g.unit; u > 0 && stake%u == 0 && (stake/u)%2 == 1 {
		first := (stake/u + 1) / 2 * u
		return [2]money.Cents{first, stake - first}
	}
	return [2]money.Cents{stake - stake/2, stake / 2}
}

func (g *panos) settle(c *chips, e *entry) {
	if c.Spot == "banca" {
		e.bankPile = true
		return // when the cloths are settled
	}
	if g.voidRound {
		e.settle(round.Void, 0, e.Stake)
		return
	}
	won, lost, void, playing := money.Cents(0), money.Cents(0), money.Cents(0), money.Cents(0)
	for k, part := range g.parts(c.Spot, c.stake) {
		cl := g.cloths[k]
		playing += part
		switch {
		case part == 0:
		case cl.void:
			void += part
		case !cl.known:
			g.open = true
			e.unknown()
			return
		case cl.cmp > 0:
			won += part
		case cl.cmp < 0:
			lost += part
		}
	}
	g.wins, g.loses = g.wins+lost, g.loses+won
	e.settle(round.Push, won, e.Stake-lost)
	switch {
	case void == playing:
		e.Outcome = round.Void
	case won > lost:
		e.Outcome = round.Win
	case won < lost:
		e.Outcome = round.Lose
	}
	if !strings.HasPrefix(c.Spot, "pano") && !strings.HasPrefix(c.Spot, "raya") {
		e.lost = lost
	}
}

// settleBank settles the banker against both cloths together.
func (g *panos) settleBank(list []*entry) {
	for _, e := range list {
		if e.Spot != "banca" || e.Outcome == round.Void {
			continue
		}
		net := g.wins - g.loses
		allVoid := g.cloths[0].void && g.cloths[1].void
		switch {
		case g.voidRound || allVoid:
			e.settle(round.Void, 0, e.Stake)
			net = 0
		case g.open || !g.cloths[0].known && !g.cloths[0].void || !g.cloths[1].known && !g.cloths[1].void:
			if g.open || !g.banca.known() {
				e.unknown()
				continue
			}
			e.decideNet(net)
		default:
			e.decideNet(net)
		}
		if net > 0 {
			base := net
			if g.gross {
				base = g.wins
			}
			e.Commission = g.part.Of(base)
		}
		bank := max(0, e.Stake+net-e.Commission)
		g.next["bank"], g.next["saltada"] = bank, bank == 0
	}
}

// decideNet settles a bank by what it won and lost together.
func (e *entry) decideNet(net money.Cents) {
	switch {
	case net > 0:
		e.settle(round.Win, net, e.Stake)
	case net < 0:
		e.settle(round.Lose, 0, max(0, e.Stake+net))
	default:
		e.settle(round.Push, 0, e.Stake)
	}
}
