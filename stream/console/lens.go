package console

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"vision/calibration/lens"
)

// maxStill bounds a picture of a calibration board.
const maxStill = 8 << 20

// boardOf reads the board's measures; without any it is the one for printing.
func boardOf(q url.Values) (b lens.Board, err error) {
	b = lens.Printed
	for name, to := range map[string]*int{"cols": &b.Cols, "rows": &b.Rows} {
		if v := q.Get(name); v != "" {
			if *to, err = strconv.Atoi(v); err != nil {
				return b, errors.New(name + ": want a number")
			}
		}
	}
	if v := q.Get("square"); v != "" {
		if b.Square, err = strconv.ParseFloat(v, 64); err != nil {
			return b, errors.New("square: want millimetres")
		}
	}
	b.Plain = q.Get("plain") == "true"
	return b, b.Check()
}

// findBoard says where a still of the camera shows the board's corners.
func (s *Server) findBoard(w http.ResponseWriter, r *http.Request, a *Account) {
	if _, _, ok := s.tableOf(w, r, a); !ok {
		return
	}
	b, err := boardOf(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	image, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxStill))
	if err != nil || len(image) == 0 {
		refuse(w, http.StatusBadRequest, "body: want a picture of at most %d MiB", maxStill>>20)
		return
	}
	v, err := s.cfg.Calibrations.FindBoard(r.Context(), b, image)
	lookedAt(w, v, err)
}

// lensBody is what was seen of a board.
type lensBody struct {
	Board lens.Board  `json:"board"`
	Views []lens.View `json:"views"`
}

// maxViews bounds the pictures of one measurement.
const maxViews = 100

// measureLens fits a lens; it saves nothing.
func (s *Server) measureLens(w http.ResponseWriter, r *http.Request, a *Account) {
	var in lensBody
	if _, _, ok := s.tableOf(w, r, a); !ok || !readCalibration(w, r, &in) {
		return
	}
	if err := in.Board.Check(); err != nil || len(in.Views) > maxViews {
		refuse(w, http.StatusBadRequest, "%d views, at most %d: %v", len(in.Views), maxViews, err)
		return
	}
	got, err := s.cfg.Calibrations.MeasureLens(r.Context(), in.Board, in.Views)
	lookedAt(w, got, err)
}

// lookedAt says what came of looking at pictures.
func lookedAt(w http.ResponseWriter, v any, err error) {
	switch {
	case errors.Is(err, lens.ErrRequest):
		refuse(w, http.StatusBadRequest, "%v", err)
	case errors.Is(err, lens.ErrPoor):
		refuse(w, http.StatusUnprocessableEntity, "%v", err)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "%v", err)
	default:
		reply(w, v)
	}
}
