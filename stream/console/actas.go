package console

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"vision/stream/account"
	"vision/stream/acta"
)

// actas are those of which the caller may see every table, newest first.
func (s *Server) actas(r *http.Request, a *Account) (any, error) {
	list, err := s.cfg.Actas.List(r.Context())
	return slices.DeleteFunc(list, func(x acta.Item) bool { return !sees(a, x.Tables...) }), err
}

// newActa makes an acta of what the ledger has by now.
func (s *Server) newActa(r *http.Request, a *Account, in acta.Request) (any, error) {
	if in.Table != "" {
		if err := s.mayAll(r, Export, []string{in.Table}); err != nil {
			return nil, err
		}
	}
	may := func(tables []string) error { return a.May(Export, account.Of(tables...)) }
	made, err := s.cfg.Actas.Make(r.Context(), in, a.User, may)
	if errors.Is(err, account.ErrTable) {
		return nil, s.notYours(r, "no jefe %q with tables of yours alone", in.Jefe)
	}
	return made, err
}

// acta is one: as JSON; with ?format=line as the signed line of the ledger, which
// `vision verify` checks; with ?format=csv&part=findings as a table.
func (s *Server) acta(w http.ResponseWriter, r *http.Request, a *Account) {
	x, line, err := s.cfg.Actas.Get(r.Context(), r.PathValue("id"))
	if errors.Is(err, acta.ErrUnknown) || err == nil && !sees(a, x.Names()...) {
		err = s.notYours(r, "no acta %q of yours", r.PathValue("id"))
	}
	if err != nil {
		deny(w, err)
		return
	}
	part := r.FormValue("part")
	w.Header().Set("Cache-Control", "no-store")
	switch format := r.FormValue("format"); format {
	case "", "json":
		reply(w, x)
	case "line":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="acta-%s.json"`, x.ID))
		_, _ = w.Write(append(line, '\n'))
	case "csv":
		if !slices.Contains(acta.Parts, part) {
			refuse(w, http.StatusBadRequest, "part %q: want one of %v", part, acta.Parts)
			return
		}
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="acta-%s-%s.csv"`, x.ID, part))
		if err := x.WriteCSV(w, part); err != nil {
			s.cfg.Log.Error("acta", "id", x.ID, "err", err)
		}
	default:
		refuse(w, http.StatusBadRequest, "format %q: want json, line or csv", format)
	}
}
