// Package idp is an identity provider for tests: discovery, keys, authorization
// code with PKCE, signed ID tokens, user information. It checks what a provider
// checks, and lies when it is told to.
package idp

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that the provider knows.
const (
	Client = "vision"
	Secret = "a secret of the test"
)

// Provider is a running provider that lets everybody in at once.
type Provider struct {
	*httptest.Server
	key *rsa.PrivateKey

	mu    sync.Mutex
	codes map[string]grant

	// Claims of who logs in, beside iss, aud, exp, iat and nonce.
	Claims map[string]any
	// Info is the user's information; nil: none.
	Info map[string]any
	// Token, if not nil, changes an ID token's claims before it is signed.
	Token func(map[string]any)
	// Key signs instead of the published one.
	Key *rsa.PrivateKey
	// Unsigned sends ID tokens with alg none.
	Unsigned bool
	// Refuse is the error that is sent back instead of a code.
	Refuse string
	// Ended are the queries of those who logged out here.
	Ended []url.Values
}

// grant is what a code stands for.
type grant struct{ nonce, challenge, redirect string }

// NewKey makes a key.
func NewKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// published is the key of all providers: making one takes long.
var published = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// New starts a provider that ends with the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{key: published(), codes: map[string]grant{}, Claims: map[string]any{"sub": "17", "preferred_username": "eva", "groups": []string{"salas"}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		send(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "1", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /info", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.Info == nil || r.Header.Get("Authorization") != "Bearer access" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		send(w, p.Info)
	})
	mux.HandleFunc("GET /end", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.Ended = append(p.Ended, r.URL.Query())
		p.mu.Unlock()
		http.Redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"), http.StatusSeeOther)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	send(w, map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"userinfo_endpoint": p.URL + "/info", "end_session_endpoint": p.URL + "/end", "authorization_response_iss_parameter_supported": true,
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256"}})
}

// authorize lets in at once and sends back.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	if q.Get("client_id") != Client || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("state") == "" || q.Get("nonce") == "" {
		http.Error(w, "want code flow with PKCE, state and nonce", http.StatusBadRequest)
		return
	}
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {q.Get("state")}, "iss": {p.URL}}
	if p.Refuse != "" {
		answer.Set("error", p.Refuse)
	} else {
		code := rand.Text()
		p.codes[code] = grant{q.Get("nonce"), q.Get("code_challenge"), q.Get("redirect_uri")}
		answer.Set("code", code)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// token changes a code, once, for an ID token.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fail := func(code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": code})
	}
	user, pass, ok := r.BasicAuth()
	if s, err := url.QueryUnescape(pass); !ok || user != Client || err != nil || s != Secret {
		fail("invalid_client")
		return
	}
	g, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || g.redirect != r.PostFormValue("redirect_uri") || g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		fail("invalid_grant")
		return
	}
	claims := maps.Clone(p.Claims)
	claims["iss"], claims["aud"], claims["nonce"] = p.URL, Client, g.nonce
	claims["iat"], claims["exp"] = time.Now().Unix(), time.Now().Add(time.Minute).Unix()
	if p.Token != nil {
		p.Token(claims)
	}
	tok, err := p.sign(claims, "")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": tok})
}

// LogoutToken is what the provider says of a log-out; set may change the claims, and
// the type that it says it is of ("" = none).
func (p *Provider) LogoutToken(t testing.TB, set func(claims map[string]any, typ *string)) string {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	typ := "logout+jwt"
	claims := map[string]any{
		"iss":    p.URL,
		"aud":    Client,
		"sub":    p.Claims["sub"],
		"jti":    rand.Text(),
		"iat":    time.Now().Unix(),
		"exp":    time.Now().Add(2 * time.Minute).Unix(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	if set != nil {
		set(claims, &typ)
	}
	tok, err := p.sign(claims, typ)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func (p *Provider) sign(claims map[string]any, typ string) (string, error) {
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	if p.Unsigned {
		b64 := base64.RawURLEncoding.EncodeToString
		return b64([]byte(`{"alg":"none"}`)) + "." + b64(body) + ".", nil
	}
	key := p.key
	if p.Key != nil {
		key = p.Key
	}
	opts := &jose.SignerOptions{}
	if typ != "" {
		opts = opts.WithType(jose.ContentType(typ))
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, opts)
	if err != nil {
		return "", err
	}
	signed, err := s.Sign(body)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}
