// Package board draws calibration boards, finds them in pictures and fits lenses
// to them, by OpenCV: it belongs into processes that may die (tools, readers).
package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/lens"
	"vision/internal/cv"
)

// Draw draws a board, px pixels to a square, half a square of white round it.
func Draw(b lens.Board, px int) (*image.Gray, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	return cv.DrawBoard(b.Cols, b.Rows, lens.Marker, px, px/2)
}

// margin of white round a drawn board, millimetres.
const margin = 10

// SVG draws a board of markers as it is to be printed: its lengths are millimetres.
func SVG(b lens.Board) ([]byte, error) {
	if b.Plain {
		return nil, errors.New("draw board: only boards with markers are drawn")
	}
	const px = 56 // a marker's module is six of them
	img, err := Draw(b, px)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, h := float64(b.Cols)*b.Square+2*margin, float64(b.Rows)*b.Square+2*margin
	k := b.Square / px
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%gmm" height="%gmm" viewBox="0 0 %[1]g %[2]g"><rect width="%[1]g" height="%[2]g" fill="#fff"/><g shape-rendering="crispEdges" transform="translate(%[3]d %[3]d) scale(%[4]g)">`+"\n", w, h, margin, k)
	for _, r := range black(img) {
		r = r.Sub(image.Pt(px/2, px/2))
		fmt.Fprintf(&out, `<path d="M%d %dh%dv%dh-%[3]dz"/>`+"\n", r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	}
	fmt.Fprintf(&out, `</g><text x="%d" y="%g" font-size="4" font-family="sans-serif">%d×%d · %g mm</text></svg>`+"\n", margin, h-3, b.Cols, b.Rows, b.Square)
	return out.Bytes(), nil
}

// black is the dark part of a drawing as boxes: runs of a row that the next rows
// repeat are one.
func black(img *image.Gray) (out []image.Rectangle) {
	open := map[[2]int]int{} // run → its box
	for y := range img.Rect.Dy() {
		next := map[[2]int]int{}
		for x := 0; x < img.Rect.Dx(); x++ {
			from := x
			for x < img.Rect.Dx() && img.GrayAt(x, y).Y < 128 {
				x++
			}
			if x == from {
				continue
			}
			run := [2]int{from, x}
			i, ok := open[run]
			if !ok {
				i = len(out)
				out = append(out, image.Rect(from, y, x, y))
			}
			out[i].Max.Y = y + 1
			next[run] = i
		}
		open = next
	}
	return out
}

// Find looks for a board in a BGR picture. A picture without one is a view of no
// corners.
func Find(b lens.Board, img gocv.Mat) (lens.View, error) {
	v := lens.View{Size: [2]int{img.Cols(), img.Rows()}, Corners: []lens.Corner{}}
	if err := b.Check(); err != nil {
		return v, err
	}
	mat := gocv.NewMat()
	defer mat.Close()
	gocv.CvtColor(img, &mat, gocv.ColorBGRToGray)
	gray := &image.Gray{Pix: mat.ToBytes(), Stride: mat.Cols(), Rect: image.Rect(0, 0, mat.Cols(), mat.Rows())}
	var ids []int
	var px [][2]float64
	var err error
	if b.Plain {
		px, err = cv.FindChessboard(gray, b.Cols-1, b.Rows-1)
		for i := range px {
			ids = append(ids, i)
		}
	} else {
		ids, px, err = cv.FindBoard(gray, b.Cols, b.Rows, lens.Marker)
	}
	if err != nil {
		return v, err
	}
	for i, id := range ids {
		if id >= 0 && id < b.Corners() {
			v.Corners = append(v.Corners, lens.Corner{ID: id, Px: px[i]})
		}
	}
	return v, nil
}

// Measure fits a lens to views. A view that fits much worse than the others, as a
// blurred one does, is left out once. The error wraps lens.ErrPoor where the result
// is not good enough; it is given all the same.
func Measure(b lens.Board, views []lens.View) (lens.Result, error) {
	if err := b.Check(); err != nil {
		return lens.Result{}, err
	}
	if err := check(b, views); err != nil {
		return lens.Result{}, err
	}
	size, use, err := lens.Usable(views)
	if err != nil {
		return lens.Result{Size: size, Views: len(use), Left: len(views) - len(use)}, err
	}
	f, err := fit(b, size, use)
	if err != nil {
		return lens.Result{}, err
	}
	if kept := keep(f, b, use); len(kept) >= lens.MinViews && len(kept) < len(use) {
		use = kept
		if f, err = fit(b, size, use); err != nil {
			return lens.Result{}, err
		}
	}
	r, err := f.Judge(b, use)
	r.Left = len(views) - len(use)
	if err != nil {
		return r, err
	}
	return r, r.Check()
}

// check refuses corners that no board has.
func check(b lens.Board, views []lens.View) error {
	for i, v := range views {
		if v.Size[0] < cv.MinSide || v.Size[1] < cv.MinSide || v.Size[0] > 1<<15 || v.Size[1] > 1<<15 {
			return fmt.Errorf("view %d: a picture of %d×%d", i, v.Size[0], v.Size[1])
		}
		for _, c := range v.Corners {
			in := c.Px[0] >= 0 && c.Px[1] >= 0 && c.Px[0] <= float64(v.Size[0]) && c.Px[1] <= float64(v.Size[1])
			if c.ID < 0 || c.ID >= b.Corners() || !in {
				return fmt.Errorf("view %d: corner %d at %v: not on the board or not in the picture", i, c.ID, c.Px)
			}
		}
	}
	return nil
}

func fit(b lens.Board, size [2]int, views []lens.View) (lens.Fit, error) {
	var planes []cv.Plane
	for _, v := range views {
		var p cv.Plane
		for _, c := range v.Corners {
			p.At, p.Px = append(p.At, b.At(c.ID)), append(p.Px, c.Px)
		}
		planes = append(planes, p)
	}
	l, dev, poses, err := cv.FitLens(size, planes)
	if err != nil {
		return lens.Fit{}, err
	}
	f := lens.Fit{Dev: dev, Lens: calibration.Lens{Fx: l[0], Fy: l[1], Cx: l[2], Cy: l[3], Dist: [5]float64(l[4:])}}
	for _, p := range poses {
		f.Poses = append(f.Poses, calibration.Pose{R: [3]float64(p[:3]), T: [3]float64(p[3:])})
	}
	return f, nil
}

// keep leaves out views whose error is more than two and a half times the middle
// one's, and more than half a pixel.
func keep(f lens.Fit, b lens.Board, views []lens.View) (out []lens.View) {
	var all []float64
	for i, v := range views {
		px, _, _, err := f.Errors(b, v, f.Poses[i])
		if err != nil {
			px = 1e9
		}
		all = append(all, px)
	}
	middle := slices.Sorted(slices.Values(all))[len(all)/2]
	for i, v := range views {
		if all[i] <= max(0.5, 2.5*middle) {
			out = append(out, v)
		}
	}
	return out
}

// Serve answers one request: what a lens.Tool's process does.
func Serve(in io.Reader, out io.Writer) error {
	var q lens.Request
	var a lens.Answer
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		a.Error = err.Error()
	} else if len(q.Image) > 0 {
		if a.View, err = find(q); err != nil {
			a.Error = err.Error()
		}
	} else {
		r, err := Measure(q.Board, q.Views)
		switch {
		case errors.Is(err, lens.ErrPoor):
			a.Result, a.Poor = &r, err.Error()
		case err != nil:
			a.Error = err.Error()
		default:
			a.Result = &r
		}
	}
	return json.NewEncoder(out).Encode(a)
}

func find(q lens.Request) (*lens.View, error) {
	img, err := cv.DecodeImage(q.Image)
	if err != nil {
		return nil, err
	}
	defer img.Close()
	v, err := Find(q.Board, img)
	return &v, err
}
