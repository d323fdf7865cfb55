package sim

import (
	"cmp"
	"slices"

	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// touch is what a hand does beside the play at one moment of the round, where it has
// been sent; it changes how things lie and nothing of what the script knows.
type touch struct {
	who    script.Who
	at     float64
	target [2]float64
	do     func() error // nil: the hand just comes there
}

// touches sends a hand to places beside the play. All have to be told before the round
// is drawn.
func (d *director) touches(some ...touch) {
	for _, t := range some {
		path := append(d.paths[t.who], move{act: &script.Act{At: t.at, Who: t.who}, at: t.at, target: t.target, empty: true})
		slices.SortStableFunc(path, func(a, b move) int { return cmp.Compare(a.at, b.at) })
		d.plan(t.who, path)
		d.paths[t.who] = path
	}
	d.beside = append(d.beside, some...)
	slices.SortStableFunc(d.beside, func(a, b touch) int { return cmp.Compare(a.at, b.at) })
}

// touchUntil does what hands have done beside the play by a moment of the round.
func (d *director) touchUntil(now float64) error {
	for len(d.beside) > 0 && d.beside[0].at <= now {
		t := d.beside[0]
		d.beside = d.beside[1:]
		if t.do == nil {
			continue
		}
		if err := t.do(); err != nil {
			return err
		}
	}
	return nil
}

// lying is what lies under a tag at this moment; nil where it does not.
func (d *director) lying(tag int) *thing {
	if t := d.things[tag]; t != nil && t.id != 0 {
		return t
	}
	return nil
}

// shift draws a card or a pile anew at another place or angle and lays it there, over
// what lies flat.
func (d *director) shift(t *thing, at [2]float64, angle float64) error {
	var sp *scene.Sprite
	if t.card != nil {
		sp = d.cardSprite(*t.card, at, angle)
	} else {
		var err error
		if sp, err = d.scene.Pile(t.chips, at[0], at[1], angle); err != nil {
			return err
		}
	}
	d.replace(t, sp, at)
	t.angle = angle
	return nil
}

// replace has a thing look otherwise from now on.
func (d *director) replace(t *thing, sp *scene.Sprite, at [2]float64) {
	d.scene.Take(t.id)
	t.id, t.sprite, t.at = d.scene.Lay(sp, t.stands, at), sp, at
	for who := range d.paths {
		for i := range d.paths[who] {
			if m := &d.paths[who][i]; d.lifts(m.act, t) {
				m.target = d.midst(m.act.Lift, m.target)
			}
		}
	}
}

// lifts reports whether an act takes up a thing and lays nothing in its place.
func (d *director) lifts(a *script.Act, t *thing) bool {
	return len(a.Cards)+len(a.Piles)+len(a.Dice) == 0 &&
		slices.ContainsFunc(a.Lift, func(tag int) bool { return d.things[tag] == t })
}

// midst is the middle of what lies under some tags; or else where it is known to be.
func (d *director) midst(tags []int, or [2]float64) [2]float64 {
	var places [][2]float64
	for _, tag := range tags {
		t := d.lying(tag)
		if t == nil {
			return or
		}
		places = append(places, t.at)
	}
	return middle(places, or)
}

// takeUp has a hand hold a thing for a moment, over the place where it was.
func (d *director) takeUp(who script.Who, t *thing) {
	d.scene.Take(t.id)
	t.id = 0
	d.held[who] = append(d.held[who], carried{t.sprite, t.at})
}
