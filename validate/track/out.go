package track

import (
	"time"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
)

// Out is one output of the tracker: *PhaseChange, *Live, *Alert,
// *Variance, *Note, *Round or *Reread.
type Out interface{ out() }

// Phase of a table.
type Phase string

// The phases, in the order in which a round goes through them.
const (
	Idle       Phase = "idle"       // no round has begun
	Betting    Phase = "betting"    // chips are laid
	Closed     Phase = "closed"     // no va más; nothing dealt or thrown yet
	Dealing    Phase = "dealing"    // the first cards
	Deciding   Phase = "deciding"   // players and bank draw
	Resolution Phase = "resolution" // decided; nothing collected or paid yet
	Settling   Phase = "settling"   // collecting and paying
	Cleared    Phase = "cleared"    // the table is empty again
)

// PhaseChange is what the table does now.
type PhaseChange struct {
	Table string    `json:"table"`
	Phase Phase     `json:"phase"`
	Time  time.Time `json:"time"`
}

// Live is the running round as far as it is known: for people who watch.
type Live struct {
	Table         string             `json:"table"`
	Phase         Phase              `json:"phase"`
	Time          time.Time          `json:"time"`
	Record        round.Record       `json:"record"`     // without clear
	Settlement    []round.Settlement `json:"settlement"` // what would be due now
	NotVerifiable string             `json:"not_verifiable,omitempty"`
}

// State of an alert.
type State string

// The states of an alert.
const (
	Raised    State = "raised"    // seen while the round still runs
	Confirmed State = "confirmed" // the finished round agrees
	Corrected State = "corrected" // put right before the round ended, or read better since
)

// Alert is a finding raised before its round has ended, or what became of it.
type Alert struct {
	Table string `json:"table"`
	Round string `json:"round"` // id of the record, as it will be
	State State  `json:"state"`
	Judged
}

// Judged is a finding with its certainty and its place in the recording.
type Judged struct {
	round.Finding
	// Evidence is log10 of the likelihood ratio of what was observed, if it is so and if not.
	Evidence float64   `json:"evidence"`
	P        float64   `json:"p"`     // probability that it is so, by the rate of its class
	Alert    bool      `json:"alert"` // P reaches the threshold of its code; otherwise it is a note
	At       time.Time `json:"at"`    // of the event that made it so
	From     time.Time `json:"from"`  // span of the recording that shows it
	To       time.Time `json:"to"`
	// Accounts are the best hypotheses about it; nil where nothing speaks for another.
	Accounts []infer.Account `json:"accounts,omitempty"`
	// Rack is by how much the bank's rack surely grew while the round was settled, of a finding about money;
	// nil where that is not known.
	Rack *money.Cents `json:"rack,omitempty"`
	// With are the other findings of the same cause: one incident.
	With  []round.Finding `json:"-"`
	Basis *infer.Basis    `json:"-"` // nil unless Config.Basis asks for it
}

// Codes of notes.
const (
	NoteCorrected = narrate.NoteCorrected // a mistake was made and put right
	NoteSpurious  = narrate.NoteSpurious  // a card was seen for a moment and never again
	NoteLate      = "late_line"           // a line came too late for its round
	NoteRefused   = "refused_line"        // a line that the record cannot hold
	NoteUnusable  = "unusable_round"      // the record could not be judged
	NoteCalled    = narrate.NoteCalled    // a die was not read and is taken from the call
	NoteAbandoned = "abandoned"           // a round was begun and never decided
)

// Note is worth a remark and no alert.
type Note struct {
	Table string `json:"table"`
	narrate.Note
}

// Variance is a disagreement between two readings of one fact.
type Variance struct {
	Table string    `json:"table"`
	Fact  string    `json:"fact"` // "number", "card", "dice"
	One   Reading   `json:"one"`
	Other Reading   `json:"other"`
	Time  time.Time `json:"time"`
}

// Reading is one reading of a fact: who has it so.
type Reading struct {
	By   string `json:"by"` // "wheel", "call", "camera", "terminal", "shoe"
	What string `json:"what"`
	Zone string `json:"zone,omitempty"` // of a card
}

// Reread asks for zones that lie at rest to be read again, with all pictures that can be had soon: a finding is
// possible that another reading of them would undo.
type Reread struct {
	Zones []string
}

// Round is a finished round.
type Round struct {
	Record   round.Record  `json:"record"`
	Verdict  round.Verdict `json:"verdict"`
	Findings []Judged      `json:"findings"` // of the verdict, with certainty
	Notes    []Note        `json:"notes,omitempty"`
	Start    time.Time     `json:"start"`
	End      time.Time     `json:"end"`
	Times    []time.Time   `json:"times"` // wall time of each event of the record
	// NotVerifiable is why nobody can know whether the round was correct;
	// then the findings are not_observable and none is an alert.
	NotVerifiable string `json:"not_verifiable,omitempty"`
}

func (*PhaseChange) out() {}
func (*Live) out()        {}
func (*Alert) out()       {}
func (*Note) out()        {}
func (*Variance) out()    {}
func (*Round) out()       {}
func (*Reread) out()      {}
