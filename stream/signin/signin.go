// Package signin lets people log in with the house's identity provider, by OpenID
// Connect: authorization code flow with PKCE (RFC 7636), state and nonce. What
// role somebody has here follows from a claim.
package signin

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"vision/internal/config"
	"vision/internal/trust"
	"vision/stream/account"
)

// Callback is the path of the console to which the provider sends people back.
const Callback = "/login/oidc/callback"

// BackChannel is the path at which the provider says who has logged out there.
const BackChannel = "/login/oidc/backchannel"

// strong are the values of amr (RFC 8176 §2) that mean a second factor.
var strong = []string{"mfa", "otp", "hwk", "swk", "sc"}

// Patience bounds every question to the provider, maxAttempt the time somebody
// may take there.
const (
	patience   = 10 * time.Second
	maxAttempt = 10 * time.Minute
)

// Errors that callers tell apart.
var (
	ErrUnreachable = errors.New("the identity provider cannot be reached")
	ErrNoRole      = errors.New("the identity provider gives this person no role here")
	ErrRefused     = errors.New("the identity provider refused")
)

// Provider is the identity provider. Its methods may be called by many.
type Provider struct {
	cfg    config.OIDC
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	found *found
	said  map[string]time.Time // ids of log-outs that were said, until they would be out of date
}

// found is what the provider says of itself.
type found struct {
	*oidc.Provider
	oauth oauth2.Config
	end   string // end_session_endpoint; "" = none
	// itself is set if answers carry the issuer's name (RFC 9207).
	itself bool
}

// New makes a provider. It is asked for its configuration when somebody first
// logs in: the console works without it.
func New(cfg config.OIDC) (*Provider, error) {
	cfg.User, cfg.Claim = cmp.Or(cfg.User, "preferred_username"), cmp.Or(cfg.Claim, "groups")
	cfg.URL = strings.TrimSuffix(cfg.URL, "/")
	if cfg.Strong == nil {
		cfg.Strong = strong
	}
	conf, err := trust.Client(cfg.CA, "", "")
	if err != nil {
		return nil, fmt.Errorf("sign_in.oidc.ca: %w", err)
	}
	return &Provider{cfg: cfg, said: map[string]time.Time{}, now: time.Now, client: trust.HTTP(conf, patience)}, nil
}

// Issuer is the provider's name.
func (p *Provider) Issuer() string { return p.cfg.Issuer }

// Close lets go of idle connections.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

// discover asks the provider for its configuration, once it answers.
func (p *Provider) discover(ctx context.Context) (*found, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), patience)
	defer cancel()
	prov, err := oidc.NewProvider(ctx, p.cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	var more struct {
		End    string `json:"end_session_endpoint"`
		Itself bool   `json:"authorization_response_iss_parameter_supported"`
	}
	if err := prov.Claims(&more); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	p.found = &found{Provider: prov, end: more.End, itself: more.Itself, oauth: oauth2.Config{
		ClientID: p.cfg.Client, ClientSecret: p.cfg.Secret, Endpoint: prov.Endpoint(), RedirectURL: p.cfg.URL + Callback,
		Scopes: slices.Compact(append([]string{oidc.ScopeOpenID}, p.cfg.Scopes...))}}
	return p.found, nil
}

// Attempt is what has to be remembered of somebody who was sent to the provider.
// It is kept in the person's session and used once.
type Attempt struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Next     string    `json:"next"`
	Begun    time.Time `json:"begun"`
}

// Begin is where somebody has to be sent, and what has to be remembered.
func (p *Provider) Begin(ctx context.Context, next string) (where string, a Attempt, err error) {
	f, err := p.discover(ctx)
	if err != nil {
		return "", Attempt{}, err
	}
	a = Attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Next: next, Begun: p.now()}
	return f.oauth.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), a, nil
}

// Finish makes sure of who came back from the provider with an answer, and
// returns the ID token as it was signed.
func (p *Provider) Finish(ctx context.Context, a Attempt, answer url.Values) (id account.Identity, token string,
	err error) {
	f, err := p.discover(ctx)
	if err != nil {
		return id, "", err
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), patience)
	defer cancel()
	if err := p.belongs(f, a, answer); err != nil {
		return id, "", err
	}
	tok, err := f.oauth.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(a.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		return id, "", fmt.Errorf("%w: %s", ErrRefused, cmp.Or(refused.ErrorCode, refused.Response.Status))
	case err != nil:
		return id, "", fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	raw, ok := tok.Extra("id_token").(string)
	if !ok {
		return id, "", fmt.Errorf("%w: its answer has no id_token", ErrRefused)
	}
	c, err := p.verify(ctx, f, a, tok, raw)
	if err != nil {
		return id, "", err
	}
	id, err = p.identity(c)
	return id, raw, err
}

