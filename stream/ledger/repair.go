package ledger

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vision/internal/durable"
)

// Foreign marks in a RepairNote a file among the node's own that it did not write. No
// evidence is missing.
const Foreign = "foreign"

// RepairNote is the payload of a Repair entry: what was found at start-up.
type RepairNote struct {
	What   string `json:"what"` // "torn", "missing", "broken", Foreign
	File   string `json:"file,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Bytes  int    `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // of the bytes set aside
	Aside  string `json:"aside,omitempty"`  // file that keeps them
	From   uint64 `json:"from,omitempty"`   // missing entries
	To     uint64 `json:"to,omitempty"`
}

// recover finds where the chain ends, sets a torn end aside and leaves the
// ledger ready to append. It returns the repairs to be recorded.
func (l *Ledger) recover() ([]RepairNote, error) {
	l.marks.forget()
	files, err := list(l.dir)
	if err != nil {
		return nil, err
	}
	l.next, l.prev, l.file, l.size = 1, Digest{}, nil, 0
	var notes []RepairNote
	for i := len(files) - 1; i >= 0; i-- { // an empty newest file leads back to the one before
		end, note, err := l.mend(files[i].path)
		if err != nil {
			return nil, err
		}
		notes = append(notes, note...)
		if end.seq == 0 {
			continue
		}
		l.next, l.prev = end.seq+1, end.hash
		if i == len(files)-1 && !end.broken {
			err = l.resume(files[i].path, end.size)
		}
		if err != nil {
			return nil, err
		}
		break
	}
	more, err := l.checkHead()
	return append(notes, more...), err
}

func (l *Ledger) resume(path string, size int64) error {
	f, err := l.opts.open(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(path), suffix)
	l.file, l.path, l.size, l.day = f, path, size, name[strings.IndexByte(name, '-')+1:]
	return nil
}

// checkHead compares the chain's end with the head. Entries before the head that the
// files lack are lost: numbering goes on after them, so that the hole stays visible.
func (l *Ledger) checkHead() ([]RepairNote, error) {
	l.flip = 0
	head, half, err := readHead(l.dir, l.Public())
	if err != nil && l.next == 1 { // a new ledger: its head exists before its first entry
		if err := l.openHead(); err != nil {
			return nil, err
		}
		return nil, errors.Join(l.writeHead(Head{}), l.writeHead(Head{}))
	}
	l.stateMu.Lock()
	l.head = Head{l.next - 1, l.prev}
	l.stateMu.Unlock()
	if err != nil {
		return []RepairNote{{What: "broken", File: HeadFile}}, nil
	}
	if half == 0 { // the other one is written next
		l.flip = 1
	}
	if head.Seq < l.next {
		return nil, nil
	}
	note := RepairNote{What: "missing", From: l.next, To: head.Seq}
	l.next = head.Seq + 1
	return []RepairNote{note}, nil
}

// end is where a file's chain ends.
type end struct {
	seq    uint64 // 0: the file holds no entry
	hash   Digest
	size   int64
	broken bool // invalid lines precede the end: left as found
}

// mend scans path. Bytes after the last good line are cut off and kept aside.
func (l *Ledger) mend(path string) (end, []RepairNote, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return end{}, nil, fmt.Errorf("ledger: %w", err)
	}
	var e end
	good, at, bad := 0, 0, false
	for line := range bytes.Lines(data) {
		at += len(line)
		line, whole := bytes.CutSuffix(line, []byte("\n"))
		entry, err := Parse(line)
		if err != nil || !whole {
			bad = true
			continue
		}
		e.broken = e.broken || bad
		e.seq, e.hash, good = entry.Seq, entry.Hash, at
	}
	e.size = int64(good)
	var notes []RepairNote
	if e.broken {
		notes = append(notes, RepairNote{What: "broken", File: filepath.Base(path)})
	}
	if good == len(data) {
		return e, notes, nil
	}
	note, err := l.setAside(path, data[good:], int64(good))
	if err != nil {
		return end{}, nil, fmt.Errorf("ledger: repairing %s: %w", path, err)
	}
	return e, append(notes, note), nil
}

// setAside moves a torn end into a file of its own and cuts it off.
func (l *Ledger) setAside(path string, torn []byte, offset int64) (RepairNote, error) {
	sum := Digest(sha256.Sum256(torn)).String()
	name := fmt.Sprintf("%s-%d-%s.torn", strings.TrimSuffix(filepath.Base(path), suffix), offset, sum[:8])
	if err := durable.Write(filepath.Join(l.dir, name), torn, 0o600); err != nil {
		return RepairNote{}, err
	}
	f, err := l.opts.open(path, os.O_WRONLY)
	if err != nil {
		return RepairNote{}, err
	}
	if err := errors.Join(f.Truncate(offset), f.Sync(), f.Close()); err != nil {
		return RepairNote{}, err
	}
	return RepairNote{What: "torn", File: filepath.Base(path), Offset: offset, Bytes: len(torn),
		SHA256: sum, Aside: name}, nil
}
