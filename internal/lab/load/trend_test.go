package load

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What grows is told from what wanders, jumps once or has peaks.
func TestTrend(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for name, c := range map[string]struct {
		at    func(i float64) float64
		grows bool
	}{
		"flat":               {func(float64) float64 { return 100 }, false},
		"noise":              {func(float64) float64 { return 100 + 5*rng.NormFloat64() }, false},
		"a leak in noise":    {func(i float64) float64 { return 100 + 0.2*i + 5*rng.NormFloat64() }, true},
		"a saw":              {func(i float64) float64 { return 100 + math.Mod(i, 20) }, false},
		"one late peak":      {func(i float64) float64 { return 100 + 900*math.Max(0, i-118) + rng.NormFloat64() }, false},
		"settles":            {func(i float64) float64 { return 100 - 20*math.Exp(-i/10) }, false},
		"shrinks":            {func(i float64) float64 { return 100 - 0.2*i + rng.NormFloat64() }, false},
		"a tenth in an hour": {func(i float64) float64 { return 100 + 10*i/360 + 0.1*rng.NormFloat64() }, true},
	} {
		var x, y []float64
		for i := range 120 { // every ten seconds for twenty minutes
			x, y = append(x, 10*float64(i)), append(y, c.at(float64(i)))
		}
		f := FitTrend(x, y)
		if f.Grows(0.05) != c.grows || f.Low > f.Slope || f.High < f.Slope {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := FitTrend([]float64{1, 2}, []float64{1, 2}); f.Grows(0) || f.Slope != 1 {
		t.Errorf("of two samples: %+v", f)
	}
	if f := FitTrend(nil, nil); f.Grows(0) {
		t.Errorf("of none: %+v", f)
	}
}

// False alarms are as rare as the confidence says.
func TestTrendSeldomCriesWolf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	wolf := 0
	const runs = 400
	for range runs {
		var x, y []float64
		for i := range 40 {
			x, y = append(x, float64(i)), append(y, rng.NormFloat64())
		}
		if FitTrend(x, y).Grows(0) {
			wolf++
		}
	}
	if wolf > runs*3/100 {
		t.Errorf("%d of %d", wolf, runs)
	}
}

// What is given back is told from what fills up.
func TestHeld(t *testing.T) {
	for name, want := range map[string]bool{
		"server goroutines": true, "reader-process 7 open files": true, "reader of BJ1: Mats": true,
		"reader of BJ1: FFmpeg's pictures": true, "server memory": false, "server live heap": false,
		"server threads": false, "index, waiting to be merged": false,
	} {
		if held(name) != want {
			t.Errorf("%s: held %v", name, !want)
		}
	}
}

// A few more than at first may be chance; memory that fills is no leak.
func TestLeaks(t *testing.T) {
	for _, c := range []struct {
		s    Soaked
		want bool
	}{
		{Soaked{Held: true, Grows: true, First: 20, Last: 22}, true},
		{Soaked{Held: true, Grows: true, First: 342, Last: 350}, false},
		{Soaked{Held: true, First: 20, Last: 30}, false},
		{Soaked{Grows: true, First: 20, Last: 30}, false},
	} {
		if got := c.s.Leaks(); got != c.want {
			t.Errorf("%+v: leaks %v", c.s, got)
		}
	}
}
