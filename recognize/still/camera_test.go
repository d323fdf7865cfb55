package still

import (
	"testing"

	"vision/internal/fact"
	"vision/internal/lab/eval"
)

// What no reader knows is no stack that was found; one that was found and not counted is.
func TestThingsUnreadAreNotEvaluated(t *testing.T) {
	stack := func(reason string) Placed {
		return Placed{Kind: eval.Chips, Zone: "layout", place: "pleno:17", Found: Found{Label: eval.Abstained, Reason: reason, Low: 1, High: 3}}
	}
	got := ByZone([]Placed{stack(fact.Unread), stack("unsure")})
	for _, zone := range []string{"layout", "pleno:17"} {
		if n := len(got[zone].Stacks); n != 1 {
			t.Errorf("%s: %d stacks, want the one that was found", zone, n)
		}
	}
}
