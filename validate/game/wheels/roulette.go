package wheels

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// Roulette is what the roulettes differ in.
type Roulette struct {
	DoubleZero bool          `yaml:"double_zero" json:"double_zero,omitempty"`
	Zero       string        `yaml:"zero" json:"zero"`               // simple chances on zero: "half", or "prison" at the player's choice
	Bets       []RouletteBet `yaml:"bets" json:"bets"`               // by class
	Combos     []string      `yaml:"combos" json:"combos,omitempty"` // admitted combinations with a zero
	Options    ComboOptions  `yaml:"option" json:"option,omitzero"`  // those that an option admits
	Maximum    []int         `yaml:"maximum" json:"maximum"`         // of a pleno, times the minimum; three where the house chooses a level
	Short      Short         `yaml:"short" json:"short,omitzero"`    // the abreviada

	spots map[string]*rouletteSpot // the vocabulary, made by check
}

// RouletteBet is one class of bets.
type RouletteBet struct {
	Class  string `yaml:"class" json:"class"` // "pleno" … "simple"
	Pay    `yaml:",inline"`
	Factor int      `yaml:"factor" json:"factor,omitempty"` // its maximum, times that of a pleno
	Parts  []string `yaml:"parts" json:"parts,omitempty"`   // announced bets: one spot for each chip
	Around int      `yaml:"around" json:"around,omitempty"` // announced bets: neighbours on each side
}

// ComboOptions are combinations with a zero by the options that admit them.
type ComboOptions struct {
	Cero map[string][]string `yaml:"combinaciones_cero" json:"combinaciones_cero,omitempty"`
	Doce []string            `yaml:"combinaciones_00" json:"combinaciones_00,omitempty"`
}

// Short is the abreviada: a norm's label for it and the classes that it keeps.
type Short struct {
	Label string   `yaml:"label" json:"label,omitempty"`
	Bets  []string `yaml:"bets" json:"bets,omitempty"`
}

const zeroZero = 37 // the pocket 00

// wheelOrder is the European wheel, clockwise.
var wheelOrder = []int{0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5,
	24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26}

// pockets is a set of pockets.
type pockets uint64

func (p pockets) has(n int) bool { return p>>n&1 == 1 }

func set(ns ...int) pockets {
	var p pockets
	for _, n := range ns {
		p |= 1 << n
	}
	return p
}

func where(fits func(n int) bool) pockets {
	var p pockets
	for n := 1; n <= 36; n++ {
		if fits(n) {
			p |= 1 << n
		}
	}
	return p
}

// black: even digit sum, with 10 and 29 and without 19.
func black(n int) bool { return n == 10 || n == 29 || n != 19 && (n/10+n%10)%2 == 0 }

var simples = map[string]pockets{
	"rojo":  where(func(n int) bool { return !black(n) }),
	"negro": where(black),
	"par":   where(func(n int) bool { return n%2 == 0 }),
	"impar": where(func(n int) bool { return n%2 == 1 }),
	"falta": where(func(n int) bool { return n <= 18 }),
	"pasa":  where(func(n int) bool { return n > 18 }),
}

// rouletteSpot is one spot of the layout.
type rouletteSpot struct {
	class  string
	cover  pockets
	bet    *RouletteBet // nil: the norm has no such bet
	combo  bool         // a combination with a zero, admitted one by one
	chips  int          // of an announced bet
	parts  []*rouletteSpot
	simple bool
}

// layout is the vocabulary of every roulette: all spots that exist somewhere.
func layout() map[string]*rouletteSpot {
	m := map[string]*rouletteSpot{}
	add := func(class string, cover []int, id string) { m[id] = &rouletteSpot{class: class, cover: set(cover...)} }
	name := func(class string, ns ...int) string {
		s := make([]string, len(ns))
		for i, n := range ns {
			s[i] = pocketName(n)
		}
		return class + ":" + strings.Join(s, "-")
	}
	plain := func(class string, ns ...int) { add(class, ns, name(class, ns...)) }
	combo := func(class string, ns ...int) {
		plain(class, ns...)
		m[name(class, ns...)].combo = true
	}
	for n := 0; n <= zeroZero; n++ {
		plain("pleno", n)
	}
	for n := 1; n <= 36; n++ {
		if n%3 != 0 {
			plain("caballo", n, n+1)
		}
		if n <= 33 {
			plain("caballo", n, n+3)
		}
		if n%3 != 0 && n <= 32 {
			plain("cuadro", n, n+1, n+3, n+4)
		}
		if n%3 == 1 {
			plain("transversal", n, n+1, n+2)
			if n <= 31 {
				add("seisena", []int{n, n + 1, n + 2, n + 3, n + 4, n + 5}, name("seisena", n, n+5))
			}
		}
	}
	combo("caballo", 0, 1)
	combo("caballo", 0, 2)
	combo("caballo", 0, 3)
	combo("transversal", 0, 1, 2)
	combo("transversal", 0, 2, 3)
	combo("cuadro", 0, 1, 2, 3)
	combo("caballo", 0, zeroZero)
	combo("caballo", zeroZero, 2)
	combo("caballo", zeroZero, 3)
	combo("transversal", 0, zeroZero, 2)
	combo("transversal", zeroZero, 2, 3)
	thirds(m)
	for s, cover := range simples {
		m[s] = &rouletteSpot{class: "simple", cover: cover, simple: true}
	}
	m["cuadro_especial"] = &rouletteSpot{class: "cuadro_especial", cover: set(0, zeroZero, 1, 2, 3)}
	for _, n := range wheelOrder {
		m[name("vecinos", n)] = &rouletteSpot{class: "vecinos"}
	}
	for _, s := range []string{"serie_grande", "tercio", "huerfanos"} {
		m[s] = &rouletteSpot{class: s}
	}
	return m
}

