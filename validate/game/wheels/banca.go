package wheels

import (
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// Banca is the banca francesa or dados portugueses: three dice, three chances;
// all other sums are thrown again.
type Banca struct {
	Chances []Chance `yaml:"chances" json:"chances"`
	Lines   []Line   `yaml:"lines" json:"lines"`
}

// Chance is one of the three chances.
type Chance struct {
	Spot    string `yaml:"spot" json:"spot"`
	Sums    []int  `yaml:"sums" json:"sums"`
	Maximum int    `yaml:"maximum" json:"maximum"`       // times the minimum
	House   bool   `yaml:"house" json:"house,omitempty"` // the table's own maximum, when given, replaces it
	Pay     `yaml:",inline"`
}

// Line is a bet on the limit of a chance: it counts for half of its chips.
type Line struct {
	Spot    string `yaml:"spot" json:"spot"`
	Of      string `yaml:"of" json:"of"`           // the chance
	Times   int    `yaml:"times" json:"times"`     // minimum and maximum, times those of the chance
	Article string `yaml:"article" json:"article"` // of the norm
}

func (b *Banca) check() error {
	seen := map[int]string{}
	for _, c := range b.Chances {
		for _, s := range c.Sums {
			if s < 3 || s > 18 || seen[s] != "" {
				return fmt.Errorf("banca_francesa.chances: %s: the sum %d cannot be, or is %s already", c.Spot, s, seen[s])
			}
			seen[s] = c.Spot
		}
	}
	for _, l := range b.Lines {
		if b.chance(l.Of) == nil || l.Times < 1 {
			return fmt.Errorf("banca_francesa.lines: %s: no chance %q, or times below 1", l.Spot, l.Of)
		}
	}
	return nil
}

func (b *Banca) play(settings) play { return &bancaPlay{r: b} }

// first is the first of a list that is sought; nil where none is.
func first[T any](list []T, sought func(*T) bool) *T {
	for i := range list {
		if sought(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

func (b *Banca) chance(spot string) *Chance {
	return first(b.Chances, func(c *Chance) bool { return c.Spot == spot })
}

func (b *Banca) line(spot string) *Line {
	return first(b.Lines, func(l *Line) bool { return l.Spot == spot })
}

// winner is the chance that a sum makes win; nil when it decides nothing.
func (b *Banca) winner(sum int) *Chance {
	return first(b.Chances, func(c *Chance) bool { return slices.Contains(c.Sums, sum) })
}

type bancaPlay struct {
	base
	r       *Banca
	sum     int
	touched bool // the dice were touched before the call: nobody loses
}

func (p *bancaPlay) dice() int { return 3 }

func (p *bancaPlay) knows(spot string) bool { return p.r.chance(spot) != nil || p.r.line(spot) != nil }

func (p *bancaPlay) decides(e *round.Event) bool { return p.r.winner(sumOf(e)) != nil }

func (p *bancaPlay) repeats() bool { return true }

func (p *bancaPlay) carry(t *table) error {
	for _, th := range t.throws {
		if th.shot >= 0 && !th.null {
			p.sum = sumOf(&t.ev[th.shot])
		}
	}
	var c bets
	if err := t.Rec.ReadCarry(&c); err != nil {
		return err
	}
	return t.carryBets(c.Bets, p.knows)
}

func (p *bancaPlay) limits(t *table, s *stake) limit {
	low, top := t.Rec.Table.Min, t.Rec.Table.Max
	if c := p.r.chance(s.Spot); c != nil {
		if top == 0 || !c.House {
			top = low * money.Cents(c.Maximum)
		}
		return limit{min: low, max: top}
	}
	l := p.r.line(s.Spot)
	if top == 0 {
		top = low * money.Cents(p.r.chance(l.Of).Maximum)
	}
	return limit{min: low * money.Cents(l.Times), max: top * money.Cents(l.Times)}
}

func (p *bancaPlay) settle(_ *table, s *stake) line {
	won := p.r.winner(p.sum)
	l := p.r.line(s.Spot)
	c := p.r.chance(s.Spot)
	if l != nil {
		c = p.r.chance(l.Of)
	}
	out := s.line()
	switch {
	case p.touched && won != c:
		out.Push()
		return out
	case l == nil:
		return either(won == c, s, c.Pay)
	case won == c:
		out.Win(money.MulDiv(out.Stake, c.Pays.Num, c.Pays.Den*int64(l.Times)))
	default:
		out.Halve()
	}
	out.article = l.Article
	return out
}

// extra judges the calls after throws that decide nothing, and dice that were
// touched before the call.
func (p *bancaPlay) extra(t *table) {
	for i := range t.ev {
		if t.ev[i].Is("chance") && t.beforeOutcome(i) && t.onUndecided(i) {
			t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.AnnouncementWrong, Event: i, Expected: round.Null,
				Observed: t.ev[i].Winner})
		}
	}
	if t.fate != decided {
		return
	}
	touched := game.Find(t.ev, t.outcome, len(t.ev), func(e *round.Event) bool {
		return e.Type == round.Incident && e.Kind == "dice_touched"
	})
	call := game.Find(t.ev, t.outcome, len(t.ev), func(e *round.Event) bool { return e.Is("chance") })
	if touched < 0 || call >= 0 && call < touched {
		return
	}
	p.touched = true
	if call >= 0 {
		t.say(finding.AnnouncementOrder, call)
	}
	first := game.Find(t.ev, 0, len(t.ev), func(e *round.Event) bool {
		s := t.stakes[game.PlaceOf(e)]
		return e.Type == round.Collect && s != nil && s.total() > 0 && p.settle(t, s).Outcome == round.Push
	})
	if first >= 0 {
		t.add(t.rules.Articles.Null, round.Finding{Code: finding.IrregularityIgnored, Event: first})
	}
}

func (p *bancaPlay) result(t *table) any {
	out := map[string]any{"sum": p.sum, "chance": nil}
	if c := p.r.winner(p.sum); c != nil && t.fate == decided {
		out["chance"] = c.Spot
	}
	return out
}

func (p *bancaPlay) next(t *table) any { return bets{t.staying()} }

func (p *bancaPlay) truth(_ *table, e *round.Event) verdictOfCall {
	if e.Is("total") {
		return totalCall(e, p.sum)
	}
	if truth := p.r.winner(p.sum).Spot; e.Winner != truth {
		return wrongCall(truth, e.Winner)
	}
	return verdictOfCall{}
}
