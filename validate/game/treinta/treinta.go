// Package treinta judges treinta y cuarenta.
package treinta

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// prisoner is a stake that a tie at 31 holds.
type prisoner struct {
	Seat  int         `json:"seat"`
	Spot  string      `json:"spot"`
	Stake money.Cents `json:"stake"` // the original stake
	K     int         `json:"k"`     // ties at 31 suffered
}

// treinta is one round of treinta y cuarenta.
type treinta struct {
	*table.Table
	r         *Rules
	seguroMin money.Cents
	current   bool // freed prisoners get the half of the last tie
	lastRound bool
	prisoners []prisoner
	s         *table.Stakes

	totals map[string]int // of the rows; -1 unknown or not finished
	points map[string]int // of what lies in the rows; none where a card of it is not known
	winner string         // "negro", "rojo", "nulo"; empty: not known
	color  string         // "color", "inverso"; empty: not known
	void   bool
	out    []prisoner
}

var chances = []string{"negro", "rojo", "color", "inverso"}

func isChance(spot string) bool { return slices.Contains(chances, spot) }

// Judge judges a round of treinta y cuarenta.
func (r *Rules) Judge(t *table.Table) error {
	g := &treinta{Table: t, r: r, totals: map[string]int{"negro": -1, "rojo": -1}, points: map[string]int{}}
	kind := table.Kind{
		Zones:   func(z string) bool { return z == "negro" || z == "rojo" },
		Choices: isPlaceOf,
		OwnCut:  true,
		Said:    game.CallWords{"winner": {"negro", "rojo", "nulo"}, "color": {"color", "inverso"}},
	}
	var carry struct {
		Prison []prisoner `json:"prison"`
	}
	if err := cmp.Or(g.options(t.Rec.Table.Options), t.Read(kind), t.ReadCarry(&carry)); err != nil {
		return err
	}
	for _, p := range carry.Prison {
		if p.Seat < 1 || !isChance(p.Spot) || p.Stake <= 0 || p.Stake > round.MaxAmount || p.K < 1 || p.K > 30 {
			return round.Malformed("carry.prison", "write the previous verdict's next", "no stake in prison: %+v", p)
		}
	}
	g.prisoners = carry.Prison
	return g.judge()
}

// isPlaceOf reports whether a zone is one that only actions name: a spot, "prison:negro".
func isPlaceOf(zone string) bool {
	return isChance(zone) || isChance(strings.TrimPrefix(zone, "prison:"))
}

func (g *treinta) options(o round.Options) error {
	names := []string{"prison_freed", "last_round"}
	if g.r.SeguroMin {
		names = append(names, "seguro_min")
	}
	r := o.Only(names...)
	g.current = r.Word("prison_freed", "previous", "previous", "current") == "current"
	g.lastRound = r.Bool("last_round", false)
	if g.r.SeguroMin {
		g.seguroMin = r.Cents("seguro_min", 0)
	}
	return r.Err()
}

func (g *treinta) judge() error {
	var err error
	if g.s, err = g.Gather(table.Windows{Bet: g.window}); err != nil {
		return err
	}
	red := g.FirstOf(round.CutCard)
	g.void = red < len(g.Events)
	g.Verdict.Void = g.void
	if err := g.Shoe(func(i int) bool { return i > red }); err != nil {
		return err
	}
	g.rows()
	if g.void {
		g.redCard(red)
	} else {
		g.decide()
		g.announcements()
	}
	g.limits()
	list := g.Settle(g.s, g.settle)
	list = append(list, g.imprisoned()...)
	g.CheckMoney(list)
	if !g.void {
		g.CollectFirst(list, 0, len(g.Events))
		g.payOrder()
	}
	if len(g.out) > 0 {
		g.Next["prison"] = g.out
	}
	return nil
}

func (g *treinta) window(i int, e *round.Event) game.BetState {
	name, of, has := strings.Cut(e.Spot, ":")
	switch {
	case isChance(e.Spot), name == "seguro" && isChance(of):
		return game.Until(i, g.Close)
	case has && name == "prison" && isChance(of):
		return game.Refused
	}
	return game.UnknownSpot
}

// redCard: the last cards are laid face down and counted.
func (g *treinta) redCard(red int) {
	g.Next["cut_card"] = true
	count, at := 0, g.Last
	for i := red + 1; i < len(g.Events); i++ {
		if g.Events[i].Type == round.Burn {
			count, at = count+g.Events[i].Count, i
		}
	}
	if count != g.r.LastBurned {
		g.Add(round.Finding{Code: finding.BurnWrong, Event: at, Expected: g.r.LastBurned, Observed: count})
	}
}

