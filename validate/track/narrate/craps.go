package narrate

import (
	"strings"
	"time"

	"vision/validate/round"
	"vision/validate/track/scene"
)

// narrateCraps records a throw: bets, ya no va más, the dice, collecting and paying
// beside the stakes, come bets moved to their numbers. Bets laid while the
// table settles are bets of the next throw.
func narrateCraps(s *Narration) {
	out := s.thrown()
	if out.IsZero() {
		return
	}
	moved := s.travels(out)
	s.settleAll(func(m Move) bool { return m.At.After(out) && !moved[m.item] })
}

// travels records the come bets that the croupier moves to their number, and
// which movements of chips that explains.
func (s *Narration) travels(out time.Time) map[int]bool {
	moved := map[int]bool{}
	for _, a := range s.Moves {
		if !a.At.After(out) || a.Delta >= 0 || a.Place.Spot != "come" && a.Place.Spot != "dont_come" {
			continue
		}
		for _, b := range s.Moves {
			if b.At.After(out) && b.Delta == -a.Delta && b.Place.Seat == a.Place.Seat && !moved[b.item] &&
				strings.HasPrefix(b.Place.Spot, a.Place.Spot+":") {
				moved[a.item], moved[b.item] = true, true
				at := scene.Latest(a.At, b.At)
				s.record(round.Event{
					Type: round.Move, Seat: a.Place.Seat, From: a.Place.Spot, To: b.Place.Spot, Amount: b.Delta,
				}, a.From, at, 2)
				break
			}
		}
	}
	return moved
}
