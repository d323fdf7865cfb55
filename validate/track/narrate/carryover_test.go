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

// A bet that nobody could count is carried by what is counted where it lay, when the round begins or later;
// what is carried already, is gone or is not counted yet is not.
func TestCarriedIsWhatIsCountedLater(t *testing.T) {
	const known = `{"bets":[{"seat":2,"spot":"win","amount":2500}],"point":8}`
	const both = `{"bets":[{"seat":2,"spot":"win","amount":2500},{"amount":1000,"seat":3,"spot":"win"}],"point":8}`
	p, chips, hidden := scene.Place{Seat: 3, Spot: "win"}, scene.Count{Total: 1000}, scene.Count{Hidden: true, Unread: 1}
	for name, c := range map[string]struct {
		carry string
		place scene.Place
		lay   scene.Count
		later []scene.Count
		want  string
	}{
		"when the round begins":  {known, p, chips, nil, both},
		"later":                  {known, p, hidden, []scene.Count{hidden, chips, {}}, both},
		"never":                  {known, p, hidden, []scene.Count{hidden}, known},
		"gone":                   {known, p, scene.Count{}, []scene.Count{chips}, known},
		"gone since":             {known, p, hidden, []scene.Count{{}, chips}, known},
		"known":                  {known, scene.Place{Seat: 2, Spot: "win"}, chips, nil, known},
		"in each possible state": {`{"or":[{}],"point":8}`, p, chips, nil, `{"bets":[{"amount":1000,"seat":3,"spot":"win"}],"or":[{"bets":[{"amount":1000,"seat":3,"spot":"win"}]}],"point":8}`},
	} {
		t.Run(name, func(t *testing.T) {
			sc := &scene.Scene{Opening: map[scene.Place]scene.Count{c.place: c.lay}}
			for _, count := range c.later {
				sc.Events = append(sc.Events, scene.Event{Kind: scene.ChipsSeen, Place: c.place, Chips: count})
			}
			got := CarryOver{Raw: []byte(c.carry), Uncounted: []scene.Place{c.place}}.Counted(sc)
			if string(got.Raw) != c.want {
				t.Errorf("carry %s, want %s", got.Raw, c.want)
			}
		})
	}
}
