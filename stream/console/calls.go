package console

import (
	"fmt"
	"strconv"
)

// Calls of the games on layouts and of the card games with common hands.

func open(who string) Call {
	return say("hagan_juego", "Hagan juego", "Place your bets").by(who).main()
}

func noMore() Call { return say("no_va_mas", "No va más", "No more bets").main() }

func hechas() Call { return say("hechas_apuestas", "¿Hechas las apuestas?", "Bets placed?").main() }

func zones(names ...string) (zs []Zone) {
	for _, n := range names {
		zs = append(zs, Zone{n, n, n})
	}
	return zs
}

// shoe are the events of a shoe: every game dealt from one has them.
func shoe() []Call {
	return []Call{event("shuffle", "Barajada", "Shuffle"), event("cut", "Corte", "Cut"), event("cut_card", "Carta de corte", "Cut card")}
}

// layoutCalls are the buttons of games on a layout that all seats share; nil
// for other games.
func layoutCalls(game string) []Call {
	switch game {
	case "boule":
		return []Call{open("jefe"), hechas(), noMore(), bouleNumber().main(), say("null_throw", "Bola nula", "Null ball").by("jefe")}
	case "ruleta_fortuna":
		return []Call{open("croupier"), hechas(), noMore(), combination().main(), say("null_throw", "Jugada nula", "Null spin").by("jefe")}
	case "sic_bo":
		return []Call{open("croupier"), noMore(), say("total", "Suma", "Total").points(3, 18), say("null_throw", "Tirada nula", "Null throw")}
	case "banca_francesa_dados":
		return []Call{open("croupier"), noMore(), say("chance", "Sale", "Result").winners("pequeno", "grande", "ases").main(),
			say("null_throw", "Tirada nula", "Null throw")}
	}
	return nil
}

// handCalls are the buttons of card games with common hands; nil for others.
func handCalls(game string) []Call {
	var calls []Call
	switch game {
	case "treinta_cuarenta":
		calls = []Call{open("croupier"), say("puntos", "Puntos", "Points").in(zones("negro", "rojo")...).points(31, 40).main(), suertes().main(),
			prison()}
	case "baccara_chemin_de_fer":
		calls = []Call{say("hay_banca", "Hay banca", "The bank is").main(), noMore(),
			say("banco", "Banco", "Banco").by("player").seats(), say("mesa", "Banco con la mesa", "Half the bank").by("player").seats(),
			say("carta", "Carta", "Card").by("player").in(zones("punto")...).main(), say("no", "No", "No").by("player").in(zones("punto")...).main(),
			say("ganador", "Gana", "Winner").winners("punto", "banca", "empate"), act("cuadro", "Pide el cuadro", "Asks for the table"),
			say("cartas_pasan", "Las cartas pasan", "The cards pass"), say("abono_diferencia", "Abono la diferencia", "I cover the rest").by("player").seats()}
	case "baccara_dos_panos":
		cloths := zones("pano1", "pano2")
		calls = []Call{noMore(), say("carta", "Carta", "Card").by("player").in(cloths...).main(), say("no", "No", "No").by("player").in(cloths...).main(),
			say("puntos", "Puntos", "Points").in(zones("pano1", "pano2", "banca")...).points(0, 9).main(),
			act("cuadro", "Pide el cuadro", "Asks for the table"), say("hay_banca", "Hay banca", "The bank is")}
	case "casino_monte":
		calls = []Call{open("croupier"), noMore(), act("surrender", "No va a la revancha", "Declines the second card"),
			burned(1, 3).main(), say("ultima_jugada", "Última jugada", "Last hand")}
	case "monte_banca":
		calls = []Call{say("primera_carta", "Primera carta", "First card").main(), say("segunda_carta", "Segunda carta", "Second card").main(),
			say("tercera_carta", "Tercera carta", "Third card").main(), say("cuarta_carta", "Cuarta carta", "Fourth card").main(), open("croupier"), noMore()}
	default:
		return nil
	}
	return append(calls, shoe()...)
}

// bouleNumber is the call of the nine numbers with their simple chances.
func bouleNumber() Call {
	c := say("number", "Número", "Number")
	for n := 1; n <= 9; n++ {
		args, class := map[string]any{"number": strconv.Itoa(n)}, "verde"
		if n != 5 {
			class = "negro"
			args["color"], args["parity"], args["half"] = "negro", "impar", "falta"
			if n == 2 || n == 4 || n == 7 || n == 9 {
				class = "rojo"
				args["color"] = class
			}
			if n%2 == 0 {
				args["parity"] = "par"
			}
			if n > 5 {
				args["half"] = "pasa"
			}
		}
		c.Choices = append(c.Choices, Choice{Label: strconv.Itoa(n), Class: class, Args: args})
	}
	return c
}

// combination is the call of the wheel of fortune. In Cantabria the jefe de mesa
// makes it and the wheel has values; elsewhere positions and two figures.
func combination() Call {
	c := say("combination", "Combinación", "Combination").by("jefe")
	for _, code := range []string{"1", "2", "5", "10", "20", "40", "24", "15", "7", "4", "figura:1", "figura:2"} {
		c.Choices = append(c.Choices, Choice{Label: code, Args: map[string]any{"combination": code}})
	}
	return c
}

// suertes is what has won at treinta y cuarenta.
func suertes() Call {
	c := say("suertes", "Suertes", "Winning chances")
	for _, row := range []string{"negro", "rojo"} {
		for _, color := range []string{"color", "inverso"} {
			c.Choices = append(c.Choices, Choice{Label: row + " y " + color, Class: row, Args: map[string]any{"winner": row, "color": color}})
		}
	}
	c.Choices = append(c.Choices, Choice{Label: "nulo", Args: map[string]any{"winner": "nulo"}})
	return c
}

// prison is a player's decision at 31 against 31.
func prison() Call {
	c := act("prison", "A prisión", "To prison")
	c.Zones = zones("negro", "rojo", "color", "inverso")
	return c
}

// burned are cards put aside.
func burned(from, to int) Call {
	c := event("burn", "Quema", "Burns")
	for n := from; n <= to; n++ {
		c.Choices = append(c.Choices, Choice{Label: fmt.Sprint(n), Args: map[string]any{"count": n}})
	}
	return c
}
