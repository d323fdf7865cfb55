package console

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"vision/stream/account"
)

type whoKey struct{}

// caller is who sends a request.
type caller struct {
	*Account
	held   string // what is still missing: "password", "factor"; until then nothing else may be done
	bearer bool   // by a token, not by logging in
	strong bool   // with a second factor
	at     string // the session or token, as it is kept
	peer   bool   // through another member
	stays  func() bool
	leases *leases
}

// sender is who sends a request; its Account is nil for a stranger.
func sender(ctx context.Context) caller {
	c, _ := ctx.Value(whoKey{}).(caller)
	return c
}

// who is the account behind a request, nil for a stranger and for whoever has
// something to do first.
func who(ctx context.Context) *Account {
	c := sender(ctx)
	if c.held != "" {
		return nil
	}
	return c.Account
}

// Sender is who sends a request, "" for a stranger.
func Sender(ctx context.Context) string {
	if a := who(ctx); a != nil {
		return a.User
	}
	return ""
}

// bearer is the token that a request was sent with.
func bearer(r *http.Request) (string, bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// What is kept in a session; times are milliseconds since 1970.
const (
	keyUser    = "user"   // who has logged in
	keyProof   = "proof"  // account.Proof when they did: another password ends the session, wherever it was changed
	keyStrong  = "strong" // with a second factor, here or at the identity provider
	keyID      = "id"     // by which people name the session
	keyBegun   = "begun"
	keyHost    = "host"
	keyAgent   = "agent"
	keyIDToken = "id_token" // of the identity provider, for logging out there
	keyHalf    = "half"     // who has given a password and owes a code
	keyHalfAt  = "half_at"
	keyTry     = "oidc" // signin.Attempt, JSON
)

// identify finds the account of a session or of a bearer token.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, spoken, err := s.vouched(r)
		if err != nil {
			s.cfg.Log.Warn("another machine", "from", hostOf(r), "err", err)
			refuse(w, http.StatusForbidden, "%v", err)
			return
		}
		if !spoken {
			if c = s.identified(r); c.Account != nil {
				tok, _ := bearer(r)
				c.stays = func() bool { return s.stays(c, tok) }
			}
		}
		if c.Account == nil && !spoken {
			next.ServeHTTP(w, r)
			return
		}
		c.leases = &s.leases
		s.leased(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, c)), next)
	})
}

func (s *Server) identified(r *http.Request) (c caller) {
	ctx := r.Context()
	user, strong := s.sessions.GetString(ctx, keyUser), s.sessions.GetBool(ctx, keyStrong)
	if tok, ok := bearer(r); ok { // then the session counts for nothing: see guard
		acc := s.bearerOf(tok)
		if acc == nil {
			return caller{}
		}
		c.Account, c.bearer, c.at = acc, true, stored(tok)
		c.held = s.cfg.Accounts.Missing(acc, true) // tokens are given to those alone who lack nothing
		return c
	}
	if user == "" {
		return caller{}
	}
	acc, ok := s.cfg.Accounts.Find(user)
	if !ok || s.sessions.GetString(ctx, keyProof) != acc.Proof() {
		return caller{}
	}
	c.Account, c.strong, c.at, c.held = acc, strong, s.session(ctx), s.cfg.Accounts.Missing(acc, strong)
	return c
}

// stays reports whether the sender of a request is still logged in with the account
// it came with.
func (s *Server) stays(c caller, tok string) bool {
	if c.bearer {
		if a := s.bearerOf(tok); a == nil || a.User != c.User {
			return false
		}
	} else if !s.store.has(c.at) {
		return false
	}
	return s.same(c)
}

// same reports whether the account behind a request is as it was: role, tables, password, and
// what it owes.
func (s *Server) same(c caller) bool {
	now, ok := s.cfg.Accounts.Find(c.User)
	return ok && now.Role == c.Role && slices.Equal(now.Tables, c.Tables) && now.Proof() == c.Proof() &&
		s.cfg.Accounts.Missing(now, c.strong || c.bearer) == c.held
}

// visitor lets a page be seen with a right to what it is about; strangers are sent to log in, and
// who has something to do first is sent there.
func (s *Server) visitor(right Right, of account.Object, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch c := sender(r.Context()); {
		case c.Account == nil:
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		case c.held != "" && right != Own:
			http.Redirect(w, r, "/account", http.StatusSeeOther)
		case c.May(right, of) != nil:
			s.Refused(r, r.URL.Path)
			http.Error(w, "esta página no es de su función / not for your role", http.StatusForbidden)
		default:
			h(w, r)
		}
	}
}

// held says what somebody has to do first.
var held = map[string]string{
	"password": "choose a password of your own first, at /account",
	"factor":   "set up the second factor first, at /account",
}

// caller lets an API call be made with the right that its route asks for, to what it is about.
func (s *Server) caller(route route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch c := sender(r.Context()); {
		case c.Account == nil:
			deny(w, s.may(r, route.right, object{}))
		case c.held != "" && route.right != Own:
			w.Header().Set("X-Vision-Held", c.held)
			refuse(w, http.StatusForbidden, "%s", held[c.held])
		case c.bearer && (route.right == Own || route.right == Administer):
			s.Refused(r, r.Method+" "+r.URL.Path)
			refuse(w, http.StatusForbidden, "this is for people who have logged in, not for tokens")
		default:
			if err := s.mayTouch(r, route); err != nil {
				deny(w, err)
				return
			}
			route.handle(w, r, c.Account)
		}
	}
}

// mayTouch asks for a route's right, and for it to what the request is about. Who owes a
// factor has the own account alone, which is no table's.
func (s *Server) mayTouch(r *http.Request, route route) error {
	if route.right == Own {
		return nil
	}
	if err := s.may(r, route.right, object{}); err != nil {
		return err
	}
	return s.may(r, route.right, s.object(r, route.of))
}

// Refused notes that somebody who has logged in asked for what is not theirs: in
// the log each time, in the ledger as often as no flood comes of it.
func (s *Server) Refused(r *http.Request, what string) {
	user := "" // a stranger
	if a := sender(r.Context()).Account; a != nil {
		user = a.User
	}
	s.cfg.Log.Warn("refused", "user", user, "from", hostOf(r), "what", short(what, longestRefusal))
	s.refused(r, Act{User: user, Action: "refused", Object: what})
}

// notYours answers for what is not there, or not for who asks: the two are not told
// apart.
func (s *Server) notYours(r *http.Request, format string, a ...any) error {
	err := refusal(http.StatusNotFound, format, a...)
	s.Refused(r, err.Error())
	return err
}

// note puts an action into the ledger. A ledger that fails is a health problem
// of its own; the log has the action meanwhile.
func (s *Server) note(ctx context.Context, a Act) {
	if err := s.cfg.Audit(ctx, a); err != nil {
		s.cfg.Log.Error("audit", "user", a.User, "action", a.Action, "object", a.Object, "err", err)
	}
}

func (s *Server) audit(r *http.Request, user, action, object string) {
	s.note(r.Context(), Act{User: user, Action: action, Object: object})
}
