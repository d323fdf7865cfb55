package chip

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// edge is a pixel of an outline: its place and the direction of the gradient.
type edge struct{ x, y, ux, uy float64 }

// outlines is a picture's edges, found again by place.
type outlines struct {
	w, h  int
	edges []edge
	at    []int32 // index into edges plus one, per pixel
}

// newOutlines thins the gradient of the channel that changes most.
func newOutlines(p picture) *outlines {
	o := &outlines{w: p.w, h: p.h, at: make([]int32, p.w*p.h)}
	gx, gy, m := make([]float32, p.w*p.h), make([]float32, p.w*p.h), make([]float32, p.w*p.h)
	for y := 1; y < p.h-1; y++ {
		for x := 1; x < p.w-1; x++ {
			i := y*p.w + x
			for c := range 3 {
				dx := float32(int(p.pix[3*i+3+c])-int(p.pix[3*i-3+c])) / 2
				dy := float32(int(p.pix[3*(i+p.w)+c])-int(p.pix[3*(i-p.w)+c])) / 2
				if v := dx*dx + dy*dy; v > m[i] {
					gx[i], gy[i], m[i] = dx, dy, v
				}
			}
		}
	}
	for y := 2; y < p.h-2; y++ {
		for x := 2; x < p.w-2; x++ {
			i := y*p.w + x
			if m[i] < par.disc.steep*par.disc.steep {
				continue
			}
			l := math.Sqrt(float64(m[i]))
			ux, uy := float64(gx[i])/l, float64(gy[i])/l
			step := int(math.Round(uy))*p.w + int(math.Round(ux))
			if m[i] < m[i+step] || m[i] <= m[i-step] {
				continue
			}
			o.edges = append(o.edges, edge{float64(x), float64(y), ux, uy})
			o.at[i] = int32(len(o.edges))
		}
	}
	return o
}

// centre is a place that many edges have at one distance.
type centre struct {
	x, y, r float64
	flat    float64 // height over width of the expected outline
	votes   float64 // over those of a whole circle
}

// centres are the middles of circles, and of such as a camera sees that looks
// from a little aside, best first.
func (o *outlines) centres() []centre {
	all := append(o.voted(1), o.voted(par.disc.aside)...)
	// Small circles come together by chance more easily.
	slices.SortFunc(all, func(a, b centre) int { return cmp.Compare(b.votes*math.Sqrt(b.r), a.votes*math.Sqrt(a.r)) })
	return thin(all)
}

// voted lets the edges vote for middles, radius by radius, in the picture
// stretched so that outlines of one flatness are circles.
func (o *outlines) voted(flat float64) []centre {
	edges := slices.Clone(o.edges)
	for i, e := range edges {
		l := math.Hypot(e.ux, flat*e.uy)
		edges[i] = edge{e.x, e.y / flat, e.ux / l, flat * e.uy / l}
	}
	w, h := o.w/2+1, int(float64(o.h)/flat)/2+1
	var all []centre
	votes := make([]float32, w*h)
	for r := par.disc.leastRadius; r < par.disc.mostRadius; r *= par.disc.grow {
		clear(votes)
		for _, e := range edges {
			for _, s := range [2]float64{r, -r} {
				x, y := int(e.x+s*e.ux)/2, int(e.y+s*e.uy)/2
				if x >= 0 && y >= 0 && x < w && y < h {
					votes[y*w+x]++
				}
			}
		}
		reach := max(1, int(par.disc.soft*r))
		soft := boxSum(votes, w, h, reach)
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				v := soft[y*w+x]
				if float64(v) > par.disc.votes*2*math.Pi*r && v >= soft[y*w+x-1] && v > soft[y*w+x+1] &&
					v >= soft[(y-1)*w+x] && v > soft[(y+1)*w+x] {
					all = append(all, centre{2*float64(x) + 0.5, flat * (2*float64(y) + 0.5), r, flat, float64(v) / (2 * math.Pi * r)})
				}
			}
		}
	}
	return all
}

