// Command stacks path-traces stacks of chips and unrolls their sides as the reader of stacks does, to learn from.
//
//	go run ./models/train/stacks [-seed 1] [-minutes 20] [-low 1.8] [-high 14] OUT
//	go run ./models/train/stacks -drawn OUT
//	go run ./models/train/stacks [-drawn | -held] -pictures OUT
//	go run ./models/train/stacks -photographs OUT ../shared/data/SET...
//	go run ./models/train/stacks -stills 24 -seed 9000001 [-cameras 2] [-size 2] OUT
//	go run ./models/train/stacks -racks 24 -seed 9000001 OUT
//
// With -stills it writes calibrated stills to measure readers on (internal/lab/MEASURING.md), with -cameras as so many
// cameras of the table see them at once and with -size with so many times the pixels of the main one; what lies in OUT
// stays. With -racks it writes series of pictures of a bank's rack. Else
// it writes OUT/SEED-N.npz until the time is up or OUT/stop exists, and goes on after the last one when it is
// started again. A shard holds, of n sides: `side` (n × 4 × 232 × 32 bytes: red, green, blue, hidden), `seen` (n ×
// 2: logarithm of the pixels per chip, elevation), `count` (0: no stack is there), `offset` (n × 2 mm, to the
// right and towards the camera, to where the face is), `kinds` (n × 24 from the upper one down, −1: none),
// `palette` (n × 8 × 6: face and edge of each kind as a camera shows them, 0 to 255) with `known` kinds, `shown`
// (shares of the side and of its foot that are not hidden) and `scene`. With -pictures shards hold whole scenes:
// `picture` (RGB, one after the other) with `size` (n × 2: height, width) and `stacks` (n × 6 × 10, window.go).
// With -drawn the stacks are those of the simulator's tables, with -held those of photographs. With
// -photographs sides are those under what the reader takes for faces in the photographs of sets: of count 0 where there
// is no stack, −1 where one of an unknown number is. Seeds from 9,000,000 measure only.
package main

import (
	"archive/zip"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/durable"
	"vision/internal/fact"
	"vision/recognize/stack"
)

const (
	tallest    = 24
	kindsKnown = 8
	pixels     = stack.Planes * stack.High * stack.Wide
)

// shard is what a file holds.
type shard struct {
	side                         []byte
	seen, offset, palette, shown []float32
	proposed                     []float32 // of photographs
	count, scene, known          []int32
	kinds                        []int8
}

// array is one of a file, as numpy has it.
type array struct {
	name, kind string
	shape      []int
	data       any
}

// maker adds scenes, or drawn tables, to a shard.
type maker interface {
	add(s *scene, number int32) error
	tell(t *table, number int32)
	sides() int
	arrays() []array
}

func (s *shard) sides() int { return len(s.count) }

