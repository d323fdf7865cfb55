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

type caseBody struct {
	Title  string    `json:"title"`
	Tables []string  `json:"tables"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Note   string    `json:"note"`
}

// newCase puts a case together: its time is sealed at all its tables at once, so
// that nothing of it goes while people decide.
func (s *Server) newCase(r *http.Request, a *Account, in caseBody) (any, error) {
	c := evidence.New(in.Title, a.User, in.Tables, in.From, in.To, in.Note)
	if err := c.Check(); err != nil {
		return nil, &Refusal{Problem: err}
	}
	if err := s.mayAll(r, Export, c.Tables); err != nil {
		return nil, err
	}
	for _, id := range c.Tables {
		if err := s.cfg.Archive.Seal(record.SealSpan{Table: id, From: c.From, To: c.To, By: a.User,
			Why: "case " + c.ID + ": " + c.Title}); err != nil {
			return nil, err
		}
	}
	return c, s.cfg.Archive.Keep(c)
}

// caseList is the cases of the tables that the caller may see, newest first.
func (s *Server) caseList(r *http.Request, a *Account) ([]evidence.Case, error) {
	list, err := s.cfg.Index.Entries(r.Context(), index.Query{Kind: ledger.Case, Limit: 10000})
	out := []evidence.Case{}
	for _, e := range list {
		var c evidence.Case
		if json.Unmarshal(e.Payload, &c) == nil && sees(a, c.Tables...) {
			out = append(out, c)
		}
	}
	return out, err
}

// caseZip streams a case, as its zip or as the page that holds it. A zip that breaks off on the way has no
// manifest, and `vision verify` says so.
func (s *Server) caseZip(w http.ResponseWriter, r *http.Request, a *Account) {
	list, err := s.caseList(r, a)
	if err != nil {
		deny(w, err)
		return
	}
	i := slices.IndexFunc(list, func(c evidence.Case) bool { return c.ID == r.PathValue("id") })
	if i < 0 {
		deny(w, s.notYours(r, "no case %q of yours", r.PathValue("id")))
		return
	}
	c, page := list[i], r.URL.Query().Has("page")
	if page && s.cfg.Archive.Large(c) {
		refuse(w, http.StatusConflict, "%v", evidence.ErrPage)
		return
	}
	if err := s.act(r, Act{User: a.User, Action: "export", Object: c.ID, Text: c.Title}); err != nil {
		deny(w, err)
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

func (s *Server) seals(_ *http.Request, a *Account) (any, error) {
	return visible(a, s.cfg.Archive.Seals(), func(x record.SealSpan) string { return x.Table }), nil
}

type sealBody struct {
	Table string    `json:"table"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Why   string    `json:"why"`
}

const sealWant = `{"table":"BJ1","from":"…","to":"…","why":"…"}`

// seal puts a span of a table beyond retention.
func (s *Server) seal(r *http.Request, a *Account, in sealBody) (any, error) {
	if err := s.mayAll(r, Export, []string{in.Table}); err != nil {
		return nil, err
	}
	if !in.From.Before(in.To) || in.Why == "" || len(in.Why) > maxNote {
		return nil, refusal(http.StatusBadRequest, "seal: want from before to, and why")
	}
	span := record.SealSpan{Table: in.Table, From: in.From.UTC(), To: in.To.UTC(), By: a.User, Why: in.Why}
	return span, s.cfg.Archive.Seal(span)
}

// release takes a seal back.
func (s *Server) release(r *http.Request, a *Account, in sealBody) (any, error) {
	if err := s.mayAll(r, Export, []string{in.Table}); err != nil {
		return nil, err
	}
	if err := s.may(r, Release, object{Object: account.Of(in.Table), id: in.Table}); err != nil { // the table may be gone
		return nil, err
	}
	if err := s.cfg.Archive.Release(in.Table, in.From, in.To, a.User); err != nil {
		return nil, refusal(http.StatusNotFound, "%v", err)
	}
	return map[string]bool{"released": true}, nil
}
