package ledger

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
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

// HeadFile is the name of the file that holds the newest acknowledged entry's
// number and hash, signed.
const HeadFile = "head"

// headSlot is the size of one of the file's two halves. They are written in
// turn, each within one disk sector, so that a torn write spoils at most one.
const headSlot = 512

const headContext = "vision ledger head v1\n"

// Head is the newest acknowledged entry.
type Head struct {
	Seq  uint64
	Hash Digest
}

// String is "seq:hash", the form to be kept elsewhere and handed to
// Verify later.
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.Seq, h.Hash) }

// ParseHead reads what String writes.
func ParseHead(s string) (Head, error) {
	var h Head
	seq, hash, ok := strings.Cut(s, ":")
	if ok {
		_, err := fmt.Sscanf(seq, "%d", &h.Seq)
		var err2 error
		h.Hash, err2 = ParseDigest(hash)
		ok = err == nil && err2 == nil
	}
	if !ok {
		return Head{}, fmt.Errorf("ledger head %q: want SEQ:SHA256", s)
	}
	return h, nil
}

type headLine struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"`
	Sig  string `json:"sig"`
}

func headMessage(h Head) []byte { return []byte(headContext + h.String()) }

// encodeHead makes one slot, filled up with spaces and closed by a newline.
func encodeHead(h Head, key ed25519.PrivateKey) []byte {
	sig := base64.StdEncoding.EncodeToString(ed25519.Sign(key, headMessage(h)))
	b, _ := json.Marshal(headLine{h.Seq, h.Hash.String(), sig}) // three plain fields: cannot fail
	slot := []byte(strings.Repeat(" ", headSlot))
	copy(slot, b)
	slot[headSlot-1] = '\n'
	return slot
}

func decodeHead(slot []byte, pub ed25519.PublicKey) (Head, bool) {
	var l headLine
	if json.Unmarshal(slot, &l) != nil {
		return Head{}, false
	}
	h, err := ParseHead(fmt.Sprintf("%d:%s", l.Seq, l.Hash))
	sig, err2 := base64.StdEncoding.DecodeString(l.Sig)
	return h, err == nil && err2 == nil && len(pub) == ed25519.PublicKeySize && ed25519.Verify(pub, headMessage(h), sig)
}

// ReadHead returns the newer valid half of dir's head file.
func ReadHead(dir string, pub ed25519.PublicKey) (Head, error) {
	h, _, err := readHead(dir, pub)
	return h, err
}

// readHead is ReadHead, and returns which half it was.
func readHead(dir string, pub ed25519.PublicKey) (best Head, half int, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, HeadFile))
	if err != nil {
		return Head{}, 0, fmt.Errorf("ledger head: %w", err)
	}
	half = -1
	for at := range len(raw) / headSlot {
		if h, ok := decodeHead(raw[at*headSlot:][:headSlot], pub); ok && (half < 0 || h.Seq > best.Seq) {
			best, half = h, at
		}
	}
	if half < 0 {
		return Head{}, 0, errors.New("ledger head: no validly signed head in it")
	}
	return best, half, nil
}
