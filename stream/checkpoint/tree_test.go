package checkpoint

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"vision/stream/ledger"
)

func entry(seq uint64) ledger.Entry {
	return ledger.Entry{Seq: seq, Hash: sha256.Sum256(fmt.Append(nil, seq))}
}

// mth is the Merkle tree hash as RFC 6962, 2.1, defines it.
func mth(leaves []ledger.Digest) tlog.Hash {
	switch n := len(leaves); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0][:]...))
	default:
		k := 1
		for k*2 < n {
			k *= 2
		}
		l, r := mth(leaves[:k]), mth(leaves[k:])
		return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
	}
}

// The tree on the disk and the edge in memory have the hash that the RFC defines, at every
// size, after every restart; and each size is proved to continue each one before.
func TestTheTreeIsTheRFCs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tree")
	tree, err := OpenTree(path)
	if err != nil {
		t.Fatal(err)
	}
	var leaves []ledger.Digest
	var edge Edge
	roots := []tlog.Hash{mth(nil)}
	const n = 40
	for seq := uint64(1); seq <= n; seq++ {
		e := entry(seq)
		leaves = append(leaves, e.Hash)
		edge.Add(Leaf(e.Hash))
		if err := tree.Add(e); err != nil {
			t.Fatal(err)
		}
		if seq%7 == 0 { // a restart; what a crash left unfinished goes
			end := tlog.StoredHashCount(tree.size) * tlog.HashSize
			if _, err := tree.file.WriteAt(make([]byte, tlog.HashSize+5), end); err != nil {
				t.Fatal(err)
			}
			size := tree.Size()
			if err := tree.Close(); err != nil {
				t.Fatal(err)
			}
			if tree, err = OpenTree(path); err != nil {
				t.Fatal(err)
			}
			if err := tree.Cut(min(size, tree.Size())); err != nil {
				t.Fatal(err)
			}
		}
		root, err := tree.Root(seq)
		if want := mth(leaves); err != nil || root != want || edge.Root() != want {
			t.Fatalf("%d: %v, %v, %v; want %v", seq, root, edge.Root(), err, want)
		}
		roots = append(roots, root)
	}
	defer tree.Close()
	for old := uint64(1); old < n; old++ {
		for size := old + 1; size <= n; size++ {
			p, err := tree.Prove(old, size)
			if err == nil {
				err = tlog.CheckTree(p, int64(size), roots[size], int64(old), roots[old])
			}
			if err != nil {
				t.Fatalf("%d to %d: %v", old, size, err)
			}
		}
	}
	if err := tree.Cut(5); err != nil {
		t.Fatal(err)
	}
	if root, err := tree.Root(5); err != nil || root != roots[5] || tree.Size() != 5 {
		t.Errorf("cut to 5: %v, %v", root, err)
	}
	if new(Edge).Root() != roots[0] {
		t.Error("the empty tree")
	}
}

// A number that the ledger has lost has a leaf of its own, in both.
func TestAHoleInTheTree(t *testing.T) {
	tree, err := OpenTree(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var edge Edge
	for _, seq := range []uint64{1, 2, 5, 2} {
		if err := tree.Add(entry(seq)); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []tlog.Hash{Leaf(entry(1).Hash), Leaf(entry(2).Hash), noEntry, noEntry, Leaf(entry(5).Hash)} {
		edge.Add(h)
	}
	if root, err := tree.Root(5); err != nil || root != edge.Root() || tree.Size() != 5 {
		t.Errorf("%v, %v; want %v", root, err, edge.Root())
	}
}
