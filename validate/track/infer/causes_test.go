package infer

import (
	"slices"
	"testing"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// What comes from one mistake, or falls with one hypothesis, is one incident; what merely happens in one round
// is not.
func TestIncidents(t *testing.T) {
	at := func(code finding.Code, seat int, spot string) round.Finding {
		return round.Finding{Code: code, Seat: seat, Spot: spot}
	}
	paid, left := at(finding.PayoutToLoser, 1, "falta"), at(finding.LoserNotCollected, 1, "falta")
	other, order := at(finding.PayoutUnder, 2, "main"), at(finding.PayoutOrderWrong, 1, "falta")
	early := []round.Finding{
		at(finding.BetNotAllowed, 1, "main"), at(finding.BetNotAllowed, 2, "main"), at(finding.AnnouncementMissing, 0, ""),
	}
	dark := at(finding.NotObservable, 1, "falta")
	wrong, late := at(finding.AnnouncementWrong, 1, ""), at(finding.AnnouncementOrder, 2, "")
	next, unsaid := at(finding.AnnouncementWrong, 2, ""), at(finding.AnnouncementMissing, 3, "")
	next.Event = 1
	for name, c := range map[string]struct {
		found []round.Finding
		held  bool
		// rivals are hypotheses with their weights, and what is found under them.
		rivals map[float64][]round.Finding
		want   []int
	}{
		"a loser is paid and left": {found: []round.Finding{paid, left}, want: []int{0, 0}},
		"two seats":                {found: []round.Finding{paid, other, left}, want: []int{0, 1, 0}},
		"one call, and another":    {found: []round.Finding{wrong, late, next}, want: []int{0, 0, 2}},
		"a call that is missing":   {found: []round.Finding{wrong, unsaid}, want: []int{0, 1}},
		"two seats of one pot":     {found: []round.Finding{paid, other}, held: true, want: []int{0, 0}},
		"a procedure at the seat":  {found: []round.Finding{order, other, paid}, want: []int{0, 1, 0}},
		"one thing was misread":    {found: early, rivals: map[float64][]round.Finding{0.5: nil}, want: []int{0, 0, 0}},
		"each thing was": {
			found:  early[1:],
			rivals: map[float64][]round.Finding{0.5: early[1:2], 0.4: early[2:]},
			want:   []int{0, 1},
		},
		"nothing that weighs is without it": {found: early[1:], rivals: map[float64][]round.Finding{1e-12: nil}, want: []int{0, 1}},
		"what could not be seen is alone":   {found: []round.Finding{dark, paid, dark}, rivals: map[float64][]round.Finding{0.5: nil}, want: []int{0, 1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			calls := slices.Repeat([]narrate.Entry{{Event: round.Event{Type: round.Announce}}}, 2)
			ruling := func(weight float64, found []round.Finding) *Ruling {
				given := narrate.Given{Game: &narrate.Game{Course: scene.Course{Held: c.held}}, Scene: &scene.Scene{}}
				return &Ruling{
					Narration: &narrate.Narration{Given: given, Account: narrate.Account{Entries: calls}},
					seen:      &scene.Scene{}, weight: weight, Verdict: round.Verdict{Findings: found},
				}
			}
			r := ruling(1, c.found)
			r.tried = []*Ruling{r}
			for w, found := range c.rivals {
				r.tried = append(r.tried, ruling(w, found))
			}
			if got := (&Inference{Priors: hypothesis.BuiltIn()}).Incidents(r); !slices.Equal(got, c.want) {
				t.Errorf("%v; want %v", got, c.want)
			}
		})
	}
}
