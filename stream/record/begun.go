package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"vision/stream/ledger"
)

// A file that is being written has no entry in the ledger yet. So that a start takes up only
// what this node began, for this camera, a free box follows ftyp and moov and
// every fragment: markMagic, the ledger's newest entry when the file was begun (8 bytes,
// big-endian), and the ledger's signature (Ed25519) over the file's name, that entry and the
// SHA-256 of all before the box.
const (
	markMagic   = "vismark1"
	markLen     = 8 + len(markMagic) + 8 + 64
	markContext = "vision recording v1\n"
	// maxTorn bounds what may follow the newest mark: a fragment lasts a second.
	maxTorn = 64 << 20
)

func marked(file string, since uint64, sum hash.Hash) []byte {
	return fmt.Appendf(nil, "%s\n%d\n%x", file, since, sum.Sum(nil))
}

// mark is the box that follows what has the sum.
func (s *Store) mark(file string, since uint64, sum hash.Hash) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(markLen))
	b = append(b, "free"+markMagic...)
	b = binary.BigEndian.AppendUint64(b, since)
	return append(b, s.ledger.Sign(markContext, marked(file, since, sum))...)
}

// begun is what the marks of an unfinished file hold.
type begun struct {
	since uint64 // newest entry of the ledger when it was begun
	good  int64  // end of the newest mark
	sum   string // SHA-256 up to there
}

// errForeign is wrapped by why a file is not one that this node was writing.
var errForeign = errors.New("not a recording that this node was writing")

// readMarks looks for the marks of an unfinished file of that name below the recordings.
// Behind the newest one may be what a crash tore off, and no more.
func readMarks(f io.ReaderAt, size int64, file string,
	signed func(context string, data, sig []byte) bool) (b begun, err error) {
	sum := sha256.New()
	for at := int64(0); ; {
		kind, n, err := boxHead(f, at, size)
		if err != nil {
			break
		}
		if kind == "free" && n == int64(markLen) {
			box := make([]byte, markLen)
			if _, err := f.ReadAt(box, at); err != nil {
				return b, err
			}
			if string(box[8:16]) == markMagic {
				since := binary.BigEndian.Uint64(box[16:])
				if !signed(markContext, marked(file, since, sum), box[24:]) {
					break
				}
				sum.Write(box)
				b = begun{since, at + n, hex.EncodeToString(sum.Sum(nil))}
				at += n
				continue
			}
		}
		if _, err := io.Copy(sum, io.NewSectionReader(f, at, n)); err != nil {
			return b, err
		}
		at += n
	}
	if b.good == 0 {
		return b, fmt.Errorf("%w: it is not signed with the ledger's key for this camera and time", errForeign)
	}
	if size-b.good > maxTorn {
		return b, fmt.Errorf("%w: %d bytes follow what is signed", errForeign, size-b.good)
	}
	rest, err := io.ReadAll(io.NewSectionReader(f, b.good, size-b.good))
	if err != nil {
		return b, err
	}
	if bytes.Count(rest, []byte("free"+markMagic)) > 1 {
		return b, fmt.Errorf("%w: it was changed from byte %d on", errForeign, b.good)
	}
	return b, nil
}

// listed is the segment of an unfinished file that the ledger has already, without its SHA-256
// where it was removed since.
func (s *Store) listed(file string, since uint64) (note SegmentNote, found bool) {
	for e, err := range s.ledger.Since(since) {
		if err != nil || e.Kind != ledger.Segment && e.Kind != ledger.Retention {
			continue
		}
		if n, ok := ledger.Payload[SegmentNote](e); ok && Unfinished(n.File) == file {
			note, found = n, true // that of a removal has no SHA-256
		}
	}
	return note, found
}

// setAside gives a file that this node was not writing a name under which nothing takes it
// for a recording, and records that in the ledger. Nothing is removed.
func (s *Store) setAside(cam Camera, path string, why error) error {
	sum, n, err := ledger.SumFile(path)
	if err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	aside := path + asideSuffix
	for i := 2; ; i++ {
		if _, err := os.Lstat(aside); err != nil {
			break
		}
		aside = fmt.Sprintf("%s.%d%s", path, i, asideSuffix)
	}
	if err := rename(path, aside); err != nil {
		return err
	}
	s.opts.Log.Warn("foreign recording set aside",
		"file", s.rel(path), "aside", s.rel(aside), "err", why)
	s.owe(owedEntry{kind: ledger.Repair, table: cam.Table, payload: ledger.RepairNote{What: ledger.Foreign,
		File: s.rel(path), Bytes: int(n), SHA256: sum.String(), Aside: s.rel(aside)}})
	return nil
}
