// Package finding is the one catalogue of what can be found: in a round, in the
// supervision of the room, in the life of a table between opening and closing. A kind of
// finding is registered once, with its code, and whoever needs to know something of it
// (engines, tracker, sentences, alerts, metrics, docs) asks here.
//
// It is vocabulary: it judges nothing, knows no game, and imports nothing of the project,
// so that every package may use its codes. A code is written out nowhere else; a test
// looks through the sources for it.
package finding

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

// Kind is one entry of the catalogue.
type Kind struct {
	Code  Code
	About Subject
}
