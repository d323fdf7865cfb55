package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is not there is an empty configuration at the start, and the first edit
// makes it; a later one keeps comments, mode and the old text.
func TestTheFirstTableMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vision.yaml")
	if _, err := Load(path); err == nil {
		t.Error("a file that is not there was loaded")
	}
	if _, err := Begin(filepath.Join(path, "no", "vision.yaml")); err == nil {
		t.Error("began in a folder that is not there")
	}
	c, err := Begin(path)
	if err != nil || len(c.Tables) != 0 || c.File() != path || c.Writable() != nil {
		t.Fatalf("%+v, %v", c, err)
	}
	if again, err := c.Again(); err != nil || !again.Same(c) {
		t.Errorf("read again: %v", err)
	}
	add := func(id string) func([]byte) ([]byte, error) {
		return func(text []byte) ([]byte, error) {
			x := newTable()
			x.ID = id
			return AddTable(text, x)
		}
	}
	if err := c.Edit(add("BJ1")); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	if err := c.Edit(add("BJ2")); !errors.Is(err, ErrEdited) {
		t.Errorf("edited although it is another file now: %v", err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if c, err = Load(path); err != nil {
		t.Fatal(err)
	}
	if err := c.Edit(add("BJ1")); err == nil || errors.Is(err, ErrEdited) {
		t.Errorf("the same table twice: %v", err)
	}
	if err := c.Edit(add("BJ2")); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(path + Before)
	if err != nil || string(old) != string(first) {
		t.Errorf("the old text: %q, %v", old, err)
	}
	now, err := os.ReadFile(path)
	st, e := os.Stat(path)
	if err := errors.Join(err, e); err != nil || st.Mode().Perm() != 0o640 ||
		!strings.HasPrefix(string(now), string(first)) {
		t.Errorf("%s, %v, %v", now, st, err)
	}
}

// What cannot be used is not written, and a folder that takes no files says what to do.
func TestAnEditThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "vision.yaml")
	const text = "# ours\ntables:\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func([]byte) ([]byte, error){
		"nonsense": func([]byte) ([]byte, error) { return []byte("tabels: 1\n"), nil },
		"refused":  func([]byte) ([]byte, error) { return nil, ErrByHand },
		"meanwhile": func(b []byte) ([]byte, error) {
			return append(b, "# new\n"...), os.WriteFile(path, []byte(text+"# mine\n"), 0o600)
		},
	} {
		if err := c.Edit(change); err == nil {
			t.Errorf("%s: was written", name)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != text+"# mine\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := c.Writable(); !errors.Is(err, ErrEdited) {
		t.Errorf("%v", err)
	}
	if os.Geteuid() == 0 {
		return // root may write everywhere
	}
	if c, err = Load(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := c.Writable(); err == nil || !strings.Contains(err.Error(), "ReadWritePaths="+dir) {
		t.Errorf("%v", err)
	}
}
