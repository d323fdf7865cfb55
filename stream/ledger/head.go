package ledger

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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

// String is "seq:hash", the form in which an operator may note it down and hand
// it to Verify later.
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
	raw, err := os.ReadFile(filepath.Join(dir, HeadFile))
	if err != nil {
		return Head{}, fmt.Errorf("ledger head: %w", err)
	}
	var best Head
	found := false
	for ; len(raw) >= headSlot; raw = raw[headSlot:] {
		if h, ok := decodeHead(raw[:headSlot], pub); ok && (!found || h.Seq > best.Seq) {
			best, found = h, true
		}
	}
	if !found {
		return Head{}, errors.New("ledger head: no validly signed head in it")
	}
	return best, nil
}
