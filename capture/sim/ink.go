package sim

import (
	"math"

	"github.com/fogleman/gg"
	"github.com/go-fonts/liberation/liberationserifbold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"vision/capture/sim/scene"
)

// ink prints on a felt; its unit is the millimetre.
type ink struct {
	*gg.Context
	faces map[float64]font.Face
	font  *opentype.Font
}

func newInk(f *scene.Felt) (*ink, error) {
	ttf, err := opentype.Parse(liberationserifbold.TTF)
	if err != nil {
		return nil, err
	}
	return &ink{Context: f.Draw, faces: map[float64]font.Face{}, font: ttf}, nil
}

var (
	cream   = [3]float64{228, 222, 196}
	yellow  = [3]float64{226, 196, 92}
	crimson = [3]float64{178, 36, 40}
	coal    = [3]float64{24, 24, 26}
	wood    = [3]float64{74, 44, 26}
	leather = [3]float64{40, 30, 28}
)

func (i *ink) paint(c [3]float64) { i.SetRGB(c[0]/255, c[1]/255, c[2]/255) }

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

func (i *ink) fill(x0, y0, x1, y1 float64, c [3]float64) {
	i.paint(c)
	i.DrawRectangle(x0, y0, x1-x0, y1-y0)
	i.Fill()
}

// text writes capitals of the given height centred at x, y, turned by angle.
func (i *ink) text(s string, x, y, height, angle float64, c [3]float64) {
	face := i.faces[height]
	if face == nil {
		var err error
		if face, err = opentype.NewFace(i.font, &opentype.FaceOptions{Size: height * 1.45 * scene.FeltPx, DPI: 72}); err != nil {
			return
		}
		i.faces[height] = face
	}
	i.Push()
	i.Translate(x, y)
	i.Rotate(angle)
	i.Scale(1/scene.FeltPx, 1/scene.FeltPx)
	i.SetFontFace(face)
	i.paint(c)
	i.DrawStringAnchored(s, 0, 0, 0.5, 0.36)
	i.Pop()
}

// arcText writes along a circle whose lowest point is x, y.
func (i *ink) arcText(s string, x, y, radius, height float64, c [3]float64) {
	step := height * 0.98 / radius
	rs := []rune(s)
	for k, r := range rs {
		a := (float64(k) - float64(len(rs)-1)/2) * step
		i.text(string(r), x+radius*math.Sin(a), y-radius+radius*math.Cos(a), height, -a, c)
	}
}

// surroundings paints the rail round the cloth, the floor beyond and the tray.
func (i *ink) surroundings(s *stage) {
	a := s.area()
	x0, y0, x1, y1 := float64(a.Min.X), float64(a.Min.Y), float64(a.Max.X), float64(a.Max.Y)
	near, far := s.near(), s.far()
	i.fill(x0, near, x1, near+18, wood)
	for k := range 24 {
		f := float64(k) / 23
		d := 0.55 + 0.54*math.Sin(math.Pi*f)
		i.fill(x0, near+18+f*90, x1, near+18+(f+1.0/23)*90+1, [3]float64{leather[0] * d, leather[1] * d, leather[2] * d})
	}
	i.fill(x0, near+112, x1, y1, [3]float64{52, 46, 50})
	i.fill(x0, y0, x1, far, [3]float64{46, 40, 44})
	i.fill(x0, far-14, x1, far, wood)
	i.chipTray(s, s.tray[0]-230, s.tray[0]+230, far+6, far+86)
}

// chipTray paints the bank's float: rows of chips lying on their side.
func (i *ink) chipTray(s *stage, x0, x1, y0, y1 float64) {
	i.fill(x0, y0, x1, y1, [3]float64{30, 30, 34})
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
	i.frame(x0, y0, x1, y1, 4, 4, wood)
}

func hex(s string) [3]float64 {
	var out [3]float64
	for k := range out {
		hi, lo := s[1+2*k], s[2+2*k]
		out[k] = float64(nibble(hi)<<4 | nibble(lo))
	}
	return out
}

func nibble(b byte) int {
	switch {
	case b >= 'a':
		return int(b-'a') + 10
	case b >= 'A':
		return int(b-'A') + 10
	}
	return int(b - '0')
}
