package scene

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// An arm is drawn row by row only where it may lie: asking every pixel of the
// picture gives the same one.
func TestAnArmIsDrawnWhereverItLies(t *testing.T) {
	look := Look{Skin: [3]float64{200, 150, 120}, Sleeve: [3]float64{60, 80, 140}, Cuff: [3]float64{236, 236, 234}}
	rapid.Check(t, func(t *rapid.T) {
		turn := rapid.Float64Range(0, 2*math.Pi).Draw(t, "turn")
		s := strip{
			x:      rapid.Float64Range(-60, 220).Draw(t, "x"),
			y:      rapid.Float64Range(-60, 160).Draw(t, "y"),
			ux:     math.Cos(turn),
			uy:     math.Sin(turn),
			length: rapid.Float64Range(1, 200).Draw(t, "length"),
			w0:     12,
			w1:     22,
		}
		soft, cuff := rapid.Float64Range(1, 9).Draw(t, "soft"), 5.0
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "ground")))
		drawn, asked := NewPicture(160, 100), NewPicture(160, 100)
		for i := range drawn.Pix {
			drawn.Pix[i] = uint8(rng.IntN(256))
		}
		copy(asked.Pix, drawn.Pix)
		clip := image.Rect(3, 5, 150, 97)
		s.dim(drawn, clip, soft)
		s.cloth(drawn, clip, &look, cuff)
		for _, draw := range []func(image.Rectangle){
			func(r image.Rectangle) { s.dimPixel(asked, r.Min, soft) },
			func(r image.Rectangle) { s.clothPixel(asked, r.Min, look, cuff) },
		} {
			for y := clip.Min.Y; y < clip.Max.Y; y++ {
				for x := clip.Min.X; x < clip.Max.X; x++ {
					draw(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if !bytes.Equal(drawn.Pix, asked.Pix) {
			t.Fatal("the pictures differ")
		}
	})
}

// locate gives how far behind the front a pixel lies and how far from the middle.
func (s *strip) locate(p image.Point) (along, half, off float64) {
	dx, dy := float64(p.X)-s.x, float64(p.Y)-s.y
	along = -(dx*s.ux + dy*s.uy)
	return along, s.w0 + (s.w1-s.w0)*clamp(along/s.length, 0, 1), dy*s.ux - dx*s.uy
}

func (s *strip) dimPixel(dst *Picture, p image.Point, soft float64) {
	along, half, off := s.locate(p)
	if along < -2*soft || along > s.length {
		return
	}
	i := int(math.Abs(off) / half * (profileSteps / 1.5))
	k := 105 * (1 - smooth(0.9-soft/s.w1, 0.9+soft/s.w1, 1.5*float64(i)/profileSteps))
	if i >= profileSteps {
		return
	}
	if along < soft {
		k *= (along + 2*soft) / (3 * soft)
	}
	for c := range 3 {
		d := &dst.Pix[dst.at(p.X, p.Y)+c]
		*d = uint8(uint32(*d) * uint32(255-k) / 255)
	}
}

func (s *strip) clothPixel(dst *Picture, p image.Point, look Look, cuff float64) {
	along, half, off := s.locate(p)
	q := off / half
	if along < 0 || along > s.length || math.Abs(q) >= 1 {
		return
	}
	c := look.Sleeve
	if along < cuff {
		c = look.Cuff
	}
	step := 2*float64(int((q+1)*profileSteps/2))/profileSteps - 1
	fold := float64(min(int(math.Abs(along+8*q)), int(s.length)+1))
	light := (0.45 + 0.55*math.Sqrt(1-step*step)) * (1 - 0.12*step) *
		(1 + 0.07*math.Sin(fold*0.11) + 0.05*math.Sin(fold*0.043))
	a := min(1, (1-math.Abs(q))*half)
	for k := range 3 {
		d := &dst.Pix[dst.at(p.X, p.Y)+k]
		*d = uint8(min(255, float64(*d)*(1-a)+c[2-k]*light*a))
	}
}

// The parts of an arm are where it is drawn: within Reach it shows nothing beside them, and they are
// less than that.
func TestTheBandsOfAnArmHoldIt(t *testing.T) {
	look := Look{Skin: [3]float64{200, 150, 120}, Sleeve: [3]float64{60, 80, 140}, Cuff: [3]float64{236, 236, 234}}
	limb := NewLimb(look, 0.6)
	rapid.Check(t, func(t *rapid.T) {
		tip := image.Pt(rapid.IntRange(-40, 440).Draw(t, "x"), rapid.IntRange(-40, 310).Draw(t, "y"))
		from := image.Pt(
			rapid.IntRange(-200, 600).Draw(t, "from x"),
			rapid.SampledFrom([]int{-135, 405, 130}).Draw(t, "from y"),
		)
		drawn := NewPicture(400, 270)
		for i := range drawn.Pix {
			drawn.Pix[i] = 100
		}
		all := limb.Reach(tip, from, drawn.Bounds())
		limb.Draw(drawn, tip, from, all)
		parts, area := limb.parts(tip, from, drawn.Bounds()), 0
		for _, r := range parts {
			area += r.Dx() * r.Dy()
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					copy(drawn.Pix[drawn.at(x, y):][:3], []uint8{100, 100, 100})
				}
			}
		}
		if i := slices.IndexFunc(drawn.Pix, func(v uint8) bool { return v != 100 }); i >= 0 {
			t.Fatalf("an arm shows at %d, %d, beside %v", i/3%400, i/1200, parts)
		}
		if area > all.Dx()*all.Dy() {
			t.Fatalf("%d pixels of parts, %v", area, all)
		}
	})
}

// A hand takes no more memory than it shows: all directions of one take less than 12 MB
// at the demonstration's size (they took 33), and only the last few are kept.
func TestHandsAreKeptSmall(t *testing.T) {
	l := NewLimb(Look{Skin: [3]float64{200, 150, 120}}, 1.05)
	bytes := 0
	for turn := range handTurns {
		sin, cos := math.Sincos(float64(turn) * 2 * math.Pi / handTurns)
		h := l.hand(sin, -cos)
		bytes += len(h.img.Pix)
		if b := h.img.Bounds(); b.Min != (image.Point{}) || h.x < 0 || h.y < 0 || h.x > b.Dx() || h.y > b.Dy() {
			t.Fatalf("direction %d: finger tips at %d,%d of %v", turn, h.x, h.y, b)
		}
	}
	if bytes > 12<<20 {
		t.Errorf("all directions take %d bytes", bytes)
	}
	if len(l.hands) != keptHands || len(l.used) != keptHands || l.hands[handTurns-1] == nil || l.hands[0] != nil {
		t.Errorf("%d directions are kept, in the order %v", len(l.hands), l.used)
	}
}
