// Package moved detects that a camera no longer stands as it was calibrated.
//
// It compares small patches of the picture's fixed texture (print on the felt,
// rail, tray) with how they looked when the camera was last known to stand
// right: a camera that was knocked shifts them all alike, a hand hides a few.
package moved

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"vision/internal/luma"
)

// Options of a Detector; zero fields take the default.
type Options struct {
	Every  time.Duration // between looks: default 0.5 s
	Shift  float64       // pixels from which the camera counts as moved: default 3
	Agreed int           // looks in a row that must agree: default 4
}

// Verdict is what the detector thinks.
type Verdict struct {
	Away  bool
	Shift float64 // median displacement, pixels of the frame
}

// String is the verdict in words for the note of an observation.
func (v Verdict) String() string {
	if !v.Away {
		return "the camera stands as calibrated again"
	}
	if math.IsInf(v.Shift, 1) {
		return "the picture no longer resembles the calibrated one"
	}
	return fmt.Sprintf("the camera moved by about %.0f px", v.Shift)
}

// Detector watches one camera. It is owned by one goroutine.
type Detector struct {
	opts    Options
	width   int
	height  int
	step    int // frame pixels per cell
	w, h    int
	cells   []float32
	patches []patch
	next    time.Time
	away    bool
	votes   int
}

// patch is a square of the reference with enough texture in both directions.
type patch struct {
	x, y int
	ref  []float32
	miss int // looks in a row in which it was not found
}

const side = 17 // of a patch in cells, odd

// New makes a detector of luma.Planes of the given size.
func New(width, height int, opts Options) (*Detector, error) {
	if width < 64 || height < 64 {
		return nil, fmt.Errorf("camera position: %d×%d is too small a picture", width, height)
	}
	opts.Every = cmp.Or(opts.Every, optionsEvery)
	opts.Shift = cmp.Or(opts.Shift, optionsShift)
	opts.Agreed = cmp.Or(opts.Agreed, optionsAgreed)
	step := max(1, width/optionsCells)
	d := &Detector{opts: opts, width: width, height: height, step: step, w: width / step, h: height / step}
	d.cells = make([]float32, d.w*d.h)
	return d, nil
}

// Frame looks at a picture; one of another size says nothing. changed reports whether
// the verdict is another than before.
func (d *Detector) Frame(f luma.Plane, at time.Time) (v Verdict, changed bool) {
	if at.Before(d.next) && d.next.Sub(at) <= d.opts.Every || !f.Fits(d.width, d.height) {
		return Verdict{}, false
	}
	d.next = at.Add(d.opts.Every)
	if d.patches == nil {
		d.sample(f, 0, 0, d.w, d.h)
		d.patches = d.choose()
		return Verdict{}, false
	}
	shift, ok := d.measure(f)
	if !ok {
		return Verdict{}, false
	}
	if away := shift >= d.opts.Shift; away != d.away {
		d.votes++
	} else {
		d.votes = 0
	}
	if d.votes < d.opts.Agreed {
		return Verdict{}, false
	}
	d.away, d.votes = !d.away, 0
	return Verdict{Away: d.away, Shift: shift}, true
}

// sample fills the cells from x0, y0 to before x1, y1 with the luma of their pixels.
func (d *Detector) sample(f luma.Plane, x0, y0, x1, y1 int) {
	for y := y0; y < y1; y++ {
		row := d.cells[y*d.w+x0 : y*d.w+x1]
		for x := range row {
			var sum int
			for j := range d.step {
				i := (y*d.step+j)*f.Stride + (x0+x)*d.step
				for _, p := range f.Pix[i : i+d.step] {
					sum += int(p)
				}
			}
			row[x] = f.Level(sum, d.step*d.step)
		}
	}
}

// about fills the cells of a patch and those up to room cells round it.
func (d *Detector) about(f luma.Plane, p *patch, room int) {
	n := side/2 + room
	d.sample(f, p.x-n, p.y-n, p.x+n+1, p.y+n+1)
}

