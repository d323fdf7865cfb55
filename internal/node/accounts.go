package node

import (
	"net/url"

	"vision/stream/account"
	"vision/stream/signin"
)

// openAccounts opens who may log in, and the identity provider where there is one.
func (n *Node) openAccounts() (*account.Book, error) {
	opts := account.Options{Factor: n.cfg.SignIn.Factor, KeepFirst: n.cfg.SignIn.KeepFirst}
	for _, a := range n.cfg.Accounts {
		opts.Configured = append(opts.Configured, account.Account{User: a.User, Role: a.Role, Password: a.Password, Tables: a.Tables})
	}
	if o := n.cfg.SignIn.OIDC; o != nil {
		cfg := signin.Config{Issuer: o.Issuer, Client: o.Client, Secret: o.Secret, URL: o.URL, Scopes: o.Scopes, User: o.User, Claim: o.Claim, Strong: o.Strong, CA: o.CA, Logout: o.Logout}
		for _, r := range o.Roles {
			cfg.Roles = append(cfg.Roles, signin.Role(r))
		}
		var err error
		if n.provider, err = signin.New(cfg); err != nil {
			return nil, err
		}
		opts.Issuer = o.Issuer
	}
	book, first, err := account.Open(n.cfg.Data, opts)
	n.first = first
	return book, err
}

// providerName is what people know the identity provider by; "" where there is none.
func (n *Node) providerName() string {
	o := n.cfg.SignIn.OIDC
	switch {
	case o == nil:
		return ""
	case o.Name != "":
		return o.Name
	}
	u, err := url.Parse(o.Issuer)
	if err != nil {
		return o.Issuer
	}
	return u.Hostname()
}
