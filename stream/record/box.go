package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/abema/go-mp4"
)

// A segment file is ISO BMFF (ISO/IEC 14496-12): ftyp and moov, then for every
// fragment prft (§8.16.5, the wall time of its first sample), moof and mdat.
// A fragment after lost pictures is preceded by a free box that
// begins with gapMagic and holds the two wall times; behind each a mark (begun.go); before one with which readings
// are kept, a free box that begins with readMagic and holds them (readings.go).

// timescale is the ticks per second of the one track.
const timescale = 90000

const (
	prftLen  = 32
	gapLen   = 8 + 8 + 16
	gapMagic = "visngap1"
	// readMagic is as long as gapMagic.
	readMagic = "visnread"
	readHead  = 8 + len(readMagic)
	// maxMoof bounds what a damaged length field can make us read.
	maxMoof = 4 << 20
	// ntpEpoch is 1970-01-01 in NTP seconds (RFC 5905).
	ntpEpoch = 2208988800
)

// ticks converts a time to the track's clock, rounding to the nearest.
func ticks(d time.Duration) int64 {
	sec, rest := int64(d/time.Second), int64(d%time.Second)
	return sec*timescale + (rest*timescale+int64(time.Second)/2)/int64(time.Second)
}

// fromTicks is the inverse of ticks.
func fromTicks(t int64) time.Duration {
	return time.Duration(t/timescale)*time.Second + time.Duration(t%timescale)*time.Second/timescale
}

// prft is the producer reference time box: wall at media time base.
func prft(wall time.Time, base uint64) []byte {
	b := make([]byte, 0, prftLen)
	b = binary.BigEndian.AppendUint32(b, prftLen)
	b = append(b, "prft"...)
	b = append(b, 1, 0, 0, 0) // version 1
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, uint32(wall.Unix()+ntpEpoch))
	b = binary.BigEndian.AppendUint32(b, uint32((uint64(wall.Nanosecond())<<32+5e8)/1e9))
	return binary.BigEndian.AppendUint64(b, base)
}

func parsePRFT(b []byte) (time.Time, bool) {
	if len(b) != prftLen {
		return time.Time{}, false
	}
	sec := int64(binary.BigEndian.Uint32(b[16:])) - ntpEpoch
	nano := (uint64(binary.BigEndian.Uint32(b[20:]))*1e9 + 1<<31) >> 32
	return time.Unix(sec, int64(nano)).UTC(), true
}

// gapBox notes that pictures between the two times were lost.
func gapBox(g Span) []byte {
	b := binary.BigEndian.AppendUint32(nil, gapLen)
	b = append(b, "free"+gapMagic...)
	b = binary.BigEndian.AppendUint64(b, uint64(g.From.UnixNano()))
	return binary.BigEndian.AppendUint64(b, uint64(g.To.UnixNano()))
}

func parseGap(b []byte) (Span, bool) {
	if len(b) != gapLen || string(b[8:16]) != gapMagic {
		return Span{}, false
	}
	at := func(i int) time.Time { return time.Unix(0, int64(binary.BigEndian.Uint64(b[i:]))).UTC() }
	return Span{From: at(16), To: at(24), Kind: Lost}, true
}

// fragment is one prft, moof and mdat in a file.
type fragment struct {
	off                   int64 // of moof
	moof                  int   // its length
	mdat                  int64 // length of mdat, which follows it
	wall                  time.Time
	key                   bool  // begins with a picture at which decoding can begin
	dur                   int64 // of all its samples, in ticks
	seqAt, baseAt, lastAt int   // offsets in moof of the fields that a clip rewrites
	lastDur               uint32
	readOff, readLen      int64 // box of readings before it; length 0: none
}

func (f fragment) end() time.Time { return f.wall.Add(fromTicks(f.dur)) }

// layout is what a segment file holds.
type layout struct {
	init  int64 // length of ftyp and moov
	frags []fragment
	gaps  []Span
	good  int64 // end of the last whole fragment, or of init, with the mark behind it
}

// errBox is wrapped by every error about a file that is no segment of ours.
var errBox = errors.New("not a recording segment")

