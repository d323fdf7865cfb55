package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vision/internal/durable"
)

// ErrEdited is returned where the file is not as it was read: somebody is editing it.
var ErrEdited = errors.New("the configuration's file was changed meanwhile: read it again at /configuration, then try once more")

// Before is put behind the file's name for what it was before the last Edit.
const Before = ".before"

// Edit puts in place of the file what change makes of its text, wholly or not at all; the
// old text stays beside it, with Before behind its name. The file must be as c was read
// from it (ErrEdited), and what change makes a configuration.
func (c *Config) Edit(change func(text []byte) ([]byte, error)) error {
	path, text, mode, err := c.text()
	if err != nil {
		return err
	}
	out, err := change(text)
	if err != nil {
		return err
	}
	if _, err := parse(path, out, filepath.Dir(path)); err != nil {
		return err
	}
	if text != nil {
		if err := durable.Write(path+Before, text, mode); err != nil {
			return unwritable(path, err)
		}
	}
	// What somebody saved while this was made up would be lost: look again at the last moment.
	if _, _, _, err := c.text(); err != nil {
		return err
	}
	if err := durable.Write(path, out, mode); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// Writable reports why the file could not be edited, nil where it could: it is tried
// beside the file.
func (c *Config) Writable() error {
	path, _, _, err := c.text()
	if err != nil {
		return err
	}
	probe := path + ".writable"
	f, err := os.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return unwritable(path, err)
	}
	return errors.Join(f.Close(), os.Remove(probe))
}

// text is the file behind its links, what stands in it (nil: it is not there) and its
// mode; ErrEdited where that is not what was read.
func (c *Config) text() (path string, text []byte, mode os.FileMode, err error) {
	if c.file == "" {
		return "", nil, 0, errors.New("this node has no configuration file to be changed")
	}
	path = c.file
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && c.begun() {
		return path, nil, 0o600, nil // it will hold the cameras' passwords
	}
	if err == nil {
		text, err = os.ReadFile(path)
	}
	switch {
	case err != nil:
		return "", nil, 0, fmt.Errorf("configuration: %w", err)
	case sha256.Sum256(text) != c.sum:
		return "", nil, 0, ErrEdited
	}
	return path, text, st.Mode().Perm(), nil
}

// unwritable says what to do where the node may not write its own configuration.
func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written (%w): let the service write to its folder (ReadWritePaths=%s in its unit, "+
		"and the folder's owner), or add the table with `vision camera add`", path, err, filepath.Dir(path))
}
