package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tokens are bearer tokens for players and programs: user and expiry under an
// HMAC whose key lives as long as the process.
type tokens struct {
	key []byte

	mu    sync.Mutex
	ended map[string]time.Time // user → tokens made until then count no more
}

const tokenLife = 12 * time.Hour

func newTokens() (*tokens, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("token key: %w", err)
	}
	return &tokens{key: key, ended: map[string]time.Time{}}, nil
}

func (t *tokens) sign(msg string) string {
	m := hmac.New(sha256.New, t.key)
	m.Write([]byte(msg))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func (t *tokens) issue(user string, now time.Time) string {
	msg := base64.RawURLEncoding.EncodeToString([]byte(user)) + "." + strconv.FormatInt(now.Add(tokenLife).UnixMilli(), 36)
	return msg + "." + t.sign(msg)
}

func (t *tokens) user(tok string, now time.Time) (string, bool) {
	i := strings.LastIndexByte(tok, '.')
	if i < 0 || !hmac.Equal([]byte(t.sign(tok[:i])), []byte(tok[i+1:])) {
		return "", false
	}
	name, expiry, _ := strings.Cut(tok[:i], ".")
	ms, err := strconv.ParseInt(expiry, 36, 64)
	user, err2 := base64.RawURLEncoding.DecodeString(name)
	until := time.UnixMilli(ms)
	if err != nil || err2 != nil || now.After(until) {
		return "", false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if end, ok := t.ended[string(user)]; ok && !until.Add(-tokenLife).After(end) {
		return "", false
	}
	return string(user), true
}

// end makes all tokens of a user count no more.
func (t *tokens) end(user string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended[user] = now
}

// token gives a token to somebody who has logged in; a token makes no others, or
// it would never end.
func (s *Server) token(w http.ResponseWriter, r *http.Request, a *Account) {
	if sender(r.Context()).bearer {
		refuse(w, http.StatusForbidden, "a token makes no other: log in")
		return
	}
	s.audit(r, a.User, "token", "")
	reply(w, map[string]any{"token": s.tokens.issue(a.User, time.Now()), "expires_in": int(tokenLife.Seconds())})
}