// scan reads the layout of the first size bytes of r. A torn or damaged end is
// no error: the layout ends at the last whole fragment.
func scan(r io.ReaderAt, size int64) (layout, error) {
	var l layout
	var wall time.Time
	var gaps []Span
	var readOff, readLen int64
boxes:
	for at := int64(0); ; {
		kind, n, err := boxHead(r, at, size)
		if err != nil {
			break
		}
		switch kind {
		case "ftyp":
		case "moov":
			l.init, l.good = at+n, at+n
		case "prft", "free":
			b := make([]byte, min(n, 64))
			if _, err := r.ReadAt(b, at); err != nil {
				return l, fmt.Errorf("%w: %w", errBox, err)
			}
			if w, ok := parsePRFT(b); ok && kind == "prft" {
				wall = w
			} else if g, ok := parseGap(b); ok {
				gaps = append(gaps, g)
			} else if kind == "free" && n == int64(markLen) && string(b[8:16]) == markMagic && l.init > 0 {
				l.good = at + n
			} else if isReadings(b) && kind == "free" {
				readOff, readLen = at, n
			}
		case "moof":
			f, err := readFragment(r, at, n, size)
			if err != nil || l.init == 0 || wall.IsZero() {
				break boxes
			}
			f.wall, f.readOff, f.readLen = wall, readOff, readLen
			l.frags, l.gaps = append(l.frags, f), append(l.gaps, gaps...)
			n += f.mdat
			l.good, wall, gaps, readLen = at+n, time.Time{}, nil, 0
		default:
			break boxes
		}
		at += n
	}
	if l.init == 0 {
		return l, fmt.Errorf("%w: no moov box", errBox)
	}
	return l, nil
}

// boxHead reads type and length of the box at off, which must end within size.
func boxHead(r io.ReaderAt, off, size int64) (string, int64, error) {
	var h [8]byte
	if size-off < 8 {
		return "", 0, io.ErrUnexpectedEOF
	}
	if _, err := r.ReadAt(h[:], off); err != nil {
		return "", 0, err
	}
	n := int64(binary.BigEndian.Uint32(h[:]))
	if n < 8 || n > size-off {
		return "", 0, fmt.Errorf("%w: box of %d bytes in %d", errBox, n, size-off)
	}
	return string(h[4:]), n, nil
}

func readFragment(r io.ReaderAt, off, n, size int64) (fragment, error) {
	if n > maxMoof {
		return fragment{}, fmt.Errorf("%w: moof of %d bytes", errBox, n)
	}
	kind, mdat, err := boxHead(r, off+n, size)
	if err != nil {
		return fragment{}, err
	}
	if kind != "mdat" {
		return fragment{}, fmt.Errorf("%w: %q after moof", errBox, kind)
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, off); err != nil {
		return fragment{}, err
	}
	f := fragment{off: off, moof: int(n), mdat: mdat}
	if _, err := mp4.ReadBoxStructure(bytes.NewReader(b), f.take); err != nil {
		return fragment{}, fmt.Errorf("%w: %w", errBox, err)
	}
	if f.seqAt == 0 || f.baseAt == 0 || f.lastAt == 0 {
		return fragment{}, fmt.Errorf("%w: moof without mfhd, tfdt or samples", errBox)
	}
	return f, nil
}

// notSync is the flag of a sample at which decoding cannot begin (§8.8.3.1).
const notSync = 1 << 16

// take reads one box of moof.
func (f *fragment) take(h *mp4.ReadHandle) (any, error) {
	at := int(h.BoxInfo.Offset)
	switch h.BoxInfo.Type {
	case mp4.BoxTypeMoof(), mp4.BoxTypeTraf():
		return h.Expand()
	case mp4.BoxTypeMfhd(), mp4.BoxTypeTfdt(), mp4.BoxTypeTrun():
	default:
		return nil, nil
	}
	box, _, err := h.ReadPayload()
	if err != nil {
		return nil, err
	}
	switch b := box.(type) {
	case *mp4.Mfhd:
		f.seqAt = at + 12
	case *mp4.Tfdt:
		if b.GetVersion() != 1 {
			return nil, errors.New("tfdt is not of version 1")
		}
		f.baseAt = at + 12
	case *mp4.Trun:
		const needed = 0x100 | 0x200 // every sample with its duration and size (§8.8.8)
		if f.lastAt != 0 || b.GetFlags()&needed != needed || len(b.Entries) == 0 {
			return nil, fmt.Errorf("trun of %d samples", len(b.Entries))
		}
		f.key = b.Entries[0].SampleFlags&notSync == 0
		for _, e := range b.Entries {
			f.lastDur = e.SampleDuration
			f.dur += int64(e.SampleDuration)
		}
		f.lastAt = at + int(h.BoxInfo.Size) - int(b.GetFieldSize("Entries", h.BoxInfo.Context))/8
	}
	return nil, nil
}
