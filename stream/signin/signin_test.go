package signin

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/internal/config"
	"vision/internal/testkit/idp"
	"vision/stream/account"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func provider(t *testing.T, p *idp.Provider, more ...func(*config.OIDC)) *Provider {
	t.Helper()
	cfg := config.OIDC{Issuer: p.URL, Client: idp.Client, Secret: idp.Secret, URL: "https://console/", Scopes: []string{"profile"}, Logout: true,
		Roles: []config.OIDCRole{{Value: "direccion", Role: "director"}, {Value: "salas", Role: "jefe", Tables: []string{"BJ1"}}}}
	for _, f := range more {
		f(&cfg)
	}
	x, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// visit goes to the provider as a browser does, and brings the answer back.
func visit(t *testing.T, where string) url.Values {
	t.Helper()
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer c.CloseIdleConnections()
	resp, err := c.Get(where)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	back, err := resp.Location()
	if err != nil || back.Scheme+"://"+back.Host+back.Path != "https://console"+Callback {
		t.Fatalf("sent to %v (%d), %v", back, resp.StatusCode, err)
	}
	return back.Query()
}

func login(t *testing.T, x *Provider) (account.Identity, string, error) {
	t.Helper()
	where, a, err := x.Begin(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	return x.Finish(t.Context(), a, visit(t, where))
}

func TestLogin(t *testing.T) {
	p := idp.New(t)
	x := provider(t, p)
	id, tok, err := login(t, x)
	if err != nil {
		t.Fatal(err)
	}
	if id.Issuer != p.URL || id.Subject != "17" || id.User != "eva" || id.Role != "jefe" ||
		!slices.Equal(id.Tables, []string{"BJ1"}) ||
		id.Strong ||
		tok == "" {
		t.Errorf("%+v", id)
	}
	out, err := url.Parse(x.LogoutURL(tok))
	if err != nil || out.Path != "/end" || out.Query().Get("id_token_hint") != tok || out.Query().Get("post_logout_redirect_uri") != "https://console/login" {
		t.Errorf("logs out at %v", out)
	}
	if x.Origin() != p.URL {
		t.Errorf("origin %s", x.Origin())
	}
}

// The role follows from a claim; the first of the configuration that fits counts.
func TestRoles(t *testing.T) {
	for name, tc := range map[string]struct {
		set  func(*idp.Provider, *config.OIDC)
		role string
		err  error
	}{
		"two groups": {func(p *idp.Provider, _ *config.OIDC) { p.Claims["groups"] = []string{"salas", "direccion"} }, "director", nil},
		"one text":   {func(p *idp.Provider, _ *config.OIDC) { p.Claims["groups"] = "salas" }, "jefe", nil},
		"deeper": {func(p *idp.Provider, c *config.OIDC) {
			c.Claim = "realm_access.roles"
			p.Claims["realm_access"] = map[string]any{"roles": []string{"salas"}}
		}, "jefe", nil},
		"a name with dots": {func(p *idp.Provider, c *config.OIDC) {
			c.Claim = "https://x.example/roles"
			p.Claims[c.Claim] = []string{"salas"}
		}, "jefe", nil},
		"none that fits": {func(p *idp.Provider, _ *config.OIDC) { p.Claims["groups"] = []string{"cocina"} }, "", ErrNoRole},
		"no claim": {func(p *idp.Provider, _ *config.OIDC) {
			delete(p.Claims, "groups")
			p.Info = map[string]any{"sub": "17"}
		}, "", ErrNoRole},
		"a number": {func(p *idp.Provider, _ *config.OIDC) { p.Claims["groups"] = 7 }, "", ErrNoRole},
		"asked for": {func(p *idp.Provider, _ *config.OIDC) {
			delete(p.Claims, "groups")
			p.Info = map[string]any{"sub": "17", "groups": []string{"salas"}}
		}, "jefe", nil},
		"another's": {func(p *idp.Provider, _ *config.OIDC) {
			delete(p.Claims, "groups")
			p.Info = map[string]any{"sub": "18", "groups": []string{"direccion"}}
		}, "", ErrRefused},
		"no information": {func(p *idp.Provider, _ *config.OIDC) { delete(p.Claims, "groups") }, "", ErrUnreachable},
		"no name":        {func(p *idp.Provider, c *config.OIDC) { c.User = "nickname"; p.Info = map[string]any{"sub": "17"} }, "", ErrRefused},
		"an address": {func(p *idp.Provider, c *config.OIDC) {
			c.User = "email"
			p.Claims["email"] = "eva@casa"
			p.Claims["email_verified"] = true
		}, "jefe", nil},
		"an address unknown": {func(p *idp.Provider, c *config.OIDC) {
			c.User = "email"
			p.Claims["email"] = "eva@casa"
			p.Claims["email_verified"] = false
		}, "", ErrRefused},
	} {
		t.Run(name, func(t *testing.T) {
			p := idp.New(t)
			x := provider(t, p, func(c *config.OIDC) { tc.set(p, c) })
			if id, _, err := login(t, x); id.Role != tc.role || !errors.Is(err, tc.err) {
				t.Errorf("%+v, %v; want %q, %v", id, err, tc.role, tc.err)
			}
		})
	}
}

func TestASecondFactorAtTheProvider(t *testing.T) {
	for name, tc := range map[string]struct {
		claim string
		value any
		want  bool
	}{"password": {"amr", []string{"pwd"}, false}, "mfa": {"amr", []string{"pwd", "mfa"}, true}, "key": {"amr", []string{"hwk"}, true}, "acr": {"acr", "otp", true}, "acr 0": {"acr", "0", false}} {
		t.Run(name, func(t *testing.T) {
			p := idp.New(t)
			p.Claims[tc.claim] = tc.value
			if id, _, err := login(t, provider(t, p)); err != nil || id.Strong != tc.want {
				t.Errorf("%+v %v", id, err)
			}
		})
	}
}

// What a provider, or somebody between, may send instead of a true ID token.
func TestFalseTokens(t *testing.T) {
	other := idp.NewKey(t)
	for name, set := range map[string]func(*idp.Provider){
		"another key":    func(p *idp.Provider) { p.Key = other },
		"unsigned":       func(p *idp.Provider) { p.Unsigned = true },
		"another nonce":  func(p *idp.Provider) { p.Token = func(c map[string]any) { c["nonce"] = "x" } },
		"no nonce":       func(p *idp.Provider) { p.Token = func(c map[string]any) { delete(c, "nonce") } },
		"another client": func(p *idp.Provider) { p.Token = func(c map[string]any) { c["aud"] = "other" } },
		"another party":  func(p *idp.Provider) { p.Token = func(c map[string]any) { c["azp"] = "other" } },
		"another issuer": func(p *idp.Provider) { p.Token = func(c map[string]any) { c["iss"] = "https://other" } },
		"past": func(p *idp.Provider) {
			p.Token = func(c map[string]any) { c["exp"] = time.Now().Add(-time.Hour).Unix() }
		},
		"an error": func(p *idp.Provider) { p.Refuse = "access_denied" },
	} {
		t.Run(name, func(t *testing.T) {
			p := idp.New(t)
			set(p)
			if id, tok, err := login(t, provider(t, p)); !errors.Is(err, ErrRefused) || tok != "" {
				t.Errorf("%+v, %v", id, err)
			}
		})
	}
}

// Answers that are not of the attempt, or come again.
func TestFalseAnswers(t *testing.T) {
	p := idp.New(t)
	x := provider(t, p)
	where, a, err := x.Begin(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Attempt, url.Values){
		"another state":    func(_ *Attempt, v url.Values) { v.Set("state", "x") },
		"no state":         func(_ *Attempt, v url.Values) { v.Del("state") },
		"no attempt":       func(a *Attempt, v url.Values) { *a = Attempt{Begun: a.Begun}; v.Del("state") },
		"another verifier": func(a *Attempt, _ url.Values) { a.Verifier = strings.Repeat("x", 43) },
		"another issuer":   func(_ *Attempt, v url.Values) { v.Set("iss", "https://other") },
		"no issuer":        func(_ *Attempt, v url.Values) { v.Del("iss") },
		"too late":         func(a *Attempt, _ url.Values) { a.Begun = a.Begun.Add(-time.Hour) },
		"no code":          func(_ *Attempt, v url.Values) { v.Del("code") },
	} {
		b, answer := a, visit(t, where)
		change(&b, answer)
		if id, _, err := x.Finish(t.Context(), b, answer); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %+v, %v", name, id, err)
		}
	}
	answer := visit(t, where)
	if _, _, err := x.Finish(t.Context(), a, answer); err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Finish(t.Context(), a, answer); !errors.Is(err, ErrRefused) {
		t.Errorf("the same code again: %v", err)
	}
}

// Where the provider is away one logs in by password; when it is back it is asked again.
func TestTheProviderIsAway(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	x, err := New(config.OIDC{Issuer: away.URL, Client: "x", URL: "https://console"})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, _, err := x.Begin(t.Context(), "/"); !errors.Is(err, ErrUnreachable) {
		t.Errorf("not found: %v", err)
	}
	away.Close()
	if _, _, err := x.Begin(t.Context(), "/"); !errors.Is(err, ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
	if x.LogoutURL("x") != "" {
		t.Error("logs out nowhere")
	}
	p := idp.New(t)
	x.cfg.Issuer = p.URL
	if _, _, err := x.Begin(t.Context(), "/"); err != nil {
		t.Errorf("when it is back: %v", err)
	}
}

func TestAuthorities(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{file, file + "x"} {
		if _, err := New(config.OIDC{CA: f}); err == nil || !strings.Contains(err.Error(), "sign_in.oidc.ca") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
