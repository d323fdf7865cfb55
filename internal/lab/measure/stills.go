// Package measure plays evaluation sets of tables, calibrated stills and clips, through
// the readers and the tracker of the live table, and has internal/lab/eval score what they
// say. It is what `lab eval` does with such sets.
package measure

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/recognize/still"
)

// defaultCalibration is the calibration of stills that name none.
const defaultCalibration = "calibration.yaml"

// mostCameras bounds the cameras whose readers are kept.
const mostCameras = 4

// Stills reads the stills of the set in dir, of one kind or, with "", all; done is told
// of each. Where several cameras took one, the result is of what the live table makes of them together, and has each
// alone. A picture that cannot be read is named in the result and costs no other; it is
// an error where none can.
func Stills(dir string, set []eval.Still, only eval.Kind, done func()) (eval.StillResult, error) {
	s := &studio{dir: dir, alone: alone(set)}
	defer s.close()
	t := newTallies(only)
	for i := range set {
		one := &set[i]
		if only == "" || one.Of(only) {
			if err := s.one(one, t); err != nil {
				t.all.Fail(one.Image, err)
			}
		}
		done()
	}
	r := t.result(filepath.Base(filepath.Clean(dir)))
	return r, measured(dir, "picture", r.Images, r.Failed, only)
}

// alone is the one calibration that all stills name; "" where there are several.
func alone(set []eval.Still) string {
	first := calibrationOf(set[0].Sights()[0])
	for _, one := range set {
		for _, s := range one.Sights() {
			if calibrationOf(s) != first {
				return ""
			}
		}
	}
	return first
}

func calibrationOf(s eval.Sight) string {
	if s.Calibration == "" {
		return defaultCalibration
	}
	return filepath.Clean(s.Calibration)
}

// studio keeps the cameras of a set.
type studio struct {
	dir     string
	alone   string
	cameras []camera // the one used last comes last
}

// camera is one that was opened, or why it cannot be.
type camera struct {
	file, empty string
	*still.Camera
	err error
}

func (s *studio) close() {
	for _, c := range s.cameras {
		c.close()
	}
}

func (c camera) close() {
	if c.err == nil {
		c.Camera.Close()
	}
}

// open finds the camera that took a picture.
func (s *studio) open(one eval.Sight) (camera, error) {
	file, empty := calibrationOf(one), one.Empty
	if empty == "" {
		empty = s.emptyOf(file)
	}
	i := slices.IndexFunc(s.cameras, func(c camera) bool { return c.file == file && c.empty == empty })
	var c camera
	switch {
	case i >= 0:
		c = s.cameras[i]
		s.cameras = slices.Delete(s.cameras, i, i+1)
	default:
		c = camera{file: file, empty: empty}
		from := ""
		if empty != "" {
			from = filepath.Join(s.dir, empty)
		}
		c.Camera, c.err = still.NewCamera(filepath.Join(s.dir, file), from)
		if len(s.cameras) >= mostCameras {
			s.cameras[0].close()
			s.cameras = slices.Delete(s.cameras, 0, 1)
		}
	}
	s.cameras = append(s.cameras, c)
	return c, c.err
}

// emptyOf is the picture of the bare table beside a calibration, below the set's folder;
// "" where there is none or it is another camera's.
func (s *studio) emptyOf(file string) string {
	beside := func(name string) string { return filepath.Join(filepath.Dir(file), name) }
	empty, first := beside("empty.jpg"), beside(defaultCalibration)
	if !exists(filepath.Join(s.dir, empty)) {
		return ""
	}
	if file == first || file == s.alone && !exists(filepath.Join(s.dir, first)) {
		return empty
	}
	a, err := calibration.Load(filepath.Join(s.dir, first))
	if err != nil {
		return ""
	}
	b, err := calibration.Load(filepath.Join(s.dir, file))
	if err != nil || a.Size != b.Size || a.Lens != b.Lens || a.Plane != b.Plane {
		return ""
	}
	return empty
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// one reads a still by each of its cameras and counts what is seen.
func (s *studio) one(one *eval.Still, t *tallies) error {
	var looks []look
	for _, sight := range one.Sights() {
		l, err := s.look(one, sight)
		if err != nil {
			return err
		}
		looks = append(looks, l)
		if l.note != "" {
			t.all.Note(l.note)
		}
	}
	return t.add(one, looks)
}

// look is what one camera sees. It stays after the camera's readers are closed.
type look struct {
	camera
	seen []fact.Observation
	took time.Duration
	note string // what is not read
}

func (s *studio) look(one *eval.Still, sight eval.Sight) (l look, err error) {
	if l.camera, err = s.open(sight); err != nil {
		return l, err
	}
	if err := fits(one, l.Calibration, l.file); err != nil {
		return l, err
	}
	path := filepath.Join(s.dir, sight.Image)
	img, err := cv.ReadImage(path)
	if err != nil {
		return l, err
	}
	defer img.Close()
	start := time.Now()
	l.seen, err = l.Look(img)
	l.took = time.Since(start)
	if errors.Is(err, calibration.ErrNoHeights) {
		l.note = fmt.Sprintf("chips are not read: %s: %v", l.file, err)
	} else if err != nil {
		return l, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// fits refuses truth that speaks of what the calibration does not know: it could never
// be met.
func fits(one *eval.Still, cal *calibration.Table, file string) error {
	for name, z := range one.Zones {
		if _, ok := cal.Zone(name); !ok {
			return fmt.Errorf("zone %q of the truth is none of %s: %s", name, file, names(cal.Zones, func(z calibration.Zone) string { return z.Name }))
		}
		for _, s := range z.Stacks {
			for _, id := range s.Chips {
				if !slices.ContainsFunc(cal.Palette, func(c calibration.Chip) bool { return c.ID == id }) {
					return fmt.Errorf("chip %q of zone %q of the truth is not in the palette of %s: %s", id, name, file,
						names(cal.Palette, func(c calibration.Chip) string { return c.ID }))
				}
			}
		}
	}
	return nil
}

// names lists some of what there is.
func names[T any](list []T, name func(T) string) string {
	const most = 30
	var out []string
	for _, v := range list[:min(len(list), most)] {
		out = append(out, name(v))
	}
	if len(list) > most {
		out = append(out, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(out, ", ")
}
