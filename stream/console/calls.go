package console

import "slices"

// The calls of each game.

func open(who string) Call {
	return say("hagan_juego", "Hagan juego", "Place your bets").by(who).main()
}

func noMore() Call { return say("no_va_mas", "No va más", "No more bets").main() }

func hechas() Call { return say("hechas_apuestas", "¿Hechas las apuestas?", "Bets placed?").main() }

func last(es, en string) Call { return say("ultima_jugada", es, en) }

// withShoe are calls, and the events of a shoe: every game dealt from one has them.
func withShoe(calls ...Call) []Call {
	return append(calls, event("shuffle", "Barajada", "Shuffle"), event("cut", "Corte", "Cut"),
		event("cut_card", "Carta de corte", "Cut card"))
}

// buttons are the calls by game, or by norm and game where a norm has others: the prescribed ones
// and those that the tracker needs. Whoever adds a game adds its line here.
var buttons = map[string][]Call{
	"ruleta_francesa":             roulette("0"),
	"ruleta_americana":            roulette("0"),
	"ruleta_americana_doble_cero": roulette("0", "00"),
	"boule": {open("jefe"), hechas(), noMore(),
		say("number", "Número", "Number").pockets(numbers(1, 9), []string{"5"}, "2", "4", "7", "9").main(),
		say("null_throw", "Bola nula", "Null ball").by("jefe")},
	"ruleta_fortuna": fortune("croupier", "24", "15", "7", "4", "2", "figura:1", "figura:2"),
	// There the jefe de mesa makes the call and the wheel has values (A.13.V).
	"cantabria-2010 ruleta_fortuna": fortune("jefe", "1", "2", "5", "10", "20", "40"),
	"dados_craps": {noMore(), say("total", "Suma", "Total").by("stickman").points(2, 12),
		say("null_throw", "Tirada nula", "Null throw").by("stickman"),
		say("dice_change", "Cambio de dados", "Change of dice").by("stickman")},
	"sic_bo": {open("croupier"), noMore(), say("total", "Suma", "Total").points(3, 18),
		say("null_throw", "Tirada nula", "Null throw")},
	"banca_francesa_dados": {open("croupier"), noMore(),
		say("chance", "Sale", "Result").choose("winner", "pequeno", "grande", "ases").main(),
		say("null_throw", "Tirada nula", "Null throw")},

	"blackjack": append(withShoe(say("puntos_mano", "Puntos de la mano", "Hand's points").seats().points(4, 31).main(),
		say("puntos_banca", "Puntos de la banca", "Bank's points").points(4, 26).main(),
		say("seguro", "¿Seguro?", "Insurance?"), act("double", "Dobla", "Doubles"), act("split", "Separa", "Splits"),
		act("surrender", "Se retira", "Surrenders"), act("insure", "Asegura", "Insures")),
		last("Última de la talla", "Last of the shoe")),
	"punto_banco": append(withShoe(noMore(), say("cartas", "Cartas", "Cards").main(),
		say("puntos", "Puntos", "Points").in(puntoBanca...).points(0, 9).main(),
		say("carta", "Carta", "Card").in(puntoBanca...).main(), say("planta", "Planta", "Stands").in(puntoBanca...).main(),
		say("ganador", "Gana", "Winner").choose("winner", "punto", "banca", "empate")),
		last("Última jugada", "Last hand")),
	"treinta_cuarenta": withShoe(open("croupier"),
		say("puntos", "Puntos", "Points").in(zones("negro", "rojo")...).points(31, 40).main(),
		suertes().main(), act("prison", "A prisión", "To prison").in(zones("negro", "rojo", "color", "inverso")...)),
	"baccara_chemin_de_fer": withShoe(say("hay_banca", "Hay banca", "The bank is").main(), noMore(),
		say("banco", "Banco", "Banco").by("player").seats(),
		say("mesa", "Banco con la mesa", "Half the bank").by("player").seats(),
		say("carta", "Carta", "Card").by("player").in(zones("punto")...).main(),
		say("no", "No", "No").by("player").in(zones("punto")...).main(),
		say("ganador", "Gana", "Winner").choose("winner", "punto", "banca", "empate"),
		act("cuadro", "Pide el cuadro", "Asks for the table"),
		say("cartas_pasan", "Las cartas pasan", "The cards pass"),
		say("abono_diferencia", "Abono la diferencia", "I cover the rest").by("player").seats()),
	"baccara_dos_panos": withShoe(noMore(),
		say("carta", "Carta", "Card").by("player").in(zones("pano1", "pano2")...).main(),
		say("no", "No", "No").by("player").in(zones("pano1", "pano2")...).main(),
		say("puntos", "Puntos", "Points").in(zones("pano1", "pano2", "banca")...).points(0, 9).main(),
		act("cuadro", "Pide el cuadro", "Asks for the table"), say("hay_banca", "Hay banca", "The bank is")),
	"casino_monte": withShoe(open("croupier"), noMore(),
		act("surrender", "No va a la revancha", "Declines the second card"),
		event("burn", "Quema", "Burns").count("count", 1, 3).main(), last("Última jugada", "Last hand")),
	"monte_banca": withShoe(say("primera_carta", "Primera carta", "First card").main(),
		say("segunda_carta", "Segunda carta", "Second card").main(),
		say("tercera_carta", "Tercera carta", "Third card").main(),
		say("cuarta_carta", "Cuarta carta", "Fourth card").main(), open("croupier"), noMore()),

	"poker_sin_descarte":  againstTheHouse(),
	"poker_trijoker":      againstTheHouse(),
	"tripoker":            againstTheHouse(),
	"poker_cuatro_cartas": againstTheHouse(),
	"poker_con_descarte":  againstTheHouse(),
	"pai_gow_poker": againstTheHouse(
		say("suma_dados", "Suma de los dados", "Sum of the dice").choose("number", numbers(3, 18)...).main()),
	"texas_poker":        againstTheHouse(say("texas_bonus", "Texas Bonus", "Texas Bonus").main()),
	"poker_holdem_bonus": againstTheHouse(handsNamed()...),
	"poker_holdem_banca": againstTheHouse(handsNamed()...),
}

