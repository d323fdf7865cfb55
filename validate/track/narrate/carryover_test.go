package narrate

import (
	"testing"

	"vision/validate/track/scene"
)

func TestCarryOn(t *testing.T) {
	const (
		one  = `{"bets":[{"seat":1,"spot":"grande","amount":1000}]}`
		both = `{"bets":[{"seat":1,"spot":"grande","amount":1000}],` +
			`"or":[{"point":4},{"prison":[{"seat":2,"spot":"rojo","stake":500}]}]}`
		neither = `{"bets":[{"seat":1,"spot":"grande","amount":1}],` +
			`"or":[{"bets":[{"seat":2,"spot":"grande","amount":1}]}]}`
	)
	chips := scene.Count{Total: 500}
	for _, c := range []struct {
		name, carry string
		opening     map[scene.Place]scene.Count
		want        string
	}{
		{"one state stays", one, nil, one},
		{"an empty table", both, nil, `{"point":4}`},
		{
			"the chips of one state", both, map[scene.Place]scene.Count{{Seat: 2, Spot: "rojo"}: chips},
			`{"or":[{"prison":[{"seat":2,"spot":"rojo","stake":500}]}],"point":4}`,
		},
		{
			"chips under a hand", both, map[scene.Place]scene.Count{{Seat: 1, Spot: "grande"}: {Hidden: true}},
			`{"bets":[{"seat":1,"spot":"grande","amount":1000}],"or":[{"point":4}]}`,
		},
		{
			"the chips of all", both,
			map[scene.Place]scene.Count{{Seat: 1, Spot: "grande"}: chips, {Seat: 2, Spot: "rojo"}: chips}, both,
		},
		{"no state fits", neither, nil, neither},
		{"nothing beside chips", `{"bets":[{"seat":1,"spot":"grande","amount":1}],"or":[{}]}`, nil, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := CarryOver{Raw: []byte(c.carry)}.On(c.opening)
			if string(got.Raw) != c.want {
				t.Errorf("carry %s, want %s", got.Raw, c.want)
			}
		})
	}
}
