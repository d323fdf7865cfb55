package sim

import (
	"slices"

	"vision/calibration"
	"vision/internal/lab/sim/scene"
)

// Amiss is what is not in a tube as it should be, until a hand is at the rack again.
type Amiss string

// What may be amiss.
const (
	WrongTube Amiss = "wrong_tube" // a chip of another kind is the last
	PushedUp  Amiss = "pushed_up"  // the chips stand off the closed end
	Leaning   Amiss = "leaning"    // the last chip leans
	OnRim     Amiss = "on_rim"     // a chip lies between this tube and the next
)

// onRim is a chip that lies between a tube and the one after it.
type onRim struct {
	id   scene.ID
	kind string
	tube int
}

// amiss is what is amiss now, by tube.
func (r *rack) amiss() map[int]Amiss {
	out := map[int]Amiss{}
	for i, t := range r.tubes {
		switch chips := t.Chips(); {
		case r.rim != nil && (i == r.rim.tube || i == r.rim.tube+1):
			out[i] = OnRim
		case len(chips) > 0 && chips[len(chips)-1] != r.spec.Tubes[i].Chip:
			out[i] = WrongTube
		case t.Leaning():
			out[i] = Leaning
		case t.Pushed():
			out[i] = PushedUp
		}
	}
	return out
}

// tidy puts everything right.
func (r *rack) tidy(touched map[int]bool) error {
	var astray []string
	for i, why := range r.amiss() {
		touched[i] = true
		r.tubes[i].Push(0)
		r.tubes[i].Lean(0)
		if chips := r.tubes[i].Chips(); why == WrongTube {
			astray = append(astray, chips[len(chips)-1])
			r.tubes[i].Take(1)
		}
	}
	if r.rim != nil {
		r.scene.Take(r.rim.id)
		astray, r.rim = append(astray, r.rim.kind), nil
	}
	return r.exchange(astray, nil, touched)
}

// goAmiss leaves something amiss where a hand has been that has put chips there, or has not.
func (r *rack) goAmiss(put []string, touched map[int]bool) error {
	var at []int
	for i := range touched {
		if len(r.tubes[i].Chips()) > 2 {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	i := at[r.rng.IntN(len(at))]
	u := &r.spec.Tubes[i]
	switch k := r.rng.IntN(4); {
	case k == 0:
		const least, most = 0.2, 0.5 // radians
		r.tubes[i].Lean((least + (most-least)*r.rng.Float64()) * float64(1-2*r.rng.IntN(2)))
	case k == 1:
		const least, most = 2.0, 14.0 // millimetres
		room := u.Length() - float64(len(r.tubes[i].Chips())+2)*u.Kinds(r.palette)[0].Thickness
		r.tubes[i].Push(max(0, min(room, least+(most-least)*r.rng.Float64())))
	case !slices.Contains(put, u.Chip): // there is none in the hand to be mislaid
	case k == 2:
		to := slices.IndexFunc(r.spec.Tubes, func(o calibration.Tube) bool { return o.Chip == u.Chip }) - 1
		if to < 0 {
			to = slices.IndexFunc(r.spec.Tubes, func(o calibration.Tube) bool { return o.Chip != u.Chip })
		}
		if len(r.tubes[to].Chips()) < r.spec.Tubes[to].Capacity {
			r.tubes[i].Take(1)
			touched[to] = true
			return r.tubes[to].Put(u.Chip)
		}
	default:
		return r.mislay(min(i, len(r.tubes)-2), u.Chip, touched, i)
	}
	return nil
}

// mislay leaves a chip of a tube between another and the next.
func (r *rack) mislay(n int, kind string, touched map[int]bool, from int) error {
	a, b := r.spec.Tubes[n].Axis, r.spec.Tubes[n+1].Axis
	y := a[0][1] + r.rng.Float64()*(a[1][1]-a[0][1])
	sp, err := r.scene.Pile([]string{kind}, (a[0][0]+b[0][0])/2, y, 0)
	if err != nil {
		return err
	}
	r.tubes[from].Take(1)
	touched[n], touched[n+1] = true, true
	r.rim = &onRim{r.scene.Lay(sp, true, [2]float64{a[0][0], a[0][1] + 1}), kind, n}
	return nil
}
