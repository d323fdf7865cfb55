// Package evidence puts cases together: what several tables' cameras recorded
// over the same time, the rounds, verdicts, alerts and notes that belong to it,
// and a signed manifest, in one zip file that can be checked anywhere.
//
// Segments are copied as they are and ledger lines word for word, so that each
// still carries its own proof; the manifest's signature binds them together.
package evidence

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"vision/stream/ledger"
	"vision/stream/record"
)

// Schema is the version of the manifest.
const Schema = "vision-case/1"

// The files of a case.
const (
	ManifestFile  = "manifest.json"
	SignatureFile = "manifest.sig" // base64 of an Ed25519 signature
	EntriesFile   = "ledger.jsonl" // lines of the ledger, word for word
	ReadmeFile    = "LEAME-README.txt"
	SegmentsDir   = "recordings" // whole segments, as the ledger lists them
	ClipsDir      = "clips"      // one file for each camera, to be watched
)

// SignContext keeps a manifest's signature from meaning anything elsewhere.
const SignContext = "vision case v1\n"

// Case is what a person asked for. It is the payload of a ledger entry of kind case.
type Case struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	By     string    `json:"by"`
	Made   time.Time `json:"made"`
	Tables []string  `json:"tables"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Note   string    `json:"note,omitempty"`
}

// Check says what is wrong with a case, nil where nothing is.
func (c *Case) Check() error {
	switch {
	case c.Title == "" || len(c.Title) > 200:
		return errors.New("title: want 1 to 200 characters")
	case len(c.Tables) == 0:
		return errors.New("tables: name at least one")
	case !c.From.Before(c.To) || c.To.Sub(c.From) > MaxSpan:
		return fmt.Errorf("from and to: want them in order, at most %v apart", MaxSpan)
	case len(c.Note) > 4000:
		return errors.New("note: want at most 4000 bytes")
	}
	return nil
}

// MaxSpan is the longest time of a case.
const MaxSpan = 6 * time.Hour

// Manifest says what is in the zip. It is signed as it is in the file.
type Manifest struct {
	Schema string `json:"schema"`
	Case
	Clips []Clip `json:"clips"`
	Files []File `json:"files"` // all but manifest and signature
	Head  string `json:"ledger_head"`
	Key   string `json:"ledger_key"` // fingerprint
}

// Clip is a camera's recording in one file, and what it lacks.
type Clip struct {
	record.Camera
	File string        `json:"file,omitempty"` // "" where nothing was recorded
	From time.Time     `json:"from,omitzero"`
	To   time.Time     `json:"to,omitzero"`
	Gaps []record.Span `json:"gaps,omitempty"`
}

// File is one file of the zip.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Exporter makes the zip of a case.
type Exporter struct {
	Ledger *ledger.Ledger
	Store  *record.Store
	// Cameras are those of the node by now: a case names each of its tables' of which there is
	// no recording. nil: those of which there are recordings.
	Cameras func() []record.Camera
	// First is the number of the first entry at or after a time, from which the
	// ledger is searched; nil searches all of it.
	First func(ctx context.Context, at time.Time) (uint64, error)
}

// cameras are those of the node, and those that it had and of which there are recordings still.
func (x *Exporter) cameras() []record.Camera {
	out := x.Store.Cameras()
	if x.Cameras == nil {
		return out
	}
	for _, c := range x.Cameras() {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// Write writes the zip. Nothing is held in memory but the entries' names: a
// case of hours streams as it is read.
func (x *Exporter) Write(ctx context.Context, c Case, w io.Writer) error {
	if err := c.Check(); err != nil {
		return fmt.Errorf("case: %w", err)
	}
	b := &builder{zip: zip.NewWriter(w), manifest: Manifest{Schema: Schema, Case: c, Clips: []Clip{}, Files: []File{}}}
	if err := x.entries(ctx, b); err != nil {
		return fmt.Errorf("case %s: %w", c.ID, err)
	}
	for _, cam := range x.cameras() {
		if !slices.Contains(c.Tables, cam.Table) {
			continue
		}
		if err := errors.Join(x.segments(ctx, b, cam), x.clip(ctx, b, cam)); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	if err := x.finish(b); err != nil {
		return fmt.Errorf("case %s: %w", c.ID, err)
	}
	return nil
}

// builder is a zip being written.
type builder struct {
	zip      *zip.Writer
	manifest Manifest
}

// add streams one file into the zip. Recordings do not get smaller by packing.
func (b *builder) add(ctx context.Context, name string, method uint16, r io.Reader) error {
	w, err := b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: b.manifest.Made})
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), interruptible{ctx, r})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.manifest.Files = append(b.manifest.Files, File{name, n, hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// interruptible ends reading when nobody wants the zip any more.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

// entries writes the ledger's lines that belong to the case.
func (x *Exporter) entries(ctx context.Context, b *builder) error {
	from := uint64(0)
	if x.First != nil {
		first, err := x.First(ctx, b.manifest.From.Add(-margin))
		if err != nil {
			return err
		}
		from = max(first, 1) - 1
	}
	r, w := io.Pipe()
	go func() {
		f := filter{c: &b.manifest.Case, alerts: map[string]bool{}}
		for e, err := range ledger.Legible(x.Ledger.Since(from)) {
			if err == nil && !f.keeps(e) {
				continue
			}
			var line []byte
			if err == nil {
				line, err = e.Line()
			}
			if err == nil {
				_, err = w.Write(append(line, '\n'))
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
		w.Close()
	}()
	defer r.Close() // ends the goroutine where the copy has failed
	return b.add(ctx, EntriesFile, zip.Deflate, r)
}

func (x *Exporter) segments(ctx context.Context, b *builder, cam record.Camera) error {
	for _, seg := range x.Store.Segments(cam, b.manifest.From, b.manifest.To) {
		f, err := x.Store.OpenSegment(seg)
		if err != nil {
			return err
		}
		err = b.add(ctx, path.Join(SegmentsDir, seg.File), zip.Store, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// clip adds the camera's exact time in one file; the end of a segment that is
// still being written is in it too.
func (x *Exporter) clip(ctx context.Context, b *builder, cam record.Camera) error {
	out := Clip{Camera: cam}
	for _, s := range x.Store.Timeline(cam, b.manifest.From, b.manifest.To) {
		if s.Kind != record.Recorded {
			out.Gaps = append(out.Gaps, s)
		}
	}
	clip, err := x.Store.Clip(cam, b.manifest.From, b.manifest.To)
	if errors.Is(err, record.ErrNoRecording) {
		b.manifest.Clips = append(b.manifest.Clips, out)
		return nil
	}
	if err != nil {
		return err
	}
	defer clip.Close()
	out.File, out.From, out.To = path.Join(ClipsDir, cam.Table+"_"+cam.Camera+".mp4"), clip.Start, clip.End
	b.manifest.Clips = append(b.manifest.Clips, out)
	return b.add(ctx, out.File, zip.Store, clip)
}

// finish adds key, explanation, manifest and signature.
func (x *Exporter) finish(b *builder) error {
	pub, err := ledger.EncodePublicKey(x.Ledger.Public())
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := errors.Join(b.add(ctx, ledger.PublicKeyFile, zip.Deflate, bytes.NewReader(pub)),
		b.add(ctx, ReadmeFile, zip.Deflate, strings.NewReader(readme(&b.manifest)))); err != nil {
		return err
	}
	b.manifest.Head, b.manifest.Key = x.Ledger.Head().String(), ledger.Fingerprint(x.Ledger.Public())
	text, err := json.MarshalIndent(b.manifest, "", "  ")
	if err != nil {
		return err
	}
	sig := base64.StdEncoding.EncodeToString(x.Ledger.Sign(SignContext, text))
	for _, f := range []struct {
		name string
		body []byte
	}{{ManifestFile, text}, {SignatureFile, []byte(sig + "\n")}} {
		w, err := b.zip.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: b.manifest.Made})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.body); err != nil {
			return err
		}
	}
	return b.zip.Close()
}

// Signed reports whether a manifest's signature is that of a key.
func Signed(key ed25519.PublicKey, manifest, sig []byte) bool {
	return len(key) == ed25519.PublicKeySize && ledger.Signed(key, SignContext, manifest, sig)
}
