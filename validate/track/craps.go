package track

import (
	"strings"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// crapsGames is craps.
var crapsGames = []*game{
	{code: "dados_craps", course: dice, dice: 2, closing: "no_va_mas", point: true, ahead: true, narrate: tellCraps},
}

// tellCraps tells a throw: bets, ya no va más, the dice, collecting and paying
// beside the stakes, come bets moved to their numbers. Bets laid while the
// table settles are bets of the next throw.
func tellCraps(s *story) {
	s.throws()
	out := s.throwEnds()
	s.closeThrow(out)
	s.windows(out)
	if out.IsZero() {
		s.running = !s.close.IsZero()
		return
	}
	v := s.assess()
	s.early = !has(v, finding.NotObservable)
	moved := s.travels(out)
	s.settleAll(func(m move) bool { return m.at.After(out) && !moved[m.item] })
}

// travels tells the come bets that the croupier moves to their number, and
// which movements of chips that explains.
func (s *story) travels(out time.Time) map[int]bool {
	moved := map[int]bool{}
	for _, a := range s.moves {
		if !a.at.After(out) || a.delta >= 0 || a.place.Spot != "come" && a.place.Spot != "dont_come" {
			continue
		}
		for _, b := range s.moves {
			if b.at.After(out) && b.delta == -a.delta && b.place.Seat == a.place.Seat && !moved[b.item] &&
				strings.HasPrefix(b.place.Spot, a.place.Spot+":") {
				moved[a.item], moved[b.item] = true, true
				at := a.at
				if b.at.After(at) {
					at = b.at
				}
				s.tell(round.Event{
					Type: round.Move, Seat: a.place.Seat, From: a.place.Spot, To: b.place.Spot, Amount: b.delta,
				}, a.from, at, 2)
				break
			}
		}
	}
	return moved
}
