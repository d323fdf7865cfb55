package narrate

import (
	"maps"
	"slices"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// pick comes to a choice: it gives the alternative that the hypothesis fixes there; false
// for the likeliest.
func (s *Narration) pick(c hypothesis.Choice, alternatives ...hypothesis.Alternative) (hypothesis.Alternative, bool) {
	if len(alternatives) > 0 {
		s.meet(c, alternatives)
	}
	a, ok := s.Hyp.Chosen[c]
	return a, ok
}

func (s *Narration) meet(c hypothesis.Choice, alternatives []hypothesis.Alternative) {
	if s.Met == nil {
		s.Met = map[hypothesis.Choice][]hypothesis.Alternative{}
	}
	s.Met[c] = alternatives
}

// Choices are those that the narration came to, in order.
func (s *Narration) Choices() []hypothesis.Choice {
	return slices.SortedFunc(maps.Keys(s.Met), hypothesis.Choice.Compare)
}

// number is the number of an item in the scene as it was seen; items below zero have none.
func (s *Narration) number(item int) int {
	if item < 0 || item >= len(s.Scene.Events) {
		return item
	}
	return s.Scene.Events[item].Number
}

// Alternatives are those to the likeliest at a choice. What else cards may be is worked out
// when somebody asks.
func (s *Narration) Alternatives(c hypothesis.Choice) []hypothesis.Alternative {
	if as := s.Met[c]; as != nil || c.Kind != hypothesis.CardRead {
		return as
	}
	s.Met[c] = s.Game.otherCards(&s.Scene.Tracks[c.Item])
	return s.Met[c]
}

// readCard is the card of a track under the hypothesis, and how sure the reading is of it.
func (s *Narration) readCard(i int, sl *scene.Track) (card.Card, float64) {
	c := hypothesis.Choice{Kind: hypothesis.CardRead, Item: i}
	if a, ok := s.pick(c); ok {
		return a.Card, 1
	}
	s.meet(c, nil)
	return s.Game.Face(sl.Guesses, sl.Abstain)
}

// otherCards are the cards that a track may be instead of the likeliest. What is left by
// the guesses is any other card of the pack; where it is hardly worth asking which, a few
// of them stand for all.
func (g *Game) otherCards(sl *scene.Track) (as []hypothesis.Alternative) {
	const worth, few = 0.01, 4
	if sl.Earlier || sl.Back || len(sl.Guesses) == 0 {
		return nil
	}
	p := g.mass(sl.Guesses)
	if p <= 0 || sl.Abstain != "" && p < scene.Likely {
		return nil // recorded as unread
	}
	rest := 1.0
	for k, guess := range sl.Guesses {
		c, err := card.Parse(guess.Label)
		if k > 0 && err != nil {
			continue // a back, where a face was seen
		}
		if rest -= guess.P; k > 0 {
			as = append(as, hypothesis.Alternative{Odds: guess.P / p, Card: c})
		}
	}
	pack := othersOfThePack(sl.Guesses)
	if len(pack) == 0 { // beside a joker
		return append(as, hypothesis.Alternative{Odds: rest / p, Card: card.Unseen})
	}
	if rest/p < worth && len(pack) > few {
		for i := range few {
			pack[i] = pack[(2*i+1)*len(pack)/(2*few)]
		}
		pack = pack[:few]
	}
	for _, c := range pack {
		as = append(as, hypothesis.Alternative{Odds: rest / p / float64(len(pack)), Card: c})
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
// it reports it.
func (s *Narration) amount(h *scene.Event) (total money.Cents, fixed bool) {
	if a, ok := s.Hyp.Chosen[hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: h.Number}]; ok {
		return a.Total, true
	}
	return h.Chips.Total, false
}

// meetCounts comes to the choices of what was counted. What else chips may be worth is as
// likely as by their readings; of a count that is sure no less than that it was misread.
func (s *Narration) meetCounts() {
	for item, l := range s.RoughCounts {
		var as []hypothesis.Alternative
		for _, total := range l.may {
			if total != l.recorded {
				as = append(as, hypothesis.Alternative{Odds: l.of.Of(total) / l.of.Of(l.recorded), Total: total})
			}
		}
		if item >= 0 {
			as = append(as, s.miscounted(&s.Scene.Events[item], l.may)...)
		}
		s.pick(hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: s.number(item)}, as...)
	}
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		if _, rough := s.RoughCounts[i]; h.Kind != scene.ChipsSeen || rough || h.Chips.Rough() && len(h.Chips.Came) == 0 {
			continue
		}
		s.pick(hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: h.Number}, s.miscounted(h, nil)...)
	}
}

