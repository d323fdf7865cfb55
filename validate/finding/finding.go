// Package finding is the one catalogue of what can be found: in a round, in the
// supervision of the room, in the life of a table between opening and closing. A kind of
// finding is registered once, with its code, and whoever needs to know something of it
// (engines, tracker, sentences, alerts, metrics, docs) asks here.
//
// It is vocabulary: it judges nothing, knows no game, and imports only the texts' type,
// so that every package may use its codes. A code is written out nowhere else; a test
// looks through the sources for it.
package finding

import (
	"maps"
	"slices"

	"vision/internal/text"
)

// Code names a kind of finding in records, verdicts, the ledger and the API. The codes
// are fixed by the wire format.
type Code string

// Subject is what a finding is about.
type Subject string

// The subjects.
const (
	Money       Subject = "money"       // chips collected, paid, deducted or given back
	Bets        Subject = "bets"        // chips laid by players
	Cards       Subject = "cards"       // cards dealt, drawn, burned
	Throws      Subject = "throws"      // dice and balls
	Calls       Subject = "calls"       // what is said, and when
	Procedure   Subject = "procedure"   // the order in which things are done
	Supervision Subject = "supervision" // jefes de mesa and staff
	Limits      Subject = "limits"      // a table's minimum and maximum, and its game
	Float       Subject = "float"       // the chips of the table and its meters
	Equipment   Subject = "equipment"   // packs, shoe, dice, wheel
	Session     Subject = "session"     // last rounds and the charge per session
)

// Severity of a finding.
type Severity string

// The severities.
const (
	Critical Severity = "critical" // money to the wrong side, impossible card
	Major    Severity = "major"    // wrong amount, wrong rule applied
	Minor    Severity = "minor"    // procedure, announcement, order
)

// Text is a phrase in the languages of the product.
type Text text.Text

// Kind is one entry of the catalogue. What it is to a judge that never raises it is zero.
type Kind struct {
	Code    Code
	About   Subject
	Title   Text // without what it concerns
	Round   InRound
	Room    InRoom
	Session InSession
}

// Family is a family of games, with an engine and a chapter of the contract of its own.
type Family string

// The families.
const (
	Wheels Family = "wheels" // wheels and dice
	Points Family = "points" // cards counted by points
	Banked Family = "banked" // poker against the bank
	Circle Family = "circle" // poker among players
)

// InRound is a kind as the verdict of a round has it.
type InRound struct {
	Severity Severity            // "" where no round raises it
	Families map[Family]Severity // of the families whose chapter says otherwise
	Amounts  bool                // expected and observed are amounts of money
	Both     Text                // the sentence with what was expected, {e}, and observed, {o}
	None     Text                // Both's where nothing was observed
	Seen     Text                // the sentence where only the observed, {o}, is known
	Must     Text                // what the hand had to do that did otherwise

	Running   Running // before it is raised while the round runs
	Omits     Omission
	Counts    Count
	Unwatched Unwatched
	Pot       bool // where all play for one pot it follows from what all have bet
	ToHouse   bool // its amounts are what the house takes: more than expected is the house's gain
}

// Of is the severity in the games of a family.
func (r *InRound) Of(f Family) Severity {
	if s, ok := r.Families[f]; ok {
		return s
	}
	if r.Severity == "" {
		return Major // what the contract does not name
	}
	return r.Severity
}

// InRoom is a kind as the supervision of the room has it. In the sentences {j} is the
// jefe de mesa, {t} the table, {g} the game, {r} the role, {l} the limit, {a} what was
// seen, {l€} and {a€} the same as money; {these} the tables in charge, {(these)} and
// {(games)} the same in brackets, where they are known.
type InRoom struct {
	Severity Severity // "" where no room raises it
	Said     Text
	Whole    Text // where no table is named; empty: as Said
}

// InSession is a kind as the session of a table has it, which has seconds and no moment.
// In the sentences {t} is the table, {j} the jefe de mesa, {o} another table, {r} a role,
// {c} a card, {w} what it is about, {e} what was due, {a} what was seen, {e€} and {a€} the
// same as money, {s} how many seconds it lasted.
type InSession struct {
	Severity Severity // "" where no session raises it
	Said     Text
}

// kinds are all kinds by code. Each subject lists its own beside its codes.
var kinds = index(map[Subject][]Kind{
	Money: moneyKinds, Bets: betKinds, Cards: cardKinds, Throws: throwKinds, Calls: callKinds, Procedure: procedureKinds,
	Supervision: supervisionKinds, Limits: limitKinds, Float: floatKinds, Equipment: equipmentKinds, Session: sessionKinds,
})

func index(subjects map[Subject][]Kind) map[Code]*Kind {
	m := map[Code]*Kind{}
	for about, list := range subjects {
		for i := range list {
			list[i].About = about
			m[list[i].Code] = &list[i]
		}
	}
	return m
}

// all are the kinds in the order of their codes.
var all = func() (list []*Kind) {
	for _, c := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, kinds[c])
	}
	return list
}()

// none is the kind of a code that is not registered: nothing is known of it.
var none Kind

// Of is what is known of a code; of one that is not registered nothing is.
func Of(c Code) *Kind {
	if k := kinds[c]; k != nil {
		return k
	}
	return &none
}

// Known reports whether a code is registered.
func Known(c Code) bool { return kinds[c] != nil }

// All are all kinds, by code. They are to be read only.
func All() []*Kind { return slices.Clone(all) }

// Class of mistakes of which a table makes about as many.
type Class string

// The classes.
const (
	ClassMoney     Class = "money"
	ClassCard      Class = "card"
	ClassProcedure Class = "procedure"
	ClassCall      Class = "call"
)

// Classes are all of them.
var Classes = []Class{ClassMoney, ClassCard, ClassProcedure, ClassCall}

// Class of a kind of finding.
func (k *Kind) Class() Class {
	switch k.About {
	case Money, Float:
		return ClassMoney
	case Cards:
		return ClassCard
	case Calls:
		return ClassCall
	}
	return ClassProcedure
}
