package game

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Findings collects the findings of one record. The same code at the same event, seat,
// spot and zone is kept once, except for missing announcements.
type Findings struct {
	// Repeats keeps also what is the same at the same event.
	Repeats bool
	// OncePerSeat are codes that are kept once for a seat and spot, whatever the event.
	OncePerSeat []finding.Code

	family finding.Family
	cite   func(f *round.Finding) string
	list   []round.Finding
}

// NewFindings makes a collector of the findings of a family's game. A finding without
// rule gets the one that cite names.
func NewFindings(family finding.Family, cite func(f *round.Finding) string) *Findings {
	return &Findings{family: family, cite: cite}
}

// Add keeps a finding, filling severity and rule where they are empty.
func (f *Findings) Add(x round.Finding) {
	if slices.Contains(f.OncePerSeat, x.Code) && f.HasCode(x.Code, x.Seat, x.Spot) {
		return
	}
	if x.Severity == "" {
		x.Severity = finding.Of(x.Code).Round.Of(f.family)
	}
	if x.Rule == "" {
		x.Rule = f.cite(&x)
	}
	same := func(o round.Finding) bool {
		return o.Code == x.Code && o.Event == x.Event && o.Seat == x.Seat && o.Spot == x.Spot && o.Zone == x.Zone
	}
	if !f.Repeats && x.Code != finding.AnnouncementMissing && slices.ContainsFunc(f.list, same) {
		return
	}
	f.list = append(f.list, x)
}

// AddAll keeps several findings.
func (f *Findings) AddAll(list []round.Finding) {
	for _, x := range list {
		f.Add(x)
	}
}

// At raises a code at an event.
func (f *Findings) At(event int, code finding.Code) { f.Add(round.Finding{Code: code, Event: event}) }

// Amounts raises a code on a place with the amounts that were due and seen.
func (f *Findings) Amounts(event int, code finding.Code, p Place, expected, observed money.Cents) {
	f.Add(Amounts(round.Finding{Code: code, Event: event, Seat: p.Seat, Spot: p.Spot}, expected, observed))
}

// Amounts fills expected, observed and delta of a finding.
func Amounts(x round.Finding, expected, observed money.Cents) round.Finding {
	x.Expected, x.Observed, x.Delta = expected, observed, new(observed-expected)
	return x
}

// HasCode reports whether a finding of this code on the seat and spot is kept, at any event.
func (f *Findings) HasCode(code finding.Code, seat int, spot string) bool {
	return slices.ContainsFunc(f.list, func(x round.Finding) bool {
		return x.Code == code && x.Seat == seat && x.Spot == spot
	})
}

// List is what was kept, in the order of adding.
func (f *Findings) List() []round.Finding { return f.list }
