package room

import (
	"strings"
	"testing"
)

func TestADutyThatMakesNoSense(t *testing.T) {
	for want, d := range map[string]Duty{
		"":                     {Open: true, Staff: map[string]int{"croupier": 1}, Waived: []string{"subjefe", "extremo"}},
		"unknown role \"rey\"": {Staff: map[string]int{"rey": 1}},
		"-1 is no number":      {Staff: map[string]int{"croupier": -1}},
		"101 is no number":     {Staff: map[string]int{"croupier": 101}},
		"\"croupier\" cannot":  {Waived: []string{"croupier"}},
	} {
		if err := d.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", d, err, want)
		}
	}
}

// What is changed in a clone is not changed in the state.
func TestAStateIsCloned(t *testing.T) {
	a := State{Duty: map[string]Duty{"A": {Open: true}}, Assignments: []Assignment{{Jefe: "eva", Tables: []string{"A", "B"}}},
		Used: true}
	b := a.Clone()
	b.Duty["A"] = Duty{}
	b.Assignments[0].Tables[0] = "C"
	if !a.DutyOf(Place{ID: "A"}).Open || a.Of("eva")[0] != "A" || !b.Used {
		t.Errorf("%+v", a)
	}
	if d := a.DutyOf(Place{ID: "B", Duty: Duty{Waived: []string{"extremo"}}}); len(d.Waived) != 1 || a.Of("luis") != nil {
		t.Errorf("what is configured counts until somebody speaks: %+v", d)
	}
}
