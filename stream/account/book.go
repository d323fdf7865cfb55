package account

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"vision/internal/durable"
	"vision/stream/statestore"
)

// File is the name of the book's file in the data folder.
const File = "accounts.json"

// Options of a book.
type Options struct {
	Configured []Account // those of vision.yaml; they are changed there
	// Factor lists the roles that need a second factor.
	Factor []string
	// KeepFirst lets the first password of all stay (demonstrations).
	KeepFirst bool
	// Issuer is the identity provider; "" forgets who came by one.
	Issuer string
	// Share is what the members know alike; nil: this machine is the only one.
	Share *statestore.Store
	Now   func() time.Time // nil = time.Now

	hash func(password string) (string, error) // nil = HashPassword
}

// Book holds the accounts: those of the configuration, those made in the console,
// those that the identity provider vouches for, and what each has of its own. Its
// methods may be called by many.
type Book struct {
	opts  Options
	path  string
	turns turns

	mu   sync.RWMutex
	kept kept
	revs map[string]uint64 // of the shared records, by user
}

// kept is the file.
type kept struct {
	Version  int             `json:"version"`
	Accounts []Account       `json:"accounts"`
	Own      map[string]*own `json:"own"`
}

// own is what an account has beyond its role.
type own struct {
	Password string    `json:"password,omitempty"` // chosen by its owner, or made by an administrator
	Instead  string    `json:"instead,omitempty"`  // the configured password that it took the place of
	Changed  time.Time `json:"changed,omitzero"`
	Initial  bool      `json:"initial,omitempty"` // made by another: to be changed at the first log-in
	Factor   *factor   `json:"factor,omitempty"`
}

// initialLife is how long a password that another has made can be used.
const initialLife = 7 * 24 * time.Hour

// Open reads the accounts of the data folder beside the configured ones. Where
// there is no account at all it makes "admin" with a random password and returns
// that password, to be shown once.
func Open(dir string, opts Options) (b *Book, first string, err error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.hash == nil {
		opts.hash = HashPassword
	}
	b = &Book{opts: opts, path: filepath.Join(dir, File), revs: map[string]uint64{}}
	if err := b.load(); err != nil {
		return nil, "", err
	}
	if err := b.join(); err != nil {
		return nil, "", err
	}
	if len(b.opts.Configured)+len(b.kept.Accounts) > 0 {
		return b, "", nil
	}
	first, err = b.Add("", Account{User: "admin", Role: "admin"})
	if errors.Is(err, statestore.ErrChanged) || errors.Is(err, statestore.ErrAway) {
		return nil, "", fmt.Errorf("accounts: the first of the house: %w", err)
	}
	if err != nil {
		return nil, "", err
	}
	if opts.KeepFirst {
		err = b.alter("", "admin", func(o *own) error { o.Initial = false; return nil })
	}
	return b, first, err
}

func (b *Book) load() error {
	b.kept = kept{Version: 2, Own: map[string]*own{}}
	raw, err := os.ReadFile(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		var old []Account // the first version was the list alone
		if json.Unmarshal(raw, &old) == nil {
			b.kept.Accounts = old
			return nil
		}
		err = json.Unmarshal(raw, &b.kept)
	}
	if err != nil {
		return fmt.Errorf("accounts %s: %w; mend it, or remove it to get a new first password", b.path, err)
	}
	if b.kept.Own == nil {
		b.kept.Own = map[string]*own{}
	}
	return nil
}

// save is called with the lock held (or before anybody else knows the book).
func (b *Book) save() error {
	if err := durable.WriteJSON(b.path, b.kept); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	return nil
}

// alter changes what an account has of its own and keeps it; where it cannot be
// kept, or the members do not agree, nothing is changed.
func (b *Book) alter(by, user string, f func(*own) error) error {
	return b.alterBy(user, f, func() error { return b.commit(by, user) })
}

// alterBy is alter, kept as keep does it.
func (b *Book) alterBy(user string, f func(*own) error, keep func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.find(user); !ok {
		return fmt.Errorf("%w: %q", ErrUnknown, user)
	}
	old, had := b.kept.Own[user]
	next := own{}
	if had {
		next = *old
		if old.Factor != nil {
			f := *old.Factor
			next.Factor = &f
		}
	}
	if err := f(&next); err != nil {
		return err
	}
	b.kept.Own[user] = &next
	err := keep()
	if err != nil {
		delete(b.kept.Own, user)
		if had {
			b.kept.Own[user] = old
		}
	}
	return err
}

// find is called with the lock held.
func (b *Book) find(user string) (*Account, bool) {
	for _, list := range [][]Account{b.opts.Configured, b.kept.Accounts} {
		for i := range list {
			if a := list[i]; a.User == user && (a.Issuer == "" || a.Issuer == b.opts.Issuer) {
				if o := b.kept.Own[user]; o != nil && o.Password != "" && o.Instead == a.Password {
					a.Password = o.Password
				}
				return &a, true
			}
		}
	}
	return nil, false
}

// Find is the account of a user who may be here.
func (b *Book) Find(user string) (*Account, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a, ok := b.find(user)
	if !ok || a.Disabled {
		return nil, false
	}
	return a, true
}

// Known is the user for whom an issuer vouches as a subject.
func (b *Book) Known(issuer, subject string) (user string, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	i := slices.IndexFunc(b.kept.Accounts, func(a Account) bool { return a.Issuer == issuer && a.Subject == subject })
	if issuer == "" || i < 0 {
		return "", false
	}
	return b.kept.Accounts[i].User, true
}

// Jefes are the users who may have tables under them, in order of their names.
func (b *Book) Jefes() (out []string) {
	for _, s := range b.List() {
		if s.Role == "jefe" && !s.Disabled {
			out = append(out, s.User)
		}
	}
	return out
}

