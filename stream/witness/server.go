// Package witness cosigns other ledgers' checkpoints, and has this one's cosigned
// (https://c2sp.org/tlog-witness). A witness keeps of every log the newest checkpoint that
// it has cosigned, and cosigns only one that continues it: so a log cannot show it two
// pasts. The cosignature says when (https://c2sp.org/tlog-cosignature).
package witness

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	fnote "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"vision/internal/durable"
	"vision/stream/checkpoint"
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

// Bounds of what is taken in.
const (
	maxBody  = 64 << 10
	maxProof = 63 // hashes of a consistency proof
)

// Witness cosigns the checkpoints of the logs that it knows. It is an http.Handler that
// answers POST /add-checkpoint. Every checkpoint that it has cosigned stands in a file of
// its folder, one a log: these are what `vision verify --checkpoints` takes.
type Witness struct {
	dir  string
	key  *Key
	logs note.Verifiers
	log  *slog.Logger
	mux  *http.ServeMux

	mu     sync.Mutex
	latest map[string]checkpoint.Checkpoint // by origin
}

// New makes a witness that keeps its files in a folder and knows the logs of these keys.
func New(dir string, key *Key, logs []string, log *slog.Logger) (*Witness, error) {
	if err := durable.Folder(dir); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	var known []note.Verifier
	for _, k := range logs {
		v, err := note.NewVerifier(k)
		if err != nil {
			return nil, fmt.Errorf("witness: log key %q: %w; want NAME+HASH+KEY, as `vision verify` prints it", k, err)
		}
		known = append(known, v)
	}
	w := &Witness{dir: dir, key: key, logs: note.VerifierList(known...), log: log, mux: http.NewServeMux(),
		latest: map[string]checkpoint.Checkpoint{}}
	w.mux.HandleFunc("POST /add-checkpoint", w.add)
	for _, v := range known {
		c, err := w.last(v.Name())
		if err != nil {
			return nil, err
		}
		w.latest[v.Name()] = c
	}
	return w, nil
}

// ServeHTTP implements http.Handler.
func (w *Witness) ServeHTTP(out http.ResponseWriter, r *http.Request) { w.mux.ServeHTTP(out, r) }

// file is where a log's checkpoints are kept.
func (w *Witness) file(origin string) string {
	return filepath.Join(w.dir, url.PathEscape(origin)+".jsonl")
}

// last reads the newest checkpoint that was kept of a log; a line that is not whole was
// never answered.
func (w *Witness) last(origin string) (c checkpoint.Checkpoint, err error) {
	raw, err := os.ReadFile(w.file(origin))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("witness: %w", err)
	}
	whole := raw[:bytes.LastIndexByte(raw, '\n')+1]
	if len(whole) < len(raw) {
		if err := os.Truncate(w.file(origin), int64(len(whole))); err != nil {
			return c, fmt.Errorf("witness: %w", err)
		}
	}
	whole = bytes.TrimSuffix(whole, []byte("\n"))
	line := whole[bytes.LastIndexByte(whole, '\n')+1:]
	var k checkpoint.Kept
	if err = json.Unmarshal(line, &k); err == nil {
		c, err = checkpoint.Parse(k.Note, w.logs)
	}
	if err != nil {
		return c, fmt.Errorf("witness: %s: its last line is no checkpoint: %w", w.file(origin), err)
	}
	return c, nil
}

// request is the body of add-checkpoint.
type request struct {
	old   uint64
	proof tlog.TreeProof
	note  string
}

