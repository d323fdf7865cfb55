package points

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
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

// Judge is the verdict of a round of punto y banca.
func (r *PuntoBanco) Judge(in game.Input, common *Common) (round.Verdict, error) {
	o := in.Rec.Table.Options
	if err := o.Known("mesa", "multiplos"); err != nil {
		return round.Verdict{}, err
	}
	mesa, err := o.Word("mesa", r.Mesas[0], r.Mesas...)
	if err != nil {
		return round.Verdict{}, err
	}
	multiples, err := o.Bool("multiplos", false)
	if err != nil {
		return round.Verdict{}, err
	}
	t, err := newTable(in, common, kind{zones: func(z string) bool { return z == "punto" || z == "banca" }, closing: true})
	if err != nil {
		return round.Verdict{}, err
	}
	c := cards{t}
	g := &puntoBanco{cards: c, r: r, mesa: mesa, multiples: multiples, punto: c.dealtTo("punto"), banca: c.dealtTo("banca")}
	return g.check()
}

func (g *puntoBanco) check() (round.Verdict, error) {
	s, err := g.gather(windows{bet: g.window})
	if err != nil {
		return round.Verdict{}, err
	}
	if err := g.shoe(nil); err != nil {
		return round.Verdict{}, err
	}
	g.closing()
	g.dealing()
	g.drawing()
	g.decide()
	g.announcements()
	g.settleMoney(g.entries(s, g.settle))
	return g.done(), nil
}

func (g *puntoBanco) window(i int, e *round.Event) state {
	switch _, offered := g.r.Pays[e.Spot]; {
	case e.Spot != "punto" && e.Spot != "banca" && e.Spot != "empate":
		return unknownSpot
	case !offered:
		return refused
	case i > g.close:
		return late
	}
	return plays
}

// dealing checks order, faces and number of the cards.
func (g *puntoBanco) dealing() {
	initial := []string{"punto", "banca", "punto", "banca"}
	bancaThird := false
	for k, i := range g.order {
		zone := g.ev[i].Zone
		wrong := k < len(initial) && zone != initial[k] || k >= len(initial) && zone == "punto" && bancaThird
		if wrong {
			g.at(i, finding.DealOrderWrong)
			break
		}
		bancaThird = bancaThird || k >= len(initial) && zone == "banca"
	}
	for _, h := range []*baccarat{g.punto, g.banca} {
		if g.mesa == "grande" {
			g.faces(h.zone, "down", 0, 2)
		}
		switch n := len(h.cards); {
		case n > 3:
			g.count(h.cards[3].event, h.zone, 3, n)
		case n < 2 && len(g.order) > 0:
			g.count(g.last, h.zone, 2, n)
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
		g.judge(p, 'P')
		g.judge(b, 'P')
		return
	}
	g.judge(p, g.r.Draw.punto(p.two))
	if third, known := g.third(p); known {
		g.judge(b, g.r.Draw.banca(b.two, third))
	}
}

func (g *puntoBanco) decide() {
	g.hand("punto", g.punto.value, "")
	g.hand("banca", g.banca.value, "")
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
		g.next["shoe"] = "stay"
		if g.mesa == "grande" && g.winner == "punto" {
			g.next["shoe"] = "pass"
		}
	}
	g.verdict.Result = result
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
	if len(g.order) == 0 {
		return
	}
	g.cardsCall()
	fourth := g.order[min(3, len(g.order)-1)]
	for _, h := range []*baccarat{g.punto, g.banca} {
		for i, e := range g.calls("puntos", h.zone) {
			g.pointsTrue(i, e, g.pointsAt(h.zone, i))
		}
		if h.known() {
			g.demand("puntos", h.zone, fourth, len(g.ev))
			g.thirdCalls(h)
		}
	}
	g.winnerTrue(g.winner)
	if g.winner != "" && g.winner != "empate" {
		g.demand("ganador", "", -1, len(g.ev))
	}
}

// cardsCall checks «cartas»: after the closing call, before the first card.
func (g *puntoBanco) cardsCall() {
	if !g.mandatory("cartas") {
		return
	}
	closing := g.first("no_va_mas")
	said := g.firstIn("cartas", "", -1, g.firstDealt)
	switch {
	case said == len(g.ev):
		g.missing("cartas", "")
	case closing < len(g.ev) && said < closing && g.firstIn("cartas", "", closing, g.firstDealt) == len(g.ev):
		g.at(said, finding.AnnouncementOrder)
	}
}

// thirdCalls compares «carta» and «planta» with what happened to the hand.
func (g *puntoBanco) thirdCalls(h *baccarat) {
	right, other, before := "planta", "carta", len(g.ev)
	if h.drew() {
		right, other, before = other, right, h.cards[2].event
	}
	contrary := false
	for i := range g.calls(other, h.zone) {
		contrary = true
		g.wrong(i, right, other)
	}
	for i, e := range g.calls("planta", h.zone) {
		if !h.drew() {
			g.pointsTrue(i, e, h.two)
		}
	}
	natural := g.punto.natural() || g.banca.natural()
	unsure := g.punto.two < 0 || g.banca.two < 0
	if !contrary && (h.drew() || !natural && !unsure) {
		g.demand(right, h.zone, -1, before)
	}
}

func (g *puntoBanco) settle(c *chips, e *entry) {
	tab := g.rec.Table
	g.limit(c, tab.Min, tab.Max)
	switch c.Spot {
	case "empate":
		if part := g.r.EmpateMax; part.Den > 0 && tab.Max > 0 {
			if most := tab.Max * money.Cents(part.Num) / money.Cents(part.Den); c.stake > most {
				g.amountsPlain(c, finding.SideBetLimit, most)
			}
		}
	default:
		if g.multiples && tab.Min > 0 && c.stake%tab.Min != 0 {
			g.add(round.Finding{Code: finding.BetNotAllowed, Event: c.last, Seat: c.Seat, Spot: c.Spot, Observed: c.stake})
		}
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
