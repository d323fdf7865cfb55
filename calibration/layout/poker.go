package layout

import "maps"

// The poker cloths. "burn" is where the croupier puts cards aside unseen; at
// the tables among players "pot" holds the chips of the intervals that are
// over, "rake" what the house has deducted until it goes down the slot, and
// what a player wins is pushed to his "pay".

var bankedCloths = map[string]cloth{
	"poker_sin_descarte":  banked(row{cards: []string{"bank"}, most: 5}, spots("seguro", "progresivo"), spots("ante", "second")),
	"poker_trijoker":      banked(row{cards: []string{"comun_der", "comun_izq"}, most: 2}, spots("apuesta_1", "apuesta_2", "apuesta_3")),
	"tripoker":            banked(row{cards: []string{"bank", "board"}, most: 3}, spots("pareja_plus", "fortuna", "progresivo"), spots("ante", "second")),
	"poker_holdem_bonus":  banked(row{cards: []string{"burn", "board", "bank"}, most: 5}, spots("bonus", "ante"), spots("flop", "turn", "river")),
	"poker_holdem_banca":  banked(row{cards: []string{"burn", "board", "bank"}, most: 5}, spots("ante"), spots("flop", "turn", "river")),
	"poker_cuatro_cartas": banked(row{cards: []string{"bank"}, most: 6}, spots("ases", "ante"), spots("play")),
	"poker_con_descarte":  banked(row{cards: []string{"bank"}, most: 7}, spots("jackpot", "ante"), spots("second")),
	"texas_poker":         banked(row{cards: []string{"board", "bank"}, most: 5}, spots("txb", "ante"), spots("second")),
	"pai_gow_poker": {
		{dice: 120}, {cards: []string{"bank"}, most: 7}, {cards: []string{"bank/high", "bank/low"}, most: 5},
		{hands: []string{""}}, {hands: []string{"/high"}}, {hands: []string{"/low"}}, spots("apuesta"),
	},
}

var circleCloths = map[string]cloth{
	"holdem_circulo":       circle("burn", "board"),
	"omaha_circulo":        circle("burn", "board"),
	"omaha_5_circulo":      circle("burn", "board"),
	"omaha_hilo_circulo":   circle("burn", "board"),
	"doble_holdem_circulo": circle("burn", "board1", "board2"),
	"poker_sintetico":      circle("burn", "board"),
	"poker_descubierto_5":  circle("burn"),
	"poker_descubierto_7":  circle("burn", "board"),
	"poker_cubierto_5":     circle("opener_discard"),
}

func spots(names ...string) row { return row{seats: names, deep: 2} }

// banked is the cloth of a game against the house: the croupier's cards, then
// each seat's cards and below them its spots.
func banked(common row, bets ...row) cloth {
	return append(cloth{common, {hands: []string{""}}}, bets...)
}

// circle is the cloth of a game among the players, with the chips that a player
// bets between his cards and the pot.
func circle(common ...string) cloth {
	return cloth{
		{cards: common, most: 5}, {chips: []string{"pot", "rake"}, wide: []float64{2, 1}, deep: 2},
		spots("bote"), {hands: []string{""}}, spots("pay"),
	}
}

// withPokers adds the poker cloths to the templates.
func withPokers(all map[string]func(Dims) Layout) map[string]func(Dims) Layout {
	for _, family := range []map[string]cloth{bankedCloths, circleCloths} {
		for game, c := range maps.All(family) {
			all[game] = c.layout
		}
	}
	return all
}
