package recognize

import (
	"os"
	"strings"
	"testing"

	"vision/capture/sim"
	"vision/capture/sim/condition"
)

// conditioned is the set that VISION_CONDITIONS names, or else name, with only the parts
// that VISION_PARTS names, divided by commas, or else parts.
func conditioned(t *testing.T, name string, parts ...string) condition.Set {
	t.Helper()
	if other := os.Getenv("VISION_CONDITIONS"); other != "" {
		name = other
	}
	if other := os.Getenv("VISION_PARTS"); other != "" {
		parts = strings.Split(other, ",")
	}
	set, err := condition.Named(name)
	if err == nil && len(parts) > 0 {
		set, err = set.Only(parts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Stacks of chips in use: faded, scratched, askew, of a house's own design, of which the
// calibration tells no more than the colours (VISION_DESK takes another seed).
func TestStillStacksInUse(t *testing.T) {
	all, right, wrong, lost := 0, 0, 0, 0
	for _, c := range []struct {
		name  string
		mixed bool
	}{{"alike", false}, {"mixed", true}} {
		for _, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
			t.Run(c.name+"/"+game, func(t *testing.T) {
				s, tab := deskOf(t, sim.Config{Game: game, Seed: 37, Condition: conditioned(t, condition.House, "chips")})
				got := stacksOn(t, s, tab, c.mixed)
				t.Log(got)
				all, right, wrong, lost = all+got.all(), right+got.right, wrong+got.wrong, lost+got.lost
			})
		}
	}
	if 30*wrong > all || 30*lost > all || 8*right < 7*all {
		t.Errorf("of %d stacks %d right, %d wrong, %d not found; want seven eighths right, at most one in 30 wrong and one in 30 not found", all, right, wrong, lost)
	}
}
