package poker

import (
	"slices"

	"vision/internal/card"
)

// completed are the hands that a joker may complete by standing for any card;
// elsewhere it is an ace (cantabria-2010 A.14.3 II.1, L4297-4301).
var completed = []Category{Escalera, Color, EscaleraColor, EscaleraReal}

// withJoker ranks cards with the joker among them.
func (r Ranking) withJoker(cards []card.Card) Hand {
	at := slices.Index(cards, card.Joker)
	var best Hand
	for _, c := range standIns(cards) {
		some := slices.Clone(cards)
		some[at] = c
		h := r.Of(some)
		if (Rank(c) == Ace || slices.Contains(completed, h.Category)) && Compare(h, best) > 0 {
			best = h
		}
	}
	best.Cards = slices.Clone(cards)
	return best
}

// standIns are the cards that a joker may stand for: those that are not there,
// and a fifth ace beside four.
func standIns(cards []card.Card) (list []card.Card) {
	aces := 0
	for c := card.Card(1); c <= 52; c++ {
		switch {
		case !slices.Contains(cards, c):
			list = append(list, c)
		case Rank(c) == Ace:
			aces++
		}
	}
	if aces == 4 {
		list = append(list, card.Of(1, 0))
	}
	return list
}
