package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// racked are the games at whose simulated tables the bank's chips stand in a rack. Elsewhere
// they are painted.
var racked = []string{"blackjack", "punto_banco", "tripoker"}

// A rack as it is built into the simulated tables, millimetres.
const (
	tubeRoom  = 20 // chips
	tubePitch = 46.0
	tubeLong  = 74.0
	rackDepth = 8.0
)

// aVisit is how long a hand takes at least from one place to the next, seconds.
const aVisit = 0.76

// tubesOf are the kinds of the tubes, from left to right.
var tubesOf = []string{"e500", "e100", "e100", "e25", "e25", "e5", "e5", "e2.5", "e1", "e0.5"}

// newRack is the rack of a table; nil where it has none.
func (s *stage) newRack() *calibration.Rack {
	if !slices.Contains(racked, s.game) {
		return nil
	}
	r := &calibration.Rack{Depth: rackDepth}
	for i, kind := range tubesOf {
		x := s.tray[0] + tubePitch*(float64(i)+0.5-float64(len(tubesOf))/2)
		r.Tubes = append(r.Tubes, calibration.Tube{Chip: kind, Capacity: tubeRoom,
			Axis: [2]fact.Point{{x, s.far() + 83}, {x, s.far() + 83 - tubeLong}}})
	}
	return r
}

// rack is the bank's chips while they are played with.
type rack struct {
	spec   *calibration.Rack
	scene  *scene.Scene
	tubes  []*scene.Tube
	ids    []scene.ID
	states []RackState
}

// RackState is what stands in the tubes of a rack from a moment on.
type RackState struct {
	At    float64 `json:"at"` // seconds from the first picture
	Tubes []int   `json:"tubes"`
}

// told are the states since they were told last; nil where there is no rack.
func (r *rack) told() (states []RackState) {
	if r != nil {
		states, r.states = r.states, nil
	}
	return states
}

// newRack fills the tubes by chance, as a bank opens.
func newRack(st *stage, sc *scene.Scene, seed uint64) (*rack, error) {
	if st.rack == nil {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x7ac4))
	r := &rack{spec: st.rack, scene: sc, ids: make([]scene.ID, len(st.rack.Tubes))}
	for i := range st.rack.Tubes {
		u := &st.rack.Tubes[i]
		t := sc.NewTube(st.rack, u, st.palette)
		if err := t.Put(script.Alike(u.Chip, 6+rng.IntN(u.Capacity-10))...); err != nil {
			return nil, err
		}
		r.tubes = append(r.tubes, t)
	}
	for i := range r.tubes {
		r.draw(i)
	}
	r.note(0)
	return r, nil
}

func (r *rack) draw(i int) {
	r.scene.Take(r.ids[i])
	r.ids[i] = r.scene.Lay(r.tubes[i].Sprite(), true, r.spec.Tubes[i].Axis[0][1])
}

func (r *rack) note(at float64) {
	s := RackState{At: at}
	for _, t := range r.tubes {
		s.Tubes = append(s.Tubes, len(t.Chips()))
	}
	r.states = append(r.states, s)
}

// tubeFor is the tube into which a chip of a kind is put, or from which it is taken: the one with the most
// room, or the most chips; -1: there is none.
func (r *rack) tubeFor(kind string, put bool) int {
	best, most := -1, 0
	for i, t := range r.tubes {
		u := &r.spec.Tubes[i]
		n := len(t.Chips())
		if put {
			n = u.Capacity - n
		}
		if u.Chip == kind && n > most {
			best, most = i, n
		}
	}
	return best
}

// where is the middle of the tubes that an exchange touches.
func (r *rack) where(put, take []string) [2]float64 {
	var x, n float64
	for k, list := range [2][]string{put, take} {
		for _, kind := range list {
			if i := r.tubeFor(kind, k == 0); i >= 0 {
				x, n = x+r.spec.Tubes[i].Axis[0][0], n+1
			}
		}
	}
	u := &r.spec.Tubes[len(r.spec.Tubes)/2]
	if n == 0 {
		x, n = u.Axis[0][0], 1
	}
	return [2]float64{x / n, (u.Axis[0][1] + u.Axis[1][1]) / 2}
}

