package card

import (
	"testing"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/shared"
)

// In one place there is one card; of two different readings of it neither is sure.
func TestOneCardPerPlace(t *testing.T) {
	at := func(x float64) fact.Quad { return fact.Quad{{x, 0}, {x + 63, 0}, {x + 63, 88}, {x, 88}} }
	card := func(x float64, abstain string, guesses ...fact.Guess) fact.Card {
		return fact.Card{Quad: at(x), Abstain: abstain, Guesses: guesses}
	}
	g := func(label string, p float64) fact.Guess { return fact.Guess{Label: label, P: p} }
	for name, c := range map[string]struct {
		in      []fact.Card
		n       int
		label   string
		abstain string
	}{
		"two suits":             {[]fact.Card{card(0, "", g("2s", 0.999)), card(3, "", g("2c", 0.993))}, 1, "2s", "unsure"},
		"two ranks":             {[]fact.Card{card(0, "", g("6h", 0.95)), card(2, "", g("9h", 0.99))}, 1, "9h", "unsure"},
		"twice the same":        {[]fact.Card{card(0, "", g("6h", 0.95)), card(2, "", g("6h", 0.99))}, 1, "6h", ""},
		"one that is not sure":  {[]fact.Card{card(0, "unsure", g("6h", 0.5)), card(2, "", g("9h", 0.99))}, 1, "9h", ""},
		"the same, other order": {[]fact.Card{card(2, "", g("9h", 0.99)), card(0, "unsure", g("6h", 0.5))}, 1, "9h", ""},
		"an index shows":        {[]fact.Card{card(0, "", g("6h", 0.95)), card(13, "", g("9h", 0.99))}, 2, "6h", ""},
		"a back below":          {[]fact.Card{card(0, "", g("BK", 0.99)), card(2, "", g("9h", 0.99))}, 2, "BK", ""},
	} {
		got := onePerPlace(c.in)
		if len(got) != c.n || got[0].Guesses[0].Label != c.label || got[0].Abstain != c.abstain {
			t.Errorf("%s: %+v", name, got)
		}
	}
	one, other := card(0, "", g("2s", 0.8), g("2c", 0.2)), card(1, "", g("2c", 0.6), g("2s", 0.4))
	if got := onePerPlace([]fact.Card{one, other}); got[0].Guesses[0].P != 0.6000000000000001 &&
		got[0].Guesses[0].P != 0.6 {
		t.Errorf("guesses %+v", got[0].Guesses)
	}
}

// On a photograph that was read twice no two sure readings lie in one place.
func TestAPhotographIsReadOnce(t *testing.T) {
	img, err := cv.ReadImage(shared.Dir(t, "reports", "card-read-twice.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	cards, err := reader(t).Read(img, Hint{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range cards {
		for _, b := range cards[:i] {
			if iou(a.Quad, b.Quad) > 0.5 {
				t.Errorf("%v and %v lie in one place", a.Guesses, b.Guesses)
			}
		}
	}
	if len(cards) != 4 {
		t.Errorf("%d cards; want 4", len(cards))
	}
}
