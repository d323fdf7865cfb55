package baccarat

import (
	"cmp"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// puntoBanco is one round of punto y banca.
type puntoBanco struct {
	cards
	r            *PuntoBanco
	mesa         string
	multiples    bool
	punto, banca *baccarat
	winner       string // empty while it is not known
}

// Judge judges a round of punto y banca.
func (r *PuntoBanco) Judge(t *table.Table) error {
	o := t.Rec.Table.Options.Only("mesa", "multiplos")
	g := &puntoBanco{cards: cards{t}, r: r, mesa: o.Word("mesa", r.Mesas[0], r.Mesas...), multiples: o.Bool("multiplos", false)}
	if err := cmp.Or(o.Err(), t.Read(table.Kind{Zones: twoHands, Closing: true, Said: winners})); err != nil {
		return err
	}
	g.punto, g.banca = g.dealtTo("punto"), g.dealtTo("banca")
	return g.judge()
}

func (g *puntoBanco) judge() error {
	s, err := g.Gather(table.Windows{Bet: g.window})
	if err != nil {
		return err
	}
	if err := g.Shoe(nil); err != nil {
		return err
	}
	g.Closing()
	g.dealing()
	g.drawing()
	g.decide()
	g.announcements()
	g.CheckMoney(g.Settle(s, g.settle))
	return nil
}

func (g *puntoBanco) window(i int, e *round.Event) game.BetState {
	switch _, offered := g.r.Pays[e.Spot]; {
	case e.Spot != "punto" && e.Spot != "banca" && e.Spot != "empate":
		return game.UnknownSpot
	case !offered:
		return game.Refused
	}
	return game.Until(i, g.Close)
}

// dealing checks order, faces and number of the cards.
func (g *puntoBanco) dealing() {
	initial := []string{"punto", "banca", "punto", "banca"}
	bancaThird := false
	for k, i := range g.Order {
		zone := g.Events[i].Zone
		wrong := k < len(initial) && zone != initial[k] || k >= len(initial) && zone == "punto" && bancaThird
		if wrong {
			g.At(i, finding.DealOrderWrong)
			break
		}
		bancaThird = bancaThird || k >= len(initial) && zone == "banca"
	}
	for _, h := range []*baccarat{g.punto, g.banca} {
		if g.mesa == "grande" {
			g.Faces(h.zone, "down", 0, 2)
		}
		switch n := len(h.cards); {
		case n > 3:
			g.Count(h.cards[3].Event, h.zone, 3, n)
		case n < 2 && len(g.Order) > 0:
			g.Count(g.Last, h.zone, 2, n)
		}
	}
}

// drawing judges the third cards by the table of the norm; the bank by what
// the punto really did.
func (g *puntoBanco) drawing() {
	p, b := g.punto, g.banca
	if p.two < 0 || b.two < 0 {
		return
	}
	if p.natural() || b.natural() {
		g.checkDraw(p, 'P')
		g.checkDraw(b, 'P')
		return
	}
	g.checkDraw(p, g.r.Draw.punto(p.two))
	if third, known := g.third(p); known {
		g.checkDraw(b, g.r.Draw.banca(b.two, third))
	}
}

func (g *puntoBanco) decide() {
	g.Hand("punto", g.punto.value, "")
	g.Hand("banca", g.banca.value, "")
	result := map[string]any{}
	points := map[string]int{}
	for _, h := range []*baccarat{g.punto, g.banca} {
		if h.known() {
			points[h.zone] = h.value
		}
	}
	if len(points) > 0 {
		result["points"] = points
	}
	if len(points) == 2 {
		g.winner = winner(g.punto.value, g.banca.value)
		result["winner"] = g.winner
		result["natural"] = g.punto.natural() || g.banca.natural()
		g.Next["shoe"] = "stay"
		if g.mesa == "grande" && g.winner == "punto" {
			g.Next["shoe"] = "pass"
		}
	}
	g.Verdict.Result = result
}

// winner names the hand with more points.
func winner(punto, banca int) string {
	switch {
	case punto > banca:
		return "punto"
	case punto < banca:
		return "banca"
	}
	return "empate"
}

func (g *puntoBanco) announcements() {
	if len(g.Order) == 0 {
		return
	}
	g.cardsCall()
	fourth := g.Order[min(3, len(g.Order)-1)]
	for _, h := range []*baccarat{g.punto, g.banca} {
		for i, e := range g.Calls("puntos", h.zone) {
			g.PointsTrue(i, e, g.pointsAt(h.zone, i))
		}
		if h.known() {
			g.Demand("puntos", h.zone, fourth, len(g.Events))
			g.thirdCalls(h)
		}
	}
	g.WinnerTrue(g.winner)
	if g.winner != "" && g.winner != "empate" {
		g.Demand("ganador", "", -1, len(g.Events))
	}
}

// cardsCall checks «cartas»: after the closing call, before the first card.
func (g *puntoBanco) cardsCall() {
	if !g.Mandatory("cartas") {
		return
	}
	closing := g.First("no_va_mas")
	said := g.FirstIn("cartas", "", -1, g.FirstDealt)
	switch {
	case said == len(g.Events):
		g.Missing("cartas", "")
	case closing < len(g.Events) && said < closing && g.FirstIn("cartas", "", closing, g.FirstDealt) == len(g.Events):
		g.At(said, finding.AnnouncementOrder)
	}
}

// thirdCalls compares «carta» and «planta» with what happened to the hand.
func (g *puntoBanco) thirdCalls(h *baccarat) {
	right, other, before := "planta", "carta", len(g.Events)
	if h.drew() {
		right, other, before = other, right, h.cards[2].Event
	}
	contrary := false
	for i := range g.Calls(other, h.zone) {
		contrary = true
		g.Wrong(i, right, other)
	}
	for i, e := range g.Calls("planta", h.zone) {
		if !h.drew() {
			g.PointsTrue(i, e, h.two)
		}
	}
	natural := g.punto.natural() || g.banca.natural()
	unsure := g.punto.two < 0 || g.banca.two < 0
	if !contrary && (h.drew() || !natural && !unsure) {
		g.Demand(right, h.zone, -1, before)
	}
}

func (g *puntoBanco) settle(c *table.Chips, e *table.Entry) {
	tab := g.Rec.Table
	g.Limit(c, tab.Min, tab.Max)
	if part := g.r.EmpateMax; c.Spot == "empate" && part.Den > 0 && tab.Max > 0 {
		if most := tab.Max * money.Cents(part.Num) / money.Cents(part.Den); c.Stake > most {
			g.OnStake(c, finding.SideBetLimit, most)
		}
	}
	if g.multiples && tab.Min > 0 && c.Stake%tab.Min != 0 { // «que las apuestas sean múltiplos del mínimo»: every bet
		g.Add(round.Finding{Code: finding.BetNotAllowed, Event: c.Last, Seat: c.Seat, Spot: c.Spot, Observed: c.Stake})
	}
	odds := g.r.Pays[c.Spot]
	switch {
	case g.winner == "":
		e.Unknown()
	case c.Spot == g.winner:
		e.Decide(1, odds)
		if c.Spot == "banca" {
			e.Commission = g.commission(e.Pays)
		}
	case g.winner == "empate":
		e.Decide(0, odds)
	default:
		e.Decide(-1, odds)
	}
}

// commission is what the house deducts from the bank's winnings.
func (g *puntoBanco) commission(pays money.Cents) money.Cents {
	if k := g.r.Commission; k.Points == nil || *k.Points == g.banca.value {
		return k.Part.Of(pays)
	}
	return 0
}
