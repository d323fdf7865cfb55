package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/text"
)

// The calls of each game.

func open(who string) Call {
	return say("hagan_juego", "Hagan juego", "Place your bets").by(who).main()
}

func noMore() Call { return say("no_va_mas", "No va más", "No more bets").main() }

func hechas() Call { return say("hechas_apuestas", "¿Hechas las apuestas?", "Bets placed?").main() }

func zone(name, es, en string) Zone { return Zone{name, text.Text{ES: es, EN: en}.Localized()} }

func zones(names ...string) (zs []Zone) {
	for _, n := range names {
		zs = append(zs, zone(n, n, n))
	}
	return zs
}

// shoe are the events of a shoe: every game dealt from one has them.
func shoe() []Call {
	return []Call{event("shuffle", "Barajada", "Shuffle"), event("cut", "Corte", "Cut"),
		event("cut_card", "Carta de corte", "Cut card")}
}

// buttons are the calls by game, under a norm: the prescribed ones and those that the
// tracker needs. Whoever adds a game adds its line here.
var buttons = map[string]func(norm string) []Call{
	"ruleta_francesa":             always(rouletteCalls(false)),
	"ruleta_americana":            always(rouletteCalls(false)),
	"ruleta_americana_doble_cero": always(rouletteCalls(true)),
	"boule": always([]Call{open("jefe"), hechas(), noMore(), bouleNumber().main(),
		say("null_throw", "Bola nula", "Null ball").by("jefe")}),
	"ruleta_fortuna": func(norm string) []Call {
		return []Call{open("croupier"), hechas(), noMore(), combination(norm).main(),
			say("null_throw", "Jugada nula", "Null spin").by("jefe")}
	},
	"dados_craps": always([]Call{noMore(), say("total", "Suma", "Total").by("stickman").points(2, 12),
		say("null_throw", "Tirada nula", "Null throw").by("stickman"),
		say("dice_change", "Cambio de dados", "Change of dice").by("stickman")}),
	"sic_bo": always([]Call{open("croupier"), noMore(), say("total", "Suma", "Total").points(3, 18),
		say("null_throw", "Tirada nula", "Null throw")}),
	"banca_francesa_dados": always([]Call{open("croupier"), noMore(),
		say("chance", "Sale", "Result").winners("pequeno", "grande", "ases").main(),
		say("null_throw", "Tirada nula", "Null throw")}),

	"blackjack": always(slices.Concat(blackjackCalls(), shoe(),
		last("Última de la talla", "Last of the shoe"))),
	"punto_banco":           always(slices.Concat(puntoCalls(), shoe(), last("Última jugada", "Last hand"))),
	"treinta_cuarenta":      always(slices.Concat(treintaCalls(), shoe())),
	"baccara_chemin_de_fer": always(slices.Concat(cheminCalls(), shoe())),
	"baccara_dos_panos":     always(slices.Concat(panosCalls(), shoe())),
	"casino_monte": always(slices.Concat([]Call{open("croupier"), noMore(),
		act("surrender", "No va a la revancha", "Declines the second card"), burned(1, 3).main()},
		last("Última jugada", "Last hand"), shoe())),
	"monte_banca": always(slices.Concat(monteCalls(), shoe())),

	"poker_sin_descarte":  always(againstTheHouse()),
	"poker_trijoker":      always(againstTheHouse()),
	"tripoker":            always(againstTheHouse()),
	"poker_cuatro_cartas": always(againstTheHouse()),
	"poker_con_descarte":  always(againstTheHouse()),
	"pai_gow_poker":       always(againstTheHouse(sumOfDice().main())),
	"texas_poker":         always(againstTheHouse(say("texas_bonus", "Texas Bonus", "Texas Bonus").main())),
	"poker_holdem_bonus":  always(againstTheHouse(handsNamed()...)),
	"poker_holdem_banca":  always(againstTheHouse(handsNamed()...)),
}

// always are calls that do not hang on the norm.
func always(calls []Call) func(string) []Call { return func(string) []Call { return calls } }

func last(es, en string) []Call { return []Call{say("ultima_jugada", es, en)} }

func rouletteCalls(doubleZero bool) []Call {
	return []Call{say("hagan_juego", "Hagan juego", "Place your bets"), noMore(), number(doubleZero).main(),
		say("null_throw", "Bola nula", "Null ball").by("jefe")}
}

func puntoCalls() []Call {
	both := []Zone{zone("punto", "Punto", "Punto"), zone("banca", "Banca", "Banca")}
	return []Call{noMore(), say("cartas", "Cartas", "Cards").main(),
		say("puntos", "Puntos", "Points").in(both...).points(0, 9).main(),
		say("carta", "Carta", "Card").in(both...).main(), say("planta", "Planta", "Stands").in(both...).main(),
		say("ganador", "Gana", "Winner").winners("punto", "banca", "empate")}
}

