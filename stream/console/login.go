package console

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vision/internal/health"
	"vision/stream/account"
	"vision/stream/signin"
)

// halfLife is how long somebody has for the code after the password.
const halfLife = 5 * time.Minute

// local keeps a path of this console, and takes anything else for "/". Browsers leave tabs and
// line ends out of an address, and take \ for / (WHATWG URL, 4.4): "/\t/evil.example" is
// another site's.
func local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!strings.HasPrefix(next, "/") || strings.HasPrefix(u.Path, "//") ||
		strings.ContainsFunc(u.Path+u.RawQuery, func(r rune) bool { return r == '\\' || unicode.IsControl(r) }) {
		return "/"
	}
	return next
}

func hostOf(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}

// back sends somebody to the log-in page, with the reason where there is one.
func back(w http.ResponseWriter, r *http.Request, q url.Values, why ...string) {
	if len(why) > 0 {
		q["error"] = why
	}
	http.Redirect(w, r, "/login?"+q.Encode(), http.StatusSeeOther)
}

// slowed reports whether somebody has to wait, and says so.
func (s *Server) slowed(w http.ResponseWriter, r *http.Request, l *limiter, user string, q url.Values,
	keys ...string) bool {
	for _, key := range keys {
		if ok, wait := l.allow(key, time.Now()); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			s.refused(r, Act{User: user, Action: "login_limited", Object: hostOf(r)})
			back(w, r, q, "wait")
			return true
		}
	}
	return false
}

// login takes user and password.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 8<<10)
	user, password, next := r.PostFormValue("user"), r.PostFormValue("password"), local(r.PostFormValue("next"))
	q := url.Values{"next": {next}}
	// Failures count by network, and by network and user: nobody keeps somebody else out.
	from := network(hostOf(r))
	keys := []string{"ip " + from, "user " + from + " " + short(user, longestName)}
	suspect := s.limit.owes(keys[0], time.Now())
	if s.slowed(w, r, s.limit, user, q, keys...) {
		return
	}
	acc, err := s.cfg.Accounts.Prove(r.Context(), user, password, suspect)
	switch {
	case r.Context().Err() != nil:
		return // nobody waits for the answer
	case errors.Is(err, account.ErrBusy):
		s.limit.forgive(keys...)
		w.Header().Set("Retry-After", "5")
		back(w, r, q, "wait")
		return
	case err != nil:
		s.refused(r, Act{User: user, Action: "login_failed", Object: hostOf(r)})
		back(w, r, q, "wrong")
		return
	}
	s.limit.forgive(keys...)
	s.proved(w, r, acc, next, false, "")
}

// proved goes on with somebody who has given the password, or whom the identity
// provider vouches for: to the code, where the account has a second factor that
// nobody has asked for yet.
func (s *Server) proved(
	w http.ResponseWriter, r *http.Request, acc *Account, next string, strong bool, idToken string,
) {
	if strong || !s.cfg.Accounts.HasFactor(acc.User) {
		s.admit(w, r, acc, next, strong, idToken)
		return
	}
	ctx := r.Context()
	if err := s.sessions.RenewToken(ctx); err != nil {
		http.Error(w, "session: "+err.Error(), http.StatusInternalServerError)
		return
	}
	s.sessions.Remove(ctx, keyUser)
	s.sessions.Put(ctx, keyHalf, acc.User)
	s.sessions.Put(ctx, keyHalfAt, time.Now().UnixMilli())
	s.sessions.Put(ctx, keyIDToken, idToken)
	back(w, r, url.Values{"step": {"code"}, "next": {next}})
}

// code takes the code of the authenticator, or a recovery code.
func (s *Server) code(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 8<<10)
	ctx, next := r.Context(), local(r.PostFormValue("next"))
	user := s.sessions.GetString(ctx, keyHalf)
	acc, ok := s.cfg.Accounts.Find(user)
	if !ok || time.Since(time.UnixMilli(s.sessions.GetInt64(ctx, keyHalfAt))) > halfLife {
		back(w, r, url.Values{"next": {next}}, "again")
		return
	}
	q := url.Values{"step": {"code"}, "next": {next}}
	if s.slowed(w, r, s.codes, user, q, "user "+user) {
		return
	}
	recovered, err := s.cfg.Accounts.Spend(user, r.PostFormValue("code"))
	if err != nil {
		if !errors.Is(err, account.ErrCode) {
			s.cfg.Log.Error("second factor", "user", user, "err", err)
		}
		s.refused(r, Act{User: user, Action: "code_failed", Object: hostOf(r)})
		back(w, r, q, "code")
		return
	}
	if recovered {
		s.audit(r, user, "recovery_code", hostOf(r))
		next = "/account"
	}
	s.admit(w, r, acc, next, true, s.sessions.GetString(ctx, keyIDToken))
}

