package console

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"net/http"
	"slices"
	"sync"
	"time"

	"vision/stream/account"
)

// What people do with their own accounts: password, second factor, sessions. Only
// who has logged in may; who still owes a password or a factor may too.

// enrolments are the secrets that people are just putting into their
// authenticators. They count once a code has come back.
type enrolments struct {
	mu    sync.Mutex
	items map[string]enrolment
}

type enrolment struct {
	secret string
	at     time.Time
}

// enrolLife is how long an offered secret may be taken up.
const enrolLife = 10 * time.Minute

func (e *enrolments) put(user, secret string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for u, x := range e.items {
		if time.Since(x.at) > enrolLife {
			delete(e.items, u)
		}
	}
	e.items[user] = enrolment{secret, time.Now()}
}

func (e *enrolments) get(user string) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	x, ok := e.items[user]
	return x.secret, ok && time.Since(x.at) <= enrolLife
}

func (e *enrolments) drop(user string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.items, user)
}

// ownAccount is what somebody sees of the own account.
type ownAccount struct {
	account.State
	Held     string    `json:"held,omitempty"` // what has to be done first: "password" or "factor"
	Sessions []Session `json:"sessions"`
	Language string    `json:"language"`
}

func (s *Server) own(w http.ResponseWriter, r *http.Request, a *Account) {
	st, _ := s.cfg.Accounts.State(a.User)
	list, err := s.sessionsOf(r.Context(), a.User, s.session(r.Context()))
	respond(w, ownAccount{st, sender(r.Context()).held, list, s.cfg.Language}, err)
}

// guessed slows down who tries passwords or codes in a session that is not theirs.
func (s *Server) guessed(w http.ResponseWriter, l *limiter, user string) bool {
	ok, wait := l.allow("own "+user, time.Now())
	if !ok {
		refuse(w, http.StatusTooManyRequests, "too many attempts; wait %v", wait.Round(time.Second))
	}
	return !ok
}

type passwordBody struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// setPassword changes the own password; all other sessions and all tokens end.
func (s *Server) setPassword(w http.ResponseWriter, r *http.Request, a *Account) {
	var in passwordBody
	if !read(w, r, &in, `{"old":"…","new":"…"}`) || s.guessed(w, s.limit, a.User) {
		return
	}
	if a.Issuer != "" {
		refuse(w, http.StatusConflict, "the identity provider keeps this password")
		return
	}
	if err := s.cfg.Accounts.SetPassword(a.User, in.Old, in.New); err != nil {
		if errors.Is(err, account.ErrWrong) {
			s.refused(r, Act{User: a.User, Action: "password_failed", Object: hostOf(r)})
		}
		deny(w, err)
		return
	}
	if now, ok := s.cfg.Accounts.Find(a.User); ok { // this session goes on
		s.sessions.Put(r.Context(), keyProof, now.Proof())
	}
	s.audit(r, a.User, "password", a.User)
	respond(w, map[string]bool{"changed": true}, s.endSessions(r.Context(), a.User, s.session(r.Context())))
}

type proofBody struct {
	Password string `json:"password"`
	Code     string `json:"code"`
}

