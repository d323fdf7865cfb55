package narrate

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// underHands are hands over a place that left it as it lay, and the hypothesis that they did
// something.
func underHands(p scene.Place, sides ...string) (*scene.Scene, hypothesis.Choice, hypothesis.Hypothesis) {
	under := scene.Occlusion{Place: p, From: t0.Add(time.Second), At: t0.Add(2 * time.Second), Hands: sides}
	sc := &scene.Scene{Occlusions: []scene.Occlusion{under}}
	c := hypothesis.Choice{Kind: hypothesis.UnderHands, Place: p}
	return sc, c, hypothesis.Likeliest.With(c, hypothesis.Alternative{Odds: 0.1})
}

// Nobody pays a part of a bet's winnings by itself: what lacks of them was not pushed under
// hands, only the whole winnings of another bet.
func TestUnseenWinningsAreThoseOfWholeBets(t *testing.T) {
	for name, c := range map[string]struct {
		due  []money.Cents
		paid money.Cents
		want []money.Cents // pushes in all
	}{
		"a part of the only bet's":  {[]money.Cents{4000}, 3000, []money.Cents{3000}},
		"all of the only bet's":     {[]money.Cents{4000}, 0, []money.Cents{4000}},
		"the other bet's":           {[]money.Cents{4000, 1500}, 4000, []money.Cents{4000, 1500}},
		"a part of the other bet's": {[]money.Cents{4000, 1500}, 4500, []money.Cents{4500}},
		"two bets' of three":        {[]money.Cents{4000, 1500, 500}, 4000, []money.Cents{4000, 2000}},
	} {
		t.Run(name, func(t *testing.T) {
			sc, _, h := underHands(scene.Place{Seat: 3, Spot: scene.PaySpot})
			s := &Narration{Given: Given{Game: &Game{}, Scene: sc, Hyp: h}}
			for _, due := range c.due {
				s.Due = append(s.Due, round.Settlement{Seat: 3, Spot: "docena:2", Outcome: round.Win, Pays: due})
			}
			var pushes []push
			if c.paid > 0 {
				pushes = append(pushes, push{sum: c.paid})
			}
			var got []money.Cents
			for _, p := range s.withUnseen(3, pushes) {
				got = append(got, p.sum)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("pushed %v, want %v", got, c.want)
			}
		})
	}
}

// What is laid and taken up again wants hands of both sides: of one side's alone it is less
// likely, and a losing stake over which the house's hands lay is still there.
func TestHandsOfOneSide(t *testing.T) {
	for name, c := range map[string]struct {
		sides []string
		by    hypothesis.Prior
	}{
		"the house's":        {[]string{fact.Bank}, hypothesis.UntouchedByOne},
		"players'":           {[]string{fact.Players}, hypothesis.UntouchedByOne},
		"both":               {[]string{fact.Bank, fact.Players}, hypothesis.Untouched},
		"nobody knows whose": {nil, hypothesis.Untouched},
	} {
		t.Run(name, func(t *testing.T) {
			sc, choice, _ := underHands(scene.Place{Seat: 3, Spot: "salto:3"}, c.sides...)
			s := &Narration{Given: Given{Game: &Game{}, Scene: sc, Hyp: hypothesis.Likeliest}}
			s.Due = []round.Settlement{{Seat: 3, Spot: "salto:3", Outcome: round.Lose, Stake: 1500}}
			s.settleUnseen(nil, t0)
			as := s.Alternatives(choice)
			if len(as) != 1 || as[0].By != c.by || len(s.Entries) > 0 {
				t.Errorf("alternatives %+v, recorded %v; want one by %s, nothing recorded", as, words(s.Entries), c.by)
			}
		})
	}
}
