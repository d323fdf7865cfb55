package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vision/stream/ledger"
)

// What a Problem is.
const (
	FileChanged  = "changed"
	FileRemoved  = "removed"
	FileUnlisted = "unlisted" // no ledger entry knows it
	FileOpen     = "unfinished"
)

// Problem is one segment that is not as the ledger says.
type Problem struct {
	What   string `json:"what"`
	File   string `json:"file"`
	Entry  uint64 `json:"entry,omitempty"` // the ledger's entry that lists it
	Detail string `json:"detail,omitempty"`
}

func (p Problem) String() string {
	s := "segment " + p.File + " " + p.What
	if p.Entry > 0 {
		s += fmt.Sprintf(" (ledger entry %d)", p.Entry)
	}
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	return s
}

// Verifier compares recordings with the ledger: give it every entry, then Check.
type Verifier struct {
	listed map[string]listing
}

type listing struct {
	seq uint64
	sha string
}

// NewVerifier makes an empty one.
func NewVerifier() *Verifier { return &Verifier{listed: map[string]listing{}} }

// Entry takes notice of one ledger entry.
func (v *Verifier) Entry(e ledger.Entry) {
	switch e.Kind {
	case ledger.Segment:
		var n SegmentNote
		if json.Unmarshal(e.Payload, &n) == nil && n.File != "" {
			v.listed[n.File] = listing{e.Seq, n.SHA256}
		}
	case ledger.Retention:
		var n RemovalNote
		if json.Unmarshal(e.Payload, &n) == nil {
			delete(v.listed, n.File)
		}
	}
}

// Listed are the files that there have to be by the entries so far, below the recordings'
// folder, sorted.
func (v *Verifier) Listed() []string { return slices.Sorted(maps.Keys(v.listed)) }

// Check reads every listed segment of dir. progress, if not nil, is called after
// each. It returns how many were as listed. A file that is still being written
// is reported as FileOpen, which is no tampering.
func (v *Verifier) Check(dir string, progress func(done, all int)) (good int, problems []Problem, err error) {
	files := v.Listed()
	for i, name := range files {
		l := v.listed[name]
		switch sum, err := sumFile(filepath.Join(dir, filepath.FromSlash(name))); {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, Problem{What: FileRemoved, File: name, Entry: l.seq})
		case err != nil:
			return good, problems, fmt.Errorf("recordings: %w", err)
		case sum != l.sha:
			problems = append(problems, Problem{FileChanged, name, l.seq, "its SHA-256 is " + sum + ", listed " + l.sha})
		default:
			good++
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	more, err := v.unlisted(dir)
	return good, append(problems, more...), err
}

func sumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}

// unlisted finds files that the ledger does not know.
func (v *Verifier) unlisted(dir string) ([]Problem, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	if err != nil {
		return nil, err
	}
	var out []Problem
	for _, p := range paths {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return nil, err
		}
		name := filepath.ToSlash(rel)
		_, known := v.listed[name]
		switch {
		case known:
		case strings.HasSuffix(name, openSuffix):
			out = append(out, Problem{What: FileOpen, File: name, Detail: "being written, or left by a crash; the next start finishes it"})
		case strings.HasSuffix(name, fileSuffix):
			out = append(out, Problem{What: FileUnlisted, File: name})
		}
	}
	return out, nil
}
