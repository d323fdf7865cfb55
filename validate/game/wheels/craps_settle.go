package wheels

import (
	"cmp"
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
	n := spot.number
	n = cmp.Or(n, p.state.Point)
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
	n := s.number
	n = cmp.Or(n, p.state.Point)
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
