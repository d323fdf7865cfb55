package ledger

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// What a Problem is.
const (
	Changed    = "changed"    // the line is not what was signed
	Removed    = "removed"    // entries From to To are missing
	Reordered  = "reordered"  // the entry is at another place than it was written
	Duplicated = "duplicated" // the entry is there again
	Forked     = "forked"     // validly signed, but after another entry
	Truncated  = "truncated"  // entries From to To were acknowledged and are cut off at the end
	Torn       = "torn"       // an unfinished line at the end; start-up repairs it
	NoHead     = "head"       // the head file is gone or not validly signed
	Rewritten  = "rewritten"  // the entry differs from the head kept elsewhere
	Noted      = "noted"      // the ledger itself recorded a loss or damage at start-up
)

// Problem is one thing that is not as it was written.
type Problem struct {
	What   string `json:"what"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"` // from 1
	From   uint64 `json:"from,omitempty"` // entry, or first of several
	To     uint64 `json:"to,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// String is the problem as a sentence.
func (p Problem) String() string {
	s := p.What
	switch {
	case p.To > p.From:
		s = fmt.Sprintf("entries %d to %d %s", p.From, p.To, p.What)
	case p.From > 0:
		s = fmt.Sprintf("entry %d %s", p.From, p.What)
	}
	if p.File != "" {
		s += " (" + p.File
		if p.Line > 0 {
			s += fmt.Sprintf(" line %d", p.Line)
		}
		s += ")"
	}
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	return s
}

// Report is the outcome of Verify.
type Report struct {
	Entries  uint64    `json:"entries"` // validly signed, in their place
	Last     uint64    `json:"last"`    // highest validly signed seq
	Key      string    `json:"key"`     // fingerprint
	Head     string    `json:"head"`    // SEQ:SHA256 of the last entry, to be kept elsewhere
	Problems []Problem `json:"problems"`
}

// VerifyOptions are what was kept elsewhere, to compare with.
type VerifyOptions struct {
	Key     ed25519.PublicKey // nil: the one beside the ledger, which proves less
	Known   []Head            // heads kept earlier
	OnEntry func(Entry)       // called with every validly signed entry, in file order; may be nil
}

// Verify reads the whole ledger in dir and names everything that was changed,
// removed, reordered or cut off. The error is about reading, not about findings.
func Verify(dir string, opts VerifyOptions) (Report, error) {
	if opts.Key == nil {
		key, err := ReadPublicKey(filepath.Join(dir, PublicKeyFile))
		if err != nil {
			return Report{}, fmt.Errorf("%w; give the public key by hand", err)
		}
		opts.Key = key
	}
	files, err := list(dir)
	if err != nil {
		return Report{}, err
	}
	v := &verifier{
		opts:   opts,
		known:  map[uint64]Digest{},
		report: Report{Key: Fingerprint(opts.Key), Problems: []Problem{}},
	}
	for _, h := range opts.Known {
		v.known[h.Seq] = h.Hash
	}
	for _, f := range files {
		if err := v.file(f.path); err != nil {
			return Report{}, fmt.Errorf("ledger: %w", err)
		}
	}
	v.finish(dir)
	return v.report, nil
}

// verifier walks the lines in file order, expecting one entry after the other.
type verifier struct {
	opts     VerifyOptions
	known    map[uint64]Digest
	report   Report
	expected uint64 // seq before the next in order
	prev     *Digest
	missing  []span
	lastHash Digest
}

type span struct{ from, to uint64 }

func (v *verifier) add(p Problem) { v.report.Problems = append(v.report.Problems, p) }

func (v *verifier) file(path string) error {
	name, n := filepath.Base(path), 0
	torn, err := scanLines(path, 0, func(line []byte, _ int64) error {
		n++
		v.line(name, n, line)
		return nil
	})
	if torn > 0 {
		v.add(Problem{What: Torn, File: name, Line: n + 1, Detail: fmt.Sprintf("%d bytes after the last whole line", torn)})
	}
	return err
}

func (v *verifier) line(name string, n int, line []byte) {
	e, err := Parse(line)
	if err == nil && !e.Verified(v.opts.Key) {
		err = errors.New("its signature is not of this key")
	}
	if err != nil {
		v.changed(name, n, line, err)
		return
	}
	v.report.Entries++
	v.note(e)
	switch next := v.expected + 1; {
	case e.Seq < next:
		v.early(name, n, e)
		return
	case e.Seq > next:
		v.missing = append(v.missing, span{next, e.Seq - 1})
	case v.prev != nil && *v.prev != e.Prev:
		v.add(Problem{What: Forked, File: name, Line: n, From: e.Seq, Detail: "the entry before it is not the one it was chained to"})
	}
	v.expected, v.lastHash, v.prev = e.Seq, e.Hash, &e.Hash
}

// note compares e with the heads kept elsewhere and passes it on.
func (v *verifier) note(e Entry) {
	if h, ok := v.known[e.Seq]; ok && h != e.Hash {
		v.add(Problem{What: Rewritten, From: e.Seq, Detail: "its hash is not the one that was noted down"})
	}
	var r RepairNote
	if e.Kind == Repair && json.Unmarshal(e.Payload, &r) == nil && r.What != "torn" && r.What != Foreign {
		v.add(Problem{What: Noted, From: e.Seq, File: r.File, Detail: fmt.Sprintf("start-up found %q, entries %d to %d", r.What, r.From, r.To)})
	}
	if v.opts.OnEntry != nil {
		v.opts.OnEntry(e)
	}
}

// early classifies an entry that comes too late: reordered, or duplicated.
func (v *verifier) early(name string, n int, e Entry) {
	for i, m := range v.missing {
		if e.Seq < m.from || e.Seq > m.to {
			continue
		}
		rest := slices.DeleteFunc([]span{{m.from, e.Seq - 1}, {e.Seq + 1, m.to}}, func(s span) bool { return s.from > s.to })
		v.missing = slices.Replace(v.missing, i, i+1, rest...)
		v.add(Problem{What: Reordered, File: name, Line: n, From: e.Seq})
		return
	}
	v.add(Problem{What: Duplicated, File: name, Line: n, From: e.Seq})
}

// changed reports a line that is no entry of ours. It takes the place of the
// next one in order unless it claims another.
func (v *verifier) changed(name string, n int, line []byte, why error) {
	p := Problem{What: Changed, File: name, Line: n, From: v.expected + 1, Detail: why.Error()}
	if seq, ok := claimed(line); ok && seq > v.expected && seq < v.expected+1000 {
		p.From = seq
	}
	v.add(p)
	if p.From > v.expected+1 {
		v.missing = append(v.missing, span{v.expected + 1, p.From - 1})
	}
	v.expected, v.prev = p.From, nil
}

// finish reports missing entries, and those of the head beyond the end.
func (v *verifier) finish(dir string) {
	for _, m := range v.missing {
		v.add(Problem{What: Removed, From: m.from, To: m.to})
	}
	v.report.Last, v.report.Head = v.expected, Head{v.expected, v.lastHash}.String()
	for seq := range v.known {
		if seq > v.expected {
			v.add(Problem{What: Truncated, From: v.expected + 1, To: seq, Detail: "a head noted down earlier is beyond the end"})
		}
	}
	head, err := ReadHead(dir, v.opts.Key)
	switch {
	case errors.Is(err, fs.ErrNotExist) && v.expected == 0:
	case err != nil:
		v.add(Problem{What: NoHead, File: HeadFile, Detail: err.Error()})
	case head.Seq > v.expected:
		v.add(Problem{What: Truncated, From: v.expected + 1, To: head.Seq})
	case head.Seq == v.expected && v.prev != nil && head.Hash != v.lastHash:
		v.add(Problem{What: Forked, From: head.Seq, File: HeadFile, Detail: "the head names another entry"})
	}
}
