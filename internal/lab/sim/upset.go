package sim

import (
	"math/rand/v2"
	"slices"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// upsets plays what people do beside the game, as often as the table's conditions say.
type upsets struct {
	on              condition.Hands
	dir             *director
	rng             *rand.Rand
	nudge           occasion
	rest, lean, cup bide
	vessel          vessel
	figure          *scene.Sprite // of who leans in; nil: nobody
}

// occasion is when a nuisance happens next and how.
type occasion struct {
	from, to float64
	a, b     [2]float64
	who      script.Who
	done     bool
}

// due arms the next occasion when the last is over, rate times a minute (0: never),
// each for length seconds or nearly.
func (u *upsets) due(o *occasion, now, rate, length float64) bool {
	if rate <= 0 {
		return false
	}
	if now > o.to || o.to == 0 { // never at the very start
		from := now + max(2, 60/rate-length)*(0.5+u.rng.Float64())
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
	if u.due(&u.nudge, now, u.on.Nudge, 1) && !u.nudge.done {
		u.nudge.done = true
		u.push()
	}
}

// push moves one standing stack by a few millimetres.
func (u *upsets) push() {
	var tags []int
	for tag, t := range u.dir.things {
		if t.chips != nil && t.id != 0 && !t.fallen {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return
	}
	slices.Sort(tags)
	t := u.dir.things[tags[u.rng.IntN(len(tags))]]
	at := [2]float64{t.at[0] + 4*u.rng.Float64() - 2, t.at[1] + 6*u.rng.Float64() - 3}
	_ = u.dir.shift(t, at, t.angle) // the palette has not changed
}
