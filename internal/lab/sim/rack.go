package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// A rack as it is built into the simulated tables, millimetres.
const (
	tubeRoom  = 50 // chips
	tubePitch = 46.0
	tubeLong  = 176.0
	rackDepth = 8.0
	rackRim   = 4.0 // before and behind the tubes
)

// tubesOf are the kinds of the tubes, from left to right. Beside them stand the chips of the seats, at tables
// that have such.
var tubesOf = []string{"e500", "e100", "e100", "e25", "e25", "e5", "e5", "e2.5", "e1", "e0.5"}

// newRack is the rack of a table that has one.
func (s *stage) newRack() *calibration.Rack {
	kinds := slices.Clone(tubesOf)
	for _, c := range s.palette {
		if c.Seat > 0 {
			kinds = append(kinds, c.ID)
		}
	}
	r := &calibration.Rack{Depth: rackDepth}
	for i, kind := range kinds {
		x := s.tray[0] + tubePitch*(float64(i)+0.5-float64(len(kinds))/2)
		r.Tubes = append(r.Tubes, calibration.Tube{Chip: kind, Capacity: tubeRoom,
			Axis: [2]fact.Point{{x, s.far() + 83}, {x, s.far() + 83 - tubeLong}}})
	}
	return r
}

// trayBox is where the bank's chips stand, or are painted, on the plane.
func (s *stage) trayBox() layout.Rect {
	if s.rack == nil {
		return layout.Rect{s.tray[0] - 230, s.far() + 6, s.tray[0] + 230, s.far() + 86}
	}
	half, axis := tubePitch/2*float64(len(s.rack.Tubes)), s.rack.Tubes[0].Axis
	return layout.Rect{s.tray[0] - half, axis[1][1] - rackRim, s.tray[0] + half, axis[0][1] + rackRim}
}

// rack is the bank's chips while they are played with.
type rack struct {
	spec    *calibration.Rack
	palette []calibration.Chip
	scene   *scene.Scene
	rng     *rand.Rand
	on      condition.Hands
	tubes   []*scene.Tube
	ids     []scene.ID
	rim     *onRim
	states  []RackState
}

// RackState is what stands in the tubes of a rack from a moment on.
type RackState struct {
	At    float64 `json:"at"` // seconds from the first picture
	Why   Visit   `json:"why,omitempty"`
	Tubes []int   `json:"tubes"`
	// Amiss says of tubes what is not there as it should be.
	Amiss map[int]Amiss `json:"amiss,omitempty"`
}

// Visit is for what a hand goes to the rack.
type Visit string

// The visits; that of a round which collects and pays has no name.
const (
	Fill   Visit = "fill"   // chips are brought
	Credit Visit = "credit" // chips are taken away
	Level  Visit = "fill_and_credit"
	Change Visit = "change" // chips are handed to a player for cash
)

// told are the states since they were told last; nil where there is no rack.
func (r *rack) told() (states []RackState) {
	if r != nil {
		states, r.states = r.states, nil
	}
	return states
}

// newRack fills the tubes by chance, as a bank opens.
func newRack(st *stage, sc *scene.Scene, on condition.Hands, seed uint64) (*rack, error) {
	if st.rack == nil {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x7ac4))
	r := &rack{spec: st.rack, palette: st.palette, scene: sc, rng: rng, on: on, ids: make([]scene.ID, len(st.rack.Tubes))}
	for i := range st.rack.Tubes {
		u := &st.rack.Tubes[i]
		t := sc.NewTube(st.rack, u, st.palette)
		if err := t.Put(script.Alike(u.Chip, 6+rng.IntN(u.Capacity-12))...); err != nil {
			return nil, err
		}
		r.tubes = append(r.tubes, t)
	}
	for i := range r.tubes {
		r.draw(i)
	}
	r.note(0, "")
	return r, nil
}

func (r *rack) draw(i int) {
	r.scene.Take(r.ids[i])
	r.ids[i] = r.scene.Lay(r.tubes[i].Sprite(), true, r.spec.Tubes[i].Axis[0])
}

