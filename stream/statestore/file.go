package statestore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
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

// Book is the name of the records' book on the bus.
const Book = "shared"

// sealOf encrypts and authenticates what leaves the machine (AES-256-GCM, its key from the
// members' secret by HKDF, RFC 5869): who can read Redis learns no hashes, and who can write
// it makes no accounts.
func sealOf(secret string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "vision/share/1", 32)
	if err != nil {
		return nil, fmt.Errorf("shared records: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("shared records: %w", err)
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("shared records: %w", err)
	}
	return seal, nil
}

// entry is a record as it leaves the machine.
func (s *Store) entry(r Record) (Entry, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return Entry{}, fmt.Errorf("shared record %q: %w", r.Key, err)
	}
	stamp := r.stamp()
	return Entry{Key: r.Key, Stamp: stamp, Data: s.seal.Seal(nil, nil, raw, []byte(r.Key+"\n"+stamp))}, nil
}

// record reads an entry; it is foreign input.
func (s *Store) record(e Entry) (r Record, err error) {
	raw, err := s.seal.Open(nil, nil, e.Data, []byte(e.Key+"\n"+e.Stamp))
	if err != nil {
		return Record{}, fmt.Errorf("shared record %q in Redis is not of this house: its machines have the same `secret:`",
			e.Key)
	}
	return parse(e.Key, e.Stamp, raw)
}

// parse reads a record.
func parse(key, stamp string, raw []byte) (r Record, err error) {
	if err := json.Unmarshal(raw, &r); err != nil {
		return Record{}, fmt.Errorf("shared record %q: %w", key, err)
	}
	if string(r.Value) == "null" {
		r.Value = nil
	}
	if r.Key != key || r.Rev == 0 || kindOf(r.Key) == r.Key || r.stamp() != stamp {
		return Record{}, fmt.Errorf("shared record %q: it is not what its stamp says", key)
	}
	return r, nil
}
