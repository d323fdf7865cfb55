package wheels

import (
	"fmt"
	"strings"

	"vision/internal/money"
	"vision/validate/round"
)

// Boule pays nine numbers and simple chances; on the five every simple chance loses.
type Boule struct {
	Number Pay `yaml:"number" json:"number"`
	Simple Pay `yaml:"simple" json:"simple"`
}

func (b *Boule) check() error { return nil }

func (b *Boule) play(settings) play { return &boulePlay{r: b} }

// bouleSimples are the numbers of the simple chances.
var bouleSimples = map[string]pockets{
	"rojo": set(2, 4, 7, 9), "negro": set(1, 3, 6, 8),
	"par": set(2, 4, 6, 8), "impar": set(1, 3, 7, 9),
	"falta": set(1, 2, 3, 4), "pasa": set(6, 7, 8, 9),
}

type boulePlay struct {
	base
	r      *Boule
	number int
}

func bouleNumber(s string) (int, bool) {
	n, ok := pocketNumber(s)
	return n, ok && n >= 1 && n <= 9
}

func (p *boulePlay) knows(spot string) bool {
	if n, ok := strings.CutPrefix(spot, "numero:"); ok {
		_, ok := bouleNumber(n)
		return ok
	}
	return bouleSimples[spot] != 0
}

func (p *boulePlay) shot(e *round.Event) error {
	if _, ok := bouleNumber(e.Pocket); !ok && e.Pocket != "??" {
		return fmt.Errorf("boule has no number %q", e.Pocket)
	}
	return nil
}

func (p *boulePlay) read(e *round.Event) { p.number, _ = bouleNumber(e.Pocket) }

func (p *boulePlay) limits(t *table, s *stake) limit {
	times := t.set.maxSimple
	if strings.HasPrefix(s.Spot, "numero:") {
		times = t.set.maxNumero
	}
	return limit{min: t.Rec.Table.Min, max: t.Rec.Table.Min * money.Cents(times)}
}

func (p *boulePlay) settle(_ *table, s *stake) line {
	cover, pay := bouleSimples[s.Spot], p.r.Simple
	if n, ok := strings.CutPrefix(s.Spot, "numero:"); ok {
		k, _ := bouleNumber(n)
		cover, pay = set(k), p.r.Number
	}
	return either(cover.has(p.number), s, pay)
}

func (p *boulePlay) result(*table) any { return numberResult(p.number, bouleSimples) }

func (p *boulePlay) truth(_ *table, e *round.Event) verdictOfCall {
	return numberCall(e, p.number, bouleSimples)
}
