package verify

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"vision/stream/acta"
	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/record"
)

// CaseReport is what was found in a case's zip.
type CaseReport struct {
	OK       bool     `json:"ok"`
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Made     string   `json:"made"`
	By       string   `json:"by"`
	Key      string   `json:"key"` // fingerprint of the key that the signatures were checked with
	OwnKey   bool     `json:"own_key"`
	Files    int      `json:"files"`    // as the manifest lists them
	Entries  int      `json:"entries"`  // validly signed lines of the ledger
	Segments int      `json:"segments"` // as the ledger's lines list them
	Problems []string `json:"problems"`
}

// largest sizes of the files that are read whole.
const (
	maxManifest = 64 << 20
	maxSmall    = 64 << 10
)

// Case checks a case's zip, or the page that holds it, offline: the manifest's signature, every file against
// the manifest, every line of the ledger by its own signature, and every segment
// against the ledger's line that lists it. What is wrong is in the report; the
// error says that the file could not be read.
func Case(file string, opts Options) (CaseReport, error) {
	z, opened, err := evidence.OpenZip(file)
	if err != nil {
		return CaseReport{}, fmt.Errorf("verify %s: %w; want the data folder of vision.yaml, or the zip or page of a case", file, err)
	}
	defer opened.Close()
	c := &caseCheck{zip: map[string]*zip.File{}, report: CaseReport{Problems: []string{}}}
	for _, f := range z.File {
		if _, twice := c.zip[f.Name]; twice {
			c.bad("%s stands twice in the zip", f.Name)
		}
		c.zip[f.Name] = f
	}
	if err := c.run(opts); err != nil {
		return CaseReport{}, fmt.Errorf("verify %s: %w", file, err)
	}
	c.report.OK = len(c.report.Problems) == 0
	return c.report, nil
}

// caseCheck is one zip under examination.
type caseCheck struct {
	zip      map[string]*zip.File
	key      ed25519.PublicKey
	manifest evidence.Manifest
	sums     map[string]string // of the files that are as the manifest says
	report   CaseReport
}

func (c *caseCheck) bad(format string, a ...any) {
	c.report.Problems = append(c.report.Problems, fmt.Sprintf(format, a...))
}

func (c *caseCheck) run(opts Options) error {
	if c.zip[evidence.ManifestFile] == nil {
		return fmt.Errorf("it holds no %s: this is no case", evidence.ManifestFile)
	}
	if err := c.findKey(opts); err != nil {
		return err
	}
	if !c.signed() {
		return nil // what an unsigned manifest says is worth nothing
	}
	c.files(opts.Progress)
	c.entries()
	return nil
}

