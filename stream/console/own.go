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

func (s *Server) own(r *http.Request, a *Account) (any, error) {
	st, _ := s.cfg.Accounts.State(a.User)
	list, err := s.sessionsOf(r.Context(), a.User, s.session(r.Context()))
	return ownAccount{st, sender(r.Context()).held, list, s.cfg.Language}, err
}

// guessed slows down who tries passwords or codes in a session that is not theirs.
func guessed(l *limiter, user string) error {
	if ok, wait := l.allow("own "+user, time.Now()); !ok {
		return tooMany(wait, time.Second, "too many attempts; wait %v")
	}
	return nil
}

type passwordBody struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// setPassword changes the own password; all other sessions and all tokens end.
func (s *Server) setPassword(r *http.Request, a *Account, in passwordBody) (any, error) {
	if err := guessed(s.limit, a.User); err != nil {
		return nil, err
	}
	if a.Issuer != "" {
		return nil, refusal(http.StatusConflict, "the identity provider keeps this password")
	}
	if err := s.cfg.Accounts.SetPassword(a.User, in.Old, in.New); err != nil {
		if errors.Is(err, account.ErrWrong) {
			s.refused(r, Act{User: a.User, Action: "password_failed", Object: hostOf(r)})
		}
		return nil, err
	}
	if now, ok := s.cfg.Accounts.Find(a.User); ok { // this session goes on
		s.sessions.Put(r.Context(), keyProof, now.Proof())
	}
	s.audit(r, a.User, "password", a.User)
	return map[string]bool{"changed": true}, s.endSessions(r.Context(), a.User, s.session(r.Context()))
}

type proofBody struct {
	Password string `json:"password"`
	Code     string `json:"code"`
}

// offerFactor makes a secret and its picture for the authenticator. The password
// is asked for again, where there is one here.
func (s *Server) offerFactor(r *http.Request, a *Account, in proofBody) (any, error) {
	if err := guessed(s.limit, a.User); err != nil {
		return nil, err
	}
	if s.cfg.Accounts.HasFactor(a.User) {
		return nil, refusal(http.StatusConflict, "there is a second factor already: take it away first")
	}
	if a.Issuer == "" {
		if _, ok := s.cfg.Accounts.Login(a.User, in.Password); !ok {
			s.refused(r, Act{User: a.User, Action: "password_failed", Object: hostOf(r)})
			return nil, account.ErrWrong
		}
	}
	key, err := account.NewSecret("vision", a.User)
	if err != nil {
		return nil, err
	}
	img, err := key.Image(240, 240)
	var b bytes.Buffer
	if err == nil {
		err = png.Encode(&b, img)
	}
	if err != nil {
		return nil, refusal(http.StatusInternalServerError, "picture of the secret: %v", err)
	}
	s.enrol.put(a.User, key.Secret())
	return map[string]string{"secret": key.Secret(), "uri": key.URL(), "picture": "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())}, nil
}

// takeFactor takes the second factor up, once a code shows that the authenticator
// has it. Its answer holds the recovery codes, which are shown this once.
func (s *Server) takeFactor(r *http.Request, a *Account, in proofBody) (any, error) {
	if err := guessed(s.codes, a.User); err != nil {
		return nil, err
	}
	secret, ok := s.enrol.get(a.User)
	if !ok || s.cfg.Accounts.HasFactor(a.User) {
		return nil, refusal(http.StatusConflict, "ask for a secret first")
	}
	recovery, err := s.cfg.Accounts.Enrol(a.User, secret, in.Code)
	if err != nil {
		return nil, err
	}
	s.enrol.drop(a.User)
	s.audit(r, a.User, "factor", a.User)
	return map[string][]string{"recovery": recovery}, s.endSessions(r.Context(), a.User, s.session(r.Context()))
}

// dropFactor takes the second factor away, with a code of it. Where the role
// needs one another has to be set up before anything else.
func (s *Server) dropFactor(r *http.Request, a *Account, in proofBody) (any, error) {
	if err := s.provesCode(r, a, in); err != nil {
		return nil, err
	}
	if err := s.cfg.Accounts.DropFactor(a.User, a.User); err != nil {
		return nil, err
	}
	s.audit(r, a.User, "factor_removed", a.User)
	return map[string]bool{"removed": true}, nil
}

// renewRecovery makes new recovery codes.
func (s *Server) renewRecovery(r *http.Request, a *Account, in proofBody) (any, error) {
	if err := s.provesCode(r, a, in); err != nil {
		return nil, err
	}
	recovery, err := s.cfg.Accounts.Renew(a.User)
	if err != nil {
		return nil, err
	}
	s.audit(r, a.User, "recovery_renewed", a.User)
	return map[string][]string{"recovery": recovery}, nil
}

func (s *Server) provesCode(r *http.Request, a *Account, in proofBody) error {
	if err := guessed(s.codes, a.User); err != nil {
		return err
	}
	_, err := s.cfg.Accounts.Spend(a.User, in.Code)
	if errors.Is(err, account.ErrCode) {
		s.refused(r, Act{User: a.User, Action: "code_failed", Object: hostOf(r)})
	}
	return err
}

// endOwn ends one of the own sessions.
func (s *Server) endOwn(r *http.Request, a *Account) (any, error) {
	list, err := s.sessionsOf(r.Context(), a.User, s.session(r.Context()))
	i := slices.IndexFunc(list, func(x Session) bool { return x.ID == r.PathValue("id") })
	switch {
	case err == nil && i < 0:
		return nil, s.notYours(r, "no session %q of yours", r.PathValue("id"))
	case err == nil && list[i].This:
		err = s.sessions.Destroy(r.Context())
	case err == nil:
		err = s.store.Delete(list[i].token)
	}
	if err != nil {
		return nil, err
	}
	s.audit(r, a.User, "session_ended", a.User+" "+r.PathValue("id"))
	return map[string]bool{"ended": true}, nil
}

// endOthers ends all own sessions but this one, and all tokens.
func (s *Server) endOthers(r *http.Request, a *Account) (any, error) {
	if err := s.endSessions(r.Context(), a.User, s.session(r.Context())); err != nil {
		return nil, err
	}
	s.audit(r, a.User, "sessions_ended", a.User)
	return map[string]bool{"ended": true}, nil
}