// admit begins a session.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, acc *Account, next string, strong bool, idToken string) {
	ctx := r.Context()
	if err := errors.Join(s.sessions.RenewToken(ctx), s.sessions.Clear(ctx)); err != nil {
		http.Error(w, "session: "+err.Error(), http.StatusInternalServerError)
		return
	}
	agent := r.UserAgent()
	for key, v := range map[string]any{keyUser: acc.User, keyProof: acc.Proof(), keyStrong: strong,
		keyID: rand.Text()[:12], keyBegun: time.Now().UnixMilli(),
		keyHost: hostOf(r), keyAgent: agent[:min(len(agent), 200)], keyIDToken: idToken} {
		s.sessions.Put(ctx, key, v)
	}
	how := "password"
	if acc.Issuer != "" {
		how = "identity provider"
	}
	if strong {
		how += ", second factor"
	}
	s.note(ctx, Act{User: acc.User, Action: "login", Object: hostOf(r), Text: how})
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// logout ends the session, and that at the identity provider where it vouched.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	if a := sender(r.Context()).Account; a != nil {
		s.audit(r, a.User, "logout", "")
	}
	idToken := s.sessions.GetString(r.Context(), keyIDToken)
	if err := s.sessions.Destroy(r.Context()); err != nil {
		http.Error(w, "session: "+err.Error(), http.StatusInternalServerError)
		return
	}
	where := "/login"
	if idToken != "" && s.cfg.Provider != nil {
		if there := s.cfg.Provider.LogoutURL(idToken); there != "" {
			where = there
		}
	}
	http.Redirect(w, r, where, http.StatusSeeOther)
}

// maxLogout is the longest word of the provider that is read.
const maxLogout = 64 << 10

// backChannel takes the identity provider's word that somebody has logged out
// there, or was put out (OpenID Connect Back-Channel Logout 1.0): the sessions that
// it vouched for end here too, with the tokens of their accounts.
func (s *Server) backChannel(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if s.cfg.Provider == nil {
		http.NotFound(w, r)
		return
	}
	if ok, wait := s.told.allow("ip "+network(hostOf(r)), time.Now()); !ok {
		deny(w, tooMany(wait, time.Millisecond, "too many; wait %v"))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxLogout)
	ended, err := s.cfg.Provider.LoggedOut(r.Context(), r.PostFormValue("logout_token"))
	if err != nil {
		s.cfg.Log.Warn("identity provider's log-out", "from", hostOf(r), "err", err)
		reject(w, http.StatusBadRequest, map[string]string{"error": "invalid_request", "error_description": err.Error()})
		return
	}
	users, err := s.endVouched(r.Context(), ended)
	if err != nil {
		deny(w, err)
		return
	}
	for _, user := range users {
		s.audit(r, user, "provider_logout", hostOf(r))
	}
	w.WriteHeader(http.StatusOK)
}

// endVouched ends what the identity provider has ended, and says whose it was.
func (s *Server) endVouched(ctx context.Context, ended signin.Ended) (users []string, err error) {
	if user, ok := s.cfg.Accounts.Known(ended.Issuer, ended.Subject); ok {
		users = append(users, user)
	}
	var gone []string
	err = s.sessions.Iterate(ctx, func(c context.Context) error {
		if !ended.Has(s.sessions.GetString(c, keyIDToken)) {
			return nil
		}
		gone = append(gone, s.sessions.Token(c)) // as it is kept
		if user := s.sessions.GetString(c, keyUser); user != "" && !slices.Contains(users, user) {
			users = append(users, user)
		}
		return nil
	})
	for _, t := range gone {
		err = errors.Join(err, s.store.Delete(t))
	}
	for _, user := range users {
		s.store.revoke(user)
	}
	return users, err
}

// ways says how one may log in here.
func (s *Server) ways(w http.ResponseWriter, _ *http.Request) {
	reply(w, map[string]any{"provider": s.cfg.ProviderName, "language": s.cfg.Language})
}

// signIn sends somebody to the identity provider.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	q := url.Values{"next": {local(r.URL.Query().Get("next"))}}
	if s.cfg.Provider == nil {
		http.NotFound(w, r)
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		back(w, r, q) // another site's link logs nobody in
		return
	}
	if s.slowed(w, r, s.limit, "", q, "ip "+network(hostOf(r))) {
		return
	}
	where, try, err := s.cfg.Provider.Begin(r.Context(), q.Get("next"))
	if err != nil {
		s.providerFails(w, r, err, q)
		return
	}
	raw, err := json.Marshal(try)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.sessions.Put(r.Context(), keyTry, raw)
	http.Redirect(w, r, where, http.StatusSeeOther)
}

// providerFails says that the identity provider is away, and has it named.
func (s *Server) providerFails(w http.ResponseWriter, r *http.Request, err error, q url.Values) {
	s.cfg.Log.Error("identity provider", "err", err)
	why := "refused"
	if errors.Is(err, signin.ErrUnreachable) {
		s.cfg.Board.Set(health.ProviderDown, "", s.cfg.Provider.Issuer(), err.Error())
		why = "provider"
	}
	back(w, r, q, why)
}

// signedIn takes somebody who comes back from the identity provider.
func (s *Server) signedIn(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Provider == nil {
		http.NotFound(w, r)
		return
	}
	var try signin.Attempt
	if raw := s.sessions.PopBytes(r.Context(), keyTry); raw != nil { // once
		if err := json.Unmarshal(raw, &try); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	q := url.Values{"next": {local(try.Next)}}
	id, token, err := s.cfg.Provider.Finish(r.Context(), try, r.URL.Query())
	var acc *Account
	if err == nil {
		s.cfg.Board.Clear(health.ProviderDown, s.cfg.Provider.Issuer())
		acc, err = s.cfg.Accounts.Vouched(id)
	}
	if err != nil {
		s.refused(r, Act{User: id.User, Action: "login_refused", Object: hostOf(r), Text: err.Error()})
		s.providerFails(w, r, err, q)
		return
	}
	s.proved(w, r, acc, q.Get("next"), id.Strong, token)
}
