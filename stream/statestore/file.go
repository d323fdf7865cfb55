package statestore

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"vision/internal/durable"
)

// File is the name of the records' file in the data folder.
const File = "shared.json"

// onDisk is the file.
type onDisk struct {
	Version int      `json:"version"`
	Records []Record `json:"records"`
}

func (s *Store) load() error {
	if s.cfg.Path == "" {
		return nil
	}
	var f onDisk
	if err := durable.ReadJSON(s.cfg.Path, &f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("shared records %s: %w; mend the file, or remove it to have them from the other machines",
			s.cfg.Path, err)
	}
	for _, r := range f.Records {
		if r.Rev > 0 && !r.ended(s.cfg.Now()) {
			s.have[r.Key] = r
		}
	}
	return nil
}

// keep writes the file where a record of this kind stands in it; called with the lock held.
func (s *Store) keep(kind string) error {
	if s.cfg.Path == "" || s.kinds[kind].Passing {
		return nil
	}
	s.unkept = true
	return s.write()
}

// flush writes what others have published.
func (s *Store) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unkept || s.cfg.Path == "" {
		return
	}
	if err := s.write(); err != nil {
		s.cfg.Log.Error("shared records", "err", err)
	}
}

// write is called with the lock held.
func (s *Store) write() error {
	f := onDisk{Version: 1, Records: []Record{}}
	for _, k := range slices.Sorted(maps.Keys(s.have)) {
		if r := s.have[k]; !s.kinds[kindOf(k)].Passing && !r.ended(s.cfg.Now()) {
			f.Records = append(f.Records, r)
		}
	}
	if err := durable.WriteJSON(s.cfg.Path, f); err != nil {
		return fmt.Errorf("shared records are not kept: %w", err)
	}
	s.unkept = false
	return nil
}
