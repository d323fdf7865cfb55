package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"vision/internal/redact"
)

// SignIn is how people log in, beyond a password.
type SignIn struct {
	Factor    []string `yaml:"factor"`     // roles that need a second factor; absent: defaultFactor
	KeepFirst bool     `yaml:"keep_first"` // the very first password may stay: for demonstrations
	OIDC      *OIDC    `yaml:"oidc"`       // the house's identity provider; nil = none
}

// defaultFactor are the roles that need a second factor where the configuration
// does not say: all (ASVS 5, 6.3.3). A house that relaxes it says so in its file.
var defaultFactor = Roles

// OIDC is an identity provider that speaks OpenID Connect.
type OIDC struct {
	Name   string     `yaml:"name"`   // on the button; "" = the issuer's host
	Issuer string     `yaml:"issuer"` // https://…
	Client string     `yaml:"client"`
	Secret string     `yaml:"secret" secret:"text"`
	URL    string     `yaml:"url"`         // this console's address, as browsers have it
	Scopes []string   `yaml:"scopes"`      // beside openid
	User   string     `yaml:"user"`        // claim with the person's name here; "" = preferred_username
	Claim  string     `yaml:"claim"`       // claim that says the role; "" = groups
	Roles  []OIDCRole `yaml:"roles"`       // the first that fits counts
	Strong []string   `yaml:"strong"`      // values of amr or acr that mean a second factor
	CA     string     `yaml:"ca" path:"y"` // file of further authorities
	Logout bool       `yaml:"logout"`      // logging out here does so there
}

// OIDCRole is what a value of the claim makes of somebody.
type OIDCRole struct {
	Value  string   `yaml:"value"`
	Role   string   `yaml:"role"`
	Tables []string `yaml:"tables"`
}

// check says what is wrong, without quoting secrets.
func (s SignIn) check(tables map[string]bool) (errs []error) {
	for i, role := range s.Factor {
		if !slices.Contains(Roles, role) {
			errs = append(errs, fmt.Errorf("sign_in.factor[%d]: %q; want one of %s", i, role, strings.Join(Roles, ", ")))
		}
	}
	o := s.OIDC
	if o == nil {
		return errs
	}
	for name, v := range map[string]string{"issuer": o.Issuer, "url": o.URL} {
		if !safe(v) {
			errs = append(errs, fmt.Errorf("sign_in.oidc.%s: %q; want https://…", name, redact.URL(v)))
		}
	}
	if o.Client == "" {
		errs = append(errs, fmt.Errorf("sign_in.oidc.client: missing; the identity provider gives it"))
	}
	if len(o.Roles) == 0 {
		errs = append(errs, fmt.Errorf("sign_in.oidc.roles: none; nobody could log in"))
	}
	for i, r := range o.Roles {
		if r.Value == "" || !slices.Contains(Roles, r.Role) {
			errs = append(errs, fmt.Errorf("sign_in.oidc.roles[%d]: want a value of the claim and one of %s", i, strings.Join(Roles, ", ")))
		}
		for _, t := range r.Tables {
			if !tables[t] {
				errs = append(errs, fmt.Errorf("sign_in.oidc.roles[%d].tables: no table %q", i, t))
			}
		}
	}
	return errs
}

// safe reports whether an address is of TLS, or of this machine.
func safe(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
