package narrate

import (
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// treintaGames is treinta y cuarenta, of which two rows are dealt on common places.
var treintaGames = []*Game{
	{
		code: "treinta_cuarenta", narrate: narrateDeal,
		Course: scene.Course{Kind: scene.ByCards},
		Dealing: Dealing{
			Points: true, deal: []string{"negro to the end", "rojo to the end"}, least: 8,
			open: []finding.Code{finding.StoodMustDraw}, over: []string{"suertes"},
		},
		Paying: Paying{order: coloursFirst},
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
