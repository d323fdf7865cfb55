package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration/board"
	"vision/calibration/lens"
	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/cv"
	"vision/internal/pipeline"
)

// boardFlags describe the board that was printed.
type boardFlags struct {
	Squares []int   `default:"7,5" placeholder:"COLS,ROWS" help:"Squares of the board, across and down."`
	Square  float64 `default:"36" placeholder:"MM" help:"Edge of a square as printed: measure it on the paper."`
	Plain   bool    `help:"A plain chessboard, without markers."`
}

func (b boardFlags) board() (lens.Board, error) {
	if len(b.Squares) != 2 {
		return lens.Board{}, fmt.Errorf("--squares: %d numbers: want two, across and down", len(b.Squares))
	}
	out := lens.Board{Cols: b.Squares[0], Rows: b.Squares[1], Square: b.Square, Plain: b.Plain}
	return out, out.Check()
}

// CalibrateBoardCmd draws the ChArUco board.
type CalibrateBoardCmd struct {
	boardFlags
	Out string `required:"" type:"path" placeholder:"FILE.svg" help:"File to write. Print it at its own size and glue it on something stiff and flat."`
}

// Run writes the drawing.
func (c *CalibrateBoardCmd) Run() error {
	b, err := c.board()
	if err != nil {
		return err
	}
	svg, err := board.SVG(b)
	if err != nil {
		return err
	}
	return os.WriteFile(c.Out, svg, 0o644)
}

// CalibrateLensCmd measures a lens.
type CalibrateLensCmd struct {
	boardFlags
	Images []string      `arg:"" optional:"" help:"Pictures of the board by the camera, or folders of them."`
	Camera string        `placeholder:"URL" help:"Take the pictures from this camera instead (rtsp://…, /dev/videoN, a video file), two a second: wave the board slowly, near and far, tilted, into every corner."`
	For    time.Duration `default:"40s" help:"How long to look at the camera."`
	JSON   bool          `help:"Print the result as JSON."`
}

// Run prints the lens; it fails where the measurement is too poor.
func (c *CalibrateLensCmd) Run() error {
	b, err := c.board()
	if err != nil {
		return err
	}
	if (len(c.Images) == 0) == (c.Camera == "") {
		return errors.New("give pictures of the board, or --camera")
	}
	var views []lens.View
	if c.Camera != "" {
		views, err = c.watch(b)
	} else {
		views, err = c.read(b)
	}
	if err != nil {
		return err
	}
	r, err := board.Measure(b, views)
	if c.JSON && r.Corners > 0 {
		if e := json.NewEncoder(os.Stdout).Encode(r); e != nil {
			return e
		}
	}
	if err != nil {
		return err
	}
	if !c.JSON {
		c.print(r)
	}
	return nil
}

func (c *CalibrateLensCmd) print(r lens.Result) {
	l := r.Lens
	fmt.Printf("%d pictures (%d left out), %d corners in %d of 12 parts of the picture\n", r.Views, r.Left, r.Corners, r.Cover)
	fmt.Printf("error %.2f px, %.2f mm on the board; at most %.2f px; focal length within %.2f %%\n", r.RMS, r.RMSmm, r.Worst, 100*r.Focal)
	fmt.Printf("--lens %.2f,%.2f,%.2f,%.2f,%.6f,%.6f,%.6f,%.6f,%.6f\n", l.Fx, l.Fy, l.Cx, l.Cy, l.Dist[0], l.Dist[1], l.Dist[2], l.Dist[3], l.Dist[4])
}

// pictures are the files named, and those in the folders named.
func (c *CalibrateLensCmd) pictures() (out []string, err error) {
	for _, p := range c.Images {
		st, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			out = append(out, p)
			continue
		}
		all, err := os.ReadDir(p)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			if slices.Contains([]string{".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"}, strings.ToLower(filepath.Ext(e.Name()))) {
				out = append(out, filepath.Join(p, e.Name()))
			}
		}
	}
	return out, nil
}

func (c *CalibrateLensCmd) read(b lens.Board) (views []lens.View, err error) {
	files, err := c.pictures()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		img, err := cv.ReadImage(f)
		if err != nil {
			return nil, err
		}
		v, err := board.Find(b, img)
		img.Close()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %d corners\n", f, len(v.Corners), b.Corners())
		views = append(views, v)
	}
	return views, nil
}

// watch looks at a live camera.
func (c *CalibrateLensCmd) watch(b lens.Board) (views []lens.View, err error) {
	ctx, stop := command.Interruptible()
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.For)
	defer cancel()
	src := pipeline.SourceOf(config.Camera{Name: "camera", URL: c.Camera}, nil, 0, nil)
	err = board.Watch(ctx, b, src, func(v lens.View) {
		views = append(views, v)
		fmt.Fprintf(os.Stderr, "%d: %d of %d corners\n", len(views), len(v.Corners), b.Corners())
	})
	return views, err
}