// thirds adds columns and dozens, single and in adjacent pairs.
func thirds(m map[string]*rouletteSpot) {
	for k := 1; k <= 3; k++ {
		m[fmt.Sprint("columna:", k)] = &rouletteSpot{class: "columna", cover: where(func(n int) bool { return (n-1)%3+1 == k })}
		m[fmt.Sprint("docena:", k)] = &rouletteSpot{class: "docena", cover: where(func(n int) bool { return (n-1)/12+1 == k })}
	}
	for _, class := range []string{"columna", "docena"} {
		for k := 1; k <= 2; k++ {
			a, b := m[fmt.Sprint(class, ":", k)], m[fmt.Sprint(class, ":", k+1)]
			m[fmt.Sprintf("doble_%s:%d-%d", class, k, k+1)] = &rouletteSpot{class: "doble_" + class, cover: a.cover | b.cover}
		}
	}
}

func pocketName(n int) string {
	if n == zeroZero {
		return "00"
	}
	return strconv.Itoa(n)
}

// pocketNumber is the pocket of a name; false when no wheel has it.
func pocketNumber(s string) (int, bool) {
	if s == "00" {
		return zeroZero, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n < zeroZero && strconv.Itoa(n) == s
}

// check joins the layout with the norm's bets.
func (r *Roulette) check() error {
	if r.Zero != "half" && r.Zero != "prison" {
		return fmt.Errorf("roulette.zero: %q: want half or prison", r.Zero)
	}
	if len(r.Maximum) != 1 && len(r.Maximum) != 3 {
		return errors.New("roulette.maximum: want one figure, or three levels")
	}
	r.spots = layout()
	bets := map[string]*RouletteBet{}
	for i := range r.Bets {
		b := &r.Bets[i]
		if bets[b.Class] != nil {
			return fmt.Errorf("roulette.bets: %s is there twice", b.Class)
		}
		if b.Pays.Den == 0 && b.Around == 0 && len(b.Parts) == 0 {
			return fmt.Errorf("roulette.bets: %s: pays: missing", b.Class)
		}
		bets[b.Class] = b
	}
	for _, s := range r.spots {
		s.bet = bets[s.class]
		if s.bet != nil {
			s.bet.Factor = max(s.bet.Factor, 1)
		}
	}
	for class := range bets {
		if !slices.ContainsFunc(r.all(), func(s *rouletteSpot) bool { return s.class == class }) {
			return fmt.Errorf("roulette.bets: no layout has a bet %q", class)
		}
	}
	for _, name := range slices.Concat(r.Combos, r.Options.Doce, r.Options.Cero["caballos"], r.Options.Cero["todas"]) {
		if s := r.spots[name]; s == nil || !s.combo {
			return fmt.Errorf("roulette: %q is no combination with a zero", name)
		}
	}
	return r.announced()
}

func (r *Roulette) play(s settings) play { return &roulettePlay{r: r, set: s} }

func (r *Roulette) all() []*rouletteSpot {
	out := make([]*rouletteSpot, 0, len(r.spots))
	for _, s := range r.spots {
		out = append(out, s)
	}
	return out
}

// announced joins the announced bets with the spots that their chips stand for.
func (r *Roulette) announced() error {
	for id, s := range r.spots {
		if s.bet == nil || s.bet.Around == 0 && len(s.bet.Parts) == 0 {
			if s.cover == 0 && s.bet != nil {
				return fmt.Errorf("roulette.bets: %s needs parts or around", s.class)
			}
			continue
		}
		parts := s.bet.Parts
		if s.bet.Around > 0 {
			_, centre, _ := strings.Cut(id, ":")
			parts = neighbours(centre, s.bet.Around)
		}
		for _, p := range parts {
			part := r.spots[p]
			if part == nil || part.bet == nil || part.cover == 0 {
				return fmt.Errorf("roulette.bets: %s: no bet %q to stand for", s.class, p)
			}
			s.parts = append(s.parts, part)
		}
		s.chips = len(s.parts)
	}
	return nil
}

// neighbours are the plenos of a number and of those beside it on the wheel.
func neighbours(centre string, around int) []string {
	n, _ := pocketNumber(centre)
	at := slices.Index(wheelOrder, n)
	var out []string
	for d := -around; d <= around; d++ {
		k := (at + d + len(wheelOrder)) % len(wheelOrder)
		out = append(out, "pleno:"+pocketName(wheelOrder[k]))
	}
	return out
}

// roulettePlay is one round of roulette.
type roulettePlay struct {
	r      *Roulette
	set    settings
	number int                   // of the outcome
	choice map[game.Place]string // "half" or "prison", said by the player
}

func (p *roulettePlay) dice() int { return 0 }

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

func (p *roulettePlay) decides(*round.Event) bool { return true }

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
		l.May = l.Stake - returns
	}
	return l
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
	if m := t.sums.Of(at); m.Collect.Amount > 0 || m.Return.Amount > t.stakes[at].givenBack {
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

// tooSmall reports whether half is closed to a prisoner: it would be less than
// the table minimum.
func (p *roulettePlay) tooSmall(t *table, s *stake) bool {
	return held(s.carried, s.zeros+1) < t.Rec.Table.Min
}
