package track

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// circleGames are the baccarat games in which a player keeps the bank. Its money
// lies before him (spot "banca").
var circleGames = []*game{
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

// bank are the movements of the bank's money: what it wins is laid to it, whole
// or less the deduction; what it loses is taken from it. All else its banker does.
func (k *settler) bank(moves []move) {
	e := k.entry
	if e.Outcome == round.Lose {
		left := e.Stake - e.Returns
		for _, m := range moves {
			if m.delta < 0 && left > 0 {
				k.tell(round.Collect, min(-m.delta, left), m)
				left += m.delta
			}
		}
		return
	}
	if e.Outcome != round.Win {
		return
	}
	var paid money.Cents
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
			paid += m.delta
		case -m.delta == e.Commission || paid > 0 && -m.delta < e.Pays/4:
			k.tell(round.Commission, -m.delta, m)
		default:
			return // the banker takes his money
		}
	}
}

// parts are the movements of a stake of which one part wins and another loses:
// what is taken up to the lost part is collected, and what is laid is paid. One
// movement of the difference is both.
func (k *settler) parts(moves []move, lost money.Cents) {
	if m := moves[0]; m.delta == k.entry.Pays-lost && m.delta != 0 && prefix(moves, k.entry.Pays) == 0 {
		k.tell(round.Collect, lost, m)
		k.tell(round.Pay, k.entry.Pays, m)
		return
	}
	left := lost
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
			k.paid += m.delta
		case left > 0 && -m.delta <= left:
			k.tell(round.Collect, -m.delta, m)
			left += m.delta
		} // else the owner takes his chips
	}
}
