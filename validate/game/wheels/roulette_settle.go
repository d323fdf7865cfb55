package wheels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/game"
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
