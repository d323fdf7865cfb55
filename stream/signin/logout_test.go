package signin

import (
	"errors"
	"testing"
	"time"

	"vision/internal/testkit/idp"
)

// What the provider says of a log-out is taken once, and nothing else is.
func TestLoggedOut(t *testing.T) {
	p := idp.New(t)
	x := provider(t, p)
	tok := p.LogoutToken(t, nil)
	got, err := x.LoggedOut(t.Context(), tok)
	if err != nil || got != (Ended{Issuer: p.URL, Subject: "17"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := x.LoggedOut(t.Context(), tok); !errors.Is(err, ErrRefused) {
		t.Errorf("a second time: %v", err)
	}
	_, id, err := login(t, x)
	if err != nil {
		t.Fatal(err)
	}
	other := idp.NewKey(t)
	for name, set := range map[string]func(map[string]any, *string){
		"an ID token's type": func(_ map[string]any, typ *string) { *typ = "JWT" },
		"no type":            func(_ map[string]any, typ *string) { *typ = "" },
		"another event":      func(c map[string]any, _ *string) { c["events"] = map[string]any{"http://other": map[string]any{}} },
		"a nonce":            func(c map[string]any, _ *string) { c["nonce"] = "x" },
		"another issuer":     func(c map[string]any, _ *string) { c["iss"] = "https://other" },
		"another client":     func(c map[string]any, _ *string) { c["aud"] = "other" },
		"no id":              func(c map[string]any, _ *string) { delete(c, "jti") },
		"nobody":             func(c map[string]any, _ *string) { delete(c, "sub") },
		"no end":             func(c map[string]any, _ *string) { delete(c, "exp") },
		"past":               func(c map[string]any, _ *string) { c["exp"] = time.Now().Add(-time.Minute).Unix() },
		"old":                func(c map[string]any, _ *string) { c["iat"] = time.Now().Add(-time.Hour).Unix() },
		"another key":        func(map[string]any, *string) { p.Key = other },
	} {
		tok := p.LogoutToken(t, set)
		p.Key = nil
		if got, err := x.LoggedOut(t.Context(), tok); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "x", "a.b.c", id} {
		if got, err := x.LoggedOut(t.Context(), bad); !errors.Is(err, ErrRefused) {
			t.Errorf("%.20q: %+v, %v", bad, got, err)
		}
	}
}

// A log-out names a person, or one session of hers.
func TestWhatHasEnded(t *testing.T) {
	p := idp.New(t)
	x := provider(t, p)
	tokens := map[string]string{}
	for _, sid := range []string{"", "one", "two"} {
		delete(p.Claims, "sid")
		if sid != "" {
			p.Claims["sid"] = sid
		}
		_, tok, err := login(t, x)
		if err != nil {
			t.Fatal(err)
		}
		tokens[sid] = tok
	}
	for _, tc := range []struct {
		ended Ended
		want  map[string]bool // by the session that the ID token names
	}{
		{Ended{Issuer: p.URL, Subject: "17"}, map[string]bool{"": true, "one": true, "two": true}},
		{Ended{Issuer: p.URL, Subject: "17", Session: "one"}, map[string]bool{"": true, "one": true}},
		{Ended{Issuer: p.URL, Session: "two"}, map[string]bool{"two": true}},
		{Ended{Issuer: p.URL, Subject: "18"}, nil},
		{Ended{Issuer: "https://other", Subject: "17"}, nil},
		{Ended{Issuer: p.URL}, nil},
	} {
		for sid, tok := range tokens {
			if got := tc.ended.Has(tok); got != tc.want[sid] {
				t.Errorf("%+v and session %q: %v", tc.ended, sid, got)
			}
		}
		if tc.ended.Has("") || tc.ended.Has("x.y.z") {
			t.Errorf("%+v ends who came by a password", tc.ended)
		}
	}
}
