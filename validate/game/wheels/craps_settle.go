package wheels

import (
	"cmp"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

type crapsPlay struct {
	base
	r       *Craps
	set     settings
	state   crapsState
	shooter int
	sum     int
	double  bool
}

// crapsState is the carry of craps.
type crapsState struct {
	Point   int    `json:"point"`
	Bets    []Kept `json:"bets"`
	Shooter *int   `json:"shooter,omitempty"`
}

func (p *crapsPlay) dice() int { return 2 }

func (p *crapsPlay) knows(spot string) bool { return p.r.spots[spot] != nil }

func (p *crapsPlay) carry(t *table) error {
	if err := t.Rec.ReadCarry(&p.state); err != nil {
		return err
	}
	switch s := p.state.Shooter; {
	case p.state.Point != 0 && !slices.Contains(points, p.state.Point):
		return round.Malformed("carry.point", "write 0, 4, 5, 6, 8, 9 or 10", "%d is no point", p.state.Point)
	case s != nil && *s < 0:
		return round.Malformed("carry.shooter", "", "%d is no seat", *s)
	case s != nil:
		p.shooter = *s
	}
	if t.fate == decided {
		e := &t.ev[t.outcome]
		p.sum, p.double = sumOf(e), len(e.Faces) == 2 && e.Faces[0] == e.Faces[1]
	}
	return t.carryBets(p.state.Bets, func(name string) bool {
		spot := p.r.spots[name]
		return spot != nil && (len(spot.ByPoint) == 0 && spot.At != "point" || p.state.Point != 0)
	})
}

func (p *crapsPlay) admits(t *table, s *stake) bool {
	spot := p.r.spots[s.Spot]
	point := p.state.Point
	switch {
	case spot.Option == "place_8" && spot.number == 8 && !p.set.place8,
		spot.At == "never", spot.At == "come_out" && point != 0, spot.At == "point" && point == 0:
		return false
	case spot.Base == "":
		return true
	}
	on := t.stakes[game.Place{Seat: s.Seat, Spot: spot.baseName()}]
	return on != nil && on.carried > 0 && (spot.number > 0 || point != 0)
}

// odds are what the spot pays now.
func (p *crapsPlay) odds(s *crapsSpot) money.Odds {
	if o, ok := s.Except[p.sum]; ok {
		return o
	}
	if s.Option == "juego_7_pays" && p.set.juego7 > 0 && s.number == seven {
		return money.Odds{Num: int64(p.set.juego7), Den: 1}
	}
	if o, ok := s.Numbers[s.number]; ok {
		return o
	}
	if o, ok := s.ByPoint[p.state.Point]; ok {
		return o
	}
	return s.Pays
}

func (p *crapsPlay) limits(t *table, s *stake) limit {
	spot := p.r.spots[s.Spot]
	low, top := t.Rec.Table.Min, t.Rec.Table.Max
	n := cmp.Or(spot.number, p.state.Point)
	switch spot.Limit {
	case "simple":
		return limit{min: low, max: top}
	case "gain":
		o := p.odds(spot)
		return limit{min: low, max: 3 * top * money.Cents(o.Den) / money.Cents(max(o.Num, 1))}
	case "base":
		on := t.stakes[game.Place{Seat: s.Seat, Spot: spot.baseName()}].carried
		return limit{max: on * money.Cents(spot.percent(n)) / 100}
	}
	return limit{min: low, max: top * money.Cents(spot.percent(n)) / 100}
}

func (p *crapsPlay) settle(_ *table, s *stake) line {
	spot := p.r.spots[s.Spot]
	l := s.line()
	l.article = spot.Article
	switch p.fate(spot) {
	case round.Win:
		l.Win(p.odds(spot).Of(l.Stake))
	case round.Lose:
		l.Lose()
	case round.Push:
		l.Push()
	default:
		l.Settle(round.Stay, 0, 0)
	}
	return l
}

// fate is what the sum does to a bet.
func (p *crapsPlay) fate(s *crapsSpot) round.Outcome {
	if s.Once || s.opening(p.state.Point) {
		return s.first(p.sum)
	}
	n := cmp.Or(s.number, p.state.Point)
	good, bad := n, seven
	if s.Stance == "against" {
		good, bad = seven, n
	}
	switch {
	case p.sum == good && s.Hard && !p.double, p.sum == bad:
		return round.Lose
	case p.sum == good:
		return round.Win
	}
	return round.Stay
}

// opening reports whether the bet is on its first throw: a win bet at the
// come-out, a come bet that is not in a box yet.
func (s *crapsSpot) opening(point int) bool {
	return len(s.Wins) > 0 && (s.Moves || s.At == "come_out" && point == 0)
}

// first decides a bet by the sums that it names.
func (s *crapsSpot) first(sum int) round.Outcome {
	wins := s.Wins
	if s.Once && s.number > 0 {
		wins = []int{s.number}
	}
	switch {
	case slices.Contains(wins, sum):
		return round.Win
	case slices.Contains(s.Push, sum):
		return round.Push
	case s.Once || slices.Contains(s.Loses, sum):
		return round.Lose
	}
	return round.Stay
}

// kept implements keeper: a win bet plays until it is won or lost.
func (p *crapsPlay) kept(t *table, s *stake, i int) finding.Code {
	spot := p.r.spots[s.Spot]
	plays := t.beforeOutcome(i) || t.fate == decided && p.fate(spot) == round.Stay
	if spot.Fixed && p.state.Point != 0 && s.carried > 0 && plays {
		return finding.PlayerActionNotAllowed
	}
	return ""
}

// decision is what the throw decides of the point.
func (p *crapsPlay) decision() (name string, next int) {
	point := p.state.Point
	switch {
	case point == 0 && (p.sum == seven || p.sum == 11):
		return "natural", 0
	case point == 0 && slices.Contains(points, p.sum):
		return "point_set", p.sum
	case point == 0:
		return "craps", 0
	case p.sum == point:
		return "point_made", 0
	case p.sum == seven:
		return "seven_out", 0
	}
	return "none", point
}

func (p *crapsPlay) result(*table) any {
	name, _ := p.decision()
	return map[string]any{"sum": p.sum, "hard": p.double, "decision": name}
}

func (p *crapsPlay) next(t *table) any {
	next := crapsState{Point: p.state.Point, Bets: t.staying()}
	if p.shooter > 0 || p.state.Shooter != nil {
		next.Shooter = &p.shooter
	}
	if t.fate != decided {
		return next
	}
	var name string
	name, next.Point = p.decision()
	if name == "seven_out" {
		next.Shooter = new(int)
	}
	for i := range next.Bets {
		if b := &next.Bets[i]; p.r.spots[b.Spot].Moves {
			b.Spot = p.box(b.Spot)
		}
	}
	sortKept(next.Bets)
	return next
}

func (p *crapsPlay) truth(_ *table, e *round.Event) verdictOfCall { return totalCall(e, p.sum) }

// extra judges the shooter, the change of dice and the moves of come bets.
func (p *crapsPlay) extra(t *table) {
	p.shooters(t)
	p.diceChanged(t)
	if t.fate == decided && t.closed {
		p.moves(t)
	}
}

func (p *crapsPlay) procedure(t *table, event, seat int, spot string) {
	t.add(t.rules.Articles.Shooting, round.Finding{Code: finding.OtherProcedure, Event: event, Seat: seat, Spot: spot})
}

func (p *crapsPlay) shooters(t *table) {
	before := p.shooter
	for i, e := range game.Each(t.ev, round.Action) {
		if e.Action != "shoot" {
			continue
		}
		p.shooter = e.Seat
		if !p.lineBet(t, e.Seat) || before > 0 && before != e.Seat {
			p.procedure(t, i, e.Seat, "")
		}
	}
}

// lineBet reports whether the seat has a bet on the point: the shooter must.
func (p *crapsPlay) lineBet(t *table, seat int) bool {
	for name, s := range p.r.spots {
		if s.At != "come_out" {
			continue
		}
		if on := t.stakes[game.Place{Seat: seat, Spot: name}]; on != nil && on.total() > 0 {
			return true
		}
	}
	return false
}

// diceChanged: the stickman announces a change that the jefe orders; in the
// series for the point dice are changed only when one was lost.
func (p *crapsPlay) diceChanged(t *table) {
	off := false
	called := -1
	for i := range t.ev {
		e := &t.ev[i]
		switch {
		case e.Is("dice_change") && called < 0:
			called = i
		case e.Type == round.Dice && e.Irregular == "off_table",
			e.Type == round.Incident && (e.Kind == "off_table" || e.Kind == "die_lost"):
			off = true
		case e.Type == round.Incident && e.Kind == "dice_changed":
			ordered := e.By == round.Jefe
			if ordered && called < 0 {
				t.missing("dice_change", t.rules.Articles.Shooting)
			}
			if ordered && called >= 0 {
				t.announcer(called)
			}
			if p.state.Point != 0 && !ordered && !off {
				p.procedure(t, i, 0, "")
			}
		}
	}
}

// announcer raises a change of dice announced by somebody else than the norm says.
func (t *table) announcer(i int) {
	c, by := t.rules.Calls["dice_change"], t.ev[i].By
	if len(c.By) > 0 && !slices.Contains(c.By, by) && !(t.set.reduced && slices.Contains(c.Reduced, by)) {
		t.add(t.rules.Articles.Shooting, round.Finding{Code: finding.OtherProcedure, Event: i, Observed: by})
	}
}

// moves: come bets that stay go to the box of the sum.
func (p *crapsPlay) moves(t *table) {
	for at, s := range t.stakes {
		spot := p.r.spots[at.Spot]
		if !spot.Moves || s.total() == 0 || p.fate(spot) != round.Stay {
			continue
		}
		to := p.box(at.Spot)
		seen, right, moved := game.Last(t.Rec), true, money.Cents(0)
		for i := t.outcome + 1; i < len(t.ev); i++ {
			if e := &t.ev[i]; e.Type == round.Move && e.Seat == at.Seat && e.From == at.Spot {
				seen, right, moved = i, right && e.To == to, moved+e.Amount
			}
		}
		if !right || moved != s.total() {
			p.procedure(t, seen, at.Seat, at.Spot)
		}
	}
}

func (p *crapsPlay) box(spot string) string { return fmt.Sprintf("%s:%d", spot, p.sum) }
