package measure

import (
	"testing"

	"vision/internal/fact"
	"vision/recognize/still"
)

// What no reader knows is no stack that was found; one that was found and not counted is.
func TestThingsUnreadAreNotEvaluated(t *testing.T) {
	stack := func(reason string) still.Placed {
		return still.Placed{Kind: still.Chips, Zone: "layout", Place: "pleno:17",
			Found: still.Found{Label: still.Abstained, Reason: reason, Low: 1, High: 3}}
	}
	got := byZone([]still.Placed{stack(fact.Unread), stack("unsure")})
	for _, zone := range []string{"layout", "pleno:17"} {
		if n := len(got[zone].Stacks); n != 1 {
			t.Errorf("%s: %d stacks, want the one that was found", zone, n)
		}
	}
}
