package narrate

import (
	"vision/validate/finding"
	"vision/validate/track/scene"
)

// baccaratGames are the baccarats: of punto y banca the house keeps the bank, of the
// others a player, whose money lies before him (spot "banca").
var baccaratGames = []*Game{
	{
		code: "punto_banco", Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
		},
	},
	{
		code: "baccara_chemin_de_fer", Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"punto", "banca", "punto", "banca"}, least: 4,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"ganador"},
		},
		Paying: Paying{
			Bank:   []string{"banca", "asociado", "abono"},
			spoken: map[string]string{"banco": "punto", "banco_seguido": "punto", "mesa": "punto"},
		},
	},
	{
		code: "baccara_dos_panos", Closing: "no_va_mas", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"pano1", "pano2", "banca", "pano1", "pano2", "banca"}, least: 6,
			open: []finding.Code{finding.StoodMustDraw},
		},
		Paying: Paying{Bank: []string{"banca"}},
	},
}
