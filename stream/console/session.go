package console

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

type whoKey struct{}

// who is the account behind a request, nil for a stranger.
func who(ctx context.Context) *Account {
	a, _ := ctx.Value(whoKey{}).(*Account)
	return a
}

// Allowed tells whether the sender of a request may see a table. Handlers that
// the console calls (WHEP, say) ask it.
func Allowed(ctx context.Context, table string) bool {
	a := who(ctx)
	return a != nil && a.May(See) && a.Sees(table)
}

// bearer is the token that a request was sent with.
func bearer(r *http.Request) (string, bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// identify finds the account of a session or of a bearer token.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := s.sessions.GetString(r.Context(), "user")
		if tok, ok := bearer(r); ok { // then the session counts for nothing: see guard
			user, _ = s.tokens.user(tok, time.Now())
		}
		if user != "" {
			if acc, ok := s.cfg.Accounts.Find(user); ok {
				r = r.WithContext(context.WithValue(r.Context(), whoKey{}, acc))
			}
		}
		next.ServeHTTP(w, r)
	})
}

// visitor lets a page be seen with a right; strangers are sent to log in.
func (s *Server) visitor(right Right, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch a := who(r.Context()); {
		case a == nil:
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.Path), http.StatusSeeOther)
		case !a.May(right):
			http.Error(w, "esta página no es de su función / not for your role", http.StatusForbidden)
		default:
			h(w, r)
		}
	}
}

// caller lets an API call be made with a right.
func (s *Server) caller(right Right, h func(http.ResponseWriter, *http.Request, *Account)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch a := who(r.Context()); {
		case a == nil:
			w.Header().Set("WWW-Authenticate", `Bearer realm="vision"`)
			refuse(w, http.StatusUnauthorized, "log in, or send a token")
		case !a.May(right):
			refuse(w, http.StatusForbidden, "the role %s may not do this", a.Role)
		default:
			h(w, r, a)
		}
	}
}

func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 8<<10)
	user, password := r.PostFormValue("user"), r.PostFormValue("password")
	next := r.PostFormValue("next")
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) {
		next = "/"
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	for _, key := range []string{"ip " + host, "user " + user} {
		if ok, wait := s.limit.allow(key, time.Now()); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			s.audit(r, user, "login_limited", host)
			http.Redirect(w, r, "/login?error=wait&next="+url.QueryEscape(next), http.StatusSeeOther)
			return
		}
	}
	acc, ok := s.cfg.Accounts.Login(user, password)
	if !ok {
		s.audit(r, user, "login_failed", host)
		http.Redirect(w, r, "/login?error=wrong&next="+url.QueryEscape(next), http.StatusSeeOther)
		return
	}
	if err := s.sessions.RenewToken(r.Context()); err != nil {
		http.Error(w, "session: "+err.Error(), http.StatusInternalServerError)
		return
	}
	s.sessions.Put(r.Context(), "user", acc.User)
	s.audit(r, user, "login", host)
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	if a := who(r.Context()); a != nil {
		s.audit(r, a.User, "logout", "")
	}
	if err := s.sessions.Destroy(r.Context()); err != nil {
		http.Error(w, "session: "+err.Error(), http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// audit puts an action into the ledger. A ledger that fails is a health problem
// of its own; the log has the action meanwhile.
func (s *Server) audit(r *http.Request, user, action, object string) {
	if err := s.cfg.Audit(r.Context(), Act{User: user, Action: action, Object: object}); err != nil {
		s.cfg.Log.Error("audit", "user", user, "action", action, "object", object, "err", err)
	}
}

// tokens are bearer tokens for players and programs: user and expiry under an
// HMAC whose key lives as long as the process.
type tokens struct{ key []byte }

const tokenLife = 12 * time.Hour

func newTokens() (*tokens, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("token key: %w", err)
	}
	return &tokens{key}, nil
}

func (t *tokens) sign(msg string) string {
	m := hmac.New(sha256.New, t.key)
	m.Write([]byte(msg))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func (t *tokens) issue(user string, now time.Time) string {
	msg := base64.RawURLEncoding.EncodeToString([]byte(user)) + "." + strconv.FormatInt(now.Add(tokenLife).Unix(), 36)
	return msg + "." + t.sign(msg)
}

func (t *tokens) user(tok string, now time.Time) (string, bool) {
	i := strings.LastIndexByte(tok, '.')
	if i < 0 || !hmac.Equal([]byte(t.sign(tok[:i])), []byte(tok[i+1:])) {
		return "", false
	}
	name, expiry, _ := strings.Cut(tok[:i], ".")
	until, err := strconv.ParseInt(expiry, 36, 64)
	user, err2 := base64.RawURLEncoding.DecodeString(name)
	if err != nil || err2 != nil || now.Unix() > until {
		return "", false
	}
	return string(user), true
}
