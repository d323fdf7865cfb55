package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"vision/stream/account"
	"vision/stream/evidence"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/record"
)

// Archive is what the console needs of recordings and cases.
type Archive interface {
	Usage() []record.Usage
	Seals() []record.SealSpan
	Seal(record.SealSpan) error
	Release(table string, from, to time.Time, by string) error
	// Keep notes a new case in the ledger.
	Keep(evidence.Case) error
	// Write writes the zip of a case.
	Write(ctx context.Context, c evidence.Case, w io.Writer) error
	// Large reports whether it is too large for a page.
	Large(evidence.Case) bool
}

// newCase puts a case together: its time is sealed at all its tables at once, so
// that nothing of it goes while people decide.
func (s *Server) newCase(w http.ResponseWriter, r *http.Request, a *Account) {
	var in struct {
		Title  string    `json:"title"`
		Tables []string  `json:"tables"`
		From   time.Time `json:"from"`
		To     time.Time `json:"to"`
		Note   string    `json:"note"`
	}
	if !read(w, r, &in, `{"title":"…","tables":["BJ1"],"from":"…","to":"…","note":"…"}`) {
		return
	}
	c := evidence.New(in.Title, a.User, in.Tables, in.From, in.To, in.Note)
	if err := c.Check(); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	if !s.mayAll(w, r, Export, c.Tables) {
		return
	}
	for _, id := range c.Tables {
		if err := s.cfg.Archive.Seal(record.SealSpan{Table: id, From: c.From, To: c.To, By: a.User,
			Why: "case " + c.ID + ": " + c.Title}); err != nil {
			deny(w, err)
			return
		}
	}
	respond(w, c, s.cfg.Archive.Keep(c))
}

// caseList is the cases of the tables that the caller may see, newest first.
func (s *Server) caseList(ctx context.Context, a *Account) ([]evidence.Case, error) {
	list, err := s.cfg.Index.Entries(ctx, index.Query{Kind: ledger.Case, Limit: 10000})
	out := []evidence.Case{}
	for _, e := range list {
		var c evidence.Case
		if json.Unmarshal(e.Payload, &c) == nil && sees(a, c.Tables...) {
			out = append(out, c)
		}
	}
	return out, err
}

func (s *Server) cases(w http.ResponseWriter, r *http.Request, a *Account) {
	list, err := s.caseList(r.Context(), a)
	respond(w, list, err)
}

// caseZip streams a case, as its zip or as the page that holds it. A zip that breaks off on the way has no
// manifest, and `vision verify` says so.
func (s *Server) caseZip(w http.ResponseWriter, r *http.Request, a *Account) {
	list, err := s.caseList(r.Context(), a)
	if err != nil {
		deny(w, err)
		return
	}
	i := slices.IndexFunc(list, func(c evidence.Case) bool { return c.ID == r.PathValue("id") })
	if i < 0 {
		s.notYours(w, r, "no case %q of yours", r.PathValue("id"))
		return
	}
	c, page := list[i], r.URL.Query().Has("page")
	if page && s.cfg.Archive.Large(c) {
		refuse(w, http.StatusConflict, "%v", evidence.ErrPage)
		return
	}
	if !s.act(w, r, Act{User: a.User, Action: "export", Object: c.ID, Text: c.Title}) {
		return
	}
	form, kind, write := "zip", "application/zip", s.cfg.Archive.Write
	if page {
		form, kind = "html", "text/html; charset=utf-8"
		write = func(ctx context.Context, c evidence.Case, w io.Writer) error {
			p, err := CasePage(w, s.cfg.Spots)
			if err != nil {
				return err
			}
			if err := s.cfg.Archive.Write(ctx, c, p); err != nil {
				return err
			}
			return p.Close()
		}
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="case-%s.%s"`, c.ID, form))
	if err := write(r.Context(), c, w); err != nil {
		s.cfg.Log.Error("export", "case", c.ID, "user", a.User, "err", err)
		panic(http.ErrAbortHandler) // the only way left to say that it is not whole
	}
}

func (s *Server) seals(w http.ResponseWriter, _ *http.Request, a *Account) {
	out := []record.SealSpan{}
	for _, x := range s.cfg.Archive.Seals() {
		if sees(a, x.Table) {
			out = append(out, x)
		}
	}
	reply(w, out)
}

type sealBody struct {
	Table string    `json:"table"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Why   string    `json:"why"`
}

const sealWant = `{"table":"BJ1","from":"…","to":"…","why":"…"}`

// seal puts a span of a table beyond retention.
func (s *Server) seal(w http.ResponseWriter, r *http.Request, a *Account) {
	var in sealBody
	if !read(w, r, &in, sealWant) {
		return
	}
	if !s.mayAll(w, r, Export, []string{in.Table}) {
		return
	}
	if !in.From.Before(in.To) || in.Why == "" || len(in.Why) > maxNote {
		refuse(w, http.StatusBadRequest, "seal: want from before to, and why")
		return
	}
	span := record.SealSpan{Table: in.Table, From: in.From.UTC(), To: in.To.UTC(), By: a.User, Why: in.Why}
	respond(w, span, s.cfg.Archive.Seal(span))
}

// release takes a seal back.
func (s *Server) release(w http.ResponseWriter, r *http.Request, a *Account) {
	var in sealBody
	if !read(w, r, &in, sealWant) {
		return
	}
	if !s.mayAll(w, r, Export, []string{in.Table}) {
		return
	}
	if !s.may(w, r, Release, object{Object: account.Of(in.Table), id: in.Table}) { // the table may be gone
		return
	}
	if err := s.cfg.Archive.Release(in.Table, in.From, in.To, a.User); err != nil {
		refuse(w, http.StatusNotFound, "%v", err)
		return
	}
	reply(w, map[string]bool{"released": true})
}
