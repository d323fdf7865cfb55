package hypothesis

import (
	"testing"
	"time"

	"vision/validate/track/scene"
)

// Hypotheses that fix the same have one key, in whatever order they came to it; others
// have others.
func TestAKeyNamesWhatIsFixed(t *testing.T) {
	paid := Choice{Kind: PaidFor, Place: scene.Place{Seat: 1, Spot: scene.PaySpot}}
	counted, removed := Choice{Kind: ChipsCounted, Item: 3}, Choice{Kind: TakenAway, Item: 2}
	stake, spot := Alternative{Odds: 0.2, Total: 4500}, Alternative{Odds: 1, Spot: "rojo"}
	at := Alternative{Odds: 0.5, At: time.Unix(1000, 5)}
	one := Likeliest.With(paid, spot).With(counted, stake).With(removed, at)
	if other := Likeliest.With(removed, at).With(counted, stake).With(paid, spot); one.Key() != other.Key() {
		t.Errorf("keys %q and %q", one.Key(), other.Key())
	}
	for name, h := range map[string]Hypothesis{
		"fewer":          Likeliest.With(paid, spot).With(counted, stake),
		"another spot":   Likeliest.With(paid, Alternative{Odds: 1, Spot: "negro"}).With(counted, stake).With(removed, at),
		"another amount": Likeliest.With(paid, spot).With(counted, Alternative{Odds: 0.2, Total: 4501}).With(removed, at),
		"another time":   Likeliest.With(paid, spot).With(counted, stake).With(removed, Alternative{Odds: 0.5, At: time.Unix(1000, 6)}),
	} {
		if h.Key() == one.Key() {
			t.Errorf("%s: the same key %q", name, h.Key())
		}
	}
}
