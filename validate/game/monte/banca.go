package monte

import (
	"cmp"
	"slices"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// montebanca is one round of monte o banca.
type montebanca struct {
	*table.Table
	r        *Banca
	deduct2  bool // option deduccion_segundas
	s        *table.Stakes
	lay      layout
	one, two phase
}

// phase is Primeras or Segundas.
type phase struct {
	hagan   int    // hagan juego; len(Events)
	nvm     int    // closing call; len(Events)
	first   int    // first card uncovered; len(Events)
	close   int    // where the betting closed
	decided int    // event of the deciding card; len(Events)
	place   int    // the emplazado that it hits; 0: none
	rel     string // its relation to it
	atOnce  bool   // the first card uncovered decided
}

// Judge judges a round of monte o banca.
func (r *Banca) Judge(t *table.Table) error {
	o := t.Rec.Table.Options.Only("deduccion_segundas")
	g := &montebanca{Table: t, r: r, deduct2: o.Bool("deduccion_segundas", false)}
	zones := func(z string) bool { return z == uncovered || laid(z) }
	if err := cmp.Or(o.Err(), t.Read(table.Kind{Zones: zones, Laid: laid, Spanish: true})); err != nil {
		return err
	}
	return g.judge()
}

func (g *montebanca) judge() error {
	g.lay = g.placed()
	g.phases()
	var err error
	if g.s, err = g.Gather(table.Windows{Bet: g.window, LateOut: g.lateOut, Own: g.own}); err != nil {
		return err
	}
	if err := g.Shoe(func(i int) bool { return g.lay.burned[i] }); err != nil {
		return err
	}
	g.Verdict.Void = g.lay.void
	g.placeCalls()
	if !g.lay.void {
		g.phaseCalls(&g.one, g.lay.full)
		g.phaseCalls(&g.two, g.one.decided)
		g.result()
	}
	g.limits()
	list := g.Settle(g.s, g.settle)
	g.CheckMoney(list)
	if g.CollectFirst(list, 0, g.two.hagan) { // within a phase losers are collected first
		g.CollectFirst(list, g.two.hagan, len(g.Events))
	}
	return nil
}

// phases finds the calls and the deciding cards of Primeras and Segundas.
func (g *montebanca) phases() {
	n := len(g.Events)
	cards := g.Zones[uncovered]
	g.one = g.phase(cards, []int{1, 2, 3, 4}, -1)
	end := g.one.decided
	g.one.hagan, g.one.nvm = g.FirstIn("hagan_juego", "", -1, end), g.FirstIn("no_va_mas", "", -1, end)
	g.two = phase{hagan: n, nvm: n, first: n, decided: n, close: n}
	if end < n {
		g.two = g.phase(cards, g.staying(), end)
		g.two.hagan, g.two.nvm = g.FirstIn("hagan_juego", "", end, n), g.FirstIn("no_va_mas", "", end, n)
	}
	g.one.close, g.two.close = min(g.one.nvm, g.one.first), min(g.two.nvm, g.two.first)
}

// phase finds the first card after an event that hits one of the places.
func (g *montebanca) phase(cards []table.Dealt, places []int, after int) phase {
	p := phase{first: len(g.Events), decided: len(g.Events)}
	if !g.lay.known {
		for _, d := range cards {
			if d.Event > after {
				p.first = min(p.first, d.Event)
			}
		}
		return p
	}
	for _, d := range cards {
		if d.Event <= after {
			continue
		}
		p.first = min(p.first, d.Event)
		if !g.Readable(d.Card) {
			return p
		}
		for _, n := range places {
			if own := g.lay.card(n); own != card.Unseen && own.Rank() == d.Card.Rank() {
				p.decided, p.place, p.rel = d.Event, n, g.relation(own, d.Card)
				p.atOnce = d.Event == p.first
				return p
			}
		}
	}
	return p
}

// relation is the relation of a card of the same value to an emplazado's suit.
func (g *montebanca) relation(own, c card.Card) string {
	circle := g.r.Circle
	steps := (strings.IndexByte(circle, c.Suit()) - strings.IndexByte(circle, own.Suit()) + len(circle)) % len(circle)
	for name, n := range g.r.Relations {
		if n == steps {
			return name
		}
	}
	return "igual"
}

// staying is the horizontal pair without the winner of Primeras.
func (g *montebanca) staying() []int {
	switch g.one.place {
	case 1, 2:
		return []int{3, 4}
	case 3, 4:
		return []int{1, 2}
	}
	return nil
}

func (g *montebanca) window(i int, e *round.Event) game.BetState {
	s, ok := parseMB(e.Spot)
	if !ok {
		return game.UnknownSpot
	}
	if s.kind == "cartas" && !s.neighbours() {
		return game.Refused
	}
	p, open := &g.one, g.lay.full
	if s.second {
		p, open = &g.two, g.one.decided
		if s.kind == "salto" || s.kind == "vis" || !g.alive(s) {
			return game.Refused
		}
	}
	if i > p.close {
		return game.Late
	}
	if p.hagan < len(g.Events) {
		open = p.hagan
	}
	if e.Type == round.Bet && i < open && !(s.second && g.hidden()) {
		g.lay.early[game.PlaceOf(e)] = true
	}
	return game.Plays
}

// hidden reports whether Primeras may have been decided by a card that nobody saw.
func (g *montebanca) hidden() bool { return g.one.place == 0 && !(g.lay.known && g.Seen(uncovered)) }

// alive reports whether all places of a bet on Segundas stay.
func (g *montebanca) alive(s mbSpot) bool {
	stay := g.staying()
	if stay == nil {
		return true // not known yet
	}
	for _, n := range append(append([]int{}, s.a...), s.b...) {
		if !slices.Contains(stay, n) {
			return false
		}
	}
	return s.kind == "cartas" || slices.Contains(stay, s.n)
}

func (g *montebanca) phaseOf(e *round.Event) *phase {
	if strings.HasPrefix(e.Spot, "s2/") {
		return &g.two
	}
	return &g.one
}

func (g *montebanca) lateOut(i int, e *round.Event) bool {
	p := g.phaseOf(e)
	return i > p.close && i <= p.decided
}

func (g *montebanca) own(i int, e *round.Event) bool { return i > g.phaseOf(e).decided }

func (g *montebanca) limits() {
	least := g.Rec.Table.Min
	for _, c := range g.s.List {
		s, _ := parseMB(c.Spot)
		times := g.r.MaxTimes[s.kind]
		if s.second && s.kind != "cartas" {
			times = g.r.MaxTimes["s2"]
		}
		g.Limit(c, least, least*money.Cents(times))
		if g.lay.early[c.Place] && !c.Refused && c.Stake > 0 {
			g.Add(round.Finding{Code: finding.BetNotAllowed, Event: c.Last, Seat: c.Seat, Spot: c.Spot, Observed: c.Stake})
		}
	}
}

func (g *montebanca) result() {
	if g.one.place == 0 {
		return
	}
	show := func(p phase) map[string]any {
		return map[string]any{"emplazado": p.place, "relacion": p.rel, "first": p.atOnce}
	}
	res := map[string]any{"primeras": show(g.one), "doblados": g.lay.doubled(), "quemados": g.lay.quemados}
	if g.two.place > 0 {
		res["segundas"] = show(g.two)
	}
	g.Verdict.Result = res
}

func (g *montebanca) settle(c *table.Chips, e *table.Entry) {
	s, _ := parseMB(c.Spot)
	switch {
	case g.lay.void:
		e.Void()
	case s.second:
		g.settlePhase(s, e, &g.two)
	case s.kind == "vis":
		g.settleVis(s, e)
	default:
		g.settlePhase(s, e, &g.one)
	}
}

// settleVis: the first card uncovered must be camo of the place.
func (g *montebanca) settleVis(s mbSpot, e *table.Entry) {
	cards := g.Zones[uncovered]
	switch {
	case !g.lay.known || len(cards) == 0 || !g.Readable(cards[0].Card):
		e.Unknown()
	case g.one.atOnce && g.one.place == s.n && g.one.rel == "camo":
		e.Decide(1, toOne(g.r.Vis-int64(g.lay.doubled()+g.lay.quemados)))
	default:
		e.Decide(-1, toOne(1))
	}
}

func toOne(n int64) money.Odds { return money.Odds{Num: max(0, n), Den: 1} }

// settlePhase settles a bet by the deciding card of a phase.
func (g *montebanca) settlePhase(s mbSpot, e *table.Entry, p *phase) {
	if p.place == 0 {
		e.Unknown()
		return
	}
	switch s.kind {
	case "cartas":
		g.settleCartas(s, e, p, false)
		return
	case "salto":
		switch {
		case s.n == p.place && g.annuls(p):
			e.Decide(0, g.r.Salto)
		case s.n == p.place:
			e.Decide(1, g.r.Salto)
		default:
			e.Decide(-1, g.r.Salto)
		}
	default:
		odds := toOne(g.r.Relation - int64(g.lay.doubled()))
		if s.second {
			odds = g.r.Segundas
		}
		if s.n == p.place && s.kind == p.rel {
			e.Decide(1, odds)
		} else {
			e.Decide(-1, odds)
		}
	}
	g.deduct(e, p)
}

// annuls reports whether the card that decides a phase is one whose relation the layout annuls.
func (g *montebanca) annuls(p *phase) bool { return g.lay.annulled()[p.place][p.rel] }

// settleCartas: a's value before b's. Where Primeras hit neither side, Segundas
// decide if all the cards of the bet stay; otherwise it is null. A bet follows
// that Primeras left to Segundas.
func (g *montebanca) settleCartas(s mbSpot, e *table.Entry, p *phase, follows bool) {
	a, b := slices.Contains(s.a, p.place), slices.Contains(s.b, p.place)
	switch {
	case (a || b) && g.annuls(p):
		e.Decide(0, g.r.Cartas)
	case a:
		e.Decide(1, g.r.Cartas)
		if !follows {
			g.deduct(e, p)
		}
	case b:
		e.Decide(-1, g.r.Cartas)
	case !s.second && g.alive(s) && p == &g.one:
		g.settleCartas(s, e, &g.two, true)
	case follows && p.place == 0:
		e.Unknown()
	default:
		e.Decide(0, g.r.Cartas)
	}
}

// deduct is the house's part of what is won with the first card uncovered.
func (g *montebanca) deduct(e *table.Entry, p *phase) {
	if e.Outcome == round.Win && p.atOnce && (p == &g.one || g.deduct2) {
		e.Commission = g.r.Commission.Of(e.Pays)
	}
}

// placeCalls: each place is called before its first card, in sequence.
func (g *montebanca) placeCalls() {
	last, turned := -1, false
	for k, call := range placeCallNames {
		said := g.First(call)
		if said < last && !turned {
			turned = true
			g.At(said, finding.AnnouncementOrder)
		}
		if said < len(g.Events) {
			last = max(last, said)
		}
		if laid := g.lay.laid[k+1]; laid < len(g.Events) && said > laid && g.Mandatory(call) {
			g.Missing(call, "")
		}
	}
}

// phaseCalls: hagan juego and no va más after the event that opens the phase, in
// that order, before its first card is uncovered.
func (g *montebanca) phaseCalls(p *phase, opens int) {
	n := len(g.Events)
	if p.first == n {
		return
	}
	switch {
	case p.hagan == n:
		if g.Mandatory("hagan_juego") {
			g.Missing("hagan_juego", "")
		}
	case p.hagan > p.nvm || p.hagan < opens:
		g.At(p.hagan, finding.AnnouncementOrder)
	}
	switch {
	case p.nvm == n:
		if g.Mandatory("no_va_mas") {
			g.Missing("no_va_mas", "")
		}
	case p.nvm > p.first:
		g.At(p.first, finding.DealtBeforeClose)
	}
}
