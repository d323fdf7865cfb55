package logodds_test

import (
	"math"
	"slices"
	"testing"

	"vision/internal/logodds"
)

func probabilities(l logodds.Evidence, correlation float64) map[string]float64 {
	out := map[string]float64{}
	for _, s := range l.Shares(correlation, "", 9) {
		out[s.What] = s.P
	}
	return out
}

// Two readings that agree are surer than one, the less the more their errors are correlated; in any
// order, and beside what only one of them names.
func TestLooksAreAddedAsFarAsTheyDoNotErrAlike(t *testing.T) {
	one := logodds.Of(map[string]float64{"3": 0.8, "4": 0.2}, 0.01)
	for _, c := range []struct{ alike, want float64 }{{0, 16.0 / 17}, {1, 0.8}, {0.5, 1 / (1 + math.Pow(4, -2/1.5))}} {
		if got := probabilities(one.Fuse(one), c.alike)["3"]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("correlation %v: %v, want %v", c.alike, got, c.want)
		}
	}
	other := logodds.Of(map[string]float64{"4": 0.6, "5": 0.4}, 0.01)
	a, b := probabilities(one.Fuse(other), 0), probabilities(other.Fuse(one), 0)
	if len(a) != 3 || math.Abs(a["4"]-0.12/(0.12+0.008+0.004)) > 1e-9 {
		t.Errorf("together %v", a)
	}
	for what, p := range a {
		if math.Abs(b[what]-p) > 1e-12 {
			t.Errorf("the other way round %s has %v, not %v", what, b[what], p)
		}
	}
	if none := (logodds.Evidence{}).Fuse(one); none.Count() != 1 || probabilities(none, 0)["3"] != probabilities(one, 0)["3"] {
		t.Error("no look changed one")
	}
}

func TestTheFavouredOfTwoAlikeIsFirst(t *testing.T) {
	l := logodds.Of(map[string]float64{"a": 0.5, "b": 0.5}, 0.1)
	for _, favoured := range []string{"a", "b"} {
		if got := l.Shares(0.5, favoured, 1); len(got) != 1 || got[0].What != favoured || got[0].P != 1 {
			t.Errorf("%s is favoured, told is %v", favoured, got)
		}
	}
	named := l.Named()
	if slices.Sort(named); !slices.Equal(named, []string{"a", "b"}) {
		t.Errorf("named are %v", named)
	}
}
