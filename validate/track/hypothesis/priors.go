package hypothesis

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"vision/validate/track/scene"
)

// Prior names one thing that is known of tables and hands before anything is seen of a
// round, as priors.json has it with its unit and source. Those of choices are probabilities
// of the likeliest of two things that look alike, if they happened equally often.
type Prior string

// The priors of rounds.
const (
	GivenMistake Prior = "given"   // share of the mistakes of a round that are just one given
	Another      Prior = "another" // share of those that have one more
	ProcedureToo Prior = "beside"  // share of those of which a procedure was not followed besides
	Unseen       Prior = "unseen"  // share of rounds of which something went unseen that no hypothesis has
	// The same, more for each thing that was not seen.
	Hidden  Prior = "unseen_under_hands"      // something else came about while hands hid a place
	Unread  Prior = "unseen_unread"           // a card that nobody read
	Roughly Prior = "unseen_uncounted"        // chips that nobody counted, or only roughly
	Long    Prior = "unseen_under_long_hands" // hands lay over chips long enough to lay some and take them
	Pot     Prior = "unseen_of_pot"           // all play for one pot
	Lost    Prior = "unseen_unbalanced"       // money of a pot went nowhere, or came from nowhere
)

// The priors of what goes unseen in a round: the share of it that looks just as a given finding does.
const (
	LooksAmount    Prior = "looks_amount"    // another amount than is due
	LooksOmitted   Prior = "looks_omitted"   // money that did not move
	LooksMoney     Prior = "looks_money"     // money that moved and was not due
	LooksBet       Prior = "looks_bet"       // a bet out of time or beyond the limits
	LooksCards     Prior = "looks_cards"     // a card too many or too few, or otherwise than prescribed
	LooksCall      Prior = "looks_call"      // a call that is missing or wrong
	LooksProcedure Prior = "looks_procedure" // a procedure that was not followed
)

// The priors that a finding is so which hangs on what was not seen.
const (
	HangsOnChips Prior = "hangs_on_chips" // that nobody could count
	HangsOnGap   Prior = "hangs_on_gap"   // that nobody watched
	RoughSeat    Prior = "rough_seat"     // on none, at a seat of which some chips could not be counted
)

// The priors of choices.
const (
	InCourse            Prior = "in_course"     // what was seen when hands left came about as the course goes on
	InOrder             Prior = "in_order"      // of two cards seen at once the left one was dealt first
	Counted             Prior = "counted"       // a count of chips of which its reader is quite sure is right
	CountedLess         Prior = "counted_at_97" // the same of one of which its reader is sure by 0.97
	Whole               Prior = "whole"         // cards taken up by hands that came amid the deal were all there
	Untouched           Prior = "untouched"     // hands that left chips as they lay had done nothing
	UntouchedByOne      Prior = "untouched_by_one"
	CollectedByTheHouse Prior = "collected_by_the_house"
	CollectedByBoth     Prior = "collected_by_both"
	CollectedSoon       Prior = "collected_soon"
	CollectedLate       Prior = "collected_late"
	PushTakenByTheHouse Prior = "push_taken_by_the_house"
	PushTaken           Prior = "push_taken"
	PrisonerCollected   Prior = "prisoner_collected"
	NotBet              Prior = "not_bet"
	LiesOnFelt          Prior = "lies_on_felt" // a die that is read as lying on chips where none are known
	Restacked           Prior = "restacked"    // a stack that stands where it stood and is read otherwise was changed
	RestackedByTheHouse Prior = "restacked_by_the_house"
)

// Correlation is that of the errors of readings of one stack.
const Correlation Prior = "alike"

// Aside is the share of rounds in which the rack shows something else than the money that moved.
const Aside Prior = "rack_aside"

// All are the names of all priors.
var All = []Prior{
	GivenMistake, Another, ProcedureToo, Unseen, Hidden, Unread, Roughly, Long, Pot, Lost,
	LooksAmount, LooksOmitted, LooksMoney, LooksBet, LooksCards, LooksCall, LooksProcedure,
	HangsOnChips, HangsOnGap, RoughSeat,
	InCourse, InOrder, Counted, CountedLess, Whole, Untouched, UntouchedByOne,
	CollectedByTheHouse, CollectedByBoth, CollectedSoon, CollectedLate, PushTakenByTheHouse, PushTaken, PrisonerCollected,
	NotBet, LiesOnFelt, Restacked, RestackedByTheHouse, Correlation, Aside,
}

// Priors are the values of all, each between 0 and 1.
type Priors map[Prior]float64

// Against are the odds of the other of two things against the likeliest.
func (p Priors) Against(name Prior) float64 { return (1 - p[name]) / p[name] }

// CountErrors are the priors by which readings of one stack are fused.
func (p Priors) CountErrors() scene.CountErrors {
	return scene.CountErrors{
		Correlation: p[Correlation], Misread: (1 - p[Counted]) / 2, AtMost: p[Counted], At97: p[CountedLess],
		Restacked: p[Restacked] / (1 - p[Restacked]), ByTheHouse: p[RestackedByTheHouse] / (1 - p[RestackedByTheHouse]),
	}
}

//go:embed priors.json
var priorsFile []byte

// BuiltIn gives the priors of priors.json.
var BuiltIn = sync.OnceValue(func() Priors {
	p, err := ReadPriors(priorsFile)
	if err != nil {
		panic(fmt.Sprint("track: ", err)) // built in, and held by a test
	}
	return p
})

// Stated is a prior as the file has it.
type Stated struct {
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`   // what it counts
	Source string  `json:"source"` // where it is from
}

// ReadPriors reads a file of priors as priors.json is one. It must have all of them, each
// with its unit and source, and no other.
func ReadPriors(data []byte) (Priors, error) {
	file, err := States(data)
	if err != nil {
		return nil, err
	}
	p := Priors{}
	for name, f := range file {
		p[name] = f.Value
	}
	return p, nil
}

// States reads a file of priors with their units and sources.
func States(data []byte) (map[Prior]Stated, error) {
	var file map[Prior]Stated
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("priors: %w", err)
	}
	for name, f := range file {
		switch {
		case !slices.Contains(All, name):
			return nil, fmt.Errorf("priors: %q is none of them; take it out", name)
		case f.Value <= 0 || f.Value >= 1:
			return nil, fmt.Errorf("priors: %s is %v; it must lie between 0 and 1", name, f.Value)
		case f.Unit == "" || f.Source == "":
			return nil, fmt.Errorf("priors: %s has no unit or no source; say what it counts and where it is from", name)
		}
	}
	for _, name := range All {
		if _, ok := file[name]; !ok {
			return nil, fmt.Errorf("priors: %s is missing", name)
		}
	}
	return file, nil
}
