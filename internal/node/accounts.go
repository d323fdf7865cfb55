package node

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"time"

	"vision/internal/backoff"
	"vision/stream/account"
	"vision/stream/floor"
	"vision/stream/signin"
)

// openAccounts opens who may log in, and the identity provider where there is one.
func (n *Node) openAccounts() (*account.Book, error) {
	opts := account.Options{Share: n.stateStore(), Factor: n.cfg.SignIn.Factor, KeepFirst: n.cfg.SignIn.KeepFirst}
	for _, a := range n.cfg.Accounts {
		configured := account.Account{User: a.User, Role: a.Role, Password: a.Password, Tables: a.Tables}
		opts.Configured = append(opts.Configured, configured)
	}
	if o := n.cfg.SignIn.OIDC; o != nil {
		var err error
		if n.provider, err = signin.New(*o); err != nil {
			return nil, err
		}
		n.took(n.provider.Close)
		opts.Issuer = o.Issuer
	}
	book, first, err := account.Open(n.cfg.Data, opts)
	n.first, n.people = first, book
	return book, err
}

// Jefe is a jefe de mesa with the tables under him.
type Jefe struct {
	User   string
	Tables []string
}

// Employ makes accounts for jefes who have none, who see their own tables, and returns
// their passwords, to be shown once: for the demonstration.
func (n *Node) Employ(jefes []Jefe) (passwords map[string]string, err error) {
	passwords = map[string]string{}
	for _, j := range jefes {
		made, err := n.people.Add("demo", account.Account{User: j.User, Role: "jefe", Tables: j.Tables})
		if errors.Is(err, account.ErrTaken) {
			continue
		}
		if err != nil {
			return passwords, err
		}
		own := rand.Text() // as if its owner had chosen it: one made by another would have to be changed first
		if err := n.people.SetPassword(j.User, made, own); err != nil {
			return passwords, err
		}
		passwords[j.User] = own
	}
	return passwords, nil
}

// Install puts each jefe's tables under him as soon as the norm allows it (it may
// ask for their recordings), unless somebody has tables already; for the
// demonstration.
func (n *Node) Install(ctx context.Context, jefes []Jefe) error {
	if len(n.floor.Status().Assignments) > 0 {
		return nil
	}
	for len(jefes) > 0 {
		if err := backoff.Sleep(ctx, 500*time.Millisecond); err != nil {
			return err
		}
		j := jefes[0]
		_, err := n.floor.Assign(ctx, "demo", j.User, j.Tables, false)
		var no *floor.Forbidden
		switch {
		case err == nil, errors.Is(err, floor.ErrTaken): // somebody was quicker
			jefes = jefes[1:]
		case !errors.As(err, &no):
			return err
		}
	}
	return nil
}

// providerName is the identity provider's display name; "" where there is none.
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
