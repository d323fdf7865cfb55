package sim

import (
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"vision/capture/sim/scene"
	"vision/capture/sim/script"
)

// Nuisances are what happens at real tables without being a fault.
type Nuisances struct {
	Drift  bool // the light drifts by some per cent
	Shadow bool // somebody's shadow passes over the felt
	Shake  bool // the camera trembles for a moment
	Hover  bool // a player's hand rests over cards or chips for a while
	Nudge  bool // chips are pushed a few millimetres
}

// AllNuisances are all of them.
var AllNuisances = Nuisances{Drift: true, Shadow: true, Shake: true, Hover: true, Nudge: true}

// Add adds a nuisance by its name: drift, shadow, shake, hover or nudge.
func (n *Nuisances) Add(name string) error {
	flags := map[string]*bool{"drift": &n.Drift, "shadow": &n.Shadow, "shake": &n.Shake, "hover": &n.Hover, "nudge": &n.Nudge}
	flag, ok := flags[name]
	if !ok {
		return fmt.Errorf("nuisance %q: want one of %q", name, slices.Sorted(maps.Keys(flags)))
	}
	*flag = true
	return nil
}

// upsets plays the nuisances, each every half minute or so.
type upsets struct {
	on                            Nuisances
	dir                           *director
	rng                           *rand.Rand
	shade                         *scene.Sprite
	shadow, tremble, hover, nudge occasion
}

// occasion is when a nuisance happens next and how.
type occasion struct {
	from, to float64
	a, b     [2]float64
	who      script.Who
	done     bool
}

func newUpsets(on Nuisances, d *director, rng *rand.Rand) *upsets {
	u := &upsets{on: on, dir: d, rng: rng}
	if on.Shadow {
		u.shade = d.scene.Shadow([2]float64{clothW / 2, d.stage.layout.Depth / 2}, 210, 0.35)
	}
	return u
}

// due arms the next occasion when the last is over.
func (u *upsets) due(o *occasion, now, every, length float64) bool {
	if now > o.to || o.to == 0 { // never at the very start
		from := now + every*(0.5+u.rng.Float64())
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
	if u.on.Nudge && u.due(&u.nudge, now, 25, 1) && !u.nudge.done {
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

// draw shows shadows and resting hands.
func (u *upsets) draw(now float64) {
	if u.on.Shadow && u.due(&u.shadow, now, 30, 4) {
		k := (now - u.shadow.from) / (u.shadow.to - u.shadow.from)
		at := [2]float64{-400 + (clothW+800)*k, u.shadow.a[1]}
		mid := u.dir.scene.Point(clothW/2, u.dir.stage.layout.Depth/2, 0)
		u.dir.scene.Carry(u.shade, u.dir.scene.Point(at[0], at[1], 0).Sub(mid))
	}
	if u.on.Hover && u.due(&u.hover, now, 20, 2.5) {
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

// shake is the camera's displacement in pixels.
func (u *upsets) shake(now float64) [2]float64 {
	if !u.on.Shake || !u.due(&u.tremble, now, 40, 0.8) {
		return [2]float64{}
	}
	k := math.Sin(math.Pi * (now - u.tremble.from) / (u.tremble.to - u.tremble.from))
	return [2]float64{1.5 * k * math.Sin(now*23), 1.8 * k * math.Cos(now*31)}
}
