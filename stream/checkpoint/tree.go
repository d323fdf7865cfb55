package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"vision/stream/ledger"
)

// Leaf is what stands for an entry in the tree: the hash (RFC 6962, 2.1) of its SHA-256. A
// number that the ledger has lost has the leaf of no data.
func Leaf(d ledger.Digest) tlog.Hash { return tlog.RecordHash(d[:]) }

var noEntry = tlog.RecordHash(nil)

// Tree is the Merkle tree over a ledger's entries (RFC 6962, 2.1): leaf n is entry n+1. Its
// hashes lie in a file, in the order of golang.org/x/mod/sumdb/tlog, so that nothing is
// worked out twice; it follows from the ledger and may be removed.
type Tree struct {
	file *os.File
	size int64 // leaves
}

// OpenTree opens the hashes that are kept in a file; what a crash left unfinished is cut
// off.
func OpenTree(path string) (*Tree, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	t := &Tree{file: f}
	st, err := f.Stat()
	if err == nil {
		have := st.Size() / tlog.HashSize
		for step := int64(1) << 40; step > 0; step /= 2 {
			if tlog.StoredHashCount(t.size+step) <= have {
				t.size += step
			}
		}
		err = f.Truncate(tlog.StoredHashCount(t.size) * tlog.HashSize)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("tree: %w", err), f.Close())
	}
	return t, nil
}

// Size is how many leaves it has, and so the number of its last entry.
func (t *Tree) Size() uint64 { return uint64(t.size) }

// Add appends an entry; the numbers between, if any, are those that the ledger has lost.
func (t *Tree) Add(e ledger.Entry) error {
	if e.Seq <= t.Size() {
		return nil
	}
	for t.Size() < e.Seq-1 {
		if err := t.leaf(noEntry); err != nil {
			return err
		}
	}
	return t.leaf(Leaf(e.Hash))
}

func (t *Tree) leaf(h tlog.Hash) error {
	hashes, err := tlog.StoredHashesForRecordHash(t.size, h, t)
	if err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	var b []byte
	for _, x := range hashes {
		b = append(b, x[:]...)
	}
	if _, err := t.file.WriteAt(b, tlog.StoredHashCount(t.size)*tlog.HashSize); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	t.size++
	return nil
}

// ReadHashes implements tlog.HashReader.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if _, err := t.file.ReadAt(out[i][:], at*tlog.HashSize); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Root is the hash of the tree of the first n entries.
func (t *Tree) Root(n uint64) (tlog.Hash, error) { return tlog.TreeHash(int64(n), t) }

// Prove is the proof that the first n entries begin with the first old ones (RFC 6962,
// 2.1.2).
func (t *Tree) Prove(old, n uint64) (tlog.TreeProof, error) {
	if old == 0 || old == n {
		return nil, nil
	}
	return tlog.ProveTree(int64(n), int64(old), t)
}

// Cut forgets the leaves after the first n, which it has.
func (t *Tree) Cut(n uint64) error {
	t.size = int64(n)
	if err := t.file.Truncate(tlog.StoredHashCount(t.size) * tlog.HashSize); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

// Sync has the hashes on the disk.
func (t *Tree) Sync() error {
	if err := t.file.Sync(); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

// Close syncs and closes the file.
func (t *Tree) Close() error { return errors.Join(t.file.Sync(), t.file.Close()) }

// Edge is the right edge of a tree: as much as is needed to append and to know its hash.
type Edge struct {
	n     uint64
	whole []tlog.Hash // of the perfect trees that n is made of, the largest first
}

// Add appends a leaf.
func (e *Edge) Add(h tlog.Hash) {
	for m := e.n; m&1 == 1; m >>= 1 {
		last := len(e.whole) - 1
		h, e.whole = tlog.NodeHash(e.whole[last], h), e.whole[:last]
	}
	e.n, e.whole = e.n+1, append(e.whole, h)
}

// Root is the tree's hash.
func (e *Edge) Root() tlog.Hash {
	if e.n == 0 {
		h, err := tlog.TreeHash(0, nil)
		if err != nil {
			return tlog.Hash{}
		}
		return h
	}
	last := len(e.whole) - 1
	h := e.whole[last]
	for _, left := range slices.Backward(e.whole[:last]) {
		h = tlog.NodeHash(left, h)
	}
	return h
}
