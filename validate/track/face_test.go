package track

import (
	"testing"

	"vision/internal/fact"
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
	points, ranks := &game{points: true}, &game{}
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
			for g, want := range map[*game]string{points: c.points, ranks: c.ranks} {
				if got, _ := g.face(c.guesses, c.abstain); got.String() != want {
					t.Errorf("by points %v: told as %s, want %s", g.points, got, want)
				}
			}
		})
	}
}

// What a card may be instead is weighed against all that it may be alike.
func TestOtherCardsThanThoseThatCountTheSame(t *testing.T) {
	sl := &slot{guesses: []fact.Guess{{Label: "Qh", P: 0.4}, {Label: "Kh", P: 0.4}, {Label: "9h", P: 0.1}}, abstain: "unsure"}
	if ws := (&game{}).otherCards(sl); ws != nil {
		t.Errorf("a card that is told as unread has other readings: %+v", ws)
	}
	ws := (&game{points: true}).otherCards(sl)
	if len(ws) < 3 || ws[1].card.String() != "9h" || ws[1].odds > 0.13 || ws[1].odds < 0.12 {
		t.Errorf("other readings %+v; want the nine at one to eight", ws)
	}
}

// A court that is named for those that count the same is no second reading of
// which court it is.
func TestShoeBesideACardThatCountsTheSame(t *testing.T) {
	sure := []fact.Guess{{Label: "Qh", P: 0.98}}
	vague := []fact.Guess{{Label: "Qh", P: 0.35}, {Label: "Kd", P: 0.3}, {Label: "Th", P: 0.2}}
	for name, c := range map[string]struct {
		slot slot
		want int
	}{
		"read":        {slot{guesses: sure}, 1},
		"hardly read": {slot{guesses: vague, abstain: "unsure"}, 0},
	} {
		sc := &scene{game: &game{points: true}, slots: []slot{c.slot}, items: []happening{{kind: cardSeen, slot: 0, zone: "punto"}}}
		if vs := shoeAgainst(sc, []string{"Kd"}); len(vs) != c.want {
			t.Errorf("%s: %d variances, want %d", name, len(vs), c.want)
		}
	}
}

// Where a back lay, a face that is only in doubt of its suit is turned; what may as
// well be the back is not.
func TestAFaceInDoubtIsNoBack(t *testing.T) {
	g := func(label string, p float64) fact.Guess { return fact.Guess{Label: label, P: p} }
	for name, c := range map[string]struct {
		guesses []fact.Guess
		abstain string
		want    bool
	}{
		"nine of ten are faces":        {[]fact.Guess{g("As", 0.7), g("Ac", 0.25)}, "unsure", true},
		"one court or the other":       {[]fact.Guess{g("Jd", 0.47), g("Kd", 0.44), g("Qd", 0.08)}, "unsure", true},
		"one court or the back":        {[]fact.Guess{g("Jd", 0.47), g("BK", 0.44), g("Qd", 0.08)}, "unsure", false},
		"the back is named, and least": {[]fact.Guess{g("As", 0.63), g("Ac", 0.17), g("BK", 0.009), g("3s", 0.003)}, "unsure", true},
		"it is less likely than those": {[]fact.Guess{g("As", 0.6), g("Ac", 0.2), g("3s", 0.01), g("4s", 0.005)}, "unsure", true},
		"it may be what is missing":    {[]fact.Guess{g("As", 0.6), g("Ac", 0.2)}, "unsure", false},
		"it may be the back":           {[]fact.Guess{g("As", 0.6), g("Ac", 0.16), g("BK", 0.1)}, "unsure", false},
		"it may be anything":           {[]fact.Guess{g("As", 0.55), g("BK", 0.01), g("3s", 0.01)}, "unsure", false},
		"covered":                      {[]fact.Guess{g("As", 0.95)}, "occluded", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := faceUp(fact.Card{Guesses: c.guesses, Abstain: c.abstain}); got != c.want {
				t.Errorf("shows a face: %v, want %v", got, c.want)
			}
		})
	}
}
