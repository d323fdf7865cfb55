package baccarat

import (
	"vision/internal/card"
	"vision/validate/game"
	"vision/validate/round"
)

// The banker of the two circle games speaks last, whatever he holds: after the
// punto (chemin de fer, VIII), after both cloths (dos paños, VII). To show his
// cards is to speak, and so is to say that he abates.

// bankShown is the banker's first showing of his cards; len(Events) without one. What
// a slip obliges him to uncover is no showing.
func (c *circle) bankShown() int {
	for i := range c.Events {
		if e := &c.Events[i]; e.Type == round.Reveal && e.Zone == "banca" && !c.obliged(i) {
			return i
		}
	}
	return len(c.Events)
}

// bankSpeaks is where the banker showed his cards or said that he abates; len(Events).
func (c *circle) bankSpeaks() int { return min(c.bankShown(), c.abateSaid("banca")) }

// abateSaid is the first call by which a hand abates; len(Events). A
// call that names no zone is of the hand of who makes it.
func (c *circle) abateSaid(zone string) int {
	holder := map[string]string{"punto": round.Player, "banca": round.Banquero}[zone]
	for i, e := range c.Calls("abate", "") {
		if e.Zone == zone || e.Zone == "" && e.By == holder {
			return i
		}
	}
	return len(c.Events)
}

// obliged reports whether a reveal of the bank is what the norm makes the banker
// uncover after he uncovered the punto's cards: the one that answers to the
// uncovered one, or both.
func (c *circle) obliged(reveal int) bool {
	if !c.answers {
		return false
	}
	answers := false
	c.Incidents("card_exposed", func(i int, e *round.Event) {
		if i > reveal || e.By != round.Banquero || e.Zone != "punto" {
			return
		}
		switch {
		case e.Count == 2:
			answers = true
		case e.Count == 1 && e.CardNo >= 1:
			answers = answers || game.Doubtful(&c.Events[reveal]) || onlyKnown(c.Events[reveal].Cards, e.CardNo-1)
		}
	})
	return answers
}

// onlyKnown reports whether of some cards no other than that one is seen.
func onlyKnown(cards []card.Card, at int) bool {
	for k, c := range cards {
		if c != card.Unseen && k != at {
			return false
		}
	}
	return at < len(cards)
}

// bankerEarly is where the banker showed, abated or drew before the punto spoke;
// -1 where he did not. A punto who is given a third card has spoken by then,
// whatever was heard of it. One who neither speaks, shows nor draws is forestalled
// by a natural, which ends the round; for any other showing it is the punto's
// word that is missing.
func (g *chemin) bankerEarly() int {
	ready := min(g.spoke, g.puntoShown(), g.abateSaid("punto"), g.firstThird("punto"))
	g.Incidents("card_into_basket", func(i int, _ *round.Event) { ready = min(ready, i) })
	said := g.bankSpeaks()
	if ready == len(g.Events) {
		if g.banca.natural() && said < min(g.thirds, g.reveals("punto")) {
			return said
		}
		return -1
	}
	if said < ready {
		return said
	}
	if c := g.banca.cards; len(c) > 2 && c[2].Event < ready && c[2].Face == "up" {
		return c[2].Event
	}
	return -1
}

// bankerEarly is where the banker showed before a cloth that still had to speak;
// -1 where he did not. His third card is judged with the cloths' calls.
func (g *panos) bankerEarly() int {
	said := g.bankSpeaks()
	if said == len(g.Events) {
		return -1
	}
	for _, c := range g.cloths {
		ready := min(g.pronounced(c), g.firstThird(c.zone))
		waits := ready < len(g.Events) || g.banca.natural() && said < min(g.thirds, g.reveals(c.zone))
		if waits && said < ready && !c.void && !c.thrown {
			return said
		}
	}
	return -1
}
