// Package ledger keeps what happened at the tables so that nobody can change it
// afterwards without being found out.
//
// A ledger is a folder of JSON Lines files. Every line is one Entry, carries the
// SHA-256 of the line before it, and is signed with the node's Ed25519 key. The
// file "head" holds the signed number and hash of the newest acknowledged entry,
// so that lines cut off at the end are missed as well. Append returns when the
// entry and the head are on the disk.
package ledger

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Kind is the kind of an entry.
type Kind string

// The kinds of entry.
const (
	Round       Kind = "round"       // payload: round record (round/1)
	Verdict     Kind = "verdict"     // payload: verdict (verdict/1)
	Judged      Kind = "judged"      // payload: when the round was played, and with what certainty its findings hold
	Alert       Kind = "alert"       // payload: one transition of an alert's life
	Operator    Kind = "operator"    // payload: what a person did, and who
	Sensor      Kind = "sensor"      // payload: one line of a sensor or terminal
	Segment     Kind = "segment"     // payload: a recording segment was closed, with its SHA-256
	Retention   Kind = "retention"   // payload: a segment was removed by age or ceiling
	Seal        Kind = "seal"        // payload: a span of a table was put beyond retention, or released
	Health      Kind = "health"      // payload: a problem came or went
	Supervision Kind = "supervision" // payload: who supervises which tables, judged by the norm
	Case        Kind = "case"        // payload: a case was made of several tables' evidence
	Snapshot    Kind = "snapshot"    // payload: state kept so that a restart can go on from it
	Repair      Kind = "repair"      // payload: RepairNote, damage found at start-up
	// payload: the node started (it did not run since the entry before), or a table came or went
	Node    Kind = "node"
	Session Kind = "session" // payload: a step of a table's session, and its verdict
	Acta    Kind = "acta"    // payload: an acta of a table or a jefe over a shift (acta/1)
)

// Values of a Node entry's field "action": the node has started; a table has come to it
// from elsewhere, or has left it.
const (
	Started = "started"
	Taken   = "table_taken"
	Left    = "table_left"
	// Calibrated: by which calibrations a table is read from now on.
	Calibrated = "table_calibrated"
)

// Digest is a SHA-256.
type Digest [sha256.Size]byte

// String is the digest in lower-case hexadecimal, as the files hold it.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ParseDigest reads what String writes.
func ParseDigest(s string) (d Digest, err error) {
	if len(s) != hashLen {
		return d, fmt.Errorf("%q is no SHA-256", s)
	}
	_, err = hex.Decode(d[:], []byte(s))
	return d, err
}

// Sum is the SHA-256 and the length in bytes of what is read.
func Sum(r io.Reader) (d Digest, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(h, r)
	h.Sum(d[:0])
	return d, n, err
}

// SumFile is Sum of a file.
func SumFile(path string) (Digest, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return Digest{}, 0, err
	}
	defer f.Close()
	return Sum(f)
}

// Entry is one line of the ledger.
type Entry struct {
	Seq     uint64          `json:"seq"` // 1, 2, 3 …
	Time    time.Time       `json:"time"`
	Kind    Kind            `json:"kind"`
	Table   string          `json:"table,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Prev    Digest          `json:"-"` // hash of the entry before; zero for the first
	Hash    Digest          `json:"-"` // SHA-256 of the body, which contains Prev
	Sig     []byte          `json:"-"` // Ed25519 over sigContext and Hash
}

// Payload is an entry's payload as a T; false where it has another form.
func Payload[T any](e Entry) (v T, ok bool) {
	err := json.Unmarshal(e.Payload, &v)
	return v, err == nil
}

// body is the part of a line that is hashed, in the order in which it is written.
type body struct {
	Seq     uint64          `json:"seq"`
	Time    time.Time       `json:"time"`
	Kind    Kind            `json:"kind"`
	Table   string          `json:"table,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Prev    string          `json:"prev"`
}

// sigContext keeps a signature of this ledger from meaning anything elsewhere.
const sigContext = "vision ledger entry v1\n"

// The tail of a line has a fixed length, so that the hashed body is found by
// counting from the end and never by parsing what may have been tampered with.
const (
	hashMark = `,"hash":"`
	sigMark  = `","sig":"`
	endMark  = `"}`
	hashLen  = 2 * sha256.Size
	sigLen   = 88 // base64 of 64 bytes
	tailLen  = len(hashMark) + hashLen + len(sigMark) + sigLen + len(endMark)
)

