package wheels

import (
	"errors"
	"fmt"

	"vision/internal/money"
	"vision/validate/round"
)

// Fortuna is the wheel of fortune.
type Fortuna struct {
	Cells   []Cell `yaml:"cells" json:"cells"`
	Maximum int    `yaml:"maximum" json:"maximum,omitempty"` // times the minimum; 0: the table's own
	pockets map[string]*Cell
	spots   map[string]*Cell
}

// Cell is one kind of cell of the wheel.
type Cell struct {
	Pocket string `yaml:"pocket" json:"pocket"` // as the wheel sensor says it
	Spot   string `yaml:"spot" json:"spot"`
	Count  int    `yaml:"count" json:"count"` // cells of this kind on the wheel
	Pay    `yaml:",inline"`
}

func (f *Fortuna) check() error {
	f.pockets, f.spots = map[string]*Cell{}, map[string]*Cell{}
	for i := range f.Cells {
		c := &f.Cells[i]
		if c.Count < 1 || c.Pocket == "" || c.Spot == "" || f.pockets[c.Pocket] != nil || f.spots[c.Spot] != nil {
			return fmt.Errorf("fortuna.cells[%d]: want a count, and pocket and spot that no other cell has", i)
		}
		f.pockets[c.Pocket], f.spots[c.Spot] = c, c
	}
	if len(f.Cells) == 0 {
		return errors.New("fortuna.cells: missing")
	}
	return nil
}

func (f *Fortuna) play(settings) play { return &fortunaPlay{r: f} }

// fortunaSpots are the spots of all wheels of fortune.
var fortunaSpots = map[string]bool{
	"pos:24": true, "pos:15": true, "pos:7": true, "pos:4": true, "pos:2": true, "figura:1": true, "figura:2": true,
	"valor:1": true, "valor:2": true, "valor:5": true, "valor:10": true, "valor:20": true, "valor:40": true,
}

type fortunaPlay struct {
	base
	r   *Fortuna
	hit *Cell
}

func (p *fortunaPlay) knows(spot string) bool { return fortunaSpots[spot] || p.r.spots[spot] != nil }

func (p *fortunaPlay) shot(e *round.Event) error {
	if p.r.pockets[e.Pocket] == nil && e.Pocket != "??" {
		return fmt.Errorf("this wheel has no cell %q", e.Pocket)
	}
	return nil
}

func (p *fortunaPlay) read(e *round.Event) { p.hit = p.r.pockets[e.Pocket] }

func (p *fortunaPlay) admits(_ *table, s *stake) bool { return p.r.spots[s.Spot] != nil }

func (p *fortunaPlay) limits(t *table, _ *stake) limit {
	l := limit{min: t.Rec.Table.Min, max: t.Rec.Table.Max}
	if p.r.Maximum > 0 {
		l.max = t.Rec.Table.Min * money.Cents(p.r.Maximum)
	}
	return l
}

func (p *fortunaPlay) settle(_ *table, s *stake) line {
	c := p.r.spots[s.Spot]
	return either(c == p.hit, s, c.Pay)
}

func (p *fortunaPlay) result(*table) any { return map[string]any{"combination": p.hit.Pocket} }

func (p *fortunaPlay) truth(_ *table, e *round.Event) verdictOfCall {
	if e.Combination != p.hit.Pocket {
		return wrongCall(p.hit.Pocket, e.Combination)
	}
	return verdictOfCall{}
}
