package settle

import (
	"vision/validate/game"
	"vision/validate/round"
)

// PaidBeforeCollect finds, among the events in [from, to), the first payment and the
// first collection of a losing bet that comes after it; collect is -1 where there is
// none. Losers are collected before anybody is paid.
func PaidBeforeCollect(events []round.Event, from, to int, loses func(game.Place) bool) (pay, collect int) {
	pay = game.Find(events, from, to, func(e *round.Event) bool { return e.Type == round.Pay })
	if pay < 0 {
		return -1, -1
	}
	return pay, game.Find(events, pay, to, func(e *round.Event) bool {
		return e.Type == round.Collect && loses(game.PlaceOf(e))
	})
}
