// Package checkpoint makes checkpoints of a ledger as transparency logs have them: the
// hash of the Merkle tree over its entries (RFC 6962), signed by the node
// (https://c2sp.org/tlog-checkpoint) and cosigned by witnesses that have seen that it
// continues the one before (https://c2sp.org/tlog-witness, stream/witness). Whoever has a
// checkpoint that somebody else cosigned finds out a past that was rewritten, though it
// was with the node's own key.
package checkpoint

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"vision/internal/durable"
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
	var l log.Checkpoint
	_, err = l.Unmarshal([]byte(n.Text)) // extension lines are allowed, and say nothing here
	switch {
	case err != nil:
		return Checkpoint{}, fmt.Errorf("%w: %w", ErrForeign, err)
	case len(l.Hash) != tlog.HashSize || l.Size > 1<<62:
		return Checkpoint{}, fmt.Errorf("%w: its size or hash is none", ErrForeign)
	}
	c := Checkpoint{l.Origin, l.Size, tlog.Hash(l.Hash), text}
	if !slices.ContainsFunc(n.Sigs, func(s note.Signature) bool { return s.Name == c.Origin }) {
		return c, fmt.Errorf("%w: %s has not signed it", ErrForeign, c.Origin)
	}
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

// Dir is the folder of the data folder that keeps checkpoints, in a file for each day.
const Dir = "checkpoints"

// Kept is a line of a file of checkpoints.
type Kept struct {
	Note  string `json:"note"`            // signed by the ledger's key, cosigned by witnesses
	Stamp []byte `json:"stamp,omitempty"` // a time stamp over the note's text (RFC 3161), DER
}

// Append writes a line to a file of checkpoints; it is on the disk then.
func Append(path string, k Kept) error {
	line, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close(), durable.SyncDir(filepath.Dir(path))); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// ReadKept reads checkpoints that were kept: a file of them as a node or a witness has it,
// a folder of such files, or a single note as a text. A line that a crash left unfinished
// is passed over.
func ReadKept(path string) (out []Kept, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	if !st.IsDir() {
		return readFile(path)
	}
	files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	slices.Sort(files)
	for _, f := range files {
		more, err := readFile(f)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func readFile(path string) (out []Kept, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	if !bytes.HasPrefix(raw, []byte("{")) && len(raw) > 0 {
		return []Kept{{Note: string(raw)}}, nil
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		var k Kept
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := json.Unmarshal(line, &k); err != nil {
			return nil, fmt.Errorf("checkpoints: %s line %d: %w", path, n, err)
		}
		out = append(out, k)
	}
	return out, nil
}

// Text is what is signed of a checkpoint: the note without its signatures.
func (c Checkpoint) Text() string {
	text, _, _ := strings.Cut(c.Note, "\n\n")
	return text + "\n"
}
