package console

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"vision/stream/index"
)

// statistics are figures of rounds and alerts, grouped by ?by=table,game,day; days are
// those of the machine's zone.
func (s *Server) statistics(w http.ResponseWriter, r *http.Request, a *Account) {
	q, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	by := slices.DeleteFunc(strings.Split(r.FormValue("by"), ","), func(g string) bool { return g == "" })
	if i := slices.IndexFunc(by, func(g string) bool { return !slices.Contains(index.Groupings, g) }); i >= 0 {
		refuse(w, http.StatusBadRequest, "by %q: want some of %v", by[i], index.Groupings)
		return
	}
	if len(a.Tables) > 0 {
		q.Tables = a.Tables
	}
	got, err := s.cfg.Index.Statistics(r.Context(), q, by, time.Local)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, got)
}