// thin drops what lies close to a better one of nearly the same radius.
func thin(all []centre) []centre {
	var out []centre
	for _, c := range all {
		if len(out) == par.disc.most {
			break
		}
		if !slices.ContainsFunc(out, func(o centre) bool {
			return math.Hypot(o.x-c.x, o.y-c.y) < par.disc.near*c.r && math.Abs(math.Log(o.r/c.r)) < par.disc.alike &&
				o.flat == c.flat
		}) {
			out = append(out, c)
		}
	}
	return out
}

// boxSum adds each square of 2·reach+1 cells.
func boxSum(v []float32, w, h, reach int) []float32 {
	rows, out := make([]float32, w*h), make([]float32, w*h)
	for y := range h {
		var sum float32
		for x := range w + reach {
			if x < w {
				sum += v[y*w+x]
			}
			if x > 2*reach {
				sum -= v[y*w+x-2*reach-1]
			}
			if x >= reach {
				rows[y*w+x-reach] = sum
			}
		}
	}
	for x := range w {
		var sum float32
		for y := range h + reach {
			if y < h {
				sum += rows[y*w+x]
			}
			if y > 2*reach {
				sum -= rows[(y-2*reach-1)*w+x]
			}
			if y >= reach {
				out[(y-reach)*w+x] = sum
			}
		}
	}
	return out
}

// ellipse is a chip's outline; support the share of it that edges make up.
type ellipse struct {
	x, y, a, b, turn float64 // a ≥ b: half axes
	support          float64
}

func (e ellipse) radius() float64 { return math.Sqrt(e.a * e.b) }

// point lies at an angle on the outline scaled by k.
func (e ellipse) point(angle, k float64) fact.Point {
	sin, cos := math.Sincos(angle)
	s, c := math.Sincos(e.turn)
	return fact.Point{e.x + k*(e.a*cos*c-e.b*sin*s), e.y + k*(e.a*cos*s+e.b*sin*c)}
}

// holds reports whether a point lies in the outline.
func (e ellipse) holds(p fact.Point) bool {
	s, c := math.Sincos(e.turn)
	x, y := p[0]-e.x, p[1]-e.y
	u, v := (x*c+y*s)/e.a, (y*c-x*s)/e.b
	return u*u+v*v < 1
}

const rays = 72

// follow fits an ellipse to the edges about a circle, closer each time.
func (o *outlines) follow(c centre) (ellipse, bool) {
	return o.fit(ellipse{x: c.x, y: c.y, a: c.r, b: c.flat * c.r}, false, par.disc.slacks[:]...)
}

// fit moves an ellipse to the edges about it, each time to those within less of
// its radius, the nearest or the outermost of them.
func (o *outlines) fit(e ellipse, outermost bool, slacks ...float64) (ellipse, bool) {
	first, r := e, e.a
	for _, slack := range slacks {
		pts := o.along(e, math.Max(slack*r, par.disc.leastSlack), outermost)
		e.support = float64(len(pts)) / rays
		if len(pts) < rays/par.disc.raysShare {
			return e, false
		}
		f, ok := fitEllipse(pts)
		if !ok || f.b < par.disc.flattest*f.a ||
			f.radius() < par.disc.shrink*first.radius() || f.radius() > par.disc.swell*first.radius() ||
			math.Hypot(f.x-first.x, f.y-first.y) > par.disc.drift*r {
			return e, false
		}
		f.support = e.support
		e = f
	}
	e.support = o.support(e, r)
	return e, true
}

// support is the share of an outline that edges within a share of a radius bear out.
func (o *outlines) support(e ellipse, radius float64) float64 {
	return float64(len(o.along(e, math.Max(par.disc.support*radius, par.disc.leastSupport), false))) / rays
}

