package local

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

func isImage(name string) bool {
	return slices.Contains([]string{".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(name)))
}

// folder is images in the order of their names, at a fixed rate.
type folder struct {
	*stamper
	path  string
	names []string
	next  int
	good  bool // an image of this turn was readable
}

func openFolder(path string, isDir bool, s *stamper) (Input, error) {
	f := &folder{stamper: s, path: path, names: []string{path}}
	if s.o.FPS <= 0 {
		s.o.FPS = 5
	}
	if !isDir {
		return f, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("camera %s: %w", path, err)
	}
	f.names = nil
	for _, e := range entries { // sorted by name
		if !e.IsDir() && isImage(e.Name()) {
			f.names = append(f.names, filepath.Join(path, e.Name()))
		}
	}
	if len(f.names) == 0 {
		return nil, fmt.Errorf("camera %s: no images in the folder: want .jpg, .png, .bmp, .webp or .tif files", path)
	}
	return f, nil
}

// Next is the next readable image.
func (f *folder) Next(ctx context.Context) (Picture, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Picture{}, err
		}
		if f.next == len(f.names) {
			if !f.good {
				return Picture{}, fmt.Errorf("camera %s: none of its %d images can be read", f.path, len(f.names))
			}
			if !f.o.Loop {
				return Picture{}, io.EOF
			}
			f.again()
			f.next, f.good = 0, false
		}
		i := f.next
		f.next++
		m := gocv.IMRead(f.names[i], gocv.IMReadColor)
		if m.Empty() || m.Type() != gocv.MatTypeCV8UC3 {
			m.Close()
			f.note(fmt.Errorf("camera %s: image %s cannot be read; passed over", f.path, filepath.Base(f.names[i])))
			f.gap = true
			continue
		}
		f.good = true
		return f.picture(ctx, m, time.Duration(float64(i)*float64(time.Second)/f.o.FPS), f.o.FPS)
	}
}

// Close frees everything.
func (f *folder) Close() { f.stamper.close() }

// picture makes a Picture of m, which it takes over.
func (s *stamper) picture(ctx context.Context, m gocv.Mat, pts time.Duration, fps float64) (Picture, error) {
	p := Picture{BGR: m}
	err := s.encodeBGR(&p, pts, fps)
	if err == nil {
		err = s.stamp(ctx, &p, pts)
	}
	if err != nil || !s.o.Pictures {
		p.Close()
	}
	return p, err
}

func (s *stamper) encodeBGR(p *Picture, pts time.Duration, fps float64) error {
	if !s.o.Units {
		return nil
	}
	e, err := s.encoder(p.BGR.Cols(), p.BGR.Rows(), fps)
	if err != nil {
		return err
	}
	even := p.BGR.Region(image.Rect(0, 0, s.w, s.h))
	defer even.Close()
	p.Unit, err = e.Encode(even, s.base+pts)
	return err
}

// device is a V4L2 camera.
type device struct {
	*stamper
	path  string
	cap   *gocv.VideoCapture
	begin time.Time
	fps   float64
}

func openDevice(path string, s *stamper) (Input, error) {
	c, err := gocv.OpenVideoCaptureWithAPI(path, gocv.VideoCaptureV4L2)
	if err != nil {
		return nil, fmt.Errorf("camera %s: cannot be opened: another program may hold it, or the user is not in the group video: %w", path, err)
	}
	if !c.IsOpened() {
		c.Close()
		return nil, fmt.Errorf("camera %s: is no video camera", path)
	}
	if s.o.FPS > 0 {
		c.Set(gocv.VideoCaptureFPS, s.o.FPS)
	}
	c.Set(gocv.VideoCaptureBufferSize, 1)
	d := &device{stamper: s, path: path, cap: c, begin: time.Now(), fps: c.Get(gocv.VideoCaptureFPS)}
	s.o.Realtime = false // the camera sets the pace
	s.begun = d.begin
	return d, nil
}

// Next waits for the camera's next picture.
func (d *device) Next(ctx context.Context) (Picture, error) {
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	m := gocv.NewMat()
	if !d.cap.Read(&m) || m.Empty() || m.Type() != gocv.MatTypeCV8UC3 {
		m.Close()
		return Picture{}, fmt.Errorf("camera %s: %w", d.path, errSilent)
	}
	return d.picture(ctx, m, time.Since(d.begin), max(d.fps, 1))
}

var errSilent = errors.New("gives no pictures any more: check the cable")

// Close gives the camera back.
func (d *device) Close() {
	d.cap.Close()
	d.stamper.close()
}
