package statestore

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"vision/internal/backoff"
)

// Sync compares all with Redis once, before Run: what others have shared is here then.
func (s *Store) Sync(ctx context.Context) error {
	err := s.compare(ctx)
	if err == nil {
		err = s.send(ctx)
	}
	s.found(err)
	return err
}

// Run keeps up with the other machines until ctx ends.
func (s *Store) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for ctx.Err() == nil {
		life, end := context.WithCancel(ctx)
		wg.Go(func() {
			defer end()
			s.found(s.sending(life))
		})
		s.found(s.follow(life))
		end()
		wg.Wait()
		_ = backoff.Sleep(ctx, s.cfg.Pause)
	}
	return ctx.Err()
}

// found notes whether the machines can agree.
func (s *Store) found(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.away
	s.away = nil
	if err != nil {
		s.away = ErrAway
	}
	if (was == nil) != (s.away == nil) {
		s.cfg.Log.Info("shared records", "agreed on with the other machines", err == nil, "err", err)
	}
}

// follow takes what others change, until Redis fails.
func (s *Store) follow(ctx context.Context) error {
	_, after, err := s.cfg.Bus.Changes(ctx, Book, "", 0)
	if err != nil {
		return err
	}
	var compared time.Time
	for {
		select {
		case <-s.look:
			compared = time.Time{}
		default:
		}
		if time.Since(compared) >= s.cfg.Review {
			if err := s.compare(ctx); err != nil {
				return err
			}
			signal(s.more)
			s.found(nil)
			compared = time.Now()
		}
		var entries []Entry
		if entries, after, err = s.cfg.Bus.Changes(ctx, Book, after, min(s.cfg.Review, 500*time.Millisecond)); err != nil {
			return err
		}
		for _, e := range entries {
			s.take(e)
		}
		s.flush()
	}
}

// sending sends what is owed, until Redis fails.
func (s *Store) sending(ctx context.Context) error {
	for {
		if err := s.send(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.more:
		}
	}
}

// send puts what is owed into Redis; where that has more it is taken.
func (s *Store) send(ctx context.Context) error {
	for {
		s.mu.Lock()
		keys := slices.Sorted(maps.Keys(s.owed))
		s.mu.Unlock()
		if len(keys) == 0 {
			return nil
		}
		for _, key := range keys {
			s.mu.Lock()
			r, ok := s.have[key]
			delete(s.owed, key) // what is published from now on is owed anew
			s.mu.Unlock()
			if !ok || r.ended(s.cfg.Now()) {
				continue
			}
			e, err := s.entry(r)
			var there *Entry
			if err == nil {
				there, err = s.cfg.Bus.PutEntry(ctx, Book, e, "")
			}
			if err != nil {
				s.mu.Lock()
				s.owed[key] = true
				s.mu.Unlock()
				return err
			}
			if there != nil {
				s.take(*there)
			}
		}
		s.flush()
	}
}

// many is how many records are read at once.
const many = 200

// compare finds what Redis has newer and what it lacks, and takes out what has ended.
func (s *Store) compare(ctx context.Context) error {
	stamps, err := s.cfg.Bus.Stamps(ctx, Book)
	if err != nil {
		return err
	}
	now := s.cfg.Now()
	var want []string
	s.mu.Lock()
	for key, r := range s.have {
		if r.ended(now) {
			delete(s.have, key)
		} else if stamps[key] != r.stamp() {
			s.owed[key] = true
		}
	}
	for key, stamp := range stamps {
		if s.have[key].Rev == 0 || stamp != s.have[key].stamp() {
			want = append(want, key)
		}
	}
	s.mu.Unlock()
	for part := range slices.Chunk(want, many) {
		entries, err := s.cfg.Bus.Entries(ctx, Book, part...)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if s.take(e) {
				if err := s.cfg.Bus.DropEntry(ctx, Book, e); err != nil {
					return err
				}
			}
		}
	}
	s.flush()
	return s.sow(ctx)
}

// sow shares the values that no machine has shared yet.
func (s *Store) sow(ctx context.Context) error {
	s.mu.Lock()
	seeds := maps.Clone(s.seeds)
	s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(seeds)) {
		s.mu.Lock()
		_, known := s.have[key]
		r := s.next("", key, seeds[key], time.Time{})
		s.mu.Unlock()
		if !known {
			e, err := s.entry(r)
			if err != nil {
				return err
			}
			there, err := s.cfg.Bus.PutEntry(ctx, Book, e, NoEntry)
			if err != nil {
				return err
			}
			if there != nil {
				e = *there
			}
			s.take(e) // its owner receives it, with the revision
		}
		s.flush()
		s.mu.Lock()
		delete(s.seeds, key)
		s.mu.Unlock()
	}
	return nil
}

// take takes a record from another machine, and has it applied where it has more than
// the one that is here. over: its time has ended.
func (s *Store) take(e Entry) (over bool) {
	r, err := s.record(e)
	if err != nil {
		s.cfg.Log.Error("left out", "err", err)
		return false
	}
	if r.ended(s.cfg.Now()) {
		return true
	}
	s.taking.Lock()
	defer s.taking.Unlock()
	s.mu.Lock()
	k := s.kinds[kindOf(r.Key)]
	news, err := s.join(&r, k)
	s.mu.Unlock()
	if news && k.Apply != nil {
		err = errors.Join(err, k.Apply(r))
	}
	if err != nil {
		s.cfg.Log.Error("a shared record", "key", r.Key, "err", err)
	}
	return false
}

// join makes r what holds from now on, and reports whether that is news here. It is
// called with the lock held.
func (s *Store) join(r *Record, k Kind) (news bool, err error) {
	mine, had := s.have[r.Key]
	older := had && r.stamp() < mine.stamp()
	switch {
	case had && r.stamp() == mine.stamp():
		return false, nil
	case had && k.Final && mine.Gone() != r.Gone():
		if older == r.Gone() { // the one that stays is the older: it has to be published again
			gone := mine
			if r.Gone() {
				gone = *r
			}
			mine.Rev = max(mine.Rev, r.Rev)
			s.have[r.Key] = mine
			next := s.next(gone.By, r.Key, nil, later(mine.Ends, r.Ends))
			news, *r = r.Gone(), next
		} else {
			if older {
				*r = mine
			}
			news = !older
		}
	case had && k.Merge != nil && !mine.Gone() && !r.Gone():
		joined, lacked, lack, err := k.Merge(mine.Value, r.Value)
		if err != nil {
			return false, err
		}
		if lack && !older || lacked && older || lack && lacked { // neither of the two is the newest and has all
			rev := max(mine.Rev, r.Rev)
			mine.Rev = rev
			s.have[r.Key] = mine
			*r = s.next(r.By, r.Key, joined, later(mine.Ends, r.Ends))
		} else if older {
			*r = mine
		}
		news = lacked
	case older:
		s.owe(r.Key)
		return false, nil
	default:
		news = true
	}
	s.have[r.Key] = *r
	if had && (k.Merge != nil || k.Final) {
		s.owe(r.Key) // Redis answers whether it has it
	} else {
		delete(s.owed, r.Key)
	}
	s.unkept = s.unkept || !k.Passing
	return news, nil
}

// owe has a record sent; called with the lock held.
func (s *Store) owe(key string) {
	s.owed[key] = true
	signal(s.more)
}

// later is the later of two times.
func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

// Value is a record's value as T; false where it was taken away.
func Value[T any](r Record) (v T, ok bool, err error) {
	if r.Gone() {
		return v, false, nil
	}
	err = json.Unmarshal(r.Value, &v)
	return v, err == nil, err
}
