package narrate

import (
	"testing"

	"vision/internal/fact"
	"vision/validate/track/scene"
)

// A reader that cannot tell the king from the queen of hearts tells enough
// where both count ten, and not where the rank matters; a ten of the other
// colour, or a nine, is another card in every game.
func TestCardsThatCountTheSame(t *testing.T) {
	guesses := func(list ...any) (g []fact.Guess) {
		for i := 0; i < len(list); i += 2 {
			g = append(g, fact.Guess{Label: list[i].(string), P: list[i+1].(float64)})
		}
		return g
	}
	points, ranks := &Game{Dealing: Dealing{Points: true}}, &Game{}
	for name, c := range map[string]struct {
		guesses []fact.Guess
		abstain string
		points  string
		ranks   string
	}{
		"courts of one colour":  {guesses("Qh", 0.35, "Kd", 0.3, "Th", 0.2), "unsure", "Qh", "??"},
		"courts of two colours": {guesses("Qh", 0.35, "Ks", 0.3, "Tc", 0.2), "unsure", "??", "??"},
		"a nine beside":         {guesses("9h", 0.45, "Th", 0.44), "unsure", "??", "??"},
		"the likelier card":     {guesses("9h", 0.55, "Th", 0.44), "unsure", "9h", "9h"},
		"read":                  {guesses("Qh", 0.98), "", "Qh", "Qh"},
		"a back":                {guesses("BK", 0.98), "", "??", "??"},
		"nothing":               {nil, "occluded", "??", "??"},
	} {
		t.Run(name, func(t *testing.T) {
			for g, want := range map[*Game]string{points: c.points, ranks: c.ranks} {
				if got, _ := g.Face(c.guesses, c.abstain); got.String() != want {
					t.Errorf("by points %v: told as %s, want %s", g.Points, got, want)
				}
			}
		})
	}
}

// What a card may be instead is weighed against all that it may be alike.
func TestOtherCardsThanThoseThatCountTheSame(t *testing.T) {
	sl := &scene.Track{
		Guesses: []fact.Guess{{Label: "Qh", P: 0.4}, {Label: "Kh", P: 0.4}, {Label: "9h", P: 0.1}},
		Abstain: "unsure",
	}
	if ws := (&Game{}).otherCards(sl); ws != nil {
		t.Errorf("a card that is told as unread has other readings: %+v", ws)
	}
	ws := (&Game{Dealing: Dealing{Points: true}}).otherCards(sl)
	if len(ws) < 3 || ws[1].Card.String() != "9h" || ws[1].Odds > 0.13 || ws[1].Odds < 0.12 {
		t.Errorf("other readings %+v; want the nine at one to eight", ws)
	}
}
