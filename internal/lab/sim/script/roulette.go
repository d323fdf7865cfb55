package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/round"
)

// rouletteFaults are the faults of French roulette.
var rouletteFaults = []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser, LateBet, WrongCall,
	MissingCall, PayBefore, CloseTooLate}

// wheelOrder is the order of the pockets on the cylinder.
var wheelOrder = []int{
	0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22,
	18, 29, 7, 28, 12, 35, 3, 26,
}

var blackNumbers = []int{2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35}

// frenchRoulette is played at a table with one layout.
var frenchRoulette = &spin{
	opener: round.Croupier,
	draw:   func(t *table) string { return strconv.Itoa(wheelOrder[t.rng.IntN(37)]) },
	place:  roulettePlace, room: rouletteRoom, odds: rouletteOdds, half: zeroHalf, call: numberCall,
	wrong: func(t *table, outcome string) string {
		n, _ := strconv.Atoi(outcome)
		at := slices.Index(wheelOrder, n)
		return strconv.Itoa(wheelOrder[(at+1+t.rng.IntN(35))%37])
	},
	last: onNumber,
}

// americanRoulette pays seat by seat in the order of its norm.
var americanRoulette = func() *spin {
	g := *frenchRoulette
	g.rank = americanRank
	return &g
}()

// doubleZeroRoulette has the pocket 00 and the bets of its own.
var doubleZeroRoulette = func() *spin {
	g := *americanRoulette
	g.draw = func(t *table) string {
		if n := t.rng.IntN(38); n < 37 {
			return strconv.Itoa(n)
		}
		return "00"
	}
	g.wrong = func(t *table, outcome string) string {
		n, _ := strconv.Atoi(outcome)
		return strconv.Itoa((n+t.rng.IntN(35))%36 + 1)
	}
	g.place = func(t *table) (string, int) {
		if t.maybe(0.15) {
			return one(t, []string{"pleno:00", "pleno:0", "caballo:0-00", "cuadro_especial"}), 1 + t.rng.IntN(3)
		}
		return roulettePlace(t)
	}
	return &g
}()

// roulettePlace picks a place and how many chips go there; even chances get an
// even number, so that half of them can be taken on zero.
func roulettePlace(t *table) (string, int) {
	n := 1 + t.rng.IntN(36)
	switch t.rng.IntN(10) {
	case 0, 1, 2:
		return fmt.Sprintf("pleno:%d", t.rng.IntN(37)), 1 + t.rng.IntN(3)
	case 3:
		if n%3 != 0 {
			return fmt.Sprintf("caballo:%d-%d", n, n+1), 1 + t.rng.IntN(3)
		}
		return fmt.Sprintf("caballo:%d-%d", n-3*(n/34), n-3*(n/34)+3), 1 + t.rng.IntN(3)
	case 4, 5:
		n = 3*t.rng.IntN(11) + 1 + t.rng.IntN(2)
		return fmt.Sprintf("cuadro:%d-%d-%d-%d", n, n+1, n+3, n+4), 1 + t.rng.IntN(4)
	case 6:
		return fmt.Sprintf("docena:%d", 1+t.rng.IntN(3)), 1 + t.rng.IntN(4)
	case 7:
		return fmt.Sprintf("columna:%d", 1+t.rng.IntN(3)), 1 + t.rng.IntN(4)
	default:
		return one(t, []string{"rojo", "negro", "par", "impar", "falta", "pasa"}), 2 + 2*t.rng.IntN(3)
	}
}

func simple(name string) bool { return !strings.Contains(name, ":") && name != "cuadro_especial" }

// rouletteRoom is one stack on numbers and their borders, three on dozens and
// even chances.
func rouletteRoom(name string) int {
	if simple(name) || strings.HasPrefix(name, "docena") {
		return 3
	}
	return 1
}

// zeroHalf reports whether a place loses only half: an even chance on zero.
func zeroHalf(name, outcome string) bool {
	return simple(name) && (outcome == "0" || outcome == "00")
}

func onNumber(_ *table, outcome string) string { return "pleno:" + outcome }

// numberCall is the number with its winning even chances.
func numberCall(outcome string) round.Event {
	e := round.Event{Call: "number", Number: round.Text(outcome)}
	if n, _ := strconv.Atoi(outcome); n > 0 {
		e.Color, e.Parity, e.Half = chances(n)
	}
	return e
}

func chances(n int) (color, parity, half string) {
	color, parity, half = "rojo", "impar", "falta"
	if slices.Contains(blackNumbers, n) {
		color = "negro"
	}
	if n%2 == 0 {
		parity = "par"
	}
	if n > 18 {
		half = "pasa"
	}
	return
}

func rouletteOdds(_ *table, name, outcome string, stake money.Cents) money.Cents {
	return odds(name, outcome) * stake
}

// odds are what a place pays to one when it holds the outcome; 0 when it loses.
func odds(name, outcome string) money.Cents {
	kind, rest, _ := strings.Cut(name, ":")
	nums := strings.Split(rest, "-")
	n, _ := strconv.Atoi(outcome)
	switch kind {
	case "pleno", "caballo", "cuadro":
		if slices.Contains(nums, outcome) {
			return map[string]money.Cents{"pleno": 35, "caballo": 17, "cuadro": 8}[kind]
		}
	case "cuadro_especial":
		if n <= 3 {
			return 6
		}
	case "docena":
		if n > 0 && strconv.Itoa((n-1)/12+1) == rest {
			return 2
		}
	case "columna":
		if n > 0 && strconv.Itoa((n-1)%3+1) == rest {
			return 2
		}
	default:
		if c, p, h := chances(n); n > 0 && (kind == c || kind == p || kind == h) {
			return 1
		}
	}
	return 0
}

// americanRank is the order in which American roulette pays (cantabria-2010 A.2,
// L560-570); the special cuadro, which is not in the list, is one of the cuadros.
func americanRank(name string) int {
	kind, _, _ := strings.Cut(strings.TrimSuffix(name, "_especial"), ":")
	return slices.Index([]string{"doble_columna", "columna", "pasa", "impar", "negro", "rojo", "par", "falta", "doble_docena",
		"docena", "seisena", "transversal", "cuadro", "caballo", "pleno"}, kind)
}
