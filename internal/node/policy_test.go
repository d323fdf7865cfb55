package node

import (
	"slices"
	"testing"

	"vision/internal/config"
	"vision/stream/alert"
	"vision/validate/finding"
	"vision/validate/operating"
)

// A table is judged by the rates that are stated for it, else for all, else usual; decided alerts correct them,
// and another budget makes another threshold at once.
func TestPoliciesOfTables(t *testing.T) {
	limits, err := alert.OpenLimits("", 0)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{limits: limits}
	n.force.Store(&config.Config{Rates: map[string]float64{"money": 6}, Tables: []config.Table{
		{ID: "R1"}, {ID: "BJ1", Rates: map[string]float64{"money": 12}},
	}})
	p := &policies{node: n}
	all, own := p.of("R1"), p.of("BJ1")
	if all.Rates[finding.ClassMoney] != 6 || all.Rates[finding.ClassCall] != 20 || own.Rates[finding.ClassMoney] != 12 {
		t.Errorf("rates %v, of a table with its own %v", all.Rates, own.Rates)
	}
	if all.Threshold <= 0 || all.Threshold >= 1 {
		t.Errorf("threshold %v", all.Threshold)
	}
	if err := limits.Set("eva", alert.Thresholds{Budget: 10, Escalate: 60}); err != nil {
		t.Fatal(err)
	}
	if more := p.of("R1"); more.Threshold >= all.Threshold {
		t.Errorf("with ten times as many false alerts from %v, before from %v", more.Threshold, all.Threshold)
	}
	p.mu.Lock()
	p.rounds, p.confirmed, p.made = 2000, map[finding.Class]int{finding.ClassMoney: 28}, nil
	p.mu.Unlock()
	if learned := p.of("R1"); learned.Rates[finding.ClassMoney] != 10 { // (12 + 28) in 4,000
		t.Errorf("rates %v after 28 confirmed alerts in 2,000 rounds", learned.Rates)
	}
	shown := p.shown()
	if len(shown) != 2 || shown[1].Table != "BJ1" || len(shown[1].Classes) != 4 || shown[0].By[finding.ClassCall] <= 0 {
		t.Errorf("shown %+v", shown)
	}
}

// What is named again where a room may not import the other is the same.
func TestBudgetAndClassesAgree(t *testing.T) {
	var classes []string
	for _, c := range finding.Classes {
		classes = append(classes, string(c))
	}
	if !slices.Equal(classes, config.Classes) {
		t.Errorf("the configuration knows the classes %v, the findings %v", config.Classes, classes)
	}
	if b := alert.StandardThresholds.Budget; b != operating.StandardBudget {
		t.Errorf("the standard budget is %v, of the curve %v", b, operating.StandardBudget)
	}
}
