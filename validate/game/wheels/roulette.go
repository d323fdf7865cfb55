package wheels

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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

func (r *Roulette) all() []*rouletteSpot { return slices.Collect(maps.Values(r.spots)) }

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

func numberResult(n int, covers map[string]pockets) map[string]any {
	out := map[string]any{"number": pocketName(n)}
	if c := chancesOf(n, covers); c.color != "" {
		out["color"], out["parity"], out["half"] = c.color, c.parity, c.half
	}
	return out
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
