package track_test

import (
	"testing"

	"vision/internal/lab/sim/script"
	"vision/validate/round"
)

// A throw that decides nothing is made again, and an arm may hide that the dice are taken
// up: those that lie otherwise with another face were thrown. After a throw that decides,
// or with the same faces, they were pushed about.
func TestThrownAgainUnderAnArm(t *testing.T) {
	for name, c := range map[string]struct {
		first, then []int
		throws      int
	}{
		"undecided, other faces": {[]int{2, 3, 5}, []int{1, 1, 3}, 2},
		"undecided, the same":    {[]int{2, 3, 5}, []int{5, 2, 3}, 2}, // with the throw that decides
		"decided":                {[]int{1, 1, 3}, []int{2, 3, 5}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("pequeno", "color1", 4)
			p.call("no_va_mas")
			p.wait(2)
			first := p.rollDice(c.first...)
			p.wait(2)
			p.tag++
			p.act(script.Act{Lift: first, Dice: c.then, Tag: p.tag})
			p.wait(2)
			if c.then[0] == 5 {
				p.lift(p.tag, p.tag+1, p.tag+2)
				p.wait(2)
				p.tag += 2
				p.rollDice(1, 1, 3)
				p.wait(2)
			}
			p.call("chance", "winner", "pequeno")
			p.tag += 3
			p.lay("seat:1 pay", "e5", 4)
			p.wait(9)
			throws := 0
			for _, e := range only(t, perform(t, "banca_francesa_dados", nil, p)).Record.Events {
				if e.Type == round.Dice {
					throws++
				}
			}
			if throws != c.throws {
				t.Errorf("%d throws told, want %d", throws, c.throws)
			}
		})
	}
}
