package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/round"
)

// The wheel and dice games on a layout that all seats share.
var spinGames = map[string]kind{
	"ruleta_francesa": {play: frenchRoulette.play, faults: rouletteFaults, house: map[string]any{"panos": 1}},
	"ruleta_americana": {
		play:   americanRoulette.play,
		faults: slices.Concat(rouletteFaults, []Fault{WrongOrder}),
	},
	"ruleta_americana_doble_cero": {
		play:   doubleZeroRoulette.play,
		faults: slices.Concat(rouletteFaults, []Fault{WrongOrder}),
	},
	"boule":          {play: boule.play, faults: rouletteFaults},
	"ruleta_fortuna": {play: fortune.play, faults: rouletteFaults},
	"sic_bo": {
		play:   sicBo.play,
		faults: []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser, LateBet, WrongCall},
	},
	"banca_francesa_dados": {
		play: bancaFrancesa.play,
		faults: []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser, LateBet,
			WrongCall, MissingCall, PayBefore, WrongOrder},
	},
}

// boule: nine numbers; the five beats every even chance entirely.
var boule = &spin{
	opener: round.Jefe, asks: true,
	draw: func(t *table) string { return strconv.Itoa(1 + t.rng.IntN(9)) },
	place: func(t *table) (string, int) {
		if t.maybe(0.5) {
			return fmt.Sprintf("numero:%d", 1+t.rng.IntN(9)), 1 + t.rng.IntN(3)
		}
		return one(t, []string{"rojo", "negro", "par", "impar", "falta", "pasa"}), 1 + t.rng.IntN(5)
	},
	room: always(4), half: never,
	odds: func(_ *table, name, outcome string, stake money.Cents) money.Cents {
		if name == "numero:"+outcome {
			return 7 * stake
		}
		if e := bouleCall(outcome); name == e.Color || name == e.Parity || name == e.Half {
			return stake
		}
		return 0
	},
	call:  bouleCall,
	wrong: func(t *table, outcome string) string { return strconv.Itoa((sumOf(outcome)+t.rng.IntN(8))%9 + 1) },
	last:  func(_ *table, outcome string) string { return "numero:" + outcome },
}

// bouleCall is the number with its even chances; the five has none.
func bouleCall(outcome string) round.Event {
	e := round.Event{Call: "number", Number: round.Text(outcome)}
	n := sumOf(outcome)
	if n == 5 {
		return e
	}
	e.Color, e.Parity, e.Half = "negro", "impar", "falta"
	if slices.Contains([]int{2, 4, 7, 9}, n) {
		e.Color = "rojo"
	}
	if n%2 == 0 {
		e.Parity = "par"
	}
	if n > 5 {
		e.Half = "pasa"
	}
	return e
}

// fortuneCells are how often each value stands on Cantabria's wheel of 64 cells, in
// about that proportion.
var fortuneCells = strings.Fields("1 1 1 1 1 1 1 1 2 2 2 2 2 5 5 10 20 40")

// fortune: the wheel of fortune; a value pays itself to one.
var fortune = &spin{
	opener: round.Croupier, asks: true,
	draw: func(t *table) string { return one(t, fortuneCells) },
	place: func(t *table) (string, int) {
		return "valor:" + one(t, fortuneCells), 1 + t.rng.IntN(5)
	},
	room: always(5), half: never,
	odds: func(_ *table, name, outcome string, stake money.Cents) money.Cents {
		if name != "valor:"+outcome {
			return 0
		}
		n, _ := strconv.Atoi(outcome)
		return money.Cents(n) * stake
	},
	call: func(outcome string) round.Event {
		return round.Event{Call: "combination", By: round.Jefe, Combination: outcome}
	},
	wrong: func(t *table, outcome string) string {
		return one(t, without([]string{"1", "2", "5", "10", "20", "40"}, outcome))
	},
	last: func(_ *table, outcome string) string { return "valor:" + outcome },
}