// offerFactor makes a secret and its picture for the authenticator. The password
// is asked for again, where there is one here.
func (s *Server) offerFactor(w http.ResponseWriter, r *http.Request, a *Account) {
	var in proofBody
	if !read(w, r, &in, `{"password":"…"}`) || s.guessed(w, s.limit, a.User) {
		return
	}
	if s.cfg.Accounts.HasFactor(a.User) {
		refuse(w, http.StatusConflict, "there is a second factor already: take it away first")
		return
	}
	if a.Issuer == "" {
		if _, ok := s.cfg.Accounts.Login(a.User, in.Password); !ok {
			s.refused(r, Act{User: a.User, Action: "password_failed", Object: hostOf(r)})
			deny(w, account.ErrWrong)
			return
		}
	}
	key, err := account.NewSecret("vision", a.User)
	if err != nil {
		deny(w, err)
		return
	}
	img, err := key.Image(240, 240)
	var b bytes.Buffer
	if err == nil {
		err = png.Encode(&b, img)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "picture of the secret: %v", err)
		return
	}
	s.enrol.put(a.User, key.Secret())
	reply(w, map[string]string{"secret": key.Secret(), "uri": key.URL(), "picture": "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())})
}

// takeFactor takes the second factor up, once a code shows that the authenticator
// has it. Its answer holds the recovery codes, which are shown this once.
func (s *Server) takeFactor(w http.ResponseWriter, r *http.Request, a *Account) {
	var in proofBody
	if !read(w, r, &in, `{"code":"…"}`) || s.guessed(w, s.codes, a.User) {
		return
	}
	secret, ok := s.enrol.get(a.User)
	if !ok || s.cfg.Accounts.HasFactor(a.User) {
		refuse(w, http.StatusConflict, "ask for a secret first")
		return
	}
	recovery, err := s.cfg.Accounts.Enrol(a.User, secret, in.Code)
	if err != nil {
		deny(w, err)
		return
	}
	s.enrol.drop(a.User)
	s.audit(r, a.User, "factor", a.User)
	respond(w, map[string][]string{"recovery": recovery}, s.endSessions(r.Context(), a.User, s.session(r.Context())))
}

// dropFactor takes the second factor away, with a code of it. Where the role
// needs one another has to be set up before anything else.
func (s *Server) dropFactor(w http.ResponseWriter, r *http.Request, a *Account) {
	if !s.provesCode(w, r, a) {
		return
	}
	if err := s.cfg.Accounts.DropFactor(a.User, a.User); err != nil {
		deny(w, err)
		return
	}
	s.audit(r, a.User, "factor_removed", a.User)
	reply(w, map[string]bool{"removed": true})
}

// renewRecovery makes new recovery codes.
func (s *Server) renewRecovery(w http.ResponseWriter, r *http.Request, a *Account) {
	if !s.provesCode(w, r, a) {
		return
	}
	recovery, err := s.cfg.Accounts.Renew(a.User)
	if err != nil {
		deny(w, err)
		return
	}
	s.audit(r, a.User, "recovery_renewed", a.User)
	reply(w, map[string][]string{"recovery": recovery})
}

func (s *Server) provesCode(w http.ResponseWriter, r *http.Request, a *Account) bool {
	var in proofBody
	if !read(w, r, &in, `{"code":"…"}`) || s.guessed(w, s.codes, a.User) {
		return false
	}
	if _, err := s.cfg.Accounts.Spend(a.User, in.Code); err != nil {
		if errors.Is(err, account.ErrCode) {
			s.refused(r, Act{User: a.User, Action: "code_failed", Object: hostOf(r)})
		}
		deny(w, err)
		return false
	}
	return true
}

// endOwn ends one of the own sessions.
func (s *Server) endOwn(w http.ResponseWriter, r *http.Request, a *Account) {
	list, err := s.sessionsOf(r.Context(), a.User, s.session(r.Context()))
	i := slices.IndexFunc(list, func(x Session) bool { return x.ID == r.PathValue("id") })
	switch {
	case err == nil && i < 0:
		s.notYours(w, r, "no session %q of yours", r.PathValue("id"))
		return
	case err == nil && list[i].This:
		err = s.sessions.Destroy(r.Context())
	case err == nil:
		err = s.store.Delete(list[i].token)
	}
	if err != nil {
		deny(w, err)
		return
	}
	s.audit(r, a.User, "session_ended", a.User+" "+r.PathValue("id"))
	reply(w, map[string]bool{"ended": true})
}

// endOthers ends all own sessions but this one, and all tokens.
func (s *Server) endOthers(w http.ResponseWriter, r *http.Request, a *Account) {
	if err := s.endSessions(r.Context(), a.User, s.session(r.Context())); err != nil {
		deny(w, err)
		return
	}
	s.audit(r, a.User, "sessions_ended", a.User)
	reply(w, map[string]bool{"ended": true})
}
