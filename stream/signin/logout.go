package signin

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// Ended is who has logged out at the provider, or was put out there: a person
// everywhere, or one session of that person.
type Ended struct {
	Issuer  string
	Subject string // "" where only the session is named
	Session string // "" = all of the person's
}

// maxSaid bounds what is remembered of log-outs.
const maxSaid = 10_000

// LoggedOut makes sure of a log-out token (OpenID Connect Back-Channel Logout 1.0,
// §2.6): of this provider, for this client, of its own type, so that no other token
// can be passed off as one, not out of date, and not said before.
func (p *Provider) LoggedOut(ctx context.Context, raw string) (Ended, error) {
	f, err := p.discover(ctx)
	if err != nil {
		return Ended{}, err
	}
	if !typed(raw, "logout+jwt") {
		return Ended{}, fmt.Errorf("%w: the token is not of the type logout+jwt", ErrRefused)
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), patience)
	defer cancel()
	t, err := f.VerifierContext(ctx, &oidc.Config{ClientID: p.cfg.Client, Now: p.now}).VerifyLogout(ctx, raw)
	if err != nil {
		return Ended{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if age := p.now().Sub(t.IssuedAt); age > maxAttempt || age < -maxAttempt {
		return Ended{}, fmt.Errorf("%w: the log-out is %v old", ErrRefused, age.Round(time.Second))
	}
	if !p.first(t.TokenID, t.Expiry) {
		return Ended{}, fmt.Errorf("%w: this log-out was said before", ErrRefused)
	}
	return Ended{Issuer: t.Issuer, Subject: t.Subject, Session: t.SessionID}, nil
}

// typed reports whether a token says that it is of a type (RFC 8725 §3.11).
func typed(raw, want string) bool {
	t, err := jose.ParseSigned(raw, signatures)
	if err != nil || len(t.Signatures) != 1 {
		return false
	}
	is, _ := t.Signatures[0].Header.ExtraHeaders[jose.HeaderType].(string)
	return strings.EqualFold(strings.TrimPrefix(is, "application/"), want)
}

// signatures are those that a provider may use at all; which of them this one does
// is checked with the key.
var signatures = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// first reports whether a log-out is said for the first time.
func (p *Provider) first(id string, until time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if end, ok := p.said[id]; ok && now.Before(end) {
		return false
	}
	if len(p.said) >= maxSaid {
		maps.DeleteFunc(p.said, func(_ string, end time.Time) bool { return !now.Before(end) })
	}
	if len(p.said) < maxSaid { // only this provider can fill it
		p.said[id] = until
	}
	return true
}

// Has reports whether an ID token, checked when its session began, is of what has
// ended. A session whose token does not name itself ends with its person.
func (e Ended) Has(idToken string) bool {
	c, err := unverified(idToken)
	if err != nil || c.Issuer != e.Issuer || e.Subject != "" && c.Subject != e.Subject {
		return false
	}
	if e.Session == "" || c.Session == "" {
		return e.Subject != ""
	}
	return c.Session == e.Session
}

type idClaims struct {
	Issuer  string `json:"iss"`
	Subject string `json:"sub"`
	Session string `json:"sid"`
}

// unverified reads a token that was verified before.
func unverified(raw string) (c idClaims, err error) {
	t, err := jose.ParseSigned(raw, signatures)
	if err != nil {
		return c, err
	}
	err = json.Unmarshal(t.UnsafePayloadWithoutVerification(), &c)
	return c, err
}
