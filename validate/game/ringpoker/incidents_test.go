package ringpoker_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// TestTouchNamesTwoHands: an incident between hands that does not name two of
// the hand's players is refused, so that it never ends one of them only.
func TestTouchNamesTwoHands(t *testing.T) {
	for _, c := range []struct{ args, path string }{
		{`"zone":"seat:2"`, "with"},
		{`"seats":[2]`, "seats"},
		{`"zone":"seat:2","with":[2]`, "with"},
		{`"zone":"seat:2","with":[9]`, "with"},
		{`"zone":"board","with":[2,3]`, "zone"},
		{`"zone":"board1","seats":[2,3]`, "zone"},
		{`"seats":[2,3],"card_no":1`, "card_no"},
	} {
		raw := `{"schema":"round/1","id":"t","norm":"andalucia-2010","game":"holdem_circulo","table":{"id":"C","min":200,"options":{"marca":3,"players":[1,2,3]}},"events":[{"t":0,"type":"incident","kind":"cards_touch",` + c.args + `}]}`
		rounds.Refused(t, rounds.Parse(t, raw), "events[0]."+c.path)
	}
}
