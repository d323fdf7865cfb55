// Package verify checks a node's evidence: the ledger's chain and signatures, and all that
// follows from it or lies beside it (recordings, index) against what the ledger says. The
// node may run meanwhile.
package verify

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"vision/stream/acta"
	"vision/stream/checkpoint"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/record"
)

// Folders below the data folder.
const (
	LedgerDir     = "ledger"
	RecordingsDir = "recordings"
)

// Options say what the verifier knows from elsewhere.
type Options struct {
	Key      ed25519.PublicKey     // nil: the one beside the ledger
	Known    []ledger.Head         // heads noted down earlier
	Progress func(segment, of int) // may be nil

	Checkpoints []string              // files of checkpoints that were kept elsewhere (checkpoint.ReadKept)
	Witnesses   []note.Verifier       // whose cosignatures there have to be
	Stamps      checkpoint.StampCheck // nil: time stamps are not looked at
}

// Report is everything that was found.
type Report struct {
	OK         bool             `json:"ok"`
	Ledger     ledger.Report    `json:"ledger"`
	Segments   int              `json:"segments"` // as the ledger lists them
	Recordings []record.Problem `json:"recordings"`
	// Index is what the index has otherwise than the ledger makes it.
	Index []index.Difference `json:"index"`
	Actas int                `json:"actas"` // that state what the ledger says
	Wrong []string           `json:"wrong"` // actas that state something else
	// Log is the ledger's key as witnesses take it, and Checkpoints what those that were
	// kept, here and elsewhere, say of the ledger.
	Log         string                 `json:"log"`
	Checkpoints checkpoint.AuditReport `json:"checkpoints"`
	Notes       []string               `json:"notes"` // no tampering: unfinished files
}

// Dir verifies the data folder dir, or a folder that holds a ledger only. What
// is wrong with the evidence is in the report; the error says that it could not
// be read.
func Dir(dir string, opts Options) (Report, error) {
	ledgerDir, recordings := filepath.Join(dir, LedgerDir), filepath.Join(dir, RecordingsDir)
	if _, err := os.Stat(ledgerDir); err != nil {
		if _, err := os.Stat(filepath.Join(dir, ledger.PublicKeyFile)); err != nil {
			return Report{}, fmt.Errorf("verify %s: there is no ledger in it; give the data folder of vision.yaml", dir)
		}
		ledgerDir, recordings = dir, ""
	}
	if opts.Key == nil {
		own, err := ledger.ReadPublicKey(filepath.Join(ledgerDir, ledger.PublicKeyFile))
		if err != nil {
			return Report{}, fmt.Errorf("%w; give the public key by hand", err)
		}
		opts.Key = own
	}
	files := record.NewVerifier()
	files.Signed = func(context string, data, sig []byte) bool { return ledger.Signed(opts.Key, context, data, sig) }
	r := Report{Recordings: []record.Problem{}, Index: []index.Difference{}, Notes: []string{}, Wrong: []string{}}
	var err error
	var actas []ledger.Entry
	audit, err := r.audit(dir, opts)
	if err != nil {
		return Report{}, err
	}
	onEntry := func(e ledger.Entry) {
		files.Entry(e)
		audit.Entry(e)
		if e.Kind == ledger.Acta {
			actas = append(actas, e)
		}
	}
	// What comes behind this is written while it is read.
	before, headErr := ledger.ReadHead(ledgerDir, opts.Key)
	r.Ledger, err = ledger.Verify(ledgerDir, ledger.VerifyOptions{Key: opts.Key, Known: opts.Known, OnEntry: onEntry})
	if err != nil {
		return Report{}, err
	}
	r.Ledger.Problems = slices.DeleteFunc(r.Ledger.Problems, func(p ledger.Problem) bool {
		return headErr == nil && p.What == ledger.Truncated && p.From > before.Seq
	})
	r.actas(ledgerDir, actas)
	r.Checkpoints = audit.Report()
	if recordings == "" {
		r.Notes = append(r.Notes, "only the ledger was checked: there are no recordings beside it")
	} else if err := errors.Join(r.segments(recordings, ledgerDir, files, opts), r.index(dir, ledgerDir)); err != nil {
		return Report{}, err
	}
	r.OK = len(r.Recordings) == 0 && len(r.Index) == 0 && len(r.Wrong) == 0 && len(r.Checkpoints.Problems) == 0
	for _, p := range r.Ledger.Problems {
		if p.What == ledger.Torn {
			r.Notes = append(r.Notes, p.String()+"; the next start of the node sets it aside")
			continue
		}
		r.OK = false
	}
	return r, nil
}

