package monte

import (
	"cmp"
	"slices"
	"strings"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// casinoMonte is one round of casino monte.
type casinoMonte struct {
	*table.Table
	r     *Casino
	quema int // cards burned before the revancha; 0: any allowed number
	s     *table.Stakes
	boxes []int // with an inicial, ascending
	again []int // of them those that play the revancha
}

// Judge judges a round of casino monte.
func (r *Casino) Judge(t *table.Table) error {
	o := t.Rec.Table.Options.Only("quema")
	g := &casinoMonte{Table: t, r: r, quema: o.Int("quema", 0, r.QuemaFrom, r.QuemaTo)}
	if err := cmp.Or(o.Err(), t.Read(table.Kind{Zones: g.zone, Closing: true})); err != nil {
		return err
	}
	return g.judge()
}

const (
	bankZone     = "bank"
	revancha     = "/revancha"
	bankRevancha = bankZone + revancha
)

func (g *casinoMonte) zone(z string) bool {
	base := strings.TrimSuffix(z, revancha)
	n, k, ok := table.BoxZone(base)
	return base == bankZone || ok && k == 1 && n <= g.r.Places
}

// rank is the value of a zone's first card, ace high; 0 when it is not readable.
func (g *casinoMonte) rank(zone string) int {
	c := g.Zones[zone]
	if len(c) == 0 || !g.Readable(c[0].Card) || !g.Seen(zone) {
		return 0
	}
	if n := c[0].Card.Number(); n > 1 {
		return n
	}
	return 14
}

func (g *casinoMonte) tied(seat int) bool {
	own, bank := g.rank(game.SeatZone(seat)), g.rank(bankZone)
	return own > 0 && own == bank
}

func (g *casinoMonte) revanchaStart() int {
	first := len(g.Events)
	for zone, cards := range g.Zones {
		if strings.HasSuffix(zone, revancha) && len(cards) > 0 {
			first = min(first, cards[0].Event)
		}
	}
	return first
}

func (g *casinoMonte) bankAt() int {
	if c := g.Zones[bankZone]; len(c) > 0 {
		return c[0].Event
	}
	return len(g.Events)
}

func (g *casinoMonte) window(i int, e *round.Event) game.BetState {
	switch {
	case e.Spot != "inicial" && e.Spot != "empate" && e.Spot != "revancha":
		return game.UnknownSpot
	case e.Seat > g.r.Places:
		return game.Refused
	case e.Spot != "revancha":
		return game.Until(i, g.Close)
	}
	undecided := g.rank(game.SeatZone(e.Seat)) == 0 || g.rank(bankZone) == 0
	if i < g.bankAt() || !undecided && !g.tied(e.Seat) {
		return game.Refused
	}
	return game.Until(i, g.revanchaStart())
}

func (g *casinoMonte) judge() error {
	var err error
	if g.s, err = g.Gather(table.Windows{Bet: g.window}); err != nil {
		return err
	}
	for _, c := range g.s.List {
		switch {
		case c.Refused:
		case c.Spot == "inicial":
			if c.AtDeal() > 0 {
				g.boxes = append(g.boxes, c.Seat)
			}
		case c.Stake == 0:
		case c.Spot != "inicial" && g.s.Of(c.Seat, "inicial") == 0: // nothing is tied (II.3, V.11)
			c.Refused = true
		case c.Spot == "revancha":
			g.again = append(g.again, c.Seat)
		}
	}
	slices.Sort(g.boxes)
	slices.Sort(g.again)
	from, to := g.bankAt(), g.revanchaStart()
	quema := func(i int) bool { return i > from && (i < to || to == len(g.Events)) && len(g.again) > 0 }
	if err := g.Shoe(quema); err != nil {
		return err
	}
	g.Closing()
	g.dealing()
	g.burnBefore(quema)
	g.limits()
	g.shown()
	g.CheckMoney(g.Settle(g.s, g.settle))
	g.payOrder()
	return nil
}

// dealing checks order, faces and number of the cards: one to each box, then
// one to the bank; the revancha likewise.
func (g *casinoMonte) dealing() {
	var want []string
	for _, n := range g.boxes {
		want = append(want, game.SeatZone(n))
	}
	want = append(want, bankZone)
	if len(g.again) > 0 {
		for _, n := range g.again {
			want = append(want, game.SeatZone(n)+revancha)
		}
		want = append(want, bankRevancha)
	}
	wrong := g.DealOrder(want)
	for k := len(want); k < len(g.Order) && wrong < 0; k++ {
		if i := g.Order[k]; !slices.Contains(want, g.Events[i].Zone) {
			wrong = i // to who is not in the game
		}
	}
	if wrong >= 0 {
		g.At(wrong, finding.DealOrderWrong)
	}
	for _, i := range g.Order {
		if e := &g.Events[i]; e.Face != "up" {
			g.ZoneAt(i, finding.FaceWrong, e.Zone)
		}
	}
	if len(g.Order) == 0 {
		return
	}
	for zone := range g.Zones {
		if !slices.Contains(want, zone) && zone != table.Discard {
			want = append(want, zone)
		}
	}
	slices.Sort(want)
	for _, zone := range want {
		if n := len(g.Zones[zone]); n != 1 {
			g.Count(g.Beyond(g.Zones[zone], 1), zone, 1, n)
		}
	}
}

// burnBefore: cards are burned before the revancha.
func (g *casinoMonte) burnBefore(quema func(int) bool) {
	if len(g.again) == 0 || g.revanchaStart() == len(g.Events) {
		return
	}
	n, at := 0, g.Last
	for i := range g.Events {
		if g.Events[i].Type == round.Burn && quema(i) {
			n, at = n+g.Events[i].Count, i
		}
	}
	want := max(g.quema, g.r.QuemaFrom)
	if g.quema > 0 && n != g.quema || n < g.r.QuemaFrom || n > g.r.QuemaTo {
		g.Add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: want, Observed: n})
	}
}

