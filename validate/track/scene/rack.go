package scene

import (
	"math"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// RackRest is how a camera read the bank's rack at a rest.
type RackRest struct {
	Camera string
	At     time.Time // when it came to rest
	Tubes  []fact.Tube
	worth  []money.Cents // of a chip, by tube; 0: of several kinds
}

// Growth is by how much money the rack may have grown between two rests, with the probability of each amount.
type Growth struct {
	From, To time.Time
	P        map[money.Cents]float64
}

// maxRack bounds the rests that are kept of a round.
const maxRack = 200

// Racks are the racks of a table's cameras, by camera: what a chip of each tube is worth.
type Racks map[string][]money.Cents

// Add takes in the rack of a camera, if it has one and all the money of the palette goes into it: what the
// bank pays and collects in plaques, or in chips without a tube, does not show there.
func (r Racks) Add(camera string, rack *calibration.Rack, palette []calibration.Chip) {
	if rack == nil || slices.ContainsFunc(palette, func(c calibration.Chip) bool {
		return c.Seat == 0 && !slices.ContainsFunc(rack.Tubes, func(u calibration.Tube) bool {
			return slices.Contains(u.Kinds(palette), c)
		})
	}) {
		return
	}
	for i := range rack.Tubes {
		v := money.Cents(0)
		if kinds := rack.Tubes[i].Kinds(palette); len(kinds) == 1 {
			v = money.Cents(kinds[0].Value)
		}
		r[camera] = append(r[camera], v)
	}
}

// rackRead takes in a reading of the rack. That of a round that has just ended may come when it has.
func (f *Felt) rackRead(o *fact.Observation) {
	worth := f.layout.Racks[o.Camera]
	if len(worth) == 0 || len(o.Tubes) != len(worth) {
		return
	}
	rest := RackRest{o.Camera, o.Since, o.Tubes, worth}
	f.Scene.rackRests(rest)
	if n := len(f.Ended); n > 0 && len(f.Scene.Tracks) == 0 {
		f.Ended[n-1].rackRests(rest)
	}
}

// rackRests keeps a rest, or reads one again.
func (sc *Scene) rackRests(r RackRest) {
	if n := len(sc.rack); n > 0 && sc.rack[n-1].At.Equal(r.At) && sc.rack[n-1].Camera == r.Camera {
		sc.rack[n-1] = r
		return
	}
	if sc.rack = append(sc.rack, r); len(sc.rack) > maxRack {
		sc.rack = slices.Delete(sc.rack, 0, 1)
	}
}

// RackRead reports whether anything is known of the rack.
func (sc *Scene) RackRead() bool { return len(sc.rack) > 0 }

// RackGrowth is by how much the rack grew from the last rest before a time, at which all of it was read, to
// the first one after another; false where there are none such, or a change between them is not known.
func (sc *Scene) RackGrowth(before, after time.Time) (g Growth, ok bool) {
	first := -1
	for i, r := range sc.rack {
		if !r.At.After(before) && !r.lacks("") {
			first = i
		}
	}
	if first < 0 {
		return g, false
	}
	from := sc.rack[first]
	rests := slices.DeleteFunc(slices.Clone(sc.rack[first:]), func(r RackRest) bool { return r.Camera != from.Camera })
	last := slices.IndexFunc(rests, func(r RackRest) bool { return !r.At.Before(after) && !r.lacks("unsure") })
	if last < 1 {
		return g, false
	}
	g = Growth{From: from.At, To: rests[last].At, P: map[money.Cents]float64{0: 1}}
	for tube, worth := range from.worth {
		for at := last; at > 0; {
			u := &rests[at].Tubes[tube]
			if g.P = sumOf(g.P, u.Change, worth); g.P == nil {
				return g, false
			}
			since := u.Since
			if at = slices.IndexFunc(rests[:at], func(r RackRest) bool { return r.At.Equal(since) }); at < 0 {
				return g, false
			}
		}
	}
	return g, true
}

// lacks reports whether a tube was not read, for another reason than but.
func (r *RackRest) lacks(but string) bool {
	return slices.ContainsFunc(r.Tubes, func(u fact.Tube) bool { return u.Abstain != "" && u.Abstain != but })
}

// sumOf adds what a tube may have changed by to an amount that may be several; nil where that is not known.
// What is too improbable to matter is left out.
func sumOf(p map[money.Cents]float64, change []fact.Change, worth money.Cents) map[money.Cents]float64 {
	const least = 1e-9
	total := 0.0
	for _, c := range change {
		total += math.Exp(c.LogP)
	}
	out := map[money.Cents]float64{}
	for _, c := range change {
		share := math.Exp(c.LogP) / total
		if worth == 0 && c.N != 0 && share > least {
			return nil
		}
		for v, q := range p {
			if q*share > least {
				out[v+money.Cents(c.N)*worth] += q * share
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