func roulette(zeros ...string) []Call {
	return []Call{say("hagan_juego", "Hagan juego", "Place your bets"), noMore(), number(zeros...).main(),
		say("null_throw", "Bola nula", "Null ball").by("jefe")}
}

// number is the roulette call. The red numbers are those of the cloth (nacional-1979 01, and its
// regional copies).
func number(zeros ...string) Call {
	return say("number", "Número", "Number").pockets(slices.Concat(zeros, numbers(1, 36)), zeros,
		"1", "3", "5", "7", "9", "12", "14", "16", "18", "19", "21", "23", "25", "27", "30", "32", "34", "36")
}

// fortune are the calls of the wheel of fortune, whose combinations somebody calls.
func fortune(who string, combinations ...string) []Call {
	return []Call{open("croupier"), hechas(), noMore(),
		say("combination", "Combinación", "Combination").by(who).choose("combination", combinations...).main(),
		say("null_throw", "Jugada nula", "Null spin").by("jefe")}
}

var puntoBanca = []Zone{zone("punto", "Punto", "Punto"), zone("banca", "Banca", "Banca")}

// againstTheHouse are the calls of a poker against the house, with some of its own.
func againstTheHouse(own ...Call) []Call {
	void := say("jugada_anulada", "Jugada anulada", "Round void")
	return slices.Concat([]Call{open("croupier"), noMore()}, own, []Call{void})
}

// handsNamed are the calls that name the hands of hold'em, the bank's and each player's.
func handsNamed() []Call {
	codes := []string{"carta_alta", "pareja", "doble_pareja", "trio", "escalera", "color", "full", "poquer",
		"escalera_color", "escalera_real"}
	return []Call{say("bank_hand", "Mano de la banca", "Bank's hand").choose("category", codes...).main(),
		say("player_hand", "Mano del jugador", "Player's hand").seats().choose("category", codes...).main()}
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
	return c.choose("winner", "nulo")
}
