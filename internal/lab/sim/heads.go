package sim

import (
	"math"
	"math/rand/v2"

	"vision/internal/lab/sim/scene"
)

// heads are the shadows of people who lean over the table or pass between it and a
// lamp: of several sizes and depths, soft, some passing, some staying a while.
type heads struct {
	stage *stage
	scene *scene.Scene
	rng   *rand.Rand
	rate  float64 // a minute
	next  float64 // when another comes
	shown []head
	kinds []*scene.Sprite // drawn when first needed
}

// head is one shadow on its way.
type head struct {
	kind     *scene.Sprite
	from, to float64
	a, b     [2]float64 // comes from, goes to
	stay     [2]float64 // where it stays meanwhile
	stays    bool
	sway     float64
}

// headKinds is how many different shadows a table has.
const headKinds = 5

// newHeads makes the shadows of a table, rate a minute.
func newHeads(st *stage, sc *scene.Scene, rate float64, rng *rand.Rand) *heads {
	h := &heads{stage: st, scene: sc, rng: rng, rate: rate, kinds: make([]*scene.Sprite, headKinds)}
	if rate > 0 {
		h.next = h.pause()
	}
	return h
}

// pause is the time to the next that nobody foresees.
func (h *heads) pause() float64 { return 60 / h.rate * h.rng.ExpFloat64() }

// middle is the place about which the shadows are drawn.
func (h *heads) middle() [2]float64 { return [2]float64{clothW / 2, h.stage.layout.Depth / 2} }

// kind is one of the table's shadows, 120 to 300 mm wide either way.
func (h *heads) kind() *scene.Sprite {
	i := h.rng.IntN(headKinds)
	if h.kinds[i] == nil {
		h.kinds[i] = h.scene.Shadow(h.middle(), 120+180*h.rng.Float64(), 0.1+0.3*h.rng.Float64())
	}
	return h.kinds[i]
}

// draw shows the shadows of a moment.
func (h *heads) draw(now float64) {
	for h.rate > 0 && now >= h.next {
		h.shown = append(h.shown, h.come(h.next))
		h.next += h.pause()
	}
	left := h.shown[:0]
	for _, s := range h.shown {
		if now >= s.to {
			continue
		}
		left = append(left, s)
		at, m := s.at(now), h.middle()
		h.scene.Shade(s.kind, h.scene.Point(at[0], at[1], 0).Sub(h.scene.Point(m[0], m[1], 0)))
	}
	h.shown = left
}

// come draws a new shadow: where it comes from, where it goes and how long it takes.
func (h *heads) come(now float64) head {
	w, d := clothW, h.stage.layout.Depth
	s := head{kind: h.kind(), from: now, stays: h.rng.IntN(2) == 0, sway: 2 * math.Pi * h.rng.Float64()}
	s.stay = [2]float64{w * h.rng.Float64(), d * h.rng.Float64()}
	if s.stays { // somebody beside the table leans in and back again
		side := d + 350
		if h.rng.IntN(4) == 0 {
			side = -350
		}
		s.a = [2]float64{s.stay[0] + 200*(2*h.rng.Float64()-1), side}
		s.b, s.to = s.a, now+4+16*h.rng.Float64()
		return s
	}
	// Somebody walks by: the shadow crosses the table through a place of it.
	turn, speed := 2*math.Pi*h.rng.Float64(), 250+850*h.rng.Float64() // mm/s
	way := [2]float64{1100 * math.Cos(turn), 1100 * math.Sin(turn)}
	s.a, s.b = [2]float64{s.stay[0] - way[0], s.stay[1] - way[1]}, [2]float64{s.stay[0] + way[0], s.stay[1] + way[1]}
	s.to = now + 2200/speed
	return s
}

// at is where the shadow falls.
func (s *head) at(now float64) [2]float64 {
	if !s.stays {
		return between(s.a, s.b, (now-s.from)/(s.to-s.from))
	}
	const move = 1.2 // seconds to lean in
	if k := (s.to - now) / move; k < 1 {
		at, _ := glide(s.b, s.stay, k, 0, 0)
		return at
	}
	at, _ := glide(s.a, s.stay, (now-s.from)/move, 0, 0)
	return [2]float64{at[0] + 9*math.Sin(0.9*now+s.sway), at[1] + 6*math.Sin(1.3*now)}
}
