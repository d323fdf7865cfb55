package account

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// dummy makes a failed look-up cost as much as a wrong password.
var dummy = sync.OnceValues(func() (string, error) { return HashPassword("nobody") })

// Login checks a password, and waits for its turn as long as it takes.
func (b *Book) Login(user, password string) (*Account, bool) {
	acc, err := b.Prove(context.Background(), user, password, false)
	return acc, err == nil
}

// Prove checks a password; ErrWrong where it is another. It takes as long for a user who does
// not exist. It waits for its turn until ctx ends; suspect: whoever asks comes from
// where others have failed, and lets others go first. ErrBusy: too many wait.
func (b *Book) Prove(ctx context.Context, user, password string, suspect bool) (*Account, error) {
	acc, ok := b.Find(user)
	hash, err := dummy()
	if err != nil {
		return nil, err
	}
	if ok = ok && acc.Password != ""; ok {
		hash = acc.Password
	}
	right, err := b.check(ctx, hash, password, suspect)
	switch {
	case err != nil:
		return nil, err
	case !ok || !right || b.stale(user):
		return nil, ErrWrong
	}
	return acc, nil
}

// check compares a password with a hash, a few at a time.
func (b *Book) check(ctx context.Context, hash, password string, suspect bool) (bool, error) {
	done, err := b.turns.take(ctx, suspect)
	if err != nil {
		return false, err
	}
	defer done()
	right, err := checkPassword(hash, password)
	return err == nil && right, nil
}

// stale reports whether the password was made by another, too long ago.
func (b *Book) stale(user string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	o := b.kept.Own[user]
	return o != nil && o.Initial && b.opts.Now().Sub(o.Changed) > initialLife
}

// SetPassword lets somebody choose a password, who proves the old one.
func (b *Book) SetPassword(user, old, chosen string) error {
	acc, ok := b.Login(user, old)
	if !ok {
		return ErrWrong
	}
	if err := CheckChoice(chosen, acc.User, old); err != nil {
		return err
	}
	if same, err := b.check(context.Background(), acc.Password, chosen, false); err != nil {
		return err
	} else if same {
		return &Weak{"Es la contraseña de antes: elija otra", "This is the password from before: choose another"}
	}
	hash, err := b.opts.hash(chosen)
	if err != nil {
		return err
	}
	return b.alter(user, user, func(o *own) error {
		o.Password, o.Instead, o.Initial, o.Changed = hash, b.base(user), false, b.opts.Now().UTC()
		return nil
	})
}

// HasFactor reports whether somebody has a second factor.
func (b *Book) HasFactor(user string) bool {
	s, _ := b.State(user)
	return s.Factor
}

// Missing is what somebody still has to do before anything else: "password",
// "factor", or "". strong is true where the identity provider has asked for a
// second factor.
func (b *Book) Missing(a *Account, strong bool) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	o := b.kept.Own[a.User]
	switch {
	case a.Issuer == "" && o != nil && o.Initial:
		return "password"
	case !strong && slices.Contains(b.opts.Factor, a.Role) && (o == nil || o.Factor == nil):
		return "factor"
	}
	return ""
}

// Enrol gives somebody a second factor, who proves with a code that the
// authenticator has the secret. The recovery codes are shown once.
func (b *Book) Enrol(user, secret, code string) (recovery []string, err error) {
	now := b.opts.Now()
	err = b.alter(user, user, func(o *own) error {
		f := &factor{Secret: secret, Since: now.UTC()}
		if recovered, err := f.spend(code, now); err != nil || recovered {
			return ErrCode
		}
		recovery, f.Recovery = newRecovery()
		o.Factor = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// withFactor changes what an account has of its own where that has a second factor.
func withFactor(f func(*own) error) func(*own) error {
	return func(o *own) error {
		if o.Factor == nil {
			return ErrFactor
		}
		return f(o)
	}
}

// Spend checks a code of somebody's authenticator, or a recovery code. None
// counts twice, also after a restart; in a cluster of several machines that do not reach
// one another, once at each.
func (b *Book) Spend(user, code string) (recovered bool, err error) {
	err = b.alterBy(user, withFactor(func(o *own) error {
		recovered, err = o.Factor.spend(code, b.opts.Now())
		return err
	}), func() error { return b.publish(user) })
	return recovered, err
}

// Renew makes new recovery codes; the old ones end.
func (b *Book) Renew(user string) (recovery []string, err error) {
	err = b.alter(user, user, withFactor(func(o *own) error {
		recovery, o.Factor.Recovery = newRecovery()
		return nil
	}))
	return recovery, err
}

// DropFactor takes the second factor away.
func (b *Book) DropFactor(by, user string) error {
	return b.alter(by, user, withFactor(func(o *own) error { o.Factor = nil; return nil }))
}

// Identity is whom the identity provider vouches for.
type Identity struct {
	Issuer  string
	Subject string // of the issuer, for ever the same
	User    string // as the room calls the person
	Role    string
	Tables  []string
	Strong  bool // the provider has asked for a second factor
}

// Vouched is the account of somebody whom the identity provider vouches for. Its
// role is what the provider gives today. A name that is another's stays another's.
func (b *Book) Vouched(id Identity) (*Account, error) {
	if !userForm.MatchString(id.User) {
		return nil, fmt.Errorf("the identity provider names the user %q: want letters, digits, - _ . @", id.User)
	}
	if !slices.Contains(Roles, id.Role) || id.Issuer == "" || id.Subject == "" {
		return nil, fmt.Errorf("the identity provider says too little of %q", id.User)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.kept.Accounts
	i := slices.IndexFunc(old, func(a Account) bool { return a.Issuer == id.Issuer && a.Subject == id.Subject })
	if (i < 0 || old[i].User != id.User) && b.taken(id.User) {
		return nil, fmt.Errorf("%w: %q, and it is not the identity provider's %q", ErrTaken, id.User, id.Subject)
	}
	a := Account{User: id.User, Role: id.Role, Tables: id.Tables, Issuer: id.Issuer, Subject: id.Subject}
	if i >= 0 && !old[i].Disabled && reflect.DeepEqual(old[i], a) {
		return &a, nil
	}
	list := slices.Clone(old)
	if i < 0 {
		list = append(list, a)
	} else {
		if old[i].Disabled {
			return nil, fmt.Errorf("the account %q is shut", old[i].User)
		}
		if old[i].User != a.User { // renamed: what is the person's own stays so
			if o := b.kept.Own[old[i].User]; o != nil {
				b.kept.Own[a.User] = o
			}
			delete(b.kept.Own, old[i].User)
		}
		list[i] = a
	}
	b.kept.Accounts = list
	users := []string{a.User}
	if i >= 0 && old[i].User != a.User {
		users = append(users, old[i].User)
	}
	if err := b.publish(users...); err != nil {
		b.kept.Accounts = old
		return nil, err
	}
	return &a, nil
}
