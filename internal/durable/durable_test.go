package durable

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "thing.json")
	for _, text := range []string{"a longer first content", "second"} {
		if err := Write(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Fatalf("%q, %v; want %q", got, err, text)
		}
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", st.Mode(), err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("%d files left, want one", len(list))
	}
}

// What cannot be written leaves what was there.
func TestAFailedWriteLeavesTheOld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "thing.json")
	if err := Write(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+".tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new"), 0o600); err == nil {
		t.Error("no error")
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("%q, want the old content", got)
	}
}
