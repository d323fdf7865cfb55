package script

import "slices"

// rackless are the games without a bank's rack: roulettes are played in colours that come from stacks, and where a
// player keeps the bank, or all play for one pot, players win one another's chips.
var rackless = []string{
	"baccara_chemin_de_fer", "baccara_dos_panos", "doble_holdem_circulo", "holdem_circulo", "omaha_5_circulo",
	"omaha_circulo", "omaha_hilo_circulo", "poker_cubierto_5", "poker_descubierto_5", "poker_descubierto_7",
	"poker_sintetico", "ruleta_americana", "ruleta_americana_doble_cero", "ruleta_francesa",
}

// Racked reports whether the bank's chips stand in a rack at the tables of a game.
func Racked(game string) bool { return !slices.Contains(rackless, game) }

// HandTime is how long a hand takes at least from one place to the next, seconds.
const HandTime = 0.76
