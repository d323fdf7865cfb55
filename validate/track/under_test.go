package track_test

import (
	"fmt"
	"slices"
	"testing"
)

// What hands did without anybody seeing it, in made rounds that were once told wrong: the record is as it
// was played, and nothing is found that was not done.
func TestWhatHandsDidUnseen(t *testing.T) {
	m := madeBy()
	for name, c := range map[string]struct {
		game  string
		seed  uint64
		round int
	}{
		"paid and taken up, long after the last was collected":  {"ruleta_fortuna", 50007, 5},
		"a part of a blind that nobody called":                  {"holdem_circulo", 50002, 0},
		"a raise that nobody called, of who did not give up":    {"holdem_circulo", 50003, 0},
		"blinds that the croupier pushed to the winner at once": {"holdem_circulo", 50013, 1},
		"the house's part of a pot":                             {"omaha_circulo", 50103, 2},
		"a card of the punto that was dealt and turned":         {"baccara_chemin_de_fer", 50006, 0},
		"a card of a paño that was dealt and turned":            {"baccara_dos_panos", 50001, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, outs := m.play(t, c.game, c.seed)
			r, recorded := recordOf(s, c.round, rounds(outs))
			have, want := loosely(t, r.Record.Events), loosely(t, s.Rounds[c.round].Record.Events)
			if recorded != 1 || !slices.Equal(have, want) {
				t.Errorf("%d rounds are told\n%s", recorded, sideBySide(have, want))
			}
			planted := judged(t, books(t), r, s.Rounds[c.round])
			for _, f := range r.Findings {
				if n := found(append(r.Verdict.Findings[:0:0], f.Finding))[0]; f.Alert && !slices.Contains(planted, n) {
					t.Error(fmt.Sprint(n, " is an alert by ", f.P))
				}
			}
		})
	}
}
