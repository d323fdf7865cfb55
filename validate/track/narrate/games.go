package narrate

import (
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// games are those that can be followed by camera, by code: those of one entry differ in nothing
// that the tracker must know, for what lies where and opens when is the rulebook's.
var games = index(
	family(Game{
		narrate: narrateDeal,
		Course:  scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			deal: []string{"seats", "bank", "seats"}, least: 2, counted: "bank", upTo21: true,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"puntos_banca"},
		},
		Paying: Paying{order: settleOrder{kinds: []movement{{}}, down: true}}, // box numbers never rise
	}, "blackjack"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
		},
	}, "punto_banco"),
	family(Game{ // a player keeps the bank, and his money lies before him
		Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
		},
		Paying: Paying{
			Bank:   []string{"banca", "asociado", "abono"},
			spoken: map[string]string{"banco": "punto", "banco_seguido": "punto", "mesa": "punto"},
		},
	}, "baccara_chemin_de_fer"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"pano1", "pano2", "banca", "pano1", "pano2", "banca"}, least: 6,
			open: []finding.Code{finding.StoodMustDraw},
		},
		Paying: Paying{Bank: []string{"banca"}},
	}, "baccara_dos_panos"),
	family(Game{ // two rows are dealt on common places
		narrate: narrateDeal,
		Course:  scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"negro to the end", "rojo to the end"}, least: 8,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"suertes"},
		},
		Paying: Paying{order: settleOrder{kinds: []movement{
			{of: round.Collect}, {of: round.Pay, on: []string{"color", "inverso"}}, {of: round.Pay},
		}}},
	}, "treinta_cuarenta"),
	family(Game{ // boxes from the highest down, tie bets after them
		Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			deal: []string{"seats", "bank", "seats/revancha", "bank/revancha"}, least: 2,
			open: []finding.Code{finding.CardCountWrong}, decides: "bank", again: "revancha",
		},
		Paying: Paying{order: settleOrder{kinds: []movement{{on: []string{"inicial", "revancha"}}, {}}, down: true}},
	}, "casino_monte"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateMonteBanca,
		Course:  scene.Course{Kind: scene.ByCards, Opens: "primera_carta", Laid: "hagan_juego"},
		Dealing: Dealing{deal: []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4"}},
		Paying:  Paying{Pushed: true, order: collectFirst},
	}, "monte_banca"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateHousePoker,
		Course: scene.Course{Kind: scene.ByCards},
	}, "poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus",
		"poker_holdem_banca", "poker_cuatro_cartas", "poker_con_descarte", "texas_poker"),
	family(Game{
		narrate: narrateRingPoker,
		Course:  scene.Course{Kind: scene.ByCards, Held: true},
		Paying:  Paying{Pushed: true},
	}, "holdem_circulo", "omaha_circulo", "omaha_5_circulo", "omaha_hilo_circulo", "doble_holdem_circulo",
		"poker_sintetico", "poker_descubierto_5", "poker_descubierto_7", "poker_cubierto_5"),
	family(Game{
		Closing: "no_va_mas", Point: true, narrate: narrateCraps,
		Course: scene.Course{Kind: scene.ByDice, Dice: 2},
		Paying: Paying{ahead: true},
	}, "dados_craps"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByWheel, Names: []string{"number"}},
		Paying: Paying{Pushed: true, order: roulette},
	}, "ruleta_francesa", "ruleta_americana", "ruleta_americana_doble_cero", "boule"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByWheel, Names: []string{"combination"}},
		Paying: Paying{Pushed: true, order: collectFirst},
	}, "ruleta_fortuna"),
	family(Game{
		Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Shaken: true},
		Paying: Paying{Pushed: true, order: collectFirst},
	}, "sic_bo"),
	family(Game{ // the aces' stakes are collected before the others; what decides: cantabria-2010 A.9
		Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Deciding: []int{3, 5, 6, 7, 14, 15, 16}},
		Paying: Paying{Pushed: true, order: settleOrder{kinds: []movement{
			{of: round.Collect, on: []string{"ases"}}, {of: round.Collect}, {of: round.Pay},
		}}},
	}, "banca_francesa_dados"),
)

// collectFirst is the order of a layout on which all that lost is collected before anything is paid.
var collectFirst = settleOrder{kinds: []movement{{of: round.Collect}, {of: round.Pay}}}

// roulette is that of two cloths (nacional-1979 01): columns and dozens, simple chances, streets
// and lines, corners and splits, plenos.
var roulette = settleOrder{kinds: []movement{
	{of: round.Collect},
	{of: round.Pay, on: []string{"columna", "docena", "doble_columna", "doble_docena"}},
	{of: round.Pay, on: []string{"rojo", "negro", "par", "impar", "falta", "pasa"}},
	{of: round.Pay, on: []string{"transversal", "seisena"}},
	{of: round.Pay, on: []string{"cuadro", "cuadro_especial", "caballo"}},
	{of: round.Pay},
}}

// family are games that are followed alike.
func family(like Game, codes ...string) (gs []*Game) {
	for _, code := range codes {
		g := like
		g.code = code
		gs = append(gs, &g)
	}
	return gs
}

func index(families ...[]*Game) map[string]*Game {
	m := map[string]*Game{}
	for _, family := range families {
		for _, g := range family {
			m[g.code] = g
		}
	}
	return m
}
