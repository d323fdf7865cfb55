package wheels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
