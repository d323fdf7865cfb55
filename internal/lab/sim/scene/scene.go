// Package scene draws a table as a camera over it would see it: felt, cards,
// chips, dice and arms through a pinhole camera with lens distortion. Things
// are drawn once when they are laid and kept as sprites; a frame costs only the
// rectangles that changed.
package scene

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"vision/calibration"
)

// Scene is the table in front of one camera. It is owned by one goroutine.
type Scene struct {
	cam   *Camera
	felt  *Felt
	rng   *rand.Rand
	stock *stock
	bare  *Picture
	out   *Picture

	things map[ID]*thing
	order  []*thing
	next   ID
	arms   []arm
	before []arm  // arms of the last frame
	shades []load // over everything
	cast   []load // shades of the last frame
	moment int    // of the exposure that arms are shown in
	lies   []uint8
	sum    []uint16
	over   []image.Rectangle // where arms, carried things or shades were in the last frame
	dirty  []image.Rectangle // where something was laid or taken since
	fine   bool              // see ByBands
}

// ID names a thing laid on the table.
type ID int

type thing struct {
	id     ID
	sprite *Sprite
	level  int     // 0 flat on the felt, 1 standing
	depth  float64 // nearer to the camera is drawn later
}

type arm struct {
	limb          *Limb
	tip, shoulder image.Point
	load          []load
	over          bool // the load is nearer to the camera than any arm
	moment        int
}

type load struct {
	s   *Sprite
	off image.Point
}

// New photographs the bare felt and prepares the chips of the palette.
func New(cam *Camera, felt *Felt, palette []calibration.Chip, seed uint64) (*Scene, error) {
	s := &Scene{cam: cam, felt: felt, rng: rand.New(rand.NewPCG(seed, 0x5ce)), things: map[ID]*thing{}}
	var err error
	if s.stock, err = newStock(palette); err != nil {
		return nil, err
	}
	s.bare = felt.photograph(cam, s.rng)
	felt.Draw = nil // the print is on the photograph now
	s.out = NewPicture(cam.Size[0], cam.Size[1])
	s.dirty = []image.Rectangle{s.out.Bounds()}
	return s, nil
}

// scaleAt is pixels per millimetre along x at a point of the felt.
func (s *Scene) scaleAt(x, y float64) float64 {
	a, _ := s.cam.Project(x-5, y, 0)
	b, _ := s.cam.Project(x+5, y, 0)
	return (b - a) / 10
}

// Card makes the sprite of a card picture w×h millimetres at x, y, turned by
// angle radians.
func (s *Scene) Card(img *image.RGBA, w, h, x, y, angle float64) *Sprite {
	return s.cam.render(newFlat(img, w, h, x, y, angle, s.scaleAt(x, y)), 3, s.felt.lamp)
}

// Stack makes the sprite of chips standing at x, y, ids from the felt upwards.
func (s *Scene) Stack(ids []string, x, y float64) (*Sprite, error) { return s.Pile(ids, x, y, 0) }

// Pile makes the sprite of chips and plaques lying on one another at x, y, ids from
// the felt upwards. The plaques' longer side is turned by angle radians from x to y.
func (s *Scene) Pile(ids []string, x, y, angle float64) (*Sprite, error) {
	arts, err := s.stock.pieces(ids)
	if err != nil {
		return nil, err
	}
	p := newPile(arts, x, y, angle, s.rng.Float64)
	s.stock.settle(p)
	sprite := s.cam.render(p, 3, s.felt.lamp)
	if n := len(p.layers); n > 0 {
		sprite.Face = [2]float64{p.layers[n-1].x, p.layers[n-1].y}
	}
	return sprite, nil
}

// Printed makes the sprite of a plaque's face that lies on the felt without thickness:
// what is no plaque but print or paper.
func (s *Scene) Printed(id string, x, y, angle float64) (*Sprite, error) {
	arts, err := s.stock.pieces([]string{id})
	if err != nil {
		return nil, err
	}
	a := arts[0]
	if !a.chip.Plaque() {
		return nil, fmt.Errorf("%q is no plaque", id)
	}
	return s.Card(a.face, a.chip.Length, a.chip.Width, x, y, angle), nil
}

// Die makes the sprite of a die at rest; Tumble that of one in the air.
func (s *Scene) Die(value int, x, y, angle, edge float64) *Sprite {
	return s.cam.render(restingDie(value, x, y, angle, edge), 3, s.felt.lamp)
}

// Lean makes the sprite of a die that does not lie flat on the felt: lifted, or
// leaning by lean radians towards the direction to.
func (s *Scene) Lean(value int, x, y, angle, lift, lean, to, edge float64) *Sprite {
	c := restingDie(value, x, y, angle, edge)
	sin, cos := math.Sincos(to)
	c.lift, c.rot = lift, rodrigues(vec{sin * lean, -cos * lean, 0}).times(c.rot)
	return s.cam.render(c, 3, s.felt.lamp)
}

