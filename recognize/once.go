package recognize

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/preview"
)

// Still reads every zone of a single picture as the live table reads those that lie at
// rest, and reports of each what lies there, in the calibration's order. Nothing that
// earlier pictures taught counts, but for what LearnBackground did. Where kinds cannot be read the
// error is why, and the observations are what is read of the others.
func (t *Table) Still(img gocv.Mat, at time.Time) ([]fact.Observation, error) {
	if err := t.fits(img); err != nil {
		return nil, err
	}
	t.relearn()
	out := make([]fact.Observation, 0, len(t.zones))
	var errs []error
	for _, z := range t.zones {
		z.reset()
		z.fused = rest{}
		o, _, err := t.read(z, img)
		if err != nil {
			errs = append(errs, fmt.Errorf("table %q camera %q zone %q: %w", t.cal.Table, t.cal.Camera, z.Name, err))
		}
		o.Time = at
		out = append(out, t.stamped(o))
	}
	return out, errors.Join(errs...)
}

// Once is Still with a picture of each zone.
func (t *Table) Once(img gocv.Mat, at time.Time) ([]preview.Zone, error) {
	seen, err := t.Still(img, at)
	if err != nil {
		return nil, err
	}
	out := make([]preview.Zone, 0, len(seen))
	for i, o := range seen {
		picture, err := t.show(t.zones[i], img)
		if err != nil {
			return out, fmt.Errorf("zone %q: %w", o.Zone, err)
		}
		out = append(out, preview.Zone{Read: o, Picture: picture})
	}
	return out, nil
}

// show is the zone as it is read, rectified, as a JPEG.
func (t *Table) show(z *zone, img gocv.Mat) ([]byte, error) {
	p := z.flat
	if p == nil {
		p = z.top
	}
	if p == nil {
		p = newPatch(t.view, z.Zone, tableCardScale, 0, tableAround)
		defer p.close()
	}
	cut := p.cut(img)
	defer cut.Close()
	b, err := gocv.IMEncode(gocv.JPEGFileExt, cut)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return append([]byte(nil), b.GetBytes()...), nil
}

// ServePreview answers one preview.Request.
func ServePreview(in io.Reader, out io.Writer) error {
	var a preview.Answer
	zones, err := answer(in)
	if a.Zones = zones; err != nil {
		a.Zones, a.Error = nil, err.Error()
	}
	return json.NewEncoder(out).Encode(a)
}

func answer(in io.Reader) ([]preview.Zone, error) {
	var q preview.Request
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return nil, err
	}
	if q.Calibration == nil {
		return nil, fmt.Errorf("calibration: missing")
	}
	img, err := cv.DecodeImage(q.Image)
	if err != nil {
		return nil, err
	}
	defer img.Close()
	t, err := NewTable(q.Calibration, Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Once(img, time.Time{})
}