// round are the outlines about one that is seen nearly whole: the rings of a chip have
// one middle and are as flat as its rim, of which a ground of like colour leaves less.
func (o *outlines) round(e ellipse) (out []ellipse) {
	if f, ok := o.fit(e, true, par.disc.slackOuter[:]...); ok {
		out = append(out, f)
	}
	if e.support < par.disc.whole {
		return out
	}
	var seen []float64
	var at []ellipse
	for k := par.disc.ringFrom; k <= par.disc.ringTo; k += par.disc.ringStep {
		w := e
		w.a, w.b = k*e.a, k*e.b
		at, seen = append(at, w), append(seen, o.support(w, w.a))
	}
	for i := 1; i+1 < len(seen); i++ {
		if seen[i] < par.disc.ringLeast || seen[i] < seen[i-1] || seen[i] <= seen[i+1] {
			continue
		}
		if f, ok := o.fit(at[i], false, par.disc.slackRound[:]...); ok && f.radius() > par.disc.ringWider*e.radius() {
			out = append(out, f)
		}
	}
	return out
}

// open is the share of an outline that edges make up where it does not lie under
// one of the chips over it.
func (o *outlines) open(e ellipse, over []flatChip) float64 {
	under := func(p fact.Point) bool {
		return slices.ContainsFunc(over, func(c flatChip) bool { return c.ring.inserts && c.holds(p) })
	}
	n, of := 0.0, 0.0
	for k := range rays {
		if !under(e.point(2*math.Pi*float64(k)/rays, 1)) {
			of++
		}
	}
	if of < par.disc.open*rays {
		return e.support // too little for a word of its own
	}
	for _, p := range o.along(e, math.Max(par.disc.support*e.radius(), par.disc.leastSupport), false) {
		if !under(p) {
			n++
		}
	}
	return min(1, n/of)
}

// along is per ray the edge nearest to the outline that runs along it, or the outermost.
func (o *outlines) along(e ellipse, slack float64, outermost bool) []fact.Point {
	var out []fact.Point
	for k := range rays {
		angle := 2 * math.Pi * float64(k) / rays
		p := e.point(angle, 1)
		dx, dy := p[0]-e.x, p[1]-e.y
		l := math.Hypot(dx, dy)
		nx, ny := normal(e, angle)
		best, at := slack+1, fact.Point{}
		for d := -slack; d <= slack; d += par.disc.alongStep {
			x, y := int(p[0]+d*dx/l+0.5), int(p[1]+d*dy/l+0.5)
			if x < 0 || y < 0 || x >= o.w || y >= o.h || o.at[y*o.w+x] == 0 {
				continue
			}
			if g := o.edges[o.at[y*o.w+x]-1]; math.Abs(g.ux*nx+g.uy*ny) > par.disc.parallel &&
				(outermost || math.Abs(d) < best) {
				best, at = math.Abs(d), fact.Point{g.x, g.y}
			}
		}
		if best <= slack {
			out = append(out, at)
		}
	}
	return out
}

// normal of the outline at an angle.
func normal(e ellipse, angle float64) (x, y float64) {
	sin, cos := math.Sincos(angle)
	s, c := math.Sincos(e.turn)
	u, v := cos/e.a, sin/e.b
	x, y = u*c-v*s, u*s+v*c
	l := math.Hypot(x, y)
	return x / l, y / l
}

// fitEllipse by least squares, to a sixteenth of a pixel.
func fitEllipse(pts []fact.Point) (ellipse, bool) {
	const fine = 16
	in := make([]image.Point, len(pts))
	for i, p := range pts {
		in[i] = image.Pt(int(p[0]*fine), int(p[1]*fine))
	}
	v := gocv.NewPointVectorFromPoints(in)
	defer v.Close()
	r := gocv.FitEllipse(v)
	e := ellipse{x: float64(r.Center.X) / fine, y: float64(r.Center.Y) / fine,
		a: float64(r.Width) / 2 / fine, b: float64(r.Height) / 2 / fine, turn: r.Angle * math.Pi / 180}
	if e.a < e.b {
		e.a, e.b, e.turn = e.b, e.a, e.turn+math.Pi/2
	}
	return e, e.b > 1 && e.a < 4*par.disc.mostRadius
}
