package monte_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/round"
)

// laying is how the first cards of monte o banca come out, before the four
// places hold 5O, RE, 2B and SK; then 6O, which is camo of nothing, is uncovered
// after the camo of the first place, 5K.
func laying(t *testing.T, before string) *round.Record {
	t.Helper()
	var ev []string
	add := func(format string, args ...any) {
		ev = append(ev, fmt.Sprintf(`{"t":%d,`, len(ev))+fmt.Sprintf(format, args...)+"}")
	}
	for step := range strings.SplitSeq(before, "; ") {
		w := strings.Fields(step)
		switch {
		case len(w) == 0:
		case w[0] == "lay":
			add(`"type":"card","zone":"emplazado:%s","card":%q,"face":"up"`, w[1], w[2])
		case w[0] == "put":
			add(`"type":"card","zone":"discard","card":%q,"face":"up"`, w[1])
		case w[0] == "burn" && len(w) > 1:
			add(`"type":"burn","count":1,"card":%q`, w[1])
		case w[0] == "burn":
			add(`"type":"burn","count":1`)
		case w[0] == "both":
			add(`"type":"burn","count":2`)
		}
	}
	for k, c := range []string{"5O", "RE", "2B", "SK"} {
		if strings.Contains(before, fmt.Sprintf("lay %d", k+1)) {
			ev = slices.Insert(ev, k, fmt.Sprintf(`{"t":0,"type":"announce","by":"croupier","call":%q}`, placeNames[k]))
		} else {
			add(`"type":"announce","by":"croupier","call":%q`, placeNames[k])
		}
		add(`"type":"card","zone":"emplazado:%d","card":%q,"face":"up"`, k+1, c)
	}
	add(`"type":"announce","by":"croupier","call":"hagan_juego"`)
	add(`"type":"bet","seat":1,"spot":"vis:1","amount":100`)
	add(`"type":"announce","by":"croupier","call":"no_va_mas"`)
	add(`"type":"card","zone":"descubiertas","card":"5K","face":"up"`)
	for i := range ev {
		ev[i] = fmt.Sprintf(`{"t":%d,`, i) + ev[i][strings.Index(ev[i], ",")+1:]
	}
	return rounds.Of(t, "andalucia-2010", "monte_banca", `{"id":"M","min":100}`, strings.Join(ev, ","))
}

var placeNames = []string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta"}

// TestEqualFirstPair: the first two cards of one value are burned, laid on the
// places or not, and each burned card takes a point off vista hermosa (I.1.13
// VI.1.a and c, L7428-7433 with L7478-7480; VI.2.h, L7543-7547).
func TestEqualFirstPair(t *testing.T) {
	for _, c := range []struct {
		what, before string
		odds         int64 // of vista hermosa; 0: the round is void
		burned       int
		want         string
	}{
		{"none", "", 32, 0, ""},
		{"laid and burned", "lay 1 7O; lay 2 7E; burn 7O; burn 7E", 30, 2, ""},
		{"laid and burned in the other order", "lay 1 7O; lay 2 7E; burn 7E; burn 7O", 30, 2, ""},
		{"laid and burned unseen", "lay 1 7O; lay 2 7E; burn; burn", 30, 2, ""},
		{"laid and burned at once", "lay 1 7O; lay 2 7E; both", 30, 2, ""},
		{"laid and put into the discard", "lay 1 7O; lay 2 7E; put 7O; put 7E", 30, 2, ""},
		{"burned from the pack", "burn 7O; burn 7E", 30, 2, ""},
		{"put aside from the pack", "put 7O; put 7E", 30, 2, ""},
		{"the second is never laid", "lay 1 7O; burn 7E; burn 7O", 30, 2, ""},
		{"the first is never laid", "burn 7O; lay 1 7E; burn 7E", 30, 2, ""},
		{"a second pair", "burn 7O; burn 7E; burn 4O; burn 4E", 28, 4, ""},
		{"a second pair, laid", "burn 7O; burn 7E; lay 1 4O; lay 2 4E; burn 4O; burn 4E", 28, 4, ""},
		{"four of one value", "burn 7O; burn 7E; burn 7K; burn 7B", 0, 0, ""},
		{"of different value", "burn 7O; burn 4E", 32, 0, "burn_wrong 0/1; burn_wrong 0/1"},
		{"burned unseen", "burn; burn", 32, 0, "burn_wrong 0/1; burn_wrong 0/1"},
		{"a single one", "burn 7O", 32, 0, "burn_wrong 0/1"},
		{"put aside though different", "put 7O; put 4E", 32, 0, ""},
		{"three of them", "burn 7O; burn 7E; burn 4O", 30, 2, "burn_wrong 0/1"},
	} {
		v := rounds.Cited(t, laying(t, c.before))
		if v.Void != (c.odds == 0) {
			t.Errorf("%s: void is %v", c.what, v.Void)
			continue
		}
		if c.odds > 0 {
			if got := int64(v.Settlement[0].Pays); got != 100*c.odds {
				t.Errorf("%s: vista hermosa pays %d, want %d", c.what, got, 100*c.odds)
			}
			if got := v.Result.(map[string]any)["quemados"]; got != c.burned {
				t.Errorf("%s: %v burned, want %d", c.what, got, c.burned)
			}
		}
		if got := brief(v.Findings); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	for what, before := range map[string]string{
		"laid and left":           "lay 1 7O; lay 2 7E",
		"one of them burned only": "lay 1 7O; lay 2 7E; burn 7O",
		"the second burned only":  "lay 1 7O; burn 7E",
		"another burned instead":  "lay 1 7O; lay 2 7E; burn 4B",
	} {
		if got := brief(rounds.Cited(t, laying(t, before)).Findings); !strings.Contains(got, "irregularity_ignored -/7E") {
			t.Errorf("%s: %s", what, got)
		}
	}
}
