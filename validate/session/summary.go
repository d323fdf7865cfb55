package session

import (
	"cmp"
	"slices"

	"vision/validate/finding"
	"vision/validate/room"
)

// Summary is the acta of the session. Times are seconds, amounts cents; a nil is
// what is not known. Every part is always there.
type Summary struct {
	OpenS           int64                           `json:"open_s"`
	Runs            []RunOf                         `json:"runs"`
	Jefes           []JefeOf                        `json:"jefes"`
	Supervision     SupervisionOf                   `json:"supervision"`
	Recording       RecordingOf                     `json:"recording"`
	Limits          []LimitsOf                      `json:"limits"`
	Rounds          RoundsOf                        `json:"rounds"`
	Findings        map[finding.Code]map[string]int `json:"findings"`         // of the rounds: number by code and outcome
	SessionFindings map[finding.Code]int            `json:"session_findings"` // of this verdict, by code
	Money           MoneyOf                         `json:"money"`
	Float           []FloatOf                       `json:"float"` // by run
	Changes         ChangesOf                       `json:"changes"`
	Tallas          int                             `json:"tallas"`
	Seals           []SealOf                        `json:"seals"`

	lost int64 // end of the last interval without recording, -1 before
}

// RunOf is one opening of the table.
type RunOf struct {
	Game    string  `json:"game"` // at its start
	From    int64   `json:"from"`
	To      int64   `json:"to"`
	Cloth   *string `json:"cloth"`
	Shoe    *string `json:"shoe"`
	DiceSet *string `json:"dice_set"`

	run *run
}

// JefeOf is the time under one jefe, and the most tables he had meanwhile.
type JefeOf struct {
	Jefe      string `json:"jefe"`
	Seconds   int64  `json:"seconds"`
	TablesMax int    `json:"tables_max"`
}

// SupervisionOf is how the open time was supervised.
type SupervisionOf struct {
	NoJefeS int64      `json:"no_jefe_s"`
	ExemptS int64      `json:"exempt_s"` // the table needs no jefe
	SingleS int64      `json:"single_s"` // the only table of its jefe
	Shared  []SharedOf `json:"shared"`
}

// SharedOf is the time in which the jefe had so many tables, with the conditions
// of the norm held and not held.
type SharedOf struct {
	Tables   int      `json:"tables"`
	HeldS    int64    `json:"held_s"`
	NotHeldS int64    `json:"not_held_s"`
	Rules    []string `json:"rules"`
}

// RecordingOf is the open time without recording.
type RecordingOf struct {
	LostS       int64 `json:"lost_s"`
	Gaps        int   `json:"gaps"`
	CameraMoved int   `json:"camera_moved"`
}

