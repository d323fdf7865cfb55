package narrate

import (
	"fmt"
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// A Game as the tracker needs it: what its round consists of and who deals what where.
// What the course means for money is the rules engine's to decide.
//
// A new game is an entry in games.go. Its zones and spots are in its layout
// (calibration/layout); narrate is one of the courses that games share (narrateDeal,
// narrateSpin), or code of its own where the course demands it.
type Game struct {
	codes []string // in the round record
	// Closing is the call that closes the bets; "" where the first card does.
	Closing string
	// Point: a throw may set what later throws mean, until a seven.
	Point bool
	scene.Course
	Dealing
	Paying
	// narrate writes the events of a scene of this game.
	narrate func(*Narration)
}

// Dealing is how the cards of a round come.
type Dealing struct {
	// deal is the order of zones in which the first cards are dealt, where it
	// is always the same; "seats" stands for every seat's hand, ascending
	// ("seats/x" for its zones "seat:N/x"), and "x to the end" for all cards of
	// the zone x.
	deal []string
	// Points: cards count by their points and colour alone, so that tens and courts of
	// a colour are alike.
	Points bool
	// least is the fewest cards with which a deal can be decided, of the zone counted, or of all.
	least   int
	counted string
	// upTo21: hands are played to 21, one over it is lost at once, and chips show decisions.
	upTo21 bool
	// open are the findings of a deal that still goes on.
	open []finding.Code
	// decides is the zone whose card decides; "" where the last card of all does. again is the
	// spot, and the part of the zones, of a second phase that follows ("" for none).
	decides, again string
	// over are the calls after which a deal does not go on.
	over []string
}

// Paying is how bets are laid and settled.
type Paying struct {
	// Pushed: winnings are pushed to the player (zone "seat:N pay") and not laid beside
	// the stake.
	Pushed bool
	// ahead: chips laid while the round is being settled are bets of the next one;
	// otherwise they are late.
	ahead bool
	// Bank are the spots of the player who keeps the bank and of his associates:
	// their money goes to and fro with every stake.
	Bank []string
	// spoken are the calls of a player that name his bet: what he lays where the
	// value announces is the bet of that name.
	spoken map[string]string
	// order is that of movements that the camera cannot separate in time.
	order settleOrder
}

// GameByCode is a game by its code in the round record.
func GameByCode(code string) (*Game, error) {
	for _, g := range games {
		if slices.Contains(g.codes, code) {
			return g, nil
		}
	}
	return nil, fmt.Errorf("track: game %q cannot be followed by camera yet", code)
}

// games are those that can be followed by camera: those of one entry differ in nothing
// that the tracker must know, for what lies where and opens when is the rulebook's. They are played
// with cards where their course has no other kind.
var games = []*Game{
	{
		codes: []string{"blackjack"}, narrate: narrateDeal,
		Dealing: Dealing{
			deal: []string{"seats", "bank", "seats"}, least: 2, counted: "bank", upTo21: true,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"puntos_banca"},
		},
		Paying: Paying{order: settleOrder{kinds: []movement{{}}, down: true}}, // box numbers never rise
	},
	{
		codes: []string{"punto_banco"}, Closing: "no_va_mas", narrate: narrateDeal,
		Dealing: twoHands,
	},
	{ // a player keeps the bank, and his money lies before him
		codes: []string{"baccara_chemin_de_fer"}, Closing: "no_va_mas", narrate: narrateDeal,
		Dealing: twoHands,
		Paying: Paying{
			Bank:   []string{"banca", "asociado", "abono"},
			spoken: map[string]string{"banco": "punto", "banco_seguido": "punto", "mesa": "punto"},
		},
	},
	{
		codes: []string{"baccara_dos_panos"}, Closing: "no_va_mas", narrate: narrateDeal,
		Dealing: Dealing{
			Points: true, deal: []string{"pano1", "pano2", "banca", "pano1", "pano2", "banca"}, least: 6,
			open: []finding.Code{finding.StoodMustDraw},
		},
		Paying: Paying{Bank: []string{"banca"}},
	},
	{ // two rows are dealt on common places
		codes: []string{"treinta_cuarenta"}, narrate: narrateDeal,
		Dealing: Dealing{
			Points: true, deal: []string{"negro to the end", "rojo to the end"}, least: 8,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"suertes"},
		},
		Paying: Paying{order: settleOrder{kinds: []movement{
			{of: round.Collect}, {of: round.Pay, on: []string{"color", "inverso"}}, {of: round.Pay},
		}}},
	},
	{ // boxes from the highest down, tie bets after them
		codes: []string{"casino_monte"}, Closing: "no_va_mas", narrate: narrateDeal,
		Dealing: Dealing{
			deal: []string{"seats", "bank", "seats/revancha", "bank/revancha"}, least: 2,
			open: []finding.Code{finding.CardCountWrong}, decides: "bank", again: "revancha",
		},
		Paying: Paying{order: settleOrder{kinds: []movement{{on: []string{"inicial", "revancha"}}, {}}, down: true}},
	},
	{
		codes: []string{"monte_banca"}, Closing: "no_va_mas", narrate: narrateMonteBanca,
		Course:  scene.Course{Opens: "primera_carta", Laid: "hagan_juego"},
		Dealing: Dealing{deal: []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4"}},
		Paying:  Paying{Pushed: true, order: collectFirst},
	},
	{
		codes: []string{
			"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus",
			"poker_holdem_banca", "poker_cuatro_cartas", "poker_con_descarte", "texas_poker",
		},
		Closing: "no_va_mas", narrate: narrateHousePoker,
	},
	{
		codes: []string{
			"holdem_circulo", "omaha_circulo", "omaha_5_circulo", "omaha_hilo_circulo", "doble_holdem_circulo",
			"poker_sintetico", "poker_descubierto_5", "poker_descubierto_7", "poker_cubierto_5",
		},
		narrate: narrateRingPoker,
		Course:  scene.Course{Held: true},
		Paying:  Paying{Pushed: true},
	},
	{
		codes: []string{"dados_craps"}, Closing: "no_va_mas", Point: true, narrate: narrateCraps,
		Course: scene.Course{Kind: scene.ByDice, Dice: 2},
		Paying: Paying{ahead: true},
	},
	{
		codes:   []string{"ruleta_francesa", "ruleta_americana", "ruleta_americana_doble_cero", "boule"},
		Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByWheel, Names: []string{"number"}},
		Paying: Paying{Pushed: true, order: roulette},
	},
	{
		codes: []string{"ruleta_fortuna"}, Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByWheel, Names: []string{"combination"}},
		Paying: Paying{Pushed: true, order: collectFirst},
	},
	{
		codes: []string{"sic_bo"}, Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Shaken: true},
		Paying: Paying{Pushed: true, order: collectFirst},
	},
	{ // the aces' stakes are collected before the others; what decides: cantabria-2010 A.9
		codes: []string{"banca_francesa_dados"}, Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Deciding: []int{3, 5, 6, 7, 14, 15, 16}},
		Paying: Paying{Pushed: true, order: settleOrder{kinds: []movement{
			{of: round.Collect, on: []string{"ases"}}, {of: round.Collect}, {of: round.Pay},
		}}},
	},
}

// twoHands is the deal of punto y banca.
var twoHands = Dealing{
	Points: true, deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
	open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
}

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
