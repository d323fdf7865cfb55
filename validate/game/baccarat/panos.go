package baccarat

import (
	"cmp"
	"strings"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/table"
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
	spoke  int // its carta or no; len(Events)
	void   bool
	thrown bool
	cmp    int // +1 the cloth wins, -1 it loses
	known  bool
}

func (c *cloth) undecided() bool { return !c.known && !c.void }

var clothZones = [2]string{"pano1", "pano2"}

// Judge judges a round of baccará a dos paños.
func (r *Panos) Judge(t *table.Table) error {
	g := &panos{r: r, circle: circle{cards: cards{t}, draw: &r.Draw}}
	kind := table.Kind{Zones: func(z string) bool { return z == "pano1" || z == "pano2" || z == "banca" }, Closing: true,
		Incidents: game.IncidentWords{CardNo: map[string]int{"card_into_basket": 3}, Thrown: []string{"card_into_basket"}}}
	if err := cmp.Or(g.options(t.Rec), t.Read(kind)); err != nil {
		return err
	}
	return g.judge()
}

func (g *panos) options(rec *round.Record) error {
	o := rec.Table.Options.Only("modalidad", "base_deduccion", "unidad")
	mode := o.Word("modalidad", "limitada", "limitada", "libre")
	g.free, g.part = mode == "libre", g.r.Commission[mode]
	g.gross = o.Word("base_deduccion", "neto", "neto", "bruto") == "bruto"
	g.unit = o.Cents("unidad", rec.Table.Min)
	return o.Err()
}

func (g *panos) judge() error {
	var err error
	if g.banker, err = g.bankerSeat(); err != nil {
		return err
	}
	g.thirds = g.firstThird("pano1", "pano2", "banca")
	g.banca = g.dealtTo("banca")
	for k, zone := range clothZones {
		g.cloths[k] = &cloth{baccarat: g.dealtTo(zone), spoke: g.spokeOf(zone)}
	}
	if g.s, err = g.Gather(g.windows(g.window, g.bankerEarly())); err != nil {
		return err
	}
	if err := g.Shoe(nil); err != nil {
		return err
	}
	g.common()
	g.cuadro = g.binds
	g.irregularities()
	g.Closing()
	g.bankCall(g.FirstOf(round.Shuffle) < len(g.Events), len(g.Events))
	g.limits()
	if g.voidRound {
		g.Verdict.Void = true
	} else {
		g.play()
	}
	list := g.Settle(g.s, g.settle)
	g.settleBank(list)
	g.CheckMoney(list)
	return nil
}

func (g *panos) spokeOf(zone string) int {
	first := len(g.Events)
	for _, call := range []string{"carta", "no"} {
		first = min(first, g.FirstIn(call, zone, -1, len(g.Events)))
	}
	return first
}

func (g *panos) window(i int, e *round.Event) game.BetState {
	switch e.Spot {
	case "banca", "pano1", "pano2", "caballo", "raya:1", "raya:2", "banco":
	default:
		return game.UnknownSpot
	}
	return game.Until(i, g.Close)
}

func (g *panos) limits() {
	tab := g.Rec.Table
	most := tab.Max
	if g.free {
		most = 0
	}
	for _, c := range g.s.List {
		if c.Spot == "pano1" || c.Spot == "pano2" || c.Spot == "caballo" {
			g.Limit(c, tab.Min, most)
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

func (g *panos) settle(c *table.Chips, e *table.Entry) {
	if c.Spot == "banca" {
		e.By = bankPile
		return // when the cloths are settled
	}
	if g.voidRound {
		e.Void()
		return
	}
	won, lost, void, playing := money.Cents(0), money.Cents(0), money.Cents(0), money.Cents(0)
	for k, part := range g.parts(c.Spot, c.Stake) {
		cl := g.cloths[k]
		playing += part
		switch {
		case part == 0:
		case cl.void:
			void += part
		case !cl.known:
			g.open = true
			e.Unknown()
			return
		case cl.cmp > 0:
			won += part
		case cl.cmp < 0:
			lost += part
		}
	}
	g.wins, g.loses = g.wins+lost, g.loses+won
	outcome := round.Push
	switch {
	case void == playing:
		outcome = round.Void
	case won > lost:
		outcome = round.Win
	case won < lost:
		outcome = round.Lose
	}
	e.Settle(outcome, won, e.Stake-lost)
	if lost > 0 && !strings.HasPrefix(c.Spot, "pano") && !strings.HasPrefix(c.Spot, "raya") {
		e.Must, e.By = lost, twoParts
	}
}

// settleBank settles the banker against both cloths together.
func (g *panos) settleBank(list []*table.Entry) {
	for _, e := range list {
		if e.Spot != "banca" || e.Outcome == round.Void {
			continue
		}
		net := g.wins - g.loses
		allVoid := g.cloths[0].void && g.cloths[1].void
		switch {
		case g.voidRound || allVoid:
			e.Void()
			continue // and nothing is left for the next round to know
		case g.open, !g.banca.known() && (g.cloths[0].undecided() || g.cloths[1].undecided()):
			e.Unknown()
			continue
		}
		decideNet(e, net)
		if net > 0 {
			base := net
			if g.gross {
				base = g.wins
			}
			e.Commission = g.part.Of(base)
		}
		bank := max(0, e.Stake+net-e.Commission)
		g.Next["bank"], g.Next["saltada"] = bank, bank == 0
	}
}

// decideNet settles a bank by what it won and lost together.
func decideNet(e *table.Entry, net money.Cents) {
	switch {
	case net > 0:
		e.Win(net)
	case net < 0:
		e.Settle(round.Lose, 0, max(0, e.Stake+net))
	default:
		e.Push()
	}
}