// audit takes up the checkpoints that were kept in the data folder and elsewhere.
func (r *Report) audit(dir string, opts Options) (*checkpoint.Audit, error) {
	var kept []checkpoint.Kept
	for i, path := range append([]string{filepath.Join(dir, checkpoint.Dir)}, opts.Checkpoints...) {
		more, err := checkpoint.ReadKept(path)
		if i == 0 && errors.Is(err, fs.ErrNotExist) {
			continue // the node makes none
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, more...)
	}
	var err error
	if r.Log, err = checkpoint.Key(opts.Key); err != nil {
		return nil, err
	}
	return checkpoint.NewAudit(opts.Key, kept, opts.Witnesses, opts.Stamps)
}

// actas makes every acta again from the entries that it names.
func (r *Report) actas(ledgerDir string, entries []ledger.Entry) {
	for _, e := range entries {
		var a acta.Acta
		err := json.Unmarshal(e.Payload, &a)
		if err == nil && a.Schema != acta.Schema {
			r.Notes = append(r.Notes,
				fmt.Sprintf("entry %d: an acta of the form %q, which this program does not make", e.Seq, a.Schema))
			continue
		}
		if err == nil {
			err = a.Again(reader(ledgerDir))
		}
		if err != nil {
			r.Wrong = append(r.Wrong, fmt.Sprintf("acta %s (entry %d): %v", a.ID, e.Seq, err))
			continue
		}
		r.Actas++
	}
}

// reader reads the ledger in a folder from an entry on.
func reader(dir string) func(after uint64) iter.Seq2[ledger.Entry, error] {
	return func(after uint64) iter.Seq2[ledger.Entry, error] { return ledger.Read(dir, after) }
}

// index compares the index with what the ledger makes of it.
func (r *Report) index(dir, ledgerDir string) error {
	list, err := index.Compare(context.Background(), filepath.Join(dir, index.File), reader(ledgerDir))
	for _, d := range list {
		if d.What == index.Outdated {
			r.Notes = append(r.Notes, index.File+": "+d.String())
			continue
		}
		r.Index = append(r.Index, d)
	}
	return err
}

// What a node that runs may do while its files are looked at: so often, and after so long,
// what is not as the entries say is held against those that have come since.
const (
	settles = 5
	settle  = 300 * time.Millisecond
)

func (r *Report) segments(dir, ledgerDir string, files *record.Verifier, opts Options) error {
	good, problems, err := files.Check(dir, opts.Progress)
	last := r.Ledger.Last
	for try := 0; try < settles && err == nil && slices.ContainsFunc(problems, wrong); try++ {
		time.Sleep(settle) //permit:time.Sleep // too short to be cut off
		for e, err := range ledger.Read(ledgerDir, last) {
			if err == nil && e.Verified(opts.Key) {
				files.Entry(e)
				last = e.Seq
			}
		}
		again := problems
		good, problems, err = files.Check(dir, nil)
		if slices.Equal(again, problems) && try > 0 {
			break
		}
	}
	if err != nil {
		return err
	}
	r.Segments = good
	for _, p := range problems {
		if !wrong(p) {
			r.Notes = append(r.Notes, p.String())
			continue
		}
		r.Recordings = append(r.Recordings, p)
	}
	return nil
}

// wrong reports whether a recording is otherwise than the ledger says.
func wrong(p record.Problem) bool { return p.What != record.FileOpen && p.What != record.FileAside }

// How the check of a running node leaves it room: after so many entries it rests, so
// that it takes about half of one processor.
const (
	stretch = 200
	rest    = 10 * time.Millisecond
)

// Running verifies the ledger of a node that goes on writing: up to head, which is
// its head now. The recordings are for Dir.
func Running(dir string, head ledger.Head) (ledger.Report, error) {
	n := 0
	opts := ledger.VerifyOptions{OnEntry: func(ledger.Entry) {
		if n++; n%stretch == 0 {
			time.Sleep(rest) //permit:time.Sleep // too short to be cut off
		}
	}}
	if head.Seq > 0 {
		opts.Known = []ledger.Head{head}
	}
	r, err := ledger.Verify(filepath.Join(dir, LedgerDir), opts)
	if err != nil {
		return r, err
	}
	r.Problems = slices.DeleteFunc(r.Problems, func(p ledger.Problem) bool { // what was written meanwhile
		return p.From > head.Seq && (p.What == ledger.Truncated || p.What == ledger.Torn) ||
			p.What == ledger.Torn && p.From == 0
	})
	return r, nil
}
