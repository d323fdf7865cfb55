package game

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Severities are the severities of codes; families that differ overlay their own.
type Severities map[finding.Code]round.Severity

// Standard is the severity of each code by the round record's own words:
// critical for money to the wrong side and impossible cards, minor for
// procedure, announcements and order, major for the rest.
func Standard() Severities {
	s := Severities{}
	for _, c := range []finding.Code{finding.PayoutMissing, finding.PayoutToLoser, finding.CollectedWinner, finding.VoidRoundSettled,
		finding.NullBallCounted, finding.IrregularThrowCounted, finding.DuplicateCard, finding.ForeignCard} {
		s[c] = round.Critical
	}
	for _, c := range []finding.Code{finding.BetBelowMin, finding.AnnouncementMissing, finding.AnnouncementOrder, finding.DealtBeforeClose,
		finding.PayoutOrderWrong, finding.PaidBeforeCollect, finding.OtherProcedure, finding.NotObservable,
		finding.DealOrderWrong, finding.FaceWrong, finding.BurnWrong} {
		s[c] = round.Minor
	}
	return s
}

// Findings collects the findings of one record. The same code at the same
// event, seat, spot and zone is kept once, except for missing announcements.
type Findings struct {
	rule       string
	severities Severities
	list       []round.Finding
}

// NewFindings makes a collector whose findings cite rule unless they say otherwise.
func NewFindings(rule string, s Severities) *Findings {
	return &Findings{rule: rule, severities: s}
}

// Add keeps a finding, filling severity and rule where they are empty.
func (f *Findings) Add(x round.Finding) {
	if x.Severity == "" {
		x.Severity = round.Major
		if s, ok := f.severities[x.Code]; ok {
			x.Severity = s
		}
	}
	if x.Rule == "" {
		x.Rule = f.rule
	}
	if x.Code != finding.AnnouncementMissing && f.Has(x.Code, x.Event, x.Seat, x.Spot, x.Zone) {
		return
	}
	f.list = append(f.list, x)
}

// At raises a code at an event.
func (f *Findings) At(event int, code finding.Code) { f.Add(round.Finding{Code: code, Event: event}) }

// On raises a code on a place.
func (f *Findings) On(event int, code finding.Code, p Place) {
	f.Add(round.Finding{Code: code, Event: event, Seat: p.Seat, Spot: p.Spot})
}

// Money raises a code on a place with the amounts that were due and seen.
func (f *Findings) Money(event int, code finding.Code, p Place, expected, observed money.Cents) {
	f.Add(Amounts(round.Finding{Code: code, Event: event, Seat: p.Seat, Spot: p.Spot}, expected, observed))
}

// Amounts fills expected, observed and delta of a finding.
func Amounts(x round.Finding, expected, observed money.Cents) round.Finding {
	delta := observed - expected
	x.Expected, x.Observed, x.Delta = expected, observed, &delta
	return x
}

// Has tells whether such a finding is kept already.
func (f *Findings) Has(code finding.Code, event, seat int, spot, zone string) bool {
	for i := range f.list {
		x := &f.list[i]
		if x.Code == code && x.Event == event && x.Seat == seat && x.Spot == spot && x.Zone == zone {
			return true
		}
	}
	return false
}

// HasCode tells whether a finding of this code on the seat and spot is kept, at any event.
func (f *Findings) HasCode(code finding.Code, seat int, spot string) bool {
	for i := range f.list {
		x := &f.list[i]
		if x.Code == code && x.Seat == seat && x.Spot == spot {
			return true
		}
	}
	return false
}

// List is what was kept, in the order of adding.
func (f *Findings) List() []round.Finding { return f.list }
