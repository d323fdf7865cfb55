package sim

import (
	"math"
	"slices"

	"vision/internal/lab/sim/scene"
)

// vessel is a cup, glass, phone or ashtray that a player has set down on the cloth, and
// when he puts it there and takes it up: to drink of it, at last for good.
type vessel struct {
	kind   string
	sprite *scene.Sprite
	at     [2]float64
	high   float64
	id     scene.ID  // 0 while it does not stand there
	stops  []float64 // of the table's clock: put down, taken up, put down ... taken up
	next   int       // of stops
}

// Times of a vessel, seconds.
const (
	remains  = 35.0 // on the cloth, or nearly
	carryCup = 1.0  // from its owner to the cloth, and back
)

// drawCup shows the vessel and the hand that is on it.
func (u *upsets) drawCup(now float64) {
	if !u.due(&u.cup.occasion, now, u.on.Cup, remains) || !u.ready(&u.cup, u.cupAt) {
		if u.vessel.id != 0 { // its time is over
			u.dir.scene.Take(u.vessel.id)
			u.vessel.id = 0
		}
		return
	}
	v := &u.vessel
	for v.next < len(v.stops) && v.stops[v.next] <= now {
		if v.next%2 == 0 {
			v.id = u.dir.scene.Lay(v.sprite, true, v.at)
		} else {
			u.dir.scene.Take(v.id)
			v.id = 0
		}
		v.next++
	}
	for i, at := range v.stops {
		if k := 1 - math.Abs(now-at)/carryCup; k > 0 {
			u.drawHandOn(v, k, now < at == (i%2 == 0))
			return
		}
	}
}

// drawHandOn shows the hand at a share of its way to the vessel, with it or without.
func (u *upsets) drawHandOn(v *vessel, k float64, with bool) {
	grip := [2]float64{v.at[0] + 6, v.at[1] + 10}
	lift := 0.7 * v.high
	tip := u.secondHand(u.cup.who, grip, lift, k)
	if with {
		u.dir.scene.Carry(v.sprite, tip.Sub(u.dir.scene.Point(grip[0], grip[1], lift)))
	}
}

// cupAt has a player bring something, if there is room for it near his places.
func (u *upsets) cupAt(b *bide) bool {
	v := &u.vessel
	kind := scene.Vessels[u.rng.IntN(len(scene.Vessels))]
	at, ok := u.room(b, scene.VesselReach(kind))
	if !ok {
		return false
	}
	sp, err := u.dir.scene.Vessel(kind, at[0], at[1], 2*math.Pi*u.rng.Float64())
	if err != nil {
		return false // it is one of the kinds
	}
	*v = vessel{kind: kind, sprite: sp, at: at, high: scene.VesselHeight(kind)}
	b.at = at
	v.stops = u.stops(b)
	return true
}

// stops are the times at which the vessel is put down and taken up during a stay.
func (u *upsets) stops(b *bide) []float64 {
	stops := []float64{b.from + carryCup}
	for at := stops[0]; ; {
		at += 8 + 14*u.rng.Float64()
		sip := 2*carryCup + 1 + 3*u.rng.Float64()
		if u.vessel.kind == "ashtray" || at+sip > b.to-6 {
			break
		}
		stops = append(stops, at, at+sip)
		at += sip
	}
	return append(stops, b.to-carryCup)
}

// room is a free place for what has the given radius: beside a stake of the player or
// at the edge of the cloth before him, where nothing lies or is laid in this round.
func (u *upsets) room(b *bide, radius float64) (best [2]float64, ok bool) {
	d := u.dir
	depth := d.stage.layout.Depth
	own, edge := d.own(b.who), u.rng.IntN(2) == 0
	least := math.Inf(1)
	taken := u.taken()
	for range 200 {
		at := [2]float64{
			d.stage.seatX(int(b.who)) + 0.8*clothW/float64(d.stage.seats)*(u.rng.Float64()-0.5),
			depth*0.35 + (0.65*depth+10-radius)*u.rng.Float64(),
		}
		if at[0] < radius || at[0] > clothW-radius ||
			slices.ContainsFunc(taken, func(p [2]float64) bool { return apart(p, at) < radius+34 }) {
			continue
		}
		far := depth - at[1]
		if !edge {
			for _, p := range own {
				far = min(far, apart(p, at))
			}
		}
		if far < least {
			best, least, ok = at, far, true
		}
	}
	return best, ok
}

// taken are the places where something lies or is laid in this round. A card takes the
// room of three.
func (u *upsets) taken() (places [][2]float64) {
	d := u.dir
	add := func(at [2]float64, card bool) {
		places = append(places, at)
		if card {
			places = append(places, [2]float64{at[0], at[1] - 30}, [2]float64{at[0], at[1] + 30})
		}
	}
	for tag := range d.things {
		if t := d.lying(tag); t != nil {
			add(t.at, t.card != nil)
		}
	}
	for i := range d.round.Acts {
		laid, _ := d.layings(&d.round.Acts[i]) // it has place for all: see director.begin
		for _, l := range laid {
			add(l.at, l.card != nil)
		}
	}
	return places
}

// stood reports whether a place is where the vessel stands or stood last.
func (v *vessel) stood(at [2]float64) bool {
	return v.kind != "" && apart(at, v.at) < scene.VesselReach(v.kind)+25
}

// giveWay has the vessel taken away before something is laid where it stands, in the
// round that begins now.
func (u *upsets) giveWay(now float64) {
	v, b := &u.vessel, &u.cup
	if b.to <= now || !b.done || len(v.stops) == 0 {
		return
	}
	for i := range u.dir.round.Acts {
		a := &u.dir.round.Acts[i]
		laid, _ := u.dir.layings(a)
		hit := slices.ContainsFunc(laid, func(l laying) bool { return apart(l.at, v.at) < scene.VesselReach(v.kind)+34 })
		if gone := max(now+carryCup, now+a.At-1.5); hit && gone < b.to-carryCup {
			u.clearBy(gone)
			return
		}
	}
}

// clearBy has the vessel taken up for good at a moment, or sooner.
func (u *upsets) clearBy(gone float64) {
	v := &u.vessel
	keep := v.stops[:0]
	for i, at := range v.stops {
		if at > gone-2*carryCup && i >= v.next {
			break
		}
		keep = append(keep, at)
	}
	if len(keep)%2 == 1 {
		keep = append(keep, gone)
	}
	v.stops, u.cup.to = keep, u.cup.from // not this time, where it is not there yet
	if len(keep) > 0 {
		u.cup.to = keep[len(keep)-1] + carryCup
	}
}
