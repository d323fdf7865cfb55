package measure

import (
	"fmt"
	"path/filepath"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/recognize/rack"
)

// betweenRests of a rack is as long as a hand is at it.
const betweenRests = 5 * time.Second

// Racks reads the series of racks of the set in dir with the reader of the live table; done is told of each.
func Racks(dir string, set []eval.Rack, done func()) (eval.RackResult, error) {
	r := eval.RackResult{Set: filepath.Base(filepath.Clean(dir))}
	for i := range set {
		if told, err := readRack(dir, &set[i]); err != nil {
			r.Fail(set[i].Calibration, err)
		} else {
			r.Add(&set[i], told)
		}
		done()
	}
	if len(r.Failed) == len(set) {
		return r, fmt.Errorf("%s: none of its %d racks can be measured: %s", dir, len(set), r.Failed[0].Err)
	}
	return r, nil
}

// readRack is what a reader tells of each rest of a rack.
func readRack(dir string, s *eval.Rack) (told [][]fact.Tube, err error) {
	cal, err := calibration.Load(filepath.Join(dir, s.Calibration))
	if err != nil {
		return nil, err
	}
	if cal.Rack == nil || len(cal.Rack.Tubes) != len(s.Rests[0].Tubes) {
		return nil, fmt.Errorf("its truth is of %d tubes, which the calibration has not", len(s.Rests[0].Tubes))
	}
	view, err := cal.View()
	if err != nil {
		return nil, err
	}
	reader := rack.NewReader(cal, view)
	for n := range s.Rests {
		img, err := cv.ReadImage(filepath.Join(dir, s.Rests[n].Image))
		if err != nil {
			return nil, err
		}
		pix, err := img.DataPtrUint8()
		if err == nil && (img.Cols() != cal.Size[0] || img.Rows() != cal.Size[1]) {
			err = fmt.Errorf("%s: %d×%d pixels, the calibration is of %d×%d", s.Rests[n].Image, img.Cols(), img.Rows(),
				cal.Size[0], cal.Size[1])
		}
		if err == nil {
			told = append(told, reader.Read(pix, start.Add(time.Duration(n)*betweenRests)))
		}
		img.Close()
		if err != nil {
			return nil, err
		}
	}
	return told, nil
}
