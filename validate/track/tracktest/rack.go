package tracktest

import (
	"math/rand/v2"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
)

// Racked are those of some games at whose tables the bank's chips stand in a rack.
func Racked(games []string) []string {
	return slices.DeleteFunc(slices.Clone(games), func(g string) bool { return !script.Racked(g) })
}

// Tubes are what a chip of each tube of a bank's rack is worth: one for each kind of chips.
func Tubes(palette []calibration.Chip) (worth []money.Cents) {
	for _, c := range palette {
		worth = append(worth, money.Cents(c.Value))
	}
	return worth
}

// How long a hand is over the rack, and after which time of rest the rack is read, seconds.
const (
	atRack   = 0.6
	rackRest = 0.4
)

// rack is the bank's chips, reported from rest to rest.
type rack struct {
	kinds []string // by tube
	rng   *rand.Rand
	piles map[int][]string // the chips of each pile
	has   []int            // chips that a tube has more than in the beginning
	known []int            // at the rest with which it is compared
	since []time.Time      // of that rest
}

func newRack(seed uint64, palette []calibration.Chip) *rack {
	r := &rack{rng: rand.New(rand.NewPCG(seed, 0x7ac4)), piles: map[int][]string{}}
	for _, c := range palette {
		r.kinds = append(r.kinds, c.ID)
	}
	r.has, r.known, r.since = make([]int, len(r.kinds)), make([]int, len(r.kinds)), make([]time.Time, len(r.kinds))
	return r
}

// visit is a hand at the rack, seconds from the beginning of a round, and what each tube grows by.
type visit struct {
	at    float64
	grows []int
}

// visits are those of the croupier in a round: what a payment needs he fetches before he lays it, and what he has
// collected he puts there when he has time, or with the next payment.
func (r *rack) visits(of script.Round) (all []visit) {
	holds, held := make([]int, len(r.kinds)), false
	brings := func(at float64) {
		all = append(all, visit{at, holds})
		holds, held = make([]int, len(r.kinds)), false
	}
	for i, a := range of.Acts {
		bank, takes := a.Who == script.Croupier, false
		for _, tag := range a.Lift {
			for _, id := range r.piles[tag] {
				if k := slices.Index(r.kinds, id); bank && k >= 0 {
					holds[k]++
					held = true
				}
			}
			delete(r.piles, tag)
		}
		for _, p := range a.Piles {
			r.piles[p.Tag] = p.Chips
			for _, id := range p.Chips {
				if k := slices.Index(r.kinds, id); bank && k >= 0 {
					holds[k]--
					takes = takes || holds[k] < 0
				}
			}
		}
		next := of.Length
		if k := slices.IndexFunc(of.Acts[i+1:], func(o script.Act) bool { return o.Who == script.Croupier }); k >= 0 {
			next = of.Acts[i+1+k].At
		}
		switch {
		case takes:
			brings(a.At - script.HandTime)
		case held && bank && (next-a.At >= 2*script.HandTime || next == of.Length):
			brings(min(a.At+script.HandTime, next-0.1))
		}
	}
	return all
}

// observe reports when the rack stirs in a round that begins at a time, and its rests; a hand may lie over it at first.
func (r *rack) observe(of script.Round, began time.Time, dis Disorder) (all []fact.Observation) {
	rest := func(from, until float64) {
		if until-from >= rackRest && r.rng.Float64() < dis.Covered {
			all = append(all, r.read(began.Add(seconds(from)), true, dis))
			from += atRack
			all = append(all, fact.Observation{Kind: fact.MotionStarted, Time: began.Add(seconds(from - 0.1))})
		}
		if until-from >= rackRest {
			all = append(all, r.read(began.Add(seconds(from)), false, dis))
		}
	}
	from := 0.0
	for _, v := range r.visits(of) {
		comes := v.at - atRack/2
		rest(from, comes)
		all = append(all, fact.Observation{Kind: fact.MotionStarted, Time: began.Add(seconds(comes))})
		from = max(from, v.at+atRack/2)
		for k, n := range v.grows {
			r.has[k] += n
		}
	}
	rest(from, of.Length)
	for i := range all {
		all[i].Zone, all[i].Camera = calibration.RackZone, "top"
	}
	return all
}

// read is the rack as its reader reports it of a rest.
func (r *rack) read(at time.Time, covered bool, dis Disorder) fact.Observation {
	o := fact.Observation{Kind: fact.Rack, Since: at, Time: at.Add(seconds(0.2))}
	chance, by := r.rng.Float64(), 1-2*r.rng.IntN(2)
	for k := range r.kinds {
		n := r.has[k] - r.known[k]
		u := fact.Tube{Tube: k, Rest: at, Since: r.since[k], Change: []fact.Change{{N: n}, {N: n + by, LogP: -8}}}
		if covered {
			u.Abstain, u.Change = "hand", nil
		} else if n == 0 {
			u.Change = u.Change[:1]
		} else if chance < dis.RackWrong {
			u.Change[0].N, u.Change[1].N, chance = n+by, n, 1
		} else if chance < 1-dis.RackRead {
			u.Abstain, u.Change[1].LogP, chance = "unsure", -1, 1
		}
		if o.Tubes = append(o.Tubes, u); u.Abstain == "" {
			r.known[k], r.since[k] = r.has[k], at
		}
	}
	return o
}
