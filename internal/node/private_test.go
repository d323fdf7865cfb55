package node

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// What a node keeps is read by nobody but its own user, whoever could before it started.
func TestWhatIsKeptIsPrivate(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	cfg, _ := h.config()
	old := filepath.Join(cfg.Data, "recordings", "R1")
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(cfg.Data, "thresholds.json")
	if err := os.WriteFile(left, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{cfg.Data: 0o755, filepath.Dir(old): 0o775, old: 0o750, left: 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	n, _ := h.run()
	h.quickSpin("R1", "17")
	h.await("a recording", func() bool { return len(n.store.Usage()) == 1 })
	files := 0
	err := filepath.WalkDir(cfg.Data, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone meanwhile
		}
		if st, err := d.Info(); err == nil && st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, st.Mode())
		}
		files++
		return nil
	})
	if err != nil || files < 8 {
		t.Errorf("%d files, %v", files, err)
	}
}
