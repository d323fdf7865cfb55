package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// Still is a table that nobody plays at, on which things are laid at random for
// one picture after the other: for measuring the readers.
type Still struct {
	*Table
	deck *deck.Deck // nil where no cards are used
	rng  *rand.Rand
	laid []scene.ID
	n    int
}

// NewStill sets a table up; cfg.Seed decides what is laid. Close it.
func NewStill(cfg Config) (*Still, error) {
	t, err := New(cfg)
	if err != nil {
		return nil, err
	}
	s := &Still{Table: t, rng: rand.New(rand.NewPCG(cfg.Seed, 0x57111))}
	if name := t.stage.deck; name != "" {
		if s.deck, err = deck.New(name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Cards lays the cards side by side on a zone, from its left, turned and placed as
// carelessly as hands do.
func (s *Still) Cards(zone string, cards []card.Card) error {
	for k, c := range cards {
		at, err := s.stage.cardAt(zone, k, false)
		if err != nil {
			return err
		}
		at[0], at[1] = at[0]+6*s.rng.Float64()-3, at[1]+8*s.rng.Float64()-4
		s.Card(c, at, 0.16*s.rng.Float64()-0.08)
	}
	return nil
}

// Card lays a card about a place of the cloth, millimetres, turned by an angle.
func (s *Still) Card(c card.Card, at [2]float64, angle float64) {
	s.laid = append(s.laid, s.scene.Lay(s.scene.Card(s.deck.Face(c), cardW, cardH, at[0], at[1], angle), false, at))
}

// Clear takes everything off the table.
func (s *Still) Clear() {
	for _, id := range s.laid {
		s.scene.Take(id)
	}
	s.laid = nil
}

// Picture is the table as its camera shows it now, BGR, valid until the next.
func (s *Still) Picture() (gocv.Mat, error) {
	s.n++
	pic, changed := s.scene.Render()
	return s.lens.expose(pic, changed, float64(s.n), [2]float64{})
}

// Dice lays n dice anywhere in the zone "dice", turned anyhow, no two in one
// another, and gives their upper faces.
func (s *Still) Dice(n int) ([]int, error) {
	faces, _, err := s.throw(n)
	return faces, err
}

// throw lays n dice and gives their upper faces and where they lie.
func (s *Still) throw(n int) ([]int, [][2]float64, error) {
	z := s.stage.zone("dice")
	if z == nil {
		return nil, nil, fmt.Errorf("simulated table %s: no zone %q on the layout", s.stage.game, "dice")
	}
	x0, y0, x1, y1 := box(z.Polygon)
	var faces []int
	var at [][2]float64
	for len(faces) < n {
		p := [2]float64{x0 + dieEdge + s.rng.Float64()*(x1-x0-2*dieEdge), y0 + dieEdge + s.rng.Float64()*(y1-y0-2*dieEdge)}
		if len(at) > 0 && s.rng.IntN(2) == 0 { // thrown together they often lie together
			a, d := s.rng.Float64()*2*math.Pi, dieEdge*(1.45+2*s.rng.Float64())
			p = [2]float64{at[0][0] + d*math.Cos(a), at[0][1] + d*math.Sin(a)}
		}
		free := p[0] > x0+dieEdge && p[0] < x1-dieEdge && p[1] > y0+dieEdge && p[1] < y1-dieEdge
		for _, q := range at {
			free = free && math.Hypot(p[0]-q[0], p[1]-q[1]) > 1.42*dieEdge
		}
		if !free {
			continue
		}
		v := 1 + s.rng.IntN(6)
		s.lay(s.scene.Die(v, p[0], p[1], s.rng.Float64()*2*math.Pi, dieEdge), p)
		faces, at = append(faces, v), append(at, p)
	}
	return faces, at, nil
}

// Stacks lays n stacks of up to high chips side by side on a zone and gives
// their chips from the felt upwards. With mixed, the chips of a stack differ.
func (s *Still) Stacks(zone string, n, high int, mixed bool) ([][]string, error) {
	standing, err := s.Standing(zone, n, high, mixed)
	stacks := make([][]string, len(standing))
	for i := range standing {
		stacks[i] = standing[i].Chips
	}
	return stacks, err
}

// Stack is one that stands on the felt.
type Stack struct {
	Chips      []string   // from the felt upwards
	Foot, Face [2]float64 // where it was laid, and the middle of its upper face: millimetres
}

// Standing is Stacks that also says where each stack stands.
func (s *Still) Standing(zone string, n, high int, mixed bool) ([]Stack, error) {
	var out []Stack
	for k := range n {
		at, err := s.stage.chipsAt(zone, k)
		if err != nil {
			return nil, err
		}
		at[0], at[1] = at[0]+2*s.rng.Float64()-1, at[1]+8*s.rng.Float64()-4
		kind := s.kind(false)
		var ids []string
		for range 1 + s.rng.IntN(high) {
			if mixed && s.rng.IntN(3) == 0 {
				kind = s.kind(false)
			}
			ids = append(ids, kind)
		}
		sprite, err := s.scene.Stack(ids, at[0], at[1])
		if err != nil {
			return nil, err
		}
		s.lay(sprite, at)
		out = append(out, Stack{Chips: ids, Foot: at, Face: sprite.Face})
	}
	return out, nil
}

// Printed lays the picture of a plaque's face flat about the middle of a zone, turned
// anyhow.
func (s *Still) Printed(zone string) error {
	at, err := s.about(zone)
	if err != nil {
		return err
	}
	sp, err := s.scene.Printed(s.kind(true), at[0], at[1], s.rng.Float64()*math.Pi)
	if err != nil {
		return err
	}
	s.laid = append(s.laid, s.scene.Lay(sp, false, at))
	return nil
}

// about is a place about the middle of a zone.
func (s *Still) about(zone string) (at [2]float64, err error) {
	z := s.stage.zone(zone)
	if z == nil {
		return at, fmt.Errorf("simulated table %s: no zone %q on the layout", s.stage.game, zone)
	}
	x0, y0, x1, y1 := box(z.Polygon)
	return [2]float64{x0 + (x1-x0)*(0.25+0.5*s.rng.Float64()), (y0+y1)/2 + 8*s.rng.Float64() - 4}, nil
}

// kind is a kind of chip, or of plaque, of the table's set.
func (s *Still) kind(plaque bool) string {
	kinds := slices.DeleteFunc(
		slices.Clone(s.stage.palette),
		func(c calibration.Chip) bool { return c.Plaque() != plaque },
	)
	return kinds[s.rng.IntN(len(kinds))].ID
}

// Plaques lays a pile of n plaques about the middle of a zone, turned anyhow, with some
// chips of one kind on it, and gives what lies there from the felt upwards. With mixed,
// the plaques differ.
func (s *Still) Plaques(zone string, n, chips int, mixed bool) ([]string, error) {
	at, err := s.about(zone)
	if err != nil {
		return nil, err
	}
	kind := s.kind(true)
	var ids []string
	for range n {
		if mixed {
			kind = s.kind(true)
		}
		ids = append(ids, kind)
	}
	ids = append(ids, script.Alike(s.kind(false), chips)...)
	sprite, err := s.scene.Pile(ids, at[0], at[1], s.rng.Float64()*math.Pi)
	if err != nil {
		return nil, err
	}
	s.lay(sprite, at)
	return ids, nil
}

func (s *Still) lay(sp *scene.Sprite, at [2]float64) {
	s.laid = append(s.laid, s.scene.Lay(sp, true, at))
}
