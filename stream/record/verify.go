package record

import (
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
	FileUnlisted = "unlisted" // no ledger entry lists it
	FileOpen     = "unfinished"
	FileAside    = "set aside" // by a start, as the ledger records: no part of the evidence
	FileForeign  = "planted"   // unfinished, and nothing that this node was writing
	FileSeals    = "seals"     // the list of seals differs from the ledger's
)

// Problem is one segment that differs from the ledger.
type Problem struct {
	What   string `json:"what"`
	File   string `json:"file"`
	Entry  uint64 `json:"entry,omitempty"` // the ledger's entry that lists it
	Detail string `json:"detail,omitempty"`
}

func (p Problem) String() string {
	if p.What == FileSeals {
		return p.File + " is not what the ledger says: " + p.Detail + "; the ledger counts, and the next start of the node writes the file anew"
	}
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
	// Signed reports whether a signature is of the ledger's key; nil: unfinished files are
	// not checked.
	Signed func(context string, data, sig []byte) bool

	listed map[string]listing
	over   map[string]bool   // names that files had while they were written, of those that are finished
	aside  map[string]uint64 // files that a start set aside, by the entry that records it
	seals  []SealSpan
}

type listing struct {
	seq  uint64
	note SegmentNote
	good bool // it was found as it is listed
}

// NewVerifier makes an empty one.
func NewVerifier() *Verifier {
	return &Verifier{listed: map[string]listing{}, aside: map[string]uint64{}, over: map[string]bool{}}
}

// Entry adds one ledger entry.
func (v *Verifier) Entry(e ledger.Entry) {
	switch e.Kind {
	case ledger.Segment:
		if n, ok := ledger.Payload[SegmentNote](e); ok && n.File != "" {
			v.listed[n.File] = listing{seq: e.Seq, note: n}
			v.over[Unfinished(n.File)] = true
		}
	case ledger.Retention:
		if n, ok := ledger.Payload[RemovalNote](e); ok {
			delete(v.listed, n.File)
		}
	case ledger.Repair:
		if n, ok := ledger.Payload[ledger.RepairNote](e); ok && n.What == ledger.Foreign {
			v.aside[n.Aside] = e.Seq
		}
	case ledger.Seal:
		if n, ok := ledger.Payload[SealSpan](e); ok {
			v.seals = n.Into(v.seals)
		}
	}
}

// Seals are those that hold by the entries so far.
func (v *Verifier) Seals() []SealSpan { return slices.Clone(v.seals) }

// Listed are the files that there have to be by the entries so far, below the recordings'
// folder, sorted.
func (v *Verifier) Listed() []string { return slices.Sorted(maps.Keys(v.listed)) }

// Note is the ledger's entry of a listed file.
func (v *Verifier) Note(file string) (SegmentNote, bool) {
	l, ok := v.listed[file]
	return l.note, ok
}

// Check reads every listed segment of dir that was not found as it is listed before. progress,
// if not nil, is called after each. It returns how many are as listed. A file that is still
// being written is reported as FileOpen, which is no tampering.
func (v *Verifier) Check(dir string, progress func(done, all int)) (good int, problems []Problem, err error) {
	files := v.Listed()
	for i, name := range files {
		l := v.listed[name]
		if l.good {
			good++
			continue
		}
		switch sum, _, err := ledger.SumFile(filepath.Join(dir, filepath.FromSlash(name))); {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, Problem{What: FileRemoved, File: name, Entry: l.seq})
		case err != nil:
			return good, problems, fmt.Errorf("recordings: %w", err)
		case sum.String() != l.note.SHA256:
			problems = append(problems, Problem{FileChanged, name, l.seq, fmt.Sprintf("its SHA-256 is %s, listed %s", sum, l.note.SHA256)})
		default:
			l.good = true
			v.listed[name] = l
			good++
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	more, err := v.unlisted(dir)
	return good, slices.Concat(problems, more, v.checkSeals(dir)), err
}

// checkSeals compares the list of seals with the ledger's. Where none holds there need be
// no list.
func (v *Verifier) checkSeals(dir string) []Problem {
	have, err := readSeals(dir)
	detail := ""
	switch {
	case err != nil:
		detail = "it cannot be read: " + err.Error()
	case !sameSeals(have, v.seals):
		detail = fmt.Sprintf("it has %d seals, by the ledger there are %d", len(have), len(v.seals))
		for _, x := range v.seals {
			if !slices.ContainsFunc(have, x.equal) {
				detail += ", and that of " + x.String() + " is missing"
				break
			}
		}
		for _, x := range have {
			if !slices.ContainsFunc(v.seals, x.equal) {
				detail += ", and none is of " + x.String()
				break
			}
		}
	default:
		return nil
	}
	return []Problem{{What: FileSeals, File: sealFile, Detail: detail}}
}

// open distinguishes an unfinished file of this node from a planted one.
func (v *Verifier) open(path, name string) (Problem, error) {
	lawful := Problem{What: FileOpen, File: name, Detail: "being written, or left by a crash; the next start finishes it"}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) { // it is finished by now
		return lawful, nil
	}
	if err != nil {
		return lawful, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || v.Signed == nil || st.Size() == 0 {
		return lawful, err
	}
	if v.over[name] && !v.renaming(path, name) {
		return Problem{What: FileForeign, File: name, Detail: "the ledger lists the recording of that time already; the next start sets it aside"}, nil
	}
	_, err = readMarks(f, st.Size(), name, v.Signed)
	if errors.Is(err, errForeign) {
		return Problem{What: FileForeign, File: name, Detail: err.Error() + "; the next start sets it aside"}, nil
	}
	return lawful, err
}

// renaming reports whether a file is listed and has not got its final name yet: a moment on
// a running node, or left by a kill in that moment.
func (v *Verifier) renaming(path, name string) bool {
	for file, l := range v.listed {
		if Unfinished(file) == name && !l.good {
			sum, _, err := ledger.SumFile(path)
			return err != nil || sum.String() == l.note.SHA256
		}
	}
	return false
}

// unlisted finds recordings below dir that the ledger does not list.
func (v *Verifier) unlisted(dir string) (out []Problem, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing was recorded, or it is removed just now
			return nil
		case errors.Is(err, fs.ErrPermission) && d.IsDir() && d.Name() == "lost+found":
			return fs.SkipDir // of the file system
		case err != nil:
			return err
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		_, known := v.listed[name]
		switch ext := strings.ToLower(filepath.Ext(name)); {
		case known:
		case ext == openSuffix && strings.Count(name, "/") == 2:
			p, err := v.open(path, name)
			if err != nil {
				return err
			}
			out = append(out, p)
		case v.aside[name] > 0:
			out = append(out, Problem{What: FileAside, File: name, Entry: v.aside[name], Detail: "a start of the node found it where recordings are written, and it is none of this node's"})
		case ext == fileSuffix, ext == openSuffix, ext == asideSuffix:
			out = append(out, Problem{What: FileUnlisted, File: name, Detail: "no entry of the ledger knows it: the node did not record it, or its entry was removed; put it aside"})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	return out, nil
}
