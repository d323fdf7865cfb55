package wheels

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Family is the name by which rulebooks refer to this engine.
const Family = "wheels"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	r := in.Game.Rules.(*Rules)
	set, err := settingsOf(r, &in.Rec.Table)
	if err != nil {
		return round.Verdict{}, err
	}
	t := &table{Input: in, rules: r, set: set, ev: in.Rec.Events, closed: game.Closed(in.Rec),
		stakes: make(map[game.Place]*stake, len(in.Rec.Events)/2),
		kept:   map[int]bool{}, spent: map[int]bool{}, laid: map[int]bool{}, cited: map[string]string{}}
	t.Findings = t.newFindings()
	noWords := game.IncidentWords{} // no zones, no cards
	if err := cmp.Or(t.noCards(), t.vocabulary(), r.words().Calls(in.Rec), noWords.Incidents(in.Rec)); err != nil {
		return round.Verdict{}, err
	}
	if r.Bingo != nil {
		return t.bingo(r.Bingo)
	}
	one, err := game.One[section](r)
	if err != nil {
		return round.Verdict{}, fmt.Errorf("wheels: %s: %w", in.Game.Code, err)
	}
	t.play = one.play(set)
	if err := t.known(); err != nil {
		return round.Verdict{}, err
	}
	t.sums = game.Sums(in.Rec, 0)
	t.split()
	if t.outcome >= 0 {
		t.play.read(&t.ev[t.outcome])
	}
	if err := t.play.carry(t); err != nil {
		return round.Verdict{}, err
	}
	if err := t.lay(); err != nil {
		return round.Verdict{}, err
	}
	return t.judge(), nil
}

// newFindings makes a collector of findings that cite the game as a whole.
func (t *table) newFindings() *game.Findings {
	return game.NewFindings(finding.Wheels, func(*round.Finding) string { return t.rule("") })
}

// judge makes the verdict of a record that is well formed.
func (t *table) judge() round.Verdict {
	if t.fate == unseen {
		t.settle()
		t.Findings = t.newFindings()
		t.At(game.Last(t.Rec), finding.NotObservable)
		return t.verdict()
	}
	t.admission()
	t.nulls()
	if t.fate == unreadable {
		t.At(t.outcome, finding.NotObservable)
	}
	t.play.extra(t)
	t.settle()
	t.calls()
	t.checkMoney()
	t.order()
	return t.verdict()
}

func (t *table) verdict() round.Verdict {
	v := round.Verdict{Settlement: t.settlement(), Findings: t.List(), Next: t.play.next(t)}
	wheel := t.play.dice() == 0 || t.rules.SicBo != nil
	v.Void = t.fate == annulled && wheel
	switch t.fate {
	case annulled:
		v.Result = map[string]any{"null": true}
	case decided, undecided:
		v.Result = t.play.result(t)
	}
	return v
}

// words are what may be said with the calls of the game.
func (r *Rules) words() game.CallWords {
	switch {
	case r.Roulette != nil, r.Boule != nil:
		return game.CallWords{"color": {"rojo", "negro"}, "parity": {"par", "impar"}, "half": {"falta", "pasa"}}
	case r.Fortuna != nil:
		return game.CallWords{"combination": slices.Sorted(maps.Keys(r.Fortuna.pockets))}
	case r.Banca != nil:
		var chances []string
		for _, c := range r.Banca.Chances {
			chances = append(chances, c.Spot)
		}
		return game.CallWords{"winner": chances}
	case r.Bingo != nil:
		return game.CallWords{"prize": slices.Sorted(maps.Keys(r.Bingo.Prizes))}
	}
	return nil
}

// noCards refuses what is done with cards: a record that tells of them is not of this game.
func (t *table) noCards() error {
	for i, e := range game.Each(t.ev, round.CardDealt, round.Reveal, round.Arrange, round.Burn, round.Shuffle, round.Cut,
		round.CutCard) {
		return round.Malformed(round.At(i, "type"), "", "%s has no cards: %s", t.Game.Code, e.Type)
	}
	return nil
}

// vocabulary refuses calls of another game and calls without their argument.
func (t *table) vocabulary() error {
	for i, e := range game.Each(t.ev, round.Announce) {
		if _, ok := t.rules.Calls[e.Call]; !ok {
			return game.Word(i, "call", e.Call, slices.Sorted(maps.Keys(t.rules.Calls)))
		}
		field, there := "", true
		switch e.Call {
		case "number":
			field, there = "number", e.Number != ""
		case "combination":
			field, there = "combination", e.Combination != ""
		case "chance":
			field, there = "winner", e.Winner != ""
		case "total":
			field, there = "points", e.Points != nil
		case "accepted_bet":
			field, there = "seat, spot, amount", e.Seat > 0 && e.Spot != "" && e.Amount > 0
		case "claim", "claim_result":
			field, there = "seat, prize", e.Seat > 0 && e.Prize != ""
		}
		if !there {
			return round.Malformed(round.At(i, field), "say it with the call "+e.Call, "missing")
		}
		if e.Call == "number" {
			if err := game.Counted(i, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// known refuses spots, pockets and faces that the game does not have.
func (t *table) known() error {
	for i := range t.ev {
		e := &t.ev[i]
		for _, s := range []struct{ field, spot string }{{"spot", e.Spot}, {"from", e.From}, {"to", e.To}} {
			if s.spot != "" && !t.play.knows(s.spot) {
				return round.Malformed(round.At(i, s.field), "", "%s has no spot %q", t.Game.Code, s.spot)
			}
		}
		wheel := t.play.dice() == 0
		switch {
		case e.Type == round.Ball && !wheel, e.Type == round.Dice && wheel:
			return round.Malformed(round.At(i, "type"), "", "%s has no %s", t.Game.Code, e.Type)
		case shot(e):
			if err := t.play.shot(e); err != nil {
				return round.Malformed(round.At(i, map[bool]string{true: "pocket", false: "faces"}[wheel]), "", "%v", err)
			}
		}
	}
	return nil
}

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
