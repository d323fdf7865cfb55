package sim

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/lab/sim/ornament"
	"vision/internal/lab/sim/scene"
)

// ink prints on a felt; its unit is the millimetre.
type ink struct {
	*gg.Context
	faces map[lettering]font.Face
	fade  float64       // share of the ink that is worn off
	taken []layout.Rect // where text stands
	dice  bool          // fields that are named after dice show them instead of words
	solid bool          // those faces are filled
}

// lettering is a typeface at a height of its capitals, millimetres.
type lettering struct {
	font   ornament.Font
	height float64
}

func newInk(f *scene.Felt) *ink {
	return &ink{Context: f.Draw, faces: map[lettering]font.Face{}}
}

var (
	cream   = [3]float64{228, 222, 196}
	yellow  = [3]float64{226, 196, 92}
	crimson = [3]float64{178, 36, 40}
	coal    = [3]float64{24, 24, 26}
	wood    = [3]float64{74, 44, 26}
	leather = [3]float64{40, 30, 28}
)

func (i *ink) paint(c [3]float64) { i.SetRGBA(c[0]/255, c[1]/255, c[2]/255, 1-i.fade) }

// frame outlines a rectangle with rounded corners.
func (i *ink) frame(x0, y0, x1, y1, r, width float64, c [3]float64) {
	i.paint(c)
	i.SetLineWidth(width * scene.FeltPx)
	i.DrawRoundedRectangle(x0, y0, x1-x0, y1-y0, r)
	i.Stroke()
}

func (i *ink) line(x0, y0, x1, y1, width float64, c [3]float64) {
	i.paint(c)
	i.SetLineWidth(width * scene.FeltPx)
	i.DrawLine(x0, y0, x1, y1)
	i.Stroke()
}

// fill paints a rectangle: its whole pixels at once, its rim as the rasteriser does.
func (i *ink) fill(x0, y0, x1, y1 float64, c [3]float64) {
	i.paint(c)
	left, top := i.TransformPoint(x0, y0)
	right, bottom := i.TransformPoint(x1, y1)
	whole := image.Rect(int(math.Ceil(left)), int(math.Ceil(top)), int(right), int(bottom))
	if i.fade > 0 || left < 0 || top < 0 || whole.Dx() < 3 || whole.Dy() < 3 {
		i.DrawRectangle(x0, y0, x1-x0, y1-y0)
		i.Fill()
		return
	}
	i.Push()
	defer i.Pop()
	i.Identity()
	l, t, r, b := float64(whole.Min.X), float64(whole.Min.Y), float64(whole.Max.X), float64(whole.Max.Y)
	i.DrawRectangle(left, top, right-left, t-top)
	i.DrawRectangle(left, b, right-left, bottom-b)
	i.DrawRectangle(left, t, l-left, b-t)
	i.DrawRectangle(r, t, right-r, b-t)
	i.Fill()
	paint := color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
	draw.Draw(i.Image().(*image.RGBA), whole, image.NewUniform(paint), image.Point{}, draw.Src)
}

// text writes capitals of the given height centred at x, y.
func (i *ink) text(s string, x, y, height float64, c [3]float64) {
	l := lettering{ornament.Serif, height}
	i.write(l, i.set(l, s, 0), x, y, 0, c)
}

// set sets text: along a line, or along a circle of the radius, millimetres, over its
// middle where it is positive and under it where it is negative. Letters are in pixels
// of the felt.
func (i *ink) set(l lettering, s string, radius float64) []ornament.Letter {
	face := i.faces[l]
	if face == nil {
		var err error
		if face, err = l.font.Face(l.height * 1.45 * scene.FeltPx); err != nil {
			return nil
		}
		i.faces[l] = face
	}
	i.SetFontFace(face)
	if radius == 0 {
		return ornament.Line(i.Context, s)
	}
	return ornament.Arc(i.Context, s, math.Abs(radius)*scene.FeltPx, radius < 0)
}

