// Package caught has what a command prints, for its tests.
package caught

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Run runs f and returns what it wrote on standard output and standard error.
func Run(t testing.TB, f func() error) (out, errs string, err error) {
	t.Helper()
	dir := t.TempDir()
	o, e := scratch(t, dir, "out"), scratch(t, dir, "err")
	keptOut, keptErr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = o, e
	defer func() { os.Stdout, os.Stderr = keptOut, keptErr }()
	err = f()
	return whole(t, o), whole(t, e), err
}

func scratch(t testing.TB, dir, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func whole(t testing.TB, f *os.File) string {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