func (c *caseCheck) small(name string, limit int64) ([]byte, error) {
	f := c.zip[name]
	if f == nil {
		return nil, fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("is larger than %d bytes", limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func (c *caseCheck) findKey(opts Options) error {
	c.key = opts.Key
	if c.key == nil {
		raw, err := c.small(ledger.PublicKeyFile, maxSmall)
		if err != nil {
			return fmt.Errorf("%w; give the public key by hand", err)
		}
		if c.key, err = ledger.ParsePublicKey(raw, ledger.PublicKeyFile); err != nil {
			return err
		}
		c.report.OwnKey = true
	}
	c.report.Key = ledger.Fingerprint(c.key)
	return nil
}

// signed reads the manifest if its signature is the key's.
func (c *caseCheck) signed() bool {
	text, err1 := c.small(evidence.ManifestFile, maxManifest)
	sig, err2 := c.small(evidence.SignatureFile, maxSmall)
	if err := errors.Join(err1, err2); err != nil {
		c.bad("%v", err)
		return false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(sig)))
	if err != nil || !evidence.Signed(c.key, text, raw) {
		c.bad("%s is not signed by the key %s: it was changed, or another node made it", evidence.ManifestFile, c.report.Key)
		return false
	}
	if err := json.Unmarshal(text, &c.manifest); err != nil || c.manifest.Schema != evidence.Schema {
		c.bad("%s: schema %q, want %s: %v", evidence.ManifestFile, c.manifest.Schema, evidence.Schema, err)
		return false
	}
	m := &c.manifest
	c.report.ID, c.report.Title, c.report.By, c.report.Made = m.ID, m.Title, m.By, m.Made.Format("2006-01-02T15:04:05Z07:00")
	return true
}

// files compares every file with the manifest.
func (c *caseCheck) files(progress func(int, int)) {
	c.sums = map[string]string{}
	listed := map[string]bool{evidence.ManifestFile: true, evidence.SignatureFile: true}
	for i, want := range c.manifest.Files {
		listed[want.Name] = true
		switch sum, n, err := c.sum(want.Name); {
		case c.zip[want.Name] == nil:
			c.bad("%s was removed", want.Name)
		case err != nil:
			c.bad("%s cannot be read: %v", want.Name, err)
		case sum != want.SHA256 || n != want.Bytes:
			c.bad("%s was changed: its SHA-256 is %s, listed %s", want.Name, sum, want.SHA256)
		default:
			c.report.Files++
			c.sums[want.Name] = sum
		}
		if progress != nil {
			progress(i+1, len(c.manifest.Files))
		}
	}
	for name := range c.zip {
		if !listed[name] && !strings.HasSuffix(name, "/") {
			c.bad("%s was slipped in: the manifest does not list it", name)
		}
	}
}

func (c *caseCheck) sum(name string) (string, int64, error) {
	f := c.zip[name]
	if f == nil {
		return "", 0, nil
	}
	r, err := f.Open()
	if err != nil {
		return "", 0, err
	}
	defer r.Close()
	sum, n, err := ledger.Sum(r)
	return sum.String(), n, err
}

// entries checks the ledger's lines one by one, and the segments by them.
func (c *caseCheck) entries() {
	listed := record.NewVerifier()
	if f := c.zip[evidence.EntriesFile]; f != nil {
		if err := c.lines(f, listed); err != nil {
			c.bad("%s: %v", evidence.EntriesFile, err)
		}
	}
	for name, sum := range c.sums {
		file, ok := strings.CutPrefix(name, evidence.SegmentsDir+"/")
		if !ok {
			continue
		}
		switch note, known := listed.Note(file); {
		case !known:
			c.bad("%s: no line of the ledger lists it", name)
		case note.SHA256 != sum:
			c.bad("%s: its SHA-256 is %s, the ledger's line lists %s", name, sum, note.SHA256)
		default:
			c.report.Segments++
		}
	}
	for _, file := range listed.Listed() {
		if c.zip[path.Join(evidence.SegmentsDir, file)] == nil {
			c.bad("segment %s is listed in the ledger's lines and was left out", file)
		}
	}
}

func (c *caseCheck) lines(f *zip.File, listed *record.Verifier) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), ledger.MaxLine+1)
	last := uint64(0)
	for n := 1; in.Scan(); n++ {
		e, err := ledger.Parse(bytes.TrimRight(in.Bytes(), "\r"))
		switch {
		case err != nil:
			c.bad("%s line %d: %v", evidence.EntriesFile, n, err)
			continue
		case !e.Verified(c.key):
			c.bad("%s line %d: entry %d is not signed by the key %s", evidence.EntriesFile, n, e.Seq, c.report.Key)
			continue
		case e.Seq <= last:
			c.bad("%s line %d: entry %d after entry %d", evidence.EntriesFile, n, e.Seq, last)
		}
		last = e.Seq
		c.report.Entries++
		listed.Entry(e)
	}
	return in.Err()
}

// ActaReport is what was found in the file of one acta.
type ActaReport struct {
	OK       bool      `json:"ok"`
	ID       string    `json:"id"`
	Made     time.Time `json:"made"`
	By       string    `json:"by"`
	Entry    uint64    `json:"entry"` // of the ledger, where the same line stands
	Key      string    `json:"key"`   // fingerprint of the key that the signature was checked with
	Problems []string  `json:"problems"`
}

// Acta checks the file of an acta, which is its line of the ledger, against the key that
// was kept outside. Whether it states what the ledger says is for Dir, which has the ledger.
func Acta(file string, opts Options) (ActaReport, error) {
	line, err := os.ReadFile(file)
	if err != nil {
		return ActaReport{}, fmt.Errorf("verify: %w", err)
	}
	if opts.Key == nil {
		return ActaReport{}, fmt.Errorf("verify %s: an acta carries no key; give the ledger's public key with --key", file)
	}
	r := ActaReport{Key: ledger.Fingerprint(opts.Key), Problems: []string{}}
	e, err := ledger.Parse(bytes.TrimRight(line, "\r\n"))
	if err != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("%v: it was changed, or is no acta", err))
		return r, nil
	}
	var a acta.Acta
	switch err := json.Unmarshal(e.Payload, &a); {
	case e.Kind != ledger.Acta || err != nil || a.ID == "":
		r.Problems = append(r.Problems, "it is an entry of a ledger, and no acta")
	case !e.Verified(opts.Key):
		r.Problems = append(r.Problems, fmt.Sprintf("it is not signed by the key %s: it was changed, or another node made it", r.Key))
	}
	r.ID, r.Made, r.By, r.Entry = a.ID, a.Made, a.By, e.Seq
	r.OK = len(r.Problems) == 0
	return r, nil
}