func (g *treinta) limits() {
	tab := g.Rec.Table
	most := cmp.Or(tab.Max, tab.Min*money.Cents(g.r.MaxTimes))
	for _, c := range g.s.List {
		if isChance(c.Spot) {
			g.Limit(c, tab.Min, most)
		}
	}
	for i, e := range game.Each(g.Events, round.Action) {
		if e.Action == "prison" && g.lastRound {
			g.Add(round.Finding{Code: finding.PlayerActionNotAllowed, Event: i, Seat: e.Seat, Observed: "prison"})
		}
	}
}

func (g *treinta) announcements() {
	rojo := g.Zones["rojo"]
	if len(rojo) == 0 {
		return
	}
	after, before := rojo[len(rojo)-1].Event, len(g.Events)
	for i := range g.Events {
		if k := g.Events[i].Type; i > after && (k == round.Collect || k == round.Pay) {
			before = i
			break
		}
	}
	for _, zone := range []string{"negro", "rojo"} {
		total, known := g.points[zone]
		if !known {
			continue
		}
		for i, e := range g.Calls("puntos", zone) {
			if e.Points != nil && *e.Points != total-30 {
				g.PointsTrue(i, e, total)
			}
		}
		if g.totals[zone] >= 0 {
			g.Demand("puntos", zone, after, before)
		}
	}
	if g.winner == "" {
		return
	}
	for i, e := range g.Calls("suertes", "") {
		if e.Winner != "" && e.Winner != g.winner {
			g.Wrong(i, g.winner, e.Winner)
		}
		if e.Color != "" && g.color != "" && e.Color != g.color {
			g.Wrong(i, g.color, e.Color)
		}
	}
	if g.winner != "nulo" {
		g.Demand("suertes", "", after, before)
	}
}

// Rules are the rules of treinta y cuarenta.
type Rules struct {
	Target     int        `yaml:"target" json:"target"`           // 31
	Pays       money.Odds `yaml:"pays" json:"pays"`               // every chance
	Insurance  money.Odds `yaml:"insurance" json:"insurance"`     // 1:100 of the stake
	SeguroMin  bool       `yaml:"seguro_min" json:"seguro_min"`   // the house fixes the least insured stake
	MaxTimes   int64      `yaml:"max_times" json:"max_times"`     // maximum as a multiple of the minimum
	LastBurned int        `yaml:"last_burned" json:"last_burned"` // cards counted after the red card
}

// Check refuses rules by which no round can be judged.
func (r *Rules) Check() error {
	if r.Target < 1 || r.MaxTimes < 1 || r.LastBurned < 0 {
		return errors.New("target, max_times or last_burned: out of range")
	}
	return errors.Join(table.Positive("pays", r.Pays), table.Positive("insurance", r.Insurance))
}

// rows adds up the two rows: negro to 31 or more, then rojo; a card beyond
// never belonged to its row.
func (g *treinta) rows() {
	all := g.Seen("negro") && g.Seen("rojo")
	for _, zone := range []string{"negro", "rojo"} {
		sum, full, known := 0, false, true
		for _, d := range g.Zones[zone] {
			switch {
			case full && known:
				g.ZoneAt(d.Event, finding.DrewMustStand, zone)
			case !g.Readable(d.Card):
				known = false
			default:
				sum += table.Pips(d.Card, 10)
				full = sum >= g.r.Target
			}
		}
		switch {
		case known && full:
			g.totals[zone] = sum
		case all && !g.void && len(g.Order) > 0:
			g.ZoneAt(g.Last, finding.StoodMustDraw, zone)
		}
		if len(g.Zones[zone]) > 0 {
			value := -1
			if known {
				value, g.points[zone] = sum, sum
			}
			g.Hand(zone, value, "")
		}
		g.Faces(zone, "up", 0, len(g.Zones[zone]))
	}
	if all {
		g.rowOrder()
	}
}

// rowOrder: the rojo row begins when the negro row is full.
func (g *treinta) rowOrder() {
	sum := 0
	for _, i := range g.Order {
		switch c := g.FinalCard(i); {
		case g.Events[i].Zone == "rojo":
			if sum < g.r.Target {
				g.At(i, finding.DealOrderWrong)
			}
			return
		case !g.Readable(c):
			return
		default:
			sum += table.Pips(c, 10)
		}
	}
}

func (g *treinta) decide() {
	result := map[string]any{}
	if len(g.points) > 0 {
		result["points"] = g.points
	}
	n, r := g.totals["negro"], g.totals["rojo"]
	if n >= 0 && r >= 0 {
		switch {
		case n == r:
			g.winner = "nulo"
		case n < r:
			g.winner = "negro"
		default:
			g.winner = "rojo"
		}
		result["winner"] = g.winner
	}
	if g.winner == "negro" || g.winner == "rojo" {
		suit := g.Zones["negro"][0].Card.Suit()
		black := suit == 's' || suit == 'c'
		g.color = "inverso"
		if black == (g.winner == "negro") {
			g.color = "color"
		}
		result["color"] = g.color
	}
	g.Verdict.Result = result
}
