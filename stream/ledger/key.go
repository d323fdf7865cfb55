package ledger

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"vision/internal/durable"
)

// PublicKeyFile is the name of the public key beside the entries, PEM (PKIX).
const PublicKeyFile = "ledger.pub"

// loadKey reads the private key at path (PEM, PKCS #8), making it on first use.
// A key file that others may read is refused.
func loadKey(path string) (ed25519.PrivateKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if st, err := os.Stat(path); err == nil && st.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("ledger key %s: others may read it (mode %04o); run: chmod 600 %s", path, st.Mode().Perm(), path)
	}
	return parsed[ed25519.PrivateKey](raw, "ledger key "+path, "; restore it from the backup", x509.ParsePKCS8PrivateKey)
}

// parsed is the key of a PEM file. what names the file in errors; lost says what to do about one that holds no PEM.
func parsed[K any](raw []byte, what, lost string, parse func(der []byte) (any, error)) (ed K, err error) {
	block, _ := pem.Decode(raw)
	if block == nil {
		return ed, fmt.Errorf("%s: no PEM block in it%s", what, lost)
	}
	key, err := parse(block.Bytes)
	if err != nil {
		return ed, fmt.Errorf("%s: %w", what, err)
	}
	ed, ok := key.(K)
	if !ok {
		return ed, fmt.Errorf("%s: is %T, want Ed25519", what, key)
	}
	return ed, nil
}

func makeKey(path string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if err := durable.Folder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if err := durable.Write(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	return key, nil
}

// writePublic puts the public key beside the entries. A different one that is
// already there means that the private key was lost or exchanged: an error.
func writePublic(dir string, pub ed25519.PublicKey) error {
	have, err := ReadPublicKey(filepath.Join(dir, PublicKeyFile))
	switch {
	case err == nil && have.Equal(pub):
		return nil
	case err == nil:
		return fmt.Errorf("ledger %s: %s has fingerprint %s, the private key %s; restore the private key, or move the folder away to begin a new ledger",
			dir, PublicKeyFile, Fingerprint(have), Fingerprint(pub))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	text, err := EncodePublicKey(pub)
	if err != nil {
		return err
	}
	return durable.Write(filepath.Join(dir, PublicKeyFile), text, 0o600)
}

// EncodePublicKey is a public key as its file holds it (PEM, PKIX).
func EncodePublicKey(pub ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, fmt.Errorf("ledger public key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// ReadPublicKey reads a public key file (PEM, PKIX).
func ReadPublicKey(path string) (ed25519.PublicKey, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ledger public key: %w", err)
	}
	return ParsePublicKey(raw, path)
}

// ParsePublicKey reads a public key file's content; path is only named in errors.
func ParsePublicKey(raw []byte, path string) (ed25519.PublicKey, error) {
	return parsed[ed25519.PublicKey](raw, "ledger public key "+path, "", x509.ParsePKIXPublicKey)
}

// Fingerprint is the first eight bytes of the key's SHA-256 in hexadecimal, for
// people to compare.
func Fingerprint(pub ed25519.PublicKey) string {
	sum := sha256.Sum256(pub)
	return hex.EncodeToString(sum[:8])
}

// NoteSigner signs notes (https://c2sp.org/signed-note) under a name with the ledger's
// key. A note's text begins with that name, which keeps its signature from meaning
// anything else.
func (l *Ledger) NoteSigner(name string) (note.Signer, error) {
	vkey, err := note.NewEd25519VerifierKey(name, l.Public())
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	hash := strings.Split(vkey, "+")[1]
	const ed25519Key = 1
	return note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%s+%s", name, hash,
		base64.StdEncoding.EncodeToString(append([]byte{ed25519Key}, l.key.Seed()...))))
}
