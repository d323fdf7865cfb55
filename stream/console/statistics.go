package console

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"vision/stream/index"
)

// Place is where on a table's felt something lies, by the calibrations in force.
type Place struct {
	Name    string       `json:"name"`
	Seat    int          `json:"seat,omitempty"`
	Spot    string       `json:"spot,omitempty"`
	Polygon [][2]float64 `json:"polygon"` // mm
}

// layout is where on a table's felt which bets lie.
func (s *Server) layout(r *http.Request, _ *Account) (any, error) {
	places := []Place{}
	if s.cfg.Layout != nil {
		places = append(places, s.cfg.Layout(r.PathValue("table"))...)
	}
	return places, nil
}

// statistics are figures of rounds and alerts, grouped by ?by=table,game,day,week,hour; days
// and hours are those of the machine's zone.
func (s *Server) statistics(r *http.Request, a *Account) (any, error) {
	q, err := asked(r.URL.Query())
	if err != nil {
		return nil, err
	}
	by := slices.DeleteFunc(strings.Split(r.FormValue("by"), ","), func(g string) bool { return g == "" })
	if i := slices.IndexFunc(by, func(g string) bool { return !slices.Contains(index.Groupings, g) }); i >= 0 {
		return nil, refusal(http.StatusBadRequest, "by %q: want some of %v", by[i], index.Groupings)
	}
	got, err := s.cfg.Index.Statistics(r.Context(), within(a, q), by, time.Local)
	if err != nil {
		return nil, err
	}
	if !sender(r.Context()).peer { // another machine puts them together with its own
		for i := range got {
			got[i].Acknowledged = nil
		}
	}
	return got, nil
}
