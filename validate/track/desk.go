package track

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
)

// deskGames are card games whose rows or hands are dealt on common places.
var deskGames = []*game{
	{
		code: "treinta_cuarenta", course: cards, points: true, deal: []string{"negro to the end", "rojo to the end"}, least: 8,
		open: []finding.Code{finding.StoodMustDraw}, over: []string{"suertes"}, order: coloursFirst, narrate: tellDeal,
	},
}

// coloursFirst is the order in which treinta y cuarenta settles: all that lost
// is collected, then color and inverso are paid, then negro and rojo.
func coloursFirst(a, b round.Event) bool {
	if a.Type == round.Pay && b.Type == round.Pay {
		return rankOf(a, "color", "inverso") < rankOf(b, "color", "inverso")
	}
	return collectFirst(a, b)
}

// rankOf is 0 for an event on one of the spots and 1 for another.
func rankOf(e round.Event, spots ...string) int {
	if slices.Contains(spots, e.Spot) {
		return 0
	}
	return 1
}