// write prints letters that were set about x, y, turned by angle.
func (i *ink) write(l lettering, letters []ornament.Letter, x, y, angle float64, c [3]float64) {
	if len(letters) == 0 {
		return
	}
	for _, r := range extents(l, letters, angle) {
		i.taken = append(i.taken, moved(r, x, y))
	}
	i.Push()
	defer i.Pop()
	i.Translate(x, y)
	i.Rotate(angle)
	i.Scale(1/scene.FeltPx, 1/scene.FeltPx)
	i.SetFontFace(i.faces[l])
	i.paint(c)
	ornament.Draw(i.Context, letters)
}

// extents are the boxes, millimetres about the point they are written at, that letters fill.
func extents(l lettering, letters []ornament.Letter, angle float64) []layout.Rect {
	out := make([]layout.Rect, len(letters))
	sin, cos := math.Sincos(angle)
	for k, t := range letters {
		w, h := turned(t.Width/scene.FeltPx, 1.3*l.height, t.Angle+angle)
		out[k] = moved(
			layout.Rect{-w / 2, -h / 2, w / 2, h / 2},
			(t.X*cos-t.Y*sin)/scene.FeltPx,
			(t.X*sin+t.Y*cos)/scene.FeltPx,
		)
	}
	return out
}

// turned is the box of a box that is turned.
func turned(w, h, angle float64) (float64, float64) {
	sin, cos := math.Sincos(angle)
	sin, cos = math.Abs(sin), math.Abs(cos)
	return w*cos + h*sin, w*sin + h*cos
}

func moved(r layout.Rect, x, y float64) layout.Rect {
	return layout.Rect{r[0] + x, r[1] + y, r[2] + x, r[3] + y}
}

// surroundings paints the rail round the cloth, the floor beyond and the tray.
func (i *ink) surroundings(s *stage) {
	a := s.area()
	x0, y0, x1, y1 := float64(a.Min.X), float64(a.Min.Y), float64(a.Max.X), float64(a.Max.Y)
	near := s.near()
	i.fill(x0, near, x1, near+18, wood)
	for k := range 24 {
		f := float64(k) / 23
		d := 0.55 + 0.54*math.Sin(math.Pi*f)
		i.fill(x0, near+18+f*90, x1, near+18+(f+1.0/23)*90+1, [3]float64{leather[0] * d, leather[1] * d, leather[2] * d})
	}
	i.fill(x0, near+112, x1, y1, [3]float64{52, 46, 50})
	tray := s.trayBox()
	edge := min(s.far(), tray[1]-6)
	i.fill(x0, y0, x1, edge, [3]float64{46, 40, 44})
	i.fill(x0, edge-14, x1, edge, wood)
	i.chipTray(s, tray[0], tray[2], tray[1], tray[3])
	i.taken = append(i.taken, tray)
}

// chipTray paints the bank's float: rows of chips lying on their side.
func (i *ink) chipTray(s *stage, x0, x1, y0, y1 float64) {
	i.fill(x0, y0, x1, y1, [3]float64{30, 30, 34})
	defer i.frame(x0, y0, x1, y1, 4, 4, wood)
	if s.rack != nil {
		return
	}
	cols := 10
	w := (x1 - x0) / float64(cols)
	for k := range cols {
		c := s.palette[k*len(s.palette)/cols]
		face, edge := hex(c.Face), hex(c.Edge)
		cx := x0 + (float64(k)+0.5)*w
		for y := y0 + 6; y < y1-6; y += 3.4 {
			for _, band := range [][2]float64{{-0.42, 0.85}, {-0.2, 1}, {0.02, 0.9}, {0.24, 0.7}} {
				f := band[1]
				col := face
				if int(y*7.3+band[0]*50)%3 == 0 {
					col = edge
				}
				i.fill(cx+band[0]*w, y, cx+(band[0]+0.2)*w, y+3, [3]float64{col[0] * f, col[1] * f, col[2] * f})
			}
		}
	}
}

// hex is a colour of the palette, #rrggbb.
func hex(s string) [3]float64 {
	c, err := calibration.ParseColor(s)
	if err != nil {
		panic(err) // our own palette
	}
	return [3]float64{float64(c[0]), float64(c[1]), float64(c[2])}
}
