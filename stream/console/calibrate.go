package console

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/calibration/lens"
	"vision/internal/fact"
	"vision/recognize/preview"
)

// Calibrations is what the console needs of the cameras' calibrations.
type Calibrations interface {
	// Calibration is a camera's present one, nil where it has none, and the
	// versions that were kept, newest first.
	Calibration(camera string) (*calibration.Table, []Version, error)
	// CalibrationVersion is one that was kept; fs.ErrNotExist where there is none.
	CalibrationVersion(camera, id string) (*calibration.Table, error)
	// SaveCalibration puts one in force; *BadCalibration where it cannot be used.
	SaveCalibration(by, camera string, t *calibration.Table) error
	// FindBoard looks for a calibration board in a picture (JPEG, PNG), MeasureLens
	// fits a lens to what was found; errors wrap lens.ErrRequest where the request
	// is at fault, lens.ErrPoor where the measurement is not good enough.
	FindBoard(ctx context.Context, b lens.Board, image []byte) (lens.View, error)
	MeasureLens(ctx context.Context, b lens.Board, views []lens.View) (lens.Result, error)
	// TryCalibration reads a picture of the camera (JPEG, PNG) by a calibration that is
	// not in force: what its readers would see. Errors wrap preview.ErrRequest where
	// calibration or picture are at fault.
	TryCalibration(ctx context.Context, camera string, t *calibration.Table, image []byte) ([]Sight, error)
	// ConfirmCamera notes that a camera stands as it should.
	ConfirmCamera(by, camera string) error
}

// Sight is one zone as the readers see it.
type Sight struct {
	Zone     string `json:"zone"`
	Picture  []byte `json:"picture"`  // JPEG: straightened, as it is read
	Readings any    `json:"readings"` // as in the events of type overlay
}

// Version is a calibration that was kept.
type Version struct {
	ID      string    `json:"id"`
	Saved   time.Time `json:"saved"`
	Current bool      `json:"current"`
}

// BadCalibration is one that cannot be put in force.
type BadCalibration struct{ Problem error }

func (e *BadCalibration) Error() string { return e.Problem.Error() }
func (e *BadCalibration) Unwrap() error { return e.Problem }

// tableOf is the table of a camera that the caller may see.
func (s *Server) tableOf(w http.ResponseWriter, r *http.Request, a *Account) (camera string, t Table, ok bool) {
	camera = r.PathValue("camera")
	for _, t := range s.cfg.Tables() {
		if a.Sees(t.ID) && slices.ContainsFunc(t.Cameras, func(c Camera) bool { return c.Name == camera }) {
			return camera, t, true
		}
	}
	s.notYours(w, r, "no camera %q of yours", camera)
	return camera, Table{}, false
}

func (s *Server) calibration(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, t, ok := s.tableOf(w, r, a)
	if !ok {
		return
	}
	cal, versions, err := s.cfg.Calibrations.Calibration(camera)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, map[string]any{"camera": camera, "table": t, "games": layout.Games, "calibration": cal, "versions": versions, "chips": calibration.PlainChips()})
}

// fitBody is what a technician clicked: points of the table in the picture.
// Corner names one of the layout's corners, or a middle of its edges.
type fitBody struct {
	Game   string           `json:"game"`
	Seats  int              `json:"seats"`
	Width  float64          `json:"width"` // of the layout in millimetres; 0: the template's
	Card   [2]float64       `json:"card"`
	Die    float64          `json:"die"`
	Deck   string           `json:"deck"`
	Size   [2]int           `json:"size"` // of the picture
	Lens   calibration.Lens `json:"lens"` // zero: is estimated
	Points []struct {
		Corner string     `json:"corner"`
		Px     fact.Point `json:"px"`
	} `json:"points"`
}

// corners are where a layout's named points lie, as shares of width and depth.
var corners = map[string]fact.Point{
	"far_left": {0, 0}, "far_right": {1, 0}, "near_right": {1, 1}, "near_left": {0, 1},
	"far_middle": {0.5, 0}, "near_middle": {0.5, 1}, "left_middle": {0, 0.5}, "right_middle": {1, 0.5},
}

// maxCalibration bounds a calibration's JSON: a roulette's is some 60 kB.
const maxCalibration = 1 << 20

