package node

import "testing"

// A machine that is short of time is named once and for as long as it is; a moment's delay
// is not, and nothing flickers.
func TestASlowMachineIsNamedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		late    func(second int) bool
		changes int
		on      bool
	}{
		"never late":                    {func(int) bool { return false }, 0, false},
		"a delay of three seconds":      {func(s int) bool { return s >= 10 && s < 13 }, 0, false},
		"late every fourth second":      {func(s int) bool { return s%4 == 0 }, 0, false},
		"late for long":                 {func(s int) bool { return s >= 10 }, 1, true},
		"late, with a good second each": {func(s int) bool { return s%5 != 0 }, 1, true},
		"late for a minute":             {func(s int) bool { return s >= 10 && s < 70 }, 2, false},
		"late for ten seconds of 35":    {func(s int) bool { return s%35 < 10 }, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			var s slowness
			on, changes := false, 0
			for second := range 180 {
				if now := s.observe(c.late(second)); now != on {
					on = now
					changes++
				}
			}
			if on != c.on || changes != c.changes {
				t.Errorf("on %t after %d changes; want %t after %d", on, changes, c.on, c.changes)
			}
		})
	}
}
