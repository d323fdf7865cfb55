package track

import (
	"maps"
	"slices"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
)

// pick comes to a choice: it gives the alternative that the hypothesis fixes there; false
// for the likeliest.
func (s *story) pick(c choice, alternatives ...alternative) (alternative, bool) {
	if len(alternatives) > 0 {
		if s.met == nil {
			s.met = map[choice][]alternative{}
		}
		s.met[c] = alternatives
	}
	a, ok := s.hyp.chosen[c]
	return a, ok
}

// choices are those that the narration came to, in order.
func (s *story) choices() []choice {
	return slices.SortedFunc(maps.Keys(s.met), choice.compare)
}

// number is the number of an item in the scene as it was seen; items below zero have none.
func (s *story) number(item int) int {
	if item < 0 || s.sc == nil || item >= len(s.sc.items) {
		return item
	}
	return s.sc.items[item].n
}

// readCard is the card of a slot under the hypothesis, and how sure the reading is of it.
func (s *story) readCard(i int, sl *slot) (card.Card, float64) {
	if a, ok := s.pick(choice{kind: cardRead, item: i}, s.g.otherCards(sl)...); ok {
		return a.card, 1
	}
	return s.g.face(sl.guesses, sl.abstain)
}

// otherCards are the cards that a slot may hold instead of the likeliest. What is left by
// the guesses is any other card of the pack; where it is hardly worth asking which, a few
// of them stand for all.
func (g *game) otherCards(sl *slot) (as []alternative) {
	const worth, few = 0.01, 4
	if sl.stale || sl.back || len(sl.guesses) == 0 {
		return nil
	}
	p := g.mass(sl.guesses)
	if p <= 0 || sl.abstain != "" && p < likely {
		return nil // told as unread
	}
	rest := 1.0
	for k, guess := range sl.guesses {
		c, err := card.Parse(guess.Label)
		if k > 0 && err != nil {
			continue // a back, where a face was seen
		}
		if rest -= guess.P; k > 0 {
			as = append(as, alternative{odds: guess.P / p, card: c})
		}
	}
	pack := othersOfThePack(sl.guesses)
	if len(pack) == 0 { // beside a joker
		return append(as, alternative{odds: rest / p, card: card.Unseen})
	}
	if rest/p < worth && len(pack) > few {
		for i := range few {
			pack[i] = pack[(2*i+1)*len(pack)/(2*few)]
		}
		pack = pack[:few]
	}
	for _, c := range pack {
		as = append(as, alternative{odds: rest / p / float64(len(pack)), card: c})
	}
	return as
}

// othersOfThePack are the cards of the pack of the likeliest guess that are not guessed.
func othersOfThePack(guesses []fact.Guess) (pack []card.Card) {
	label, _ := fact.Best(guesses)
	best, _ := card.Parse(label)
	for c := card.Card(1); c.String() != ""; c++ {
		if (c.French() && best.French() || c.Spanish() && best.Spanish()) &&
			!slices.ContainsFunc(guesses, func(g fact.Guess) bool { return g.Label == c.String() }) {
			pack = append(pack, c)
		}
	}
	return pack
}

// amount is the worth of the chips of an item under the hypothesis; fixed reports whether
// it says so.
func (s *story) amount(h *happening) (total money.Cents, fixed bool) {
	if a, ok := s.hyp.chosen[choice{kind: chipsCounted, item: h.n}]; ok {
		return a.total, true
	}
	return h.chips.total, false
}

// meetCounts comes to the choices of what was counted: the amounts that a rough count
// allows are alike, those of another are as likely as its reader says.
func (s *story) meetCounts() {
	for item, l := range s.loose {
		var as []alternative
		for _, total := range l.may {
			if total != l.told {
				as = append(as, alternative{odds: 1, total: total})
			}
		}
		s.pick(choice{kind: chipsCounted, item: s.number(item)}, as...)
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if _, rough := s.loose[i]; h.kind != chipsSeen || rough || h.chips.vague() && h.chips.came == 0 {
			continue
		}
		var as []alternative
		for _, a := range h.chips.alts {
			as = append(as, alternative{odds: a.odds, total: a.total})
		}
		s.pick(choice{kind: chipsCounted, item: h.n}, as...)
	}
}

