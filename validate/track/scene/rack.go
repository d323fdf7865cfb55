package scene

import (
	"math"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// rackRest is how a camera read the bank's rack at a rest.
type rackRest struct {
	camera  string
	at      time.Time // when it came to rest
	stirred time.Time // when it stirred again; zero while it rests
	tubes   []fact.Tube
	worth   []money.Cents // of a chip, by tube; 0: of several kinds
}

// rackRests are those of a round, of all cameras, in the order of time.
type rackRests []rackRest

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

// eachRack has the rests of the running round take in what is seen of the rack, and those of a round that has just
// ended: what was done last may show there when it has.
func (f *Felt) eachRack(o *fact.Observation, take func(*rackRests)) {
	if len(f.layout.Racks[o.Camera]) == 0 {
		return
	}
	take(&f.Scene.rack)
	if n := len(f.Ended); n > 0 && !f.Scene.Begun() {
		take(&f.Ended[n-1].rack)
	}
}

// rackRead takes in a reading of the rack.
func (f *Felt) rackRead(o *fact.Observation) {
	if worth := f.layout.Racks[o.Camera]; len(o.Tubes) == len(worth) {
		f.eachRack(o, func(rests *rackRests) {
			rests.read(rackRest{camera: o.Camera, at: o.Since, tubes: o.Tubes, worth: worth})
		})
	}
}

// last is the newest rest of a camera; nil: there is none.
func (rs rackRests) last(camera string) *rackRest {
	if i := lastIndex(rs, func(r *rackRest) bool { return r.camera == camera }); i >= 0 {
		return &rs[i]
	}
	return nil
}

// read keeps a rest, or reads one again.
func (rs *rackRests) read(r rackRest) {
	if l := rs.last(r.camera); l != nil && l.at.Equal(r.at) {
		l.tubes = r.tubes
		return
	} else if l != nil && l.stirred.IsZero() {
		l.stirred = r.at
	}
	if *rs = append(*rs, r); len(*rs) > maxRack {
		*rs = slices.Delete(*rs, 0, 1)
	}
}

// startMotion ends the newest rest of a camera.
func (rs *rackRests) startMotion(o *fact.Observation) {
	if l := rs.last(o.Camera); l != nil && l.stirred.IsZero() && !o.Time.Before(l.at) {
		l.stirred = o.Time
	}
}

// RackRead reports whether anything is known of the rack.
func (sc *Scene) RackRead() bool { return len(sc.rack) > 0 }

// RackGrowth is by how much the rack grew while money moved: from its rest at a time, at which all of it was read,
// to the last one at another or after it, before the next round begins. What is paid has left the rack before it lies
// there, and what is collected comes to it later. False where it was not at rest then, or a change is not known.
func (sc *Scene) RackGrowth(before, after time.Time) (g Growth, ok bool) {
	first := lastIndex(sc.rack, func(r *rackRest) bool {
		return !r.at.After(before) && !r.lacks("") && r.restsAt(before)
	})
	if first < 0 {
		return g, false
	}
	from := sc.rack[first]
	g.From = from.at
	rests := slices.DeleteFunc(slices.Clone(sc.rack[first:]), func(r rackRest) bool { return r.camera != from.camera })
	last := lastIndex(rests, func(r *rackRest) bool { return r.restsAt(after) })
	if last < 0 {
		return g, false
	}
	g.To, g.P = rests[last].at, rests.growth(last)
	return g, g.P != nil
}

// restsAt reports whether a rest was not over at a time.
func (r *rackRest) restsAt(t time.Time) bool { return r.stirred.IsZero() || r.stirred.After(t) }

// growth is by how much the rack grew from the first to the n-th rest of one camera; nil: that is not known.
func (rs rackRests) growth(n int) map[money.Cents]float64 {
	if rs[n].lacks("unsure") {
		return nil
	}
	p := map[money.Cents]float64{0: 1}
	for tube, worth := range rs[0].worth {
		for at := n; at > 0; {
			u := &rs[at].tubes[tube]
			if p = sumOf(p, u.Change, worth); p == nil {
				return nil
			}
			if at = slices.IndexFunc(rs[:at], func(r rackRest) bool { return r.at.Equal(u.Since) }); at < 0 {
				return nil
			}
		}
	}
	return p
}

// lacks reports whether a tube was not read, for another reason than but.
func (r *rackRest) lacks(but string) bool {
	return slices.ContainsFunc(r.tubes, func(u fact.Tube) bool { return u.Abstain != "" && u.Abstain != but })
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
