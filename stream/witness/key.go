// Package witness cosigns other ledgers' checkpoints, and has this one's cosigned
// (https://c2sp.org/tlog-witness). A witness keeps of every log the newest checkpoint that
// it has cosigned, and cosigns only one that continues it: so a log cannot show it two
// pasts. The cosignature says when (https://c2sp.org/tlog-cosignature).
package witness

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	fnote "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"vision/internal/durable"
)

// Key signs cosignatures.
type Key struct {
	signer note.Signer
	public string
}

// LoadKey reads a witness's private key, making it under a name on first use.
func LoadKey(path, name string) (*Key, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		private, _, err := note.GenerateKey(rand.Reader, name)
		if err != nil {
			return nil, fmt.Errorf("witness key: %w", err)
		}
		raw = []byte(private + "\n")
		if err := durable.Write(path, raw, 0o600); err != nil {
			return nil, fmt.Errorf("witness key: %w", err)
		}
	} else if err != nil {
		return nil, fmt.Errorf("witness key: %w", err)
	}
	if st, err := os.Stat(path); err == nil && st.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("witness key %s: others may read it; run: chmod 600 %s", path, path)
	}
	return parseKey(strings.TrimSpace(string(raw)))
}

func parseKey(private string) (*Key, error) {
	signer, err := fnote.NewSignerForCosignatureV1(private)
	if err != nil {
		return nil, fmt.Errorf("witness key: %w", err)
	}
	parts := strings.SplitN(private, "+", 5)
	raw, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return nil, errors.New("witness key: want one of Ed25519")
	}
	pub := ed25519.NewKeyFromSeed(raw[1:]).Public().(ed25519.PublicKey)
	plain, err := note.NewEd25519VerifierKey(signer.Name(), pub)
	if err != nil {
		return nil, fmt.Errorf("witness key: %w", err)
	}
	public, err := fnote.VKeyToCosignatureV1(plain)
	return &Key{signer, public}, err
}

// Public is the key that verifies cosignatures, in the form that others take it.
func (k *Key) Public() string { return k.public }

// NewVerifier reads a witness's public key.
func NewVerifier(key string) (note.Verifier, error) {
	v, err := fnote.NewVerifierForCosignatureV1(key)
	if err != nil {
		return nil, fmt.Errorf("witness key %q: %w; want NAME+HASH+KEY, as the witness prints it", key, err)
	}
	return v, nil
}