// belongs reports whether an answer is that of an attempt.
func (p *Provider) belongs(f *found, a Attempt, answer url.Values) error {
	iss := answer.Get("iss")
	switch {
	case a.State == "" || subtle.ConstantTimeCompare([]byte(a.State), []byte(answer.Get("state"))) != 1:
		return fmt.Errorf("%w: the answer is not of this browser's attempt", ErrRefused)
	case p.now().Sub(a.Begun) > maxAttempt:
		return fmt.Errorf("%w: it took longer than %v", ErrRefused, maxAttempt)
	case iss != "" && iss != p.cfg.Issuer, iss == "" && f.itself: // RFC 9207 §2.4
		return fmt.Errorf("%w: the answer is of another issuer", ErrRefused)
	case answer.Get("error") != "":
		return fmt.Errorf("%w: %.60q", ErrRefused, answer.Get("error"))
	}
	return nil
}

// claims are those of the ID token, and of the user's information behind them.
type claims struct {
	issuer, subject string
	all             map[string]json.RawMessage
}

// verify checks the ID token (OpenID Connect Core 1.0, §3.1.3.7) and completes
// its claims.
func (p *Provider) verify(ctx context.Context, f *found, a Attempt, tok *oauth2.Token, raw string) (*claims, error) {
	t, err := f.VerifierContext(ctx, &oidc.Config{ClientID: p.cfg.Client, Now: p.now}).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if subtle.ConstantTimeCompare([]byte(t.Nonce), []byte(a.Nonce)) != 1 {
		return nil, fmt.Errorf("%w: the ID token is of another attempt", ErrRefused)
	}
	c := &claims{issuer: t.Issuer, subject: t.Subject}
	if err := t.Claims(&c.all); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if azp := c.text("azp"); azp != "" && azp != p.cfg.Client {
		return nil, fmt.Errorf("%w: the ID token was made for another client", ErrRefused)
	}
	if _, ok := c.at(p.cfg.Claim); ok && c.text(p.cfg.User) != "" || f.UserInfoEndpoint() == "" {
		return c, nil
	}
	info, err := f.UserInfo(ctx, oauth2.StaticTokenSource(tok))
	if err != nil {
		return nil, fmt.Errorf("%w: user information: %w", ErrUnreachable, err)
	}
	var more map[string]json.RawMessage
	if info.Subject != t.Subject { // §5.3.2
		return nil, fmt.Errorf("%w: the user information is of another person", ErrRefused)
	}
	if err := info.Claims(&more); err != nil {
		return nil, fmt.Errorf("%w: user information: %w", ErrRefused, err)
	}
	for k, v := range more {
		if _, ok := c.all[k]; !ok {
			c.all[k] = v
		}
	}
	return c, nil
}

// at is the value of a claim; dots in its name go deeper.
func (c *claims) at(name string) (json.RawMessage, bool) {
	if v, ok := c.all[name]; ok { // a name may hold dots itself
		return v, true
	}
	level := c.all
	parts := strings.Split(name, ".")
	for i, part := range parts {
		v, ok := level[part]
		if !ok || i == len(parts)-1 {
			return v, ok
		}
		level = nil
		if json.Unmarshal(v, &level) != nil {
			return nil, false
		}
	}
	return nil, false
}

func (c *claims) text(name string) (s string) {
	v, _ := c.at(name)
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// list is a claim that holds several texts, or one.
func (c *claims) list(name string) (out []string) {
	v, _ := c.at(name)
	if json.Unmarshal(v, &out) == nil {
		return out
	}
	if s := c.text(name); s != "" {
		return []string{s}
	}
	return nil
}

// identity is who the claims are of, with the role that follows from them.
func (p *Provider) identity(c *claims) (account.Identity, error) {
	id := account.Identity{Issuer: c.issuer, Subject: c.subject, User: c.text(p.cfg.User)}
	if id.User == "" {
		return id, fmt.Errorf("%w: claim %q is missing", ErrRefused, p.cfg.User)
	}
	if v, ok := c.all["email_verified"]; p.cfg.User == "email" && ok && string(v) != "true" {
		return id, fmt.Errorf("%w: the address %q is not verified", ErrRefused, id.User)
	}
	has := c.list(p.cfg.Claim)
	i := slices.IndexFunc(p.cfg.Roles, func(r config.OIDCRole) bool { return slices.Contains(has, r.Value) })
	if i < 0 {
		return id, fmt.Errorf("%w: %q", ErrNoRole, id.User)
	}
	id.Role, id.Tables = p.cfg.Roles[i].Role, p.cfg.Roles[i].Tables
	id.Strong = slices.ContainsFunc(append(c.list("amr"), c.list("acr")...), func(v string) bool {
		return slices.Contains(p.cfg.Strong, v)
	})
	return id, nil
}

// LogoutURL is where somebody logs out at the provider too (OpenID Connect
// RP-Initiated Logout 1.0); "" where there is no such place.
func (p *Provider) LogoutURL(token string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.cfg.Logout || p.found == nil || p.found.end == "" {
		return ""
	}
	u, err := url.Parse(p.found.end)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Set("client_id", p.cfg.Client)
	q.Set("post_logout_redirect_uri", p.cfg.URL+"/login")
	if token != "" {
		q.Set("id_token_hint", token)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Origin is the provider's, for the pages' content security policy: browsers hold
// redirects after a form against it.
func (p *Provider) Origin() string {
	for _, s := range []string{p.LogoutURL(""), p.cfg.Issuer} {
		if u, err := url.Parse(s); err == nil && u.Host != "" {
			return u.Scheme + "://" + u.Host
		}
	}
	return ""
}
