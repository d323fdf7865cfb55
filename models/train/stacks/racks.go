package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/eval"
)

// rackScales are the pixels of a millimetre along the tubes, of one series each in turn: half of them as the aim is.
var rackScales = []float64{1.3, 0.8, 1.3, 2, 1.3, 4}

const restsTold = 15 // of a series

// bank is a rack while it is played with.
type bank struct {
	*scene
	dice  // of the play and the camera; the scene's are those of light
	kinds []int
	tubes []row
	rooms int // chips of a tube
	amiss map[int]string
	laid  []pile // over the rack
	skin  int    // of the palette: what hands and lids are made of, and spacers
	wood  int
	lamm  int
}

// row is what stands in a tube, from its closed end.
type row struct {
	kind   int // -1: several
	chips  []disc
	strays int     // how many at the open end are not of its kind, or no chips
	off    float64 // millimetres between the closed end and the first
	gap    int     // before so many of the last chips is a gap; 0: none
	wide   float64 // of the gap
	lean   float64 // of the last chip, radians; positive: its top towards the open end
}

// newBank fills a rack by chance, under a camera that sees so many pixels of a millimetre along its tubes.
func newBank(d dice, scale float64) *bank {
	s := newScene(d, 1, 2, 3, false)
	b := &bank{scene: s, dice: d, amiss: map[int]string{}, rooms: 30 + d.IntN(21)}
	s.again = rand.NewPCG(0, 0)
	s.d = dice{rand.New(s.again)}
	r := s.diameter / 2
	s.tray = &tray{tubes: 5 + d.IntN(4), pitch: s.diameter + d.u(5, 9), radius: r + d.u(0.4, 2), deep: d.u(3, 11),
		half:  (float64(b.rooms)+d.u(0.8, 4))*s.thick/2 + 1,
		paint: d.varied(pick(d, vec{52, 50, 54}, vec{96, 62, 38}, vec{150, 150, 150}, vec{30, 30, 30}), 0.3).linear()}
	v := d.fixed()
	v.tilt, v.far, v.turn, v.aim = d.u(35, 80)*math.Pi/180, d.u(900, 2600), d.u(-0.4, 0.4), 0.1
	s.camera(v, 1, 1)
	reach := math.Sqrt(s.eye.dot(s.eye))
	s.scale = scale * reach / s.eye[2]
	s.focal = s.scale * reach
	for i := range s.palette {
		b.kinds = append(b.kinds, i)
	}
	thing := func(c vec) int {
		p := d.varied(c, 0.2).linear()
		s.palette = append(s.palette, kind{body: p, spot: p, paper: p, ink: p, plain: true, spots: 4, rough: 0.8, shine: 0.02,
			tint: vec{1, 1, 1}})
		return len(s.palette) - 1
	}
	b.skin = thing(pick(d, vec{200, 150, 125}, vec{110, 75, 60}, vec{25, 25, 30}, vec{235, 235, 235}))
	b.wood = thing(vec{70, 60, 60})
	b.lamm = thing(pick(d, vec{240, 240, 240}, vec{200, 30, 30}, vec{230, 200, 40}))
	for range s.tray.tubes {
		u := row{kind: pick(d, b.kinds...)}
		if d.is(0.15) {
			u.kind = -1
		}
		u.add(b, 4+d.IntN(b.rooms-12))
		if d.is(0.1) { // a spacer for good
			u.chips[d.IntN(len(u.chips))].kind = b.lamm
		}
		b.tubes = append(b.tubes, u)
	}
	return b
}

func (b *bank) chip(kind int) disc {
	c := disc{t: b.thick * b.u(1, 1.008), kind: kind, seed: float64(b.IntN(500))}
	if kind < 0 {
		c.kind = pick(b.dice, b.kinds...)
	}
	b.turn(&c)
	return c
}

// turn has a chip stand as chance has it.
func (b *bank) turn(c *disc) {
	play := b.tray.radius - b.diameter/2
	c.turn, c.x, c.y = b.Float64(), b.u(-0.3, 0.3)*play, -play+b.u(0, 0.3)*play
}

func (u *row) add(b *bank, n int) {
	for range n {
		u.chips = append(u.chips, b.chip(u.kind))
	}
}