// sicBo: three dice in a shaker; the house pays by the default table of the rules.
var sicBo = &spin{
	opener: round.Croupier, free: true, dice: 3, kept: true,
	place: sicBoPlace, room: always(2), half: never, odds: sicBoOdds,
	call: func(outcome string) round.Event {
		return round.Event{Call: "total", Points: new(sumOf(outcome))}
	},
	wrong: func(t *table, outcome string) string {
		if sum := sumOf(outcome); sum < 18 {
			return facesOf(facesWith(sum + 1))
		}
		return "566"
	},
	last: func(t *table, _ string) string { return fmt.Sprintf("total:%d", 4+t.rng.IntN(14)) },
}

// facesWith are three faces with a sum.
func facesWith(sum int) []int {
	for a := 1; a <= 6; a++ {
		for b := a; b <= 6; b++ {
			if c := sum - a - b; c >= b && c <= 6 {
				return []int{a, b, c}
			}
		}
	}
	return nil
}

func sicBoPlace(t *table) (string, int) {
	a, b := 1+t.rng.IntN(5), 0
	b = a + 1 + t.rng.IntN(6-a)
	name := one(t, []string{"pequena", "grande", fmt.Sprintf("unica:%d", a), fmt.Sprintf("doble:%d", b), fmt.Sprintf("triple:%d", a),
		"cualquier_triple", fmt.Sprintf("total:%d", 4+t.rng.IntN(14)), fmt.Sprintf("combinacion:%d-%d", a, b)})
	return name, 1 + t.rng.IntN(3)
}

func sicBoOdds(_ *table, name, outcome string, stake money.Cents) money.Cents {
	kind, n, _ := strings.Cut(name, ":")
	times := strings.Count(outcome, n)
	triple := outcome[0] == outcome[2]
	sum := sumOf(outcome)
	switch {
	case kind == "triple" && times == 3:
		return 180 * stake
	case kind == "cualquier_triple" && triple:
		return 30 * stake
	case kind == "doble" && times >= 2:
		return 10 * stake
	case kind == "total" && n == strconv.Itoa(sum):
		return []money.Cents{60, 30, 18, 12, 8, 7, 6, 6, 7, 8, 12, 18, 30, 60}[sum-4] * stake
	case kind == "pequena" && sum <= 10 && !triple, kind == "grande" && sum >= 11 && !triple:
		return stake
	case kind == "combinacion" && strings.Contains(outcome, n[:1]) && strings.Contains(outcome, n[2:]):
		return 5 * stake
	case kind == "unica":
		return money.Cents(times) * stake
	}
	return 0
}

// bancaFrancesa: three dice, thrown until they make ases, pequeño or grande.
var bancaFrancesa = &spin{
	opener: round.Croupier, free: true, dice: 3, first: "ases",
	undecided: func(outcome string) bool { return chanceOf(outcome) == "" },
	place: func(t *table) (string, int) {
		name := one(t, []string{"pequeno", "grande", "pequeno", "grande", "pequeno_linea", "grande_linea", "ases"})
		return name, 2 + 2*t.rng.IntN(3)
	},
	room: always(6),
	odds: func(_ *table, name, outcome string, stake money.Cents) money.Cents {
		chance, line := strings.CutSuffix(name, "_linea")
		switch {
		case chance != chanceOf(outcome):
			return 0
		case chance == "ases":
			return 61 * stake
		case line:
			return stake / 2
		}
		return stake
	},
	half: func(name, outcome string) bool {
		chance, line := strings.CutSuffix(name, "_linea")
		return line && chance != chanceOf(outcome)
	},
	call: func(outcome string) round.Event { return round.Event{Call: "chance", Winner: chanceOf(outcome)} },
	wrong: func(_ *table, outcome string) string {
		if chanceOf(outcome) == "grande" {
			return "115"
		}
		return "466"
	},
	last: func(t *table, _ string) string { return one(t, []string{"pequeno", "grande"}) },
}

// chanceOf is what three dice make; "" when they are thrown again.
func chanceOf(outcome string) string {
	switch sum := sumOf(outcome); {
	case sum == 3:
		return "ases"
	case sum >= 5 && sum <= 7:
		return "pequeno"
	case sum >= 14 && sum <= 16:
		return "grande"
	}
	return ""
}
