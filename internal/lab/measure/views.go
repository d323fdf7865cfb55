package measure

import (
	"fmt"
	"math"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/lab/fit"
	"vision/recognize/fusion"
)

// tallies are those of a set's stills: of what is made of all their cameras and, where there are several, of each.
type tallies struct {
	all   eval.StillTally
	each  []eval.StillTally // by the camera's place in a still
	names []string
	odds  map[string][][]float64 // that cameras give to one thing, by kind
}

func newTallies(only eval.Kind) *tallies {
	return &tallies{all: eval.StillTally{Only: only}, odds: map[string][][]float64{}}
}

// add counts what the cameras of a still see, together and each alone.
func (t *tallies) add(one *eval.Still, looks []look) error {
	main := looks[0]
	if len(looks) == 1 {
		t.all.Add(one, main.zones(one, main.seen), main.worth(), main.took)
		return nil
	}
	felt, err := fused(looks)
	if err != nil {
		return err
	}
	var took time.Duration
	for i, l := range looks {
		if i == len(t.each) {
			t.each, t.names = append(t.each, eval.StillTally{Only: t.all.Only}), append(t.names, l.Calibration.Camera)
		}
		t.each[i].Add(one, l.zones(one, l.seen), l.worth(), l.took)
		took += l.took
	}
	t.all.Add(one, main.zones(one, felt), main.worth(), took)
	for zone := range one.Zones {
		var again []fact.Observation
		for _, l := range looks {
			if i := slices.IndexFunc(l.seen, func(o fact.Observation) bool { return o.Zone == zone }); i >= 0 {
				again = append(again, l.seen[i])
			}
		}
		if len(again) < 2 {
			continue
		}
		for kind, groups := range fit.Odds(again) {
			t.odds[kind] = append(t.odds[kind], groups...)
		}
	}
	return nil
}

// result sums up.
func (t *tallies) result(set string) eval.StillResult {
	r := t.all.Result(set)
	for i := range t.each {
		alone := t.each[i].Result(set)
		alone.Camera = t.names[i]
		r.Alone = append(r.Alone, alone)
	}
	for kind, groups := range t.odds {
		// Of a single thing, or where all are as sure, there is none.
		if c := fit.Correlation(groups); !math.IsNaN(c) && !math.IsInf(c, 0) {
			if r.Alike == nil {
				r.Alike = map[string]eval.Alike{}
			}
			r.Alike[kind] = eval.Alike{Correlation: c, Things: len(groups)}
		}
	}
	return r
}

// fused is what the live table makes of its cameras' readings of one rest.
func fused(looks []look) ([]fact.Observation, error) {
	read, names := map[string][]string{}, []string(nil)
	for _, l := range looks {
		name := l.Calibration.Camera
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: another camera is named %q too: those of a table have names of their own",
				l.file, name)
		}
		names = append(names, name)
		for _, z := range l.Calibration.Zones {
			if len(z.Reads) > 0 {
				read[name] = append(read[name], z.Name)
			}
		}
	}
	views := fusion.NewViews(names, func(camera string) []string { return read[camera] })
	var felt []fact.Observation
	for _, l := range looks {
		for _, seen := range l.seen {
			for _, o := range views.Observe(seen) { // what a later camera adds stands for what was known before it
				felt = slices.DeleteFunc(felt, func(before fact.Observation) bool { return before.Zone == o.Zone })
				felt = append(felt, o)
			}
		}
	}
	return felt, nil
}

// zones are readings for the evaluation of a still, by zone, where the camera has them.
func (l look) zones(one *eval.Still, seen []fact.Observation) map[string]eval.Seen {
	by := byZone(l.Place(seen))
	for name := range one.Zones {
		z, _ := l.Calibration.Zone(name)
		s := by[name]
		s.Pixels = l.ChipPixels(z)
		by[name] = s
	}
	return by
}

// worth is that of the kinds of chips, cents.
func (l look) worth() map[string]int64 {
	worth := map[string]int64{}
	for _, k := range l.Calibration.Palette {
		worth[k.ID] = k.Value
	}
	return worth
}