// miscounted are what else the count of an event may be worth, were it misread, without the amounts that
// are alternatives already: of every stack one chip more and one fewer, no less likely than that a sure count is wrong.
func (s *Narration) miscounted(h *scene.Event, but []money.Cents) (as []hypothesis.Alternative) {
	changed := hypothesis.Restacked
	if slices.Contains(h.Hands, fact.Bank) {
		changed = hypothesis.RestackedByTheHouse
	}
	each := hypothesis.BuiltIn().Against(hypothesis.Counted) / 2
	for _, w := range h.Chips.Misread() {
		switch {
		case slices.Contains(but, w.Total):
		case w.Unchanged:
			as = append(as, hypothesis.Alternative{
				Odds: min(1, w.Odds*hypothesis.BuiltIn().Against(changed)), By: changed, Total: w.Total,
			})
		case w.Odds >= each:
			as = append(as, hypothesis.Alternative{Odds: w.Odds, Total: w.Total})
		default:
			as = append(as, hypothesis.Alternative{Odds: each, By: hypothesis.Counted, Total: w.Total})
		}
	}
	return as
}

// faces are the numbers of a throw under the hypothesis, 0 where a die was not read.
func (s *Narration) faces(h *scene.Event) []int {
	if a, ok := s.pick(hypothesis.Choice{Kind: hypothesis.DiceRead, Item: h.Number}, otherFaces(h.Dice)...); ok {
		return a.Faces
	}
	return scene.BestFaces(h.Dice)
}

func otherFaces(dice []fact.Die) (as []hypothesis.Alternative) {
	best := scene.BestFaces(dice)
	for i, d := range dice {
		if d.Abstain != "" || len(d.Guesses) == 0 || d.Guesses[0].P <= 0 {
			continue
		}
		for _, g := range d.Guesses[1:] {
			faces := slices.Clone(best)
			faces[i] = scene.Digits(g.Label)
			as = append(as, hypothesis.Alternative{Odds: g.P / d.Guesses[0].P, Faces: faces})
		}
	}
	return as
}

// either comes to a choice between what is likeliest by a prior and one other thing; it
// reports whether the hypothesis has the other.
func (s *Narration) either(c hypothesis.Choice, by hypothesis.Prior) bool {
	_, other := s.pick(c, hypothesis.Alternative{Odds: hypothesis.BuiltIn().Against(by), By: by})
	return other
}

// underHands comes to the choice of what was done with the chips of a spot while hands lay over them.
func (s *Narration) underHands(seat int, spot string, by hypothesis.Prior) bool {
	return s.either(hypothesis.Choice{Kind: hypothesis.UnderHands, Place: scene.Place{Seat: seat, Spot: spot}}, by)
}

// pickAt is the same as either where what is likeliest has a probability of its own.
func (s *Narration) pickAt(c hypothesis.Choice, p float64) bool {
	if p <= 0 || p >= 1 {
		return false
	}
	_, other := s.pick(c, hypothesis.Alternative{Odds: (1 - p) / p})
	return other
}

// supposedBet is what a bet that was never counted is under the hypothesis: what follows from
// all else, or else nothing, or the table's least.
func (s *Narration) supposedBet(p scene.Place) (money.Cents, bool) {
	var a hypothesis.Alternative
	ok := false
	if !s.Game.Held { // else what the pot grew by shows it
		a, ok = s.pick(hypothesis.Choice{Kind: hypothesis.SupposedBet, Place: p}, hypothesis.Alternative{
			Odds: hypothesis.BuiltIn().Against(hypothesis.NotBet), By: hypothesis.NotBet, Total: max(s.Base.Table.Min, 1),
		})
	}
	if total, known := s.Implies[p]; known && !ok {
		return total, true
	}
	return a.Total, ok
}

// oneMotion names the probability that chips which a stake's place lost at once were all
// collected, against that a winner was paid and his chips taken up, or both took their
// part, before the zone was at rest again, if the one happens as often as the other. The
// longer hands were there, the likelier is the latter; it takes hands of both sides.
func oneMotion(m Move) hypothesis.Prior {
	switch {
	case m.by(fact.Bank):
		return hypothesis.CollectedByTheHouse
	case len(m.hands) > 1:
		return hypothesis.CollectedByBoth
	}
	if m.At.Sub(m.From) <= scene.LayAndTake {
		return hypothesis.CollectedSoon
	}
	return hypothesis.CollectedLate
}

// Face is the card that a reading names, and with what confidence, or one that
// counts the same.
func (g *Game) Face(guesses []fact.Guess, abstain string) (card.Card, float64) {
	label, _ := fact.Best(guesses)
	p := g.mass(guesses)
	if label == "" || label == scene.Back || abstain != "" && p < scene.Likely {
		return card.Unseen, 1
	}
	c, err := card.Parse(label)
	if err != nil {
		return card.Unseen, 1
	}
	return c, p
}

// mass is the probability of the first guess and of those that count the same.
func (g *Game) mass(guesses []fact.Guess) (sum float64) {
	for i, guess := range guesses {
		if i == 0 || g.Points && samePoints(guess.Label, guesses[0].Label) {
			sum += guess.P
		}
	}
	return sum
}

// samePoints reports whether two cards have the same points and colour.
func samePoints(a, b string) bool {
	x, err := card.Parse(a)
	y, wrong := card.Parse(b)
	return err == nil && wrong == nil && x.French() && y.French() &&
		min(x.Number(), 10) == min(y.Number(), 10) && red(x) == red(y)
}

func red(c card.Card) bool { return c.Suit() == 'h' || c.Suit() == 'd' }
