package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const suffix = ".jsonl"

// fileName is the name of the file whose first entry is seq, begun on day.
func fileName(seq uint64, day time.Time) string {
	return fmt.Sprintf("%020d-%s%s", seq, day.UTC().Format("20060102"), suffix)
}

// listed is one file of a ledger.
type listed struct {
	path  string
	first uint64 // seq of its first entry, by its name
}

// list returns dir's files in the order of their first entries.
func list(dir string) ([]listed, error) {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger %s: no such folder", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	var out []listed
	for _, n := range names {
		first, _, ok := strings.Cut(n.Name(), "-")
		if !ok || !strings.HasSuffix(n.Name(), suffix) || n.IsDir() {
			continue
		}
		seq, err := strconv.ParseUint(first, 10, 64)
		if err != nil {
			continue
		}
		out = append(out, listed{filepath.Join(dir, n.Name()), seq})
	}
	slices.SortFunc(out, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.path, b.path))
	})
	return out, nil
}

// file is what the ledger needs of an open file; tests put a full disk behind it.
type file interface {
	Write([]byte) (int, error)
	WriteAt([]byte, int64) (int, error)
	Sync() error
	Truncate(int64) error
	Close() error
}

func openFile(path string, flag int) (file, error) { return os.OpenFile(path, flag, 0o600) }

// lockDir keeps a second process from writing into the same ledger. The lock
// goes with the process, however it ends.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("ledger %s: another process has it open (%w); stop that one first", dir, err)
	}
	return f, nil
}
