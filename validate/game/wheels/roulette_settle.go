package wheels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// roulettePlay is one round of roulette.
type roulettePlay struct {
	base
	r      *Roulette
	set    settings
	number int                   // of the outcome
	choice map[game.Place]string // "half" or "prison", said by the player
}

func (p *roulettePlay) knows(spot string) bool {
	bare, prison := strings.CutPrefix(spot, "prison:")
	s := p.r.spots[bare]
	return s != nil && (!prison || s.simple)
}

func (p *roulettePlay) shot(e *round.Event) error {
	n, ok := pocketNumber(e.Pocket)
	if e.Pocket == "??" || ok && (n != zeroZero || p.r.DoubleZero) {
		return nil
	}
	return fmt.Errorf("this wheel has no pocket %q", e.Pocket)
}

func (p *roulettePlay) read(e *round.Event) { p.number, _ = pocketNumber(e.Pocket) }

func (p *roulettePlay) class(spot string) string { return p.r.spots[spot].class }

func (p *roulettePlay) spot(s *stake) *rouletteSpot {
	return p.r.spots[strings.TrimPrefix(s.Spot, "prison:")]
}

func (p *roulettePlay) admits(t *table, s *stake) bool {
	spot := p.r.spots[s.Spot]
	switch {
	case spot == nil || spot.bet == nil: // "prison:rojo" is no place for new chips
		return false
	case spot.cover.has(zeroZero) && !p.r.DoubleZero:
		return false
	case p.set.abreviada && !slices.Contains(p.r.Short.Bets, spot.class):
		return false
	case spot.chips > 0:
		return s.total()%money.Cents(spot.chips) == 0
	case !spot.combo:
		return true
	}
	return slices.Contains(p.r.Combos, s.Spot) || slices.Contains(p.r.Options.Cero[p.set.combosZero], s.Spot) ||
		p.set.combinaciones00 && slices.Contains(p.r.Options.Doce, s.Spot)
}

func (p *roulettePlay) limits(t *table, s *stake) limit {
	spot := p.r.spots[s.Spot]
	top := t.Rec.Table.Max
	if top == 0 {
		level := 0
		if len(p.r.Maximum) == 3 {
			level = max(p.set.maxLevel, 1) - 1
		}
		top = t.Rec.Table.Min * money.Cents(p.r.Maximum[level])
	}
	l := limit{min: t.Rec.Table.Min, max: top * money.Cents(spot.bet.Factor)}
	if spot.simple {
		l.min = cmp.Or(p.set.minSimples, l.min)
	}
	if spot.chips > 0 { // «fitxes, del mínim al màxim del valor de la postura» (Balears L387-431)
		l.max, l.chips = top, money.Cents(spot.chips)
	}
	return l
}

func (p *roulettePlay) settle(t *table, s *stake) line {
	spot := p.spot(s)
	if s.zeros > 0 {
		return p.prisoner(t, s, spot.cover.has(p.number))
	}
	if spot.chips > 0 {
		return p.composite(s, spot)
	}
	if spot.simple && p.zero() {
		return p.onZero(t, s)
	}
	return either(spot.cover.has(p.number), s, spot.bet.Pay)
}

func (p *roulettePlay) zero() bool { return p.number == 0 || p.number == zeroZero }

// composite is an announced bet: the chips of the parts that win are paid and
// kept, the others are lost.
func (p *roulettePlay) composite(s *stake, spot *rouletteSpot) line {
	l := s.line()
	l.composite, l.article = true, spot.bet.Article
	chip := l.Stake / money.Cents(spot.chips)
	var pays, returns money.Cents
	for _, part := range spot.parts {
		if part.cover.has(p.number) {
			pays += part.bet.Pays.Of(chip)
			returns += chip
		}
	}
	l.Lose()
	if returns > 0 {
		l.Settle(round.Win, pays, returns)
		l.Must = l.Stake - returns // the chips that lost
	}
	return l
}

func (p *roulettePlay) result(*table) any { return numberResult(p.number, simples) }

func (p *roulettePlay) truth(_ *table, e *round.Event) verdictOfCall {
	v := numberCall(e, p.number, simples)
	v.incomplete = v.incomplete && !p.set.abreviada
	return v
}

// onZero is a fresh stake on a simple chance when zero falls.
func (p *roulettePlay) onZero(t *table, s *stake) line {
	l := s.line()
	l.article = t.rules.Articles.Zero
	l.Settle(round.Prison, 0, 0)
	if p.r.Zero == "half" || p.set.lastSpin || p.chooses(t, s.Place) == "half" {
		l.Halve()
	}
	return l
}

// chooses is what the player said, or what the croupier's hand tells of it:
// who takes half has chips taken or returned.
func (p *roulettePlay) chooses(t *table, at game.Place) string {
	if c, ok := p.choice[at]; ok {
		return c
	}
	m, s := t.sums.Of(at), t.stakes[at]
	if back := m.Return.Amount - s.givenBack; m.Collect.Amount > 0 || back > 0 && back != s.late {
		return "half"
	}
	return "prison"
}

// held is what is left of a stake after zeros zeros: each takes half of it.
func held(stake money.Cents, zeros int) money.Cents {
	if zeros > 40 {
		return 0
	}
	den := int64(1) << zeros
	if int64(stake) > (1<<62)/den { // too large to multiply: halve first
		return stake / money.Cents(den)
	}
	return stake - money.MulDiv(stake, den-1, den)
}