// exchange puts chips into the tubes and takes others, at a second of the table's clock. It takes one tube for
// all chips of a kind as long as there is room.
func (r *rack) exchange(put, take []string, at float64) error {
	touched := map[int]bool{}
	for k, list := range [2][]string{put, take} {
		last, kindOf := -1, ""
		for _, kind := range list {
			if i := last; kind != kindOf || i < 0 || k == 0 && len(r.tubes[i].Chips()) >= r.spec.Tubes[i].Capacity ||
				k == 1 && len(r.tubes[i].Chips()) == 0 {
				last, kindOf = r.tubeFor(kind, k == 0), kind
			}
			if last < 0 { // what no tube has room for, or has not, is in a box beside the rack
				continue
			}
			if touched[last] = true; k == 1 {
				r.tubes[last].Take(1)
			} else if err := r.tubes[last].Put(kind); err != nil {
				return err
			}
		}
	}
	for i := range r.tubes {
		if touched[i] {
			r.draw(i)
		}
	}
	r.note(at)
	return nil
}

// bank sends the croupier's hand to the rack as the round collects and pays: what a payment needs leaves the
// tubes where his hand fetches it, and what he has collected goes into them when he has time.
func (d *director) bank() {
	if d.rack == nil {
		return
	}
	do := func(at float64, put, take []string) touch {
		return touch{script.Croupier, at, d.rack.where(put, take), func() error {
			return d.rack.exchange(put, take, d.began+at)
		}}
	}
	var visits, fetches []touch
	if put, take := d.rack.level(); len(put)+len(take) > 0 {
		visits = append(visits, do(0.25, put, take))
	}
	var holds []string
	acts := slices.DeleteFunc(slices.Clone(d.round.Acts), func(a script.Act) bool { return a.Who != script.Croupier })
	for i := range acts {
		a := &acts[i]
		put, take := d.exchanged(a)
		if holds = append(holds, put...); len(take) > 0 {
			p := slices.IndexFunc(d.paths[a.Who], func(m move) bool { return m.at == a.At && len(m.act.Piles) > 0 })
			m := &d.paths[a.Who][p]
			m.from = d.rack.where(holds, take)
			fetches, holds = append(fetches, do(m.pick, holds, take)), nil
			continue
		}
		next := d.round.Length
		if i+1 < len(acts) {
			next = acts[i+1].At
		}
		if len(holds) > 0 && (next-a.At >= 2*aVisit || i+1 == len(acts)) {
			visits, holds = append(visits, do(min(a.At+aVisit, next-0.1), holds, nil)), nil
		}
	}
	d.touches(visits...)
	d.beside = append(d.beside, fetches...)
	slices.SortStableFunc(d.beside, func(a, b touch) int { return cmp.Compare(a.at, b.at) })
}

// exchanged are the round chips that an act of the croupier brings to the rack and takes from it.
func (d *director) exchanged(a *script.Act) (put, take []string) {
	for _, tag := range a.Lift {
		put = append(put, d.chipsOf(tag)...)
	}
	for _, p := range a.Piles {
		for _, id := range p.Chips {
			if i := slices.Index(put, id); i >= 0 {
				put = slices.Delete(put, i, i+1)
			} else if !p.Plaques {
				take = append(take, id)
			}
		}
	}
	slices.Sort(put)
	return put, take
}

// chipsOf are the round chips that lie under a tag, or will in this round.
func (d *director) chipsOf(tag int) []string {
	for i := range d.round.Acts {
		for _, p := range d.round.Acts[i].Piles {
			if p.Tag == tag && !p.Plaques {
				return p.Chips
			}
		}
	}
	if t := d.things[tag]; t != nil && !t.plaques {
		return t.chips
	}
	return nil
}

// level is what is brought and taken away before a round, so that each kind can be paid and taken.
func (r *rack) level() (put, take []string) {
	const low, high = 8, 12
	sum, room := map[string]int{}, map[string]int{}
	var kinds []string
	for i, t := range r.tubes {
		u := &r.spec.Tubes[i]
		if room[u.Chip] == 0 {
			kinds = append(kinds, u.Chip)
		}
		sum[u.Chip], room[u.Chip] = sum[u.Chip]+len(t.Chips()), room[u.Chip]+u.Capacity
	}
	for _, kind := range kinds {
		switch n := sum[kind]; {
		case n < low:
			put = append(put, script.Alike(kind, low-n)...)
		case n > room[kind]-tubeRoom+high:
			take = append(take, script.Alike(kind, n-room[kind]+tubeRoom-high)...)
		}
	}
	return put, take
}
