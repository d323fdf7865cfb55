package account

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"vision/stream/statestore"
)

// Shared is the kind of the records by which the members know the same
// accounts. What changes an account all have to agree on; what happens at a log-in (a
// code that was used, an identity provider's word) counts where it happens, also without
// Redis, and reaches the others when it can.
const Shared = "account"

// sharedAccount is the value of a record.
type sharedAccount struct {
	Account *Account `json:"account,omitempty"` // nil: it stands in vision.yaml
	Own     *own     `json:"own,omitempty"`
}

// join goes on with the accounts that the machines share, and shares those that this one
// had before.
func (b *Book) join() error {
	s := b.opts.Share
	if s == nil {
		return nil
	}
	if err := s.Register(Shared, statestore.Kind{Apply: b.onRecord}); err != nil {
		return fmt.Errorf("shared accounts: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	users := slices.Collect(maps.Keys(b.kept.Own))
	for _, a := range b.kept.Accounts {
		users = append(users, a.User)
	}
	for _, user := range users {
		raw, err := b.value(user)
		if err != nil {
			return err
		}
		if b.revs[user] == 0 && raw != nil {
			s.Seed(Shared+"/"+user, raw)
		}
	}
	return nil
}

// value is what is shared of a user, nil where there is no such account; called with the
// lock held.
func (b *Book) value(user string) (json.RawMessage, error) {
	v := sharedAccount{Own: b.kept.Own[user]}
	if i := slices.IndexFunc(b.kept.Accounts, func(a Account) bool { return a.User == user }); i >= 0 {
		v.Account = &b.kept.Accounts[i]
	}
	if v.Account == nil && v.Own == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("account %q: %w", user, err)
	}
	return raw, nil
}

// commit keeps what was changed of a user, once all machines agree; called with the lock
// held.
func (b *Book) commit(by, user string) error {
	if s := b.opts.Share; s != nil {
		raw, err := b.value(user)
		if err != nil {
			return err
		}
		rev, err := s.Change(context.Background(), by, Shared+"/"+user, b.revs[user], raw)
		if err != nil {
			return err
		}
		b.revs[user] = rev
	}
	return b.save()
}

// publish keeps what was changed of users, and lets the other machines know; called with the
// lock held.
func (b *Book) publish(users ...string) error {
	for _, user := range users {
		if b.opts.Share == nil {
			break
		}
		raw, err := b.value(user)
		if err != nil {
			return err
		}
		r, err := b.opts.Share.Set(user, Shared+"/"+user, raw, time.Time{})
		if err != nil {
			return err
		}
		b.revs[user] = r.Rev
	}
	return b.save()
}

// onRecord takes an account as the members share it.
func (b *Book) onRecord(r statestore.Record) error {
	v, _, err := statestore.Value[sharedAccount](r)
	if err != nil {
		return fmt.Errorf("account %q: %w", r.Name(), err)
	}
	user := r.Name()
	b.mu.Lock()
	defer b.mu.Unlock()
	before, err := b.value(user)
	if err != nil {
		return err
	}
	b.revs[user] = r.Rev
	b.kept.Accounts = slices.DeleteFunc(b.kept.Accounts, func(a Account) bool { return a.User == user })
	delete(b.kept.Own, user)
	if v.Account != nil {
		v.Account.User = user
		b.kept.Accounts = append(b.kept.Accounts, *v.Account)
	}
	if v.Own != nil {
		b.kept.Own[user] = v.Own
	}
	after, err := b.value(user)
	if err != nil || string(before) == string(after) {
		return err
	}
	return b.save()
}