func (g *casinoMonte) limits() {
	tab := g.Rec.Table
	for _, c := range g.s.List {
		switch c.Spot {
		case "inicial":
			g.Limit(c, tab.Min, tab.Max)
		case "empate":
			g.Limit(c, 0, tab.Max)
		case "revancha":
			if want := g.s.Of(c.Seat, "inicial"); !c.Refused && c.Stake > 0 && c.Stake != want {
				g.OnStake(c, finding.RaiseWrong, want)
			}
		}
	}
}

// shown fills hands and result.
func (g *casinoMonte) shown() {
	result := map[string]string{}
	zones := make([]string, 0, len(g.Zones))
	for z := range g.Zones {
		if z != table.Discard {
			zones = append(zones, z)
		}
	}
	slices.SortFunc(zones, func(a, b string) int { return g.Zones[a][0].Event - g.Zones[b][0].Event })
	for _, z := range zones {
		category := ""
		if g.rank(z) > 0 {
			category = string(g.Zones[z][0].Card.Rank())
		}
		g.Hand(z, -1, category)
		switch {
		case category == "":
		case z == bankZone:
			result["bank"] = category
		case z == bankRevancha:
			result["bank_revancha"] = category
		}
	}
	g.Verdict.Result = result
}

func (g *casinoMonte) settle(c *table.Chips, e *table.Entry) {
	own, bank := g.rank(game.SeatZone(c.Seat)), g.rank(bankZone)
	if own == 0 || bank == 0 {
		e.Unknown()
		return
	}
	switch c.Spot {
	case "empate":
		cmp := -1
		if own == bank {
			cmp = 1
		}
		e.Decide(cmp, g.r.Empate)
	case "inicial":
		if own != bank {
			e.Decide(own-bank, g.r.Inicial)
			return
		}
		g.settleTie(c.Seat, e)
	case "revancha":
		if cmp, known := g.second(c.Seat); known {
			e.Decide(cmp, g.r.Revancha)
		} else {
			e.Unknown()
		}
	}
}

// second compares the cards of the revancha.
func (g *casinoMonte) second(seat int) (int, bool) {
	own, bank := g.rank(game.SeatZone(seat)+revancha), g.rank(bankRevancha)
	return own - bank, own > 0 && bank > 0
}

// settleTie settles an inicial equal to the bank: declined, or by the revancha.
func (g *casinoMonte) settleTie(seat int, e *table.Entry) {
	if !slices.Contains(g.again, seat) {
		e.Halve()
		return
	}
	cmp, known := g.second(seat)
	switch {
	case !known:
		e.Unknown()
	case cmp > 0:
		e.Decide(0, g.r.Inicial)
	case cmp < 0:
		e.Decide(-1, g.r.Inicial)
	default:
		e.Decide(1, g.r.SecondTie)
	}
}

// payOrder: first the boxes that are not tied, from the highest down, then the
// tied ones and the tie bets; the revancha likewise from the highest down.
func (g *casinoMonte) payOrder() {
	last := -1
	for i := range g.Events {
		if e := &g.Events[i]; g.firstPass(e) {
			last = i
		}
	}
	first, second := 1<<30, 1<<30
	for i := range g.Events {
		e := &g.Events[i]
		if e.Type != round.Collect && e.Type != round.Pay {
			continue
		}
		wrong := false
		switch {
		case g.firstPass(e):
			wrong, first = e.Seat > first, e.Seat
		case e.Spot == "empate":
			wrong = e.Type == round.Pay && i < last
		case g.tied(e.Seat) && slices.Contains(g.again, e.Seat):
			wrong, second = i < last || e.Seat > second, e.Seat
		case g.tied(e.Seat):
			wrong = i < last
		}
		if wrong {
			g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: e.Seat})
			return
		}
	}
}

// firstPass reports whether an event settles a box that is not tied; a box whose
// card was not seen may be tied, and is not judged.
func (g *casinoMonte) firstPass(e *round.Event) bool {
	return (e.Type == round.Collect || e.Type == round.Pay) && e.Spot == "inicial" &&
		g.rank(game.SeatZone(e.Seat)) > 0 && g.rank(bankZone) > 0 && !g.tied(e.Seat)
}