// parseRequest reads what https://c2sp.org/tlog-witness describes: the size that the
// witness is thought to have, the proof from there on, an empty line, the checkpoint.
func parseRequest(r io.Reader) (q request, err error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err != nil {
		return q, err
	}
	if len(raw) > maxBody {
		return q, fmt.Errorf("more than %d bytes", maxBody)
	}
	head, text, ok := strings.Cut(string(raw), "\n\n")
	if !ok {
		return q, errors.New("no empty line before the checkpoint")
	}
	q.note = text
	lines := bufio.NewScanner(strings.NewReader(head))
	lines.Scan()
	size, ok := strings.CutPrefix(lines.Text(), "old ")
	if q.old, err = strconv.ParseUint(size, 10, 62); !ok || err != nil || size != strconv.FormatUint(q.old, 10) {
		return q, fmt.Errorf("%q: want old SIZE", lines.Text())
	}
	for lines.Scan() {
		b, err := base64.StdEncoding.Strict().DecodeString(lines.Text())
		if err != nil || len(b) != tlog.HashSize || len(q.proof) == maxProof {
			return q, fmt.Errorf("%q: want a hash of the proof", lines.Text())
		}
		q.proof = append(q.proof, tlog.Hash(b))
	}
	return q, nil
}

func (w *Witness) add(out http.ResponseWriter, r *http.Request) {
	q, err := parseRequest(r.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	origin := checkpoint.OriginOf(q.note)
	w.mu.Lock()
	defer w.mu.Unlock()
	latest, known := w.latest[origin]
	if !known {
		http.Error(out, "no log of that origin is known here", http.StatusNotFound)
		return
	}
	c, err := checkpoint.Parse(q.note, w.logs)
	if err != nil || c.Origin != origin {
		http.Error(out, "the checkpoint is not signed by its log", http.StatusForbidden)
		return
	}
	if status, why := judge(q, latest, c); status != http.StatusOK {
		w.log.Warn("witness: not cosigned", "log", origin, "why", why, "size", c.Size, "had", latest.Size)
		if status == http.StatusConflict {
			out.Header().Set("Content-Type", "text/x.tlog.size")
			out.WriteHeader(status)
			fmt.Fprintf(out, "%d\n", latest.Size)
			return
		}
		http.Error(out, why, status)
		return
	}
	line, err := w.cosign(c)
	if err != nil {
		w.log.Error("witness", "err", err)
		http.Error(out, "the witness cannot keep it", http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(out, line)
}

// judge says whether a checkpoint continues the latest one, in the statuses of the
// protocol.
func judge(q request, latest, c checkpoint.Checkpoint) (status int, why string) {
	switch {
	case q.old > c.Size:
		return http.StatusBadRequest, "old is beyond the checkpoint"
	case q.old != latest.Size:
		return http.StatusConflict, "another size was cosigned last"
	case q.old == c.Size && latest.Note != "" && c.Root != latest.Root:
		return http.StatusConflict, "another tree of this size was cosigned"
	case (q.old == 0 || q.old == c.Size) && len(q.proof) > 0:
		return http.StatusUnprocessableEntity, "there is nothing to be proved"
	case q.old == 0 || q.old == c.Size:
		return http.StatusOK, ""
	}
	if tlog.CheckTree(q.proof, int64(c.Size), c.Root, int64(q.old), latest.Root) != nil {
		return http.StatusUnprocessableEntity, "it does not continue what was cosigned last"
	}
	return http.StatusOK, ""
}

// cosign signs a checkpoint and keeps it: what is answered is on the disk. It gives the
// signature's line.
func (w *Witness) cosign(c checkpoint.Checkpoint) (string, error) {
	n, err := note.Open([]byte(c.Note), w.logs)
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: n.Text}, w.key.signer)
	if err != nil {
		return "", err
	}
	line := string(signed[len(n.Text)+1:])
	kept := checkpoint.Kept{Note: ownSignatures(n) + line}
	if err := checkpoint.Append(w.file(c.Origin), kept); err != nil {
		return "", err
	}
	w.latest[c.Origin] = c
	return line, nil
}

// ownSignatures is a note with those signatures that were checked: nobody gets others
// kept here.
func ownSignatures(n *note.Note) string {
	var out strings.Builder
	out.WriteString(n.Text + "\n")
	for _, s := range n.Sigs {
		fmt.Fprintf(&out, "— %s %s\n", s.Name, s.Base64)
	}
	return out.String()
}