// State is an account as an administrator sees it.
type State struct {
	User       string    `json:"user"`
	Role       string    `json:"role"`
	Tables     []string  `json:"tables,omitempty"`
	Disabled   bool      `json:"disabled,omitempty"`
	Configured bool      `json:"configured,omitempty"` // is in vision.yaml and is changed there
	Issuer     string    `json:"issuer,omitempty"`
	Factor     bool      `json:"factor"`   // has a second factor
	Needs      bool      `json:"needs"`    // the role needs one
	Recovery   int       `json:"recovery"` // recovery codes left
	Initial    bool      `json:"initial,omitempty"`
	Changed    time.Time `json:"changed,omitzero"` // when the password was chosen
}

// List is all accounts, in order of their names.
func (b *Book) List() []State {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := []State{}
	for i, a := range b.all() {
		if a.Issuer == "" || a.Issuer == b.opts.Issuer {
			out = append(out, b.state(a, i < len(b.opts.Configured)))
		}
	}
	slices.SortFunc(out, func(x, y State) int { return cmp.Compare(x.User, y.User) })
	return out
}

func (b *Book) state(a Account, configured bool) State {
	s := State{
		User: a.User, Role: a.Role, Tables: a.Tables, Disabled: a.Disabled, Configured: configured, Issuer: a.Issuer,
		Needs: slices.Contains(b.opts.Factor, a.Role),
	}
	if o := b.kept.Own[a.User]; o != nil {
		s.Initial, s.Changed = o.Initial, o.Changed
		if o.Factor != nil {
			s.Factor, s.Recovery = true, len(o.Factor.Recovery)
		}
	}
	return s
}

// State is the state of one account.
func (b *Book) State(user string) (State, bool) {
	list := b.List()
	i := slices.IndexFunc(list, func(s State) bool { return s.User == user })
	if i < 0 {
		return State{}, false
	}
	return list[i], true
}

// userForm is what user names look like.
var userForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$`)

// Errors of administration.
var (
	ErrTaken      = errors.New("there is an account of that name already")
	ErrConfigured = errors.New("the account stands in vision.yaml and is changed there")
	ErrLastAdmin  = errors.New("no other administrator would be left")
)

// Add makes an account and its first password, which its owner has to change and
// which ends by itself after a week. by is who makes it.
func (b *Book) Add(by string, a Account) (password string, err error) {
	if !userForm.MatchString(a.User) {
		return "", fmt.Errorf("user %q: want a name of letters, digits, - _ . @", a.User)
	}
	if !slices.Contains(Roles, a.Role) {
		return "", fmt.Errorf("role %q: want one of %v", a.Role, Roles)
	}
	b.mu.Lock()
	if b.taken(a.User) {
		b.mu.Unlock()
		return "", fmt.Errorf("%w: %q", ErrTaken, a.User)
	}
	b.kept.Accounts = append(b.kept.Accounts, a)
	delete(b.kept.Own, a.User)
	b.mu.Unlock()
	if password, err = b.Reset(by, a.User); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.kept.Accounts = slices.DeleteFunc(b.kept.Accounts, func(x Account) bool { return x.User == a.User })
		return "", err
	}
	return password, nil
}

// all are the configured accounts and those that are kept, also of a provider that is forgotten now.
func (b *Book) all() []Account { return slices.Concat(b.opts.Configured, b.kept.Accounts) }

// taken reports whether a name is anybody's.
func (b *Book) taken(user string) bool {
	return slices.ContainsFunc(b.all(), func(a Account) bool { return a.User == user })
}

// Reset makes a new password for somebody who has lost his.
func (b *Book) Reset(by, user string) (password string, err error) {
	password = rand.Text()
	hash, err := b.opts.hash(password)
	if err != nil {
		return "", err
	}
	return password, b.alter(by, user, func(o *own) error {
		o.Password, o.Instead, o.Initial, o.Changed = hash, b.base(user), true, b.opts.Now().UTC()
		return nil
	})
}

// base is the password under which an account was made; called with the lock held.
func (b *Book) base(user string) string {
	for _, a := range b.all() {
		if a.User == user {
			return a.Password
		}
	}
	return ""
}

// Change gives an account another role and tables, or shuts it.
func (b *Book) Change(by, user, role string, tables []string, disabled bool) error {
	if !slices.Contains(Roles, role) {
		return fmt.Errorf("role %q: want one of %v", role, Roles)
	}
	return b.edit(by, user, func(list []Account, i int) []Account {
		list[i].Role, list[i].Tables, list[i].Disabled = role, tables, disabled
		return list
	})
}

// Remove takes an account away.
func (b *Book) Remove(by, user string) error {
	return b.edit(by, user, func(list []Account, i int) []Account { return slices.Delete(list, i, i+1) })
}

// edit changes the list of accounts unless nobody could administer them then.
func (b *Book) edit(by, user string, f func(list []Account, i int) []Account) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.kept.Accounts
	i := slices.IndexFunc(old, func(a Account) bool { return a.User == user })
	switch {
	case i < 0 && b.taken(user):
		return fmt.Errorf("%w: %q", ErrConfigured, user)
	case i < 0:
		return fmt.Errorf("%w: %q", ErrUnknown, user)
	}
	b.kept.Accounts = f(slices.Clone(old), i)
	had := b.kept.Own[user]
	if len(b.kept.Accounts) < len(old) {
		delete(b.kept.Own, user)
	}
	err := ErrLastAdmin
	if slices.ContainsFunc(b.all(), func(a Account) bool { return a.Role == "admin" && !a.Disabled && a.Issuer == "" }) {
		err = b.commit(by, user)
	}
	if err != nil {
		b.kept.Accounts = old
		if had != nil {
			b.kept.Own[user] = had
		}
	}
	return err
}