// choose takes the patch of most texture out of each field of a grid.
func (d *Detector) choose() []patch {
	edge := side/2 + findReach + 1
	var out []patch
	for r := range patchesRows {
		for c := range patchesColumns {
			x0, x1 := edge+c*(d.w-2*edge)/patchesColumns, edge+(c+1)*(d.w-2*edge)/patchesColumns
			y0, y1 := edge+r*(d.h-2*edge)/patchesRows, edge+(r+1)*(d.h-2*edge)/patchesRows
			bx, by, best := 0, 0, float32(0)
			for y := y0; y < y1; y += 4 {
				for x := x0; x < x1; x += 4 {
					if t := d.texture(x, y); t > best {
						bx, by, best = x, y, t
					}
				}
			}
			if best > patchesTexture {
				out = append(out, patch{x: bx, y: by, ref: d.cut(bx, by)})
			}
		}
	}
	if len(out) == 0 {
		return []patch{} // nothing to go by: never judged
	}
	return out
}

// texture is the smaller eigenvalue of a patch's structure tensor: how well its
// place can be found in both directions.
func (d *Detector) texture(cx, cy int) float32 {
	var xx, xy, yy float32
	for y := cy - side/2; y <= cy+side/2; y++ {
		for x := cx - side/2; x <= cx+side/2; x++ {
			i := y*d.w + x
			gx, gy := d.cells[i+1]-d.cells[i-1], d.cells[i+d.w]-d.cells[i-d.w]
			xx, xy, yy = xx+gx*gx, xy+gx*gy, yy+gy*gy
		}
	}
	n := float32(side * side)
	xx, xy, yy = xx/n, xy/n, yy/n
	return (xx+yy)/2 - float32(math.Sqrt(float64((xx-yy)*(xx-yy)/4+xy*xy)))
}

// cut copies a patch, mean taken out, of unit length.
func (d *Detector) cut(cx, cy int) []float32 {
	out := make([]float32, 0, side*side)
	var sum float32
	for y := cy - side/2; y <= cy+side/2; y++ {
		row := d.cells[y*d.w+cx-side/2 : y*d.w+cx+side/2+1]
		out = append(out, row...)
		for _, v := range row {
			sum += v
		}
	}
	mean := sum / float32(len(out))
	var size float32
	for i := range out {
		out[i] -= mean
		size += out[i] * out[i]
	}
	if size > 0 {
		inv := 1 / float32(math.Sqrt(float64(size)))
		for i := range out {
			out[i] *= inv
		}
	}
	return out
}

// measure is the median displacement of the patches that are found again. ok is
// false when too few can be seen to judge.
func (d *Detector) measure(f luma.Plane) (shift float64, ok bool) {
	var dx, dy []float64
	for i := range d.patches {
		p := &d.patches[i]
		x, y, found := d.find(f, p)
		if !found {
			if p.miss++; p.miss > patchesForget && !d.away && d.votes == 0 {
				p.ref, p.miss = d.cut(p.x, p.y), 0
			}
			continue
		}
		p.miss = 0
		dx, dy = append(dx, x), append(dy, y)
	}
	if len(d.patches) < findLeast {
		return 0, false
	}
	x, y, agree := together(dx, dy)
	switch {
	case findGone*agree < len(d.patches):
		// Nearly all are gone: the camera was turned far away or covered.
		return math.Inf(1), true
	case agree < findLeast:
		return 0, false
	}
	return math.Hypot(x, y) * float64(d.step), true
}

// together is the median displacement and how many share it: a camera's move
// takes all patches the same way, chance finds do not agree.
func together(dx, dy []float64) (x, y float64, agree int) {
	if len(dx) == 0 {
		return 0, 0, 0
	}
	sx, sy := slices.Clone(dx), slices.Clone(dy)
	slices.Sort(sx)
	slices.Sort(sy)
	x, y = sx[len(sx)/2], sy[len(sy)/2]
	for i := range dx {
		if math.Hypot(dx[i]-x, dy[i]-y) < findTogether {
			agree++
		}
	}
	return x, y, agree
}

// find looks for a patch near its place: first there, then around.
func (d *Detector) find(f luma.Plane, p *patch) (dx, dy float64, ok bool) {
	d.about(f, p, 0)
	if d.match(p, 0, 0) > findHere {
		return 0, 0, true
	}
	d.about(f, p, findReach)
	bx, by, best := 0, 0, float32(-1)
	for y := -findReach; y <= findReach; y++ {
		for x := -findReach; x <= findReach; x++ {
			if m := d.match(p, x, y); m > best {
				bx, by, best = x, y, m
			}
		}
	}
	return float64(bx), float64(by), best > findGood
}

// match is the correlation of a patch with the picture displaced by x, y cells.
func (d *Detector) match(p *patch, x, y int) float32 {
	now := d.cut(p.x+x, p.y+y)
	var sum float32
	for i, v := range p.ref {
		sum += v * now[i]
	}
	return sum
}