func blackjackCalls() []Call {
	return []Call{say("puntos_mano", "Puntos de la mano", "Hand's points").seats().points(4, 31).main(),
		say("puntos_banca", "Puntos de la banca", "Bank's points").points(4, 26).main(),
		say("seguro", "¿Seguro?", "Insurance?"), act("double", "Dobla", "Doubles"), act("split", "Separa", "Splits"),
		act("surrender", "Se retira", "Surrenders"), act("insure", "Asegura", "Insures")}
}

func treintaCalls() []Call {
	return []Call{open("croupier"), say("puntos", "Puntos", "Points").in(zones("negro", "rojo")...).points(31, 40).main(),
		suertes().main(), prison()}
}

func cheminCalls() []Call {
	return []Call{say("hay_banca", "Hay banca", "The bank is").main(), noMore(),
		say("banco", "Banco", "Banco").by("player").seats(),
		say("mesa", "Banco con la mesa", "Half the bank").by("player").seats(),
		say("carta", "Carta", "Card").by("player").in(zones("punto")...).main(),
		say("no", "No", "No").by("player").in(zones("punto")...).main(),
		say("ganador", "Gana", "Winner").winners("punto", "banca", "empate"),
		act("cuadro", "Pide el cuadro", "Asks for the table"),
		say("cartas_pasan", "Las cartas pasan", "The cards pass"),
		say("abono_diferencia", "Abono la diferencia", "I cover the rest").by("player").seats()}
}

func panosCalls() []Call {
	cloths := zones("pano1", "pano2")
	return []Call{noMore(), say("carta", "Carta", "Card").by("player").in(cloths...).main(),
		say("no", "No", "No").by("player").in(cloths...).main(),
		say("puntos", "Puntos", "Points").in(zones("pano1", "pano2", "banca")...).points(0, 9).main(),
		act("cuadro", "Pide el cuadro", "Asks for the table"), say("hay_banca", "Hay banca", "The bank is")}
}

func monteCalls() []Call {
	return []Call{say("primera_carta", "Primera carta", "First card").main(),
		say("segunda_carta", "Segunda carta", "Second card").main(),
		say("tercera_carta", "Tercera carta", "Third card").main(),
		say("cuarta_carta", "Cuarta carta", "Fourth card").main(), open("croupier"), noMore()}
}

// againstTheHouse are the calls of a poker against the house, with some of its own.
func againstTheHouse(own ...Call) []Call {
	void := say("jugada_anulada", "Jugada anulada", "Round void")
	return slices.Concat([]Call{open("croupier"), noMore()}, own, []Call{void})
}

// sumOfDice is the sum of the three dice of pai gow.
func sumOfDice() Call {
	c := say("suma_dados", "Suma de los dados", "Sum of the dice")
	for n := 3; n <= 18; n++ {
		c.Choices = append(c.Choices, Choice{Label: strconv.Itoa(n), Args: map[string]any{"number": strconv.Itoa(n)}})
	}
	return c
}

// handsNamed are the calls that name the hands of hold'em, the bank's and each player's.
func handsNamed() []Call {
	bank := say("bank_hand", "Mano de la banca", "Bank's hand").main()
	player := say("player_hand", "Mano del jugador", "Player's hand").seats().main()
	for _, code := range []string{"carta_alta", "pareja", "doble_pareja", "trio", "escalera", "color", "full", "poquer",
		"escalera_color", "escalera_real"} {
		c := Choice{Label: strings.ReplaceAll(code, "_", " "), Args: map[string]any{"category": code}}
		bank.Choices, player.Choices = append(bank.Choices, c), append(player.Choices, c)
	}
	return []Call{bank, player}
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

// combination is the call of the wheel of fortune. In Cantabria the jefe de mesa makes it
// and the wheel has values (A.13.V); elsewhere the croupier, positions and two figures.
func combination(norm string) Call {
	c := say("combination", "Combinación", "Combination")
	codes := []string{"24", "15", "7", "4", "2", "figura:1", "figura:2"}
	if norm == "cantabria-2010" {
		c, codes = c.by("jefe"), []string{"1", "2", "5", "10", "20", "40"}
	}
	for _, code := range codes {
		c.Choices = append(c.Choices, Choice{Label: code, Args: map[string]any{"combination": code}})
	}
	return c
}

// suertes is what has won at treinta y cuarenta.
func suertes() Call {
	c := say("suertes", "Suertes", "Winning chances")
	for _, row := range []string{"negro", "rojo"} {
		for _, color := range []string{"color", "inverso"} {
			c.Choices = append(c.Choices, Choice{Label: row + " y " + color, Class: row,
				Args: map[string]any{"winner": row, "color": color}})
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
