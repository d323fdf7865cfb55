package baccarat

import (
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// chemin is one round of baccará, chemin de fer.
type chemin struct {
	circle
	r         *Chemin
	libre     bool // option banco_libre
	unlimited bool // option banca_ilimitada
	carry     cheminCarry

	punto     *baccarat
	spoke     int    // first carta or no of the punto; len(Events)
	winner    string // "punto", "banca", "empate"; empty: not known
	forced    string // winner that an irregularity fixes
	puntoFree bool   // the punto's draw is not judged
	bancaFree bool   // the bank's draw is not judged
	anyOrder  bool   // order of dealing is not judged
	bancaBest bool   // the bank may draw unless it has 7
	abateFix  bool   // the punto counts as having abated
	three     bool   // the bank was dealt three cards before the punto spoke

	bank    money.Cents // banca, associates and abonos
	covered money.Cents // covered against the bank
	cover   map[*table.Chips]money.Cents
	shares  map[*table.Chips]money.Cents
	lead    *table.Chips
}

// cheminCarry is what a round hands to the next.
type cheminCarry struct {
	Banker  int         `json:"banker"`
	Bank    money.Cents `json:"bank"`
	Passes  int         `json:"passes"`
	Gain    money.Cents `json:"gain"`
	LostBy  int         `json:"lost_by"`
	Seguido int         `json:"banco_seguido"`
}

// Judge is the verdict of a round of baccará, chemin de fer.
func (r *Chemin) Judge(in game.Input, common *table.Rules) (round.Verdict, error) {
	o := in.Rec.Table.Options.Only("banco_libre", "banca_ilimitada")
	g := &chemin{r: r, cover: map[*table.Chips]money.Cents{}, shares: map[*table.Chips]money.Cents{},
		libre: o.Bool("banco_libre", false), unlimited: o.Bool("banca_ilimitada", false)}
	if err := o.Err(); err != nil {
		return round.Verdict{}, err
	}
	t, err := table.New(
		in,
		common,
		table.Kind{Zones: func(z string) bool { return z == "punto" || z == "banca" }, Closing: true, Said: winners,
			Incidents: game.IncidentWords{CardNo: map[string]int{"card_exposed": 2, "card_into_basket": 3}}},
	)
	if err != nil {
		return round.Verdict{}, err
	}
	g.circle = circle{cards: cards{t}, draw: &r.Draw, answers: true}
	if err := t.ReadCarry(&g.carry); err != nil {
		return round.Verdict{}, err
	}
	if c := g.carry; min(c.Banker, c.Passes, c.LostBy, c.Seguido) < 0 || min(c.Bank, c.Gain) < 0 {
		return round.Verdict{}, round.Malformed("carry", "write the previous verdict's next", "a seat, a count or an amount is below 0")
	}
	return g.Done(g.judge())
}

func (g *chemin) judge() error {
	var err error
	if g.banker, err = g.bankerSeat(); err != nil {
		return err
	}
	g.punto, g.banca = g.dealtTo("punto"), g.dealtTo("banca")
	g.thirds = g.firstThird("punto", "banca")
	g.spoke = g.First("carta", "no")
	g.threeDealt()
	if g.s, err = g.Gather(g.windows(g.window, g.bankerEarly())); err != nil {
		return err
	}
	g.cut()
	if err := g.Shoe(nil); err != nil {
		return err
	}
	g.common()
	g.irregularities()
	g.openingCalls()
	g.stakesAgainst()
	g.garaje()
	if g.voidRound {
		g.Verdict.Void = true
	} else {
		g.play()
	}
	g.CheckMoney(g.Settle(g.s, g.settle))
	g.carryOn()
	return nil
}

// threeDealt: the bank was dealt three cards face down before the punto spoke, showed a
// natural or drew; the third of them is no draw.
func (g *chemin) threeDealt() {
	c := g.banca.cards
	if len(c) < 3 || c[2].Face != "down" || c[2].Event > min(g.spoke, g.puntoShown(), g.firstThird("punto")) {
		return
	}
	g.three = true
	g.thirds = g.firstThird("punto")
	if len(c) > 3 {
		g.thirds = min(g.thirds, c[3].Event)
	}
}

// cut: «las cartas pasan» precedes the cut of a new shoe.
func (g *chemin) cut() {
	if g.FirstOf(round.Shuffle) < len(g.Events) {
		g.Demand("cartas_pasan", "", -1, g.FirstOf(round.Cut))
	}
}

func (g *chemin) window(i int, e *round.Event) game.BetState {
	switch e.Spot {
	case "abono":
		if g.r.Abonos == 0 {
			return game.Refused
		}
	case "banca", "asociado", "punto", "banco", "mesa", "raya":
	default:
		return game.UnknownSpot
	}
	return game.Until(i, g.Close)
}

// puntoShown is where the punto abated; len(Events).
func (g *chemin) puntoShown() int {
	if g.abates(g.punto, g.spoke) {
		return g.reveals("punto")
	}
	return len(g.Events)
}

func (g *chemin) openingCalls() {
	g.Closing()
	before := min(g.First("no_va_mas"), g.FirstDealt)
	g.bankCall(true, before)
	if g.r.Abonos > 0 {
		for _, c := range g.s.List {
			if c.Spot == "abono" && c.Stake > 0 {
				g.Demand("abono_diferencia", "", -1, len(g.Events))
				break
			}
		}
	}
}

func (g *chemin) settle(c *table.Chips, e *table.Entry) {
	bankSide := c.Spot == "banca" || c.Spot == "asociado" || c.Spot == "abono"
	if bankSide {
		e.By = bankPile
	}
	switch {
	case g.voidRound:
		e.Void()
	case g.winner == "":
		e.Unknown()
	case g.winner == "empate":
		e.Push()
	case bankSide && g.winner == "banca":
		e.Win(g.shares[c])
		e.Commission = g.r.Commission.Of(e.Pays)
	case bankSide:
		e.Settle(round.Lose, 0, e.Stake-g.shares[c])
	case g.winner == "punto":
		e.Win(g.cover[c])
	default:
		e.Settle(round.Lose, 0, e.Stake-g.cover[c])
	}
}
