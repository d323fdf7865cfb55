package sim

import (
	"cmp"
	"image"
	"slices"

	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// People have a second hand beside the one that plays: it rests over or on the cloth,
// holds a cup, lies under one who leans in.

// bide is a person's stay over the cloth.
type bide struct {
	occasion
	at   [2]float64
	lift float64 // of the hand over the cloth, millimetres
}

// begin plans what hands do beside the play of the round that begins, now by the
// table's clock.
func (u *upsets) begin(now float64) error {
	if h := u.on; h.Restack+h.Topple+h.Squeeze > 0 {
		b := u.plan()
		b.squeeze(h.Squeeze)
		for range b.times(h.Restack) {
			b.restack()
		}
		if b.rng.Float64() < h.Topple {
			b.topple()
		}
	}
	u.giveWay(now)
	return nil
}

// draw shows who rests, leans in, or has his hand on a cup.
func (u *upsets) draw(now float64) {
	if u.due(&u.rest.occasion, now, u.on.Rest, 4) && u.ready(&u.rest, u.restAt) {
		u.secondHand(u.rest.who, u.rest.at, u.rest.lift, u.rest.share(now, 0.6))
	}
	if u.due(&u.lean.occasion, now, u.on.Lean, 4.5) && u.ready(&u.lean, u.leanAt) {
		u.drawLean(now)
	} else {
		u.figure = nil // some megabytes
	}
	u.drawCup(now)
}

// ready has a place chosen for a stay when it begins; false when it has none.
func (u *upsets) ready(b *bide, place func(b *bide) bool) bool {
	if !b.done {
		b.done = true
		if !place(b) || u.secondBusy(b) {
			b.to = b.from // not this time
		}
	}
	return b.to > b.from
}

// secondBusy reports whether the person's second hand is already somewhere else.
func (u *upsets) secondBusy(b *bide) bool {
	for _, o := range []*bide{&u.rest, &u.lean, &u.cup} {
		if o != b && o.who == b.who && o.done && b.from < o.to+1 && o.from < b.to {
			return true
		}
	}
	return false
}

// share is how far a stay has come at a moment: 0 away, 1 there, which takes some seconds.
func (b *bide) share(now, takes float64) float64 {
	return max(0, min(1, (now-b.from)/takes, (b.to-now)/takes))
}

// restAt is over the table, or on the cloth beside a stake of his.
func (u *upsets) restAt(b *bide) bool {
	d := u.dir
	depth := d.stage.layout.Depth
	b.at = [2]float64{d.stage.seatX(int(b.who)) + (b.a[0]-clothW/2)*0.15, depth*0.45 + 0.4*b.a[1]}
	b.lift = 30
	if own := d.own(b.who); len(own) > 0 && u.rng.IntN(3) > 0 {
		at := own[u.rng.IntN(len(own))]
		side := float64(1 - 2*u.rng.IntN(2))
		b.at = [2]float64{at[0] + side*(55+40*u.rng.Float64()), min(at[1]+10+50*u.rng.Float64(), depth)}
		b.lift = 3
	}
	return true
}

// own are the places of what a person has laid and still lies.
func (d *director) own(who script.Who) (places [][2]float64) {
	for tag := range d.things {
		if t := d.lying(tag); t != nil && t.who == who && t.chips != nil {
			places = append(places, t.at)
		}
	}
	slices.SortFunc(places, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return places
}

// secondHand shows the second hand of a person, a share of its way to a place.
func (u *upsets) secondHand(who script.Who, at [2]float64, lift, k float64) image.Point {
	d := u.dir
	place, high := glide(d.rest(who), at, k, 60, lift)
	tip := d.scene.Point(place[0], place[1], high)
	d.scene.Arm(d.limbs[who], tip, d.shoulder(who).Add(image.Pt(u.px(130), 0)))
	return tip
}

// px is a length about the table's middle in pixels.
func (u *upsets) px(mm float64) int { return int(mm * u.dir.stage.view.Scale) }

// leanAt is the place of the head of one who leans over his own places.
func (u *upsets) leanAt(b *bide) bool {
	depth := u.dir.stage.layout.Depth
	b.at = [2]float64{u.dir.stage.seatX(int(b.who)) + 0.08*(b.a[0]-clothW/2), depth + 200 - 190*b.b[1]/depth}
	return true
}

// headHigh is how high the top of a head is over the cloth of one who leans in, millimetres.
const headHigh = 260.0

// drawLean shows forearm, shoulders and head.
func (u *upsets) drawLean(now float64) {
	d, b := u.dir, &u.lean
	k := b.share(now, 0.9)
	u.secondHand(b.who, [2]float64{b.at[0] - 90, b.at[1] - 120}, 5, k)
	s := k * k * (3 - 2*k)
	at := between([2]float64{b.at[0], d.stage.near() + 700}, b.at, s)
	if u.figure == nil {
		hair := hairs[int(hash(int(b.who), 11)*float64(len(hairs)))]
		u.figure = scene.Person(d.limbs[b.who].Look(), hair, d.stage.view.Scale*1.12)
	}
	d.scene.Over(u.figure, d.scene.Point(at[0], at[1], headHigh))
}

var hairs = [][3]float64{{38, 30, 26}, {84, 58, 38}, {128, 122, 118}, {150, 112, 64}, {24, 22, 24}}
