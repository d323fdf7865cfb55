package ornament

import (
	"math/rand/v2"
)

// House is how one house signs its cloths and chips.
type House struct {
	Name   string // invented, in capitals
	Emblem Emblem
	Font   Font
}

var names = []string{"GRAN CASINO BAHÍA", "CASINO DE LA VEGA", "CASINO MIRADOR", "GRAN CASINO ALAMEDA", "CASINO DEL FARO", "CASINO LA MURALLA",
	"CASINO LOS TILOS", "REAL CASINO MARINA"}

// HouseOf is the house of a seed.
func HouseOf(seed uint64) House {
	rng := rand.New(rand.NewPCG(seed, 0x40a5e))
	return House{
		Name:   names[rng.IntN(len(names))],
		Emblem: Emblem(rng.IntN(int(emblems))),
		Font:   Font(rng.IntN(int(fonts))),
	}
}
