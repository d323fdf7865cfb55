// Command harvest cuts the cards out of photographs that may train. It reads an
// evaluation set with boxes, finds the cards with the product's own finder, and
// writes each whose outline fits a box of the truth as a patch, with a margin of
// an eighth round it, named IMAGE_N_LABEL.png ("X" for an unknown suit, a
// trailing _four where the deck has an index in every corner, _part where the
// outline fits less well: mostly a card under others, supposed from a corner).
//
//	go run ./models/train/harvest [-four] [-limit N] [-without 5d,6d] SET OUTDIR
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/recognize/still"
)

const (
	patchW, patchH = 200, 280
	margin         = 0.125
	sameBox        = 0.8  // least IoU of an outline's box with the truth's
	partBox        = 0.55 // the same of a card supposed from a corner
)

func main() {
	four := flag.Bool("four", false, "the deck has an index in every corner")
	limit := flag.Int("limit", 0, "look at so many pictures; 0: all")
	without := flag.String("without", "", "leave out pictures that show one of these cards: to measure on")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: harvest [-four] [-limit N] SET OUTDIR")
	}
	n, err := harvest(flag.Arg(0), flag.Arg(1), *four, *limit, strings.Split(*without, ","))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "patches")
}

func harvest(set, out string, four bool, limit int, without []string) (int, error) {
	images, err := eval.Load(set)
	if err != nil {
		return 0, err
	}
	if limit > 0 {
		images = images[:min(limit, len(images))]
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return 0, err
	}
	reader, err := still.New(still.Cards, 0)
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	total := 0
	for _, m := range images {
		if slices.ContainsFunc(m.Cards, func(it eval.Item) bool { return slices.Contains(without, it.Label) }) {
			continue
		}
		n, err := one(reader, set, out, &m, four)
		if err != nil {
			return total, err
		}
		total += n
	}
	return total, nil
}

// one writes the patches of one picture.
func one(reader still.Reader, set, out string, m *eval.Image, four bool) (int, error) {
	img, err := cv.ReadImage(filepath.Join(set, m.Image))
	if err != nil {
		return 0, err
	}
	defer img.Close()
	found, err := reader.Read(img)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, it := range m.Cards {
		f, fit := fitting(it, found)
		if fit < partBox {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(m.Image), filepath.Ext(m.Image))
		name = fmt.Sprintf("%s_%d_%s", strings.ReplaceAll(name, "_", "-"), n, strings.ReplaceAll(it.Label, "?", "X"))
		if four {
			name += "_four"
		}
		if fit < sameBox {
			name += "_part"
		}
		if err := write(img, f.Quad, filepath.Join(out, name+".png")); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// fitting is the reading whose card is most like the truth's box, whatever is seen of it,
// and how like (IoU).
func fitting(it eval.Item, found []still.Found) (best still.Found, fit float64) {
	if it.Box == nil {
		return best, 0
	}
	for _, f := range found {
		if k := eval.IoU(*it.Box, f.Quad.Box()); k > fit {
			best, fit = f, k
		}
	}
	return best, fit
}

func write(img gocv.Mat, q fact.Quad, path string) error {
	x0, y0 := float32(patchW)*margin/(1+2*margin), float32(patchH)*margin/(1+2*margin)
	from := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{pt(q[0]), pt(q[1]), pt(q[2]), pt(q[3])})
	defer from.Close()
	to := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{{X: x0, Y: y0}, {X: patchW - x0, Y: y0},
		{X: patchW - x0, Y: patchH - y0}, {X: x0, Y: patchH - y0}})
	defer to.Close()
	m := gocv.GetPerspectiveTransform2f(from, to)
	defer m.Close()
	patch := gocv.NewMat()
	defer patch.Close()
	gocv.WarpPerspectiveWithParams(img, &patch, m, image.Pt(patchW, patchH), gocv.InterpolationLinear,
		gocv.BorderReplicate, color.RGBA{})
	if !gocv.IMWrite(path, patch) {
		return fmt.Errorf("%s: cannot be written", path)
	}
	return nil
}

func pt(p fact.Point) gocv.Point2f { return gocv.Point2f{X: float32(p[0]), Y: float32(p[1])} }