func main() {
	seed := flag.Uint64("seed", 1, "of the scenes")
	minutes := flag.Float64("minutes", 20, "how long")
	low, high := flag.Float64("low", 1.8, "least pixels per chip"), flag.Float64("high", 14, "most pixels per chip")
	each := flag.Int("sides", 512, "of a shard")
	shards := flag.Int("shards", 1<<30, "at most")
	simulated := flag.Bool("drawn", false, "of the simulator's tables")
	held := flag.Bool("held", false, "as cameras in hands see them, on any ground")
	pictures := flag.Bool("pictures", false, "whole scenes, to learn to propose faces from")
	photographs := flag.Bool("photographs", false, "sides of photographs instead")
	whole := flag.Int("stills", 0, "so many calibrated stills instead")
	cameras := flag.Int("cameras", 1, "that take each still: the table's main one and up to two low ones at its sides")
	size := flag.Float64("size", 1, "of the main camera's stills, in those that it has else")
	trays := flag.Int("racks", 0, "so many series of a bank's rack instead")
	flag.Parse()
	if flag.NArg() == 0 || flag.NArg() > 1 != *photographs {
		log.Fatal("usage: stacks [options] OUT, or stacks -photographs OUT SET...")
	}
	out := flag.Arg(0)
	if err := os.MkdirAll(out, 0o755); err != nil {
		log.Fatal(err)
	}
	if *photographs {
		if err := harvest(out, flag.Args()[1:]); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *cameras < 1 || *cameras > stillCameras || *size <= 0 {
		log.Fatalf("-cameras %d -size %g: want 1 to %d cameras and a size above 0", *cameras, *size, stillCameras)
	}
	if *whole > 0 {
		how := shoot{seed: *seed, low: *low, high: *high, size: *size, cameras: *cameras}
		if err := stills(out, how, *whole); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *trays > 0 {
		if err := racks(out, *seed, *trays); err != nil {
			log.Fatal(err)
		}
		return
	}
	end := time.Now().Add(time.Duration(*minutes * float64(time.Minute)))
	for n := 0; n < *shards && time.Now().Before(end); n++ {
		if _, err := os.Stat(filepath.Join(out, "stop")); err == nil {
			return
		}
		path := filepath.Join(out, fmt.Sprintf("%d-%d.npz", *seed, n))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		var s maker = new(shard)
		if *pictures {
			s = new(scenes)
		}
		d := newDice(*seed, uint64(n))
		for i := int32(0); s.sides() < *each; i++ {
			var err error
			if *simulated {
				err = drawn(d, func(t *table) { s.tell(t, i) })
			} else {
				err = s.add(newScene(d, tallest, *low, *high, *held), i)
			}
			if err != nil {
				log.Fatal(err)
			}
		}
		if err := write(path, s.arrays()); err != nil {
			log.Fatal(err)
		}
	}
}

// calibrated is the calibration of a scene's camera whose picture begins at left, top.
func (s *scene) calibrated(left, top, w, h int) (*calibration.Table, error) {
	rot := [3]vec{s.right, s.down, s.ahead}
	// a table's third axis points into the felt, so its y is turned
	var r [3][3]float64
	var t vec
	for i, a := range rot {
		r[i] = [3]float64{a[0], -a[1], -a[2]}
		t[i] = -a.dot(s.eye)
	}
	cx, cy := -float64(left), -float64(top)
	k := [3][3]float64{{s.focal, 0, cx}, {0, s.focal, cy}, {0, 0, 1}}
	m := [3][3]float64{}
	for i := range 3 {
		for j, col := range [3]vec{{r[0][0], r[1][0], r[2][0]}, {r[0][1], r[1][1], r[2][1]}, t} {
			m[i][j] = k[i][0]*col[0] + k[i][1]*col[1] + k[i][2]*col[2]
		}
	}
	plane, err := calibration.Homography(slices.Concat(m[0][:], m[1][:], m[2][:])).Inverse()
	if err != nil {
		return nil, err
	}
	return &calibration.Table{
		Size:  [2]int{w, h},
		Lens:  calibration.Lens{Fx: s.focal, Fy: s.focal, Cx: cx, Cy: cy},
		Plane: plane,
		Pose:  calibration.Pose{R: rodrigues(r), T: t},
	}, nil
}

// view is that camera to compute with.
func (s *scene) view(left, top, w, h int) (*calibration.View, error) {
	cal, err := s.calibrated(left, top, w, h)
	if err != nil {
		return nil, err
	}
	v, err := cal.View()
	if err == nil && !v.Raised() {
		err = fmt.Errorf("no pose")
	}
	return v, err
}

// rodrigues is a rotation as axis times angle.
func rodrigues(m [3][3]float64) [3]float64 {
	angle := math.Acos(max(-1, min(1, (m[0][0]+m[1][1]+m[2][2]-1)/2)))
	axis := vec{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}
	return axis.unit().times(angle)
}

// at is a place of the scene on its table, whose y points the other way.
func at(x, y float64) fact.Point { return fact.Point{x, -y} }

// frame is the part of the picture that unrolled sides of the first stack may show, and some beyond.
func (s *scene) frame(more float64) (left, top, w, h int) {
	p := &s.piles[0]
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	r := s.diameter/2 + 3 + more
	below := float64(stack.Most + stack.Below)
	if s.d.is(0.6) { // not all of the felt before it, where the grid goes on: most of the work for nothing to see
		below = min(below, float64(len(p.chips))+s.d.u(2, 10))
	}
	for _, z := range []float64{p.tall - below*s.thick - more/2, p.tall + (stack.Above+0.3)*s.thick + more/2} {
		for _, dx := range []float64{-r, r} {
			for _, dy := range []float64{-r, r} {
				x, y := s.project(vec{p.face[0] + dx, p.face[1] + dy, z})
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			}
		}
	}
	left, top = int(math.Floor(x0))-s.d.IntN(8), int(math.Floor(y0))-s.d.IntN(8)
	return left, top, int(x1) - left + 8, int(y1) - top + 8
}

// add renders a scene and adds sides of its first stack, and of places that are none.
func (s *shard) add(sc *scene, number int32) error {
	d, more := sc.d, 0.0
	if d.is(0.3) {
		more = sc.diameter * 0.6
	}
	left, top, w, h := sc.frame(more)
	if w*h > 60000 {
		return nil
	}
	view, err := sc.view(left, top, w, h)
	if err != nil {
		return err
	}
	l := d.lens()
	t := sc.table(view, l)
	if t.shows(0) < 0.3 {
		return nil
	}
	t.pic = stack.Picture{Pix: l.developed(d, sc.rendered(left, top, w, h), w, h, sc.gain), W: w, H: h}
	for range 2 {
		s.look(t, 0, number, true)
	}
	if more > 0 {
		for range 2 {
			s.look(t, 0, number, false)
		}
	}
	return nil
}

// tell adds sides of every stack of a table that shows enough of its face, and of places that are none.
func (s *shard) tell(t *table, number int32) {
	for i := range t.stacks {
		if t.shows(i) < 0.3 {
			continue
		}
		s.look(t, i, number, true)
		s.look(t, i, number, true)
		s.look(t, i, number, false)
	}
}

// table is the scene as sides are unrolled from it.
func (s *scene) table(view *calibration.View, l lens) *table {
	t := &table{dice: s.d, view: view, diameter: s.diameter, thick: s.thick, known: len(s.palette)}
	for i := range s.piles {
		p := &s.piles[i]
		st := standing{face: at(p.face[0], p.face[1]), foot: at(p.foot[0], p.foot[1]), tall: p.tall}
		for _, c := range slices.Backward(p.chips) {
			st.kinds = append(st.kinds, c.kind)
		}
		t.stacks = append(t.stacks, st)
	}
	t.shown = func(kind int, light float64) (face, edge vec) { return s.shown(l, kind, light) }
	return t
}

// shown are the colours of a kind's face and edge as a camera takes them of a chip that lies in the open under the
// scene's lamps, as a technician clicks it, 0 to 1.
func (s *scene) shown(l lens, kind int, light float64) (face, edge vec) {
	k, e := &s.palette[kind], s.lamplight.times(0.9).plus(s.room).times(s.gain*light)
	return l.tone(k.body.by(e)), l.tone(k.edge().by(e))
}

// arrays are what the file holds.
func (s *shard) arrays() []array {
	n := len(s.count)
	all := []array{
		{"side", "|u1", []int{n, stack.Planes, stack.High, stack.Wide}, s.side},
		{"seen", "<f4", []int{n, 2}, s.seen},
		{"offset", "<f4", []int{n, 2}, s.offset},
		{"palette", "<f4", []int{n, kindsKnown, 6}, s.palette},
		{"shown", "<f4", []int{n, 2}, s.shown},
		{"count", "<i4", []int{n}, s.count},
		{"scene", "<i4", []int{n}, s.scene},
		{"known", "<i4", []int{n}, s.known},
		{"kinds", "|i1", []int{n, stack.Most}, s.kinds},
	}
	if len(s.proposed) > 0 {
		all = append(all, array{"proposed", "<f4", []int{n}, s.proposed})
	}
	return all
}

// write makes a file of arrays, whole or not at all.
func write(path string, all []array) error {
	return durable.Fill(path, 0o644, func(f *os.File) error {
		z := zip.NewWriter(f)
		z.RegisterCompressor(
			zip.Deflate,
			func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) },
		)
		for _, a := range all {
			w, err := z.Create(a.name + ".npy")
			if err != nil {
				return err
			}
			shape := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(a.shape), "[]")), ", ")
			shape = strings.TrimSuffix(shape, ",") + ","
			head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a.kind, shape)
			head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
			magic := []byte{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, byte(len(head)), byte(len(head) >> 8)}
			if _, err := w.Write(append(magic, head...)); err != nil {
				return err
			}
			if err := binary.Write(w, binary.LittleEndian, a.data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}