// play is what happens between two rests: chips come and go, and sometimes something is left amiss.
func (b *bank) play() {
	clear(b.amiss)
	b.laid = nil
	for i := range b.tubes {
		u := &b.tubes[i]
		u.chips = u.chips[:len(u.chips)-u.strays]
		u.strays, u.off, u.gap, u.lean = 0, 0, 0, 0
		if !b.is(0.35) {
			continue
		}
		n := pick(b.dice, 1, 1, 2, 3, 4, 6, 12)
		if b.is(0.5) {
			n = -min(n, len(u.chips)-1)
		}
		if n > 0 {
			u.add(b, min(n, b.rooms-1-len(u.chips)))
		} else {
			u.chips = u.chips[:len(u.chips)+n]
		}
		for k := max(0, len(u.chips)-b.IntN(3)); k < len(u.chips); k++ { // that were touched
			b.turn(&u.chips[k])
		}
	}
	if b.is(0.5) {
		b.err()
	}
}

// err leaves something amiss.
func (b *bank) err() {
	i := b.IntN(len(b.tubes))
	u, n := &b.tubes[i], len(b.tubes[i].chips)
	what := pick(b.dice, "leaning", "foreign", "spacer", "gap", "pushed", "on_rim", "across", "hand", "lid")
	room := 2*b.tray.half - float64(n+3)*b.thick*1.01
	x := b.tray.axis(i)
	switch what {
	case "leaning":
		if n < 2 {
			return
		}
		u.lean = b.u(0.15, 0.5) * pick(b.dice, -1.0, 1)
	case "foreign", "spacer":
		c := b.chip(b.lamm)
		if what == "foreign" {
			c = b.chip(pick(b.dice, b.kinds...))
		}
		if u.kind < 0 && what == "foreign" || c.kind == u.kind || n+1 >= b.rooms {
			return
		}
		u.chips, u.strays = append(u.chips, c), 1
	case "gap":
		if n < 4 || room < 3 {
			return
		}
		u.gap, u.wide = 1+b.IntN(n/2), b.u(3, min(room, 20))
	case "pushed":
		if room < 3 {
			return
		}
		u.off = b.u(2, min(room, 20))
	case "on_rim", "across":
		at := vec{x + b.tray.pitch/2, b.u(-0.8, 0.8) * b.tray.half, 0.1}
		if what == "across" {
			at[0] = x
		}
		top := b.diameter/2 - b.tray.deep // of the chips in the tubes
		b.over(at, b.diameter/2, max(0.2, top), b.thick, pick(b.dice, b.kinds...))
	case "hand": // the fingers, and behind them the arm
		from := b.u(-0.9, 0.9) * b.tray.half
		p := pile{radius: b.u(20, 45), chips: []disc{{t: 400, kind: b.skin}}}
		up := p.radius + b.diameter/2 - b.tray.deep + b.u(1, 25)
		p.lies = &frame{at: vec{x + b.n(25), from, up}, axes: [3]vec{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}
		p.measured(b.palette)
		b.laid = append(b.laid, p)
	case "lid":
		b.over(vec{x, b.u(-0.5, 0.5) * b.tray.half, 0}, b.u(40, 130), b.diameter/2-b.tray.deep+0.5, 3, b.wood)
	}
	if len(b.laid) == 0 {
		b.amiss[i] = what
		return
	}
	for k := range b.tubes { // whatever it lies over, or shades
		if p := &b.laid[0]; what != "on_rim" && what != "across" || math.Abs(b.tray.axis(k)-x) < 1.1*b.tray.pitch {
			near := math.Abs(b.tray.axis(k)-x) - p.radius
			if near < b.diameter {
				b.amiss[k] = what
			}
		}
	}
}

// over lays something flat and round over the rack.
func (b *bank) over(at vec, radius, high, thick float64, kind int) {
	p := pile{radius: radius, chips: []disc{{x: at[0], y: at[1], z: high, t: thick, turn: b.Float64(), kind: kind}}}
	p.measured(b.palette)
	b.laid = append(b.laid, p)
}

// set puts what stands in the tubes into the scene. A pile's foot is at the row's open end, since the
// closed one is nearer to the camera.
func (b *bank) set() {
	b.piles = slices.Clone(b.laid)
	for i := range b.tubes {
		u := &b.tubes[i]
		at := vec{b.tray.axis(i), -b.tray.half + 0.5 + u.off, -b.tray.deep}
		stand := func(chips []disc, lean float64) {
			if len(chips) == 0 {
				return
			}
			p := pile{radius: b.diameter / 2, chips: slices.Clone(chips)}
			slices.Reverse(p.chips)
			z := 0.0
			for k := range p.chips {
				p.chips[k].z = z
				z += p.chips[k].t
			}
			sin, cos := math.Sincos(lean)
			at[1] += z
			foot := at
			if lean != 0 { // it rests on the others with its top, or its foot
				foot = at.plus(vec{0, p.radius * math.Abs(sin), p.radius * (cos - 1)})
			}
			p.lies = &frame{at: foot, axes: [3]vec{{1, 0, 0}, {0, sin, cos}, {0, -cos, sin}}}
			p.measured(b.palette)
			b.piles = append(b.piles, p)
		}
		n := len(u.chips)
		switch {
		case u.lean != 0:
			stand(u.chips[:n-1], 0)
			stand(u.chips[n-1:], u.lean)
		case u.gap > 0:
			stand(u.chips[:n-u.gap], 0)
			at[1] += u.wide
			stand(u.chips[n-u.gap:], 0)
		default:
			stand(u.chips, 0)
		}
	}
}

// picture is the part of the camera's that shows the rack.
func (b *bank) picture() (left, top, w, h int) {
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	x, y := b.tray.pitch*float64(b.tray.tubes)/2+2*rim, b.tray.half+2*rim
	for i := range 8 {
		px, py := b.project(vec{x * float64(i&1*2-1), y * float64(i>>1&1*2-1), 15 * float64(i>>2)})
		x0, y0, x1, y1 = min(x0, px), min(y0, py), max(x1, px), max(y1, py)
	}
	return int(math.Floor(x0)), int(math.Floor(y0)), int(x1-x0) + 2, int(y1-y0) + 2
}

// calibration is that of the picture.
func (b *bank) calibration(l lens) (*calibration.Table, error) {
	cal, err := b.calibrated(b.picture())
	if err != nil {
		return nil, err
	}
	cal.Schema, cal.Table, cal.Camera, cal.Card = "calibration/1", "traced", "traced", [2]float64{63, 88}
	cal.Palette = b.shownPalette(l, len(b.kinds))
	cal.Rack = &calibration.Rack{Depth: b.tray.deep}
	for i := range b.tubes {
		u := calibration.Tube{Chip: calibration.AnyChip, Capacity: b.rooms}
		if k := b.tubes[i].kind; k >= 0 {
			u.Chip = cal.Palette[k].ID
		}
		x := b.tray.axis(i)
		u.Axis = [2]fact.Point{at(x, -b.tray.half+0.5), at(x, b.tray.half)}
		cal.Rack.Tubes = append(cal.Rack.Tubes, u)
	}
	err = cal.Check()
	return cal, err
}

// series writes the pictures of so many rests of a rack and gives their truth.
func (b *bank) series(dir string, number int, tag string, rests int) (line eval.Rack, err error) {
	l := b.lens()
	cal, err := b.calibration(l)
	if err != nil {
		return line, err
	}
	line = eval.Rack{Calibration: fmt.Sprintf("%03d.yaml", number), Tags: []string{tag}}
	doc, err := yaml.Marshal(cal)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, line.Calibration), doc, 0o644)
	}
	left, top, w, h := b.picture()
	for n := 0; n < rests && err == nil; n++ {
		if n > 2 {
			b.play()
		}
		b.set()
		r := eval.RackRest{Image: fmt.Sprintf("%03d-%02d.jpg", number, n), Amiss: map[int]string{}}
		for i := range b.tubes {
			u := &b.tubes[i]
			chips := 0
			for _, c := range u.chips[:len(u.chips)-u.strays] {
				if c.kind != b.lamm {
					chips++
				}
			}
			r.Tubes = append(r.Tubes, chips)
		}
		for i, what := range b.amiss {
			r.Amiss[i] = what
		}
		line.Rests = append(line.Rests, r)
		gain := b.gain * (1 + b.n(0.015)) // exposure adapts
		err = picture(filepath.Join(dir, r.Image), l.developed(b.dice, b.rendered(left, top, w, h), w, h, gain), w, h)
	}
	return line, err
}

// racks writes so many series of a seed, of each scale in turn.
func racks(dir string, seed uint64, n int) error {
	f, err := os.Create(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	for i := range n {
		scale := rackScales[i%len(rackScales)]
		line, err := newBank(newDice(seed, uint64(i)), scale).series(dir, i, fmt.Sprintf("%g px/mm", scale), restsTold)
		if err == nil {
			err = json.NewEncoder(f).Encode(line)
		}
		if err != nil {
			return err
		}
	}
	return f.Close()
}
