package sim

import (
	"image"
	"math/rand/v2"
	"slices"

	"vision/capture/sim/condition"
	"vision/capture/sim/script"
)

// upsets plays what people do beside the game, at the rates of the
// table's conditions.
type upsets struct {
	on           condition.Set
	dir          *director
	rng          *rand.Rand
	hover, nudge occasion
}

// occasion is when a nuisance happens next and how.
type occasion struct {
	from, to float64
	a, b     [2]float64
	who      script.Who
	done     bool
}

func newUpsets(on condition.Set, d *director, rng *rand.Rand) *upsets {
	return &upsets{on: on, dir: d, rng: rng}
}

// due arms the next occasion when the last is over, rate times a minute (0: never),
// each for length seconds or nearly.
func (u *upsets) due(o *occasion, now, rate, length float64) bool {
	if rate <= 0 {
		return false
	}
	if now > o.to || o.to == 0 { // never at the very start
		from := now + 60/rate*(0.5+u.rng.Float64())
		o.from, o.to, o.done = from, from+length*(0.7+0.6*u.rng.Float64()), false
		w, h := clothW, u.dir.stage.layout.Depth
		o.a = [2]float64{w * u.rng.Float64(), h * u.rng.Float64()}
		o.b = [2]float64{w * u.rng.Float64(), h * u.rng.Float64()}
		o.who = script.Who(1 + u.rng.IntN(u.dir.stage.seats))
	}
	return now >= o.from && now <= o.to
}

// before changes what lies on the table.
func (u *upsets) before(now float64) {
	if u.due(&u.nudge, now, u.on.Hands.Nudge, 1) && !u.nudge.done {
		u.nudge.done = true
		u.push()
	}
}

// push moves one standing stack by a few millimetres.
func (u *upsets) push() {
	var tags []int
	for tag, t := range u.dir.things {
		if t.redraw != nil && t.id != 0 {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return
	}
	slices.Sort(tags)
	t := u.dir.things[tags[u.rng.IntN(len(tags))]]
	at := [2]float64{t.at[0] + 4*u.rng.Float64() - 2, t.at[1] + 6*u.rng.Float64() - 3}
	sp, err := t.redraw(at)
	if err != nil {
		return // the palette has not changed
	}
	u.dir.scene.Take(t.id)
	t.id, t.sprite, t.at = u.dir.scene.Lay(sp, true, at[1]), sp, at
}

// draw shows resting hands.
func (u *upsets) draw(now float64) {
	if u.due(&u.hover, now, u.on.Hands.Rest, 2.5) {
		u.drawHover(now)
	}
}

// drawHover has a player's hand reach over the table, stay and withdraw.
func (u *upsets) drawHover(now float64) {
	d, o := u.dir, &u.hover
	k := min(1, (now-o.from)/0.6, (o.to-now)/0.6)
	target := [2]float64{d.stage.seatX(int(o.who)) + (o.a[0]-clothW/2)*0.15, d.stage.layout.Depth * (0.45 + 0.4*o.a[1]/d.stage.layout.Depth)}
	at, lift := glide(d.rest(o.who), target, k, 60, 30)
	d.scene.Arm(d.limbs[o.who], d.scene.Point(at[0], at[1], lift), d.shoulder(o.who).Add(image.Pt(60, 0)))
}
