// Package validate judges rounds by the norm in force. It is a pure function
// over rulebook and round record: it knows no image, no clock and no file.
package validate

import (
	"errors"
	"fmt"
	"io/fs"

	"vision/validate/game"
	"vision/validate/game/housepoker"
	"vision/validate/game/points"
	"vision/validate/game/ringpoker"
	"vision/validate/game/wheels"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/session"
	"vision/validate/supervision"
)

// Engines are the engines by family: the families that a rulebook may name.
func Engines() map[string]game.Engine {
	return map[string]game.Engine{
		housepoker.Family: housepoker.Engine{},
		ringpoker.Family:  ringpoker.Engine{},
		points.Family:     points.Engine{},
		wheels.Family:     wheels.Engine{},
	}
}

// Schema is the type of rules of each family, for rulebook.Load.
func Schema() rulebook.Schema {
	s := rulebook.Schema{rulebook.Supervision: supervision.New, rulebook.Session: session.New}
	for family, e := range Engines() {
		s[family] = e.Rules
	}
	return s
}

// Books loads the shipped norms and, over them, those of further folders.
func Books(more ...fs.FS) (*rulebook.Books, error) {
	return rulebook.Load(Schema(), append([]fs.FS{rulebook.Shipped()}, more...)...)
}

// Check judges one record. Where something that was not read leaves more than one state for
// the next record, the verdict's next has them all. Its error is a *round.Error: the record is
// malformed or names a norm or game that the books do not have.
func Check(books *rulebook.Books, rec *round.Record) (round.Verdict, error) {
	return check(books, rec, func(e game.Engine, in game.Input, v *round.Verdict) { leave(e, in, v, true) })
}

// CheckUnwatched is Check for a round that was not watched all the time: whatever decides it
// may have been something else, and all that its next says is in doubt.
func CheckUnwatched(books *rulebook.Books, rec *round.Record) (round.Verdict, error) {
	return check(books, rec, func(e game.Engine, in game.Input, v *round.Verdict) { leave(e, in, v, false) })
}

// Judge is Check for one reading among several of a round: of its next only the likeliest state.
func Judge(books *rulebook.Books, rec *round.Record) (round.Verdict, error) {
	return check(books, rec, func(game.Engine, game.Input, *round.Verdict) {})
}

func check(
	books *rulebook.Books,
	rec *round.Record,
	leave func(game.Engine, game.Input, *round.Verdict),
) (round.Verdict, error) {
	norm, g, err := books.Game(rec.Norm, rec.Game)
	if err != nil {
		path := "game"
		if errors.Is(err, rulebook.ErrUnknownNorm) {
			path = "norm"
		}
		return round.Verdict{}, &round.Error{Record: rec.ID, Path: path, Problem: err.Error()}
	}
	once, of := game.Once(rec)
	engine, in := Engines()[g.Family], game.Input{Norm: norm, Game: g, Rec: once}
	v, err := judge(engine, in)
	if err != nil {
		var e *round.Error
		if !errors.As(err, &e) {
			e = &round.Error{Problem: err.Error()}
		}
		e.Record = rec.ID
		return round.Verdict{}, e
	}
	leave(engine, in, &v)
	if of != nil {
		for i := range v.Findings {
			v.Findings[i].Event = of[v.Findings[i].Event]
		}
	}
	v.Seal(rec)
	return v, nil
}

// identity tells findings apart.
func identity(f *round.Finding) string {
	return fmt.Sprintf("%s|%d|%s|%s|%d|%v|%v", f.Code, f.Seat, f.Spot, f.Zone, f.Event, f.Expected, f.Observed)
}

// The kinds of packs that games are played with, as calibrations name them.
const (
	French          = "french"
	FrenchNoIndices = "french-no-index"
	Spanish         = "spanish"
)

// Packs are the kinds of packs that a norm allows for one of its games, the usual one
// first; none where the game has no cards. Whether they bear indices is said by the norm's
// section on sessions, for some games.
func Packs(norm *rulebook.Norm, game string) []string {
	g := norm.Games[game]
	if g == nil {
		return nil
	}
	switch g.Family {
	case points.Family, housepoker.Family, ringpoker.Family:
	default:
		return nil
	}
	if p, ok := g.Rules.(*points.Rules); ok && p.MonteBanca != nil {
		return []string{Spanish}
	}
	life, ok := norm.Session.(*session.Rules)
	if !ok {
		return []string{French, FrenchNoIndices}
	}
	switch bear, said := life.Indices(game); {
	case !said:
		return []string{French, FrenchNoIndices}
	case bear:
		return []string{French}
	}
	return []string{FrenchNoIndices}
}