func (r *rack) note(at float64, why Visit) {
	s := RackState{At: at, Why: why, Amiss: r.amiss()}
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

// visit is what a hand does at the rack: it puts right what was amiss, puts chips into the tubes and takes others,
// at a second of the table's clock.
func (r *rack) visit(e trade, at float64) error {
	touched := map[int]bool{}
	if err := r.tidy(touched); err != nil {
		return err
	}
	if err := r.exchange(e.put, e.take, touched); err != nil {
		return err
	}
	if r.rng.Float64() < r.on.Amiss {
		if err := r.goAmiss(e.put, touched); err != nil {
			return err
		}
	}
	for i := range r.tubes {
		if touched[i] {
			r.draw(i)
		}
	}
	r.note(at, e.why)
	return nil
}

// exchange takes one tube for all chips of a kind as long as there is room.
func (r *rack) exchange(put, take []string, touched map[int]bool) error {
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
	return nil
}

// trade is chips that go to the rack and come from it in one visit of a hand.
type trade struct {
	at        float64 // second of the round
	put, take []string
	why       Visit
	pays      *move // with what is taken; nil for a visit of its own
}

// bank sends the croupier's hand to the rack as the round collects and pays: what a payment needs leaves the
// tubes where his hand fetches it, and what he has collected goes into them when he has time.
func (d *director) bank() {
	if d.rack == nil {
		return
	}
	trades := append(d.change(), d.trades()...)
	trades = append(trades, d.rack.level(trades)...)
	for _, e := range trades {
		t := touch{script.Croupier, e.at, d.rack.where(e.put, e.take), func() error {
			return d.rack.visit(e, d.began+e.at)
		}}
		if e.pays == nil {
			d.touches(t)
			continue
		}
		e.pays.from = t.target
		d.beside = append(d.beside, t)
	}
	slices.SortStableFunc(d.beside, func(a, b touch) int { return cmp.Compare(a.at, b.at) })
}

// change is what a player may be given for cash before a round: chips of a kind of which there are enough, which
// the croupier's hand brings him.
func (d *director) change() []trade {
	const enough, most = 30, 10
	r := d.rack
	if r.rng.Float64() >= r.on.Change {
		return nil
	}
	for _, i := range r.rng.Perm(len(r.tubes)) {
		if len(r.tubes[i].Chips()) < enough {
			continue
		}
		e := trade{at: 0.25 + script.HandTime, why: Change, take: script.Alike(r.spec.Tubes[i].Chip, 1+r.rng.IntN(most))}
		x := d.stage.seatX(1 + r.rng.IntN(d.stage.seats))
		d.touches(touch{who: script.Croupier, at: e.at + script.HandTime, target: [2]float64{x, d.stage.near() - 60}})
		return []trade{e}
	}
	return nil
}

// trades are what the round brings to the rack and takes from it, in time order.
func (d *director) trades() (trades []trade) {
	var holds []string
	acts := slices.DeleteFunc(slices.Clone(d.round.Acts), func(a script.Act) bool { return a.Who != script.Croupier })
	for i := range acts {
		a := &acts[i]
		put, take := d.exchanged(a)
		if holds = append(holds, put...); len(take) > 0 {
			p := slices.IndexFunc(d.paths[a.Who], func(m move) bool { return m.at == a.At && len(m.act.Piles) > 0 })
			m := &d.paths[a.Who][p]
			trades, holds = append(trades, trade{at: m.pick, put: holds, take: take, pays: m}), nil
			continue
		}
		next := d.round.Length
		if i+1 < len(acts) {
			next = acts[i+1].At
		}
		if len(holds) > 0 && (next-a.At >= 2*script.HandTime || i+1 == len(acts)) {
			trades, holds = append(trades, trade{at: min(a.At+script.HandTime, next-0.1), put: holds}), nil
		}
	}
	return trades
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

// level is what is brought and taken away before a round, so that its trades find chips and room: some more
// than they need, as a fill and a credit are; none where they do.
func (r *rack) level(trades []trade) []trade {
	const spare = 8
	e := trade{at: 0.25, why: Fill}
	for _, kind := range r.kinds() {
		have, room := 0, 0
		for i, t := range r.tubes {
			if u := &r.spec.Tubes[i]; u.Chip == kind {
				have, room = have+len(t.Chips()), room+u.Capacity
			}
		}
		now, low, high := have, have, have
		for _, e := range trades {
			now += count(e.put, kind)
			high = max(high, now)
			now -= count(e.take, kind)
			low = min(low, now)
		}
		switch {
		case low < 0:
			e.put = append(e.put, script.Alike(kind, min(spare-low, room-have))...)
		case high > room:
			e.take = append(e.take, script.Alike(kind, min(high-room+spare, have))...)
		}
	}
	switch {
	case len(e.put)+len(e.take) == 0:
		return nil
	case len(e.put) == 0:
		e.why = Credit
	case len(e.take) > 0:
		e.why = Level
	}
	return []trade{e}
}

// kinds are those of the tubes, each once.
func (r *rack) kinds() (kinds []string) {
	for i := range r.spec.Tubes {
		if kind := r.spec.Tubes[i].Chip; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func count(chips []string, kind string) (n int) {
	for _, c := range chips {
		if c == kind {
			n++
		}
	}
	return n
}
