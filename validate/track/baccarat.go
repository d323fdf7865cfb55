package track

import (
	"vision/validate/finding"
)

// baccaratGames are the baccarats: of punto y banca the house keeps the bank, of the
// others a player, whose money lies before him (spot "banca").
var baccaratGames = []*game{
	{
		code: "punto_banco", course: cards, points: true, closing: "no_va_mas",
		deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
		open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"}, narrate: tellDeal,
	},
	{
		code: "baccara_chemin_de_fer", course: cards, points: true, closing: "no_va_mas",
		deal: []string{"punto", "banca", "punto", "banca"}, least: 4, open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
		bank:   []string{"banca", "asociado", "abono"},
		spoken: map[string]string{"banco": "punto", "banco_seguido": "punto", "mesa": "punto"}, narrate: tellDeal,
	},
	{
		code: "baccara_dos_panos", course: cards, points: true, closing: "no_va_mas",
		deal:  []string{"pano1", "pano2", "banca", "pano1", "pano2", "banca"},
		least: 6, open: []finding.Code{finding.StoodMustDraw}, bank: []string{"banca"}, narrate: tellDeal,
	},
}
