// Package checkpoint makes checkpoints of a ledger as transparency logs have them: the
// hash of the Merkle tree over its entries (RFC 6962), signed by the node
// (https://c2sp.org/tlog-checkpoint) and cosigned by witnesses that have seen that it
// continues the one before (https://c2sp.org/tlog-witness, stream/witness). Whoever has a
// checkpoint that somebody else cosigned finds out a past that was rewritten, though it
// was with the node's own key.
package checkpoint

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"vision/stream/ledger"
)

// Origin is the name of a ledger as a log: it goes with its key.
func Origin(pub ed25519.PublicKey) string { return "vision/" + ledger.Fingerprint(pub) }

// Key is a ledger's public key as witnesses take it: a verifier key
// (https://c2sp.org/signed-note).
func Key(pub ed25519.PublicKey) (string, error) { return note.NewEd25519VerifierKey(Origin(pub), pub) }

// Checkpoint is one that was signed by its log.
type Checkpoint struct {
	Origin string
	Size   uint64 // entries
	Root   tlog.Hash
	Note   string // the signed note, word for word
}

// ErrForeign wraps why a note is no checkpoint of a log.
var ErrForeign = errors.New("no checkpoint of this log")

// Sign makes the checkpoint of a ledger's first entries.
func Sign(l *ledger.Ledger, size uint64, root tlog.Hash) (Checkpoint, error) {
	origin := Origin(l.Public())
	signer, err := l.NoteSigner(origin)
	if err != nil {
		return Checkpoint{}, err
	}
	text := log.Checkpoint{Origin: origin, Size: size, Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return Checkpoint{origin, size, root, string(signed)}, nil
}

// Parse reads a checkpoint that one of the logs has signed.
func Parse(text string, logs note.Verifiers) (Checkpoint, error) {
	n, err := note.Open([]byte(text), logs)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	c, err := parse(n.Text)
	if err != nil {
		return c, err
	}
	for _, s := range n.Sigs {
		if s.Name == c.Origin {
			c.Note = text
			return c, nil
		}
	}
	return c, fmt.Errorf("%w: %s has not signed it", ErrForeign, c.Origin)
}

func parse(text string) (c Checkpoint, err error) {
	var l log.Checkpoint
	rest, err := l.Unmarshal([]byte(text))
	switch {
	case err != nil:
		return c, fmt.Errorf("%w: %w", ErrForeign, err)
	case len(l.Hash) != tlog.HashSize || l.Size > 1<<62:
		return c, fmt.Errorf("%w: its size or hash is none", ErrForeign)
	}
	_ = rest // extension lines are allowed, and say nothing here
	c = Checkpoint{Origin: l.Origin, Size: l.Size, Root: tlog.Hash(l.Hash)}
	return c, nil
}

// OriginOf is the first line of a note.
func OriginOf(text string) string {
	origin, _, _ := strings.Cut(text, "\n")
	return origin
}

// Verifier is what a ledger's checkpoints are checked with.
func Verifier(pub ed25519.PublicKey) (note.Verifier, error) {
	key, err := Key(pub)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(key)
}

// Cosigned adds witnesses' signature lines to a checkpoint.
func (c Checkpoint) Cosigned(lines ...string) Checkpoint {
	for _, l := range lines {
		c.Note += l
	}
	return c
}