// readCalibration takes a JSON body of a calibration's size.
func readCalibration(w http.ResponseWriter, r *http.Request, v any) bool {
	return readBody(w, r, maxCalibration, v)
}

func readBody(w http.ResponseWriter, r *http.Request, most int64, v any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		refuse(w, http.StatusBadRequest, "body: %v", err)
		return false
	}
	return true
}

// fitCalibration makes a calibration from a template and clicked points, and
// says how well they fit; it saves nothing.
func (s *Server) fitCalibration(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, t, ok := s.tableOf(w, r, a)
	var in fitBody
	if !ok || !readCalibration(w, r, &in) {
		return
	}
	l, err := layout.New(in.Game, layout.Dims{Seats: in.Seats, Width: in.Width, Card: in.Card, Norm: t.Norm})
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	cal := &calibration.Table{Schema: calibration.Schema, Table: t.ID, Camera: camera, Size: in.Size, Lens: in.Lens, Zones: l.Zones, Card: in.Card, Die: in.Die, Deck: in.Deck}
	cal.Palette = calibration.PlainChips()
	if old, _, err := s.cfg.Calibrations.Calibration(camera); err == nil && old != nil {
		cal.Palette = old.Palette
	}
	var pairs []calibration.Pair
	for _, p := range in.Points {
		at, known := corners[p.Corner]
		if !known {
			refuse(w, http.StatusBadRequest, "corner %q: want far_left, far_right, near_right, near_left, far_middle …", p.Corner)
			return
		}
		pairs = append(pairs, calibration.Pair{From: p.Px, To: fact.Point{at[0] * l.Width, at[1] * l.Depth}})
	}
	residual, err := cal.Fit(pairs)
	if err == nil && residual > calibration.MaxResidual {
		err = calibration.ErrResidual
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "points: %v", err)
		return
	}
	reply(w, map[string]any{"calibration": cal, "residual": residual, "width": l.Width, "depth": l.Depth})
}

// previewBody is a calibration and a picture to read by it.
type previewBody struct {
	Calibration calibration.Table `json:"calibration"`
	Image       []byte            `json:"image"`
}

// tryCalibration says what the readers would see by a calibration; it saves nothing.
func (s *Server) tryCalibration(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, _, ok := s.tableOf(w, r, a)
	if !ok {
		return
	}
	var in previewBody
	if !readBody(w, r, maxCalibration+maxStill*4/3, &in) {
		return
	}
	zones, err := s.cfg.Calibrations.TryCalibration(r.Context(), camera, &in.Calibration, in.Image)
	switch {
	case errors.Is(err, preview.ErrRequest):
		refuse(w, http.StatusBadRequest, "%v", err)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "%v", err)
	default:
		reply(w, map[string]any{"zones": zones})
	}
}

func (s *Server) saveCalibration(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, _, ok := s.tableOf(w, r, a)
	var cal calibration.Table
	if !ok || !readCalibration(w, r, &cal) {
		return
	}
	s.saved(w, s.cfg.Calibrations.SaveCalibration(a.User, camera, &cal), camera)
}

// saved answers how it came out.
func (s *Server) saved(w http.ResponseWriter, err error, camera string) {
	var bad *BadCalibration
	switch {
	case errors.As(err, &bad):
		refuse(w, http.StatusBadRequest, "calibration: %v", bad)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "%v", err)
	default:
		_, versions, _ := s.cfg.Calibrations.Calibration(camera)
		reply(w, map[string]any{"versions": versions})
	}
}

func (s *Server) calibrationVersion(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, _, ok := s.tableOf(w, r, a)
	if !ok {
		return
	}
	cal, err := s.cfg.Calibrations.CalibrationVersion(camera, r.PathValue("version"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		refuse(w, http.StatusNotFound, "no version %q of %s", r.PathValue("version"), camera)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "%v", err)
	default:
		reply(w, cal)
	}
}

func (s *Server) confirmCamera(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, _, ok := s.tableOf(w, r, a)
	if !ok {
		return
	}
	if err := s.cfg.Calibrations.ConfirmCamera(a.User, camera); err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, map[string]bool{"confirmed": true})
}
