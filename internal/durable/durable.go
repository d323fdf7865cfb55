// Package durable puts files on the disk so that a crash or a power cut leaves the
// old content or the new.
package durable

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts a file in the place of another, all of it or nothing. One goroutine
// writes a path at a time.
func Write(path string, data []byte, mode os.FileMode) error {
	return Fill(path, mode, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// WriteJSON puts a value in the place of a file, for its owner alone.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return Write(path, b, 0o600)
}

// ReadJSON reads what WriteJSON wrote into v; fs.ErrNotExist where the file is not there.
func ReadJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// Fill puts what fill writes in the place of a file, as Write does; nothing where fill fails.
func Fill(path string, mode os.FileMode, fill func(f *os.File) error) error {
	tmp := path + ".tmp"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// private are the rights that only the owner has.
const private = 0o700

// Folder makes a folder with those above it, for its owner alone; one that was there and lets
// others in does so no more.
func Folder(dir string) error {
	if err := os.MkdirAll(dir, private); err != nil {
		return err
	}
	return narrow(dir)
}

// Tighten takes from everybody but the owner all rights to a folder and what is in it. Links are
// not followed. It goes on after what it may not change, and returns that.
func Tighten(dir string) error {
	var errs []error
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case err != nil:
			errs = append(errs, err)
			return nil
		case d.Type().IsRegular() || d.IsDir():
			errs = append(errs, narrow(path))
		}
		return nil
	})
	return errors.Join(append(errs, err)...)
}

// narrow takes the rights to a path from everybody but its owner.
func narrow(path string) error {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || st.Mode()&0o077 == 0 {
		return err
	}
	return os.Chmod(path, st.Mode()&^0o077)
}

// SyncDir makes the names in dir durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