// faces are the numbers of a throw under the hypothesis, 0 where a die was not read.
func (s *story) faces(h *happening) []int {
	if a, ok := s.pick(choice{kind: diceRead, item: h.n}, otherFaces(h.dice)...); ok {
		return a.faces
	}
	return bestFaces(h.dice)
}

func otherFaces(dice []fact.Die) (as []alternative) {
	best := bestFaces(dice)
	for i, d := range dice {
		if d.Abstain != "" || len(d.Guesses) == 0 || d.Guesses[0].P <= 0 {
			continue
		}
		for _, g := range d.Guesses[1:] {
			faces := slices.Clone(best)
			faces[i] = digits(g.Label)
			as = append(as, alternative{odds: g.P / d.Guesses[0].P, faces: faces})
		}
	}
	return as
}

// either comes to a choice between what is told, with a probability, and one other thing;
// it reports whether the hypothesis has the other.
func (s *story) either(c choice, p float64) bool {
	if p <= 0 || p >= 1 {
		return false
	}
	_, other := s.pick(c, alternative{odds: (1 - p) / p})
	return other
}

// swapped reports whether a card was dealt before the one to its left, with which it was
// seen at once.
func (s *story) swapped(item int) bool {
	return s.either(choice{kind: dealtFirst, item: s.number(item)}, 1/(1+s.prior().Reversed))
}

// atOnce reports whether the k-th card of the round was first seen together with the
// one before it in the same zone.
func (s *story) atOnce(k int) bool {
	a, b := &s.hand[k-1], &s.hand[k]
	return a.zone == b.zone && a.at.Equal(b.at)
}

// supposedBet is what a bet that was never counted is under the hypothesis: nothing, or
// the table's least.
func (s *story) supposedBet(p place) (money.Cents, bool) {
	none := s.prior().NotBet
	a, ok := s.pick(choice{kind: supposedBet, place: p}, alternative{odds: (1 - none) / none, total: max(s.base.Table.Min, 1)})
	return a.total, ok
}

// prior are the priors that a narration goes by.
func (s *story) prior() *Priors {
	if s.priors == nil {
		return builtIn()
	}
	return s.priors
}

// oneMotion is the probability that chips which a stake's place lost at once were all
// collected, against that a winner was paid and his chips taken up, or both took their
// part, before the zone was at rest again, if the one happens as often as the other. The
// longer hands were there, the likelier is the latter; it takes hands of both sides.
func (p *Priors) oneMotion(m move) float64 {
	switch {
	case m.by(fact.Bank):
		return p.CollectedByTheHouse
	case len(m.hands) > 1:
		return p.CollectedByBoth
	}
	if m.at.Sub(m.from) <= 2*time.Second {
		return p.CollectedSoon
	}
	return p.CollectedLate
}

// face is the card that a reading names, and with what confidence, or one that
// counts the same.
func (g *game) face(guesses []fact.Guess, abstain string) (card.Card, float64) {
	label, _ := fact.Best(guesses)
	p := g.mass(guesses)
	if label == "" || label == back || abstain != "" && p < likely {
		return card.Unseen, 1
	}
	c, err := card.Parse(label)
	if err != nil {
		return card.Unseen, 1
	}
	return c, p
}

// mass is the probability of the first guess and of those that count the same.
func (g *game) mass(guesses []fact.Guess) (sum float64) {
	for i, guess := range guesses {
		if i == 0 || g.points && alike(guess.Label, guesses[0].Label) {
			sum += guess.P
		}
	}
	return sum
}

// alike tells that two cards have the same points and colour.
func alike(a, b string) bool {
	x, err := card.Parse(a)
	y, wrong := card.Parse(b)
	return err == nil && wrong == nil && x.French() && y.French() &&
		min(x.Number(), 10) == min(y.Number(), 10) && red(x) == red(y)
}