// ErrLine is wrapped by every error about a line that is no entry.
var ErrLine = errors.New("not a ledger line")

// seal fills Hash and Sig and returns the line without its newline.
func (e *Entry) seal(key ed25519.PrivateKey) ([]byte, error) {
	b, err := e.body()
	if err != nil {
		return nil, err
	}
	e.Hash = sha256.Sum256(b)
	e.Sig = ed25519.Sign(key, append([]byte(sigContext), e.Hash[:]...))
	return e.line(b), nil
}

// Line is the entry's bytes in the ledger, without the newline.
func (e Entry) Line() ([]byte, error) {
	b, err := e.body()
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(b) != e.Hash {
		return nil, fmt.Errorf("ledger entry %d: %w: its content does not have the hash it claims", e.Seq, ErrLine)
	}
	return e.line(b), nil
}

// body is what is hashed of the entry.
func (e Entry) body() ([]byte, error) {
	b, err := json.Marshal(body{e.Seq, e.Time, e.Kind, e.Table, e.Payload, e.Prev.String()})
	if err != nil {
		return nil, fmt.Errorf("ledger entry %d of kind %q: %w", e.Seq, e.Kind, err)
	}
	return b, nil
}

// line puts hash and signature behind the body.
func (e Entry) line(b []byte) []byte {
	line := make([]byte, 0, len(b)+tailLen)
	line = append(line, b[:len(b)-1]...)
	line = append(line, hashMark...)
	line = hex.AppendEncode(line, e.Hash[:])
	line = append(line, sigMark...)
	line = base64.StdEncoding.AppendEncode(line, e.Sig)
	return append(line, endMark...)
}

// Parse reads one line without its newline. It checks that the line is an entry
// and that its body has the hash it claims; Verified checks the signature.
func Parse(line []byte) (Entry, error) {
	raw, hash, sig, err := split(line)
	if err != nil {
		return Entry{}, err
	}
	var b body
	if err := json.Unmarshal(raw, &b); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrLine, err)
	}
	e := Entry{Seq: b.Seq, Time: b.Time, Kind: b.Kind, Table: b.Table, Payload: b.Payload, Hash: hash, Sig: sig}
	if e.Prev, err = ParseDigest(b.Prev); err != nil {
		return e, fmt.Errorf("%w: prev is not a SHA-256", ErrLine)
	}
	if sha256.Sum256(raw) != hash {
		return e, fmt.Errorf("%w: its content does not have the hash it claims", ErrLine)
	}
	return e, nil
}

// split takes a line apart into the hashed body, the hash and the signature.
func split(line []byte) (raw []byte, hash Digest, sig []byte, err error) {
	if len(line) <= tailLen || len(line) > MaxLine {
		return nil, hash, nil, fmt.Errorf("%w: %d bytes", ErrLine, len(line))
	}
	cut := len(line) - tailLen
	tail := line[cut:]
	hashAt, sigAt := len(hashMark), len(hashMark)+hashLen+len(sigMark)
	if !bytes.HasPrefix(tail, []byte(hashMark)) || !bytes.HasSuffix(tail, []byte(endMark)) ||
		!bytes.Equal(tail[hashAt+hashLen:sigAt], []byte(sigMark)) {
		return nil, hash, nil, fmt.Errorf("%w: hash and signature are not where they belong", ErrLine)
	}
	if _, err := hex.Decode(hash[:], tail[hashAt:hashAt+hashLen]); err != nil {
		return nil, hash, nil, fmt.Errorf("%w: hash: %w", ErrLine, err)
	}
	if hash.String() != string(tail[hashAt:hashAt+hashLen]) {
		return nil, hash, nil, fmt.Errorf("%w: hash is not lower case", ErrLine)
	}
	if sig, err = base64.StdEncoding.Strict().DecodeString(string(tail[sigAt : sigAt+sigLen])); err != nil {
		return nil, hash, nil, fmt.Errorf("%w: signature: %w", ErrLine, err)
	}
	raw = make([]byte, 0, cut+1)
	return append(append(raw, line[:cut]...), '}'), hash, sig, nil
}

// Verified reports whether e was signed with the private half of key.
func (e Entry) Verified(key ed25519.PublicKey) bool {
	return len(key) == ed25519.PublicKeySize &&
		ed25519.Verify(key, append([]byte(sigContext), e.Hash[:]...), e.Sig)
}

// MaxLine is the longest line that is written or read, in bytes.
const MaxLine = 16 << 20
