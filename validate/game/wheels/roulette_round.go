package wheels

import (
	"cmp"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// Prisoner is a stake in prison, as carry and next hold it.
type Prisoner struct {
	Seat  int         `json:"seat"`
	Spot  string      `json:"spot"`  // without prefix
	Stake money.Cents `json:"stake"` // the initial stake
	Zeros int         `json:"zeros"` // zeros suffered, from 1
}

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
		case x.Seat < 1 || x.Stake <= 0 || x.Stake > round.MaxAmount || x.Zeros < 1:
			return round.Malformed("carry.prison", "", "a prisoner needs seat, stake and zeros above 0")
		}
		s := t.at(game.Place{Seat: x.Seat, Spot: "prison:" + x.Spot})
		if s.carried > 0 { // a fresh stake joined a prisoner of the same chance
			s.fellow = &stake{Place: s.Place, first: -1, last: -1, fellow: s.fellow}
			s = s.fellow
		}
		s.carried, s.zeros = x.Stake, x.Zeros
	}
	if t.outcome >= 0 {
		p.number, _ = pocketNumber(t.ev[t.outcome].Pocket)
	}
	return nil
}

// kept implements keeper: the betting on a prisoner closed with his own round.
func (p *roulettePlay) kept(t *table, s *stake) finding.Code {
	if s.zeros > 0 {
		return finding.LateWithdrawal
	}
	return ""
}

// extra reads the players' choices on zero.
func (p *roulettePlay) extra(t *table) {
	p.choice = map[game.Place]string{}
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != round.Action || e.Action != "half" && e.Action != "prison" {
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

// chances are the winning simple chances of a number: color, parity, half.
type chances struct{ color, parity, half string }

func chancesOf(n int, covers map[string]pockets) chances {
	pick := func(a, b string) string {
		switch {
		case covers[a].has(n):
			return a
		case covers[b].has(n):
			return b
		}
		return ""
	}
	return chances{pick("rojo", "negro"), pick("par", "impar"), pick("falta", "pasa")}
}

func (p *roulettePlay) result(*table) any { return numberResult(p.number, simples) }

func numberResult(n int, covers map[string]pockets) map[string]any {
	out := map[string]any{"number": pocketName(n)}
	if c := chancesOf(n, covers); c.color != "" {
		out["color"], out["parity"], out["half"] = c.color, c.parity, c.half
	}
	return out
}

func (p *roulettePlay) truth(_ *table, e *round.Event) verdictOfCall {
	v := numberCall(e, p.number, simples)
	v.incomplete = v.incomplete && !p.set.abreviada
	return v
}

// numberCall compares a call of the number with the number that fell. What is
// wrong first counts, in the order number, color, parity, half; where no
// chance wins, none may be named.
func numberCall(e *round.Event, n int, covers map[string]pockets) verdictOfCall {
	if truth := pocketName(n); string(e.Number) != truth {
		return wrongCall(truth, string(e.Number))
	}
	c := chancesOf(n, covers)
	v := verdictOfCall{}
	for _, x := range [][2]string{{c.color, e.Color}, {c.parity, e.Parity}, {c.half, e.Half}} {
		truth, said := x[0], x[1]
		switch {
		case said == "" && truth != "":
			v.incomplete = true
		case said != truth && truth == "":
			return wrongCall(round.Null, said)
		case said != truth:
			return wrongCall(truth, said)
		}
	}
	return v
}
