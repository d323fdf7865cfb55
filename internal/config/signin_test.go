package config

import (
	"slices"
	"strings"
	"testing"
)

func TestSignIn(t *testing.T) {
	good := small + `sign_in:
  factor: [admin]
  oidc:
    issuer: https://login.casa.example/realms/casino
    client: vision
    secret: hush
    url: https://vision.casa.example
    roles: [{value: jefes, role: jefe, tables: [BJ1]}]
`
	c, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if o := c.SignIn.OIDC; o == nil || o.Roles[0].Tables[0] != "BJ1" || c.SignIn.Factor[0] != "admin" {
		t.Errorf("%+v", c.SignIn)
	}
	for _, x := range []struct{ old, new, want string }{
		{"factor: [admin]", "factor: [king]", "sign_in.factor[0]"},
		{"issuer: https", "issuer: http", "sign_in.oidc.issuer"},
		{"url: https://vision.casa.example", "url: ''", "sign_in.oidc.url"},
		{"client: vision", "client: ''", "sign_in.oidc.client"},
		{"roles: [{value: jefes, role: jefe, tables: [BJ1]}]", "roles: []", "sign_in.oidc.roles: none"},
		{"value: jefes", "value: ''", "sign_in.oidc.roles[0]"},
		{"role: jefe", "role: king", "sign_in.oidc.roles[0]"},
		{"tables: [BJ1]", "tables: [X9]", `no table "X9"`},
	} {
		_, err := Parse([]byte(strings.Replace(good, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v; want %s", x.new, err, x.want)
		}
	}
	if _, err := Parse([]byte(strings.ReplaceAll(good, "https://", "http://127.0.0.1:8/"))); err != nil {
		t.Errorf("on this machine: %v", err)
	}
}

// Whoever says nothing about second factors asks them of everybody; who says that
// none is needed is believed.
func TestWhoNeedsASecondFactor(t *testing.T) {
	for text, want := range map[string][]string{
		small:                                   Roles,
		small + "sign_in: {keep_first: true}\n": Roles,
		small + "sign_in: {factor: []}\n":       {},
		small + "sign_in: {factor: [jefe]}\n":   {"jefe"},
	} {
		c, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.SignIn.Factor, want) {
			t.Errorf("%q of %q; want %q", c.SignIn.Factor, text, want)
		}
	}
}