// Chipped makes the sprite of a die whose upper face has lost a corner, bite being
// the share of its edges that is gone.
func (s *Scene) Chipped(value int, x, y, angle, bite, edge float64) *Sprite {
	return s.cam.render(chippedDie(value, x, y, angle, bite, edge), 3, s.felt.lamp)
}

// Half makes the sprite of half a die, broken upright through its middle at x, y:
// the half on the side of the direction to is gone.
func (s *Scene) Half(value int, x, y, angle, to, edge float64) *Sprite {
	c := restingDie(value, x, y, angle, edge)
	sin, cos := math.Sincos(to)
	c.gone = []cut{{c.rot.back(vec{cos, sin, 0}), 0}}
	return s.cam.render(c, 3, s.felt.lamp)
}

// Tumble makes the sprite of a die in the air, turned about v.
func (s *Scene) Tumble(v [3]float64, x, y, lift, edge float64) *Sprite {
	return s.cam.render(&cube{x: x, y: y, lift: lift, rot: rodrigues(v), edge: edge}, 2, s.felt.lamp)
}

// Lay puts a sprite down; standing things are drawn over flat ones and hide
// what is farther from the camera. at is the thing's place on the plane.
func (s *Scene) Lay(sp *Sprite, standing bool, at [2]float64) ID {
	s.next++
	t := &thing{id: s.next, sprite: sp, depth: s.cam.near(at)}
	if standing {
		t.level = 1
	}
	s.things[t.id] = t
	place, _ := slices.BinarySearchFunc(s.order, t, func(a, b *thing) int {
		return cmp.Or(cmp.Compare(a.level, b.level), a.depthOrder(b), cmp.Compare(a.id, b.id))
	})
	s.order = slices.Insert(s.order, place, t)
	s.dirty = append(s.dirty, sp.rect)
	return t.id
}

// depthOrder compares how near two standing things are; flat things keep the
// order in which they were laid.
func (t *thing) depthOrder(o *thing) int {
	if t.level == 0 {
		return 0
	}
	return cmp.Compare(t.depth, o.depth)
}

// Take removes a thing and returns its sprite, nil when there is none.
func (s *Scene) Take(id ID) *Sprite {
	t := s.things[id]
	if t == nil {
		return nil
	}
	delete(s.things, id)
	s.order = slices.DeleteFunc(s.order, func(o *thing) bool { return o == t })
	s.dirty = append(s.dirty, t.sprite.rect)
	return t.sprite
}

// Point is the pixel of a place of the felt, lift millimetres above it.
func (s *Scene) Point(x, y, lift float64) image.Point {
	u, v := s.cam.Project(x, y, -lift)
	return image.Pt(int(u+0.5), int(v+0.5))
}

// Arm shows an arm in the next frame only.
func (s *Scene) Arm(l *Limb, tip, shoulder image.Point) {
	s.arms = append(s.arms, arm{limb: l, tip: tip, shoulder: shoulder, moment: s.moment})
}

// Carry shows a sprite in the next frame only, moved by off, under the arms.
func (s *Scene) Carry(sp *Sprite, off image.Point) {
	s.arms = append(s.arms, arm{load: []load{{sp, off}}, moment: s.moment})
}

// Shade shows a shadow in the next frame only, moved by off, over everything.
func (s *Scene) Shade(sp *Sprite, off image.Point) {
	s.shades = append(s.shades, load{sp, off})
}

// Over shows a sprite in the next frame only, moved by off, over arms and all.
func (s *Scene) Over(sp *Sprite, off image.Point) {
	s.arms = append(s.arms, arm{load: []load{{sp, off}}, over: true, moment: s.moment})
}

// Behind reports whether an arm, or what it carries, may have hidden a part of the place of
// a sprite in the last frame.
func (s *Scene) Behind(sp *Sprite) bool {
	return slices.ContainsFunc(s.before, func(a arm) bool {
		if a.limb != nil {
			return a.limb.over(a.tip, a.shoulder, sp.rect)
		}
		return sp.rect.Overlaps(a.window(s.out.Bounds()))
	})
}

