package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/lab/measure"
	"vision/recognize/stack"
)

// The calibration of a scene's camera shows places where the tracer does.
func TestViewIsTheTracers(t *testing.T) {
	for n := range uint64(5) {
		s := newScene(newDice(9_000_007, n), 20, 2, 8, false)
		view, err := s.view(-30, 12, 400, 300)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []vec{{}, {40, -25, 0}, {-60, 33, 0}, {10, 10, 66}} {
			x, y := s.project(p)
			got := view.ToImageAt(at(p[0], p[1]), p[2])
			if math.Hypot(got[0]-(x+30), got[1]-(y-12)) > 0.05 {
				t.Errorf("scene %d: %v is at %v, traced at %.2f, %.2f", n, p, got, x+30, y-12)
			}
		}
	}
}

// The side under the true face shows the stack down to its foot, and something else below it.
func TestSidesShowTheirStacks(t *testing.T) {
	right, total := 0, 0
	for n := range uint64(12) {
		s := newScene(newDice(9_000_008, n), 20, 3, 8, false)
		s.piles = s.piles[:1]
		p := &s.piles[0]
		left, top, w, h := s.frame(20)
		view, err := s.view(left, top, w, h)
		if err != nil {
			t.Fatal(err)
		}
		pic := stack.Picture{Pix: make([]byte, 3*w*h), W: w, H: h}
		for i := range w * h { // white where a ray meets the stack's side
			d := s.ahead.plus(s.right.times(float64(left+i%w) / s.focal)).plus(s.down.times(float64(top+i/w) / s.focal)).unit()
			if h := s.primary(d); h.pile == 0 && h.side {
				pic.Pix[3*i], pic.Pix[3*i+1], pic.Pix[3*i+2] = 255, 255, 255
			}
		}
		side := make([]byte, pixels)
		pic.Unroll(
			view,
			stack.Face{
				Px:       view.ToImageAt(at(p.face[0], p.face[1]), p.tall),
				Count:    float64(len(p.chips)),
				Diameter: s.diameter,
				Thick:    s.thick * 1.004,
			},
			nil,
			side,
		)
		for _, row := range []struct {
			y    int
			side bool
		}{
			{stack.Rows*stack.Above + 4, true},
			{stack.Rows*(stack.Above+len(p.chips)) - 5, true},
			{stack.Rows*(stack.Above+len(p.chips)) + 6, false},
		} {
			lit := 0
			for _, v := range side[row.y*stack.Wide+8 : row.y*stack.Wide+24] {
				lit += int(v) / 128
			}
			if total++; lit > 8 == row.side {
				right++
			}
		}
	}
	if right < total*9/10 {
		t.Errorf("%d of %d rows show what they should", right, total)
	}
}

// A stack casts a shadow, and light comes off it.
func TestLight(t *testing.T) {
	s := newScene(newDice(9_000_009, 1), 20, 3, 8, false)
	s.prints, s.grain, s.room = nil, 0, vec{}
	s.lamps = []lamp{
		{
			at:    vec{1500, 0, 1500},
			u:     vec{0, 5, 0},
			v:     vec{5, 0, 0},
			n:     vec{-1, 0, -1}.unit(),
			power: vec{1, 1, 1}.times(1e7),
		},
	}
	s.piles = s.piles[:1]
	p := &s.piles[0]
	mean := func(x float64) (sum float64) {
		for i := range 64 {
			h := hit{at: vec{p.mx + x, p.my, 0}, n: vec{0, 0, 1}, pile: -1}
			e, _ := s.lit(&h, vec{0, 0, 1}, 0.9, i%4, 4, 1)
			sum += e[0] / 64
		}
		return sum
	}
	before, behind := mean(s.diameter/2+4), mean(-s.diameter/2-min(1, p.tall/2))
	if before <= 0 || behind > 0.05*before {
		t.Errorf("light before the stack %.3f, in its shadow %.3f", before, behind)
	}
}

