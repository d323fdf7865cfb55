package hypothesis

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Priors are what is known of tables and hands before anything is seen of a round. Their
// units and sources stand in priors.json. A probability is that of the first of two things
// that look alike, if they happened equally often.
type Priors struct {
	Mistake float64 // share of rounds
	Another float64 // share of rounds with a mistake
	Unseen  float64 // share of rounds

	Sooner   float64 // odds
	Reversed float64 // odds

	Untouched           float64
	CollectedByTheHouse float64
	CollectedByBoth     float64
	CollectedSoon       float64
	CollectedLate       float64
	PushTakenByTheHouse float64
	PushTaken           float64
	PrisonerCollected   float64
	NotBet              float64
}

//go:embed priors.json
var priorsFile []byte

// BuiltIn gives the priors of priors.json.
var BuiltIn = sync.OnceValue(func() *Priors {
	p, err := ReadPriors(priorsFile)
	if err != nil {
		panic(fmt.Sprint("track: ", err)) // built in, and held by a test
	}
	return p
})

// ReadPriors reads a file of priors as priors.json is one. It must have all of them, each
// with its unit and source, and no other.
func ReadPriors(data []byte) (*Priors, error) {
	var file map[string]struct {
		Value        float64
		Unit, Source string
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("priors: %w", err)
	}
	p := &Priors{}
	fields := map[string]*float64{
		"mistake": &p.Mistake, "another": &p.Another, "unseen": &p.Unseen, "sooner": &p.Sooner, "reversed": &p.Reversed,
		"untouched": &p.Untouched, "collected_by_the_house": &p.CollectedByTheHouse, "collected_by_both": &p.CollectedByBoth,
		"collected_soon": &p.CollectedSoon, "collected_late": &p.CollectedLate, "push_taken_by_the_house": &p.PushTakenByTheHouse,
		"push_taken": &p.PushTaken, "prisoner_collected": &p.PrisonerCollected, "not_bet": &p.NotBet,
	}
	for name, f := range file {
		field := fields[name]
		switch {
		case field == nil:
			return nil, fmt.Errorf("priors: %q is none of them; take it out", name)
		case f.Value <= 0 || f.Value >= 1:
			return nil, fmt.Errorf("priors: %s is %v; it must lie between 0 and 1", name, f.Value)
		case f.Unit == "" || f.Source == "":
			return nil, fmt.Errorf("priors: %s has no unit or no source; say what it counts and where it is from", name)
		}
		*field = f.Value
		delete(fields, name)
	}
	for name := range fields {
		return nil, fmt.Errorf("priors: %s is missing", name)
	}
	return p, nil
}