// prisoner is a stake that zeros have held.
func (p *roulettePlay) prisoner(t *table, s *stake, won bool) line {
	k, total := s.zeros, s.carried
	now := held(total, k-1)
	l := line{Due: settle.On(s.Place, total), article: t.rules.Articles.Zero}
	switch {
	case p.zero() && (p.set.lastSpin || !p.tooSmall(t, s) && p.chooses(t, s.Place) == "half"):
		l.Settle(round.Half, 0, held(total, k+1))
		l.Must = now - l.Returns
	case p.zero():
		l.Settle(round.Prison, 0, 0)
		l.May = now - held(total, k)
	case won:
		free := now
		if p.set.prisonRelease == "k" {
			free = held(total, k)
		}
		l.Settle(round.Push, 0, free)
		l.May = total - free
	default:
		l.Lose()
		l.Must = now
	}
	return l
}

// tooSmall reports whether half is closed to a prisoner: what the zeros have left of
// his stake, before it is rounded, is less than the table minimum.
func (p *roulettePlay) tooSmall(t *table, s *stake) bool {
	return s.carried>>(s.zeros+1) < t.Rec.Table.Min
}

// Prisoner is a stake in prison, as carry and next hold it.
type Prisoner struct {
	Seat  int         `json:"seat"`
	Spot  string      `json:"spot"`  // without prefix
	Stake money.Cents `json:"stake"` // the initial stake
	Zeros int         `json:"zeros"` // zeros suffered, from 1
}

// mostZeros is far more than a table sees in a row.
const mostZeros = 9999

// prison is the carry of a roulette.
type prison struct {
	Prison []Prisoner `json:"prison,omitempty"`
}

func (p *roulettePlay) carry(t *table) error {
	var c prison
	if err := t.Rec.ReadCarry(&c); err != nil {
		return err
	}
	for _, x := range c.Prison {
		spot := p.r.spots[x.Spot]
		switch {
		case p.r.Zero != "prison":
			return round.Malformed("carry.prison", "", "%s has no prison", t.Game.Code)
		case spot == nil || !spot.simple:
			return round.Malformed("carry.prison", "", "%q is no simple chance", x.Spot)
		case x.Seat < 1 || x.Stake <= 0 || x.Stake > round.MaxAmount || x.Zeros < 1 || x.Zeros > mostZeros:
			return round.Malformed("carry.prison", "",
				"a prisoner needs seat, stake and zeros above 0, and at most %d zeros", mostZeros)
		}
		s := t.at(game.Place{Seat: x.Seat, Spot: "prison:" + x.Spot})
		if s.carried > 0 { // a fresh stake joined a prisoner of the same chance
			s.fellow = &stake{Place: s.Place, first: -1, last: -1, fellow: s.fellow}
			s = s.fellow
		}
		s.carried, s.zeros = x.Stake, x.Zeros
	}
	return nil
}

// kept implements keeper: the betting on a prisoner closed with his own round.
func (p *roulettePlay) kept(t *table, s *stake, i int) finding.Code {
	if s.zeros > 0 && t.beforeOutcome(i) {
		return finding.LateWithdrawal
	}
	return ""
}

// extra reads the players' choices on zero.
func (p *roulettePlay) extra(t *table) {
	p.choice = map[game.Place]string{}
	for i, e := range game.Each(t.ev, round.Action) {
		if e.Action != "half" && e.Action != "prison" {
			continue
		}
		at := game.PlaceOf(e)
		if !p.mayChoose(t, i, at) {
			t.add(t.rules.Articles.Zero, round.Finding{Code: finding.PlayerActionNotAllowed, Event: i, Seat: e.Seat})
			continue
		}
		p.choice[at] = e.Action
	}
}

// mayChoose reports whether the choice of event i is open to the player.
//
// Where the number is not known, what no number allows is still refused.
func (p *roulettePlay) mayChoose(t *table, i int, at game.Place) bool {
	if i < t.outcome || p.r.Zero != "prison" {
		return false
	}
	s, spot := t.stakes[at], p.r.spots[strings.TrimPrefix(at.Spot, "prison:")]
	if s == nil || s.total() == 0 || spot == nil || !spot.simple {
		return false
	}
	switch {
	case t.fate != decided:
		return true
	case !p.zero():
		return false
	case t.ev[i].Action == "prison":
		return !p.set.lastSpin
	case s.zeros == 0 || p.set.lastSpin:
		return true
	}
	for ; s != nil; s = s.fellow {
		if !p.tooSmall(t, s) {
			return true
		}
	}
	return false
}

func (p *roulettePlay) next(t *table) any {
	var out prison
	for at, s := range t.stakes {
		for l := t.lines[at]; l != nil; l, s = l.fellow, s.fellow {
			zeros := s.zeros
			switch {
			case l.Outcome == round.Prison && t.fate == decided:
				zeros++
			case l.Outcome == round.Prison, l.Outcome == round.Unknown && zeros > 0:
			default:
				continue
			}
			out.Prison = append(out.Prison, Prisoner{at.Seat, strings.TrimPrefix(at.Spot, "prison:"), l.Stake, zeros})
		}
	}
	slices.SortFunc(out.Prison, func(a, b Prisoner) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot),
			cmp.Compare(b.Zeros, a.Zeros), cmp.Compare(b.Stake, a.Stake))
	})
	return out
}
