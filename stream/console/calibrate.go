package console

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"time"
)

// Calibrations is what the console needs of the cameras' calibrations. It hands on what
// the page asks and what it is answered: what a calibration, a board or a lens is, it
// does not know. Errors that are a *Refusal find fault with what was asked.
type Calibrations interface {
	// Calibration is a camera's present one, and what is there to make another.
	Calibration(camera string) (Sheet, error)
	// CalibrationVersion is one that was kept; fs.ErrNotExist where there is none.
	CalibrationVersion(camera, id string) (any, error)
	// FitCalibration makes one from points that were clicked, and says how well they
	// fit; it saves nothing.
	FitCalibration(camera string, clicks json.RawMessage) (any, error)
	// PlaceRack puts the bank's rack into one, by its corners in the picture, and says where its tubes show; it
	// saves nothing.
	PlaceRack(camera string, place json.RawMessage) (any, error)
	// SaveCalibration puts one in force.
	SaveCalibration(by, camera string, cal json.RawMessage) error
	// TryCalibration reads a picture of the camera (JPEG, PNG) by one that is not in
	// force: what its readers would see.
	TryCalibration(ctx context.Context, camera string, cal json.RawMessage, image []byte) ([]Sight, error)
	// FindBoard looks for a calibration board of these measures in a picture (JPEG,
	// PNG), MeasureLens fits a lens to what was found.
	FindBoard(ctx context.Context, measures url.Values, image []byte) (any, error)
	MeasureLens(ctx context.Context, seen json.RawMessage) (any, error)
	// EmptyTable is a camera's picture of the empty table, PNG or JPEG; fs.ErrNotExist
	// where there is none. TakeEmpty takes another, which is in force at once.
	EmptyTable(camera string) ([]byte, error)
	TakeEmpty(ctx context.Context, by, camera string) error
	// ConfirmCamera notes that a camera stands as it should.
	ConfirmCamera(by, camera string) error
}

// Sheet is all that the page of a camera's calibration starts from.
type Sheet struct {
	Calibration any       // nil where there is none
	Versions    []Version // that were kept, newest first; never nil
	Games       []string  // of which there is a template
	Packs       []string  // that the norm allows for the table's game; never nil
	Chips       any       // those that are offered
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

// ErrBeginning is of a camera whose table has not begun to run: it has only just been set up,
// or has come from another machine.
var ErrBeginning = errors.New("its table is about to begin here: ask again in a moment")

// Refusal is a request that cannot be granted as it was asked.
type Refusal struct {
	Problem error
	Poor    bool // it makes sense, but what was measured is not good enough
}

func (e *Refusal) Error() string { return e.Problem.Error() }
func (e *Refusal) Unwrap() error { return e.Problem }

// tableOf is the table of a camera, or of the draft that it is for.
func (s *Server) tableOf(camera string) Table {
	if t, ok := s.tableWith(camera); ok {
		return t
	}
	t, _ := s.draftOf(camera)
	return t
}

func (s *Server) calibration(r *http.Request, _ *Account) (any, error) {
	camera := r.PathValue("camera")
	c, err := s.cfg.Calibrations.Calibration(camera)
	return map[string]any{"camera": camera, "table": s.tableOf(camera), "games": c.Games, "packs": c.Packs,
		"calibration": c.Calibration, "versions": c.Versions, "chips": c.Chips}, err
}

// maxCalibration bounds a calibration's JSON: a roulette's is some 60 kB.
const maxCalibration = 1 << 20

// fitCalibration makes a calibration from a template and clicked points, and
// says how well they fit; it saves nothing.
func (s *Server) fitCalibration(r *http.Request, _ *Account, clicks json.RawMessage) (any, error) {
	return s.cfg.Calibrations.FitCalibration(r.PathValue("camera"), clicks)
}

// placeRack puts a rack into a calibration; it saves nothing.
func (s *Server) placeRack(r *http.Request, _ *Account, place json.RawMessage) (any, error) {
	return s.cfg.Calibrations.PlaceRack(r.PathValue("camera"), place)
}

// previewBody is a calibration and a picture to read by it.
type previewBody struct {
	Calibration json.RawMessage `json:"calibration"`
	Image       []byte          `json:"image"`
}

// tryCalibration says what the readers would see by a calibration; it saves nothing.
func (s *Server) tryCalibration(r *http.Request, _ *Account, in previewBody) (any, error) {
	zones, err := s.cfg.Calibrations.TryCalibration(r.Context(), r.PathValue("camera"), in.Calibration, in.Image)
	return map[string]any{"zones": zones}, err
}

func (s *Server) saveCalibration(r *http.Request, a *Account, cal json.RawMessage) (any, error) {
	camera := r.PathValue("camera")
	err := s.cfg.Calibrations.SaveCalibration(a.User, camera, cal)
	var now Sheet
	if err == nil {
		now, err = s.cfg.Calibrations.Calibration(camera)
	}
	return map[string]any{"versions": now.Versions}, err
}

func (s *Server) calibrationVersion(r *http.Request, _ *Account) (any, error) {
	camera := r.PathValue("camera")
	cal, err := s.cfg.Calibrations.CalibrationVersion(camera, r.PathValue("version"))
	if errors.Is(err, fs.ErrNotExist) {
		err = refusal(http.StatusNotFound, "no version %q of %s", r.PathValue("version"), camera)
	}
	return cal, err
}

func (s *Server) confirmCamera(r *http.Request, a *Account) (any, error) {
	return map[string]bool{"confirmed": true}, s.cfg.Calibrations.ConfirmCamera(a.User, r.PathValue("camera"))
}

// emptyTable is the picture of the empty table.
func (s *Server) emptyTable(w http.ResponseWriter, r *http.Request, _ *Account) {
	b, err := s.cfg.Calibrations.EmptyTable(r.PathValue("camera"))
	if errors.Is(err, fs.ErrNotExist) {
		err = refusal(http.StatusNotFound, "no picture of the empty table was taken")
	}
	if err != nil {
		deny(w, err)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(b))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b)
}

func (s *Server) takeEmpty(r *http.Request, a *Account) (any, error) {
	return map[string]bool{"taken": true}, s.cfg.Calibrations.TakeEmpty(r.Context(), a.User, r.PathValue("camera"))
}

// maxStill bounds a picture of a calibration board.
const maxStill = 8 << 20

// findBoard says where a still of the camera shows the board's corners.
func (s *Server) findBoard(w http.ResponseWriter, r *http.Request, _ *Account) {
	image, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxStill))
	if err != nil || len(image) == 0 {
		refuse(w, http.StatusBadRequest, "body: want a picture of at most %d MiB", maxStill>>20)
		return
	}
	v, err := s.cfg.Calibrations.FindBoard(r.Context(), r.URL.Query(), image)
	respond(w, v, err)
}

// measureLens fits a lens; it saves nothing.
func (s *Server) measureLens(r *http.Request, _ *Account, seen json.RawMessage) (any, error) {
	return s.cfg.Calibrations.MeasureLens(r.Context(), seen)
}