// Render composes the frame. The picture is the scene's own and is valid until
// the next call; the rectangles are what changed since the last one.
func (s *Scene) Render() (*Picture, []image.Rectangle) {
	all := s.out.Bounds()
	moments, changed := thin(s.takes()), s.dirty
	if !slices.EqualFunc(s.arms, s.before, arm.like) || !slices.Equal(s.shades, s.cast) {
		changed = append(changed, s.over...)
		s.over = s.over[:0]
		for _, arms := range moments {
			for _, a := range arms {
				if a.limb != nil && s.fine {
					s.over = append(s.over, a.limb.parts(a.tip, a.shoulder, all)...)
					continue
				}
				s.over = append(s.over, a.window(all))
			}
		}
		for _, l := range s.shades {
			s.over = append(s.over, l.window(all))
		}
		changed = append(changed, s.over...)
	}
	if slices.Contains(changed, all) {
		changed = []image.Rectangle{all}
	} else {
		changed = merge(s.cut(changed))
	}
	for _, r := range changed {
		s.compose(moments, r)
		for _, l := range s.shades {
			l.s.lay(s.out, l.off, r)
		}
	}
	s.before, s.arms = s.arms, s.before[:0]
	s.cast, s.shades = s.shades, s.cast[:0]
	s.moment, s.dirty = 0, s.dirty[:0]
	return s.out, changed
}

// like reports whether two arms look alike, with what they carry.
func (a arm) like(b arm) bool {
	return a.limb == b.limb && a.tip == b.tip && a.shoulder == b.shoulder && a.over == b.over && a.moment == b.moment &&
		slices.Equal(a.load, b.load)
}

// drawArms draws what hands carry, then the arms, then what is nearer than they.
func (s *Scene) drawArms(arms []arm, r image.Rectangle) {
	s.drawLoads(arms, r, false)
	for _, a := range arms {
		if a.limb != nil {
			a.limb.Draw(s.out, a.tip, a.shoulder, r)
		}
	}
	s.drawLoads(arms, r, true)
}

func (s *Scene) drawLoads(arms []arm, r image.Rectangle, over bool) {
	for _, a := range arms {
		for _, l := range a.load {
			if a.over == over {
				l.s.lay(s.out, l.off, r)
			}
		}
	}
}

func (a *arm) window(all image.Rectangle) image.Rectangle {
	if a.limb != nil {
		return a.limb.Reach(a.tip, a.shoulder, all)
	}
	var r image.Rectangle
	for _, l := range a.load {
		r = r.Union(l.window(all))
	}
	return r
}

func (l load) window(all image.Rectangle) image.Rectangle { return l.s.rect.Add(l.off).Intersect(all) }

// bandRows is how many rows of the picture a band of it has.
const bandRows = 64

// ByBands has Render report band by band what changes, so that of an arm that lies aslant, and of two
// things far from one another, no more is drawn anew than they cover: cheaper where a camera takes
// over only that. The pictures are the same.
func (s *Scene) ByBands() { s.fine = true }

// cut cuts rectangles at the edges of bands, where changes are reported by bands.
func (s *Scene) cut(rs []image.Rectangle) (out []image.Rectangle) {
	if !s.fine {
		return rs
	}
	for _, r := range rs {
		out = append(out, bands(r)...)
	}
	return out
}

func bands(r image.Rectangle) (out []image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; {
		end := min((y/bandRows+1)*bandRows, r.Max.Y)
		out = append(out, image.Rect(r.Min.X, y, r.Max.X, end))
		y = end
	}
	return out
}

// merge joins rectangles until none overlap, so that nothing is laid twice.
func merge(rs []image.Rectangle) []image.Rectangle {
	var out []image.Rectangle
	for _, r := range rs {
		if r.Empty() {
			continue
		}
		for i := 0; i < len(out); {
			if out[i].Overlaps(r) {
				r = r.Union(out[i])
				out = slices.Delete(out, i, i+1)
				i = 0
				continue
			}
			i++
		}
		out = append(out, r)
	}
	return out
}

// Shadow makes a sprite that only darkens: a soft round shadow about a place of
// the felt, radius millimetres wide, taking the given share of the light.
func (s *Scene) Shadow(at [2]float64, radius, share float64) *Sprite {
	return s.cam.render(&gloom{at: at, r: radius, share: share}, 0, s.felt.lamp)
}

// gloom is a shadow without a thing.
type gloom struct {
	at       [2]float64
	r, share float64
}

func (g *gloom) corners() []vec {
	return []vec{
		{g.at[0] - g.r, g.at[1] - g.r, 0},
		{g.at[0] + g.r, g.at[1] + g.r, 0},
		{g.at[0] + g.r, g.at[1] - g.r, 0},
		{g.at[0] - g.r, g.at[1] + g.r, 0},
	}
}

func (g *gloom) hit(_, _ vec) (rgb, float64) { return rgb{}, 0 }

func (g *gloom) shade(x, y float64) float64 {
	d := vec{x - g.at[0], y - g.at[1], 0}.norm()
	return g.share * (1 - smooth(0.2*g.r, g.r, d))
}