// LimitsOf are limits and the time in which they were in force.
type LimitsOf struct {
	Min  int64  `json:"min"`
	Max  *int64 `json:"max"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// RoundsOf counts the rounds.
type RoundsOf struct {
	Total         int            `json:"total"`
	Decided       int            `json:"decided"`
	Verifiable    int            `json:"verifiable"`
	Void          int            `json:"void"`
	WhileClosed   int            `json:"while_closed"` // in no other number
	NotVerifiable map[string]int `json:"not_verifiable"`
}

// MoneyOf is what the rounds moved; a positive result is the house's.
type MoneyOf struct {
	In     int64 `json:"in"`
	Out    int64 `json:"out"`
	Pozo   int64 `json:"pozo"`
	Result int64 `json:"result"`
}

// FloatOf is the float of one run.
type FloatOf struct {
	Open       *int64 `json:"open"`
	Fills      int64  `json:"fills"`
	Credits    int64  `json:"credits"`
	Changes    int64  `json:"changes"`
	Book       *int64 `json:"book"`
	Close      *int64 `json:"close"`
	Difference *int64 `json:"difference"`
}

// ChangesOf are the changes of money; what was told and given counts where both were seen.
type ChangesOf struct {
	Count      int   `json:"count"`
	Told       int64 `json:"told"`
	Chips      int64 `json:"chips"`
	Difference int64 `json:"difference"`
}

// SealOf is a seal of evidence.
type SealOf struct {
	Event int    `json:"event"`
	What  string `json:"what"`
	Hash  string `json:"hash"`
}

func (s *Summary) start() {
	s.Runs, s.Jefes, s.Limits, s.Float, s.Seals = []RunOf{}, []JefeOf{}, []LimitsOf{}, []FloatOf{}, []SealOf{}
	s.Supervision.Shared = []SharedOf{}
	s.Rounds.NotVerifiable, s.Findings, s.SessionFindings = map[string]int{}, map[finding.Code]map[string]int{},
		map[finding.Code]int{}
	s.lost = -1
}

func (s *Summary) begin(t int64, r *run) {
	s.Runs = append(s.Runs, RunOf{Game: r.game, From: t, To: t, Cloth: r.cloth, run: r})
}

func (s *Summary) gear(e *Event) {
	r := &s.Runs[len(s.Runs)-1]
	r.Shoe, r.DiceSet = e.Gear.Shoe, e.Gear.DiceSet
}

func (s *Summary) end(t int64) { s.Runs[len(s.Runs)-1].To = t }

// limitsFrom begins an entry of the limits in force.
func (x *examination) limitsFrom(t int64) {
	if x.limits != nil {
		x.summary.Limits = append(x.summary.Limits, LimitsOf{Min: x.limits.Min, Max: x.limits.Max, From: t, To: t})
	}
}

// limitsTo ends it; limits that were in force for no time are left out.
func (x *examination) limitsTo(t int64) {
	n := len(x.summary.Limits) - 1
	if x.limits == nil || x.run == nil || n < 0 {
		return
	}
	if x.summary.Limits[n].To = t; x.summary.Limits[n].From == t {
		x.summary.Limits = x.summary.Limits[:n]
	}
}

// event counts an event; r is the run that it belongs to, nil for none. The run
// of a close is over already.
func (s *Summary) event(i int, e *Event, r *run) {
	switch e.Type {
	case CameraMoved:
		s.Recording.CameraMoved++
	case ShiftStart:
		if !slices.ContainsFunc(s.Jefes, func(x JefeOf) bool { return x.Jefe == e.Jefe }) {
			s.Jefes = append(s.Jefes, JefeOf{Jefe: e.Jefe})
		}
	case TallaEnd:
		s.Tallas++
	case Sealed:
		s.Seals = append(s.Seals, SealOf{i, e.What, e.Hash})
	case Change:
		if r != nil {
			s.Changes.add(e)
		}
	case Round:
		if r == nil {
			s.Rounds.WhileClosed++
			return
		}
		s.round(&e.Round)
	}
}

func (c *ChangesOf) add(e *Event) {
	c.Count++
	if e.Chips != nil {
		c.Told += e.Told
		c.Chips += *e.Chips
		c.Difference = c.Chips - c.Told
	}
}

func (s *Summary) round(r *RoundOf) {
	n := &s.Rounds
	n.Total++
	n.Decided += one(r.Decided)
	n.Verifiable += one(r.Verifiable)
	n.Void += one(r.Void)
	if !r.Verifiable {
		n.NotVerifiable[r.Reason]++
	}
	for _, f := range r.Findings {
		if s.Findings[f.Code] == nil {
			s.Findings[f.Code] = map[string]int{}
		}
		s.Findings[f.Code][f.Outcome]++
	}
	if m := r.Money; m != nil {
		s.Money.In += m.In
		s.Money.Out += m.Out
		s.Money.Pozo += m.Pozo
		s.Money.Result = s.Money.In - s.Money.Out + s.Money.Pozo
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// recording counts open time without recording.
func (s *Summary) recording(from, to int64, lost bool) {
	if !lost {
		return
	}
	if s.lost != from {
		s.Recording.Gaps++
	}
	s.Recording.LostS += to - from
	s.lost = to
}

// under counts open time under a jefe.
func (s *Summary) under(jefe string, d int64, tables int) {
	for k := range s.Jefes {
		if x := &s.Jefes[k]; x.Jefe == jefe {
			x.Seconds += d
			x.TablesMax = max(x.TablesMax, tables)
		}
	}
}

// share counts time in which a jefe had several tables.
func (s *SupervisionOf) share(tables int, d int64, found []room.Finding, class string) {
	at, there := slices.BinarySearchFunc(s.Shared, tables, func(x SharedOf, n int) int { return cmp.Compare(x.Tables, n) })
	if !there {
		s.Shared = slices.Insert(s.Shared, at, SharedOf{Tables: tables, Rules: []string{}})
	}
	x := &s.Shared[at]
	if len(found) == 0 {
		x.HeldS += d
	} else {
		x.NotHeldS += d
	}
	if class != "" {
		x.Rules = append(x.Rules, class)
	} else {
		for _, f := range found {
			x.Rules = append(x.Rules, f.Rule)
		}
	}
	slices.Sort(x.Rules)
	x.Rules = slices.Compact(x.Rules)
}

// acta completes the summary with the floats and the findings.
func (x *examination) acta(findings []Finding) Summary {
	s := x.summary
	for _, r := range s.Runs {
		a := &r.run.account
		f := FloatOf{Open: a.counted, Fills: a.fills, Credits: a.credits, Changes: a.changes, Book: a.book, Close: a.closing}
		if f.Book != nil && f.Close != nil {
			f.Difference = new(*f.Close - *f.Book)
		}
		s.Float = append(s.Float, f)
	}
	for _, f := range findings {
		s.SessionFindings[f.Code]++
	}
	return s
}
