package wheels

import (
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// table is one round as it is being judged.
type table struct {
	game.Input
	rules *Rules
	set   settings
	play  play
	ev    []round.Event
	*game.Findings
	sums game.Tally

	throws  []throw
	fate    fate
	outcome int // the event that decides; -1 when none does
	open    []bool
	closed  bool // the record is complete
	stakes  map[game.Place]*stake
	room    game.Room[stake]
	lines   map[game.Place]*line
	cited   map[string]string   // citations made so far, by section
	kept    map[int]bool        // withdrawals that the game does not let the player make
	spent   map[int]bool        // accepted_bet calls whose bet was laid
	laid    map[int]bool        // bets that were accepted so
	over    map[int]money.Cents // what withdrawals in a window took of late chips
}

// play is what one game of the family adds to what all have in common.
type play interface {
	knows(spot string) bool          // the spot exists in the game's vocabulary
	shot(e *round.Event) error       // refuses what this wheel or these dice cannot show
	read(e *round.Event)             // takes note of the shot that decides
	dice() int                       // how many dice; 0 for a wheel
	decides(e *round.Event) bool     // a valid shot ends the round
	repeats() bool                   // there are shots that do not, and it is thrown again
	carry(t *table) error            // lays the stakes of the previous round
	admits(t *table, s *stake) bool  // the norm admits new chips there now
	limits(t *table, s *stake) limit // of the stake on the spot
	settle(t *table, s *stake) line  // what the outcome does to a stake
	truth(t *table, e *round.Event) verdictOfCall
	result(t *table) any
	next(t *table) any
	extra(t *table) // findings and choices of the game's own, before settling
}

// add keeps a finding under a section of the norm; "" cites the game as a whole.
func (t *table) add(section string, x round.Finding) {
	x.Rule = t.rule(section)
	t.Add(x)
}

// rule cites the game, with a section when there is one.
func (t *table) rule(section string) string {
	if cited, ok := t.cited[section]; ok {
		return cited
	}
	rule := t.Rule("")
	if r := t.rules.Roulette; r != nil && t.set.abreviada {
		rule = t.Norm.Code + " " + r.Short.Label
	}
	if section != "" {
		rule += "." + section
	}
	t.cited[section] = rule
	return rule
}

// base is a game that carries nothing to the next round and admits every spot
// that it has.
type base struct{}

func (base) dice() int               { return 0 }
func (base) shot(*round.Event) error { return nil }
func (base) read(*round.Event)       {}

func (base) decides(*round.Event) bool { return true }

func (base) repeats() bool { return false }

func (base) admits(*table, *stake) bool { return true }

func (base) extra(*table) {}

func (base) next(*table) any { return nil }

func (base) carry(t *table) error {
	if t.Rec.Carry != nil {
		return round.Malformed("carry", "leave it out", "%s carries nothing from round to round", t.Game.Code)
	}
	return nil
}
