package track_test

import (
	"slices"
	"testing"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/track"
)

// raised counts the alerts of a code in a session whose cards are read as change leaves them.
func raised(t *testing.T, game string, code finding.Code, p *play, change func(*fact.Card)) int {
	t.Helper()
	s := seenRarely(session(game, p), starvation{}, 1)
	for _, in := range s.Inputs {
		if in.Seen != nil {
			for i := range in.Seen.Cards {
				change(&in.Seen.Cards[i])
			}
		}
	}
	n := 0
	for _, a := range alerts(follow(trackerOf(t, game, nil), s)) {
		if a.Code == code && a.State == track.Raised {
			n++
		}
	}
	return n
}

// A card that may be one which nobody guessed is some card all the same: a winner paid
// too much was paid wrong whichever it is.
func TestACardThatNobodyGuessedIsSomeCard(t *testing.T) {
	p := &play{}
	p.lay("seat:1 punto", "e5", 4)
	cards := p.naturalPunto()
	p.wait(1)
	p.lay("seat:1 punto", "e5", 6)
	p.wait(3)
	p.lift(cards...)
	p.wait(4)
	if n := raised(t, "punto_banco", finding.PayoutOver, p, func(c *fact.Card) {
		if label, _ := fact.Best(c.Guesses); label == "9h" {
			c.Guesses = []fact.Guess{{Label: label, P: 0.85}}
		}
	}); n != 1 {
		t.Errorf("%d alerts of payout_over, want 1", n)
	}
}

// Two cards seen at once may have been dealt either way round; a way that needs two
// mistakes of its own, here the bank's last card down and the one before it up, is no
// reason to doubt that a loser was left.
func TestAnOrderThatNeedsMistakesIsLessLikely(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	ante := p.lay("seat:1 ante", "e5", 4)
	p.call("no_va_mas")
	var own, bank []int
	for range 5 {
		own = append(own, p.card("seat:1", "??", true))
		bank = append(bank, p.card("bank", "??", true))
	}
	p.wait(-0.8) // at once, to six pictures a second
	bank = append(bank, p.card("bank", "7d", false))
	play := p.lay("seat:1 play", "e5", 4)
	p.wait(1)
	p.turn("bank", []string{"2d", "2c", "Jd", "6h", "Jc"}, bank[:5]...)
	p.wait(1)
	p.turn("seat:1", []string{"Jh", "Kd", "5h", "As", "6d"}, own...)
	p.wait(2)
	p.lift(ante)
	p.wait(1)
	p.lift(slices.Concat(own, bank)...)
	p.wait(3)
	p.lift(play)
	p.wait(4)
	if n := raised(t, "poker_cuatro_cartas", finding.LoserNotCollected, p, func(*fact.Card) {}); n != 1 {
		t.Errorf("%d alerts of loser_not_collected, want 1", n)
	}
}