// Shards hold what they say, in numpy's format.
func TestWritten(t *testing.T) {
	dir := t.TempDir()
	for name, m := range map[string]maker{"sides": new(shard), "scenes": new(scenes)} {
		for i := int32(0); m.sides() < 4; i++ {
			if err := m.add(newScene(newDice(9_000_010, uint64(i)), 20, 1.8, 2.5, false), i); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, name+".npz")
		if err := write(path, m.arrays()); err != nil {
			t.Fatal(err)
		}
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for i, a := range m.arrays() {
			f, err := z.File[i].Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(f)
			if err != nil {
				t.Fatal(err)
			}
			size := map[byte]int{'1': 1, '4': 4}[a.kind[2]]
			for _, n := range a.shape {
				size *= n
			}
			head := 10 + int(data[8]) + int(data[9])<<8
			if head%64 != 0 || len(data)-head != size || !strings.Contains(string(data[:head]), a.kind) {
				t.Errorf("%s, %s: head of %d bytes and %d of %d", name, a.name, head, len(data)-head, size)
			}
		}
	}
}

// Stills are a set that the evaluation takes. A camera's pictures are the same whichever others are there and whatever
// the main one's size; each shows the zone where its calibration has it; and what lies there stays.
func TestStills(t *testing.T) {
	shot := func(dir string, cameras int, size float64) eval.Still {
		t.Helper()
		how := shoot{seed: 9_000_011, low: 1.8, high: 2.5, size: size, cameras: cameras}
		if err := stills(dir, how, 1); err != nil {
			t.Fatal(err)
		}
		set, err := eval.LoadSet(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(set.Stills) != 1 || !slices.Equal(set.Stills[0].Complete, []eval.Kind{eval.Chips}) ||
			len(set.Stills[0].Zones) != 1 || len(set.Stills[0].Sights()) != cameras {
			t.Fatalf("%+v", set.Stills)
		}
		return set.Stills[0]
	}
	file := func(dir, name string) []byte {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	alone, all, large := t.TempDir(), t.TempDir(), t.TempDir()
	still := shot(all, 3, 1)
	shot(alone, 1, 1)
	if name := still.Image; !bytes.Equal(file(alone, name), file(all, name)) {
		t.Errorf("%s is another picture beside other cameras", name)
	}
	shot(large, 2, 2)
	if name := still.Views[0].Image; !bytes.Equal(file(large, name), file(all, name)) {
		t.Errorf("%s is another picture beside a larger one", name)
	}
	var eyes []vec
	var pixels []float64
	enlarged := eval.Sight{Calibration: filepath.Join("..", filepath.Base(large), still.Calibration)}
	for _, c := range append(still.Sights(), enlarged) {
		cal, err := calibration.Load(filepath.Join(all, c.Calibration))
		if err != nil {
			t.Fatal(err)
		}
		view, err := cal.View()
		if err != nil {
			t.Fatal(err)
		}
		a, b := view.ToImage(cal.Zones[0].Centre()), view.ToImageAt(cal.Zones[0].Centre(), 3)
		if a[0] < 0 || a[1] < 0 || a[0] > float64(cal.Size[0]) || a[1] > float64(cal.Size[1]) {
			t.Errorf("%s: the zone's middle is at %v of %v", c.Calibration, a, cal.Size)
		}
		eyes, pixels = append(eyes, vec(view.Eye())), append(pixels, math.Hypot(a[0]-b[0], a[1]-b[1]))
	}
	turn := func(i int) float64 { // about the zone from the main camera, to the right
		return math.Remainder(math.Atan2(eyes[i][1], eyes[i][0])-math.Atan2(eyes[0][1], eyes[0][0]), 2*math.Pi)
	}
	if math.Abs(turn(1)) < 0.4 || math.Abs(turn(2)) < 0.4 || turn(1)*turn(2) > 0 {
		t.Errorf("the cameras at the sides stand %.1f and %.1f rad about the zone from the main one", turn(1), turn(2))
	}
	if r := pixels[3] / pixels[0]; math.Abs(r-2) > 0.01 {
		t.Errorf("twice the size has %.3f times the pixels", r)
	}
	again := filepath.Join(all, still.Image)
	if err := os.WriteFile(again, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if shot(all, 3, 1); len(file(all, still.Image)) > 0 {
		t.Error("a picture that lay there is rendered anew")
	}
	if shot(all, 3, 2); len(file(all, still.Image)) == 0 {
		t.Error("a picture of another size was taken for this one")
	}
}

// A rack's calibration has its rows where they are traced: chips up to their number, the bare tube from there on.
func TestRacksStandWhereTheyAreSaidTo(t *testing.T) {
	b := newBank(newDice(9_000_012, 3), 1.3)
	b.set()
	cal, err := b.calibration(b.lens())
	if err != nil {
		t.Fatal(err)
	}
	view, err := cal.View()
	if err != nil {
		t.Fatal(err)
	}
	left, top, _, _ := b.picture()
	for i := range b.tubes {
		u := &cal.Rack.Tubes[i]
		long := float64(len(b.tubes[i].chips)) * b.thick
		for _, along := range []float64{0.5 * long, long - 2, long + 6} {
			mm, height := cal.Rack.On(u, along, b.diameter/2, 0)
			px := view.ToImageAt(mm, height)
			x, y := px[0]+float64(left), px[1]+float64(top)
			h := b.primary(b.ahead.plus(b.right.times(x / b.focal)).plus(b.down.times(y / b.focal)).unit())
			if chip := h.pile >= 0 && h.side; chip != (along < long) {
				t.Errorf("tube %d, %.0f of %.0f mm along: a chip's edge %v", i, along, long, chip)
			}
		}
	}
	dir := t.TempDir()
	line, err := newBank(newDice(9_000_012, 1), 0.8).series(dir, 0, "", 2)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	set, err := eval.ParseSet(doc)
	if err != nil || len(set.Racks) != 1 {
		t.Fatalf("%+v, %v", set, err)
	}
	if r, err := measure.Racks(dir, set.Racks, func() {}); err != nil || len(r.Failed) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Of a drawn table the upper face is where it is said to be: what is seen there has the colours of its kind.
func TestDrawnStacksHaveTheirFaces(t *testing.T) {
	right, total, shard := 0, 0, &shard{}
	for n := range uint64(3) {
		err := drawn(newDice(9_000_009, n), func(tb *table) {
			for i := range tb.stacks {
				s := &tb.stacks[i]
				if tb.shows(i) < 0.9 {
					continue
				}
				var mean vec
				for k := range 32 {
					sin, cos := math.Sincos(float64(k) * math.Pi / 16)
					at := fact.Point{s.face[0] + 0.42*tb.diameter*cos, s.face[1] + 0.42*tb.diameter*sin}
					px := tb.view.ToImageAt(at, s.tall)
					at3 := tb.pic.Pix[3*(int(px[1]+0.5)*tb.pic.W+int(px[0]+0.5)):]
					mean = mean.plus(vec{float64(at3[2]), float64(at3[1]), float64(at3[0])}.times(1.0 / 255 / 32))
				}
				far := func(kind int) float64 {
					face, edge := tb.shown(kind, 1)
					d := mean.minus(face.plus(edge).times(0.5))
					return d.dot(d)
				}
				best := 0
				for k := range tb.known {
					if far(k) < far(best) {
						best = k
					}
				}
				total++
				if best == s.kinds[0] {
					right++
				}
			}
			shard.tell(tb, 0)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total < 40 || float64(right) < 0.7*float64(total) {
		t.Errorf("%d of %d faces have their kind's colours", right, total)
	}
	if n := shard.sides(); n < 2*total || len(shard.side) != n*pixels || len(shard.palette) != n*kindsKnown*6 {
		t.Errorf("%d sides of %d stacks", n, total)
	}
}
