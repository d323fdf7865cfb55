package baccarat

import (
	"cmp"

	"vision/internal/money"
	"vision/validate/finding"
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

// Judge judges a round of baccará, chemin de fer.
func (r *Chemin) Judge(t *table.Table) error {
	o := t.Rec.Table.Options.Only("banco_libre", "banca_ilimitada")
	g := &chemin{r: r, cover: map[*table.Chips]money.Cents{}, shares: map[*table.Chips]money.Cents{},
		libre: o.Bool("banco_libre", false), unlimited: o.Bool("banca_ilimitada", false),
		circle: circle{cards: cards{t}, draw: &r.Draw, answers: true}}
	kind := table.Kind{Zones: twoHands, Closing: true, Said: winners,
		Incidents: game.IncidentWords{CardNo: map[string]int{"card_exposed": 2, "card_into_basket": 3}}}
	if err := cmp.Or(o.Err(), t.Read(kind), t.ReadCarry(&g.carry)); err != nil {
		return err
	}
	if c := g.carry; min(c.Banker, c.Passes, c.LostBy, c.Seguido) < 0 || min(c.Bank, c.Gain) < 0 {
		return round.Malformed("carry", "write the previous verdict's next", "a seat, a count or an amount is below 0")
	}
	return g.judge()
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

// stakesAgainst forms the bank and covers the stakes against it in the order of
// the bets until it is used up.
func (g *chemin) stakesAgainst() {
	abonos := 0
	for _, c := range g.s.List {
		switch c.Spot {
		case "abono":
			if abonos++; abonos > g.r.Abonos {
				c.Refused = true
			}
			fallthrough
		case "asociado", "banca":
			if !c.Refused {
				g.bank += c.Stake
			}
		}
		if c.Spot == "banca" {
			g.lead = c
		}
	}
	tab := g.Rec.Table
	if !g.unlimited {
		g.Limit(g.lead, tab.Min, tab.Min*money.Cents(g.r.BankTimes))
	} else {
		g.Limit(g.lead, tab.Min, 0)
	}
	left := g.bank
	for _, c := range g.s.List {
		if c.Refused || c.Stake == 0 || c.Spot == "banca" || c.Spot == "asociado" || c.Spot == "abono" {
			continue
		}
		left -= g.against(c, left)
	}
	g.covered = g.bank - left
	g.share()
}

// against covers one stake and gives how much of it plays.
func (g *chemin) against(c *table.Chips, left money.Cents) money.Cents {
	playing := c.Stake
	switch c.Spot {
	case "punto":
		g.Limit(c, g.Rec.Table.Min, 0)
	case "raya":
		g.Limit(c, g.Rec.Table.Min, 0)
		playing = halfUp(c.Stake)
	case "banco":
		if c.Put() != g.bank {
			g.OnStake(c, finding.RaiseWrong, g.bank)
		}
	case "mesa":
		if half := halfUp(g.bank); c.Put() != half {
			g.OnStake(c, finding.RaiseWrong, half)
		}
	}
	if playing > left {
		g.Amounts(c.Last, finding.BetAboveMax, c.Place, left, playing)
		playing = left
	}
	g.cover[c] = playing
	return playing
}

// share divides what is covered among the bank's stakes pro rata.
func (g *chemin) share() {
	rest := g.covered
	for _, c := range g.s.List {
		if (c.Spot == "asociado" || c.Spot == "abono") && !c.Refused && g.bank > 0 {
			g.shares[c] = money.Cents(mulDivDown(int64(g.covered), int64(c.Stake), int64(g.bank)))
			rest -= g.shares[c]
		}
	}
	g.shares[g.lead] = rest
}

// carryOn is what the next round must know.
func (g *chemin) carryOn() {
	stake := g.s.Of(g.banker, "banca")
	passes, gain := 0, money.Cents(0)
	if g.carry.Banker == g.banker {
		passes, gain = g.carry.Passes, g.carry.Gain
	}
	switch {
	case g.winner == "punto":
		g.Next["lost_by"] = g.banker
		return
	case g.winner == "banca":
		share := g.shares[g.lead]
		net := share - g.r.Commission.Of(share)
		stake, passes, gain = stake+net, passes+1, gain+net
		for _, c := range g.s.List {
			if c.Spot == "banco" && !c.Refused && c.Stake > 0 {
				g.Next["banco_seguido"] = c.Seat
			}
		}
	}
	g.Next["banker"], g.Next["bank"], g.Next["passes"], g.Next["gain"] = g.banker, stake, passes, gain
}

// garaje checks the banker and his bank against the round before.
func (g *chemin) garaje() {
	if g.carry.LostBy == g.banker {
		g.At(g.lead.Last, finding.OtherProcedure)
	}
	tab, stake := g.Rec.Table, g.s.Of(g.banker, "banca")
	d := g.carry.Bank - stake
	if g.carry.Banker != g.banker || tab.Min == 0 || d <= 0 {
		return
	}
	i := g.Action(g.banker, "garaje")
	if i == len(g.Events) || g.Events[i].Amount != d || !g.mayTake(d, tab.Min) {
		g.Add(round.Finding{Code: finding.OtherProcedure, Event: min(i, g.Last), Seat: g.banker, Spot: "garaje"})
	}
}

func (g *chemin) mayTake(d, least money.Cents) bool {
	if d == g.carry.Bank-least*money.Cents(g.r.BankTimes) {
		return true // impropio: what exceeds the bank's maximum
	}
	rule := g.r.Garaje
	if rule.GainTimes > 0 {
		return g.carry.Gain > least*money.Cents(rule.GainTimes)
	}
	return g.carry.Passes >= rule.Passes && int64(d)*rule.Part.Den <= int64(g.carry.Bank)*rule.Part.Num
}
